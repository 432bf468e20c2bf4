//! The laws of random and hinted moves and of playouts: honest reports, and the distributions of
//! the slow defaults.

use super::book::{Book, Spot, Walk, ensure};
use super::draws::evenly_drawn;
use super::statistics::{Moments, SUSPICIOUS, homogeneity, same_mean};
use super::subject::Subject;
use super::{Options, guided, weights};
use treegraft::bits::mix;
use treegraft::{
    Exactness, Game, Knowledge, MAX_SLOTS, Outcome, Playout, Rng, Side, Speed, Trace, legal_moves,
    played,
};

/// Tests along a walk everything that needs few random numbers.
pub(super) fn check<G: Game>(book: &mut Book, rng: &mut Rng, walk: &Walk<G>) {
    for at in walk.spots() {
        let position = at.position();
        let moves = legal_moves(position);
        let seed = rng.next_u64();
        if !moves.is_empty() {
            book.test("random-move", &at, &mut || random_moves_are_legal(position, &moves, seed));
            book.test("hinted-move", &at, &mut || hinted_moves_are_best(position, &moves, seed));
        }
        book.test("playout-nothing", &at, &mut || playout_of_nothing(position, seed));
        book.test("playout-one", &at, &mut || playout_of_one(position, &moves, seed));
        book.test("playout-report", &at, &mut || {
            let mut rng = Rng::new(seed);
            let limit = 1 + rng.below(8);
            playout(position, &mut rng, &mut Vec::new(), limit).map(|_| ())
        });
        book.test("playout-trace", &at, &mut || {
            let mut rng = Rng::new(seed);
            let limit = rng.below(8);
            traced_playout(position, &mut rng, limit)
        });
    }
    let at = walk.any_spot(rng);
    let seed = rng.next_u64();
    book.test("seeded", &at, &mut || seeded(at.position(), seed));
}

fn random_moves_are_legal<G: Game>(
    position: &G,
    moves: &[G::Move],
    seed: u64,
) -> Result<(), String> {
    let (mut rng, mut buffer) = (Rng::new(seed), Vec::new());
    for _ in 0..4 {
        let mv = position.speed().random_move(&mut rng, &mut buffer);
        ensure(moves.contains(&mv), || format!("{mv:?} is not legal"))?;
    }
    Ok(())
}

fn hinted_moves_are_best<G: Game>(
    position: &G,
    moves: &[G::Move],
    seed: u64,
) -> Result<(), String> {
    let best = highest_hints(position, moves);
    let (mut rng, mut buffer) = (Rng::new(seed), Vec::new());
    for _ in 0..4 {
        let mv = position.speed().guided_move(None, &mut rng, &mut buffer);
        weights::one_of(position, Some(mv), &best, || format!("{mv:?}"))?;
    }
    Ok(())
}

/// Of these moves, those with the highest hint.
fn highest_hints<G: Game>(position: &G, moves: &[G::Move]) -> Vec<G::Move> {
    let highest = moves.iter().map(|&mv| position.knowledge().order_hint(mv)).max();
    let best = moves.iter().copied();
    best.filter(|&mv| Some(position.knowledge().order_hint(mv)) == highest).collect()
}

fn playout_of_nothing<G: Game>(position: &G, seed: u64) -> Result<(), String> {
    let mut end = position.clone();
    let playout = treegraft::playout(&mut end, &mut Rng::new(seed), &mut Vec::new(), 0, None);
    let expected = Playout {
        outcome: position.outcome().unwrap_or(Outcome::Draw),
        plies: 0,
        capped: position.outcome().is_none(),
    };
    ensure(playout == expected, || format!("it reports {playout:?} and not {expected:?}"))?;
    ensure(end == *position, || format!("it leaves {end:?}"))
}

fn playout_of_one<G: Game>(position: &G, moves: &[G::Move], seed: u64) -> Result<(), String> {
    if moves.is_empty() {
        return Ok(());
    }
    let mut end = position.clone();
    treegraft::playout(&mut end, &mut Rng::new(seed), &mut Vec::new(), 1, None);
    ensure(moves.iter().any(|&mv| played(position, mv) == end), || {
        format!("it leaves {end:?}, to which no legal move leads")
    })
}

/// A playout whose report is compared with the position it leaves.
fn playout<G: Game>(
    position: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    limit: u32,
) -> Result<(G, Playout), String> {
    let mut end = position.clone();
    let playout = treegraft::playout(&mut end, rng, buffer, limit, None);
    honest(&end, &playout, limit)?;
    Ok((end, playout))
}

/// Whether a playout of at most `limit` plies reports the position that it left.
fn honest<G: Game>(end: &G, playout: &Playout, limit: u32) -> Result<(), String> {
    let problem = match (playout.capped, end.outcome()) {
        _ if playout.plies > limit => Some("more plies than the limit"),
        (true, _) if playout.plies < limit => Some("cut off before the limit"),
        (true, Some(_)) => Some("cut off, though the game is over"),
        (true, None) if playout.outcome != Outcome::Draw => Some("cut off, but not drawn"),
        (false, None) => Some("the game is not over"),
        (false, Some(outcome)) if outcome != playout.outcome => {
            Some("the position has another outcome")
        }
        _ => None,
    };
    match problem {
        None => Ok(()),
        Some(problem) => Err(format!("{problem}: {playout:?} of at most {limit}, at {end:?}")),
    }
}

