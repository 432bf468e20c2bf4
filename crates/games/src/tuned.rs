//! What the fitted evaluations of several games have in common: features that a position has or has
//! not, in the mover's view.
//!
//! A game says which features a position has, once ([`Look`]). From that follow the list that weights
//! are fitted to, and an evaluation that adds weights up without making a list.

use std::marker::PhantomData;
use std::sync::Arc;

use treegraft::bits::Cpu;
use treegraft::linear::{Active, Features, SharedFeatures, Weights, grouped_parts, value_of};
use treegraft::{Evaluate, Game, Part};

/// What a fitted evaluation looks at. The board is seen by the side to move, so that colours and turn
/// can be swapped.
pub(crate) trait Look<G: Game>: Send + Sync + 'static {
    /// The name of the features.
    const NAME: &'static str;
    /// How many features there are.
    const COUNT: usize;
    /// Groups of features by name, with the first feature of each.
    const GROUPS: &'static [(&'static str, usize)];

    /// Reports all features of an unfinished position. One may be there several times.
    fn look(position: &G, seen: &mut impl Seen);
}

/// Is passed the features of a position.
pub(crate) trait Seen {
    /// The position has this feature.
    fn see(&mut self, feature: usize);
}

/// Adds up weights.
pub(crate) struct Sum<'a> {
    units: &'a [i32],
    sum: i32,
}

impl Sum<'_> {
    /// Nothing so far.
    #[inline(always)]
    pub(crate) fn new(units: &[i32]) -> Sum<'_> {
        Sum { units, sum: 0 }
    }

    /// The sum of the weights of all features that were seen.
    #[inline(always)]
    pub(crate) fn sum(&self) -> i32 {
        self.sum
    }
}

impl Seen for Sum<'_> {
    #[inline(always)]
    fn see(&mut self, feature: usize) {
        self.sum += self.units.get(feature).copied().unwrap_or(0);
    }
}

/// Lists features with the same amount.
struct List<'a> {
    active: &'a mut Vec<Active>,
    amount: f32,
}

impl Seen for List<'_> {
    fn see(&mut self, feature: usize) {
        self.active.push(Active { feature: feature as u32, amount: self.amount });
    }
}

/// Shipped weights, if they are for these features: tests check that they are there.
pub(crate) fn read<G: Game, L: Look<G>>(bytes: &[u8]) -> Option<Weights> {
    let weights = Weights::from_bytes(bytes).ok()?;
    weights.fit::<G>(&Of::<L>(PhantomData)).then_some(weights)
}

/// The value of a position by shipped weights.
#[inline]
pub(crate) fn evaluate<G: Game, L: Look<G>>(weights: Option<&Weights>, position: &G) -> i32 {
    weights.map_or(0, |weights| value(PhantomData::<L>, position, &weights.units))
}

/// What the value is made of, in logits.
pub(crate) fn parts<G: Game, L: Look<G>>(weights: Option<&Weights>, position: &G) -> Vec<Part> {
    let names: Vec<&str> = L::GROUPS.iter().map(|(name, _)| *name).collect();
    let features = Of::<L>(PhantomData);
    weights.map_or(Vec::new(), |it| grouped_parts(&features, it, position, &names, group::<G, L>))
}

/// The features, for fitting weights to them.
pub(crate) fn features<G: Game, L: Look<G>>() -> SharedFeatures<G> {
    Arc::new(Of::<L>(PhantomData))
}

/// The group of a feature.
fn group<G: Game, L: Look<G>>(feature: usize) -> usize {
    L::GROUPS.iter().skip(1).filter(|(_, first)| feature >= *first).count()
}

treegraft::dispatch! {
    /// The value of a position in the first player's view.
    fn value<G: Game, L: Look<G>>(by: PhantomData<L>, position: &G, units: &[i32]) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu, G: Game, L: Look<G>>(
    _: C,
    _: PhantomData<L>,
    position: &G,
    units: &[i32],
) -> i32 {
    let mut sum = Sum::new(units);
    L::look(position, &mut sum);
    position.to_move().sign() as i32 * value_of(sum.sum())
}

/// The features that `L` reports.
struct Of<L>(PhantomData<L>);

impl<G: Game, L: Look<G>> Features<G> for Of<L> {
    fn name(&self) -> &str {
        L::NAME
    }

    fn count(&self) -> usize {
        L::COUNT
    }

    fn list(&self, position: &G, active: &mut Vec<Active>) {
        let amount = position.to_move().sign() as f32;
        L::look(position, &mut List { active, amount });
    }

    fn label(&self, feature: usize) -> String {
        let (name, first) = L::GROUPS[group::<G, L>(feature)];
        format!("{name} {}", feature - first)
    }

    fn fast(&self, weights: &Weights) -> Option<Box<dyn Evaluate<G> + Send + Sync>> {
        // No sum of a few hundred weights overflows.
        let is_small = |unit: &i32| unit.unsigned_abs() < 1 << 20;
        let fits = weights.fit::<G>(self) && weights.units.iter().all(is_small);
        let units = weights.units.clone();
        fits.then(|| -> Box<dyn Evaluate<G> + Send + Sync> {
            Box::new(move |position: &G| value(PhantomData::<L>, position, &units))
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use treegraft::linear::Linear;
    use treegraft::{Rng, Speed};

    use super::*;

    /// Positions of random games.
    pub(crate) fn positions<G: Game>(start: &G, games: u32) -> Vec<G> {
        let (mut positions, mut rng) = (Vec::new(), Rng::new(7));
        for _ in 0..games {
            let mut position = start.clone();
            while position.outcome().is_none() && positions.len() < 100_000 {
                positions.push(position.clone());
                let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
        }
        positions
    }

    /// Shipped weights are there; what is added up at once is the sum of the list, for them and for
    /// random ones; no feature is out of bounds.
    pub(crate) fn check<G: Game + 'static, L: Look<G>>(bytes: &[u8], positions: &[G]) {
        let shipped = read::<G, L>(bytes).expect("weights for these features");
        let mut rng = Rng::new(1);
        let units = (0..L::COUNT).map(|_| rng.below(2001) as i32 - 1000).collect();
        let random = Weights::new("random", L::NAME, units);
        for weights in [random, shipped] {
            let features = features::<G, L>();
            let fast = features.fast(&weights).expect("small weights");
            let slow = Linear { features, weights };
            for position in positions {
                let mut active = Vec::new();
                slow.features.list(position, &mut active);
                assert!(active.iter().all(|it| (it.feature as usize) < L::COUNT));
                assert_eq!(fast.evaluate(position), slow.evaluate(position));
            }
        }
    }
}
