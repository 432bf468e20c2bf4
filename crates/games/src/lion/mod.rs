//! Catch the Lion on bitboards: the pieces of a side are one word, see `planes.rs`.

use treegraft::bits::{Cpu, mix};
use treegraft::rollout::AtVisits;
use treegraft::{Exactness, Game, Limits, Outcome, Playout, Rng, Side, Speed, Trace};

use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};

mod evaluate;
mod exchange;
mod notation;
mod picture;
mod planes;
mod tuned;

pub use planes::Piece;
use planes::{
    DROPPED, LENGTHS, PLANES, last_row, lions, pattern_of, piece_of, random_target, targets,
};

/// Catch the Lion (Dōbutsu shōgi), `lion`: capture the enemy Lion, or bring your own home.
///
/// The first player begins at the bottom and moves up. A Lion that reaches the far row wins at
/// once, even where it could be captured; there is no check rule, no limit on drops, and no
/// draw by repetition, but a played game is drawn after `max-plies` plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lion {
    /// The pieces of the first and of the second player, in planes.
    first: u64,
    second: u64,
    /// How many Chicks, Giraffes and Elephants are in hand: a plane a kind, in its low byte
    /// the first player's, in its high byte the second player's.
    hands: u64,
    max_plies: u32,
    mover: Side,
}

/// A step of a piece on the board, or a drop of a piece in hand.
///
/// Steps are distinguished by their direction and target, drops by their kind and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LionMove(u8);

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "lion",
    syntax: "lion or lion:max-plies=N with N from 1 to 100000",
    params: &[Param {
        name: "max-plies",
        values: "1 to 100000",
        default: "400",
        meaning: "a game or playout is drawn after this many plies",
    }],
    rules: "Catch the Lion (Dobutsu shogi): captured pieces change sides; capture the enemy \
            Lion or bring yours to the far row to win.",
    moves: "from and to, b2b3; drops C@b2, also read as C*b2",
    positions: "FEN with the pieces in hand, gle/1c1/1C1/ELG[-] w",
    // Baier & Winands 2015.
    constants: Constants { ms: AtVisits { depth: 4, visits: 2 }, mb: 4, ..Constants::tuned(0.7) },
    random_start: None,
};

/// The start that a text names, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let mut params = Params::new(text, INFO.syntax)?;
    let values = "a number from 1 to 100000";
    let text = params.flag::<String>("max-plies", values)?.unwrap_or("400".to_owned());
    let number = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let start = number
        .and_then(Lion::new)
        .ok_or_else(|| params.error(format!("max-plies is {text:?}, not {values}")))?;
    params.finish()?;
    let plies = start.max_plies;
    let canonical = Canonical::new(INFO.name).flag("max-plies", plies, plies == 400);
    Ok((canonical.finish(), visitor.visit(start)))
}

impl Lion {
    /// The starting position of a game that is drawn after `max_plies` plies, if that is a
    /// number from 1 to 100,000.
    #[must_use]
    pub fn new(max_plies: u32) -> Option<Lion> {
        if !(1..=100_000).contains(&max_plies) {
            return None;
        }
        let place = |piece: Piece, square: u32| pattern_of(piece) << square;
        let first = place(Piece::Elephant, 0)
            | place(Piece::Lion, 1)
            | place(Piece::Giraffe, 2)
            | place(Piece::Chick, 5);
        let second = place(Piece::Giraffe, 12)
            | place(Piece::Lion, 13)
            | place(Piece::Elephant, 14)
            | place(Piece::Chick, 9);
        Some(Lion { first, second, hands: 0, max_plies, mover: Side::First })
    }

