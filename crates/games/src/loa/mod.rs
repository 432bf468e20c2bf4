//! Lines of Action on two bitboards.
//!
//! A move is a piece and one of eight directions, for the number of squares is given. So a
//! random piece and direction, drawn again until the move is legal, is a uniformly random move.

mod board;
mod categories;
mod ef_wb;
mod evaluate;
mod lines;
mod notation;
mod random;
mod tuned;

use treegraft::bits::mix;
use treegraft::{Game, Ipp, Limits, Outcome, Playout, Rng, Side, Speed, Trace};

use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};
use board::{RAYS, STEPS, connected};

/// Lines of Action, `loa`: whoever brings all pieces together wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loa {
    /// Pieces of the side to move.
    own: u64,
    /// Pieces of the other side.
    theirs: u64,
    mover: Side,
    rules: LoaRules,
}

/// What the rules of Lines of Action leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoaRules {
    /// Who wins when a move connects both sides.
    pub simultaneous: Simultaneous,
    /// What happens to a side without a legal move.
    pub no_move: NoMove,
    /// Which occurrence of a position draws a played game; `None`: no number of them does.
    pub repetition: Option<u8>,
}

/// Who wins when a move connects both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simultaneous {
    /// Nobody.
    Draw,
    /// The side that made the move.
    Mover,
}

/// What happens to a side without a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoMove {
    /// It passes.
    Pass,
    /// It loses.
    Loss,
}

impl Default for LoaRules {
    fn default() -> LoaRules {
        LoaRules { simultaneous: Simultaneous::Draw, no_move: NoMove::Pass, repetition: Some(3) }
    }
}

/// A move of Lines of Action: two squares, numbered a1, b1, …, h8 from 0. From a square to
/// itself is a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoaMove {
    /// Where the piece stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

impl LoaMove {
    /// What a side without a legal move plays.
    pub const PASS: LoaMove = LoaMove { from: 0, to: 0 };
}

/// b1–g1 and b8–g8.
const BLACK: u64 = 0x7e00_0000_0000_007e;
/// a2–a7 and h2–h7.
const WHITE: u64 = 0x0081_8181_8181_8100;

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "loa",
    syntax: "loa, then maybe : and simultaneous=draw|mover, no-move=pass|loss, \
             repetition=N|off, such as loa:simultaneous=mover,repetition=off",
    params: &[
        Param {
            name: "simultaneous",
            values: "draw or mover",
            default: "draw",
            meaning: "who wins when a move connects both sides",
        },
        Param {
            name: "no-move",
            values: "pass or loss",
            default: "pass",
            meaning: "what happens to a side without a legal move",
        },
        Param {
            name: "repetition",
            values: "a number from 2 to 255, or off",
            default: "3",
            meaning: "which occurrence of a position draws the game",
        },
    ],
    rules: "Move along a line as many squares as it has pieces, not over the enemy's; bring \
            all your pieces together.",
    moves: "two squares, b1h1 (also b1-h1, c1xa3), or pass",
    positions: "rows from the eighth to the first, B and W for pieces, digits for empty \
                squares, and the side to move: 1BBBBBB1/W6W/…/1BBBBBB1 b",
    // Remembered from the literature on the game, not printed in the papers.
    constants: Constants { ..Constants::tuned(0.6) },
    random_start: None,
};

/// The start that a text names, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let (mut params, default) = (Params::new(text, INFO.syntax)?, LoaRules::default());
    let simultaneous = params
        .one_of("simultaneous", &[("draw", Simultaneous::Draw), ("mover", Simultaneous::Mover)])?;
    let simultaneous = simultaneous.unwrap_or(default.simultaneous);
    let no_move = params.one_of("no-move", &[("pass", NoMove::Pass), ("loss", NoMove::Loss)])?;
    let no_move = no_move.unwrap_or(default.no_move);
    let repetition = match params.flag::<String>("repetition", "")?.as_deref() {
        None => default.repetition,
        Some("off") => None,
        Some(text) => match text.parse::<u8>() {
            Ok(n) if n >= 2 && n.to_string() == text => Some(n),
            _ => {
                let problem = format!("repetition is {text:?}, not a number from 2 to 255 or off");
                return Err(params.error(problem));
            }
        },
    };
    params.finish()?;
    let shown = repetition.map_or("off".to_owned(), |n| n.to_string());
    let canonical = Canonical::new(INFO.name)
        .flag("simultaneous", "mover", simultaneous == default.simultaneous)
        .flag("no-move", "loss", no_move == default.no_move)
        .flag("repetition", shown, repetition == default.repetition);
    let start = Loa::new(LoaRules { simultaneous, no_move, repetition });
    Ok((canonical.finish(), visitor.visit(start)))
}

impl Loa {
    /// The starting position.
    #[must_use]
    pub fn new(rules: LoaRules) -> Loa {
        Loa { own: BLACK, theirs: WHITE, mover: Side::First, rules }
    }

    /// The rules the game is played by.
    #[must_use]
    pub fn rules(&self) -> LoaRules {
        self.rules
    }

