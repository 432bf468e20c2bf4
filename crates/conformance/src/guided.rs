//! The laws of playouts that evaluations make: honest reports, and the distribution of playouts that
//! are made move by move.

use std::collections::HashMap;

use super::book::{Book, Spot, Walk, ensure};
use super::draws::drawn_by_weight;
use super::statistics::{Moments, SUSPICIOUS, homogeneity, same_mean};
use super::subject::Subject;
use super::weights::{FILTERS, best_of, each_evaluation, most_urgent, valued};
use treegraft::bits::mix;
use treegraft::{
    Guide, GuidedEnd, GuidedPlayout, Outcome, PlayoutWeight, Rng, Side, in_scale, legal_moves,
    played,
};

/// An advantage that most evaluations see sooner or later.
const SMALL: i32 = 20_000;

/// Tests along a walk.
pub(super) fn check<G: Subject>(book: &mut Book, walk: &Walk<G>, seed: u64) {
    let mut rng = Rng::new(seed);
    for at in walk.spots() {
        let seed = rng.next_u64();
        each_guided(book, &at, &mut |book, evaluator| {
            book.test("guided-playout", &at, &mut || {
                let mut rng = Rng::new(seed);
                for _ in 0..2 {
                    let guide = any_guide(at.position(), &mut rng);
                    honest(at.position(), evaluator, &guide, rng.next_u64())
                        .map_err(|problem| format!("{problem}, with {guide:?}"))?;
                }
                Ok(())
            });
        });
    }
    let at = walk.any_spot(&mut rng);
    let seed = rng.next_u64();
    each_guided(book, &at, &mut |book, evaluator| {
        book.test("seeded", &at, &mut || {
            let guide = any_guide(at.position(), &mut Rng::new(seed));
            let once = || {
                let (mut end, mut rng) = (at.position().clone(), Rng::new(seed));
                let report = end.tested_mut().guided_playout(evaluator, &guide, &mut rng);
                (end, report, rng.next_u64())
            };
            ensure(once() == once(), || format!("the playouts with {guide:?} differ"))
        });
    });
}

/// Calls for every evaluation with a fast way to make playouts, unless what they build on is wrong.
fn each_guided<G: Subject>(book: &mut Book, at: &Spot<G>, test: &mut dyn FnMut(&mut Book, usize)) {
    if !book.failed("playout-weight") {
        each_evaluation(book, at, |card| card.has_playouts, test);
    }
}

/// One of many guides, in which everything is there or not.
fn any_guide<G: Subject>(position: &G, rng: &mut Rng) -> Guide {
    fn any<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
        all[rng.below(all.len() as u32) as usize]
    }
    let long = position.limits().playout_plies;
    Guide {
        ipp: any(rng, &FILTERS),
        greedy: any(rng, &[None, Some(0.0), Some(0.1), Some(1.0)]),
        cut: any(rng, &[None, Some(0), Some(1), Some(4)]),
        mercy: any(rng, &[None, Some((1, SMALL)), Some((2, 0)), Some((5, 500_000))]),
        max_plies: any(rng, &[0, 1, 4, 10, long, long]).min(long),
    }
}

/// A playout whose report is compared with the position it leaves and with its guide.
fn honest<G: Subject>(
    position: &G,
    evaluator: usize,
    guide: &Guide,
    seed: u64,
) -> Result<(), String> {
    let (mut end, mut rng) = (position.clone(), Rng::new(seed));
    let Some(report) = end.tested_mut().guided_playout(evaluator, guide, &mut rng) else {
        ensure(end == *position, || format!("it makes no playout, but leaves {end:?}"))?;
        return ensure(rng.next_u64() == Rng::new(seed).next_u64(), || {
            "it makes no playout, but draws random numbers".to_owned()
        });
    };
    let fail = |problem: &str| Err(format!("{problem}: {report:?}, at {end:?}"));
    let GuidedPlayout { end: reported, plies, evaluations } = report;
    if plies > guide.max_plies || guide.cut.is_some_and(|cut| plies > cut) {
        return fail("more plies than allowed");
    }
    if plies == 0 && end != *position {
        return fail("no ply, but another position");
    }
    let is_next = || legal_moves(position).iter().any(|&mv| played(position, mv) == end);
    if plies == 1 && !is_next() {
        return fail("one ply, but no legal move leads here");
    }
    let value = |end: &G| in_scale(end.tested().evaluate(evaluator));
    let right = match end.outcome() {
        Some(outcome) => Some(GuidedEnd::Over(outcome)),
        None => guide.look(&end, plies, value).0,
    };
    if right != Some(reported) {
        return fail(&match right {
            Some(right) => format!("the end should be {right:?}"),
            None => "the playout should go on".to_owned(),
        });
    }
    let right = valuations(guide, &report);
    ensure(evaluations == right, || format!("{right} positions were to be valued: {report:?}"))
}

