//! Breakthrough on a bitboard: a bit a square, a row a run of `width` bits, row 1 the lowest.
//!
//! Boards of up to 64 squares use `u64`, larger ones `u128`. The legal moves are three sets of
//! target squares, one a direction; a random move is a random member of the three.

use std::hint::select_unpredictable;

use treegraft::bits::{Cpu, mix};
use treegraft::{Exactness, Game, Ipp, Limits, Outcome, Playout, Rng, Side, Speed, Trace};

mod evaluate;
mod exchange;
mod foresight;
mod guided;
mod hinted;
mod improved;
mod info;
mod notation;
mod playout;
mod tuned;
mod word;

pub use info::INFO;
pub(crate) use info::start;
pub use word::Word;

/// Breakthrough, `breakthrough` and `breakthrough:WxH`: whoever reaches the other end wins.
///
/// White is the first player, begins on rows 1 and 2 and moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough<B> {
    white: B,
    black: B,
    /// The leftmost square of every row, also of rows above the board: a step from its upper
    /// right corner over the edge falls there.
    column_a: B,
    width: u8,
    height: u8,
    mover: Side,
}

/// A step of a piece. Squares are numbered from the lower left, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the piece stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

/// Calls a method whose parameter says whether the side to move goes up.
macro_rules! for_mover {
    ($board:ident.$method:ident($($argument:expr),*)) => {
        match $board.mover {
            treegraft::Side::First => $board.$method::<true>($($argument),*),
            treegraft::Side::Second => $board.$method::<false>($($argument),*),
        }
    };
}
use for_mover;

impl<B: Word> Breakthrough<B> {
    /// The starting position on a board of the given size, if it fits the bitboard and has
    /// 2 to 18 columns and 4 to 18 rows.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Option<Breakthrough<B>> {
        // A single column could leave a side without a move, and the home rows take four rows.
        let possible = (2..=18).contains(&width) && (4..=18).contains(&height);
        if !possible || width * height > B::BITS {
            return None;
        }
        let rows = 0..B::BITS.div_ceil(width);
        let column_a = rows.fold(B::NONE, |all, row| all | B::ONE << (row * width));
        let white = (0..2 * width).fold(B::NONE, |all, square| all | B::ONE << square);
        let black = white << ((height - 2) * width);
        let (width, height) = (width as u8, height as u8);
        Some(Breakthrough { white, black, column_a, width, height, mover: Side::First })
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        u32::from(self.height)
    }

    /// Whose piece stands in a column and row, both from 0; row 0 is White's home row.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        let square = B::ONE << (row * self.width() + column);
        [Side::First, Side::Second].into_iter().find(|&side| self.pieces(side) & square != B::NONE)
    }

    /// The pieces of a side.
    #[inline(always)]
    fn pieces(&self, side: Side) -> B {
        if side == Side::First { self.white } else { self.black }
    }

    /// The home row of the side that `side` plays against.
    #[inline(always)]
    fn goal(&self, side: Side) -> B {
        let lowest = !(!B::NONE << self.width());
        if side == Side::First { lowest << (self.width() * (self.height() - 1)) } else { lowest }
    }

    /// Whether `side` has a piece on its goal or has captured everything.
    #[inline(always)]
    fn has_won(&self, side: Side) -> bool {
        self.pieces(side) & self.goal(side) != B::NONE || self.pieces(side.other()) == B::NONE
    }

    /// How many squares on a step leads, for steps to the left, straight and to the right.
    /// `UP` says that White moves; left is towards column a for both sides.
    #[inline(always)]
    fn lengths<const UP: bool>(&self) -> [u32; 3] {
        let w = self.width();
        if UP { [w - 1, w, w + 1] } else { [w + 1, w, w - 1] }
    }

    /// The squares that the side to move can step on to the left, straight and to the right.
    #[inline(always)]
    fn targets<const UP: bool>(&self) -> [B; 3] {
        let (own, other) = if UP { (self.white, self.black) } else { (self.black, self.white) };
        let [left, straight, right] = self.lengths::<UP>();
        // No piece can step off the far end: a piece there has won.
        let step = |length: u32| if UP { own << length } else { own >> length };
        let last_column = self.column_a << (self.width() - 1);
        [
            step(left) & !(own | last_column),
            step(straight) & !(own | other),
            step(right) & !(own | self.column_a),
        ]
    }

    /// A random target, and how long the step there is.
    #[inline(always)]
    fn random_target<const UP: bool>(&self, cpu: impl Cpu, rng: &mut Rng) -> (B, u32) {
        self.random_among::<UP>(cpu, self.targets::<UP>(), rng)
    }

    /// One of these targets, and how long the step there is.
    #[inline(always)]
    fn random_among<const UP: bool>(
        &self,
        cpu: impl Cpu,
        [left, straight, right]: [B; 3],
        rng: &mut Rng,
    ) -> (B, u32) {
        let lengths = self.lengths::<UP>();
        let (lefts, straights) = (left.count(), straight.count());
        let n = rng.below(lefts + straights + right.count());
        // Which direction it is cannot be predicted, so no branches.
        let (is_left, is_right) = (n < lefts, n >= lefts + straights);
        let before = select_unpredictable(is_right, lefts + straights, lefts);
        let before = select_unpredictable(is_left, 0, before);
        let mask = select_unpredictable(is_right, right, straight);
        let mask = select_unpredictable(is_left, left, mask);
        let length = select_unpredictable(is_right, lengths[2], lengths[1]);
        let length = select_unpredictable(is_left, lengths[0], length);
        (mask.nth(cpu, n - before), length)
    }

    /// The step to one of these targets.
    #[inline(always)]
    fn step_among<const UP: bool>(&self, cpu: impl Cpu, targets: [B; 3], rng: &mut Rng) -> Step {
        self.step_to::<UP>(self.random_among::<UP>(cpu, targets, rng))
    }

    /// The step of this length to a target square.
    #[inline(always)]
    fn step_to<const UP: bool>(&self, (to, length): (B, u32)) -> Step {
        let to = to.lowest();
        let from = if UP { to - length } else { to + length };
        Step { from: from as u8, to: to as u8 }
    }

    /// Steps on a target square and gives the turn to the other side.
    #[inline(always)]
    fn step<const UP: bool>(&mut self, to: B, length: u32) {
        if UP {
            self.white = self.white ^ to ^ (to >> length);
            self.black = self.black & !to;
            self.mover = Side::Second;
        } else {
            self.black = self.black ^ to ^ (to << length);
            self.white = self.white & !to;
            self.mover = Side::First;
        }
    }

    /// Appends the steps of the side to move to some squares.
    #[inline(always)]
    fn push_steps<const UP: bool>(&self, squares: B, moves: &mut Vec<Step>) {
        for (targets, length) in self.targets::<UP>().into_iter().zip(self.lengths::<UP>()) {
            let mut targets = targets & squares;
            while targets != B::NONE {
                let to = targets.lowest();
                let from = if UP { to - length } else { to + length };
                moves.push(Step { from: from as u8, to: to as u8 });
                targets = targets ^ B::ONE << to;
            }
        }
    }

    /// Whether the side to move can make a step.
    fn is_legal(&self, mv: Step) -> bool {
        let (targets, lengths) = (for_mover!(self.targets()), for_mover!(self.lengths()));
        let (low, high) = match self.mover {
            Side::First => (mv.from, mv.to),
            Side::Second => (mv.to, mv.from),
        };
        let to = B::ONE << u32::from(mv.to);
        targets.into_iter().zip(lengths).any(|(targets, length)| {
            targets & to != B::NONE && u32::from(high) == u32::from(low) + length
        })
    }

    /// Column and row of a square.
    fn place(&self, square: u8) -> (u32, u32) {
        (u32::from(square) % self.width(), u32::from(square) / self.width())
    }
}

