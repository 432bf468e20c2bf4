//! The playouts and node priors of Lanctot, Winands, Pepels & Sturtevant (2014), without lists of
//! moves.
//!
//! Improved playouts (ipp) win if they can, else capture a piece that would win, else draw a move by
//! weight. Greedy ones take the move with the best efMS.

#[cfg(test)]
mod tests;

use std::hint::select_unpredictable;

use treegraft::bits::Cpu;
use treegraft::{Game, Ipp, PlayoutWeight, Rng, Side};

use super::evaluate::ef_ms;
use super::{Breakthrough, Step, Word, for_mover};

/// The move wins.
const DECISIVE: u8 = 2;
/// The move captures a piece that would win next.
const ANTI_DECISIVE: u8 = 1;

/// The weights of captures of undefended pieces, of other captures and of other moves. The paper says
/// that the first are four times as likely as other moves.
fn weights(ipp: Ipp) -> [u32; 3] {
    match ipp {
        Ipp::Program => [5, 2, 1],
        Ipp::Printed => [4, 1, 1],
    }
}

impl<B: Word> Breakthrough<B> {
    pub(super) fn weight_of(&self, mv: Step, ipp: Ipp) -> PlayoutWeight {
        for_mover!(self.weigh(mv, ipp))
    }

    fn weigh<const UP: bool>(&self, mv: Step, ipp: Ipp) -> PlayoutWeight {
        let to = B::ONE << u32::from(mv.to);
        let is_in = |squares: B| squares & to != B::NONE;
        let urgency = if is_in(self.winning_squares::<UP>()) {
            DECISIVE
        } else if is_in(self.threats::<UP>()) {
            ANTI_DECISIVE
        } else {
            0
        };
        let theirs = self.pieces(Self::mover_of::<UP>().other());
        let [undefended, capture, other] = weights(ipp);
        let weight = match (is_in(theirs), is_in(self.defended::<UP>())) {
            // Urgent moves are drawn uniformly.
            _ if urgency > 0 => 1,
            (false, _) => other,
            (true, false) => undefended,
            (true, true) => capture,
        };
        PlayoutWeight { urgency, weight }
    }

    /// The squares on which a piece of the other side counts as defended: there is a piece, of
    /// whichever side, diagonally behind it.
    #[inline(always)]
    fn defended<const UP: bool>(&self) -> B {
        self.diagonals(!UP, self.white | self.black)
    }

    /// The targets of the most urgent moves, if there are urgent ones.
    #[inline(always)]
    fn urgent_targets<const UP: bool>(&self, all: [B; 3]) -> Option<[B; 3]> {
        let squares = all[0] | all[1] | all[2];
        let mut urgent = squares & self.winning_squares::<UP>();
        if urgent == B::NONE {
            // No piece can step straight on another.
            urgent = squares & self.threats::<UP>();
        }
        (urgent != B::NONE).then(|| all.map(|targets| targets & urgent))
    }

    /// A move of improved playouts.
    #[inline(always)]
    pub(super) fn improved_target<const UP: bool>(
        &self,
        cpu: impl Cpu,
        ipp: Ipp,
        rng: &mut Rng,
    ) -> (B, u32) {
        let all = self.targets::<UP>();
        match self.urgent_targets::<UP>(all) {
            Some(urgent) => self.random_among::<UP>(cpu, urgent, rng),
            None => self.weighted_target::<UP>(cpu, all, ipp, rng),
        }
    }

    /// One of these targets, by their weights.
    #[inline(always)]
    fn weighted_target<const UP: bool>(
        &self,
        cpu: impl Cpu,
        targets: [B; 3],
        ipp: Ipp,
        rng: &mut Rng,
    ) -> (B, u32) {
        let theirs = self.pieces(Self::mover_of::<UP>().other());
        let captures = targets.map(|targets| targets & theirs);
        if captures[0] | captures[2] == B::NONE {
            return self.random_among::<UP>(cpu, targets, rng);
        }
        let defended = self.defended::<UP>();
        let undefended = captures.map(|captures| captures & !defended);
        let defended = captures.map(|captures| captures & defended);
        let others = targets.map(|targets| targets & !theirs);
        let count = |sets: [B; 3]| sets[0].count() + sets[1].count() + sets[2].count();
        let [undefended_weight, capture_weight, other_weight] = weights(ipp);
        let first = undefended_weight * count(undefended);
        let second = first + capture_weight * count(defended);
        let n = rng.below(second + other_weight * count(others));
        let class = if n < first {
            undefended
        } else if n < second {
            defended
        } else {
            others
        };
        self.random_among::<UP>(cpu, class, rng)
    }

