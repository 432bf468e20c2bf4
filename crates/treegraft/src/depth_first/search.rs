//! The recursion: fail-soft alpha-beta (Knuth & Moore 1975) for turns that need not alternate.
//!
//! A visit returns the bounds that it can vouch for, in the view of the side to move. After a
//! cutoff, classic alpha-beta knows one of them; Huang's two-bound version (2015) looks up the
//! other.

use super::Worker;
use super::cutoffs::MULTI_CUT_REDUCTION;
use super::order::REPLIES_DEPTH;
use super::selective::is_threatened;
use super::table::PROVEN;
use super::window::{INFINITY, WIN, Window};
use crate::observe::{Cut, LeafEnd, Observer, What};
use crate::{Exactness, Game, Knowledge, Outcome, Speed};

/// What a search must find out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// Moves from the root.
    pub(super) ply: usize,
    /// Moves to the horizon.
    pub(super) depth: u32,
    /// In the view of the side to move.
    pub(super) window: Window,
    /// Whether a null move may be tried: not twice in a row.
    pub(super) may_pass: bool,
    /// The slot of the move that led here; [`NO_SLOT`] if there is none, or it is not needed.
    pub(super) last: u32,
}

/// No slot of a move.
pub(super) const NO_SLOT: u32 = u32::MAX;

crate::dispatch! {
    /// What is known of the position after the search, in the view of the side to move. Meaningless
    /// once the search is stopped.
    pub(super) fn search<G: Game, O: Observer<G::Move>>(
        search: &mut Worker<'_, '_, G, O>,
        position: &G,
        asked: Question
    ) -> Window = search_on, recursive;
}

#[inline(always)]
fn search_on<C: crate::bits::Cpu, G: Game, O: Observer<G::Move>>(
    _: C,
    search: &mut Worker<'_, '_, G, O>,
    position: &G,
    asked: Question,
) -> Window {
    let answer = search.visit(position, asked);
    debug_assert!(
        search.stop.is_some() || answer.answers(asked.window),
        "{answer:?} to {:?}",
        asked.window
    );
    search.digest = (search.digest ^ answer.lo as u64 ^ (answer.hi as u64).rotate_left(32))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    answer
}

