//! What is known of a value: one type and one backup rule for the solver, for rollouts that prune,
//! and for score-bounded search.

use crate::{Outcome, Side};

/// A value that lies between `lo` and `hi`, both included, in the first player's view.
///
/// For outcomes the values are those of [`Outcome::value`]: -1, 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// At least so much.
    pub lo: i32,
    /// At most so much.
    pub hi: i32,
}

impl Bounds {
    /// Any outcome.
    pub const OUTCOME: Bounds = Bounds { lo: -1, hi: 1 };

    /// Exactly this value.
    #[inline]
    #[must_use]
    pub fn exactly(value: i32) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// Whether the value is known.
    #[inline]
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// The outcome, if these are bounds on outcomes and it is known.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        self.is_exact().then(|| Outcome::from_margin(i64::from(self.lo)))
    }

    /// The backup rule: the better of two children for the side that chooses, in both bounds.
    #[inline]
    #[must_use]
    pub fn or(self, other: Bounds, chooser: Side) -> Bounds {
        match chooser {
            Side::First => Bounds { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) },
            Side::Second => Bounds { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) },
        }
    }

    /// Whether a child with these bounds cannot improve on what `chooser` has for certain at a node
    /// with the bounds `node`.
    #[inline]
    #[must_use]
    pub fn is_useless_to(self, chooser: Side, node: Bounds) -> bool {
        match chooser {
            Side::First => self.hi <= node.lo,
            Side::Second => self.lo >= node.hi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chooser_gets_the_better_of_both_bounds() {
        let (a, b) = (Bounds { lo: -1, hi: 0 }, Bounds { lo: 0, hi: 1 });
        assert_eq!(a.or(b, Side::First), b);
        assert_eq!(a.or(b, Side::Second), a);
        let wide = Bounds { lo: -1, hi: 1 };
        assert_eq!(Bounds::exactly(0).or(wide, Side::First), Bounds { lo: 0, hi: 1 });
        assert_eq!(Bounds::exactly(0).or(wide, Side::Second), Bounds { lo: -1, hi: 0 });
    }

    #[test]
    fn a_child_that_cannot_be_better_is_useless() {
        let node = Bounds { lo: 0, hi: 1 };
        assert!(Bounds::exactly(0).is_useless_to(Side::First, node));
        assert!(!Bounds::exactly(0).is_useless_to(Side::Second, node));
        assert!(Bounds::exactly(1).is_useless_to(Side::Second, node));
    }
}
