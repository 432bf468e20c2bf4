//! Hints, and the static evaluation.

use std::sync::LazyLock;

use treegraft::{Evaluator, Game, Knowledge, Outcome, Part, Side};

use super::{Kalah, MAX_STONES, tuned};
use crate::squash;

impl Knowledge for Kalah {
    /// Wins, then extra turns, then captures by their size, then houses near the store.
    #[inline]
    fn order_hint(&self, house: u8) -> i32 {
        let mut next = *self;
        next.play(house);
        if next.outcome() == Some(Outcome::Win(self.mover)) {
            return 20_000;
        }
        if next.mover == self.mover {
            return 10_000 + i32::from(house);
        }
        // Sowing past the store brings one stone a lap; more than that is a capture.
        let stones = self.at(self.mover, u32::from(house));
        let to_store = self.houses() - u32::from(house);
        let sown = (stones + 2 * self.houses() + 1 - to_store) / (2 * self.houses() + 1);
        let gain = next.store(self.mover) - self.store(self.mover) - sown;
        16 * gain as i32 + i32::from(house)
    }

    /// All evaluations that know this board, the usual one first: another order would change the
    /// searches that use it.
    fn evaluators(&self) -> Vec<Evaluator<Kalah>> {
        let stores = Evaluator::plain(
            "stores",
            "difference of the stores; stones in houses count nothing (efRS of Lanctot et al. 2014)",
            stores,
        )
        .with_parts(|it| vec![Part::new("store", SIDES.map(|side| it.store(side)), 1.0)]);
        [stores].into_iter().chain(tuned::evaluator(self)).collect()
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

fn stores(position: &Kalah) -> i32 {
    static TANH: LazyLock<[i32; MAX_STONES as usize + 1]> =
        LazyLock::new(|| std::array::from_fn(|lead| squash::tanh(lead as f64 / 10.0)));
    let lead = position.lead();
    lead.signum() as i32 * TANH[lead.unsigned_abs() as usize]
}
