//! The drivers of the recursion: iterative deepening, and in an iteration one full window or a
//! sequence of null windows (MTD, Plaat et al. 1996; SSS* as MTD(+∞) with two bounds, Huang 2015).

use super::search::{NO_SLOT, Question, search};
use super::selective::widened;
use super::window::{WIN, Window};
use super::{Driver, MAX_DEPTH, RootMove, Worker};
use crate::observe::{Observer, What};
use crate::report::fold;
use crate::{Game, Limit, Stop};

/// The last completed iteration.
#[derive(Clone, Debug)]
pub(super) struct Iteration<M> {
    pub(super) depth: u32,
    /// In the first player's view.
    pub(super) value: i64,
    /// Whether the value is that of the game, whatever the depth.
    pub(super) is_proven: bool,
    pub(super) best_move: M,
    pub(super) pv: Vec<M>,
    /// How many moves of the line the recursion itself has collected.
    pub(super) collected: usize,
}

impl<M: Copy> Iteration<M> {
    /// What an iteration knows of which only the move, the depth and the value are known.
    pub(super) fn of(best_move: M, depth: u32, value: i64) -> Iteration<M> {
        Iteration { depth, value, is_proven: false, best_move, pv: vec![best_move], collected: 1 }
    }
}

/// The last iteration that has found all requested lines.
#[derive(Clone, Debug)]
pub(super) struct WithLines<M> {
    pub(super) done: Iteration<M>,
    /// The bounds of every move.
    pub(super) last: Vec<Window>,
    /// The lines of the moves that it has found, by number; empty for the others.
    pub(super) pvs: Vec<Vec<M>>,
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Searches deeper and deeper until the position is decided, the deepest iteration is done, or
    /// the budget is spent.
    pub(super) fn drive(&mut self, may_answer_at_once: bool) -> Stop {
        let own = self.shared.config.depth.unwrap_or(MAX_DEPTH);
        let plies = self.meter.budget().plies.filter(|_| self.shared.config.deepening);
        let limit = plies.map_or(own, |plies| own.min(u32::try_from(plies).unwrap_or(own)));
        let mut depth = if self.shared.config.deepening { 1 } else { limit };
        loop {
            self.start_iteration();
            self.observer.see_at(Vec::new(), What::Deepen { depth });
            let (value, is_proven) = self.iterate(depth);
            if let Some(stop) = self.stop {
                return stop;
            }
            self.work.iterations += 1;
            self.finish_iteration(depth, value, is_proven);
            self.find_lines(depth);
            if let Some(stop) = self.stop {
                return stop;
            }
            let is_decided =
                (is_proven || value.abs() >= self.shared.ceiling) && self.are_lines_proven();
            if is_decided || depth == own || may_answer_at_once {
                return Stop::Done;
            }
            if depth == limit {
                return Stop::Spent(Limit::Plies);
            }
            depth = if self.leaps_after(depth) { limit } else { depth + 1 };
        }
    }

    /// The root's value at a depth in the first player's view, and whether it is proven.
    fn iterate(&mut self, depth: u32) -> (i64, bool) {
        let sign = self.root.to_move().sign();
        let (floor, ceiling) = (-self.shared.ceiling, self.shared.ceiling);
        let mut known = Window { lo: floor, hi: ceiling };
        // The bounds of the scale need no proof.
        let (mut lo_is_proven, mut hi_is_proven) = (true, true);
        let mut pass = |this: &mut Self, window: Window| {
            let unproven = this.unproven;
            this.observer.go_to(Vec::new());
            this.observer.see(|| What::Pass { window: window.told(this.root.to_move()) });
            let asked = Question { ply: 0, depth, window, may_pass: false, last: NO_SLOT };
            let answer = search(this, this.root, asked);
            let is_proven = this.unproven == unproven;
            if answer.lo > known.lo {
                known.lo = answer.lo;
                lo_is_proven = is_proven || this.shared.proves_by_value && answer.lo >= WIN;
            }
            if answer.hi < known.hi {
                known.hi = answer.hi;
                hi_is_proven = is_proven || this.shared.proves_by_value && answer.hi <= -WIN;
            }
            known
        };
        if self.shared.config.driver == Driver::AlphaBeta {
            // One below the floor, so that a move with the worst value still has a variation.
            let all = Window { lo: floor - 1, hi: ceiling };
            let mut window = self.aspiration(sign, all);
            loop {
                let now = pass(self, window);
                let (is_low, is_high) = (now.hi <= window.lo, now.lo >= window.hi);
                let wider = widened(window, is_low, all);
                // Nothing is better than a won game.
                let is_won = now.lo >= ceiling;
                if self.stop.is_some() || is_won || wider == window || !is_low && !is_high {
                    break;
                }
                window = wider;
            }
        } else {
            let mut guess = sign * self.done.as_ref().map_or(0, |done| done.value);
            let mut now = Window { lo: floor, hi: ceiling };
            while now.lo < now.hi && self.stop.is_none() {
                let beta = match self.shared.config.driver {
                    Driver::MtdPlus | Driver::SssStar => now.hi,
                    Driver::MtdMinus | Driver::DualStar => now.lo + 1,
                    Driver::MtdF | Driver::AlphaBeta if guess == now.lo => guess + 1,
                    Driver::MtdF | Driver::AlphaBeta => guess,
                };
                now = pass(self, Window::test(beta));
                guess = if now.lo >= beta { now.lo } else { now.hi };
            }
        }
        // Speculative pruning, table entries of different depths, and later passes that find more
        // in the table can make bounds contradict each other: then a proven win or loss counts.
        let is_exact = known.lo >= known.hi;
        let is_won = lo_is_proven && known.lo >= ceiling;
        let is_lost = hi_is_proven && known.hi <= floor;
        let value = if is_lost { floor } else { known.lo };
        (sign * value, is_won || is_lost || is_exact && lo_is_proven && hi_is_proven)
    }

