//! Connect-4 on a bitboard: a bit a cell, a column a run of `height + 1` bits.
//!
//! The spare bit above every column is never set. It keeps lines from running over the edge and
//! lets `stones + bottom` carry into the lowest empty cell of every column at once.

mod ending;
mod evaluate;
mod foresight;
mod picture;
mod tuned;

use std::collections::HashSet;

use treegraft::bits::{Cpu, mix};
use treegraft::rollout::AtVisits;
use treegraft::{
    Charset, Game, Limits, Notation, NotationError, Outcome, Picture, Playout, Rng, Side, Speed,
    Trace,
};

use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor, by_moves, square};

/// Connect-4, `connect4` and `connect4:WxH`: whoever has four in a line wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connect4 {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    all: u64,
    /// The lowest cell of every column: with the height, the shape of the board.
    bottom: u64,
    width: u8,
    height: u8,
    mover: Side,
}

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "connect4",
    syntax: "connect4 or connect4:WxH with W*(H+1) at most 64, such as connect4:7x6",
    params: &[Param {
        name: "WxH",
        values: "columns x rows, W*(H+1) at most 64",
        default: "7x6",
        meaning: "size of the board",
    }],
    rules: "Drop a stone into a column; four of yours in a line win, a full board is a draw.",
    moves: "column numbers, 4453",
    positions: "the column numbers played",
    // Baier & Winands 2015.
    constants: Constants {
        mr: 2,
        ms: AtVisits { depth: 2, visits: 1 },
        mb: 1,
        ..Constants::tuned(1.3)
    },
    random_start: None,
};

/// The start that a text names, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let mut params = Params::new(text, INFO.syntax)?;
    let (w, h) = params.width_by_height(1..=32, 1..=63)?.unwrap_or((7, 6));
    let start = Connect4::new(w, h)
        .ok_or_else(|| params.error(format!("a board of {w}x{h} does not fit 64 bits")))?;
    params.finish()?;
    let name = Canonical::new(INFO.name);
    let canonical = if (w, h) == (7, 6) { name } else { name.size(format_args!("{w}x{h}")) };
    Ok((canonical.finish(), visitor.visit(start)))
}

impl Connect4 {
    /// The empty board of the given size, if it fits 64 bits with its spare row.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Option<Connect4> {
        if width == 0 || height == 0 || u64::from(width) * (u64::from(height) + 1) > 64 {
            return None;
        }
        let bottom = (0..width).map(|c| 1 << (c * (height + 1))).sum();
        let (width, height) = (width as u8, height as u8);
        Some(Connect4 { own: 0, all: 0, bottom, width, height, mover: Side::First })
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

