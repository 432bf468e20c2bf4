//! The laws of the rules: moves, play, outcomes, equality and keys.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::Hasher;

use super::book::{Book, Spot, Walk, ensure, text_of};
use treegraft::{
    Exactness, Game, Knowledge, MAX_SLOTS, Notation, Outcome, Side, Speed, legal_moves, played,
};

/// Whether the laws hold without which testing the others makes no sense.
pub(super) fn sound(book: &Book) -> bool {
    const FOUNDATIONS: [&str; 6] =
        ["moves", "moves-append", "play", "play-repeats", "clones", "asking"];
    FOUNDATIONS.iter().all(|law| !book.failed(law))
}

/// What is remembered from one position to the next.
pub(super) struct Seen<G> {
    by_key: HashMap<u64, G>,
    /// Whether the first end of a game came with a margin.
    keeps_count: Option<bool>,
    /// Whether the first position had counts.
    shows_counts: Option<bool>,
}

impl<G> Seen<G> {
    pub(super) fn new() -> Seen<G> {
        Seen { by_key: HashMap::new(), keeps_count: None, shows_counts: None }
    }
}

/// Everything a position says about how the game goes on.
#[derive(Debug, PartialEq)]
struct Answers<M> {
    outcome: Option<Outcome>,
    margin: Option<i64>,
    /// Of unfinished games only: afterwards any answer will do.
    to_move: Option<Side>,
    moves: Vec<M>,
}

impl<M> Answers<M> {
    fn of<G: Game<Move = M>>(position: &G) -> Answers<M> {
        let outcome = position.outcome();
        Answers {
            outcome,
            margin: position.exactness().margin(),
            to_move: outcome.is_none().then(|| position.to_move()),
            moves: legal_moves(position),
        }
    }
}

pub(super) fn check<G: Game>(book: &mut Book, seen: &mut Seen<G>, at: &Spot<G>) {
    let position = at.position();
    let answers = Answers::of(position);
    if answers.outcome.is_none() {
        book.test("moves", at, &mut || each_once(position, &answers.moves));
        book.test("moves-append", at, &mut || appends(position, &answers.moves));
    }
    for mv in at.some_of(&answers.moves) {
        let then = at.then(mv);
        book.test("play", &then, &mut || {
            Answers::of(&played(position, mv));
            Ok(())
        });
        book.test("play-repeats", &then, &mut || {
            let (once, again) = (played(position, mv), played(position, mv));
            ensure(once == again, || format!("first it leads to {once:?}, then to {again:?}"))
        });
        book.test("clones", &then, &mut || {
            let before = Answers::of(position);
            drop(played(position, mv));
            unchanged(position, &before, "playing the last move on a clone")
        });
        book.test("slots", &then, &mut || slot(at.walk.start(), position, mv));
    }
    book.test("asking", at, &mut || {
        ask_more(position, &answers.moves);
        unchanged(position, &answers, "asking")
    });
    book.test("margin", at, &mut || margin(&answers, &mut seen.keeps_count));
    book.test("counts", at, &mut || {
        let counts = position.notation().counts();
        let expected = *seen.shows_counts.get_or_insert(counts.is_some());
        match (counts, answers.margin) {
            (None, _) if expected => Err("none here, but some elsewhere".to_owned()),
            (Some(_), _) if !expected => Err("some here, but none elsewhere".to_owned()),
            (Some([first, second]), Some(margin)) => {
                ensure(first.checked_sub(second) == Some(margin), || {
                    format!("{first} and {second}, but the margin is {margin}")
                })
            }
            _ => Ok(()),
        }
    });
    if book.stopped {
        return;
    }
    different_key(book, seen, at);
    if let Some(other) = reordered(at) {
        equals(book, at, &other, "with the last three moves in reverse order");
    }
}

fn each_once<G: Game>(position: &G, moves: &[G::Move]) -> Result<(), String> {
    ensure(!moves.is_empty(), || "the game goes on, but no move is legal".to_owned())?;
    let mut once = HashSet::new();
    match moves.iter().find(|&&mv| !once.insert(mv)) {
        Some(&mv) => Err(format!("{} is listed more than once", text_of(position, mv))),
        None => Ok(()),
    }
}

fn appends<G: Game>(position: &G, moves: &[G::Move]) -> Result<(), String> {
    let mut buffer = Vec::new();
    for before in ["an empty buffer", "a buffer with moves in it"] {
        let expected = [&buffer[..], moves].concat();
        position.moves(&mut buffer);
        ensure(buffer == expected, || {
            format!("with {before}, the buffer then holds {buffer:?} and not {expected:?}")
        })?;
    }
    Ok(())
}

fn unchanged<G: Game>(position: &G, before: &Answers<G::Move>, by: &str) -> Result<(), String> {
    let after = Answers::of(position);
    ensure(after == *before, || format!("{by} changed {before:?} to {after:?}"))
}

fn ask_more<G: Game>(position: &G, moves: &[G::Move]) {
    position.speed().key();
    for &mv in moves {
        position.knowledge().order_hint(mv);
        position.speed().move_slot(mv);
    }
    position.limits();
    position.limits();
    for side in [Side::First, Side::Second] {
        position.notation().side_name(side);
    }
}

