//! A player looks at every position of a game: mistakes, traps, and the move that decided it.
//!
//! Every position is searched afresh. A move loses as much as the value of the best move lies above
//! that of the move that was played, in points of expected score, where a draw is half a point. The
//! thresholds ([`INACCURACY`], [`MISTAKE`], [`BLUNDER`]) are our choice.
//!
//! What is called proven is: by a search's own proof, by an exact search with a small budget that
//! begins at the end of the game and goes backwards, by a trap that is played out, or because it
//! follows from one of these. Proofs are about positions: like all searches here they leave aside
//! draws by repetition and by the length of a game. Everything else is the player's judgement.
//!
//! ```
//! use treegraft_studies::annotate::{Annotate, AnnotateWatch, Decision, annotate};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let start = registry.start("connect4:5x4")?;
//! let mut game = start.playthrough();
//! game.play_text("3 3 2 2 4 1 5")?; // three in a row, open at both ends
//! let with = Annotate::new(registry.player("mcts-solver@500it")?);
//! let annotation = annotate(&registry, &start, &game, &with, AnnotateWatch::default())?;
//! assert_eq!(annotation.moves.len(), 7);
//! assert_eq!(annotation.decision, Decision::Move { ply: 3, is_proven: true });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod judge;
mod known;
mod show;

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use treegraft::depth_first::Scores;
use treegraft::{
    Budget, Game, Outcome, Playthrough, Reason, Report, Request, Side, Stop, derive_seed,
    legal_moves,
};
use treegraft_engine::{Proof, ValueKind};
use treegraft_players::{
    Board, DEFAULT_BUDGET, MoveIndex, Player, PlayerError, Registry, Search, Start, TrapMove,
    TrapSearch,
};

use crate::solve::solver;
use crate::watch::is_set;
use known::{Known, Turn};

/// A move that loses at least this much expected score is inaccurate: `?!`.
pub const INACCURACY: f64 = 0.05;

/// A move that loses at least this much is a mistake: `?`.
pub const MISTAKE: f64 = 0.10;

/// A move that loses at least this much is a blunder: `??`.
pub const BLUNDER: f64 = 0.20;

/// Expected score below which a side counts as lost, where nothing is proven.
pub const LOST_BELOW: f64 = 0.2;

/// Nodes of the exact search of one position.
pub const SOLVE_NODES: u64 = 500_000;

/// The level of traps that are looked for.
pub const TRAP_LEVEL: u32 = 5;

/// Positions without a proof after which the exact search goes no further back.
const GIVE_UP_AFTER: u32 = 3;

/// Number of best moves whose exact value is requested.
const LINES: u32 = 3;

/// How a game is annotated.
#[derive(Clone, Debug)]
pub struct Annotate {
    /// The player that searches the positions; without a budget it has a second for each.
    pub player: Player,
    /// Where all random choices come from.
    pub seed: u64,
    /// The highest level of traps that are looked for; 0: only moves that lose at once.
    pub trap_level: u32,
    /// Nodes of the exact search of one position; 0: there is none.
    pub solve_nodes: u64,
    /// How many moves belong to the opening: they count for neither side.
    pub opening_plies: usize,
}

impl Annotate {
    /// With this player, and everything else as usual.
    #[must_use]
    pub fn new(player: Player) -> Annotate {
        let (trap_level, solve_nodes) = (TRAP_LEVEL, SOLVE_NODES);
        Annotate { player, seed: 0, trap_level, solve_nodes, opening_plies: 0 }
    }
}

/// How to look on, and how to end early.
#[derive(Default)]
pub struct AnnotateWatch<'a> {
    /// Called after every step with the number of steps so far and in all.
    pub progress: Option<&'a mut dyn FnMut(usize, usize)>,
    /// Set from another thread to end soon, with what is known by then.
    pub cancel: Option<&'a AtomicBool>,
}

/// Why a game cannot be annotated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotateError {
    /// The game cannot serve the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player has nothing to say.
    #[error("player {player:?} gives positions no value; expected one that searches")]
    NoValues {
        /// The player.
        player: String,
    },
    /// There is nothing to look at.
    #[error("the game has no moves to look at")]
    NoMoves,
}

/// An annotated game.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Who annotated it, with its budget.
    pub player: String,
    /// What its values are made of.
    pub kind: ValueKind,
    /// The names of the sides.
    pub side_names: [&'static str; 2],
    /// Every move, or the first ones if it was cancelled.
    pub moves: Vec<AnnotatedMove>,
    /// The value of the last position in the first player's view, if it is known.
    pub last_value: Option<f64>,
    /// What decided the game.
    pub decision: Decision,
    /// What the sides did, without the opening.
    pub sides: [SideSummary; 2],
    /// Whether everything was looked at.
    pub is_complete: bool,
}

