//! The laws of what a game claims to know for certain, compared with exhaustive searches.
//!
//! Claims about the start of a game can rarely be decided. Walks are followed from their ends, and a
//! claim counts as tested only where a search has decided it.

use std::collections::HashMap;

use super::book::{Book, Spot, Walk, ensure, text_of};
use treegraft::{Bounds, Exactness, Game, Outcome, Side, legal_moves, played};

/// Positions that the searches of one walk may visit, and those of one position at first: less
/// where searches of later positions of the walk were in vain.
const VISITS_OF_WALK: u32 = 4_000;
const MAX_VISITS: u32 = 1_000;
const LEAST_VISITS: u32 = 64;

/// The deepest search: endless games have no end to go to.
const DEEPEST: u32 = 64;

/// An exhaustive search that gives up early, and remembers what it has found.
pub(super) struct Exhaustive<G> {
    known: HashMap<G, Outcome>,
    left: u32,
    quota: u32,
}

impl<G: Game> Exhaustive<G> {
    pub(super) fn new() -> Exhaustive<G> {
        Exhaustive { known: HashMap::new(), left: 0, quota: 0 }
    }

    fn begin_walk(&mut self) {
        (self.left, self.quota) = (VISITS_OF_WALK, MAX_VISITS);
    }

    /// What can be found of the outcome under best play: everything, or at least something.
    fn outcome(&mut self, position: &G) -> Bounds {
        let most = self.quota.min(self.left).max(LEAST_VISITS);
        let mut visits = most;
        let mut known = Bounds::OUTCOME;
        for depth in 1..=DEEPEST {
            known = known.and(self.look(position, depth, &mut visits));
            if known.is_exact() || visits == 0 {
                break;
            }
        }
        self.left = self.left.saturating_sub(most - visits);
        if !known.is_exact() {
            self.quota = (self.quota / 2).max(LEAST_VISITS);
        }
        known
    }

    fn look(&mut self, position: &G, depth: u32, visits: &mut u32) -> Bounds {
        /// More would take too much memory.
        const MANY: usize = 50_000;
        let given = position.outcome().or_else(|| self.known.get(position).copied());
        if let Some(outcome) = given {
            return Bounds::exactly(outcome.value());
        }
        if depth == 0 {
            return Bounds::OUTCOME;
        }
        let mover = position.to_move();
        let won = Bounds::exactly(mover.sign());
        let mut best = Bounds::exactly(-mover.sign());
        for mv in legal_moves(position) {
            if *visits == 0 {
                best = best.or(Bounds::OUTCOME, mover);
                break;
            }
            *visits -= 1;
            best = best.or(self.look(&played(position, mv), depth - 1, visits), mover);
            if best == won {
                break;
            }
        }
        if let Some(outcome) = best.outcome()
            && self.known.len() < MANY
        {
            self.known.insert(position.clone(), outcome);
        }
        best
    }
}

/// Tests along a walk, from its end.
pub(super) fn check<G: Game>(book: &mut Book, search: &mut Exhaustive<G>, walk: &Walk<G>) {
    search.begin_walk();
    for at in walk.spots().rev() {
        if at.position().outcome().is_none() {
            endings(book, search, &at);
            claims(book, search, &at);
        }
    }
    all_margins(book, walk);
}

/// What the game's own solver of endings says.
fn endings<G: Game>(book: &mut Book, search: &mut Exhaustive<G>, at: &Spot<G>) {
    let position = at.position();
    for (least, what) in [(0, "not lost"), (1, "won")] {
        let ask = || position.exactness().ending(DEEPEST, least, &mut { u64::MAX });
        let Some(given) = book.ask("ending", at, ask) else { return };
        let Some(given) = given else { continue };
        let found = search.outcome(position);
        let (lo, hi) = match position.to_move() {
            Side::First => (found.lo, found.hi),
            Side::Second => (-found.hi, -found.lo),
        };
        if lo >= least || hi < least {
            let is_so = lo >= least;
            book.test("ending", at, &mut || {
                ensure(given == is_so, || {
                    format!(
                        "whether it is {what}: the game says {given}, but looking at all moves \
                         finds {is_so}"
                    )
                })
            });
        } else {
            book.leave_undecided("ending");
        }
    }
}

