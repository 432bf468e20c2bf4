//! Playouts that know the game, made by the game itself.

use crate::{Ipp, Outcome, Side};

/// How a guided playout is made: how moves are chosen, and when it ends before the game does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide {
    /// Moves are those of improved playouts; uniform ones if this is `None`.
    pub ipp: Option<Ipp>,
    /// Moves are greedy ([`Evaluator::with_greedy`](crate::Evaluator::with_greedy)), but with this
    /// probability one of the above.
    pub greedy: Option<f64>,
    /// Plies after which the playout ends with the value of its position.
    pub cut: Option<u32>,
    /// `(every, bound)`: the position is valued every `every` plies, first after `every`, unless the
    /// playout is cut off there. The first player has won if the value is above `bound`, which is not
    /// negative; the second, if it is below `-bound`.
    pub mercy: Option<(u32, i32)>,
    /// Plies after which the playout is given up.
    pub max_plies: u32,
}

/// How a guided playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidedPlayout {
    /// Why it ended.
    pub end: GuidedEnd,
    /// Number of moves played.
    pub plies: u32,
    /// Positions valued to see whether it ends there; not those that greedy moves are compared by.
    pub evaluations: u32,
}

/// Why a guided playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuidedEnd {
    /// The game is over.
    Over(Outcome),
    /// It was cut off at a position with this value, in the first player's view.
    Cut(i32),
    /// This side is clearly ahead.
    Mercy(Side),
    /// It was given up.
    Capped,
}

impl Guide {
    /// The number of plies, greater than `plies`, after which a playout must be
    /// [looked](Guide::look) at next.
    #[must_use]
    pub fn next_look(&self, plies: u32) -> u32 {
        let every = self.mercy.map_or(u32::MAX, |(every, _)| every.max(1));
        let look = (plies / every).saturating_add(1).saturating_mul(every);
        let cut = self.cut.filter(|&cut| cut > plies).unwrap_or(u32::MAX);
        look.min(cut).min(self.max_plies.max(plies + 1))
    }

    /// Looks at an unfinished position, `plies` plies after the start of the playout. Returns whether
    /// and how the playout ends here, and how many positions were valued for that.
    #[inline]
    pub fn look<P>(
        &self,
        position: &P,
        plies: u32,
        evaluate: impl Fn(&P) -> i32,
    ) -> (Option<GuidedEnd>, u32) {
        if self.cut == Some(plies) {
            return (Some(GuidedEnd::Cut(evaluate(position))), 1);
        }
        let mut evaluations = 0;
        if let Some((every, bound)) = self.mercy
            && plies > 0
            && plies.is_multiple_of(every.max(1))
        {
            evaluations = 1;
            let value = evaluate(position);
            if value.abs() > bound {
                let ahead = if value > 0 { Side::First } else { Side::Second };
                return (Some(GuidedEnd::Mercy(ahead)), 1);
            }
        }
        ((plies >= self.max_plies).then_some(GuidedEnd::Capped), evaluations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Guide = Guide { ipp: None, greedy: None, cut: None, mercy: None, max_plies: 9 };

    #[test]
    fn cuts_come_before_mercy_and_that_before_the_limit() {
        let cut = Guide { cut: Some(4), ..PLAIN };
        let mercy = Guide { mercy: Some((3, 500)), ..PLAIN };
        let both = Guide { cut: Some(6), ..mercy };
        let (ahead, behind) = (GuidedEnd::Mercy(Side::First), GuidedEnd::Mercy(Side::Second));
        let cases = [
            (PLAIN, 0, 999, (None, 0)),
            (PLAIN, 8, 999, (None, 0)),
            (PLAIN, 9, 999, (Some(GuidedEnd::Capped), 0)),
            (cut, 3, 999, (None, 0)),
            (cut, 4, -7, (Some(GuidedEnd::Cut(-7)), 1)),
            (Guide { cut: Some(0), ..PLAIN }, 0, 7, (Some(GuidedEnd::Cut(7)), 1)),
            (Guide { cut: Some(9), ..PLAIN }, 9, 7, (Some(GuidedEnd::Cut(7)), 1)),
            (mercy, 0, 999, (None, 0)),
            (mercy, 2, 999, (None, 0)),
            (mercy, 3, 500, (None, 1)),
            (mercy, 3, 501, (Some(ahead), 1)),
            (mercy, 6, -501, (Some(behind), 1)),
            (mercy, 9, 501, (Some(ahead), 1)),
            (mercy, 9, 500, (Some(GuidedEnd::Capped), 1)),
            (both, 3, 501, (Some(ahead), 1)),
            (both, 6, 501, (Some(GuidedEnd::Cut(501)), 1)),
            // Every 0 plies is every ply.
            (Guide { mercy: Some((0, 500)), ..PLAIN }, 1, 501, (Some(ahead), 1)),
        ];
        for (guide, plies, value, expected) in cases {
            let found = guide.look(&(), plies, |_| value);
            assert_eq!(found, expected, "{guide:?} {plies} {value}");
        }
    }

    /// Between two of these numbers, looking finds nothing.
    #[test]
    fn the_next_look_comes_in_time() {
        let cuts = [None, Some(0), Some(1), Some(4), Some(11)];
        let mercies = [None, Some((0, 5)), Some((1, 5)), Some((3, 5)), Some((u32::MAX, 5))];
        for (cut, mercy) in cuts.into_iter().flat_map(|cut| mercies.map(|mercy| (cut, mercy))) {
            for max_plies in [0, 1, 7, u32::MAX] {
                let guide = Guide { cut, mercy, max_plies, ..PLAIN };
                for plies in 0..20 {
                    let next = guide.next_look(plies);
                    assert!(next > plies, "{guide:?} {plies}");
                    for between in plies + 1..next.min(40) {
                        let is_capped = between > max_plies;
                        let found = guide.look(&(), between, |_| 9);
                        assert!(is_capped || found == (None, 0), "{guide:?} {plies} {between}");
                    }
                }
            }
        }
    }
}
