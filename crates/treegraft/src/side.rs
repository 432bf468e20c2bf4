//! The two players and how a game can end.

use serde::Serialize;

/// One of the two players.
///
/// Every value that Treegraft stores is in the first player's view; [`Side::sign`] is the only
/// place where a value changes sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player who moves first in the game's usual starting position.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// `+1` for the first player, `-1` for the second: multiply a first-player value by it
    /// to get this side's view, and the other way round.
    #[inline]
    #[must_use]
    pub fn sign(self) -> i64 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }

    /// `0` for the first player, `1` for the second: for tables with one row per side.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// `+1` if the first player won, `0` for a draw, `-1` if the second player won.
    #[inline]
    #[must_use]
    pub fn value(self) -> i64 {
        match self {
            Outcome::Win(side) => side.sign(),
            Outcome::Draw => 0,
        }
    }

    /// The outcome that a final margin in the first player's view stands for.
    #[inline]
    #[must_use]
    pub fn from_margin(margin: i64) -> Outcome {
        match margin.signum() {
            1 => Outcome::Win(Side::First),
            -1 => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        }
    }

    /// The side that won, if one did.
    #[inline]
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_outcomes_agree_on_signs() {
        for side in [Side::First, Side::Second] {
            assert_eq!(side.other().other(), side);
            assert_eq!(side.sign(), -side.other().sign());
            assert_eq!(Outcome::Win(side).value(), side.sign());
            assert_eq!(Outcome::from_margin(7 * side.sign()), Outcome::Win(side));
            assert_eq!(Outcome::Win(side).winner(), Some(side));
        }
        assert_eq!(Outcome::from_margin(0), Outcome::Draw);
        assert_eq!(Outcome::Draw.winner(), None);
    }
}