    fn start_iteration(&mut self) {
        for root_move in &mut self.root_moves {
            root_move.bounds = Window::ALL;
        }
        self.root_best = None;
        self.found.clear();
        self.pv[0].clear();
    }

    /// After the best move, finds the next best ones at the same depth, as many as were requested.
    fn find_lines(&mut self, depth: u32) {
        let wanted = self.lines.min(self.root_moves.len());
        if wanted < 2 {
            return;
        }
        self.pvs.clear();
        self.pvs.resize(self.root_moves.len(), Vec::new());
        self.find_next_lines(depth, wanted);
        self.root_best = None;
        if self.stop.is_none()
            && let Some(done) = self.done.clone()
        {
            let last = self.root_moves.iter().map(|root_move| root_move.last).collect();
            self.with_lines = Some(WithLines { done, last, pvs: self.pvs.clone() });
        }
    }

    fn find_next_lines(&mut self, depth: u32, wanted: usize) {
        let Some(done) = &self.done else { return };
        let (mut best, mut pv) = (done.best_move, done.pv.clone());
        loop {
            let number = self.root_moves.iter().position(|root_move| root_move.mv == best);
            let number = number.unwrap_or(0);
            self.pvs[number] = pv;
            self.found.push(number as u32);
            if self.found.len() == wanted {
                return;
            }
            self.root_best = None;
            self.pv[0].clear();
            let (value, _) = self.iterate(depth);
            if self.stop.is_some() {
                return;
            }
            let Some(next) = self.best_left(value * self.root.to_move().sign()) else { return };
            best = next;
            pv = self.line(best, depth).0;
            for root_move in &mut self.root_moves {
                root_move.last = root_move.bounds;
            }
        }
    }

    /// A move that this iteration has not found yet and whose value is `value` for the side to move.
    ///
    /// The move that raised the value last; after a null window that settled it from above, any move
    /// that is known to have it. Passes of selective searches may contradict each other: what is proven
    /// counts then, and else the move that raised the value.
    fn best_left(&self, value: i64) -> Option<G::Move> {
        let has_it = |it: &RootMove<G::Move>| it.bounds.lo >= value || it.proven.lo >= value;
        let raised = self.root_best.map(|number| &self.root_moves[number as usize]);
        let mut left = (0..).zip(&self.root_moves).filter(|(n, _)| !self.found.contains(n));
        let best = raised.filter(|best| has_it(best));
        best.or_else(|| left.find(|(_, it)| has_it(it)).map(|(_, it)| it))
            .or(raised)
            .map(|best| best.mv)
    }

    /// Whether all lines of this depth are proven; `true` if only one was requested.
    fn are_lines_proven(&self) -> bool {
        let is_proven = |&number: &u32| self.root_moves[number as usize].proven.is_exact();
        self.found.iter().all(is_proven)
    }

    fn finish_iteration(&mut self, depth: u32, value: i64, is_proven: bool) {
        let own_value = value * self.root.to_move().sign();
        let best_move = match (self.best_left(own_value), &self.done) {
            // Every move loses: what looked best a ply earlier takes longest, as far as one can
            // see.
            (_, Some(done)) if own_value <= -self.shared.ceiling => done.best_move,
            (Some(best), _) => best,
            (None, _) => self.fallback_move(),
        };
        let (pv, collected) = self.line(best_move, depth);
        let best = self.root_moves.iter().position(|root_move| root_move.mv == best_move);
        self.digest = fold(self.digest, value as u64);
        self.digest = fold(self.digest, best.unwrap_or(0) as u64 ^ self.work.nodes << 8);
        for root_move in &mut self.root_moves {
            root_move.last = root_move.bounds;
        }
        self.done = Some(Iteration { depth, value, is_proven, best_move, pv, collected });
        self.root_best = None;
    }

    /// The move to play if nothing is known: the one that would be searched first.
    pub(super) fn fallback_move(&mut self) -> G::Move {
        let base = self.push_moves(self.root, 0);
        self.order_moves(self.root, 0, NO_SLOT, None, base);
        let first = self.stack[base].mv;
        self.stack.truncate(base);
        first
    }

    /// Notes what the loop at the root has found about a move, in the mover's view.
    #[inline]
    pub(super) fn note_root_move(&mut self, number: u32, answer: Window, nodes: u64, proven: bool) {
        let range = Window { lo: -self.shared.ceiling, hi: self.shared.ceiling };
        let by_value = self.shared.proves_by_value;
        let root_move = &mut self.root_moves[number as usize];
        root_move.nodes += nodes;
        root_move.bounds = root_move.bounds.and(answer).and(range);
        if proven || by_value && (answer.lo >= WIN || answer.hi <= -WIN) {
            root_move.proven = root_move.proven.and(answer).and(range);
        }
    }
}