fn claims<G: Game>(book: &mut Book, search: &mut Exhaustive<G>, at: &Spot<G>) {
    let position = at.position();
    let Some(given) = book.ask("foregone", at, || position.exactness().foregone()) else { return };
    if let Some(given) = given {
        let found = search.outcome(position);
        match found.outcome() {
            Some(found) => book.test("foregone", at, &mut || {
                ensure(given == found, || {
                    format!("the game says {given:?}, but looking at all moves finds {found:?}")
                })
            }),
            // Part of the truth can be enough to see a mistake.
            None if !(found.lo..=found.hi).contains(&given.value()) => {
                book.test("foregone", at, &mut || {
                    Err(format!("the game says {given:?}, but looking ahead finds something else"))
                });
            }
            None => book.leave_undecided("foregone"),
        }
        return;
    }
    let (moves, mut candidates) = (legal_moves(position), Vec::new());
    let ask = || position.exactness().candidate_moves(&mut candidates);
    let is_given = book.ask("candidate-moves", at, ask).is_some();
    if is_given && !book.failed("candidate-moves") && candidates.len() < moves.len() {
        candidate_value(book, search, at, &moves, &candidates);
    }
}

fn candidate_value<G: Game>(
    book: &mut Book,
    search: &mut Exhaustive<G>,
    at: &Spot<G>,
    moves: &[G::Move],
    candidates: &[G::Move],
) {
    let position = at.position();
    let mover = position.to_move();
    if search.left == 0 {
        return book.leave_undecided("candidate-value");
    }
    let mut value = |mv| search.outcome(&played(position, mv));
    let lost = Bounds::exactly(-mover.sign());
    let best = candidates.iter().fold(lost, |best, &mv| best.or(value(mv), mover));
    let mut is_decided = true;
    for &mv in moves.iter().filter(|mv| !candidates.contains(mv)) {
        let other = value(mv);
        is_decided &= other.is_useless_to(mover, best);
        let is_better = match mover {
            Side::First => other.lo > best.hi,
            Side::Second => other.hi < best.lo,
        };
        if is_better {
            return book.test("candidate-value", at, &mut || {
                let name = text_of(position, mv);
                Err(format!("{name} is not a candidate, but better than every one of them"))
            });
        }
    }
    if is_decided {
        book.test("candidate-value", at, &mut || Ok(()));
    } else {
        book.leave_undecided("candidate-value");
    }
}

/// Bounds on the margin hold at every end of the game that can be reached, not only at that of the
/// walk: tested where there are few.
fn all_margins<G: Game>(book: &mut Book, walk: &Walk<G>) {
    /// Positions to visit, and how far from the end of the walk.
    const VISITS: u32 = 200;
    const PLIES: usize = 6;
    let end = walk.end().ply();
    for ply in (end.saturating_sub(PLIES)..end).rev() {
        let at = walk.at(ply);
        let given = book.ask("margin-bounds", &at, || at.position().exactness().margin_bounds());
        let Some((lo, hi)) = given.flatten() else { return };
        let (mut line, mut visits) = (at.walk.until(ply), VISITS);
        if let Some(margin) = margin_outside(&mut line, Bounds { lo, hi }, &mut visits) {
            book.test("margin-bounds", &line.end(), &mut || {
                Err(format!("{margin} at the end, but {lo} to {hi} after {ply} moves"))
            });
        }
        if visits == 0 {
            return;
        }
        book.test("margin-bounds", &at, &mut || Ok(()));
    }
}

/// A margin outside of the bounds after some more moves, which are then part of the walk.
fn margin_outside<G: Game>(walk: &mut Walk<G>, bounds: Bounds, visits: &mut u32) -> Option<i64> {
    let position = walk.end().position();
    if position.outcome().is_some() {
        return position
            .exactness()
            .margin()
            .filter(|margin| !(bounds.lo..=bounds.hi).contains(margin));
    }
    for mv in legal_moves(position) {
        *visits = visits.checked_sub(1)?;
        walk.play(mv);
        let found = margin_outside(walk, bounds, visits);
        if found.is_some() {
            return found;
        }
        walk.undo();
    }
    None
}
