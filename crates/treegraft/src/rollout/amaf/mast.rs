//! MAST: the moves of playouts by their mean rewards in all simulations so far.

use super::Cell;
use super::tables::count_all;
use crate::observe::Observer;
use crate::rollout::Worker;
use crate::rollout::shared::Policy;
use crate::weights::{best_first, most_urgent_first};
use crate::{Game, Side, Speed, Trace};

/// The statistics of all moves, wherever they are played.
#[derive(Debug)]
pub(in crate::rollout) struct Mast {
    /// By side and slot.
    cells: [Vec<Cell>; 2],
}

impl Mast {
    pub(super) fn new(slots: usize) -> Mast {
        Mast { cells: [vec![Cell::default(); slots], vec![Cell::default(); slots]] }
    }

    /// Halves large counts, so that they stay whole numbers.
    pub(super) fn halve(&mut self) {
        let cells = self.cells.iter_mut().flatten();
        cells.filter(|cell| cell.count >= Cell::SAFE as f32).for_each(Cell::halve);
    }

    /// Counts a simulation.
    pub(super) fn count(&mut self, trace: &Trace, reward: f32) {
        for side in [Side::First, Side::Second] {
            count_all(&mut self.cells[side.index()], trace.words(side), reward);
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The move with the best mean reward for the mover, drawn uniformly among equals. A move that was
    /// never played is as good as one that always wins. Improved playouts leave only the most urgent.
    pub(in crate::rollout) fn best_by_mast(&mut self, policy: &Policy<G>, position: &G) -> G::Move {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        if let Some(ipp) = policy.playouts.improved() {
            let urgent = most_urgent_first(position, ipp, &mut self.buffer);
            self.buffer.truncate(urgent);
        }
        let mover = position.to_move();
        let sign = mover.sign() as f32;
        let value = |mv: G::Move| {
            let cells = self.amaf.mast.as_ref().map(|mast| &mast.cells[mover.index()]);
            let cell = cells.and_then(|cells| cells.get(position.speed().move_slot(mv)));
            let cell = cell.filter(|cell| cell.count > 0.0);
            cell.map_or(1.0, |cell| sign * cell.mean())
        };
        let equals = best_first(&mut self.buffer, f32::NEG_INFINITY, value);
        self.buffer[self.rng.below(equals.max(1) as u32) as usize]
    }
}
