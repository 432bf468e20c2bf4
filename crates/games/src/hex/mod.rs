//! Hex on bitboards of one, two or six words: a bit a cell, row by row, a1 the lowest.
//!
//! Column letters run along the top, row numbers down the left side, and every row is shifted
//! half a cell to the right of the one above: a cell touches those beside, above and below it,
//! and those above to the right and below to the left.

mod evaluate;
mod foresight;
mod greedy;
mod notation;
mod picture;
mod playout;
mod tuned;
mod two_distance;
mod ways;
mod words;

use treegraft::bits::mix;
use treegraft::{Game, Ipp, Limits, Outcome, Playout, Rng, Side, Speed, Trace};

pub use self::words::{Cells, Shape, Wide};
use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};

/// The move that takes over the first stone.
pub const SWAP: u16 = u16::MAX;

/// Hex, `hex:N`: Black, who begins, joins the top and the bottom, White the left and the right.
///
/// With `swap=true` White may answer the first stone by taking it over, mirrored: the stone at
/// column c, row r becomes a white one at column r, row c, and it is Black's turn. Colours and
/// edges stay with the players.
///
/// A board of cells that fits fewer words is faster: `u64` up to 8x8, `u128` up to 11x11,
/// [`Wide`] for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hex<W: Cells> {
    /// By side.
    stones: [W; 2],
    /// The stones of each side that are joined to the edge it starts from: the top, the left.
    /// Follows from the stones; nothing once the game is over.
    reached: [W; 2],
    /// Follows from the stones.
    winner: Option<Side>,
    mover: Side,
    size: u8,
    swap: bool,
}

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "hex",
    syntax: "hex:N with N from 2 to 19, and swap=true or swap=false, such as hex:11,swap=true",
    params: &[
        Param {
            name: "N",
            values: "from 2 to 19",
            default: "11",
            meaning: "rows and columns of the board; 11 is the size most people play",
        },
        Param {
            name: "swap",
            values: "true or false",
            default: "false",
            meaning: "whether White may take over Black's first stone, mirrored, by the move swap",
        },
    ],
    rules: "Put a stone on any empty cell; Black wins by joining the top and the bottom, White by \
            joining the left and the right.",
    moves: "column letter and row number, a1 k11, and swap",
    positions: "the moves played, with blanks between them",
    // C: the best of 0, 0.1, 0.2, 0.3, 0.5, 0.7, 1 and 1.41 on 7x7 and 11x11 with 2,000 simulations, and
    // for RAVE of 0, 0.1, 0.2 and 0.4. Strategies: E, Mp, Md and the simple evaluation of Mańdziuk &
    // Walczak.
    constants: Constants {
        rave: 0.0,
        strategies: [
            &["distance", "own-reach", "reach", "pairs", "random"],
            &["own-reach", "reach", "pairs"],
        ],
        ..Constants::tuned(0.6)
    },
    random_start: None,
};

/// The start that a text names, in the fewest words that hold it, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    const DEFAULT: u32 = 11;
    let mut params = Params::new(text, INFO.syntax)?;
    let size = params.number("the size", DEFAULT, 2..=words::MAX_SIZE)?;
    let swap = params.flag("swap", "true or false")?.unwrap_or(false);
    params.finish()?;
    let name = Canonical::new(INFO.name);
    let sized = if size == DEFAULT { name } else { name.size(size) };
    let output = match size {
        ..=8 => visitor.visit(Hex::<u64>::start(size, swap)),
        9..=11 => visitor.visit(Hex::<u128>::start(size, swap)),
        _ => visitor.visit(Hex::<Wide>::start(size, swap)),
    };
    Ok((sized.flag("swap", swap, !swap).finish(), output))
}

impl<W: Cells> Hex<W> {
    /// The empty board of `size` rows and columns, from 2 to 19, if its cells fit `W`.
    #[must_use]
    pub fn new(size: u32, swap: bool) -> Option<Hex<W>> {
        let fits = || size * size <= 8 * size_of::<W>() as u32;
        ((2..=words::MAX_SIZE).contains(&size) && fits()).then(|| Hex::start(size, swap))
    }

