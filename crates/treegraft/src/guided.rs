//! Playouts that know the game, made by the game itself.

use crate::weights::{draw_by_weight, most_urgent_first};
use crate::{EVAL_ONE, Evaluator, Game, Ipp, Outcome, Rng, Side, legal_moves};

/// How a guided playout is made: by which moves, and when it ends before the game does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide {
    /// Moves are those of improved playouts; uniform ones if this is `None`.
    pub ipp: Option<Ipp>,
    /// Moves are greedy ([`Evaluator::with_greedy`](crate::Evaluator::with_greedy)), but with this
    /// probability one of the above.
    pub greedy: Option<f64>,
    /// After so many plies the playout ends with the value of its position.
    pub cut: Option<u32>,
    /// Every so many plies, first after so many, the position is valued. If the value is greater
    /// than the second number, the first player has won; if it is less than its negative, the second.
    pub mercy: Option<(u32, i32)>,
    /// After so many plies the playout is given up.
    pub max_plies: u32,
}

/// How a guided playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidedPlayout {
    /// Why it ended.
    pub end: GuidedEnd,
    /// Number of moves played.
    pub plies: u32,
    /// Positions valued.
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

/// A fast way to make guided playouts: see [`Evaluator::with_playouts`](crate::Evaluator::with_playouts).
pub type GuidedPlayouts<G> = fn(&mut G, &Guide, &mut Rng) -> Option<GuidedPlayout>;

impl Guide {
    /// How the position after so many plies of a playout is looked at, and after how many plies that
    /// happens next.
    #[must_use]
    pub fn next_look(&self, plies: u32) -> u32 {
        let every = self.mercy.map_or(u32::MAX, |(every, _)| every.max(1));
        let look = (plies / every).saturating_add(1).saturating_mul(every);
        let cut = self.cut.filter(|&cut| cut > plies).unwrap_or(u32::MAX);
        look.min(cut).min(self.max_plies.max(plies + 1))
    }

    /// Looks at an unfinished position after so many plies: whether the playout ends here, and how
    /// many positions were valued for that.
    #[inline]
    pub fn look<G: Game>(
        &self,
        position: &G,
        plies: u32,
        evaluate: impl Fn(&G) -> i32,
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

/// A guided playout, move by move: what every fast one is compared with.
pub(crate) fn slow_playout<G: Game>(
    position: &mut G,
    guide: &Guide,
    evaluator: &Evaluator<G>,
    rng: &mut Rng,
) -> GuidedPlayout {
    let (mut plies, mut evaluations) = (0, 0);
    let end = loop {
        if let Some(outcome) = position.outcome() {
            break GuidedEnd::Over(outcome);
        }
        let (end, looks) = guide.look(position, plies, |position| evaluator.evaluate(position));
        evaluations += looks;
        if let Some(end) = end {
            break end;
        }
        let mut moves = legal_moves(position);
        let mv = match guide.greedy {
            Some(epsilon) if rng.unit() >= epsilon => {
                let best = greedy_moves(position, guide.ipp, evaluator, moves);
                best[rng.below(best.len() as u32) as usize]
            }
            _ => match guide.ipp {
                Some(ipp) => draw_by_weight(position, ipp, &mut moves, rng),
                None => moves[rng.below(moves.len() as u32) as usize],
            },
        };
        position.play(mv);
        plies += 1;
    };
    GuidedPlayout { end, plies, evaluations }
}

/// Of these legal moves, those that a greedy playout chooses from.
pub(crate) fn greedy_moves<G: Game>(
    position: &G,
    ipp: Option<Ipp>,
    evaluator: &Evaluator<G>,
    mut moves: Vec<G::Move>,
) -> Vec<G::Move> {
    if let Some(ipp) = ipp {
        let urgent = most_urgent_first(position, ipp, &mut moves);
        moves.truncate(urgent);
    }
    let value = |mv: G::Move| {
        let mut next = position.clone();
        next.play(mv);
        let value = match next.outcome() {
            Some(outcome) => outcome.value() * i64::from(EVAL_ONE),
            None => i64::from(evaluator.evaluate(&next)),
        };
        position.to_move().sign() * value
    };
    let values: Vec<i64> = moves.iter().map(|&mv| value(mv)).collect();
    let best = values.iter().max().copied();
    moves
        .into_iter()
        .zip(values)
        .filter(|&(_, value)| Some(value) == best)
        .map(|(mv, _)| mv)
        .collect()
}
