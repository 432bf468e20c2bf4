//! The book of laws, and the random games in which they are tested.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Failure, Law};
use treegraft::{Game, Notation, Rng, played};

/// All laws: names and statements. A law comes after those it builds on.
const LAWS: [(&str, &str); 64] = [
    ("moves", "While the game goes on there is a legal move, and each is listed once."),
    ("moves-append", "`moves` adds to the buffer, whatever is in it."),
    ("play", "Every legal move can be played, and the position after it can be queried."),
    ("play-repeats", "The same move in the same position always leads to the same position."),
    ("clones", "Playing on a clone leaves the original alone."),
    ("asking", "Every method of a position can be called, and no call changes the answers."),
    ("equal-answers", "Equal positions have the same mover, moves, outcome and margin."),
    ("equal-keys", "Equal positions have equal keys and equal hashes."),
    ("different-keys", "Different positions have different keys."),
    ("margin", "A margin is given at all ends of games or none, with the sign of the outcome."),
    (
        "counts",
        "Counts are given at all positions or none, and at the end they differ by the margin.",
    ),
    (
        "margin-bounds",
        "Bounds on the margin are given at all positions or none, and hold to the end of the game.",
    ),
    (
        "slots",
        "The slots of moves are below `move_slots`, which is the same all game long and at most \
         1,048,576.",
    ),
    (
        "categories",
        "The categories of moves are the same all game long and differ in name, and every legal move \
         is in one of them, or none is where there are none.",
    ),
    (
        "limits",
        "`playout_plies` and `max_plies` are at least 1 and `repetition_limit` at least 2, and \
         those of played games are the same all game long.",
    ),
    ("side-names", "The sides have different names, the same all game long."),
    ("ends", "Not every random game is cut off by `playout_plies`."),
    ("move-text", "The texts of the legal moves differ and have no blanks or commas."),
    ("parse-move", "The text of a legal move is read as that move."),
    ("parse-nonsense", "Any text is refused or read as a legal move."),
    ("replay", "The texts of a game's moves, played or read as a position, lead to its end."),
    ("position-text", "All positions have a text or none has, and it is read as that position."),
    ("position-nonsense", "Nonsense is refused as a position, and what is read can be played on."),
    ("diagram", "Diagrams are not empty, and those in ASCII are in ASCII."),
    (
        "picture",
        "All positions have a picture or none has: nothing is outside, cells differ in name and \
         place, and at most one piece is on a cell.",
    ),
    ("move-cells", "The cells of a move are cells of the picture."),
    (
        "evaluators",
        "The evaluations are the same all game long; their names differ and can be written in \
         `eval=NAME`; no slope is negative.",
    ),
    ("evaluation", "Evaluations are strictly between -1,000,000 and 1,000,000."),
    (
        "evaluation-view",
        "Evaluations are in the first player's view: high values go with the wins of the same \
         side, whichever side is to move.",
    ),
    (
        "parts",
        "The parts of an evaluation are the same all game long: their names differ and are not \
         empty, their numbers are finite.",
    ),
    (
        "parts-sum",
        "An evaluation never falls when the sum of its parts rises, and is equal where the sum is.",
    ),
    ("null-move", "After a null move the other side is to move, and has a legal move."),
    (
        "loud-moves",
        "Loud moves are added to the buffer, legal and listed once, and lines of them end.",
    ),
    (
        "exchange",
        "Exchanges are given for all loud moves of a position or for none, and for other moves only if \
         they lose by them.",
    ),
    (
        "candidate-moves",
        "Candidate moves are added to the buffer, legal and listed once, and there is at least \
         one where nothing is foregone.",
    ),
    (
        "playout-weight",
        "Weights for playouts are given for all moves of a game or none, from 1 to 1,000,000.",
    ),
    ("node-prior", "Node priors are given for all moves of a game or none, from 0 to 1."),
    (
        "transition-probability",
        "Transition probabilities are given for all moves of a game or none, from 0 to 1.",
    ),
    ("equal-hooks", "Equal positions agree in everything else that a search may query."),
    ("ending", "What the solver of endings says is what an exhaustive search finds."),
    ("foregone", "What is foregone is what an exhaustive search finds."),
    (
        "candidate-value",
        "In an exhaustive search the best candidate move is as good as the best legal move.",
    ),
    ("random-move", "A random move is legal."),
    ("random-uniform", "All legal moves are equally likely to be the random move."),
    ("weighted-move", "`weighted_move` plays a legal move of the highest urgency."),
    (
        "weighted-frequency",
        "Of the most urgent moves, each is as often the weighted move as its weight says.",
    ),
    (
        "greedy-move",
        "The greedy move of an evaluation is one of the legal moves, or of the most urgent ones, \
         with the best value for the mover.",
    ),
    ("greedy-uniform", "All moves with the best value are equally likely to be the greedy move."),
    ("seeded", "Random moves and playouts depend on the seed, not on the buffer."),
    (
        "playout-nothing",
        "A playout of no plies plays nothing and is cut off, unless the game is over.",
    ),
    ("playout-one", "A playout of one ply plays one legal move."),
    (
        "playout-report",
        "A playout leaves the position it reports, and is cut off only by its limit.",
    ),
    ("playout-outcomes", "Playouts end as often in each outcome as slow random games do."),
    ("playout-plies", "Playouts are not shorter, on average, than slow random games are."),
    ("win-loss", "`win_loss` returns what looking at all moves finds."),
    ("minimax-move", "`minimax_move` plays a win, else what does not lose, else any legal move."),
    ("minimax-uniform", "All moves that `minimax_move` may play are equally likely."),
    ("hinted-move", "`hinted_move` plays a legal move with the highest hint."),
    ("hinted-uniform", "All moves with the highest hint are equally likely to be the hinted move."),
    (
        "playout-trace",
        "A traced playout adds its moves to the trace, and they lead to where it ends.",
    ),
    (
        "playout-trace-outcomes",
        "Traced playouts end as often in each outcome as slow random games do.",
    ),
    (
        "guided-playout",
        "A playout by an evaluation leaves the position it reports, ends where its guide says, or \
         does nothing.",
    ),
    (
        "guided-frequency",
        "Playouts by an evaluation have the moves, ends and lengths of those made move by move.",
    ),
    ("playout-margins", "Playouts end with the same margin, on average, as slow random games do."),
];

