//! What a search knows at its end, and the report.

use super::Worker;
use super::arena::{Id, ROOT};
use crate::depth_first::{Scores, WIN};
use crate::observe::Observer;
use crate::{Bounds, Game, MoveReport, Outcome, Report, Side, Stop};

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

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// The result by the present bounds.
    pub(super) fn result(&self) -> IterationResult<G::Move> {
        let about = |child: Id| MoveResult {
            mv: self.arena.mv(child),
            bounds: self.worth_of(child),
            proof: self.reading().proof(child),
        };
        let bounds = self.worth_of(ROOT);
        let is_unproven = self.arena.is_unproven(ROOT);
        let is_value = bounds.is_exact() && !is_unproven;
        let (for_first, for_second) = match self.shared.config.scores {
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
            proof: self.reading().proof(ROOT),
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

    /// The moves with the best guarantees, from the root or after its move `first`. Where the
    /// value is known, only as far as the moves are known to keep it.
    fn principal_variation(&self, first: Option<G::Move>) -> Vec<G::Move> {
        let mut value = self.arena.bounds(ROOT);
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
            if line.is_empty() && first.is_some() {
                value = self.arena.bounds(node);
            } else if value.is_exact() && self.arena.bounds(node) != value && !line.is_empty() {
                return line;
            }
            line.push(self.arena.mv(node));
            position.play(self.arena.mv(node));
        }
    }

    /// What the search reports with these findings.
    pub(super) fn report(&self, stop: Stop, found: &IterationResult<G::Move>) -> Report<G::Move> {
        let is_margin = self.shared.config.scores == Scores::Margin && self.has_margins;
        let ends = [found.bounds.lo, found.bounds.hi].map(|end| self.reading().shown(end));
        let value = found.proof.map_or((ends[0] + ends[1]) / 2.0, |proof| proof.value() as f64);
        let about = |&mv: &G::Move| {
            let place = found.moves.iter().position(|about| about.mv == mv);
            let about = place.map(|place| &found.moves[place]);
            let known = about.map(|about| self.reading().known(about.bounds));
            let (value, bounds) = known.unwrap_or_default();
            MoveReport {
                visits: place.and_then(|place| self.leaves.get(place)).copied().unwrap_or(0),
                value,
                bounds,
                proof: about.and_then(|about| about.proof),
                ..MoveReport::new(mv)
            }
        };
        let mut moves: Vec<MoveReport<G::Move>> = self.moves.iter().map(about).collect();
        if self.lines > 1 {
            for mv in self.best_moves(found) {
                let about = moves.iter_mut().filter(|about| about.mv == mv);
                about.for_each(|about| {
                    about.pv = match found.pv.first() {
                        Some(&best) if best == mv => found.pv.clone(),
                        _ => self.principal_variation(Some(mv)),
                    }
                });
            }
        }
        Report {
            best_move: found.pv.first().copied(),
            pv: found.pv.clone(),
            value,
            proof: found.proof,
            margin: found.value.filter(|_| is_margin),
            moves,
            depth: if self.shared.config.deepening { found.depth } else { self.deepest },
            stop,
            digest: self.digest,
            ..Report::of_work(self.work)
        }
    }

    /// The moves with the best guarantees, as many as were requested.
    fn best_moves(&self, found: &IterationResult<G::Move>) -> Vec<G::Move> {
        let mut left: Vec<&MoveResult<G::Move>> = found.moves.iter().collect();
        let mut best = Vec::new();
        while best.len() < self.lines {
            let bounds: Vec<Bounds> = left.iter().map(|about| about.bounds).collect();
            let Some(place) = best_guaranteed(&bounds, self.root.to_move()) else { break };
            best.push(left.remove(place).mv);
        }
        best
    }
}