/// How many positions of a playout are valued.
fn valuations(guide: &Guide, report: &GuidedPlayout) -> u32 {
    let is_cut = matches!(report.end, GuidedEnd::Cut(_));
    let looks_last = !is_cut && !matches!(report.end, GuidedEnd::Over(_));
    let looked_at = if looks_last { report.plies } else { report.plies.saturating_sub(1) };
    let mercy = guide.mercy.map_or(0, |(every, _)| looked_at / every.max(1));
    mercy + u32::from(is_cut)
}

/// Compares playouts with slow ones, at a few of the places that are given.
pub(super) fn compare<G: Subject>(
    book: &mut Book,
    at: &Spot<G>,
    samples: u32,
    place: usize,
    seed: u64,
) {
    let long = at.position().limits().playout_plies;
    let [plain, program, printed] = FILTERS;
    let none = Guide { ipp: plain, greedy: None, cut: None, mercy: None, max_plies: long };
    // Whole games at the start take longest, so there are few of them.
    let guides = match place {
        0 => [Guide { ipp: program, ..none }, Guide { greedy: Some(0.5), cut: Some(3), ..none }],
        1 => [
            Guide { ipp: program, greedy: Some(0.1), mercy: Some((2, SMALL)), ..none },
            Guide { ipp: printed, cut: Some(4), ..none },
        ],
        2 => [
            Guide { ipp: printed, mercy: Some((1, SMALL)), ..none },
            Guide { greedy: Some(0.0), max_plies: long.min(5), ..none },
        ],
        3 => [
            Guide { ipp: printed, greedy: Some(0.5), ..none },
            Guide { mercy: Some((3, SMALL)), cut: Some(8), ..none },
        ],
        _ => return,
    };
    each_guided(book, at, &mut |book, evaluator| {
        if !book.failed("guided-playout") {
            book.test("guided-frequency", at, &mut || {
                first_moves(at.position(), evaluator, samples / 8, seed)
            });
        }
        for guide in guides {
            if !book.failed("guided-playout") {
                book.test("guided-frequency", at, &mut || {
                    alike(at.position(), evaluator, &guide, (samples / 40).max(50), seed)
                        .map_err(|problem| format!("{problem}, with {guide:?}"))
                });
            }
        }
    });
}

/// Whether playouts of one ply play each move as often as they should.
fn first_moves<G: Subject>(
    position: &G,
    evaluator: usize,
    samples: u32,
    seed: u64,
) -> Result<(), String> {
    let moves = legal_moves(position);
    let moves_to: HashMap<G, G::Move> =
        moves.iter().map(|&mv| (played(position, mv), mv)).collect();
    // Where two moves lead to the same position, it is unknown which was played.
    if moves_to.len() < moves.len() {
        return Ok(());
    }
    let valued = valued(position, &moves, evaluator);
    for (ipp, greedy) in FILTERS.into_iter().flat_map(|ipp| [(ipp, None), (ipp, Some(0.0))]) {
        let guide = Guide { ipp, greedy, cut: None, mercy: None, max_plies: 1 };
        let weighed: Vec<(G::Move, u32)> = match (greedy, ipp) {
            (None, Some(ipp)) => most_urgent(position, &moves, ipp),
            (None, None) => moves.iter().map(|&mv| (mv, 1)).collect(),
            _ => best_of(position, &valued, ipp).into_iter().map(|mv| (mv, 1)).collect(),
        };
        let mut draw = |rng: &mut Rng| {
            let mut end = position.clone();
            end.tested_mut().guided_playout(evaluator, &guide, rng)?;
            moves_to.get(&end).copied()
        };
        if draw(&mut Rng::new(seed)).is_some() {
            drawn_by_weight(position, &weighed, samples, seed, &mut draw)
                .map_err(|problem| format!("{problem}, with {guide:?}"))?;
        }
    }
    Ok(())
}

/// Whether fast playouts have the ends of slow ones.
fn alike<G: Subject>(
    position: &G,
    evaluator: usize,
    guide: &Guide,
    samples: u32,
    seed: u64,
) -> Result<(), String> {
    if position.clone().tested_mut().guided_playout(evaluator, guide, &mut Rng::new(seed)).is_none()
    {
        return Ok(());
    }
    let compare = |samples, seed| {
        Comparison::of(position, evaluator, guide, samples, seed)
            .ok_or("playouts are made only now and then")
    };
    if compare(samples, seed)?.judge().is_ok() {
        return Ok(());
    }
    compare(samples.saturating_mul(4), mix(seed))?.judge()
}

