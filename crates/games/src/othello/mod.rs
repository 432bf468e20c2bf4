//! Othello on two bitboards: a1 is the lowest bit, b1 the next, a2 the ninth.
//!
//! Smaller boards occupy the upper left corner of the 8x8 one.

mod discs;
mod ending;
mod evaluate;
mod greedy;
mod notation;
mod tuned;

use treegraft::bits::{Cpu, mix};
use treegraft::rollout::AtVisits;
use treegraft::{Exactness, Game, Limits, Outcome, Playout, Rng, Side, Speed, Trace};

use self::discs::Steps;
use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};

/// The move of a side that cannot place a disc.
pub const PASS: u8 = 64;

/// Othello, `othello` and `othello:N`: enclose the other's discs to turn them, most discs win.
///
/// Who gets the cells that are empty in the end is an option, [`Empties`]. It changes margins, never
/// who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    /// Discs of the side to move.
    own: u64,
    /// Discs of the other side.
    opp: u64,
    size: u8,
    empties: Empties,
    mover: Side,
}

/// Whom the margin of a finished game gives the empty cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Empties {
    /// Neither side: the margin is the plain difference of discs.
    #[default]
    Nobody,
    /// The winner, as the rules of tournaments and most programs have it. In a draw neither side.
    Winner,
}

impl Empties {
    /// The margin that a difference of discs comes to in a game that ends with so many empty cells,
    /// in the same view.
    #[inline(always)]
    fn margin(self, lead: i64, empty: u32) -> i64 {
        match self {
            Empties::Nobody => lead,
            Empties::Winner => lead + lead.signum() * i64::from(empty),
        }
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "othello",
    syntax: "othello or othello:N with N 4, 6 or 8, such as othello:6, then maybe \
             empties=nobody|winner",
    params: &[
        Param {
            name: "N",
            values: "4, 6 or 8",
            default: "8",
            meaning: "rows and columns of the board",
        },
        Param {
            name: "empties",
            values: "nobody or winner",
            default: "nobody",
            meaning: "whom the margin gives the squares that are empty in the end; tournaments \
                      and most programs say winner",
        },
    ],
    rules: "Place a disc so that it encloses discs of the other side in a line, which are turned; \
            a side that cannot must pass; when neither can, the side with more discs wins.",
    moves: "squares and pass, f5d6c3; a1 is at the top left",
    positions: "one character per square, row by row from a1 (X Black, O White, - empty), then a \
                blank and the side to move, X or O",
    // Baier & Winands 2015.
    constants: Constants {
        ms: AtVisits { depth: 2, visits: 50 },
        // E, Mp, Md and WPC of Mańdziuk & Walczak.
        strategies: [
            &["discs", "own-mobility", "mobility", "wpc", "random"],
            &["own-mobility", "mobility", "wpc"],
        ],
        ..Constants::tuned(0.7)
    },
    random_start: None,
};

/// The start that a text names, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let mut params = Params::new(text, INFO.syntax)?;
    let size = params.number("the size", 8, 4..=8)?;
    let start = Othello::new(size)
        .ok_or_else(|| params.error(format!("the size is {size}, which is odd")))?;
    let empties = params
        .one_of("empties", &[("nobody", Empties::Nobody), ("winner", Empties::Winner)])?
        .unwrap_or_default();
    params.finish()?;
    let name = Canonical::new(INFO.name);
    let sized = if size == 8 { name } else { name.size(size) };
    let canonical = sized.flag("empties", "winner", empties == Empties::default());
    Ok((canonical.finish(), visitor.visit(start.with_empties(empties))))
}

impl Othello {
    /// The start on a board of `size` rows and columns: 4, 6 or 8.
    #[must_use]
    pub fn new(size: u32) -> Option<Othello> {
        if ![4, 6, 8].contains(&size) {
            return None;
        }
        let (low, high) = (size / 2 - 1, size / 2);
        let disc = |column: u32, row: u32| 1u64 << (8 * row + column);
        Some(Othello {
            own: disc(high, low) | disc(low, high),
            opp: disc(low, low) | disc(high, high),
            size: size as u8,
            empties: Empties::default(),
            mover: Side::First,
        })
    }

    /// The same position in the game that counts empty cells like this.
    #[must_use]
    pub fn with_empties(self, empties: Empties) -> Othello {
        Othello { empties, ..self }
    }

    /// Whom margins give the empty cells.
    #[must_use]
    pub fn empties(&self) -> Empties {
        self.empties
    }

