//! The top of the tree for people to look at.

use super::{Id, ROOT, Tree};
use crate::rollout::Channel;
use crate::rollout::alpha_beta::ANY;
use crate::{AmafReport, Bounds, EVAL_ONE, Game, IntervalReport, Speed, TreeNode};

impl<M: Copy> Tree<M> {
    /// A node with `depth` plies below it, and at each node the `width` most visited children; of
    /// equally visited ones, those with better values for the side to move.
    pub(in crate::rollout) fn view<G: Game<Move = M>>(
        &self,
        node: Id,
        position: &G,
        depth: u32,
        width: usize,
    ) -> TreeNode<M> {
        let at = node as usize;
        let sign = position.to_move().sign() as f64;
        // Children may be excluded before they are ever visited; then they are proven.
        let known = |child: usize| {
            let value = self.value(child)?;
            Some((u64::from(self.rows[child].visits), sign * value, child as Id))
        };
        let below = |child: Id| {
            let mut next = position.clone();
            let mv = self.moves[child as usize];
            next.play(mv);
            TreeNode {
                amaf: self.amaf_report(at, position, mv),
                ..self.view(child, &next, depth - 1, width)
            }
        };
        let node = TreeNode {
            mv: (node != ROOT).then_some(self.moves[at]),
            visits: u64::from(self.rows[at].visits),
            value: self.value(at),
            bounds: [None; 2],
            channels: Channel::ALL.map(|channel| self.known_value(channel, at)),
            interval: self.interval(at),
            amaf: None,
            proof: self.bounds(at).outcome(),
            children: Vec::new(),
            hidden: 0,
        };
        let children = self.tried(at as Id).filter_map(known).collect();
        node.with_children(children, depth, width, below)
    }
}

impl<M: Copy> Tree<M> {
    /// What a channel says of a node.
    fn known_value(&self, channel: Channel, node: usize) -> Option<f64> {
        let value = self.channel(channel).get(node).copied();
        value.filter(|value| !value.is_nan()).map(f64::from)
    }

    /// What alpha-beta rollouts know of a node at the depth that they search next, or searched last.
    fn interval(&self, node: usize) -> Option<IntervalReport> {
        let intervals = &self.side.intervals;
        if !intervals.is_present() {
            return None;
        }
        let (depth, Bounds { lo, hi }) = intervals.latest(node)?;
        let value = |end: i64| (end as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0);
        let low = (lo > ANY.lo).then(|| value(lo));
        let high = (hi < ANY.hi).then(|| value(hi));
        Some(IntervalReport { depth, bounds: [low, high] })
    }

    /// What is known of a move from all simulations through a node in which the side to move plays it.
    fn amaf_report<G: Game<Move = M>>(
        &self,
        node: usize,
        position: &G,
        mv: M,
    ) -> Option<AmafReport> {
        let table = *self.side.tables.get(node)?;
        let cell = self.amaf.cell(table, position.to_move(), position.speed().move_slot(mv));
        let mean = f64::from(cell.sum) / f64::from(cell.count);
        (cell.count > 0.0).then_some(AmafReport { count: cell.count as u64, mean })
    }
}
