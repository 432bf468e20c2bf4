//! Evaluations that approach a won or lost game without ever reaching it.

use treegraft::EVAL_ONE;

/// The hyperbolic tangent as an evaluation: the same number on every machine.
pub(crate) fn tanh(x: f64) -> i32 {
    // The standard library asks the system for its tangent, and systems differ in the last digit.
    let value = libm::round(libm::tanh(x) * f64::from(EVAL_ONE)) as i32;
    value.clamp(1 - EVAL_ONE, EVAL_ONE - 1)
}

/// A lead as an evaluation: half a game for a lead of `half`, more for more.
#[inline(always)]
pub(crate) fn share(lead: i32, half: i32) -> i32 {
    EVAL_ONE / (lead.abs() + half) * lead
}
