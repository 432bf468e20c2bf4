//! What can be seen at a glance.
//!
//! A piece one step from its goal cannot be stopped but by capturing it: of the two squares
//! diagonally before it at least one is on the board, and no own piece can be there.

use treegraft::bits::Cpu;
use treegraft::{Outcome, Rng, Side};

use super::{Breakthrough, Step, Word, for_mover};

impl<B: Word> Breakthrough<B> {
    pub(super) const fn mover_of<const UP: bool>() -> Side {
        if UP { Side::First } else { Side::Second }
    }

    /// All targets of the side to move.
    #[inline(always)]
    fn all_targets<const UP: bool>(&self) -> B {
        let [left, straight, right] = self.targets::<UP>();
        left | straight | right
    }

    /// The squares on which a step ends the game: the goal, and the other side's last piece.
    #[inline(always)]
    pub(super) fn winning_squares<const UP: bool>(&self) -> B {
        let mover = Self::mover_of::<UP>();
        let theirs = self.pieces(mover.other());
        let last = if theirs.count() == 1 { theirs } else { B::NONE };
        self.goal(mover) | last
    }

    /// The pieces of the other side that reach their goal with the next step.
    #[inline(always)]
    pub(super) fn threats<const UP: bool>(&self) -> B {
        let mover = Self::mover_of::<UP>();
        let home = self.goal(mover.other());
        let before = if UP { home << self.width() } else { home >> self.width() };
        self.pieces(mover.other()) & before
    }

    /// The squares one step from the goal on which a piece of the side to move cannot be captured.
    #[inline(always)]
    fn safe_squares_before_goal<const UP: bool>(&self) -> B {
        let mover = Self::mover_of::<UP>();
        let goal = self.goal(mover);
        let guards = self.pieces(mover.other()) & goal;
        let before = if UP { goal >> self.width() } else { goal << self.width() };
        before & !self.diagonals(!UP, guards)
    }

    /// A win in one or in three, or a loss in two.
    #[inline(always)]
    pub(super) fn foresee<const UP: bool>(&self) -> Option<Outcome> {
        let mover = Self::mover_of::<UP>();
        let targets = self.all_targets::<UP>();
        if targets & self.winning_squares::<UP>() != B::NONE {
            return Some(Outcome::Win(mover));
        }
        let threats = self.threats::<UP>();
        if threats != B::NONE {
            // One capture a move: two threats are one too many.
            let is_lost = threats.count() > 1 || threats & targets == B::NONE;
            return is_lost.then_some(Outcome::Win(mover.other()));
        }
        // The other side needs two steps at least, and cannot capture what will win in one.
        let is_won = targets & self.safe_squares_before_goal::<UP>() != B::NONE;
        is_won.then_some(Outcome::Win(mover))
    }

    /// The value for the side to move within some plies, if it can be seen.
    #[inline(always)]
    pub(super) fn see_ahead<const UP: bool>(&self, plies: u32) -> Option<i64> {
        let targets = self.all_targets::<UP>();
        if targets & self.winning_squares::<UP>() != B::NONE {
            return Some(1);
        }
        if plies == 1 {
            return Some(0);
        }
        if self.pieces(Self::mover_of::<UP>()).count() == 1 {
            // The last piece may be captured.
            return None;
        }
        let threats = self.threats::<UP>();
        if threats.count() > 1 || threats != B::NONE && threats & targets == B::NONE {
            return Some(-1);
        }
        if plies == 2 {
            return Some(0);
        }
        let is_won = targets & self.safe_squares_before_goal::<UP>() != B::NONE;
        (threats == B::NONE && is_won).then_some(1)
    }

    /// The targets among which a player who looks one or two plies ahead chooses, if that can be
    /// seen: wins, else what does not lose, else all.
    #[inline(always)]
    pub(super) fn careful_targets<const UP: bool>(&self, plies: u32) -> Option<[B; 3]> {
        let all = self.targets::<UP>();
        let among = |squares: B| all.map(|targets| targets & squares);
        let is_some = |[left, straight, right]: [B; 3]| left | straight | right != B::NONE;
        let wins = among(self.winning_squares::<UP>());
        if is_some(wins) {
            return Some(wins);
        }
        if plies == 1 {
            return Some(all);
        }
        if self.pieces(Self::mover_of::<UP>()).count() == 1 {
            // The last piece may be captured.
            return None;
        }
        // A single threat can be captured; without any, nothing loses at once.
        let threats = self.threats::<UP>();
        let captures = among(threats);
        Some(if threats.count() == 1 && is_some(captures) { captures } else { all })
    }

    #[inline(always)]
    fn careful_step<const UP: bool>(
        &self,
        cpu: impl Cpu,
        plies: u32,
        rng: &mut Rng,
    ) -> Option<Step> {
        Some(self.step_among::<UP>(cpu, self.careful_targets::<UP>(plies)?, rng))
    }

    /// Captures of a piece that would win with its next step; if there is none, all moves.
    #[inline(always)]
    pub(super) fn push_candidates<const UP: bool>(&self, moves: &mut Vec<Step>) {
        let threats = self.threats::<UP>();
        self.push_steps::<UP>(if threats == B::NONE { !B::NONE } else { threats }, moves);
    }

    pub(super) fn push_loud_steps<const UP: bool>(&self, moves: &mut Vec<Step>) {
        let winning = self.winning_squares::<UP>();
        self.push_steps::<UP>(winning, moves);
        let theirs = self.pieces(Self::mover_of::<UP>().other());
        self.push_steps::<UP>(theirs & !winning, moves);
    }
}

treegraft::dispatch! {
    /// A step for a player who looks one or two plies ahead.
    pub(super) fn careful_step<B: Word>(board: &Breakthrough<B>, plies: u32, rng: &mut Rng) -> Option<Step>
        = |cpu| for_mover!(board.careful_step(cpu, plies, rng));
}