    /// The piece in a column and row, both from 0, and whose it is; row 0 is the first
    /// player's home row.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<(Side, Piece)> {
        self.on(4 * row + column)
    }

    /// How many pieces of a kind a side has in hand. A Lion is in hand when it was captured.
    #[must_use]
    pub fn in_hand(&self, side: Side, piece: Piece) -> u32 {
        match DROPPED.iter().position(|&kind| kind == piece) {
            Some(plane) => (self.hands >> (16 * plane + 8 * side.index()) & 0xff) as u32,
            None if piece == Piece::Lion => u32::from(lions(self.planes(side.other())) == 0),
            None => 0,
        }
    }

    /// The piece on a square and whose it is.
    fn on(&self, square: u32) -> Option<(Side, Piece)> {
        let on = |side| piece_of(self.planes(side) >> square & PLANES).map(|piece| (side, piece));
        on(Side::First).or_else(|| on(Side::Second))
    }

    #[inline(always)]
    fn planes(&self, side: Side) -> u64 {
        if side == Side::First { self.first } else { self.second }
    }

    #[inline(always)]
    fn has_won(&self, side: Side) -> bool {
        let (own, other) = (self.planes(side), self.planes(side.other()));
        lions(own) & last_row(side == Side::First) != 0 || lions(other) == 0
    }

    #[inline(always)]
    fn targets(&self) -> [u64; 3] {
        match self.mover {
            Side::First => targets::<true>(self.first, self.second, self.hands),
            Side::Second => targets::<false>(self.second, self.first, self.hands),
        }
    }

    /// Plays the move with a number in the planes of `targets`.
    #[inline(always)]
    fn play_target<const UP: bool>(&mut self, target: u32) {
        let (own, other) = if UP { (self.first, self.second) } else { (self.second, self.first) };
        let (plane, to) = (target >> 4, target & 15);
        let own_in_hand = if UP { 0 } else { 8 };
        if plane < 8 {
            let from = to.wrapping_add_signed(-i32::from(LENGTHS[plane as usize])) & 15;
            let moved = own >> from & PLANES;
            // Only a Chick is on plane 0.
            let promoted = moved << to & last_row(UP);
            let own =
                own ^ moved << from ^ moved << to ^ promoted ^ promoted << 16 ^ promoted << 32;
            let captured = other >> to & PLANES;
            let other = other ^ captured << to;
            // The planes of the captured piece, as its kinds in hand; a Lion is none.
            let (c1, c2, c3) = (captured >> 16, captured >> 32, captured >> 48);
            let chick = (captured | (c1 & c2 & !c3)) & 1;
            let giraffe = (c1 & !c2) & 1;
            let elephant = (c2 & !c1) & 1;
            self.hands += (chick | giraffe << 16 | elephant << 32) << own_in_hand;
            (self.first, self.second) = if UP { (own, other) } else { (other, own) };
        } else {
            let kind = plane - 8;
            let own = own | pattern_of(DROPPED[kind as usize]) << to;
            self.hands -= 1 << (16 * kind + own_in_hand);
            (self.first, self.second) = if UP { (own, other) } else { (other, own) };
        }
        self.mover = if UP { Side::Second } else { Side::First };
    }

    fn is_legal(&self, mv: LionMove) -> bool {
        let (word, bit) = (mv.0 as usize / 64, mv.0 % 64);
        self.targets().get(word).is_some_and(|targets| targets >> bit & 1 == 1)
    }

    /// The piece that a legal step takes.
    fn captured(&self, mv: LionMove) -> Option<Piece> {
        self.on(mv.target()).map(|(_, piece)| piece)
    }
}

impl LionMove {
    /// Where the piece comes from, a column and row from 0; `None` for a drop.
    #[must_use]
    pub fn from(self) -> Option<(u32, u32)> {
        self.origin().map(|square| (square % 4, square / 4))
    }

    /// Where the piece goes, a column and row from 0.
    #[must_use]
    pub fn to(self) -> (u32, u32) {
        (self.target() % 4, self.target() / 4)
    }

    /// The kind of piece that is dropped; `None` for a step.
    #[must_use]
    pub fn dropped(self) -> Option<Piece> {
        DROPPED.get((self.0 as usize / 16).wrapping_sub(8)).copied()
    }

    fn origin(self) -> Option<u32> {
        let length = LENGTHS.get(self.0 as usize / 16)?;
        self.target().checked_add_signed(-i32::from(*length))
    }

    fn target(self) -> u32 {
        u32::from(self.0 % 16)
    }
}