/// A traced playout: its moves lead to its end in some order, or to its outcome, if it plays on. What was
/// in the trace before stays there.
fn traced_playout<G: Game>(position: &G, rng: &mut Rng, limit: u32) -> Result<(), String> {
    let slots = position.speed().move_slots();
    let (mut end, mut trace) = (position.clone(), Trace::new(slots));
    let before = (Side::Second, rng.below(slots.clamp(1, MAX_SLOTS) as u32) as usize);
    let mut again = rng.clone();
    let playout = treegraft::playout(&mut end, rng, &mut Vec::new(), limit, Some(&mut trace));
    honest(&end, &playout, limit)?;
    let count: usize =
        [Side::First, Side::Second].map(|side| trace.slots(side).count()).iter().sum();
    ensure(count <= playout.plies as usize, || format!("{trace:?} of the playout {playout:?}"))?;
    let mut open = vec![(position.clone(), playout.plies)];
    let leads_there = std::iter::from_fn(|| {
        let (at, plies) = open.pop()?;
        if plies == 0 || at.outcome().is_some() {
            let is_there =
                if plies == 0 { at == end } else { at.outcome() == Some(playout.outcome) };
            return Some(is_there);
        }
        let is_traced = |&mv: &G::Move| trace.contains(at.to_move(), at.speed().move_slot(mv));
        let traced = legal_moves(&at).into_iter().filter(is_traced);
        open.extend(traced.map(|mv| (played(&at, mv), plies - 1)));
        Some(false)
    });
    // Many moves may share a slot.
    let is_found = leads_there.take(20_000).enumerate().any(|(at, is_it)| is_it || at == 19_999);
    ensure(is_found, || format!("{trace:?} does not lead to {end:?}"))?;
    let mut kept = Trace::new(slots);
    kept.add(before.0, before.1);
    treegraft::playout(&mut position.clone(), &mut again, &mut Vec::new(), limit, Some(&mut kept));
    trace.add(before.0, before.1);
    ensure(kept == trace, || format!("{before:?} was in the trace before, which is now {kept:?}"))
}

fn seeded<G: Game>(position: &G, seed: u64) -> Result<(), String> {
    let over = position.outcome().is_some();
    let all = |buffer: &mut Vec<G::Move>| {
        let mut rng = Rng::new(seed);
        let mv = (!over).then(|| position.speed().random_move(&mut rng, buffer));
        let hinted = (!over).then(|| position.speed().guided_move(None, &mut rng, buffer));
        let mut end = position.clone();
        let playout =
            treegraft::playout(&mut end, &mut rng, buffer, position.limits().playout_plies, None);
        (mv, hinted, playout, end, rng.next_u64())
    };
    let mut full = [legal_moves(position), legal_moves(position)].concat();
    let (once, again) = (all(&mut Vec::new()), all(&mut full));
    ensure(once.0 == again.0, || "the random moves differ".to_owned())?;
    ensure(once.1 == again.1, || "the hinted moves differ".to_owned())?;
    ensure(once == again, || "the playouts differ".to_owned())
}

/// Compares random moves and playouts with slow ones at a few places: the start, places on the
/// way, and the last ones before the end.
pub(super) fn compare<G: Subject>(
    book: &mut Book,
    options: &Options,
    walks: &[Walk<G>],
    progress: &mut dyn FnMut(f64),
) {
    const PLACES: usize = 8;
    for i in 0..PLACES {
        progress(i as f64 / PLACES as f64);
        let Some(walk) = walks.get(i % walks.len().max(1)) else { return };
        let end = walk.end().ply();
        let [third_last, second_last, last] = [3, 2, 1].map(|plies| end.saturating_sub(plies));
        let ply = [0, end / 4, end / 2, end * 3 / 4, end * 7 / 8, third_last, second_last, last][i];
        let seed = mix(options.seed ^ mix(i as u64));
        // Cheap, so also one ply later, where the other side may move.
        for at in [ply, ply + 1].into_iter().filter(|&ply| ply <= end).map(|ply| walk.at(ply)) {
            if at.position().outcome().is_none() && !book.failed("random-move") {
                book.test("random-uniform", &at, &mut || {
                    uniform(at.position(), options.samples, seed)
                });
            }
            if at.position().outcome().is_none() && !book.failed("hinted-move") {
                // Few games have a fast way to find them.
                let samples = options.samples / 8;
                book.test("hinted-uniform", &at, &mut || {
                    hinted_uniform(at.position(), samples, seed)
                });
            }
            weights::compare(book, &at, options.samples / 8, seed);
        }
        let at = walk.at(ply);
        if at.position().outcome().is_none() {
            let samples = if i == 0 { options.samples } else { options.samples / 8 };
            playouts(book, &at, samples.max(100), seed);
            guided::compare(book, &at, options.samples, i, mix(!seed));
        }
    }
}

