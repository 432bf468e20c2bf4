//! Endings: when to search to the end of the game at once, and what is left to the game's own solver.

use super::Worker;
use super::window::{INFINITY, WIN, Window};
use crate::observe::Observer;
use crate::{Exactness, Game, Knowledge};

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Whether the iteration after the one of this depth is the last.
    pub(super) fn leaps_after(&self, depth: u32) -> bool {
        if self.shared.config.leap.is_some_and(|leap| depth >= leap) {
            return true;
        }
        // Deep iterations are done only where there is time for them, so that no ending is begun that is
        // too long for the budget.
        match (self.shared.config.selective.ending, self.root.knowledge().plies_left()) {
            (Some(missing), Some(left)) => left <= depth.saturating_add(missing),
            (None, _) | (_, None) => false,
        }
    }

    /// What the game's own solver says of a position, in the view of the side to move: a proof.
    #[inline(always)]
    pub(super) fn solve_ending(
        &mut self,
        position: &G,
        depth: u32,
        window: Window,
    ) -> Option<Window> {
        let all = self
            .meter
            .budget()
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.work.nodes));
        let mut left = all;
        let answer = ask_solver(position, depth, window, &mut left);
        let used = all - left;
        if used > 0 {
            self.work.nodes += used;
            self.meter.charge(used as usize);
        }
        answer
    }
}

/// The same, with at most `nodes` nodes; those that it visits are subtracted.
#[inline(always)]
fn ask_solver<G: Game>(
    position: &G,
    depth: u32,
    window: Window,
    nodes: &mut u64,
) -> Option<Window> {
    // There are three values, so that nearly every window needs one question of two.
    let mut hi = INFINITY;
    if window.hi > 0 {
        if position.exactness().ending(depth, 1, nodes)? {
            return Some(Window::exactly(WIN));
        }
        hi = 0;
        if window.lo >= 0 {
            return Some(Window { lo: -INFINITY, hi });
        }
    }
    let is_lost = !position.exactness().ending(depth, 0, nodes)?;
    Some(if is_lost { Window::exactly(-WIN) } else { Window { lo: 0, hi } })
}
