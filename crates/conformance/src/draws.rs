//! How often moves are drawn at random, compared with how often they should be.

use std::collections::HashMap;
use std::hash::Hash;

use super::book::{ensure, text_of};
use super::statistics::{SUSPICIOUS, chi_square_tail};
use treegraft::bits::mix;
use treegraft::{Game, Rng};

/// Draws a move; what is not among the right ones is the business of another law.
pub(super) type Draw<'a, M> = dyn FnMut(&mut Rng) -> Option<M> + 'a;

/// Whether all these moves are drawn equally often.
pub(super) fn evenly_drawn<G: Game>(
    position: &G,
    moves: &[G::Move],
    samples: u32,
    seed: u64,
    draw: &mut Draw<G::Move>,
) -> Result<(), String> {
    let weighed: Vec<(G::Move, u32)> = moves.iter().map(|&mv| (mv, 1)).collect();
    drawn_by_weight(position, &weighed, samples, seed, draw)
}

/// Whether each of these moves is drawn as often as its weight, at least 1, says.
pub(super) fn drawn_by_weight<G: Game>(
    position: &G,
    weighed: &[(G::Move, u32)],
    samples: u32,
    seed: u64,
    draw: &mut Draw<G::Move>,
) -> Result<(), String> {
    // The test is an approximation that needs a few draws per move.
    let draws = samples.max(20 * weighed.len() as u32);
    if weighed.len() < 2 || chi_square(weighed, draws, seed, draw).p >= SUSPICIOUS {
        return Ok(());
    }
    let draws = draws.saturating_mul(4);
    let Misfit { p, mv, others, times, expected } = chi_square(weighed, draws, mix(seed), draw);
    ensure(p >= SUSPICIOUS, || {
        let name = text_of(position, mv);
        let names = if others == 0 { name } else { format!("{name} and {others} rare others") };
        format!(
            "in {draws} draws {names} came {times} times and not about {expected:.0} (p = {p:.1e})"
        )
    })
}

/// How drawn moves fit what is expected.
struct Misfit<M> {
    /// The p-value of their being as expected.
    p: f64,
    /// The move that is farthest from its expected frequency,
    mv: M,
    /// how many others were counted with it,
    others: usize,
    /// and their frequency.
    times: u64,
    expected: f64,
}

/// Draws random moves, and counts those together that are too rare to be tested alone.
fn chi_square<M: Copy + Eq + Hash>(
    weighed: &[(M, u32)],
    draws: u32,
    seed: u64,
    draw: &mut Draw<M>,
) -> Misfit<M> {
    /// The approximation needs a few expected draws.
    const FEW: f64 = 5.0;
    let mut rng = Rng::new(seed);
    let mut times: HashMap<M, u64> = weighed.iter().map(|&(mv, _)| (mv, 0)).collect();
    for _ in 0..draws {
        if let Some(times) = draw(&mut rng).and_then(|mv| times.get_mut(&mv)) {
            *times += 1;
        }
    }
    let total: f64 = weighed.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let mut rare_first = weighed.to_vec();
    rare_first.sort_by_key(|&(_, weight)| weight);
    let mut groups: Vec<Misfit<M>> = Vec::new();
    for (mv, weight) in rare_first {
        let expected = f64::from(draws) * f64::from(weight) / total;
        match groups.last_mut().filter(|group| group.expected < FEW && expected < FEW) {
            Some(group) => {
                (group.others, group.times) = (group.others + 1, group.times + times[&mv]);
                group.expected += expected;
            }
            None => groups.push(Misfit { p: 1.0, mv, others: 0, times: times[&mv], expected }),
        }
    }
    // What is rare even together counts for less than it might: one too many of it proves nothing.
    let off =
        |group: &Misfit<M>| (group.times as f64 - group.expected).powi(2) / group.expected.max(FEW);
    let p = chi_square_tail(groups.iter().map(off).sum(), groups.len() as u32 - 1);
    let worst = groups.into_iter().max_by(|a, b| off(a).total_cmp(&off(b)));
    Misfit { p, ..worst.expect("there are at least two moves") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The p-value of drawing by some weights what has others.
    fn p(drawn: &[u32], told: &[u32], draws: u32) -> f64 {
        let weighed: Vec<(usize, u32)> = told.iter().copied().enumerate().collect();
        let total = drawn.iter().sum();
        let mut draw = |rng: &mut Rng| {
            let mut left = rng.below(total);
            drawn.iter().position(|&weight| match left.checked_sub(weight) {
                Some(rest) => {
                    left = rest;
                    false
                }
                None => true,
            })
        };
        chi_square(&weighed, draws, 1, &mut draw).p
    }

    #[test]
    fn weights_are_told_from_others() {
        for right in [&[1, 1, 1][..], &[5, 2, 1, 1], &[1, 1_000_000], &[1, 1, 1, 900], &[7, 7]] {
            assert!(p(right, right, 2000) > 0.01, "{right:?}");
        }
        for (drawn, told) in [
            (&[1, 1, 1][..], &[2, 1, 1][..]),
            (&[5, 2, 1, 1], &[4, 1, 1, 1]),
            (&[1, 1], &[1, 1_000_000]),
            (&[0, 0, 0, 900], &[9, 9, 9, 900]),
        ] {
            assert!(p(drawn, told, 2000) < SUSPICIOUS, "{drawn:?} {told:?}");
        }
        // A few draws of what should not have come at all prove nothing.
        assert!(p(&[3, 2000], &[1, 1_000_000], 2000) > SUSPICIOUS);
    }
}
