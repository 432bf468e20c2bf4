//! All moves as first (AMAF): the rewards of a move wherever it is played after a node.
//!
//! RAVE (Gelly & Silver 2007) mixes this into the mean reward of a node's own children, GRAVE (Cazenave
//! 2015) takes it from an ancestor with more simulations, and MAST (Finnsson & Björnsson 2008) keeps it
//! for all of the search and chooses the moves of playouts by it.
//!
//! A move counts for the side that plays it, and once in a simulation. Nothing is proven by it, and the
//! final move does not know it.

mod mast;
mod tables;
#[cfg(test)]
mod tests;

use tables::Played;
pub(super) use tables::{Cell, NO_TABLE, Tables};

use super::shared::Shared;
use super::tree::{Id, Row, UNKNOWN};
use super::ucb::{AmafValues, UpperConfidenceBounds};
use super::{Step, Worker};
#[cfg(test)]
use crate::Trace;
use crate::bits::{Cpu, MAX_LANES, Simd};
use crate::observe::Observer;
use crate::{Game, Side, Speed};
use mast::Mast;

/// The moves in the tree, those of the playout, and the reward.
#[cfg(test)]
type Simulation = (Vec<(Side, usize)>, Trace, f64);

/// The moves of the present simulation, and what they are used for.
#[derive(Debug, Default)]
pub(super) struct Amaf {
    /// Whether moves are recorded at all.
    pub(super) is_on: bool,
    /// The moves in the tree, from the root: who played which slot.
    steps: Vec<(Side, usize)>,
    /// What is known of the children that are compared.
    cells: Vec<[f32; 2]>,
    pub(super) mast: Option<Mast>,
    /// Memory for the moves of a simulation.
    played: Played,
    /// The moves of all simulations and their rewards, for tests.
    #[cfg(test)]
    log: Vec<Simulation>,
}

impl Amaf {
    /// MAST's statistics are kept if the search uses them itself, or a strategy does.
    pub(super) fn new<G: Game>(shared: &Shared<G>, slots: usize) -> Amaf {
        let asks_mast = shared.policies().any(|policy| policy.mast.is_some());
        let is_on = shared.config.rave.is_some() || asks_mast;
        Amaf { is_on, mast: asks_mast.then(|| Mast::new(slots)), ..Amaf::default() }
    }

    /// A simulation begins.
    pub(super) fn begin(&mut self) {
        self.steps.clear();
    }