fn uniform<G: Game>(position: &G, samples: u32, seed: u64) -> Result<(), String> {
    let mut buffer = Vec::new();
    let mut draw = |rng: &mut Rng| Some(position.speed().random_move(rng, &mut buffer));
    evenly_drawn(position, &legal_moves(position), samples, seed, &mut draw)
}

fn hinted_uniform<G: Game>(position: &G, samples: u32, seed: u64) -> Result<(), String> {
    let mut buffer = Vec::new();
    let best = highest_hints(position, &legal_moves(position));
    let mut draw = |rng: &mut Rng| Some(position.speed().guided_move(None, rng, &mut buffer));
    evenly_drawn(position, &best, samples, seed, &mut draw)
}

/// The ends of many playouts.
#[derive(Default)]
struct Tally {
    /// Won by the first player, drawn, won by the second.
    outcomes: [u64; 3],
    plies: Moments,
    margins: Moments,
}

impl Tally {
    fn add<G: Game>(&mut self, end: &G, playout: &Playout) {
        let outcome = match playout.outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 2,
        };
        self.outcomes[outcome] += 1;
        self.plies.add(f64::from(playout.plies));
        if let Some(margin) = end.exactness().margin() {
            self.margins.add(margin as f64);
        }
    }
}

/// As many fast playouts as slow ones, and fewer traced ones.
#[derive(Default)]
struct Comparison {
    fast: Tally,
    slow: Tally,
    traced: Tally,
}

impl Comparison {
    fn of<G: Subject>(position: &G, samples: u32, seed: u64) -> Result<Comparison, String> {
        let (mut rng, mut buffer) = (Rng::new(seed), Vec::new());
        let mut tracing = Rng::new(mix(seed));
        let mut trace = Trace::new(position.speed().move_slots());
        let limit = position.limits().playout_plies;
        let mut comparison = Comparison::default();
        for sample in 0..samples {
            let (end, report) = playout(position, &mut rng, &mut buffer, limit)?;
            comparison.fast.add(&end, &report);
            let mut end = position.clone();
            let report = end.tested_mut().slow_playout(&mut rng, limit);
            comparison.slow.add(&end, &report);
            // Few games have a faster way to trace.
            if sample % 4 == 0 {
                let mut end = position.clone();
                trace.clear();
                let report = treegraft::playout(
                    &mut end,
                    &mut tracing,
                    &mut buffer,
                    limit,
                    Some(&mut trace),
                );
                comparison.traced.add(&end, &report);
            }
        }
        Ok(comparison)
    }

    /// The laws, how probable such a difference is if they hold, and the difference in words.
    fn laws(&self) -> [(&'static str, f64, String); 4] {
        let Comparison { fast, slow, traced } = self;
        let outcomes = |some: &Tally| {
            let text = format!(
                "wins, draws and losses of the first player are {:?}, but {:?} in slow games",
                some.outcomes, slow.outcomes
            );
            (homogeneity(&some.outcomes, &slow.outcomes), text)
        };
        let (p_fast, of_fast) = outcomes(fast);
        let (p_traced, of_traced) = outcomes(traced);
        let (plies, slow_plies) = (fast.plies.mean, slow.plies.mean);
        let (margin, slow_margin) = (fast.margins.mean, slow.margins.mean);
        // Playing on when nothing can change the outcome any more is allowed.
        let p_plies = if plies >= slow_plies { 1.0 } else { same_mean(&fast.plies, &slow.plies) };
        let p_margins = same_mean(&fast.margins, &slow.margins);
        let of_plies = format!("{plies:.3} plies, but {slow_plies:.3} in slow games");
        let of_margins =
            format!("the mean margin is {margin:.3}, but {slow_margin:.3} in slow games");
        [
            ("playout-outcomes", p_fast, of_fast),
            ("playout-plies", p_plies, of_plies),
            ("playout-margins", p_margins, of_margins),
            ("playout-trace-outcomes", p_traced, of_traced),
        ]
    }
}

fn playouts<G: Subject>(book: &mut Book, at: &Spot<G>, samples: u32, seed: u64) {
    let mut compare = |samples, seed| {
        let mut comparison = None;
        book.test("playout-report", at, &mut || {
            comparison = Some(Comparison::of(at.position(), samples, seed)?);
            Ok(())
        });
        comparison
    };
    let Some(first) = compare(samples, seed) else { return };
    let laws = first.laws();
    let is_suspect = laws.iter().any(|&(_, p, _)| p < SUSPICIOUS);
    let again = || compare(samples.saturating_mul(4), mix(seed)).map(|second| second.laws());
    let second = is_suspect.then(again).flatten();
    let margins = first.slow.margins.count > 0 || first.fast.margins.count > 0;
    for (i, (law, p, _)) in laws.into_iter().enumerate() {
        if law == "playout-margins" && !margins {
            continue;
        }
        book.test(law, at, &mut || match &second {
            Some(second) if p < SUSPICIOUS => {
                let (_, p, difference) = &second[i];
                ensure(*p >= SUSPICIOUS, || format!("{difference} (p = {p:.1e})"))
            }
            _ => Ok(()),
        });
    }
}