/// One move of an annotated game. Values are in the view of the side that played it, from -1 (lost)
/// to 1 (won).
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotatedMove {
    /// The number of moves before it.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// The move.
    pub text: String,
    /// Whether it belongs to the opening.
    pub is_opening: bool,
    /// The value of the best move.
    pub before: f64,
    /// The value of this move.
    pub after: f64,
    /// Where that comes from.
    pub source: Source,
    /// The outcome of the position before it, if it is proven.
    pub proof_before: Option<Proof>,
    /// The outcome of the position after it, if it is proven.
    pub proof_after: Option<Proof>,
    /// What the move loses in points of expected score, from 0 to 1.
    pub loss: f64,
    /// What it is called for that.
    pub mark: Option<Mark>,
    /// The best move.
    pub best_move: String,
    /// Best play as far as the player knows it, the best move first.
    pub line: Vec<String>,
    /// The trap that it is, unless the position was proven lost anyway.
    pub trap: Option<FallenTrap>,
}

impl AnnotatedMove {
    /// Whether the loss rests on proofs alone.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.proof_before.is_some() && self.proof_after.is_some()
    }
}

/// Where the value of a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// It is the best move, or the only one.
    Best,
    /// The position after it is proven.
    Proof,
    /// The search of the position before it has enough simulations of it, or its exact value.
    Own,
    /// The search of the position before it knows that it is hardly worse.
    Bound,
    /// The search of the position after it.
    Search,
    /// The game was drawn with it, by repetition or by its length.
    End,
}

/// What a move that loses points is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It loses at least [`INACCURACY`].
    Inaccuracy,
    /// It loses at least [`MISTAKE`].
    Mistake,
    /// It loses at least [`BLUNDER`].
    Blunder,
}

impl Mark {
    /// What a loss is called.
    #[must_use]
    pub fn of(loss: f64) -> Option<Mark> {
        match loss {
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= INACCURACY => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// `?!`, `?` or `??`.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// A trap that a move is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FallenTrap {
    /// Plies until the game is lost, the reply to the move being the first.
    pub level: u32,
    /// How the opponent wins, the reply first.
    pub refutation: Vec<String>,
}

/// What decided a game: the last move before which its loser was not lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This move of the loser.
    Move {
        /// The number of moves before it.
        ply: usize,
        /// Whether it is proven that the loser was not lost before it, and was ever after.
        /// Otherwise it is the player's judgement.
        is_proven: bool,
    },
    /// The loser was lost from the first position on.
    FromTheStart {
        /// Whether that is proven, or the player's judgement.
        is_proven: bool,
    },
    /// Neither side lost by the rules of the game.
    NoLoser,
    /// Not enough positions were looked at.
    Unknown,
}

/// What a side did in its own moves, without the opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SideSummary {
    /// Its moves.
    pub moves: usize,
    /// Its moves that lose at least [`INACCURACY`], but less than [`MISTAKE`].
    pub inaccuracies: usize,
    /// Its moves that lose at least [`MISTAKE`], but less than [`BLUNDER`].
    pub mistakes: usize,
    /// Its moves that lose at least [`BLUNDER`].
    pub blunders: usize,
    /// The traps that it fell into.
    pub traps: usize,
    /// What its moves lost on average, in points of expected score; `None` without moves.
    pub mean_loss: Option<f64>,
}

/// Lets a player look at every position of a game.
///
/// # Errors
///
/// If the game has no moves, cannot serve the player, or the player gives positions no value.
pub fn annotate(
    registry: &Registry,
    start: &Start,
    game: &Playthrough<Board>,
    with: &Annotate,
    watch: AnnotateWatch<'_>,
) -> Result<Annotation, AnnotateError> {
    let player = with.player.clone().with_budget_or(DEFAULT_BUDGET);
    if matches!(player.search, Search::Random | Search::Greedy(_)) {
        return Err(AnnotateError::NoValues { player: player.to_string() });
    }
    if game.moves().is_empty() {
        return Err(AnnotateError::NoMoves);
    }
    let mut analyst = registry.searcher(start, &player)?;
    let mut work = Annotator::new(game, with, watch);
    work.solve(registry, start)?;
    for at in 0..work.positions.len() {
        if work.is_over(at) || work.is_cancelled() {
            work.step();
            continue;
        }
        analyst.new_game();
        let request = Request {
            lines: LINES,
            cancel: work.watch.cancel,
            ..Request::new(player.budget, derive_seed(with.seed, at as u64))
        };
        let report = analyst.search(&work.positions[at], request);
        if report.stop != Stop::Cancelled {
            work.learn(at, report);
            work.look_for_trap(at);
        }
        work.step();
    }
    work.known.spread();
    Ok(work.finish(&player))
}

/// A game that is being annotated.
struct Annotator<'a, 'w> {
    with: &'a Annotate,
    watch: AnnotateWatch<'w>,
    /// The start, and the position after every move.
    positions: Vec<Board>,
    moves: Vec<MoveIndex>,
    /// What is proven about the positions.
    known: Known,
    /// What the player said about the positions.
    reports: Vec<Option<Report<MoveIndex>>>,
    /// The traps that the moves are.
    traps: Vec<Option<FallenTrap>>,
    /// Who lost by the rules of the game.
    loser: Option<Side>,
    /// Whether the game was drawn by repetition or by its length, which no position shows.
    is_cut_off: bool,
    steps: usize,
}