    fn start(size: u32, swap: bool) -> Hex<W> {
        Hex {
            stones: [W::NONE; 2],
            reached: [W::NONE; 2],
            winner: None,
            mover: Side::First,
            size: size as u8,
            swap,
        }
    }

    /// Number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::from(self.size)
    }

    /// Whose stone lies on a cell; row 0 is the top one.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        let cell = W::one(self.cell(column, row));
        let has = |side: &Side| self.stones[side.index()] & cell != W::NONE;
        [Side::First, Side::Second].into_iter().find(has)
    }

    fn cell(&self, column: u32, row: u32) -> u32 {
        row * self.size() + column
    }

    /// The cell with column and row exchanged.
    fn mirrored(&self, cell: u32) -> u32 {
        self.cell(cell / self.size(), cell % self.size())
    }

    #[inline(always)]
    fn shape(&self) -> &'static Shape<W> {
        &W::SHAPES[usize::from(self.size)]
    }

    #[inline(always)]
    fn empty(&self) -> W {
        self.shape().all & !(self.stones[0] | self.stones[1])
    }

    /// Whether a swap is legal now.
    #[inline(always)]
    fn can_swap(&self) -> bool {
        self.swap_ahead() && self.mover == Side::Second
    }

    /// Whether a swap is legal now or after the next move: while White has no stone.
    #[inline(always)]
    fn swap_ahead(&self) -> bool {
        self.swap && self.stones[1] == W::NONE
    }

    /// The cells that touch one of `cells`, and some of `cells`.
    #[inline(always)]
    fn around(&self, cells: W) -> W {
        let [a, b, c, d, e, f] = self.beside(cells);
        a | b | c | d | e | f
    }

    /// `cells` moved by a step in each of the six directions; some may leave the board.
    #[inline(always)]
    fn beside(&self, cells: W) -> [W; 6] {
        [0, 1, 2, 3, 4, 5].map(|direction| self.step(direction, cells))
    }

    /// `cells` moved by a step down, up, to the right, to the left, up right or down left.
    #[inline(always)]
    fn step(&self, direction: usize, cells: W) -> W {
        let (shape, n) = (self.shape(), self.size());
        match direction {
            0 => cells.raised(n),
            1 => cells.lowered(n),
            2 => (cells & !shape.right).raised(1),
            3 => (cells & !shape.left).lowered(1),
            4 => (cells & !shape.right).lowered(n - 1),
            _ => (cells & !shape.left).raised(n - 1),
        }
    }

    /// `from` and all of `stones` that are joined to it.
    #[inline(always)]
    fn spread(&self, from: W, stones: W) -> W {
        let (mut group, mut added) = (from, from);
        while added != W::NONE {
            added = self.around(added) & stones & !group;
            group = group | added;
        }
        group
    }

    /// The edges a side joins.
    #[inline(always)]
    fn edges(&self, side: Side) -> (W, W) {
        let shape = self.shape();
        match side {
            Side::First => (shape.top, shape.bottom),
            Side::Second => (shape.left, shape.right),
        }
    }

    /// Puts a stone of the side to move on an empty cell, and sees what that joins.
    #[inline(always)]
    fn put(&mut self, cell: u32) {
        let (side, stone) = (self.mover, W::one(cell));
        let (start, goal) = self.edges(side);
        let own = self.stones[side.index()] | stone;
        self.stones[side.index()] = own;
        self.mover = side.other();
        let before = self.reached[side.index()];
        if stone & start == W::NONE && self.around(stone) & before == W::NONE {
            return;
        }
        let group = self.spread(stone, own & !before);
        if group & goal == W::NONE {
            self.reached[side.index()] = before | group;
        } else {
            self.finish(side);
        }
    }

    /// Notes the winner.
    #[inline(always)]
    fn finish(&mut self, winner: Side) {
        self.winner = Some(winner);
        self.reached = [W::NONE; 2];
    }

    /// Takes over the only stone.
    fn swap_stone(&mut self) {
        let Some(cell) = self.stones[0].lowest() else { return };
        *self = Hex { mover: Side::Second, ..Hex::start(self.size(), self.swap) };
        self.put(self.mirrored(cell));
    }

    /// Some legal order of moves that leads here.
    ///
    /// Any order is right as long as the game is not won before its last move. A game that was
    /// played has a stone, its last, without which nobody has won; and with that stone last nobody
    /// wins earlier, because fewer stones never join more. `None` where there is no such stone: on
    /// a board filled up after the game was won, as playouts leave it.
    fn some_moves(&self) -> Option<Vec<u16>> {
        let last_mover = self.mover.other();
        let last = match self.winner {
            None => None,
            Some(winner) if winner != last_mover => return None,
            Some(winner) => {
                let stones = self.stones[winner.index()];
                Some(stones.iter().find(|&cell| !self.joins(stones ^ W::one(cell), winner))?)
            }
        };
        let [black, mut white] = self.stones.map(|stones| {
            let mut cells: Vec<u32> = stones.iter().collect();
            if let Some(at) = cells.iter().position(|&cell| Some(cell) == last) {
                cells[at..].rotate_left(1);
            }
            cells.into_iter()
        });
        let mut moves = Vec::new();
        let placed = |cell: u32| cell as u16;
        // After a swap White has a stone more than alternating moves would have given it.
        if white.len() + usize::from(self.mover == Side::Second) > black.len() {
            let first = white.next()?;
            moves.extend([placed(self.mirrored(first)), SWAP]);
        }
        for cell in black {
            moves.push(placed(cell));
            moves.extend(white.next().map(placed));
        }
        Some(moves)
    }

    /// Whether these stones join the edges of a side.
    fn joins(&self, stones: W, side: Side) -> bool {
        let (start, goal) = self.edges(side);
        self.spread(stones & start, stones) & goal != W::NONE
    }
}