/// The laws with what has been found so far.
pub(super) struct Book {
    pub(super) laws: Vec<Law>,
    /// Number of positions looked at.
    pub(super) positions: u64,
    /// Whether the game panicked, or positions change when they should not: further answers would
    /// be worthless.
    pub(super) stopped: bool,
}

impl Book {
    pub(super) fn new() -> Book {
        let law =
            |(name, statement)| Law { name, statement, checked: 0, undecided: 0, failure: None };
        Book { laws: LAWS.into_iter().map(law).collect(), positions: 0, stopped: false }
    }

    /// Tests a law: an error or a panic is its failure. A law that has failed is tested again only
    /// in shorter games, so that the shortest failure found is reported.
    ///
    /// The arguments are dynamic, so that this is compiled once, and not for every law.
    pub(super) fn test(
        &mut self,
        name: &str,
        at: &dyn Place,
        test: &mut dyn FnMut() -> Result<(), String>,
    ) {
        if self.run(name, at, test) {
            self.law(name).checked += 1;
        }
    }

    /// Calls the method that a law is about, before it is known whether there is something to test: a
    /// panic is a failure of the law, and no answer.
    pub(super) fn ask<T>(
        &mut self,
        name: &str,
        at: &dyn Place,
        mut ask: impl FnMut() -> T,
    ) -> Option<T> {
        let mut answer = None;
        let has_run = self.run(name, at, &mut || {
            answer = Some(ask());
            Ok(())
        });
        if has_run && self.stopped {
            self.law(name).checked += 1;
        }
        answer
    }

    /// Notes that a game claims something here that could not be decided.
    pub(super) fn leave_undecided(&mut self, name: &str) {
        self.law(name).undecided += 1;
    }

    /// Runs a test unless nothing new could come of it. Returns whether it has run.
    fn run(
        &mut self,
        name: &str,
        at: &dyn Place,
        test: &mut dyn FnMut() -> Result<(), String>,
    ) -> bool {
        let law = self.law(name);
        let known = law.failure.as_ref().map_or(usize::MAX, |failure| failure.moves.len());
        if self.stopped || known <= at.length() {
            return false;
        }
        let result = guarded(test);
        let changing = ["clones", "asking"].contains(&name) && result != Ok(Ok(()));
        self.stopped = result.is_err() || changing;
        if let Err(problem) = result.and_then(|held| held) {
            self.law(name).failure = Some(Failure { problem, moves: at.move_texts() });
        }
        true
    }

