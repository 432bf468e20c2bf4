//! What is known of a value: one type and one backup rule for the solver, for rollouts that prune,
//! and for score-bounded search.

use crate::{Outcome, Side};

/// What is known of a value: it lies between `lo` and `hi`, both included, in the first player's
/// view.
///
/// For outcomes the values are those of [`Outcome::value`]: -1, 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The lower bound.
    pub lo: i64,
    /// The upper bound.
    pub hi: i64,
}

impl Bounds {
    /// Any outcome.
    pub const OUTCOME: Bounds = Bounds { lo: -1, hi: 1 };

    /// Any margin.
    pub const MARGIN: Bounds = Bounds { lo: i64::MIN, hi: i64::MAX };

    /// Exactly this value.
    #[inline]
    #[must_use]
    pub fn exactly(value: i64) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// Whether the value is known.
    #[inline]
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// The outcome, if it is known: the winner may be certain before the margin is.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Bounds { lo: 1.., .. } => Some(Outcome::Win(Side::First)),
            Bounds { hi: ..=-1, .. } => Some(Outcome::Win(Side::Second)),
            Bounds { lo: 0, hi: 0 } => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The backup rule: in both bounds, the better of two children for `mover`, the side to move.
    #[inline]
    #[must_use]
    pub fn or(self, other: Bounds, mover: Side) -> Bounds {
        match mover {
            Side::First => Bounds { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) },
            Side::Second => Bounds { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) },
        }
    }

    /// What is known if both are true.
    #[inline]
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Whether a child with these bounds cannot improve on what `mover` has for certain at a node
    /// with the bounds `node`.
    #[inline]
    #[must_use]
    pub fn is_useless_to(self, mover: Side, node: Bounds) -> bool {
        match mover {
            Side::First => self.hi <= node.lo,
            Side::Second => self.lo >= node.hi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mover_gets_the_better_of_both_bounds() {
        let (a, b) = (Bounds { lo: -1, hi: 0 }, Bounds { lo: 0, hi: 1 });
        assert_eq!(a.or(b, Side::First), b);
        assert_eq!(a.or(b, Side::Second), a);
        let wide = Bounds { lo: -1, hi: 1 };
        assert_eq!(Bounds::exactly(0).or(wide, Side::First), Bounds { lo: 0, hi: 1 });
        assert_eq!(Bounds::exactly(0).or(wide, Side::Second), Bounds { lo: -1, hi: 0 });
        assert_eq!(a.and(wide), a);
        assert_eq!(a.and(b), Bounds::exactly(0));
    }

    #[test]
    fn the_winner_may_be_known_before_the_margin() {
        assert_eq!(Bounds { lo: 2, hi: 9 }.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(Bounds { lo: -7, hi: -1 }.outcome(), Some(Outcome::Win(Side::Second)));
        assert_eq!(Bounds { lo: 0, hi: 9 }.outcome(), None);
        assert_eq!(Bounds::exactly(0).outcome(), Some(Outcome::Draw));
        assert_eq!(Bounds::MARGIN.outcome(), None);
    }

    #[test]
    fn a_child_that_cannot_be_better_is_useless() {
        let node = Bounds { lo: 0, hi: 1 };
        assert!(Bounds::exactly(0).is_useless_to(Side::First, node));
        assert!(!Bounds::exactly(0).is_useless_to(Side::Second, node));
        assert!(Bounds::exactly(1).is_useless_to(Side::Second, node));
    }
}