impl<W: Cells> Game for Hex<W> {
    /// A cell, `size` times the row plus the column, or [`SWAP`].
    type Move = u16;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u16>) {
        self.empty().list(moves);
        if self.can_swap() {
            moves.push(SWAP);
        }
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        if mv == SWAP {
            debug_assert!(self.can_swap(), "only the first stone can be taken over");
            self.swap_stone();
        } else {
            debug_assert!(self.empty() & W::one(mv.into()) != W::NONE, "the cell is occupied");
            self.put(mv.into());
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    /// Fills the whole board. The winner is the same as that of a game that stops when somebody
    /// has won, since stones put later cannot part what is joined; the plies are the stones put.
    #[inline]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        // All stones of the filled board are in the trace.
        Some(playout::playout(self, rng, max_plies, trace))
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: self.size() * self.size() + 1, ..Limits::default() }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl<W: Cells> Speed for Hex<W> {
    #[inline]
    fn key(&self) -> u64 {
        let rules = u64::from(self.size) << 2 | u64::from(self.swap) << 1;
        let seed = mix(rules | self.mover.index() as u64);
        self.stones[1].fold(self.stones[0].fold(seed))
    }

    #[inline]
    fn move_slots(&self) -> usize {
        usize::from(self.size) * usize::from(self.size) + 1
    }

    #[inline]
    fn move_slot(&self, mv: u16) -> usize {
        usize::from(mv).min(self.move_slots() - 1)
    }

    #[inline]
    fn guided_move(&self, ipp: Option<Ipp>, rng: &mut Rng, buffer: &mut Vec<u16>) -> u16 {
        match ipp {
            Some(_) => foresight::urgent_move(self, rng),
            None => treegraft::guided_move(self, None, rng, buffer),
        }
    }

    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<u16> {
        let is_told = plies <= 2 && !self.swap_ahead();
        is_told.then(|| foresight::careful_cell(self, plies, rng))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u16>) -> u16 {
        playout::random_move(self, rng)
    }
}