    /// Whose stone lies in a cell; row 0 is the lowest.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        let cell = 1u64 << (column * self.stride() + row);
        match (self.all & cell != 0, self.own & cell != 0) {
            (false, _) => None,
            (true, true) => Some(self.mover),
            (true, false) => Some(self.mover.other()),
        }
    }

    #[inline(always)]
    fn stride(&self) -> u32 {
        u32::from(self.height) + 1
    }

    /// All cells of the board.
    #[inline(always)]
    fn cells(&self) -> u64 {
        // A column of ones below each spare bit; subtracting cannot borrow across columns.
        (self.bottom << self.height).wrapping_sub(self.bottom)
    }

    /// The cells a stone can be dropped into, at most one a column.
    #[inline(always)]
    fn open(&self) -> u64 {
        (self.all + self.bottom) & self.cells()
    }

    /// The cells of a column.
    #[inline(always)]
    fn column(&self, column: u8) -> u64 {
        ((1u64 << self.height) - 1) << (u32::from(column) * self.stride())
    }

    /// Appends the columns of some cells, one a column.
    #[inline(always)]
    fn push_columns(&self, mut cells: u64, moves: &mut Vec<u8>) {
        while cells != 0 {
            moves.push((cells.trailing_zeros() / self.stride()) as u8);
            cells &= cells - 1;
        }
    }

    /// Drops a stone of the side to move into an open cell.
    #[inline(always)]
    fn drop_into(&mut self, cell: u64) {
        self.own ^= self.all;
        self.all |= cell;
        self.mover = self.mover.other();
    }

    /// Whether these stones have four in a line.
    #[inline(always)]
    fn has_four(stones: u64, stride: u32) -> bool {
        let line = |step: u32| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step))
        };
        line(1) | line(stride - 1) | line(stride) | line(stride + 1) != 0
    }

    /// Lines of four that hold no stone of `theirs`, by how many of `own` they hold.
    #[inline]
    fn open_lines(&self, own: u64, theirs: u64) -> [u32; 5] {
        let free = self.cells() & !theirs;
        let stride = self.stride();
        let mut lines = [0; 5];
        for step in [1, stride - 1, stride, stride + 1] {
            let cells = |stones: u64| [0, 1, 2, 3].map(|i| stones >> (i * step));
            let mut rest = cells(free).into_iter().fold(u64::MAX, |all, shifted| all & shifted);
            // A bit a line, at its lowest cell; counted with bitwise adders.
            let [a, b, c, d] = cells(own);
            let (ab, cd) = ((a ^ b, a & b), (c ^ d, c & d));
            let ones = ab.0 ^ cd.0;
            let carry = ab.0 & cd.0;
            let twos = ab.1 ^ cd.1 ^ carry;
            let fours = ab.1 & cd.1;
            for (count, with_count) in [(4, fours), (3, ones & twos), (2, twos), (1, ones)] {
                lines[count] += (rest & with_count).count_ones();
                rest &= !with_count;
            }
            lines[0] += rest.count_ones();
        }
        lines
    }

    /// Some legal order of moves that leads here: takes stones off the columns' tops, those of
    /// the last mover first, remembering heights from which there is no way down.
    fn some_moves(&self) -> Option<Vec<u32>> {
        fn undo(board: &Connect4, moves: &mut Vec<u32>, dead: &mut HashSet<u64>) -> bool {
            if board.all == 0 {
                return board.mover == Side::First;
            }
            if dead.contains(&board.all) {
                return false;
            }
            let theirs = board.all ^ board.own;
            for column in 0..board.width() {
                let cells = ((1u64 << board.height) - 1) << (column * board.stride());
                let Some(top) = (board.all & cells).checked_ilog2() else { continue };
                if theirs & 1 << top == 0 {
                    continue;
                }
                let all = board.all ^ 1 << top;
                let before =
                    Connect4 { own: all ^ board.own, all, mover: board.mover.other(), ..*board };
                moves.push(column);
                if before.outcome().is_none() && undo(&before, moves, dead) {
                    return true;
                }
                moves.pop();
            }
            dead.insert(board.all);
            false
        }
        let mut moves = Vec::new();
        undo(self, &mut moves, &mut HashSet::new()).then(|| moves.into_iter().rev().collect())
    }

    /// Moves are written without separators while every column is one digit.
    fn separator(&self) -> &'static str {
        if self.width <= 9 { "" } else { " " }
    }
}

impl Game for Connect4 {
    /// A column, from 0.
    type Move = u8;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u8>) {
        self.push_columns(self.open(), moves);
    }

    #[inline]
    fn play(&mut self, column: u8) {
        let cell = self.open() & self.column(column);
        debug_assert!(cell != 0, "the column is full");
        self.drop_into(cell);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if Connect4::has_four(self.own ^ self.all, self.stride()) {
            Some(Outcome::Win(self.mover.other()))
        } else if self.all == self.cells() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        trace.is_none().then(|| playout(self, rng, max_plies))
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: 64, ..Limits::default() }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for Connect4 {
    #[inline]
    fn key(&self) -> u64 {
        // `all + bottom` marks the height of every column, `own` colours what lies below.
        mix(self.own + self.all + self.bottom)
    }

    #[inline]
    fn move_slots(&self) -> usize {
        self.width as usize
    }

    #[inline]
    fn move_slot(&self, column: u8) -> usize {
        column as usize
    }

    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<u8> {
        (plies <= 3).then(|| foresight::careful_column(self, plies, rng))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
        random_column(self, rng)
    }
}