impl<'a, 'w> Annotator<'a, 'w> {
    fn new(
        game: &Playthrough<Board>,
        with: &'a Annotate,
        watch: AnnotateWatch<'w>,
    ) -> Annotator<'a, 'w> {
        let moves = game.moves().to_vec();
        let mut positions = vec![game.start().clone()];
        for &mv in &moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play(mv);
            positions.push(next);
        }
        let turn = |position: &Board| Turn {
            mover: position.to_move(),
            is_forced: legal_moves(position).len() == 1,
        };
        let mut known = Known::nothing(positions[..moves.len()].iter().map(turn).collect());
        let by_rules = game.ending().filter(|ending| ending.reason == Reason::Rules);
        if let Some(ending) = by_rules {
            known.set(moves.len(), ending.outcome);
        }
        let loser = by_rules.and_then(|ending| ending.outcome.winner()).map(Side::other);
        let is_cut_off = by_rules.is_none() && game.ending().is_some();
        let (reports, traps) = (vec![None; positions.len()], vec![None; moves.len()]);
        let steps = 0;
        Annotator { with, watch, positions, moves, known, reports, traps, loser, is_cut_off, steps }
    }

    fn is_cancelled(&self) -> bool {
        is_set(self.watch.cancel)
    }

    /// Whether the game is over in a position.
    fn is_over(&self, at: usize) -> bool {
        let is_last = at + 1 == self.positions.len();
        self.positions[at].outcome().is_some() || is_last && self.is_cut_off
    }

    /// A position has been looked at; each is solved, or not, and searched.
    fn step(&mut self) {
        self.steps += 1;
        if let Some(progress) = &mut self.watch.progress {
            progress(self.steps, 2 * self.positions.len());
        }
    }

    /// Solves positions from the end of the game backwards, as long as that is easy.
    fn solve(&mut self, registry: &Registry, start: &Start) -> Result<(), PlayerError> {
        if self.with.solve_nodes > 0 {
            let budget = Budget::nodes(self.with.solve_nodes);
            let solver = Player { budget, ..solver(start.board(), Scores::Outcome) };
            let mut analyst = registry.searcher(start, &solver)?;
            let mut failures = 0;
            for at in (0..self.positions.len()).rev() {
                self.known.spread();
                if failures >= GIVE_UP_AFTER || self.is_cancelled() {
                    break;
                }
                // Where there is only one move, the position after it says everything.
                if !self.known.is_exact(at) && !self.known.is_forced(at) {
                    let cancel = self.watch.cancel;
                    let request = Request { cancel, ..Request::new(budget, 0) };
                    match analyst.search(&self.positions[at], request).proof {
                        Some(outcome) => {
                            self.known.set(at, outcome);
                            failures = 0;
                        }
                        None => failures += 1,
                    }
                }
                self.step();
            }
        }
        self.known.spread();
        // Positions that were skipped count as done.
        while self.steps < self.positions.len() {
            self.step();
        }
        Ok(())
    }

    /// Keeps a report, and what it proves.
    fn learn(&mut self, at: usize, report: Report<MoveIndex>) {
        let mover = self.positions[at].to_move();
        if let Some(outcome) = report.proof {
            self.known.set(at, outcome);
        }
        for about in &report.moves {
            let Some(outcome) = about.proof else { continue };
            self.known.at_least(at, mover, outcome);
            if self.moves.get(at) == Some(&about.mv) {
                self.known.set(at + 1, outcome);
            }
        }
        self.reports[at] = Some(report);
    }

    /// Looks whether the move that was played loses within a few plies.
    fn look_for_trap(&mut self, at: usize) {
        let Some(&mv) = self.moves.get(at) else { return };
        self.known.spread();
        let victim = self.positions[at].to_move();
        if self.known.is_lost(at, victim) == Some(true)
            || self.known.is_lost(at + 1, victim) == Some(false)
        {
            return;
        }
        let after = &self.positions[at + 1];
        let level = match after.outcome() {
            Some(outcome) => (outcome == Outcome::Win(victim.other())).then_some(0),
            None => (1..=self.with.trap_level)
                .find(|&plies| !self.is_cancelled() && after.forced(victim, plies) == -1),
        };
        let Some(level) = level else { return };
        let mut search = TrapSearch::new(self.watch.cancel);
        let refutation = search.refutation(&self.positions[at], TrapMove { mv, level });
        if self.is_cancelled() {
            return;
        }
        let refutation = after.line_texts(&refutation);
        self.known.set(at + 1, Outcome::Win(victim.other()));
        self.traps[at] = Some(FallenTrap { level, refutation });
    }
}
