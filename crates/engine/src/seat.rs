//! The players of a game: a searcher of this program, or an external engine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::{Budget, Playthrough, Request, Work};
use treegraft_players::{Analyst, Board, MoveIndex, Player, PlayerError, Registry, Search, Start};

use crate::client::EngineSeat;
use crate::foreign::Refusal;

use crate::thinking::Thought;

/// A player that chooses the moves of one game.
pub trait Seat {
    /// A game begins: earlier ones must be forgotten.
    ///
    /// # Errors
    ///
    /// If the seat cannot play.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// A move for the side to move.
    ///
    /// # Errors
    ///
    /// If there is none: because of a fault, which loses the game, or for another reason
    /// ([`NoAnswer`]).
    fn next_move(
        &mut self,
        game: &Playthrough<Board>,
        request: MoveRequest<'_>,
    ) -> Result<Answer, NoAnswer>;
}

/// What a seat is passed, besides the position.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// What the move may cost.
    pub budget: Budget,
    /// Where all random choices come from.
    pub seed: u64,
    /// Set from another thread to end the search soon.
    pub cancel: Option<&'a AtomicBool>,
    /// Whether the answer should say what was thought.
    pub record: bool,
}

impl MoveRequest<'_> {
    /// Whether the answer is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A move, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move.
    pub mv: MoveIndex,
    /// What was spent on it.
    pub work: Work,
    /// What was thought, if that was requested and there is more to report than the work.
    pub thought: Option<Thought>,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The engine broke a rule of the arena.
    Fault(Fault),
    /// A searcher of this program found no move, which is a bug.
    NoMove,
    /// The request was cancelled.
    Cancelled,
}

/// How an engine loses a game without being beaten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What happened, in words.
    pub detail: String,
}

/// The ways to lose a game without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// There was too much output.
    Flood,
    /// It gave the game up.
    Resign,
}

impl FaultKind {
    /// All of them in their order, with the words for them.
    const NAMES: [(FaultKind, &str); 8] = [
        (FaultKind::NoStart, "no-start"),
        (FaultKind::Crash, "crash"),
        (FaultKind::Stall, "stall"),
        (FaultKind::Late, "late"),
        (FaultKind::IllegalMove, "illegal-move"),
        (FaultKind::Garbage, "garbage"),
        (FaultKind::Flood, "flood"),
        (FaultKind::Resign, "resign"),
    ];

    /// The word for it in stores and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        FaultKind::NAMES[self as usize].1
    }

    /// Whether a word stands for one of them.
    #[must_use]
    pub fn is_name(word: &str) -> bool {
        FaultKind::NAMES.iter().any(|(_, name)| *name == word)
    }
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}

/// A seat that moves by a searcher of this program.
pub struct SearchSeat(pub Analyst);

impl Seat for SearchSeat {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.0.new_game();
        Ok(())
    }

    fn next_move(
        &mut self,
        game: &Playthrough<Board>,
        request: MoveRequest<'_>,
    ) -> Result<Answer, NoAnswer> {
        let MoveRequest { budget, seed, cancel, record } = request;
        let search = Request { cancel, ..Request::new(budget, seed) };
        let report = self.0.search(game.position(), search);
        if request.is_cancelled() {
            return Err(NoAnswer::Cancelled);
        }
        let mv = report.best_move.ok_or(NoAnswer::NoMove)?;
        let thought = record.then(|| Thought::new(game.moves().len(), game.position(), &report));
        Ok(Answer { mv, work: report.work, thought })
    }
}

/// A new seat for a player in a game that begins at `start`: a searcher, or an engine, which is
/// started by [`Seat::new_game`].
///
/// # Errors
///
/// If the game cannot serve an option of the player, or the protocol of an engine does not have the
/// game.
pub fn seat(
    registry: &Registry,
    start: &Start,
    player: &Player,
) -> Result<Box<dyn Seat + Send>, PlayerError> {
    Ok(match &player.search {
        Search::Engine(engine) => {
            let made = EngineSeat::new(engine.clone(), start);
            Box::new(made.map_err(|refusal| refused(player, refusal))?)
        }
        _ => Box::new(SearchSeat(registry.searcher(start, player)?)),
    })
}

/// Whether [`seat`] has a seat for a player: to say what a game cannot serve before anything is
/// played, without making one.
///
/// # Errors
///
/// As [`seat`].
pub fn check_seat(registry: &Registry, start: &Start, player: &Player) -> Result<(), PlayerError> {
    match &player.search {
        Search::Engine(engine) => {
            EngineSeat::check(engine, start).map_err(|refusal| refused(player, refusal))
        }
        _ => registry.can_play(start, player),
    }
}

fn refused(player: &Player, Refusal { problem, expected }: Refusal) -> PlayerError {
    PlayerError { text: player.to_string(), problem, expected }
}