impl Notation for Connect4 {
    fn side_name(&self, side: Side) -> &'static str {
        ["X", "O"][side.index()]
    }

    fn move_text(&self, column: u8) -> String {
        (column + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let expected = || format!("a column from 1 to {} that is not full", self.width);
        let refuse = |problem: &str| NotationError::of_move(text, problem, expected());
        let column = match text.parse::<u8>() {
            Ok(n) if (1..=self.width).contains(&n) && n.to_string() == text => n - 1,
            _ => return Err(refuse("not a column")),
        };
        if self.outcome().is_some() {
            return Err(refuse("the game is over").illegal());
        }
        let top = 1u64 << (u32::from(column) * self.stride() + u32::from(self.height) - 1);
        if self.all & top != 0 {
            return Err(refuse("the column is full").illegal());
        }
        Ok(column)
    }

    fn position_text(&self) -> Option<String> {
        let moves = self.some_moves()?;
        Some(moves.iter().map(|c| (c + 1).to_string()).collect::<Vec<_>>().join(self.separator()))
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        Some(self.separator())
    }

    fn parse_position(&self, text: &str) -> Result<Connect4, NotationError> {
        let empty = Connect4 { own: 0, all: 0, mover: Side::First, ..*self };
        by_moves::parse(empty, text, "the columns played, such as 4453")
    }

    fn diagram(&self, charset: Charset) -> String {
        let (empty, wall) = match charset {
            Charset::Unicode => ('·', '│'),
            Charset::Ascii => ('.', '|'),
        };
        let row = |row: u32| {
            // The signs are the names of the sides.
            let stone =
                |column| self.at(column, row).map_or(empty, |side| ['X', 'O'][side.index()]);
            format!("{wall}{} {wall}\n", square::spaced(self.width(), stone))
        };
        let rows: String = (0..self.height()).rev().map(row).collect();
        // Two-digit columns show their last digit: the boards that have them are rare.
        let digit = |column: u32| char::from(b'0' + ((column + 1) % 10) as u8);
        rows + " " + &square::spaced(self.width(), digit)
    }

    fn picture(&self) -> Option<Picture> {
        Some(picture::picture(self))
    }

    /// The cell into which the stone falls.
    fn move_cells(&self, column: u8) -> Vec<usize> {
        let column = u32::from(column);
        let lowest = (0..self.height()).find(|&row| self.at(column, row).is_none());
        lowest.map(|row| (row * self.width() + column) as usize).into_iter().collect()
    }
}

treegraft::dispatch! {
    fn random_column(board: &Connect4, rng: &mut Rng) -> u8 = random_column_on;
}

#[inline(always)]
fn random_column_on<C: Cpu>(cpu: C, board: &Connect4, rng: &mut Rng) -> u8 {
    let open = board.open();
    let cell = cpu.nth_bit(open, rng.below(open.count_ones()));
    (cell.trailing_zeros() / board.stride()) as u8
}

treegraft::dispatch! {
    fn playout(board: &mut Connect4, rng: &mut Rng, max_plies: u32) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu>(cpu: C, board: &mut Connect4, rng: &mut Rng, max_plies: u32) -> Playout {
    let mut position = *board;
    let stride = position.stride();
    let mut plies = 0;
    let playout = loop {
        if Connect4::has_four(position.own ^ position.all, stride) {
            let outcome = Outcome::Win(position.mover.other());
            break Playout { outcome, plies, capped: false };
        }
        let open = position.open();
        if open == 0 || plies == max_plies {
            break Playout { outcome: Outcome::Draw, plies, capped: open != 0 };
        }
        position.drop_into(cpu.nth_bit(open, rng.below(open.count_ones())));
        plies += 1;
    };
    *board = position;
    playout
}