    /// A move in the tree.
    #[inline]
    pub(super) fn step<G: Game>(&mut self, position: &G, mv: G::Move) {
        self.steps.push((position.to_move(), position.speed().move_slot(mv)));
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The table that counts at the end of the path. In RAVE it is the node's own, or if there was no room
    /// for one that of the nearest node above with the same mover; in GRAVE that of the nearest node with
    /// enough visits, or else the one that is nearest to the root.
    #[inline(always)]
    fn reference(&self) -> u32 {
        let table = |step: &Step| self.tree.side.tables[step.node as usize];
        let least = self.shared.config.rave.map_or(0, |rave| rave.reference);
        if least == 0 {
            let Some(&Step { mover, .. }) = self.path.last() else { return NO_TABLE };
            let own = self.path.iter().rev().filter(|step| step.mover == mover);
            return own.map(table).find(|&table| table != NO_TABLE).unwrap_or(NO_TABLE);
        }
        // A node's table begins with its children.
        let before = self.shared.config.expand_at.saturating_sub(1);
        let has_enough =
            |step: &Step| self.tree.rows[step.node as usize].visits >= least.saturating_add(before);
        let with_tables = || self.path.iter().filter(|step| table(step) != NO_TABLE);
        with_tables()
            .rev()
            .find(|step| has_enough(step))
            .or_else(|| with_tables().next())
            .map_or(NO_TABLE, table)
    }
}

crate::dispatch! {
    /// Counts the moves of the simulation that has just ended, at all nodes of its path that have
    /// children: each move for the nodes before it at which the same side was to move. The first `len`
    /// nodes have the reward `above`, as everywhere.
    pub(super) fn back_up_amaf<G: Game, O: Observer<G::Move>>(
        search: &mut Worker<'_, G, O>,
        reward: f64,
        above: (f64, usize),
    ) -> () = back_up_amaf_on;
}

#[inline(always)]
fn back_up_amaf_on<C: Cpu, G: Game, O: Observer<G::Move>>(
    _: C,
    search: &mut Worker<'_, G, O>,
    reward: f64,
    (above, len): (f64, usize),
) {
    let Some(trace) = search.trace.take() else { return };
    #[cfg(test)]
    search.amaf.log.push((search.amaf.steps.clone(), trace.clone(), reward));
    let mut played = std::mem::take(&mut search.amaf.played);
    let empty = std::mem::replace(&mut played.trace, trace);
    let slots = search.tree.amaf.slots;
    let has_tables = slots > 0;
    let mut now = reward;
    if has_tables {
        played.spread(slots, now as f32);
    }
    for place in (0..search.path.len()).rev() {
        if has_tables && place < len && now != above {
            now = above;
            played.spread(slots, now as f32);
        }
        if let Some(&(side, slot)) = search.amaf.steps.get(place) {
            played.add(side, slot, now as f32);
        }
        if has_tables {
            let step = search.path[place];
            let table = search.tree.side.tables[step.node as usize];
            search.tree.amaf.count(table, step.mover, &played, now as f32);
        }
    }
    if let Some(mast) = &mut search.amaf.mast {
        mast.count(&played.trace, reward as f32);
    }
    if search.work.iterations.is_multiple_of(Cell::SAFE) {
        search.tree.amaf.halve();
        search.amaf.mast.iter_mut().for_each(Mast::halve);
    }
    let mut trace = std::mem::replace(&mut played.trace, empty);
    trace.clear();
    search.trace = Some(trace);
    search.amaf.played = played;
}

crate::dispatch! {
    /// The place of the child with the highest bound among those that have been tried: `row` has no
    /// others. With it the bound. Not part of `descend`, which would be slower for it without RAVE.
    pub(super) fn best_by_amaf<G: Game, O: Observer<G::Move>>(
        search: &mut Worker<'_, G, O>,
        node: Id,
        row: Row<G::Move>,
        position: &G,
    ) -> (usize, f32) = best_by_amaf_on;
}

crate::dispatch! {
    /// Lets an untried child compete with the tried ones by its AMAF value, as if it had been visited
    /// once; one of which nothing is known comes first. If it wins, it is the one to be tried next.
    /// Otherwise returns the place of a tried one.
    pub(super) fn choose_by_amaf<G: Game, O: Observer<G::Move>>(
        search: &mut Worker<'_, G, O>,
        node: Id,
        row: Row<G::Move>,
        position: &G,
    ) -> Option<usize> = choose_by_amaf_on;
}

#[inline(always)]
fn best_by_amaf_on<C: Simd, G: Game, O: Observer<G::Move>>(
    cpu: C,
    search: &mut Worker<'_, G, O>,
    node: Id,
    row: Row<G::Move>,
    position: &G,
) -> (usize, f32) {
    let mover = position.to_move();
    let (rave, reference) = (search.shared.config.rave.unwrap_or_default(), search.reference());
    let first = row.first as usize;
    let moves = &search.tree.moves[first..first + usize::from(row.count)];
    search.amaf.cells.clear();
    let table = search.tree.amaf.of_side(reference, mover);
    search.amaf.cells.extend(moves.iter().map(|&mv| {
        let cell = table.get(position.speed().move_slot(mv));
        cell.map_or([0.0; 2], |&Cell { count, sum }| [count, sum])
    }));
    search.amaf.cells.resize(moves.len() + MAX_LANES, [0.0; 2]);
    let sqrt_ln = search.shared.sqrt_ln.of(search.tree.selection_visits(node as usize));
    let sign = mover.sign() as f32;
    let amaf = AmafValues {
        cells: &search.amaf.cells,
        k: rave.k as f32,
        bias: rave.bias.map(|bias| bias as f32),
    };
    let bounds = UpperConfidenceBounds::of_children(
        search.shared.formula,
        &search.tree,
        &row,
        sign,
        sqrt_ln,
    )
    .with_amaf(amaf);
    let place = bounds.argmax(cpu);
    (place, bounds.at(place))
}

#[inline(always)]
fn choose_by_amaf_on<C: Simd, G: Game, O: Observer<G::Move>>(
    cpu: C,
    search: &mut Worker<'_, G, O>,
    node: Id,
    row: Row<G::Move>,
    position: &G,
) -> Option<usize> {
    let mover = position.to_move();
    let tried = search.tree.tried(node);
    let mut seen = row;
    (seen.first, seen.count, seen.selected) = (tried.start as Id, row.tried, UNKNOWN);
    let best = match row.tried {
        0 => None,
        _ => Some(best_by_amaf_on(cpu, search, node, seen, position)),
    };
    let sqrt_ln = search.shared.sqrt_ln.of(search.tree.selection_visits(node as usize));
    let width = search.shared.formula.width_after_one(sqrt_ln);
    let sign = mover.sign() as f32;
    let reference = search.reference();
    let table = search.tree.amaf.of_side(reference, mover);
    let untried = search.tree.untried_moves(node);
    let (mut next, mut highest) = (0, f32::NEG_INFINITY);
    for (place, &mv) in untried.iter().enumerate() {
        let cell = table.get(position.speed().move_slot(mv)).copied().unwrap_or_default();
        let value = if cell.count > 0.0 { sign * cell.mean() + width } else { f32::INFINITY };
        if value > highest {
            (next, highest) = (place, value);
        }
    }
    match best {
        Some((place, value)) if value >= highest => Some(place),
        _ => {
            search.tree.put_next(node, next);
            None
        }
    }
}
