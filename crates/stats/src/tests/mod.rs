//! Tests of the statistics, by file.

mod linear;
mod mean;
mod pentanomial;
mod rating;
mod significance;
mod sprt;
mod tally;

use proptest::prelude::*;

use super::Pentanomial;

fn assert_near(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0), "{what}: {ours}, not {theirs}");
}

/// Any few pairs, often with kinds of pairs that never occurred.
fn any_pairs() -> impl Strategy<Value = Pentanomial> {
    let count = prop_oneof![2 => Just(0u32), 2 => 1u32..6, 1 => 1u32..1000];
    prop::array::uniform5(count).prop_map(|counts| Pentanomial { counts })
}
