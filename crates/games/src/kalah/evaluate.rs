//! The static evaluation.

use std::sync::LazyLock;

use treegraft::{Evaluator, Part, Side};

use super::{Kalah, MOST_STONES, tuned};
use crate::squash;

/// All evaluations that know this board, the usual one first: to exchange them would change what
/// searches do that ask for it.
pub(super) fn evaluators(position: &Kalah) -> Vec<Evaluator<Kalah>> {
    let stores = Evaluator::plain(
        "stores",
        "difference of the stores; stones in houses count nothing (efRS of Lanctot et al. 2014)",
        stores,
    )
    .with_parts(|it| vec![Part::new("store", SIDES.map(|side| it.store(side)), 1.0)]);
    [stores].into_iter().chain(tuned::evaluator(position)).collect()
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

fn stores(position: &Kalah) -> i32 {
    static TANH: LazyLock<[i32; MOST_STONES as usize + 1]> =
        LazyLock::new(|| std::array::from_fn(|lead| squash::tanh(lead as f64 / 10.0)));
    let lead = position.lead();
    lead.signum() as i32 * TANH[lead.unsigned_abs() as usize]
}
