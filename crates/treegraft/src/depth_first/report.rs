//! The best line, and the report.

use super::driver::{Iteration, WithLines};
use super::search::{NO_SLOT, Question, search};
use super::table::PROVEN;
use super::window::{WIN, Window};
use super::{MAX_DEPTH, RootMove, Scores, Worker};
use crate::observe::Observer;
use crate::{EVAL_ONE, Game, MoveReport, Outcome, Report, Side, Speed, Stop};

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// The line of the iteration just finished, first as the recursion has collected it, then as
    /// the table remembers it; and the length of the first part.
    pub(super) fn line(&mut self, best_move: G::Move, depth: u32) -> (Vec<G::Move>, usize) {
        let mut line = vec![best_move];
        if self.pv[0].first() == Some(&best_move) {
            line.clone_from(&self.pv[0]);
        }
        let collected = line.len();
        let mut position = self.root.clone();
        for &mv in &line {
            position.play(mv);
        }
        while line.len() < depth as usize && position.outcome().is_none() {
            let Some(entry) =
                self.table.as_ref().and_then(|table| table.probe(position.speed().key()))
            else {
                break;
            };
            let base = self.push_moves(&position, line.len());
            let best = entry.best;
            let found = self.stack[base..].iter().find(|ranked| Some(ranked.number) == best);
            let found = found.map(|ranked| ranked.mv);
            self.stack.truncate(base);
            let Some(mv) = found else { break };
            line.push(mv);
            position.play(mv);
        }
        (line, collected)
    }

    /// Where the value is proven, completes the line of best play to the end of the game: at each
    /// position, searches moves until one is proven to keep the value. Gives up when the budget is
    /// spent.
    pub(super) fn complete_line(&mut self) {
        let Some(Iteration { depth, value, best_move, collected, pv: guess, .. }) =
            self.done.clone().filter(|done| done.is_proven)
        else {
            return;
        };
        if self.leads_to(&guess[..collected], value) {
            return;
        }
        let mut line = vec![best_move];
        self.see_line(None);
        let mut position = self.root.clone();
        position.play(best_move);
        while position.outcome().is_none() && line.len() < MAX_DEPTH as usize {
            self.see_line(Some(&line));
            let expected = guess.get(line.len()).filter(|_| guess.starts_with(&line)).copied();
            let Some(mv) = self.keeping_move(&position, line.len(), depth, value, expected) else {
                return;
            };
            line.push(mv);
            position.play(mv);
        }
        if let Some(done) = &mut self.done {
            done.pv = line;
        }
    }

    /// Whether a line ends the game with this score.
    fn leads_to(&mut self, line: &[G::Move], value: i64) -> bool {
        let mut position = self.root.clone();
        for &mv in line {
            position.play(mv);
        }
        let outcome = position.outcome();
        outcome.is_some_and(|outcome| self.score(&position, outcome) == value)
    }

    /// A move at a position of the line that provably keeps `value` (first player's view).
    fn keeping_move(
        &mut self,
        position: &G,
        ply: usize,
        depth: u32,
        value: i64,
        expected: Option<G::Move>,
    ) -> Option<G::Move> {
        let sign = position.to_move().sign();
        let entry = self.table.as_ref().and_then(|table| table.probe(position.speed().key()));
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let base = self.push_moves(position, ply);
        self.order_moves(position, ply, NO_SLOT, entry.and_then(|entry| entry.best), base);
        // The most likely first, in the order of the search; then those that it leaves out.
        let ordered = self.stack[base..].iter().map(|ranked| ranked.mv);
        let mut order: Vec<G::Move> = expected.into_iter().chain(ordered).collect();
        self.stack.truncate(base);
        order.extend(moves.iter().copied());
        if sign * value <= -self.shared.ceiling {
            return order.first().copied();
        }
        let is_known = |&&mv: &&G::Move| {
            let known = self.look_up_child(position, mv, PROVEN);
            known.is_some_and(|(bounds, _)| bounds.lo >= sign * value)
        };
        if let Some(&mv) = order.iter().find(is_known) {
            return Some(mv);
        }
        // A proof from the table or at a glance may lie deeper than the search went.
        let left = depth.saturating_sub(ply as u32 + 1);
        let mut extra = 0;
        while ply + 1 + ((left + extra) as usize) <= MAX_DEPTH as usize {
            for (i, &mv) in order.iter().enumerate() {
                if order[..i].contains(&mv) {
                    continue;
                }
                let mut child = position.clone();
                child.play(mv);
                let turn = sign * child.to_move().sign();
                let window = Window::test(sign * value).seen(turn);
                let depth = left + extra;
                let asked = Question { ply: ply + 1, depth, window, may_pass: true, last: NO_SLOT };
                let unproven = self.unproven;
                self.observer.down(mv);
                let answer = search(self, &child, asked).seen(turn);
                self.observer.up();
                if self.stop.is_some() {
                    return None;
                }
                let is_proven =
                    self.unproven == unproven || self.shared.proves_by_value && answer.lo >= WIN;
                if answer.lo >= sign * value && is_proven {
                    return Some(mv);
                }
            }
            extra = 2 * extra + 2;
        }
        None
    }

    /// What the search reports if it ends now, or has ended.
    pub(super) fn report(&mut self, stop: Stop) -> Report<G::Move> {
        self.work.memory = self.table.as_ref().map_or(0, super::table::Table::memory);
        // Several lines are compared at one depth, so an iteration counts if it has found them all; but
        // a proof counts always.
        let is_proven = self.done.as_ref().is_some_and(|done| done.is_proven);
        let earlier = match stop {
            Stop::Done => None,
            _ if is_proven => None,
            _ => self.with_lines.clone(),
        };
        let best = self.choice(earlier.as_ref());
        let proven = best.is_proven.then_some(best.value);
        let is_margin = self.shared.config.scores == Scores::Margin && self.has_margins;
        Report {
            best_move: Some(best.best_move),
            value: self.shared.config.scores.shown(best.value),
            proof: proven.map(Outcome::from_margin),
            margin: proven.filter(|_| is_margin),
            moves: self.move_reports(earlier.as_ref()),
            depth: best.depth.min(MAX_DEPTH),
            pv: best.pv,
            stop,
            digest: self.digest,
            ..Report::of_work(self.work)
        }
    }

    /// The move to play, its line and its value, which belong together: those of the last completed iteration
    /// or, with [`partial`](super::Selective::partial), of the one in work. Then what is proven of a move
    /// counts, too, whichever iteration has found it.
    fn choice(&mut self, earlier: Option<&WithLines<G::Move>>) -> Iteration<G::Move> {
        let sign = self.root.to_move().sign();
        let done = earlier.map(|earlier| &earlier.done).or(self.done.as_ref()).cloned();
        let is_partial = self.shared.config.selective.partial;
        // An iteration that looks for further lines leaves the best ones out.
        let raised = self.root_best.filter(|_| self.found.is_empty());
        let best = match (done, raised) {
            (Some(done), _) if done.is_proven => return done,
            (Some(done), Some(number)) if earlier.is_none() && is_partial => {
                self.chosen(number as usize, done.depth)
            }
            (Some(done), _) => done,
            (None, Some(number)) => Iteration { value: 0, ..self.chosen(number as usize, 0) },
            (None, None) => Iteration::of(self.fallback_move(), 0, 0),
        };
        if !is_partial {
            return best;
        }
        let ceiling = self.shared.ceiling;
        if let Some(won) = self.root_moves.iter().position(|it| it.proven.lo >= ceiling) {
            let value = sign * ceiling;
            return Iteration { value, is_proven: true, ..self.chosen(won, best.depth) };
        }
        let is_lost = |it: &RootMove<G::Move>| it.proven.hi <= -ceiling;
        if !self.root_moves.iter().any(|it| it.mv == best.best_move && is_lost(it)) {
            return best;
        }
        // What is lost for certain is not played while there is something else: what the iteration in work
        // prefers, or what may have the highest value.
        let preferred = raised.map(|number| number as usize);
        if let Some(number) = preferred.filter(|&number| !is_lost(&self.root_moves[number])) {
            return self.chosen(number, best.depth);
        }
        // Moves that the search does not look at at all, with a `k`, are none of its choices.
        let others = self.root_moves.iter().filter(|it| it.nodes > 0 && !is_lost(it));
        // The first one of those that are equal.
        let other = others.rev().max_by_key(|it| it.last.hi);
        match other {
            Some(other) => {
                let value = sign * other.last.hi.min(sign * best.value);
                Iteration::of(other.mv, best.depth, value)
            }
            None => best,
        }
    }

    /// A move of the root as the iteration in work sees it.
    fn chosen(&self, number: usize, depth: u32) -> Iteration<G::Move> {
        let RootMove { mv, bounds, .. } = self.root_moves[number];
        let value = self.root.to_move().sign() * bounds.lo.max(-self.shared.ceiling);
        let mut chosen = Iteration::of(mv, depth, value);
        if self.pv[0].first() == Some(&mv) {
            chosen.pv.clone_from(&self.pv[0]);
        }
        chosen
    }

    /// All moves of the root in the game's order, as the last iteration knows them or an earlier one.
    fn move_reports(&self, earlier: Option<&WithLines<G::Move>>) -> Vec<MoveReport<G::Move>> {
        let (scores, mover) = (self.shared.config.scores, self.root.to_move());
        let pvs = earlier.map_or(&self.pvs, |earlier| &earlier.pvs);
        let report = |(number, &RootMove { mv, nodes, last, proven, .. }): (usize, _)| {
            let last = earlier.map_or(last, |earlier| earlier.last[number]);
            let (value, proof) = scores.known(last, proven, mover);
            let within = last.and(proven).seen(mover.sign());
            let [low, high] = [within.lo, within.hi].map(|end| scores.shown(end));
            let bounds = match value {
                Some(_) => [None; 2],
                None => MoveReport::<G::Move>::bounds_between(low, high),
            };
            let pv = pvs.get(number).cloned().unwrap_or_default();
            MoveReport { mv, visits: nodes, value, bounds, proof, pv }
        };
        self.root_moves.iter().enumerate().map(report).collect()
    }
}

impl Scores {
    /// A score as reports have it, from -1 to 1.
    fn shown(self, score: i64) -> f64 {
        match self {
            Scores::Outcome => (score as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0),
            Scores::Margin => score.signum() as f64,
        }
    }

    /// The value and the proof of a move, by its bounds in the last iteration and those proven in
    /// any iteration, both in the view of `mover`.
    fn known(self, last: Window, proven: Window, mover: Side) -> (Option<f64>, Option<Outcome>) {
        let exact = |bounds: Window| bounds.is_exact().then_some(mover.sign() * bounds.lo);
        let proof = exact(proven);
        let value = proof.or(exact(last)).map(|score| self.shown(score));
        (value, proof.map(Outcome::from_margin))
    }
}