    /// Whose piece stands on a square, row 0 being the first.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        let square = 1u64 << (8 * row + column);
        [Side::First, Side::Second].into_iter().find(|&side| self.pieces(side) & square != 0)
    }

    fn pieces(&self, side: Side) -> u64 {
        if side == self.mover { self.own } else { self.theirs }
    }

    /// Where the own piece on `from` goes in a direction, if it may.
    #[inline(always)]
    fn target(&self, from: u32, direction: u32) -> Option<u32> {
        let (ray, length) = self.reach(from, direction);
        if length > ray.count_ones() {
            return None;
        }
        let to = destination(from, direction, length);
        (!self.is_blocked(ray, to, direction)).then_some(to)
    }

    /// The squares from `from` to the edge in a direction, and how many of them a piece goes.
    #[inline(always)]
    fn reach(&self, from: u32, direction: u32) -> (u64, u32) {
        let rays = &RAYS[from as usize & 63];
        let direction = direction as usize & 7;
        let ray = rays[direction];
        let line = ray | rays[direction ^ 4];
        (ray, (line & (self.own | self.theirs)).count_ones() + 1)
    }

    /// Whether an enemy stands between the beginning of a ray and `to`, or an own piece on `to`.
    #[inline(always)]
    fn is_blocked(&self, ray: u64, to: u32, direction: u32) -> bool {
        let landing = 1u64 << to;
        let passed = ray & !RAYS[to as usize & 63][direction as usize & 7] & !landing;
        (passed & self.theirs) | (landing & self.own) != 0
    }

    /// Calls `each` with all moves of pieces.
    #[inline(always)]
    fn for_each_move(&self, mut each: impl FnMut(LoaMove)) {
        let mut pieces = self.own;
        while pieces != 0 {
            let from = pieces.trailing_zeros();
            for direction in 0..8 {
                if let Some(to) = self.target(from, direction) {
                    each(LoaMove { from: from as u8, to: to as u8 });
                }
            }
            pieces &= pieces - 1;
        }
    }

    fn can_move(&self) -> bool {
        let mut pieces = self.own;
        while pieces != 0 {
            let from = pieces.trailing_zeros();
            if (0..8).any(|direction| self.target(from, direction).is_some()) {
                return true;
            }
            pieces &= pieces - 1;
        }
        false
    }

    /// Moves a piece of the side to move, captures, and hands the turn over.
    #[inline(always)]
    fn make(&mut self, from: u32, to: u32) {
        let moved = self.own ^ (1 << from) ^ (1 << to);
        (self.own, self.theirs) = (self.theirs & !(1 << to), moved);
        self.mover = self.mover.other();
    }

    /// The outcome, given which sides are connected.
    #[inline(always)]
    fn ending(&self, own: bool, theirs: bool) -> Option<Outcome> {
        let moved = self.mover.other();
        match (own, theirs) {
            (true, false) => Some(Outcome::Win(self.mover)),
            (false, true) => Some(Outcome::Win(moved)),
            (true, true) => Some(match self.rules.simultaneous {
                Simultaneous::Draw => Outcome::Draw,
                Simultaneous::Mover => Outcome::Win(moved),
            }),
            (false, false) => {
                let lost = self.rules.no_move == NoMove::Loss && !self.can_move();
                lost.then_some(Outcome::Win(moved))
            }
        }
    }
}

/// The square `length` squares away in a direction; any square if that is off the board.
#[inline(always)]
fn destination(from: u32, direction: u32, length: u32) -> u32 {
    (from as i32 + length as i32 * i32::from(STEPS[direction as usize & 7])) as u32 & 63
}

impl Game for Loa {
    type Move = LoaMove;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<LoaMove>) {
        let before = moves.len();
        self.for_each_move(|mv| moves.push(mv));
        if moves.len() == before {
            moves.push(LoaMove::PASS);
        }
    }

    #[inline]
    fn play(&mut self, mv: LoaMove) {
        if mv == LoaMove::PASS {
            (self.own, self.theirs) = (self.theirs, self.own);
            self.mover = self.mover.other();
            return;
        }
        debug_assert!(self.own & 1 << mv.from != 0, "no own piece to move");
        self.make(u32::from(mv.from), u32::from(mv.to));
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.ending(connected(self.own), connected(self.theirs))
    }

    #[inline]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        trace.is_none().then(|| random::playout(self, rng, max_plies))
    }

    fn limits(&self) -> Limits {
        Limits {
            playout_plies: 200,
            repetitions: self.rules.repetition.map(u32::from),
            ..Limits::default()
        }
    }

    treegraft::brings!(Speed, Knowledge, Notation);
}

impl Speed for Loa {
    #[inline]
    fn key(&self) -> u64 {
        let rest = self.mover.index() as u64
            | (self.rules.simultaneous as u64) << 1
            | (self.rules.no_move as u64) << 2
            | u64::from(self.rules.repetition.unwrap_or(0)) << 3;
        mix(self.own ^ mix(self.theirs ^ mix(rest)))
    }

    #[inline]
    fn move_slots(&self) -> usize {
        64 * 64
    }

    #[inline]
    fn move_slot(&self, mv: LoaMove) -> usize {
        usize::from(mv.from) * 64 + usize::from(mv.to)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<LoaMove>) -> LoaMove {
        random::random_move(self, rng)
    }

    #[inline]
    fn guided_move(&self, ipp: Option<Ipp>, rng: &mut Rng, buffer: &mut Vec<LoaMove>) -> LoaMove {
        match ipp {
            Some(_) => categories::weighted_move(self, rng),
            None => treegraft::guided_move(self, None, rng, buffer),
        }
    }
}