/// As many fast playouts as slow ones.
#[derive(Default)]
struct Comparison {
    fast: Tally,
    slow: Tally,
}

/// The ends of many playouts.
#[derive(Default)]
struct Tally {
    /// See [`KINDS`].
    ends: [u64; 9],
    plies: Moments,
    /// Of those that were cut off.
    values: Moments,
}

/// Kinds of ends, the first player's view.
const KINDS: &str = "wins, draws, losses; cut off ahead, even, behind; clearly ahead, clearly behind; \
                     given up";

impl Tally {
    fn add(&mut self, end: GuidedEnd, plies: u32) {
        let kind = match end {
            GuidedEnd::Over(Outcome::Win(Side::First)) => 0,
            GuidedEnd::Over(Outcome::Draw) => 1,
            GuidedEnd::Over(Outcome::Win(Side::Second)) => 2,
            GuidedEnd::Cut(value) => (4 - value.signum()) as usize,
            GuidedEnd::Mercy(Side::First) => 6,
            GuidedEnd::Mercy(Side::Second) => 7,
            GuidedEnd::Capped => 8,
        };
        self.ends[kind] += 1;
        self.plies.add(f64::from(plies));
        if let GuidedEnd::Cut(value) = end {
            self.values.add(f64::from(value));
        }
    }
}

impl Comparison {
    /// `None` if not all playouts are made.
    fn of<G: Subject>(
        position: &G,
        evaluator: usize,
        guide: &Guide,
        samples: u32,
        seed: u64,
    ) -> Option<Comparison> {
        let mut rng = Rng::new(seed);
        let mut comparison = Comparison::default();
        for _ in 0..samples {
            let report =
                position.clone().tested_mut().guided_playout(evaluator, guide, &mut rng)?;
            comparison.fast.add(report.end, report.plies);
            let (end, plies) = slow_playout(position.clone(), evaluator, guide, &mut rng);
            comparison.slow.add(end, plies);
        }
        Some(comparison)
    }

    /// Whether ends, plies and values are such as those of equals may be.
    fn judge(&self) -> Result<(), String> {
        let Comparison { fast, slow } = self;
        let p = homogeneity(&fast.ends, &slow.ends);
        ensure(p >= SUSPICIOUS, || {
            format!("{KINDS}: {:?}, but {:?} in slow ones (p = {p:.1e})", fast.ends, slow.ends)
        })?;
        for (what, fast, slow) in
            [("plies", &fast.plies, &slow.plies), ("value at cutoffs", &fast.values, &slow.values)]
        {
            let p = same_mean(fast, slow);
            ensure(p >= SUSPICIOUS, || {
                let (fast, slow) = (fast.mean, slow.mean);
                format!("{what}: {fast:.3} on average, but {slow:.3} in slow ones (p = {p:.1e})")
            })?;
        }
        Ok(())
    }
}

/// The end of a guided playout that is made move by move, and its plies.
fn slow_playout<G: Subject>(
    mut position: G,
    evaluator: usize,
    guide: &Guide,
    rng: &mut Rng,
) -> (GuidedEnd, u32) {
    for plies in 0.. {
        if let Some(outcome) = position.outcome() {
            return (GuidedEnd::Over(outcome), plies);
        }
        let value = |position: &G| in_scale(position.tested().evaluate(evaluator));
        if let (Some(end), _) = guide.look(&position, plies, value) {
            return (end, plies);
        }
        position.play(slow_move(&position, evaluator, guide, rng));
    }
    unreachable!("a guide has a limit")
}

fn slow_move<G: Subject>(position: &G, evaluator: usize, guide: &Guide, rng: &mut Rng) -> G::Move {
    let moves = legal_moves(position);
    if guide.greedy.is_some_and(|epsilon| rng.unit() >= epsilon) {
        let best = best_of(position, &valued(position, &moves, evaluator), guide.ipp);
        return best[rng.below(best.len() as u32) as usize];
    }
    let Some(ipp) = guide.ipp else {
        return moves[rng.below(moves.len() as u32) as usize];
    };
    // Weights that break their law somewhere else must not stop this one.
    let weight = |weight: u32| u64::from(weight.clamp(1, PlayoutWeight::MOST));
    let urgent = most_urgent(position, &moves, ipp);
    let mut left = rng.below_many(urgent.iter().map(|&(_, told)| weight(told)).sum());
    for &(mv, told) in &urgent {
        match left.checked_sub(weight(told)) {
            Some(rest) => left = rest,
            None => return mv,
        }
    }
    unreachable!("less than the sum is left")
}
