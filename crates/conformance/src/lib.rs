//! Checks that a game keeps the contract.
//!
//! [`check`] plays random games from a position and tests every law of [`Game`] along the way: the
//! rules, the notation, that whatever a game replaces for speed (random, hinted, weighted and greedy
//! moves, playouts, also those by evaluations) does the same as the slow default, and that what it
//! claims is true. Claims of certainty ([`foregone`](treegraft::Exactness::foregone),
//! [`candidate_moves`](treegraft::Exactness::candidate_moves),
//! [`margin_bounds`](treegraft::Exactness::margin_bounds),
//! [`win_loss`](treegraft::Exactness::win_loss)) are compared with exhaustive searches near the ends of
//! the games, where these can be finished. The report says how many were, and which laws could not be
//! tested at all. The check cannot know whether the rules are those of the game you mean: compare
//! [`perft`](treegraft::perft()) with published counts for that.
//!
//! ```
//! use treegraft::{Game, Outcome, Side};
//! use treegraft_conformance::{Options, check};
//!
//! /// Two players take one, two or three of a heap in turn; whoever takes the last one wins.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Nim { heap: u8, mover: Side }
//!
//! impl Game for Nim {
//!     type Move = u8;
//!     fn to_move(&self) -> Side { self.mover }
//!     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=3) } // also with two left!
//!     fn play(&mut self, take: u8) {
//!         self.heap = self.heap.checked_sub(take).expect("enough are left");
//!         self.mover = self.mover.other();
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
//!     }
//! }
//!
//! let nim = Nim { heap: 12, mover: Side::First };
//! let report = check(&nim, &Options::default());
//! assert!(!report.passed());
//! println!("{report}"); // law "play" fails: the moves end with taking three of two
//! ```
//!
//! A panic in the game ends the check, and is reported as a failure of the law that was being
//! tested; its message still goes to standard error.

mod book;
mod draws;
mod evaluation;
mod exact;
mod foresight;
mod guided;
mod hooks;
mod notation;
mod random;
mod rules;
mod statistics;
mod subject;
mod weights;

use std::fmt;

use book::{Book, Walk, guarded};
use subject::{Common, Position};
use treegraft::bits::mix;
use treegraft::{Evaluator, Game, Rng};

/// What an undecided law means, in words.
const UNDECIDED: &str = "the game claims something, but an exhaustive search could decide none of \
                         its claims: check a smaller board";

/// How thoroughly to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of random games whose positions are checked.
    pub walks: u32,
    /// The seed of all random numbers: the same seed checks the same things.
    pub seed: u64,
    /// Number of random moves drawn at each of a few positions, and of playouts compared at the
    /// start; at later positions, an eighth as many are compared.
    pub samples: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { walks: 200, seed: 1, samples: 20_000 }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Number of random games played.
    pub walks: u32,
    /// How many of them were cut off after [`Limits::playout_plies`](treegraft::Limits).
    pub cut_off: u32,
    /// Number of positions checked.
    pub positions: u64,
    /// All laws, in the order in which they should be repaired.
    pub laws: Vec<Law>,
}

impl Report {
    /// Whether every law held wherever it was tested.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.laws.iter().all(|law| law.failure.is_none())
    }
}

/// One law of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// A short name, such as `play-repeats`.
    pub name: &'static str,
    /// The law in a sentence.
    pub statement: &'static str,
    /// How many times it was tested: 0 if there was no occasion, or if a law on which it builds had
    /// failed before.
    pub checked: u64,
    /// How many times the game claimed something for certain that an exhaustive search could not
    /// decide, because there was too much to look at. Such a claim is not `checked`.
    pub undecided: u64,
    /// The shortest game found in which it fails, if one was.
    pub failure: Option<Failure>,
}

impl Law {
    /// What is known of it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Law { failure: Some(_), .. } => Verdict::Failed,
            Law { checked: 1.., .. } => Verdict::Held,
            Law { undecided: 1.., .. } => Verdict::Undecided,
            _ => Verdict::Untested,
        }
    }
}

/// What a check found of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It held wherever it was tested.
    Held,
    /// It fails.
    Failed,
    /// The game claims what the law is about, but nowhere could the claim be decided.
    Undecided,
    /// There was nothing to test.
    Untested,
}

/// How a law fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub problem: String,
    /// The moves from the start that show it, in the game's notation.
    pub moves: Vec<String>,
}

/// Checks the game that begins at `start`.
#[must_use]
pub fn check<G: Game>(start: &G, options: &Options) -> Report {
    check_with_evaluators(start, &[], options, &mut |_| ())
}

