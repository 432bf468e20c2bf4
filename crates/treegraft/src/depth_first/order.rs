//! The moves of a node, and the order in which they are searched.
//!
//! First comes the table's move, then the others by the game's hints, which see wins and captures, or
//! by its weights for playouts. Among equal ones, killers come first, then moves by history. Moves that
//! are still equal stay in the game's order, or are shuffled. At the root of a search that knows wins far
//! away, those at hand come before all others.

use super::Worker;
use super::search::Question;
use super::window::WIN;
use crate::bits::mix;
use crate::observe::Observer;
use crate::{Exactness, Game, Ipp, Knowledge, Outcome, PlayoutWeight, Rng, Side, Speed};

/// A move on the stack of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    rank: i64,
    pub(super) mv: M,
    /// Its number in the game's order.
    pub(super) number: u32,
    /// The key of the position after it, where children are looked up before they are searched.
    pub(super) child_key: u64,
    /// What kind of move it is, where that matters.
    pub(super) kind: Kind,
}

/// What a move does at first sight: see [`exchange`](crate::Knowledge::exchange).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It captures, and loses nothing by that.
    Loud,
    Quiet,
    /// It loses material.
    Losing,
}

const TABLE_MOVE: i64 = 1 << 62;
const HINT: u32 = 26;
const KILLER: [i64; 2] = [1 << 25, 1 << 24];
const MAX_HISTORY: i32 = (1 << 24) - 1;
/// The limit of history where moves lose it again.
const MAX_RECENT: i32 = 1 << 14;
/// Ranks of moves by exchanges: captures that lose nothing, then killers, the countermove and quiet moves by
/// history, then moves that lose material.
const LOUD: i64 = 1 << 50;
const LOSING: i64 = -LOUD;
const COUNTERMOVE: i64 = 1 << 23;
/// History is shifted by this, so that hints decide where it is silent.
const HISTORY: u32 = 8;

/// Below this depth, counting replies costs more than it saves.
pub(super) const REPLIES_DEPTH: u32 = 3;
/// How much a reply counts, in units of hints.
const REPLY: i64 = 40;

/// A table by side and slot. A slot that it does not have holds nothing.
#[derive(Debug)]
pub(super) struct BySlot<T>([Vec<T>; 2]);

impl<T: Copy + Default> BySlot<T> {
    pub(super) fn new(slots: usize) -> BySlot<T> {
        BySlot([vec![T::default(); slots], vec![T::default(); slots]])
    }

    #[inline]
    pub(super) fn get(&self, side: Side, slot: usize) -> T {
        self.0[side.index()].get(slot).copied().unwrap_or_default()
    }
}

/// The last move that refuted a move, by the slot of that one and the side that refutes.
pub(super) type Countermoves<M> = BySlot<Option<M>>;

/// Moves that cut off.
pub(super) type History = BySlot<i32>;

impl History {
    /// Keeps half of everything for another search.
    pub(super) fn age(&mut self, slots: usize) {
        for scores in &mut self.0 {
            scores.resize(slots, 0);
            scores.iter_mut().for_each(|score| *score /= 2);
        }
    }

    /// A cutoff counts more where it saves more.
    #[inline]
    pub(super) fn reward(&mut self, side: Side, slot: usize, depth: u32) {
        if let Some(score) = self.0[side.index()].get_mut(slot) {
            let depth = depth.min(64) as i32;
            *score = (*score + depth * depth).min(MAX_HISTORY);
        }
    }

