//! What is proven about the positions of a game.

use treegraft::{Bounds, Outcome, Side};

use treegraft_engine::Proof;

/// Lower and upper bounds on the value of every position of a game with best play: -1, 0 or 1 in
/// the first player's view. They come only from proofs and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct Known {
    bounds: Vec<Bounds>,
    /// Who moves in each position but the last.
    turns: Vec<Turn>,
}

/// Who moves in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) mover: Side,
    /// Whether there is only one move.
    pub(super) is_forced: bool,
}

impl Known {
    /// Nothing, about the positions of these turns and the last one.
    pub(super) fn nothing(turns: Vec<Turn>) -> Known {
        Known { bounds: vec![Bounds::OUTCOME; turns.len() + 1], turns }
    }

    /// A position has this outcome.
    pub(super) fn set(&mut self, position: usize, outcome: Outcome) {
        self.tighten(position, Bounds::exactly(outcome.value()));
    }

    /// A side reaches at least this outcome.
    pub(super) fn at_least(&mut self, position: usize, side: Side, outcome: Outcome) {
        self.tighten(position, at_least(side, outcome.value()));
    }

    /// Proofs are about positions. Where a draw by repetition or by the length of the game
    /// contradicts them, what was known first stays.
    fn tighten(&mut self, position: usize, bounds: Bounds) {
        let both = self.bounds[position].and(bounds);
        if both.lo <= both.hi {
            self.bounds[position] = both;
        }
    }

    /// The side to move gets at least the value of the move that was played, and no move has more
    /// than the value of the position. A move without a choice changes nothing.
    pub(super) fn spread(&mut self) {
        for at in (0..self.turns.len()).rev() {
            let (Turn { mover, is_forced }, after) = (self.turns[at], self.bounds[at + 1]);
            let least = if mover == Side::First { after.lo } else { after.hi };
            self.tighten(at, if is_forced { after } else { at_least(mover, least) });
        }
        for at in 0..self.turns.len() {
            let (Turn { mover, is_forced }, before) = (self.turns[at], self.bounds[at]);
            let most = if mover == Side::First { before.hi } else { before.lo };
            self.tighten(at + 1, if is_forced { before } else { at_least(mover.other(), most) });
        }
    }

    /// Whether there is only one move.
    pub(super) fn is_forced(&self, position: usize) -> bool {
        self.turns.get(position).is_some_and(|turn| turn.is_forced)
    }

    pub(super) fn is_exact(&self, position: usize) -> bool {
        self.bounds[position].is_exact()
    }

    /// The outcome of a position for a side, if it is proven.
    pub(super) fn proof(&self, position: usize, side: Side) -> Option<Proof> {
        self.bounds[position].outcome().map(|outcome| Proof::of(outcome, side))
    }

    /// Whether a side is lost in a position, if that is proven either way.
    pub(super) fn is_lost(&self, position: usize, side: Side) -> Option<bool> {
        let Bounds { lo, hi } = self.bounds[position];
        match if side == Side::First { (lo, hi) } else { (-hi, -lo) } {
            (_, -1) => Some(true),
            (0.., _) => Some(false),
            _ => None,
        }
    }
}

/// The bounds of a position in which a side gets at least this value.
fn at_least(side: Side, value: i64) -> Bounds {
    match side {
        Side::First => Bounds { lo: value, ..Bounds::OUTCOME },
        Side::Second => Bounds { hi: value, ..Bounds::OUTCOME },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    fn turns(movers: &[Side]) -> Vec<Turn> {
        movers.iter().map(|&mover| Turn { mover, is_forced: false }).collect()
    }

    /// Searches with a budget look no further where there is only one move.
    #[test]
    fn a_forced_move_changes_nothing() {
        let mut known = Known::nothing(vec![Turn { mover: First, is_forced: true }]);
        known.set(1, Outcome::Win(Second));
        known.spread();
        assert_eq!(known.proof(0, First), Some(Proof::Loss));
        let mut known = Known::nothing(vec![Turn { mover: First, is_forced: true }]);
        known.set(0, Outcome::Win(First));
        known.spread();
        assert_eq!(known.proof(1, First), Some(Proof::Win));
    }

    #[test]
    fn proofs_spread_to_their_neighbours() {
        let mut known = Known::nothing(turns(&[First, Second, First, Second]));
        known.set(4, Outcome::Win(Second));
        known.spread();
        // The move before the end wins; what the loser might have had is open.
        let lost: Vec<_> = (0..5).map(|at| known.is_lost(at, First)).collect();
        assert_eq!(lost, [None, None, None, Some(true), Some(true)]);
        // A draw that the first side could have had is no loss.
        known.at_least(2, First, Outcome::Draw);
        assert_eq!((known.is_lost(2, First), known.is_exact(2)), (Some(false), false));
        // A position that is lost for its mover is lost after every move.
        known.set(0, Outcome::Draw);
        known.spread();
        assert_eq!(known.is_lost(1, First), None);
        assert_eq!(known.proof(1, Second), None, "a draw, or worse for the first side");
        known.set(2, Outcome::Draw);
        known.spread();
        assert_eq!(known.proof(2, Second), Some(Proof::Draw));
    }

    #[test]
    fn a_contradiction_changes_nothing() {
        let mut known = Known::nothing(turns(&[First]));
        known.set(1, Outcome::Draw);
        known.set(1, Outcome::Win(Second));
        assert_eq!(known.proof(1, First), Some(Proof::Draw));
    }
}