/// Like [`check`], with evaluations beside those that the game lists itself; calls `progress` now and
/// then with the fraction that is done.
pub fn check_with_evaluators<G: Game>(
    start: &G,
    evaluators: &[Evaluator<G>],
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Report {
    let game = Common::new(start.clone(), evaluators.to_vec());
    check_position(&game.first(), options, progress)
}

/// The check itself: compiled once for all games.
fn check_position(
    start: &Position<'_>,
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Report {
    /// Walks kept for the comparisons of random play.
    const KEPT: usize = 8;
    let mut book = Book::new();
    let mut seen = rules::Seen::new();
    let mut rng = Rng::new(options.seed);
    let mut kept = Vec::new();
    let mut cut_off = 0;
    let mut search = exact::Exhaustive::new();
    let mut views = evaluation::Views::new();
    let mut curves = evaluation::Curves::new();
    // The walks are as long as the limits say.
    hooks::constants(&mut book, &Walk::new(start.clone()).end());
    for number in 0..options.walks {
        if book.stopped {
            break;
        }
        progress(0.5 * f64::from(number) / f64::from(options.walks));
        let mut walk = Walk::new(start.clone());
        let fate = guarded(|| {
            cut_off += u32::from(grow(&mut book, &mut seen, &mut rng, &mut walk));
            if rules::sound(&book) {
                rules::check_bounds(&mut book, &walk);
                notation::check(&mut book, &mut rng, &walk);
                random::check(&mut book, &mut rng, &walk);
                let rng = &mut Rng::new(mix(options.seed ^ u64::from(number)));
                foresight::check(&mut book, rng, &walk);
                evaluation::check(&mut book, rng, &walk, &mut views, &mut curves);
                weights::check(&mut book, rng, &walk);
                guided::check(&mut book, &walk, mix(options.seed ^ !u64::from(number)));
                hooks::check(&mut book, rng, &walk);
                exact::check(&mut book, &mut search, &walk);
            }
        });
        if let Err(panic) = fate {
            book.test("play", &walk.end(), &mut || Err(panic.clone()));
            book.stopped = true;
        }
        if kept.len() < KEPT {
            kept.push(walk);
        }
    }
    ends(&mut book, options, cut_off, &kept);
    evaluation::compare(&mut book, &kept, &views);
    if !book.stopped && rules::sound(&book) {
        random::compare(&mut book, options, &kept, &mut |part| progress(0.5 + 0.5 * part));
    }
    progress(1.0);
    Report { walks: options.walks, cut_off, positions: book.positions, laws: book.laws }
}

/// Plays random moves until the game is over, and tests the rules at every step. Returns whether
/// the game was cut off.
fn grow<G: Game>(
    book: &mut Book,
    seen: &mut rules::Seen<G>,
    rng: &mut Rng,
    walk: &mut Walk<G>,
) -> bool {
    /// A limit without end must not make a walk without end.
    const LONGEST: usize = 100_000;
    let limit = (walk.start().limits().playout_plies as usize).min(LONGEST);
    loop {
        let end = walk.end();
        if walk.is_looked_at(end.ply()) {
            book.positions += 1;
            rules::check(book, seen, &end);
        }
        if book.stopped || end.position().outcome().is_some() {
            return false;
        }
        if end.ply() >= limit {
            return true;
        }
        let mut moves = Vec::new();
        end.position().moves(&mut moves);
        // Without a move the walk ends here; the law "moves" has seen it.
        let Some(&mv) = rng.draw_from(&moves) else { return false };
        walk.play(mv);
    }
}

/// Some games may be endless, but if all of many are, playouts say nothing.
fn ends<G: Game>(book: &mut Book, options: &Options, cut_off: u32, walks: &[Walk<G>]) {
    const MANY: u32 = 20;
    let Some(walk) = walks.first() else { return };
    // A limit of 0 is the business of another law.
    if options.walks >= MANY && !book.failed("limits") {
        book.test("ends", &walk.end(), &mut || {
            let plies = walk.end().ply();
            if cut_off < options.walks {
                Ok(())
            } else {
                Err(format!("all {cut_off} random games were cut off after {plies} plies"))
            }
        });
    }
}

impl fmt::Display for Report {
    /// One line per law, then the failures in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} walks, {} positions", self.walks, self.positions)?;
        if self.cut_off > 0 {
            write!(f, ", {} walks cut off", self.cut_off)?;
        }
        let width = self.laws.iter().map(|law| law.name.len()).max().unwrap_or(0);
        for law in &self.laws {
            let verdict = match law.verdict() {
                Verdict::Held => "ok",
                Verdict::Failed => "FAIL",
                Verdict::Undecided => "?",
                Verdict::Untested => "-",
            };
            let Law { name, statement, checked, .. } = law;
            write!(f, "\n{verdict:4} {name:width$} {checked:>8}  {statement}")?;
        }
        for law in &self.laws {
            if let Some(failure) = &law.failure {
                write!(f, "\n\n{}: {failure}", law.name)?;
            }
            if law.verdict() == Verdict::Undecided {
                write!(f, "\n\n{}: {UNDECIDED}", law.name)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        write!(f, "{}\n  ", self.problem)?;
        match self.moves.len() {
            0 => write!(f, "at the start"),
            n if n <= SHOWN => write!(f, "after {}", self.moves.join(" ")),
            n => write!(f, "after {} … ({n} moves in all)", self.moves[..SHOWN].join(" ")),
        }
    }
}