    /// The same where moves lose history, too: the larger a score, the less it grows.
    #[inline]
    pub(super) fn credit(&mut self, side: Side, slot: usize, depth: u32, is_good: bool) {
        if let Some(score) = self.0[side.index()].get_mut(slot) {
            let depth = depth.min(40) as i32;
            let change = if is_good { depth * depth } else { -depth * depth };
            *score += change - *score * change.abs() / MAX_RECENT;
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Puts the moves to search on top of the stack and returns where they begin.
    #[inline(always)]
    pub(super) fn push_moves(&mut self, position: &G, ply: usize) -> usize {
        let base = self.stack.len();
        self.buffer.clear();
        // The root reports on every move; and only where nothing is foregone are there candidates.
        if self.shared.config.glance && ply > 0 {
            position.exactness().candidate_moves(&mut self.buffer);
        }
        // Also where a game is wrong and has no candidate: that would be a lost position.
        if self.buffer.is_empty() {
            position.moves(&mut self.buffer);
        }
        self.meter.charge(self.buffer.len());
        let kind = Kind::Quiet;
        let ranked = |(number, &mv)| Ranked { rank: 0, mv, number, child_key: 0, kind };
        self.stack.extend((0..).zip(&self.buffer).map(ranked));
        base
    }

    /// Sorts the moves from `base` on, best first: `first` before all others.
    #[inline(always)]
    pub(super) fn order_moves(
        &mut self,
        position: &G,
        ply: usize,
        last: u32,
        first: Option<u32>,
        base: usize,
    ) {
        if self.shared.config.selective.exchange {
            self.order_by_exchange(position, ply, last, first, base);
            return;
        }
        let moves = &mut self.stack[base..];
        if moves.len() == 1 {
            return;
        }
        let config = &self.shared.config;
        if config.shuffle {
            Rng::new(mix(self.seed ^ position.speed().key())).shuffle(moves);
        }
        if config.weights {
            rank_by_weights(position, config.hints, moves);
        }
        let hints = config.hints && !config.weights;
        let mover = position.to_move();
        let killers = if config.killers { self.killers[ply] } else { [None; 2] };
        let counter = self.countermoves.get(mover, last as usize);
        for entry in moves.iter_mut() {
            if Some(entry.number) == first {
                entry.rank = TABLE_MOVE;
                continue;
            }
            if hints {
                entry.rank += i64::from(position.knowledge().order_hint(entry.mv)) << HINT;
            }
            let lasting = Some(position.speed().lasting_move(entry.mv));
            if let Some(i) = killers.iter().position(|&killer| killer == lasting) {
                entry.rank += KILLER[i];
            } else if counter.is_some() && counter == lasting {
                entry.rank += COUNTERMOVE;
            } else if config.history {
                entry.rank +=
                    i64::from(self.history.get(mover, position.speed().move_slot(entry.mv)));
            }
        }
        sort(moves);
    }

    /// Fastest first: ranks the moves from `base` on by how few replies they leave.
    #[inline(never)]
    pub(super) fn rank_by_replies(&mut self, position: &G, base: usize) {
        for entry in &mut self.stack[base..] {
            entry.rank = -(i64::from(position.speed().replies(entry.mv)) * REPLY) << HINT;
        }
        self.work.transitions += (self.stack.len() - base) as u64;
    }

    /// Sorts the moves from `base` on by what they win or lose in an exchange: quiet ones by killers, the
    /// countermove and history, and where these are silent by hints.
    #[inline(always)]
    fn order_by_exchange(
        &mut self,
        position: &G,
        ply: usize,
        last: u32,
        first: Option<u32>,
        base: usize,
    ) {
        let config = &self.shared.config;
        let mover = position.to_move();
        let killers = if config.killers { self.killers[ply] } else { [None; 2] };
        let counter = self.countermoves.get(mover, last as usize);
        let moves = &mut self.stack[base..];
        for entry in moves.iter_mut() {
            let hint =
                if config.hints { i64::from(position.knowledge().order_hint(entry.mv)) } else { 0 };
            let history = if config.history {
                i64::from(self.history.get(mover, position.speed().move_slot(entry.mv)))
            } else {
                0
            };
            let lasting = Some(position.speed().lasting_move(entry.mv));
            let quiet = (history << HISTORY) + hint;
            entry.rank = match position.knowledge().exchange(entry.mv) {
                Some(gain) if gain >= 0 => {
                    entry.kind = Kind::Loud;
                    LOUD + (i64::from(gain) << HINT) + (hint << 16) + history
                }
                Some(_) => {
                    entry.kind = Kind::Losing;
                    LOSING + quiet
                }
                None if killers[0] == lasting => KILLER[0] << 16,
                None if killers[1] == lasting => KILLER[1] << 16,
                None if counter.is_some() && counter == lasting => COUNTERMOVE << 16,
                None => quiet,
            };
            if Some(entry.number) == first {
                entry.rank = TABLE_MOVE;
            }
        }
        sort(moves);
    }

    /// Finds the moves of the root that win at once, and then those after which the win can be seen at a
    /// glance.
    ///
    /// What a glance, a solver of endings or an old table says of a position is how it ends and not
    /// when: without this, the search might let a win at hand wait for one that is far away, again and
    /// again.
    pub(super) fn find_near_wins(&mut self) {
        let knows_far_wins = self.shared.config.glance
            || self.shared.config.selective.ending.is_some()
            || self.shared.config.selective.reuse;
        if !knows_far_wins || self.shared.ceiling != WIN {
            return;
        }
        let won = Some(Outcome::Win(self.root.to_move()));
        let (mut now, mut soon) = (Vec::new(), Vec::new());
        for (number, root_move) in (0..).zip(&self.root_moves) {
            let mut child = self.root.clone();
            child.play(root_move.mv);
            match child.outcome() {
                outcome @ Some(_) if outcome == won => now.push(number),
                Some(_) => {}
                None if child.exactness().foregone() == won => soon.push(number),
                None => {}
            }
        }
        self.work.transitions += self.root_moves.len() as u64;
        self.near_wins = now;
        self.near_wins.append(&mut soon);
    }

    /// Puts them before all other moves of the root, from `base` on.
    #[inline(always)]
    pub(super) fn put_near_wins_first(&mut self, base: usize) {
        if !self.near_wins.is_empty() {
            let place = |entry: &Ranked<G::Move>| {
                self.near_wins.iter().position(|&near| near == entry.number)
            };
            self.stack[base..].sort_by_key(|entry| place(entry).unwrap_or(usize::MAX));
        }
    }

    /// Finds the keys of the children of the moves from `base` on, and prefetches what the
    /// table knows of them.
    #[inline(always)]
    pub(super) fn prefetch_children(&mut self, position: &G, base: usize) {
        let Some(table) = &self.table else { return };
        for entry in &mut self.stack[base..] {
            let mut child = position.clone();
            child.play(entry.mv);
            entry.child_key = child.speed().key();
            table.prefetch(entry.child_key);
        }
        self.work.transitions += (self.stack.len() - base) as u64;
    }

    /// Remembers a move that cut off.
    #[inline]
    pub(super) fn praise(&mut self, position: &G, asked: Question, base: usize, at: usize) {
        let Question { ply, depth, last, .. } = asked;
        let Ranked { mv, kind, .. } = self.stack[at];
        let selective = &self.shared.config.selective;
        let is_quiet = kind != Kind::Loud;
        let refuted = &mut self.countermoves.0[position.to_move().index()];
        if selective.countermoves
            && is_quiet
            && let Some(refutation) = refuted.get_mut(last as usize)
        {
            *refutation = Some(position.speed().lasting_move(mv));
        }
        if self.shared.config.killers && is_quiet {
            let (killers, lasting) = (&mut self.killers[ply], position.speed().lasting_move(mv));
            if killers[0] != Some(lasting) {
                *killers = [Some(lasting), killers[0]];
            }
        }
        if self.shared.config.history && selective.malus {
            let mover = position.to_move();
            self.history.credit(mover, position.speed().move_slot(mv), depth, true);
            for entry in &self.stack[base..at] {
                self.history.credit(mover, position.speed().move_slot(entry.mv), depth, false);
            }
        } else if self.shared.config.history {
            self.history.reward(position.to_move(), position.speed().move_slot(mv), depth);
        }
    }
}

/// Ranks moves by their weights; in a game without weights by their hints, if these count.
///
/// Apart from the other ways to order moves, which most searches have: checking for this one at every
/// move would slow them down.
#[inline(never)]
fn rank_by_weights<G: Game>(position: &G, hints: bool, moves: &mut [Ranked<G::Move>]) {
    for entry in moves {
        let weight = position.knowledge().playout_weight(entry.mv, Ipp::Program);
        let hint = || if hints { i64::from(position.knowledge().order_hint(entry.mv)) } else { 0 };
        entry.rank = weight.map_or_else(hint, PlayoutWeight::rank) << HINT;
    }
}

/// Larger ranks first, equal ones as they are.
#[inline(always)]
fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
    // Nearly sorted already, or short: insertion is faster than anything cleverer.
    if moves.len() > 48 {
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.rank));
        return;
    }
    for i in 1..moves.len() {
        let entry = moves[i];
        let mut to = i;
        while to > 0 && moves[to - 1].rank < entry.rank {
            moves[to] = moves[to - 1];
            to -= 1;
        }
        moves[to] = entry;
    }
}