impl<B: Word> Game for Breakthrough<B> {
    type Move = Step;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    /// Steps to the left, then straight, then to the right.
    ///
    /// There always is one: no own piece stands before the most advanced one, and at least one
    /// of the squares diagonally before it is on the board.
    #[inline]
    fn moves(&self, moves: &mut Vec<Step>) {
        for_mover!(self.push_steps(!B::NONE, moves));
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal");
        let (to, length) = (B::ONE << u32::from(mv.to), u32::from(mv.to.abs_diff(mv.from)));
        for_mover!(self.step(to, length));
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Only a move wins, so only the side that has just moved can have won.
        let last = self.mover.other();
        self.has_won(last).then_some(Outcome::Win(last))
    }

    #[inline]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        trace.is_none().then(|| playout::playout(self, rng, max_plies))
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: 4 * self.width() * self.height(), ..Limits::default() }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl<B: Word> Speed for Breakthrough<B> {
    #[inline]
    fn key(&self) -> u64 {
        let pieces = mix(self.white.folded() ^ mix(self.black.folded()));
        if self.mover == Side::First { pieces } else { !pieces }
    }

    #[inline]
    fn move_slots(&self) -> usize {
        3 * self.width as usize * self.height as usize
    }

    #[inline]
    fn move_slot(&self, mv: Step) -> usize {
        // 0, 1 or 2: to the left, straight or to the right.
        let direction = 1 + self.place(mv.to).0 - self.place(mv.from).0;
        3 * mv.from as usize + direction as usize
    }

    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<Step> {
        if plies <= 2 { foresight::careful_step(self, plies, rng) } else { None }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Step {
        playout::random_step(self, rng)
    }

    #[inline]
    fn guided_move(&self, ipp: Option<Ipp>, rng: &mut Rng, _: &mut Vec<Step>) -> Step {
        match ipp {
            Some(ipp) => improved::improved_step(self, ipp, rng),
            None => hinted::hinted_step(self, rng),
        }
    }
}

impl<B: Word> Exactness for Breakthrough<B> {
    #[inline]
    fn foregone(&self) -> Option<Outcome> {
        for_mover!(self.foresee())
    }

    #[inline]
    fn candidate_moves(&self, moves: &mut Vec<Step>) {
        for_mover!(self.push_candidates(moves));
    }

    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
        for_mover!(self.see_ahead(plies))
    }
}
