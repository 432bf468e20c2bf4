//! Whoever sits at the board: a search of this program, or somebody else's engine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use treegraft::{Budget, Playthrough, Request, Work};
use treegraft_players::{Analyst, Board, MoveIndex};

/// Someone who can be asked for a move.
pub trait Seat {
    /// A game begins; nothing of an earlier one may matter.
    ///
    /// # Errors
    ///
    /// If whoever sits here cannot play.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// A move for whoever is to move.
    ///
    /// # Errors
    ///
    /// If there is none: a fault of the player, which loses the game, or [`NoChoice`]'s others.
    fn choose(&mut self, game: &Playthrough<Board>, ask: Ask<'_>) -> Result<Choice, NoChoice>;
}

/// What is asked besides the position.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What the move may cost.
    pub budget: Budget,
    /// Where all random choices come from.
    pub seed: u64,
    /// Set from another thread to be answered soon, with whatever there is.
    pub cancel: Option<&'a AtomicBool>,
}

impl Ask<'_> {
    /// Whether an answer has become pointless.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A move, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: MoveIndex,
    /// What was spent on it.
    pub work: Work,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChoice {
    /// The player broke a rule of the arena.
    Fault(Fault),
    /// A search of this program found no move, which is a mistake of the program.
    NoMove,
    /// Nobody wants to know any more.
    Cancelled,
}

/// How a player loses a game without being beaten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What happened, in words.
    pub detail: String,
}

/// The ways to lose a game without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started, or did not greet.
    NoStart,
    /// The program ended before it had answered.
    Crash,
    /// No answer came.
    Stall,
    /// The answer came after the time was up.
    Late,
    /// The move is not legal.
    IllegalMove,
    /// The answer does not make sense.
    Garbage,
    /// More output than anybody can want.
    Flood,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::NoStart,
        FaultKind::Crash,
        FaultKind::Stall,
        FaultKind::Late,
        FaultKind::IllegalMove,
        FaultKind::Garbage,
        FaultKind::Flood,
    ];

    /// The word for it in stores and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NoStart => "no-start",
            FaultKind::Crash => "crash",
            FaultKind::Stall => "stall",
            FaultKind::Late => "late",
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::Garbage => "garbage",
            FaultKind::Flood => "flood",
        }
    }
}

impl From<Fault> for NoChoice {
    fn from(fault: Fault) -> NoChoice {
        NoChoice::Fault(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}

/// A search that plays.
pub struct Searching(pub Analyst);

impl Seat for Searching {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.0.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Playthrough<Board>, ask: Ask<'_>) -> Result<Choice, NoChoice> {
        let Ask { budget, seed, cancel } = ask;
        let request = Request { budget, seed, cancel, progress: None };
        let report = self.0.search(game.position(), request);
        if ask.is_cancelled() {
            return Err(NoChoice::Cancelled);
        }
        let mv = report.best_move.ok_or(NoChoice::NoMove)?;
        Ok(Choice { mv, work: report.work })
    }
}
