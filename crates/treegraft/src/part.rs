//! What an evaluation is made of.

use std::borrow::Cow;

/// A part of an evaluation: something that it counts for both sides, and its value.
///
/// The parts of a position add up to its points ([`Part::sum`]), in a unit of the evaluation's own.
/// The value is whatever curve the evaluation puts over the points, as long as it never falls:
/// positions with more points are never worse for the first player, and those with equally many have
/// the same value. [`Evaluator::with_parts`](crate::Evaluator::with_parts) and
/// [`Evaluate::parts`](crate::Evaluate::parts) return them. No search needs them, so they need not
/// be fast.
///
/// ```
/// use treegraft::Part;
///
/// let parts = [Part::new("pieces", [14, 12], 10.0), Part::new("furthest row", [3, 4], 2.5)];
/// assert_eq!(parts[0].lead(), 2.0);
/// assert_eq!(Part::sum(&parts), 20.0 - 2.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What is counted. The names of an evaluation's parts differ, and are the same all game long.
    pub name: Cow<'static, str>,
    /// How much of it the first and the second player have.
    pub amounts: [f64; 2],
    /// The value of one of it to the side that has it: negative for what is better not to have.
    pub weight: f64,
}

impl Part {
    /// A part with these amounts of the first and the second player.
    #[must_use]
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        amounts: [impl Into<f64>; 2],
        weight: f64,
    ) -> Part {
        Part { name: name.into(), amounts: amounts.map(Into::into), weight }
    }

    /// How much more of it the first player has.
    #[must_use]
    pub fn lead(&self) -> f64 {
        self.amounts[0] - self.amounts[1]
    }

    /// The value of that to the first player.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.weight * self.lead()
    }

    /// The points of all parts together.
    #[must_use]
    pub fn sum(parts: &[Part]) -> f64 {
        // Without a part the sum of floats is -0.
        parts.iter().fold(0.0, |sum, part| sum + part.points())
    }
}
