//! The fitted evaluation: the stones that both sides need to join their edges, with and without
//! bridges, in how many ways they can, and how much of the board their stones touch.
//!
//! A bridge is two cells with two empty ones between them: the other side can take one of these, not
//! both. Nothing depends on the size of the board. `tune/hex.toml` says how the weights were fitted.

use std::sync::LazyLock;

use treegraft::Evaluator;
use treegraft::linear::Weights;

use super::ways::Ways;
use super::{Cells, Hex};
use crate::tuned::{self, Look, Seen};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> =
    LazyLock::new(|| tuned::read::<Hex<u64>, Joins>(WEIGHTS));

/// The fitted evaluation.
pub(super) fn evaluator<W: Cells>() -> Evaluator<Hex<W>> {
    let about = "stones needed with and without bridges, ways and cells touched, fitted to the \
                 results of games";
    Evaluator::plain("tuned", about, |it| tuned::evaluate::<_, Joins>(SHIPPED.as_ref(), it))
        .with_parts(|it| tuned::parts::<_, Joins>(SHIPPED.as_ref(), it))
        .with_features(tuned::features::<_, Joins>())
}

/// Numbers of stones needed over bridges that are distinguished: none to eleven and more.
const NEEDED: usize = 12;
/// Stones needed without bridges: up to fifteen and more.
const PLAIN: usize = 16;

/// By the stones that both sides need if bridges cannot be cut.
const BRIDGED: usize = 1;
/// By the stones that both sides need if they can.
const DISTANCES: usize = BRIDGED + NEEDED * NEEDED;
/// By side, stones needed over bridges, and the empty cells that are on a shortest way.
const SHORTEST: usize = DISTANCES + PLAIN * PLAIN;
/// The same for ways that take one stone more, two cells at a time.
const LONGER: usize = SHORTEST + 2 * NEEDED * 16;
/// By the cells that are on shortest ways of both sides.
const SHARED: usize = LONGER + 2 * NEEDED * 16;
/// By the lead in bridges.
const BRIDGES: usize = SHARED + 8;
/// By the lead in empty cells touched, two at a time.
const REACH: usize = BRIDGES + 17;
/// By the lead in touching pairs.
const PAIRS: usize = REACH + 31;
/// By how full the board is, in sixths, and the lead in stones needed.
const STAGES: usize = PAIRS + 31;
/// By the lead in stones needed, and the empty cells on shortest ways of both sides, three at a time.
const CHOICES: usize = STAGES + 6 * 9;

/// What the fitted evaluation looks at.
struct Joins;

impl<W: Cells> Look<Hex<W>> for Joins {
    const NAME: &'static str = "joins";
    const COUNT: usize = CHOICES + 9 * 5 * 5;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("turn", 0),
        ("stones needed over bridges", BRIDGED),
        ("stones needed", DISTANCES),
        ("shortest ways", SHORTEST),
        ("longer ways", LONGER),
        ("shared cells", SHARED),
        ("bridges", BRIDGES),
        ("cells touched", REACH),
        ("touching pairs", PAIRS),
        ("lead by stage", STAGES),
        ("lead by ways", CHOICES),
    ];

    #[inline(always)]
    fn look(position: &Hex<W>, seen: &mut impl Seen) {
        let sides = [position.mover, position.mover.other()];
        let ways = sides.map(|side| position.ways(side));
        seen.see(0);
        let [own, opp] = [ways[0].needed, ways[1].needed];
        seen.see(BRIDGED + NEEDED * own.min(NEEDED - 1) + opp.min(NEEDED - 1));
        let plain = sides.map(|side| (position.stones_needed(side) as usize).min(PLAIN - 1));
        seen.see(DISTANCES + PLAIN * plain[0] + plain[1]);
        for (side, Ways { needed, shortest, longer }) in ways.into_iter().enumerate() {
            let place = 16 * (NEEDED * side + needed.min(NEEDED - 1));
            seen.see(SHORTEST + place + (shortest.count() as usize).min(15));
            seen.see(LONGER + place + (longer.count() as usize / 2).min(15));
        }
        let shared = (ways[0].shortest & ways[1].shortest).count() as usize;
        seen.see(SHARED + shared.min(7));
        let lead = |counts: [u32; 2], most: i32| {
            ((counts[0] as i32 - counts[1] as i32).clamp(-most, most) + most) as usize
        };
        seen.see(BRIDGES + lead(sides.map(|side| position.bridges(side)), 8));
        // Halves are rounded towards 0, so that both sides have the same.
        let touched = sides.map(|side| position.reach(side)).map(|cells| cells as i32);
        let touched = ((touched[0] - touched[1]) / 2).clamp(-15, 15) + 15;
        seen.see(REACH + touched as usize);
        seen.see(PAIRS + lead(sides.map(|side| position.pairs(side)), 15));
        let stones = (position.stones[0] | position.stones[1]).count();
        let stage = (6 * stones / (position.size() * position.size())).min(5) as usize;
        let lead = lead([opp as u32, own as u32], 4);
        seen.see(STAGES + 9 * stage + lead);
        let cells = ways.map(|ways| (ways.shortest.count() as usize / 3).min(4));
        seen.see(CHOICES + 5 * (5 * lead + cells[0]) + cells[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::Wide;
    use crate::tuned::tests::{check, positions};

    // That colours can be swapped a test of all evaluations of the game shows.
    #[test]
    fn fast_is_slow() {
        check::<Hex<u64>, Joins>(WEIGHTS, &positions(&Hex::new(7, false).expect("a board"), 20));
        check::<Hex<u128>, Joins>(WEIGHTS, &positions(&Hex::new(11, false).expect("a board"), 5));
        check::<Hex<Wide>, Joins>(WEIGHTS, &positions(&Hex::new(19, false).expect("a board"), 1));
    }
}