    /// The targets after which efMS is best for the mover; `None` if some of them differ by more than
    /// efMS counts.
    #[inline(always)]
    pub(super) fn greedy_targets<const UP: bool>(&self, ipp: Option<Ipp>) -> Option<[B; 3]> {
        let mut all = self.targets::<UP>();
        let (own, theirs) = if UP { (self.white, self.black) } else { (self.black, self.white) };
        let won = (all[0] | all[1] | all[2]) & self.winning_squares::<UP>();
        if won != B::NONE {
            return Some(all.map(|targets| targets & won));
        }
        // In units of 2.5, a capture counts four, and every row of a side's most advanced piece one.
        let most = 4 * own.count().abs_diff(theirs.count()) + 2 * self.height() + 3;
        if most >= 40 {
            return None;
        }
        if ipp.is_some()
            && let Some(urgent) = self.urgent_targets::<UP>(all)
        {
            all = urgent;
        }
        let squares = all[0] | all[1] | all[2];
        let captures = squares & theirs;
        // What a capture is cannot be predicted, so there are no branches from here on.
        let w = self.width();
        let ahead = |row: B| if UP { row << w } else { row >> w };
        // Where the most advanced pieces step.
        let own_row = self.row_of(if UP { own.highest() } else { own.lowest() });
        let next_row = ahead(own_row);
        let base = select_unpredictable(captures == B::NONE, squares, captures);
        let further = base & next_row;
        let best = select_unpredictable(further == B::NONE, base, further);
        // Without its only foremost piece, the other side falls back by one row or more.
        let their_row = self.row_of(if UP { theirs.lowest() } else { theirs.highest() });
        let foremost = theirs & their_row;
        let foremost = select_unpredictable(foremost.count() == 1, captures & foremost, B::NONE);
        let falls_by_one = theirs & ahead(their_row) != B::NONE;
        // One row back is as good as one row ahead, and both are better.
        let is_equal = falls_by_one & (foremost & next_row == B::NONE);
        let equal = select_unpredictable(is_equal, captures & next_row, B::NONE);
        let best = select_unpredictable(foremost == B::NONE, best, foremost | equal);
        Some(all.map(|targets| targets & best))
    }

    #[inline(always)]
    fn improved_step_on<const UP: bool>(&self, cpu: impl Cpu, ipp: Ipp, rng: &mut Rng) -> Step {
        self.step_to::<UP>(self.improved_target::<UP>(cpu, ipp, rng))
    }

    #[inline(always)]
    fn greedy_step_on<const UP: bool>(
        &self,
        cpu: impl Cpu,
        ipp: Option<Ipp>,
        rng: &mut Rng,
    ) -> Step {
        match self.greedy_targets::<UP>(ipp) {
            Some(targets) => self.step_among::<UP>(cpu, targets, rng),
            None => slow_greedy_step(self, ipp, rng),
        }
    }

    /// The same move by move.
    #[cold]
    pub(super) fn slow_greedy_target<const UP: bool>(
        &self,
        ipp: Option<Ipp>,
        rng: &mut Rng,
    ) -> (B, u32) {
        let Step { from, to } = slow_greedy_step(self, ipp, rng);
        (B::ONE << u32::from(to), u32::from(to.abs_diff(from)))
    }

    /// All squares of the row of a square.
    #[inline(always)]
    pub(super) fn row_of(&self, square: u32) -> B {
        let up_to_it = !(!B::NONE << square << 1);
        let start = (self.column_a & up_to_it).highest();
        !(!B::NONE << self.width()) << start
    }

    /// The share of games that a move is expected to win: by the distance to the goal if the piece is
    /// safe where it goes.
    pub(super) fn prior_of(&self, mv: Step) -> f64 {
        let (column, row) = self.place(mv.to);
        let to = B::ONE << u32::from(mv.to);
        let [own, theirs] = [self.mover, self.mover.other()].map(|side| self.pieces(side));
        let own = own ^ B::ONE << u32::from(mv.from);
        // How many of the two squares beside this one in a row are in the set.
        let beside = |row: Option<u32>, set: B| {
            let Some(row) = row.filter(|&row| row < self.height()) else { return 0 };
            let on = |column: u32| set & B::ONE << (row * self.width() + column) != B::NONE;
            u32::from(column > 0 && on(column.wrapping_sub(1)))
                + u32::from(column + 1 < self.width() && on(column + 1))
        };
        let (up, down) = (Some(row + 1), row.checked_sub(1));
        let (ahead, behind, distance) = match self.mover {
            Side::First => (up, down, self.height() - 1 - row),
            Side::Second => (down, up, row),
        };
        let is_safe = beside(ahead, theirs) <= beside(behind, own);
        match distance {
            0 | 1 if is_safe => 1.0,
            2 if is_safe => 0.95,
            3 if is_safe => 0.85,
            4 if is_safe => 0.75,
            5 if is_safe => 0.6,
            _ if !is_safe && theirs & to != B::NONE => 0.6,
            _ => 0.3,
        }
    }
}

treegraft::dispatch! {
    pub(super) fn improved_step<B: Word>(board: &Breakthrough<B>, ipp: Ipp, rng: &mut Rng) -> Step
        = |cpu| for_mover!(board.improved_step_on(cpu, ipp, rng));
}

treegraft::dispatch! {
    pub(super) fn greedy_step<B: Word>(
        board: &Breakthrough<B>,
        ipp: Option<Ipp>,
        rng: &mut Rng
    ) -> Step = |cpu| for_mover!(board.greedy_step_on(cpu, ipp, rng));
}

/// Move by move.
#[cold]
fn slow_greedy_step<B: Word>(board: &Breakthrough<B>, ipp: Option<Ipp>, rng: &mut Rng) -> Step {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let urgency = |mv: Step| ipp.map_or(0, |ipp| board.weight_of(mv, ipp).urgency);
    let value = |mv: Step| {
        let mut next = *board;
        next.play(mv);
        match next.outcome() {
            // Only the mover wins.
            Some(_) => i32::MAX,
            None => board.mover.sign() as i32 * ef_ms(&next),
        }
    };
    let keys: Vec<(u8, i32)> = moves.iter().map(|&mv| (urgency(mv), value(mv))).collect();
    let best = keys.iter().max().copied();
    let best: Vec<Step> = moves
        .into_iter()
        .zip(keys)
        .filter(|&(_, key)| Some(key) == best)
        .map(|(mv, _)| mv)
        .collect();
    best[rng.below(best.len() as u32) as usize]
}