fn slot<G: Game>(start: &G, position: &G, mv: G::Move) -> Result<(), String> {
    let (slots, at_start) = (position.speed().move_slots(), start.speed().move_slots());
    ensure(slots == at_start, || format!("there are {slots} slots, but {at_start} at the start"))?;
    ensure(slots <= MAX_SLOTS, || format!("{slots} slots are more than {MAX_SLOTS}"))?;
    let slot = position.speed().move_slot(mv);
    ensure(slot < slots, || format!("the last move has slot {slot}, and there are {slots}"))
}

fn margin<M>(answers: &Answers<M>, keeps_count: &mut Option<bool>) -> Result<(), String> {
    let margin = answers.margin;
    let Some(outcome) = answers.outcome else {
        return ensure(margin.is_none(), || format!("{margin:?}, but the game goes on"));
    };
    let expected = *keeps_count.get_or_insert(margin.is_some());
    match margin {
        None if expected => Err("no margin at this end, but at another".to_owned()),
        Some(margin) if !expected => Err(format!("{margin} at this end, but none at another")),
        Some(margin) if Outcome::from_margin(margin) != outcome => {
            Err(format!("{margin} in the first player's view, but the outcome is {outcome:?}"))
        }
        _ => Ok(()),
    }
}

/// Tests bounds on the margin along a walk: whatever was given on the way holds at its end.
pub(super) fn check_bounds<G: Game>(book: &mut Book, walk: &Walk<G>) {
    let end = walk.end().position();
    let mut is_given = false;
    for at in walk.spots() {
        let (position, ply) = (at.position(), at.ply());
        if position.outcome().is_some() {
            continue;
        }
        let given = book.ask("margin-bounds", &at, || position.exactness().margin_bounds());
        let Some(given) = given else { continue };
        is_given |= ply == 0 && given.is_some();
        if !is_given && given.is_none() {
            continue;
        }
        book.test("margin-bounds", &at, &mut || {
            let (lo, hi) = match given {
                None => return Err("none here, but some at the start".to_owned()),
                Some(_) if !is_given => return Err("some here, but none at the start".to_owned()),
                Some(bounds) => bounds,
            };
            ensure(lo <= hi, || format!("from {lo} to {hi}, which contains no margin"))
        });
        // The moves after it matter here, so the failure is shown at the end.
        if let Some((lo, hi)) = given
            && end.outcome().is_some()
        {
            book.test("margin-bounds", &walk.end(), &mut || match end.exactness().margin() {
                None => Err(format!("none at the end, but {lo} to {hi} after {ply} moves")),
                Some(margin) => ensure((lo..=hi).contains(&margin), || {
                    format!("{margin} at the end, but {lo} to {hi} after {ply} moves")
                }),
            });
        }
    }
}

fn different_key<G: Game>(book: &mut Book, seen: &mut Seen<G>, at: &Spot<G>) {
    /// More positions prove little, and must be held in memory.
    const MANY: usize = 100_000;
    let (position, key) = (at.position(), at.position().speed().key());
    let room = seen.by_key.len() < MANY;
    match seen.by_key.entry(key) {
        Entry::Occupied(earlier) => {
            let earlier = earlier.get();
            book.test("different-keys", at, &mut || {
                ensure(earlier == position, || {
                    format!("the key {key:#x} is also that of {}", describe(earlier))
                })
            });
            if earlier == position {
                equals(book, at, earlier, "in an earlier game");
            }
        }
        Entry::Vacant(place) => {
            book.test("different-keys", at, &mut || Ok(()));
            if room {
                place.insert(position.clone());
            }
        }
    }
}

/// The position after the same moves with the last three in reverse order, where that is equal to
/// the one here. Equal positions are rarely met by chance, and never found by a broken hash.
pub(super) fn reordered<G: Game>(at: &Spot<G>) -> Option<G> {
    let moves = &at.walk.moves[..at.ply()];
    let (before, last) = moves.split_last_chunk::<3>()?;
    let mut other = at.walk.positions[before.len()].clone();
    for &mv in last.iter().rev() {
        if !legal_moves(&other).contains(&mv) {
            return None;
        }
        other.play(mv);
    }
    (other == *at.position()).then_some(other)
}

/// Tests what follows from equality: `other` is equal to the position here.
pub(super) fn equals<G: Game>(book: &mut Book, at: &Spot<G>, other: &G, found: &str) {
    let position = at.position();
    book.test("equal-answers", at, &mut || {
        let (here, there) = (Answers::of(position), Answers::of(other));
        ensure(here == there, || format!("{here:?}, but {there:?} {found}"))
    });
    book.test("equal-keys", at, &mut || {
        for (what, hash) in
            [("key", (|position: &G| position.speed().key()) as fn(&G) -> u64), ("hash", std_hash)]
        {
            let (here, there) = (hash(position), hash(other));
            ensure(here == there, || format!("the {what} is {here:#x}, but {there:#x} {found}"))?;
        }
        Ok(())
    });
}

fn std_hash<G: Game>(position: &G) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

fn describe<G: Game>(position: &G) -> String {
    match position.notation().position_text() {
        Some(text) => format!("the position {text:?}"),
        None => format!("{position:?}"),
    }
}
