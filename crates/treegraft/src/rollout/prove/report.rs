//! What a search knows at its end, and the report.

use super::arena::{Id, ROOT};
use super::{ProvingSearch, Scores};
use crate::depth_first::WIN;
use crate::{Bounds, EVAL_ONE, Game, MoveReport, Outcome, Report, Side, Stop};

/// What an iteration has found, in the first player's view.
#[derive(Clone, Debug)]
pub(super) struct IterationResult<M> {
    /// The horizon.
    pub(super) depth: u32,
    pub(super) bounds: Bounds,
    /// Whether the bounds rest on a horizon, or on moves left out.
    pub(super) is_unproven: bool,
    pub(super) proof: Option<Outcome>,
    /// Best play as far as it is known: at least one move.
    pub(super) pv: Vec<M>,
    /// The moves that were looked at.
    pub(super) moves: Vec<MoveResult<M>>,
    /// The exact margin or outcome, if that is proven.
    value: Option<i64>,
    /// Whether the side to move wins or loses; where moves are left out, without proof.
    pub(super) is_won: bool,
    pub(super) is_lost: bool,
}

#[derive(Clone, Debug)]
pub(super) struct MoveResult<M> {
    pub(super) mv: M,
    pub(super) bounds: Bounds,
    proof: Option<Outcome>,
}

impl<M: Copy + Eq> IterationResult<M> {
    /// The result to use if this iteration was not completed: that of the one before it, unless
    /// there is none or this one has found a win. A proof counts in any case, and the line is the
    /// one that keeps it.
    pub(super) fn or_earlier(self, earlier: Option<IterationResult<M>>) -> IterationResult<M> {
        match earlier {
            Some(earlier) if !self.is_won => {
                let pv = if self.proof.is_some() { self.pv } else { earlier.pv };
                IterationResult { proof: self.proof, pv, ..earlier }
            }
            _ => self,
        }
    }
}

/// The place of the child with the best guarantee: the highest lower bound for the first player,
/// the lowest upper bound for the second. Among equals it is the one that may be better, then the
/// leftmost.
pub(super) fn best_guaranteed(children: &[Bounds], mover: Side) -> Option<usize> {
    // The complement reverses the second player's ends; negation would overflow for infinite ones.
    let rank = |bounds: &Bounds| match mover {
        Side::First => (bounds.lo, bounds.hi),
        Side::Second => (!bounds.hi, !bounds.lo),
    };
    let places = (0..children.len()).rev();
    places.max_by_key(|&place| rank(&children[place]))
}

impl<G: Game> ProvingSearch<'_, '_, G> {
    /// The result by the present bounds.
    pub(super) fn result(&self) -> IterationResult<G::Move> {
        let about = |child: Id| MoveResult {
            mv: self.arena.mv(child),
            bounds: self.worth(self.arena.bounds(child)),
            proof: self.proof(child),
        };
        let bounds = self.worth(self.arena.bounds(ROOT));
        let is_unproven = self.arena.is_unproven(ROOT);
        let is_value = bounds.is_exact() && !is_unproven;
        let (for_first, for_second) = match self.config.scores {
            Scores::Outcome => (bounds.lo >= WIN, bounds.hi <= -WIN),
            Scores::Margin => (false, false),
        };
        let (is_won, is_lost) = match self.root.to_move() {
            Side::First => (for_first, for_second),
            Side::Second => (for_second, for_first),
        };
        IterationResult {
            depth: self.depth,
            bounds,
            is_unproven,
            proof: self.proof(ROOT),
            value: Some(bounds.lo).filter(|_| is_value),
            pv: self.principal_variation(None),
            moves: self.arena.children(ROOT).map(about).collect(),
            is_won,
            is_lost,
        }
    }

    /// Where every move loses, plays the one that looked best an iteration before: as far as one can
    /// see, it takes longest.
    pub(super) fn keep_longest(
        &self,
        found: &mut IterationResult<G::Move>,
        earlier: Option<&IterationResult<G::Move>>,
    ) {
        if let Some(earlier) = earlier.filter(|_| found.is_lost) {
            found.pv = self.principal_variation(earlier.pv.first().copied());
        }
    }

    /// The moves with the best guarantees, from the root or behind its move `first`. Where the
    /// value is known, only as far as the moves are known to keep it.
    fn principal_variation(&self, first: Option<G::Move>) -> Vec<G::Move> {
        let value = self.arena.bounds(ROOT);
        let mut line = Vec::new();
        let mut position = self.root.clone();
        let mut node = ROOT;
        loop {
            let children = self.arena.children(node);
            let given = first
                .filter(|_| line.is_empty())
                .and_then(|first| children.clone().position(|child| self.arena.mv(child) == first));
            let best = given
                .or_else(|| best_guaranteed(self.arena.all_bounds(&children), position.to_move()));
            let Some(place) = best else { return line };
            node = children.start + place as Id;
            if value.is_exact() && self.arena.bounds(node) != value && !line.is_empty() {
                return line;
            }
            line.push(self.arena.mv(node));
            position.play(self.arena.mv(node));
        }
    }

    /// The report of a search that has ended; `moves` are those of the game.
    pub(super) fn report(
        &self,
        stop: Stop,
        found: &IterationResult<G::Move>,
        moves: &[G::Move],
    ) -> Report<G::Move> {
        let is_margin = self.config.scores == Scores::Margin && self.has_margins;
        let ends = [found.bounds.lo, found.bounds.hi].map(|end| self.shown(end));
        let value = found.proof.map_or((ends[0] + ends[1]) / 2.0, |proof| proof.value() as f64);
        let about = |&mv: &G::Move| {
            let place = found.moves.iter().position(|about| about.mv == mv);
            let about = place.map(|place| &found.moves[place]);
            let ends = about.map(|about| {
                let Bounds { lo, hi } = about.bounds;
                [self.shown(lo), self.shown(hi)]
            });
            let (value, bounds) = match ends {
                Some([low, high]) if low == high => (Some(low), [None; 2]),
                Some([low, high]) => (None, MoveReport::<G::Move>::bounds_between(low, high)),
                None => (None, [None; 2]),
            };
            MoveReport {
                mv,
                visits: place.and_then(|place| self.leaves.get(place)).copied().unwrap_or(0),
                value,
                bounds,
                proof: about.and_then(|about| about.proof),
            }
        };
        Report {
            best_move: found.pv.first().copied(),
            pv: found.pv.clone(),
            value,
            proof: found.proof,
            margin: found.value.filter(|_| is_margin),
            moves: moves.iter().map(about).collect(),
            depth: if self.config.deepening { found.depth } else { self.deepest },
            work: self.work,
            stop,
            digest: self.digest,
            strategies: Vec::new(),
        }
    }

    /// A value as reports have it, from -1 to 1.
    fn shown(&self, value: i64) -> f64 {
        match self.config.scores {
            Scores::Outcome => (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0),
            Scores::Margin => value.signum() as f64,
        }
    }
}