    fn law(&mut self, name: &str) -> &mut Law {
        self.laws.iter_mut().find(|law| law.name == name).expect("a name from LAWS")
    }

    pub(super) fn failed(&self, name: &str) -> bool {
        self.laws.iter().any(|law| law.name == name && law.failure.is_some())
    }
}

/// Runs code of the game; a panic in it is an error.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever a panic leaves half done is dropped, or only used to say where it happened.
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_text(&*panic))
}

fn panic_text(panic: &dyn Any) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("the game panicked: {text}")
}

/// A random game.
pub(super) struct Walk<G: Game> {
    /// The start and the position after every move: never empty.
    pub(super) positions: Vec<G>,
    pub(super) moves: Vec<G::Move>,
}

impl<G: Game> Walk<G> {
    pub(super) fn new(start: G) -> Walk<G> {
        Walk { positions: vec![start], moves: Vec::new() }
    }

    pub(super) fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The beginning of this game, to which other moves can be added.
    pub(super) fn until(&self, ply: usize) -> Walk<G> {
        Walk { positions: self.positions[..=ply].to_vec(), moves: self.moves[..ply].to_vec() }
    }

    pub(super) fn play(&mut self, mv: G::Move) {
        let next = played(self.end().position(), mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back.
    pub(super) fn undo(&mut self) {
        if self.moves.pop().is_some() {
            self.positions.pop();
        }
    }

    pub(super) fn at(&self, ply: usize) -> Spot<'_, G> {
        Spot { walk: self, ply, last: None }
    }

    pub(super) fn end(&self) -> Spot<'_, G> {
        self.at(self.moves.len())
    }

    /// Whether laws are tested after `ply` moves: in long games not everywhere.
    pub(super) fn is_looked_at(&self, ply: usize) -> bool {
        ply < 200 || ply.is_multiple_of(32)
    }

    /// The places where laws are tested.
    pub(super) fn spots(&self) -> impl DoubleEndedIterator<Item = Spot<'_, G>> {
        let plies = (0..=self.moves.len()).filter(|&ply| self.is_looked_at(ply));
        plies.map(|ply| self.at(ply))
    }

    /// Any place.
    pub(super) fn any_spot(&self, rng: &mut Rng) -> Spot<'_, G> {
        self.at(rng.below(self.moves.len() as u32 + 1) as usize)
    }
}

/// A place in a random game: after some of its moves and perhaps one that was not played there.
pub(super) struct Spot<'a, G: Game> {
    pub(super) walk: &'a Walk<G>,
    ply: usize,
    last: Option<G::Move>,
}

impl<'a, G: Game> Spot<'a, G> {
    /// The position before the move that was not played.
    pub(super) fn position(&self) -> &'a G {
        &self.walk.positions[self.ply]
    }

    pub(super) fn ply(&self) -> usize {
        self.ply
    }

    /// This place with one more move.
    pub(super) fn then(&self, mv: G::Move) -> Spot<'a, G> {
        Spot { walk: self.walk, ply: self.ply, last: Some(mv) }
    }

    /// A few of the moves, and others at other places: all of them would take too long in games
    /// with many.
    pub(super) fn some_of(&self, moves: &'a [G::Move]) -> impl Iterator<Item = G::Move> + 'a {
        const FEW: usize = 8;
        let step = moves.len().div_ceil(FEW).max(1);
        moves.iter().copied().skip(self.ply % step).step_by(step)
    }
}

/// A place, whatever the game.
pub(super) trait Place {
    /// The number of moves to it.
    fn length(&self) -> usize;

    /// These moves, in the game's notation.
    fn move_texts(&self) -> Vec<String>;
}

impl<G: Game> Place for Spot<'_, G> {
    fn length(&self) -> usize {
        self.ply + usize::from(self.last.is_some())
    }

    fn move_texts(&self) -> Vec<String> {
        let moves = self.walk.moves[..self.ply].iter().copied().chain(self.last);
        moves.zip(&self.walk.positions).map(|(mv, position)| text_of(position, mv)).collect()
    }
}

/// The text of a move, even if the game's own is broken.
pub(super) fn text_of<G: Game>(position: &G, mv: G::Move) -> String {
    match guarded(|| position.notation().move_text(mv)) {
        Ok(text) if !text.trim().is_empty() => text,
        _ => format!("{mv:?}"),
    }
}

/// The result of a test that is one condition.
pub(super) fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}