/// The answer after a speculative cutoff: at least `value`, but never a won game.
#[inline(always)]
fn suspected(value: i64, beta: i64) -> Window {
    Window { lo: value.min(WIN - 1).max(beta), hi: INFINITY }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    #[inline(always)]
    fn visit(&mut self, position: &G, asked: Question) -> Window {
        let Question { ply, mut depth, mut window, may_pass, last } = asked;
        let (is_root, two_bounds) = (ply == 0, self.shared.two_bounds);

        // Step 1. The budget.
        if self.must_stop() {
            return Window::ALL;
        }
        self.work.nodes += 1;
        let told = || asked.window.told(position.to_move());
        self.observer.see(|| What::Enter { window: told(), depth });
        let nodes_before = self.work.nodes;
        let unproven_before = self.unproven;
        let mover = position.to_move();
        let key = match &self.table {
            Some(table) => {
                let key = position.speed().key();
                table.prefetch(key);
                key
            }
            None => 0,
        };
        self.pv[ply].clear();

        // Step 2. A finished game.
        if let Some(outcome) = position.outcome() {
            let value = mover.sign() * self.score(position, outcome);
            self.see_leaf(position, LeafEnd::Finished, Window::exactly(value));
            return Window::exactly(value);
        }

        // Step 3. A glance.
        if self.shared.config.glance
            && !is_root
            && let Some(outcome) = position.exactness().foregone()
        {
            let answer = Window::exactly(mover.sign() * outcome.value() * WIN);
            self.see_leaf(position, LeafEnd::Foregone, answer);
            return answer;
        }

        // The last moves, by the game's own solver.
        if self.shared.config.selective.ending.is_some()
            && !is_root
            && let Some(answer) = self.solve_ending(position, depth, window)
        {
            self.see_leaf(position, LeafEnd::Foregone, answer);
            return answer;
        }

        // Step 4. The horizon. A threat is answered before it counts what the position looks like.
        let is_threatened =
            self.shared.config.selective.threats && !is_root && is_threatened(position);
        if depth == 0 && is_threatened && self.may_extend(ply) {
            depth = 1;
        }
        if depth == 0 {
            self.unproven += 1;
            let answer = self.horizon(position, window);
            self.see_leaf(position, LeafEnd::Horizon, answer);
            return answer;
        }

        // Step 5. The table: a cutoff, a smaller window, or at least a move to begin with.
        let mut known = Window::ALL;
        let mut table_move = None;
        if let Some(entry) = self.table.as_ref().and_then(|table| table.probe(key)) {
            table_move = entry.best;
            if !is_root && entry.serves(depth) {
                let bounds = entry.bounds.seen(mover.sign());
                let narrow = Window { lo: window.lo.max(bounds.lo), hi: window.hi.min(bounds.hi) };
                // One bound per visit: the table's bounds count only where the window relies on
                // them.
                let relies = |narrower| two_bounds || narrower;
                known.lo = if relies(narrow.lo > window.lo) { bounds.lo } else { -INFINITY };
                known.hi = if relies(narrow.hi < window.hi) { bounds.hi } else { INFINITY };
                // Whatever is used of a search with a horizon makes this one depend on it.
                if known != Window::ALL && entry.depth != PROVEN {
                    self.unproven += 1;
                }
                self.see_table(position, bounds, known, narrow);
                if narrow.lo >= narrow.hi {
                    let answer = if two_bounds { bounds } else { bounds.answer_to(window) };
                    self.see_exit(position, answer);
                    return answer;
                }
                window = narrow;
            }
        }

        // Step 6. Pruning by the evaluation as it stands, and the null move: if even passing is good
        // enough, a move will be.
        let selective = &self.shared.config.selective;
        let mut stand = None;
        if self.shared.stands
            && depth <= self.shared.stand_depth
            && !is_threatened
            && !is_root
            && !window.is_open()
        {
            let value = self.evaluation(position);
            stand = Some(value);
            if let Some(answer) = self.prune_by_stand(position, depth, window, value) {
                // The table may have made the window smaller.
                let answer = answer.reconciled(known);
                self.see_exit(position, answer);
                return answer;
            }
        }
        if let Some(reduction) = self.shared.config.null_move
            && may_pass
            && !is_root
            && !is_threatened
            && stand.is_none_or(|stand| stand >= window.hi)
            && depth > reduction
            && window.hi < WIN
            && window.hi > -WIN
            && let Some(passed) = position.knowledge().null_move()
        {
            let turn = mover.sign() * passed.to_move().sign();
            let test = Window::test(window.hi);
            let question = Question {
                ply: ply + 1,
                depth: depth - 1 - reduction.min(depth - 1),
                window: test.seen(turn),
                may_pass: false,
                last: NO_SLOT,
            };
            self.observer.hide();
            let answer = search(self, &passed, question).seen(turn);
            self.observer.show();
            if self.stop.is_some() {
                return Window::ALL;
            }
            if answer.lo >= test.hi {
                self.unproven += 1;
                let answer = suspected(answer.lo, test.hi).reconciled(known);
                self.see_passed(position);
                self.see_exit(position, answer);
                return answer;
            }
        }

        // Step 7. The moves, in order. Where nothing is known about them, a ply less has to do.
        if selective.unknown_reduction && table_move.is_none() && !is_root && depth >= 4 {
            depth -= 1;
        }
        let base = self.push_moves(position, ply);
        self.see_candidates(position, ply, base);
        let looks_up = self.shared.config.etc && !is_root && depth > 1;
        if looks_up {
            self.prefetch_children(position, base);
        }
        if selective.replies && depth >= REPLIES_DEPTH {
            self.rank_by_replies(position, base);
        }
        self.order_moves(position, ply, last, table_move, base);
        if is_root {
            self.put_near_wins_first(base);
            self.leave_out_found(base);
        }
        let mut is_cut_short = false;
        if let Some(k) = self.shared.config.k
            && self.stack.len() - base > k as usize
        {
            self.see_cut(Cut::Width, base + k as usize, self.stack.len());
            self.stack.truncate(base + k as usize);
            is_cut_short = true;
        }
        let end = self.stack.len();

        // Step 8. Enhanced transposition cutoffs: a child that is known to be good enough.
        if looks_up && let Some(cutoff) = self.known_child(mover.sign(), base, depth, window.hi) {
            let cutoff = cutoff.reconciled(known);
            self.see_cut(Cut::KnownChild, base, end);
            self.see_exit(position, cutoff);
            self.stack.truncate(base);
            return cutoff;
        }

        // Step 9. Multi-cut: if several moves cut off in a shallow search, one will in a deep one.
        if self.shared.config.multi_cut
            && !is_root
            && !window.is_open()
            && depth > MULTI_CUT_REDUCTION + 1
        {
            let cut = self.multi_cut(position, base, asked, window.hi);
            if self.stop.is_some() {
                return Window::ALL;
            }
            if let Some(value) = cut {
                self.unproven += 1;
                self.see_cut(Cut::MultiCut, base, end);
                let answer = suspected(value, window.hi).reconciled(known);
                self.see_exit(position, answer);
                self.stack.truncate(base);
                return answer;
            }
        }

        // Step 10. The loop over the moves. At the horizon, an evaluation may see all children first.
        if depth == 1
            && let Some(evaluator) =
                self.shared.evaluator.as_ref().filter(|evaluator| evaluator.foresees())
        {
            let moves: Vec<G::Move> = self.stack[base..end].iter().map(|entry| entry.mv).collect();
            evaluator.foresee_children(position, &moves);
        }
        let mut best = Window { lo: -INFINITY, hi: -INFINITY };
        let mut best_move = None;
        let enough = window.hi.min(self.shared.ceiling);
        let mut is_cutoff = false;
        let mut is_pruned = false;
        let prunes = !is_root && !is_threatened && !window.is_open() && selective.prunes_moves();
        let config = &self.shared.config;
        let (pvs, lmr, countermoves) = (config.pvs, selective.lmr, selective.countermoves);
        let mut at = base;
        while at < end {
            let entry = self.stack[at];
            if prunes
                && at > base
                && best.hi > -WIN
                && selective.is_futile(entry.kind, at - base, depth, window.lo, stand)
            {
                is_pruned = true;
                at += 1;
                continue;
            }
            let mut child = position.clone();
            child.play(entry.mv);
            self.work.transitions += 1;
            let (nodes, unproven) = (self.work.nodes, self.unproven);
            let turn = mover.sign() * child.to_move().sign();
            let alpha = window.lo.max(best.lo);
            let rest = Window { lo: alpha, hi: window.hi };
            let mut question = Question {
                ply: ply + 1,
                depth: depth - 1,
                window: rest.seen(turn),
                may_pass: true,
                last: if countermoves {
                    position.speed().move_slot(entry.mv) as u32
                } else {
                    NO_SLOT
                },
            };
            self.observer.down(entry.mv);
            // Late-move reductions: a shallower search suffices to see that a late move is bad.
            let reduction = match lmr {
                Some(strength) if at > base && depth > 2 && !is_threatened => {
                    self.reduction(position, entry, at - base, depth, strength, rest)
                }
                _ => 0,
            };
            let mut answer = Window::ALL;
            if reduction > 0 {
                let window = Window::test(alpha + 1);
                self.observer.see(|| What::NullWindow { window: window.told(mover) });
                let shallow = Question {
                    depth: depth - 1 - reduction,
                    window: window.seen(turn),
                    ..question
                };
                answer = search(self, &child, shallow).seen(turn);
            }
            if reduction > 0 && (answer.lo <= alpha || self.stop.is_some()) {
                // No better than the best so far.
            } else if pvs && at > base && rest.is_open() {
                // Principal variation search (Marsland & Campbell 1982): a null window suffices to see
                // that a move is no better than the best so far.
                let window = Window::test(alpha + 1);
                question.window = window.seen(turn);
                self.observer.see(|| What::NullWindow { window: window.told(mover) });
                answer = search(self, &child, question).seen(turn);
                if answer.lo > alpha && answer.lo < enough && self.stop.is_none() {
                    question.window = rest.seen(turn);
                    self.observer.see(|| What::Again { window: rest.told(mover) });
                    answer = search(self, &child, question).seen(turn);
                }
            } else {
                answer = search(self, &child, question).seen(turn);
            }
            self.observer.up();
            if self.stop.is_some() {
                self.stack.truncate(base);
                return Window::ALL;
            }
            if is_root {
                let proven = self.unproven == unproven;
                self.note_root_move(entry.number, answer, self.work.nodes - nodes, proven);
            }
            best.hi = best.hi.max(answer.hi);
            if answer.lo > best.lo {
                best.lo = answer.lo;
                if answer.lo > alpha {
                    best_move = Some(entry.number);
                    if is_root {
                        self.root_best = best_move;
                    }
                    if rest.is_open() {
                        self.extend_pv(ply, entry.mv);
                    }
                }
            }
            if best.lo >= enough {
                // Step 11. A move that cut off here may cut off elsewhere.
                self.praise(position, Question { depth, ..asked }, base, at);
                is_cutoff = true;
                let why = if best.lo >= window.hi { Cut::Window } else { Cut::Best };
                self.see_cut(why, at + 1, end);
                break;
            }
            at += 1;
        }
        if is_cutoff {
            // Children that were not visited may have any value, unless the table knows better.
            best.hi = if two_bounds {
                self.highest_of_rest(position, at + 1, end, depth, best.hi)
            } else {
                INFINITY
            };
        }
        if is_pruned {
            // Moves left out are taken to be no better than the best of the others, one of which is not
            // lost.
            best.hi = best.hi.max(best.lo);
            self.unproven += 1;
        }
        if is_cut_short && (two_bounds || !is_cutoff) {
            // The upper bound ignores the moves left out.
            self.unproven += 1;
        }
        self.stack.truncate(base);
        let mut answer = best.reconciled(known);
        if self.shared.ceiling == WIN {
            answer = Window { lo: answer.lo, hi: if answer.lo >= WIN { WIN } else { answer.hi } };
        }

        self.see_exit(position, answer);

        // Step 12. The table. The result depends on the depth, unless no horizon was met on the
        // way.
        if is_root && !self.found.is_empty() {
            // Not about the position, but about those of its moves that are left.
            return answer;
        }
        let is_proven = self.unproven == unproven_before
            || self.shared.proves_by_value && (answer.lo >= WIN || answer.hi <= -WIN);
        let depth = if is_proven { PROVEN } else { depth };
        let work = self.work.nodes - nodes_before + 1;
        self.store(key, depth, mover.sign(), answer, best_move, work);
        answer
    }

    /// Leaves the moves out that this iteration has found already: the search is for others.
    #[cold]
    fn leave_out_found(&mut self, base: usize) {
        let mut kept = base;
        for at in base..self.stack.len() {
            if !self.found.contains(&self.stack[at].number) {
                self.stack[kept] = self.stack[at];
                kept += 1;
            }
        }
        self.stack.truncate(kept);
    }

    /// The value of a finished game in the first player's view.
    #[inline]
    pub(super) fn score(&mut self, position: &G, outcome: Outcome) -> i64 {
        let (score, is_margin) = self.shared.config.scores.of(position, outcome);
        self.has_margins |= is_margin;
        score
    }

    #[inline(always)]
    fn store(
        &mut self,
        key: u64,
        depth: u32,
        sign: i64,
        answer: Window,
        best: Option<u32>,
        work: u64,
    ) {
        if let Some(table) = &mut self.table
            && table.store(key, depth, answer.seen(sign), best, work)
        {
            table.grow(&mut self.meter.alarm());
        }
    }

    /// Makes this move, followed by the line below, the line here.
    #[inline]
    fn extend_pv(&mut self, ply: usize, mv: G::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}