    /// Number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::from(self.size)
    }

    /// Whose disc lies on a square; row 0 is the top one.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        let cell = 1u64 << (8 * row + column);
        SIDES.into_iter().find(|&side| self.discs_of(side) & cell != 0)
    }

    /// Number of discs of a side.
    #[must_use]
    pub fn discs(&self, side: Side) -> u32 {
        self.discs_of(side).count_ones()
    }

    fn discs_of(&self, side: Side) -> u64 {
        if side == self.mover { self.own } else { self.opp }
    }

    /// All cells of the board.
    #[inline(always)]
    fn cells(&self) -> u64 {
        const CELLS: [u64; 9] =
            [0, 0, 0, 0, 0x0f0f_0f0f, 0, 0x3f3f_3f3f_3f3f, 0, 0xffff_ffff_ffff_ffff];
        CELLS[usize::from(self.size)]
    }

    /// The cells without a disc.
    #[inline(always)]
    fn empty_cells(&self) -> u64 {
        self.cells() & !(self.own | self.opp)
    }

    /// The cells on which the side to move can place a disc.
    #[inline(always)]
    fn placements_inlined(&self, steps: Steps) -> u64 {
        discs::closing_cells(self.own, self.opp, steps) & self.empty_cells()
    }

    /// The cells on which the side to move can place a disc, if none of them can end the game.
    ///
    /// A cell from which a line can be closed stays one, whatever is placed elsewhere, as long as
    /// the disc next to it on that line is not turned. So a placement ends the game only if it
    /// turns all such discs, and then it sees them all. (After a pass there is a placement, or the
    /// game would have been over before.)
    #[inline(always)]
    fn quiet_placements_inlined(&self, steps: Steps) -> Option<u64> {
        let free = self.empty_cells();
        let (cells, discs) = discs::closing_cells_and_discs(self.own, self.opp, free, steps);
        (!discs::all_seen_from_one(cells, discs)).then_some(cells)
    }

    /// The same position with the other side to move: what a pass makes of it.
    #[inline(always)]
    fn passed(&self) -> Othello {
        Othello { own: self.opp, opp: self.own, mover: self.mover.other(), ..*self }
    }

    /// Places a disc of the side to move and turns those it encloses.
    #[inline(always)]
    fn place(&mut self, cell: u32) {
        let turned = discs::turned(cell, self.own, self.opp);
        let own = self.own | turned | 1 << cell;
        *self = Othello { own, opp: self.opp ^ turned, ..*self }.passed();
    }

    /// Discs of the first player more than of the second.
    #[inline(always)]
    fn lead(&self) -> i64 {
        self.mover.sign() * (i64::from(self.own.count_ones()) - i64::from(self.opp.count_ones()))
    }
}

impl Game for Othello {
    /// A cell of the 8x8 board, eight times the row plus the column, or [`PASS`].
    type Move = u8;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u8>) {
        let mut cells = placements(self);
        if cells == 0 {
            moves.push(PASS);
        }
        while cells != 0 {
            moves.push(cells.trailing_zeros() as u8);
            cells &= cells - 1;
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: u8) {
        if mv == PASS {
            *self = self.passed();
        } else {
            debug_assert!(placements(self) & 1 << mv != 0, "nothing is turned");
            self.place(u32::from(mv));
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let over = placements(self) == 0 && placements(&self.passed()) == 0;
        over.then(|| Outcome::from_margin(self.lead()))
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
        Limits {
            playout_plies: 2 * u32::from(self.size) * u32::from(self.size),
            ..Limits::default()
        }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for Othello {
    #[inline]
    fn key(&self) -> u64 {
        let rules =
            (self.empties as u64) << 8 | u64::from(self.size) << 1 | self.mover.index() as u64;
        // The odd multiplier spreads the few bits of `rules` over the discs of both sides.
        mix(self.own ^ mix(self.opp ^ rules.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    #[inline]
    fn move_slots(&self) -> usize {
        65
    }

    #[inline]
    fn move_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    /// A side that has to pass has no reply.
    #[inline]
    fn replies(&self, mv: u8) -> u32 {
        let mut after = *self;
        after.play(mv);
        placements(&after).count_ones()
    }

    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<u8> {
        if plies == 1 { quiet_move(self, rng) } else { None }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
        random_placement(self, rng)
    }
}

impl Exactness for Othello {
    #[inline]
    fn margin(&self) -> Option<i64> {
        let empty = self.empty_cells().count_ones();
        self.outcome().map(|_| self.empties.margin(self.lead(), empty))
    }

    #[inline]
    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        ending::reaches(self, plies, least, nodes)
    }

    /// Only the last moves of a game are decisive: the answer is known when the next one is not.
    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
        if plies == 1 { quiet_placements(self).map(|_| 0) } else { None }
    }
}

treegraft::dispatch! {
    /// The cells on which the side to move can place a disc.
    fn placements(position: &Othello) -> u64 = |_| position.placements_inlined(Steps::new());
}

treegraft::dispatch! {
    fn random_placement(position: &Othello, rng: &mut Rng) -> u8
        = |cpu| one_of(cpu, position.placements_inlined(Steps::new()), rng);
}

/// A random one of these placements; a pass if there is none.
#[inline(always)]
fn one_of<C: Cpu>(cpu: C, cells: u64, rng: &mut Rng) -> u8 {
    match cells {
        0 => PASS,
        cells => cpu.nth_bit(cells, rng.below(cells.count_ones())).trailing_zeros() as u8,
    }
}

treegraft::dispatch! {
    fn quiet_placements(position: &Othello) -> Option<u64>
        = |_| position.quiet_placements_inlined(Steps::new());
}

treegraft::dispatch! {
    /// A random move, if none can end the game.
    fn quiet_move(position: &Othello, rng: &mut Rng) -> Option<u8>
        = |cpu| Some(one_of(cpu, position.quiet_placements_inlined(Steps::new())?, rng));
}

treegraft::dispatch! {
    fn playout(position: &mut Othello, rng: &mut Rng, max_plies: u32) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu>(cpu: C, start: &mut Othello, rng: &mut Rng, max_plies: u32) -> Playout {
    let steps = Steps::new();
    let mut position = *start;
    let mut plies = 0;
    let playout = loop {
        let mut cells = position.placements_inlined(steps);
        if cells == 0 {
            // The cells of the other side end the game or follow the pass: no need to find them twice.
            let passed = position.passed();
            cells = passed.placements_inlined(steps);
            if cells == 0 {
                let outcome = Outcome::from_margin(position.lead());
                break Playout { outcome, plies, capped: false };
            }
            if plies < max_plies {
                position = passed;
                plies += 1;
            }
        }
        if plies == max_plies {
            break Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let cell = cpu.nth_bit(cells, rng.below(cells.count_ones()));
        position.place(cell.trailing_zeros());
        plies += 1;
    };
    *start = position;
    playout
}
