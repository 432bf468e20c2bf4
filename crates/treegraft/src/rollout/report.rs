//! The report on a search, on the way or at its end.

use super::Worker;
use super::tree::{Id, ROOT};
use crate::observe::Observer;
use crate::{EVAL_ONE, Game, MoveReport, Report, Stop};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// What the search reports if it ends now, or has ended.
    pub(super) fn report(&mut self, stop: Stop) -> Report<G::Move> {
        self.work.transitions += std::mem::take(&mut self.minimax.search.transitions);
        self.work.memory = self.tree.memory();
        let best = self.final_move(ROOT, self.root.to_move());
        let pv = self.principal_variation(best);
        let bounds = self.tree.bounds(ROOT as usize);
        let value = match bounds.outcome() {
            Some(outcome) => outcome.value() as f64,
            None => best.and_then(|child| self.tree.value(child)).unwrap_or_else(|| {
                // Only alpha-beta rollouts were made.
                let value = self.alpha_beta_value.unwrap_or(0) as f64;
                (value / f64::from(EVAL_ONE)).clamp(-1.0, 1.0)
            }),
        };
        Report {
            best_move: best.map(|child| self.tree.moves[child]),
            pv,
            value,
            proof: bounds.outcome(),
            // Where bounds on margins were kept and have met.
            margin: (self.has_margins && bounds.is_exact()).then_some(bounds.lo),
            moves: self.move_reports(),
            depth: self.deepest.saturating_sub(1) as u32,
            work: self.work,
            stop,
            digest: self.digest,
            strategies: match &self.switching {
                Some(switching) => switching.report(&self.shared.strategies),
                None => Vec::new(),
            },
        }
    }

    fn principal_variation(&self, best: Option<usize>) -> Vec<G::Move> {
        let mut pv = Vec::new();
        let mut position = self.root.clone();
        let mut next = best;
        while let Some(child) = next {
            let row = &self.tree.rows[child];
            pv.push(self.tree.moves[child]);
            position.play(self.tree.moves[child]);
            if row.finished() || row.count == 0 {
                break;
            }
            next = self.final_move(child as Id, position.to_move());
            next = next.filter(|&c| self.tree.rows[c].visits > 0 || self.tree.bounds(c).is_exact());
            // The proof of an embedded search is not in the tree: the line that shows it ends here.
            let proof = self.tree.bounds(child).outcome();
            next = next.filter(|&c| proof.is_none() || self.tree.bounds(c).outcome() == proof);
        }
        pv
    }

    /// All moves of the root in the game's order.
    fn move_reports(&mut self) -> Vec<MoveReport<G::Move>> {
        self.buffer.clear();
        self.root.moves(&mut self.buffer);
        // Of a young family, only the tried children are known.
        let is_young = self.tree.rows[ROOT as usize].is_young();
        let children = if is_young { self.tree.tried(ROOT) } else { self.tree.children(ROOT) };
        let child_of = |mv| children.clone().find(|&child| self.tree.moves[child] == mv);
        let report = |&mv: &G::Move| {
            let child = child_of(mv);
            MoveReport {
                visits: child.map_or(0, |child| u64::from(self.tree.rows[child].visits)),
                value: child.and_then(|child| self.tree.value(child)),
                proof: child.and_then(|child| self.tree.bounds(child).outcome()),
                ..MoveReport::new(mv)
            }
        };
        let mut moves: Vec<MoveReport<G::Move>> = self.buffer.iter().map(report).collect();
        if self.lines > 1 {
            let visits: Vec<u64> = moves.iter().map(|about| about.visits).collect();
            for place in most_visited(&visits, self.lines) {
                let child = child_of(moves[place].mv);
                moves[place].pv = self.principal_variation(child);
            }
        }
        moves
    }
}

/// The places of the `lines` greatest numbers of visits, those that are 0 left out. Not generic, so
/// that sorting is compiled once and not for every game.
fn most_visited(visits: &[u64], lines: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..visits.len()).filter(|&place| visits[place] > 0).collect();
    places.sort_by_key(|&place| std::cmp::Reverse(visits[place]));
    places.truncate(lines);
    places
}