impl Game for Lion {
    type Move = LionMove;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    /// Steps up, down, right and left, the diagonals, then drops of Chicks, Giraffes, Elephants.
    ///
    /// There always is one. Eight pieces leave squares to drop on, so only a side with nothing
    /// in hand could be stuck, and its own pieces would have to block each other. That takes
    /// all seven that the enemy's Lion leaves, in one way and its mirror image
    /// (`GE1/LGE/CC1/3`; a test tries all). There the Lion, which must have moved last, would
    /// stand on c2 or c4, and it cannot have come there but from row 1, where it had won.
    /// [`parse_position`](treegraft::Notation::parse_position) refuses these positions.
    #[inline]
    fn moves(&self, moves: &mut Vec<LionMove>) {
        for (word, mut targets) in self.targets().into_iter().enumerate() {
            while targets != 0 {
                moves.push(LionMove((64 * word as u32 + targets.trailing_zeros()) as u8));
                targets &= targets - 1;
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: LionMove) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal");
        match self.mover {
            Side::First => self.play_target::<true>(u32::from(mv.0)),
            Side::Second => self.play_target::<false>(u32::from(mv.0)),
        }
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
        trace.is_none().then(|| playout(self, rng, max_plies))
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: self.max_plies, plies: Some(self.max_plies), ..Limits::default() }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for Lion {
    #[inline]
    fn key(&self) -> u64 {
        let pieces = mix(self.first ^ mix(self.second ^ mix(self.hands)));
        if self.mover == Side::First { pieces } else { !pieces }
    }

    #[inline]
    fn move_slots(&self) -> usize {
        11 * 16
    }

    #[inline]
    fn move_slot(&self, mv: LionMove) -> usize {
        mv.0 as usize
    }

    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<LionMove> {
        (plies == 1).then(|| decisive_move(self, rng))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<LionMove>) -> LionMove {
        random_move(self, rng)
    }
}

impl Exactness for Lion {
    #[inline]
    fn foregone(&self) -> Option<Outcome> {
        self.can_win_now().then_some(Outcome::Win(self.mover))
    }

    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
        if self.can_win_now() { Some(1) } else { (plies == 1).then_some(0) }
    }
}

treegraft::dispatch! {
    fn random_move(position: &Lion, rng: &mut Rng) -> LionMove
        = |cpu| LionMove(random_target(cpu, position.targets(), rng) as u8);
}

treegraft::dispatch! {
    fn decisive_move(position: &Lion, rng: &mut Rng) -> LionMove = decisive_move_on;
}

/// A random winning move, or else a random one.
#[inline(always)]
fn decisive_move_on<C: Cpu>(cpu: C, position: &Lion, rng: &mut Rng) -> LionMove {
    let all = position.targets();
    let wins = position.winning_targets(all);
    let targets = if wins == [0; 3] { all } else { wins };
    LionMove(random_target(cpu, targets, rng) as u8)
}

treegraft::dispatch! {
    fn playout(position: &mut Lion, rng: &mut Rng, max_plies: u32) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu>(cpu: C, start: &mut Lion, rng: &mut Rng, max_plies: u32) -> Playout {
    let mut position = *start;
    let mut plies = 0;
    let playout = loop {
        // Written out for each side, so that all shifts are constants.
        if position.mover == Side::First {
            if position.has_won(Side::Second) {
                break Playout { outcome: Outcome::Win(Side::Second), plies, capped: false };
            }
            if plies == max_plies {
                break Playout { outcome: Outcome::Draw, plies, capped: true };
            }
            let targets = targets::<true>(position.first, position.second, position.hands);
            position.play_target::<true>(random_target(cpu, targets, rng));
            plies += 1;
        }
        if position.has_won(Side::First) {
            break Playout { outcome: Outcome::Win(Side::First), plies, capped: false };
        }
        if plies == max_plies {
            break Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let targets = targets::<false>(position.second, position.first, position.hands);
        position.play_target::<false>(random_target(cpu, targets, rng));
        plies += 1;
    };
    *start = position;
    playout
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::bits::Portable;

    #[test]
    fn every_processor_plays_the_same() {
        let start = Lion::new(400).expect("a game");
        for seed in 0..200 {
            let (mut plain, mut best) = (start, start);
            let plain_end = playout_on(Portable, &mut plain, &mut Rng::new(seed), 400);
            let best_end = playout(&mut best, &mut Rng::new(seed), 400);
            assert_eq!((plain_end, plain), (best_end, best));
        }
    }
}
