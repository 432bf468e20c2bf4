//! Exchanges: what a move wins or loses.

use treegraft::Side;

use super::planes::{BOARD, LENGTHS, last_row};
use super::{Lion, LionMove, Piece};

/// The value of a piece, in hundredths of a Chick. Losing the Lion loses the game.
fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Chick => 100,
        Piece::Elephant => 300,
        Piece::Giraffe => 350,
        Piece::Chicken => 400,
        Piece::Lion => 10_000,
    }
}

/// Whether a piece of a side can make a step of this length.
fn steps(piece: Piece, side: Side, length: i8) -> bool {
    let forward = if side == Side::First { length } else { -length };
    match piece {
        Piece::Chick => forward == 4,
        Piece::Giraffe => matches!(forward, 4 | -4 | 1 | -1),
        Piece::Elephant => matches!(forward, 5 | 3 | -3 | -5),
        Piece::Lion => true,
        Piece::Chicken => !matches!(forward, -3 | -5),
    }
}

impl Lion {
    /// What a move wins or loses if both sides go on to capture on its square; `None` if it captures
    /// nothing and loses nothing. A Lion that comes home wins.
    pub(super) fn exchange_of(&self, mv: LionMove) -> Option<i32> {
        let (to, mover) = (mv.target(), self.mover);
        let moved = match (mv.origin(), mv.dropped()) {
            (Some(origin), _) => self.on(origin).map(|(_, piece)| piece),
            (None, dropped) => dropped,
        }?;
        let captured = self.captured(mv);
        let is_home = moved == Piece::Lion && last_row(mover == Side::First) >> to & 1 == 1;
        if captured == Some(Piece::Lion) || is_home {
            return Some(worth(Piece::Lion));
        }
        let own = self.capturers(to, mover, mv.origin());
        let other = self.capturers(to, mover.other(), None);
        let lost = exchanged(&other, &own, worth(moved));
        match captured {
            Some(piece) => Some(worth(piece) - lost),
            None => (lost > 0).then_some(-lost),
        }
    }

    /// The values of a side's pieces that can capture on a square, but for the one on `origin`: the
    /// least first.
    fn capturers(&self, to: u32, side: Side, origin: Option<u32>) -> Vec<i32> {
        let mut found = Vec::new();
        for length in LENGTHS {
            let Some(from) = to.checked_add_signed(-i32::from(length)) else { continue };
            if from > 15 || BOARD >> from & 1 == 0 || Some(from) == origin {
                continue;
            }
            if let Some((owner, piece)) = self.on(from)
                && owner == side
                && steps(piece, side, length)
            {
                found.push(worth(piece));
            }
        }
        found.sort_unstable();
        found
    }
}

/// What a side wins by capturing a piece of this value, if it does so at all: the other side may
/// recapture. Pieces capture in the order of their values.
fn exchanged(capturers: &[i32], others: &[i32], worth: i32) -> i32 {
    let Some((&least, rest)) = capturers.split_first() else { return 0 };
    if worth == self::worth(Piece::Lion) {
        // That is the end of the game.
        return worth;
    }
    (worth - exchanged(others, rest, least)).max(0)
}

#[cfg(test)]
mod tests {
    use treegraft::{Game, Knowledge, Notation, Speed, legal_moves};

    use super::*;

    fn gain(fen: &str, mv: &str) -> Option<i32> {
        let lion =
            Lion::new(400).expect("a game").notation().parse_position(fen).expect("a position");
        lion.exchange(lion.parse_move(mv).expect("a move"))
    }

    #[test]
    fn exchanges_by_hand() {
        // The Chicks meet, and the Lion behind recaptures.
        assert_eq!(gain("gle/1c1/1C1/ELG[-] w", "b2b3"), Some(0));
        // A step that cannot be answered, and one next to the other Lion.
        assert_eq!(gain("gle/1c1/1C1/ELG[-] w", "c1c2"), None);
        assert_eq!(gain("gle/1c1/GC1/EL1[-] w", "a2a3"), Some(-350));
        // Undefended, a piece is won; the Lion must not capture what is defended.
        assert_eq!(gain("gel/3/1c1/1L1[CEG] w", "b1b2"), Some(100));
        assert_eq!(gain("g1e/1l1/1c1/1L1[CEG] w", "b1b2"), Some(100 - 10_000));
        assert_eq!(gain("g1e/1l1/3/2L[CCEG] w", "E@a2"), Some(-300));
        // Home.
        assert_eq!(gain("le1/2L/3/3[CCEGG] w", "c3c4"), Some(10_000));
    }

    /// The same by trying all ways to go on.
    #[test]
    fn exchanges_are_what_playing_them_out_wins() {
        fn best(position: &Lion, square: u32) -> i32 {
            if position.outcome().is_some() {
                return 0;
            }
            let captures = legal_moves(position).into_iter().filter(|mv| mv.target() == square);
            captures.map(|mv| played(position, mv)).fold(0, i32::max)
        }
        fn played(position: &Lion, mv: LionMove) -> i32 {
            let mut next = *position;
            next.play(mv);
            position.captured(mv).map_or(0, worth) - best(&next, mv.target())
        }
        let mut rng = treegraft::Rng::new(1);
        for _ in 0..300 {
            let mut position = Lion::new(400).expect("a game");
            for _ in 0..40 {
                if position.outcome().is_some() {
                    break;
                }
                for mv in legal_moves(&position) {
                    let mut next = position;
                    next.play(mv);
                    // Promotion changes the value of a piece on the way, and wins end it.
                    let is_edge = (last_row(true) | last_row(false)) >> mv.target() & 1 == 1;
                    if next.outcome().is_some() || is_edge {
                        continue;
                    }
                    let expected = played(&position, mv);
                    let quiet = position.captured(mv).is_none() && expected >= 0;
                    let expected = (!quiet).then_some(expected);
                    assert_eq!(
                        position.knowledge().exchange(mv),
                        expected,
                        "{mv:?} in {}",
                        position.fen()
                    );
                }
                let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
        }
    }
}
