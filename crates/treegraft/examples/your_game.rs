//! A game of your own: tic-tac-toe, checked, counted and played at random.

use treegraft::{Game, Outcome, Rng, Side, perft, random_playout};

/// The stones of the two sides, one bit per cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct TicTacToe {
    stones: [u16; 2],
    mover: Side,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for TicTacToe {
    type Move = u8; // a cell, 0 to 8

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..9).filter(|cell| (self.stones[0] | self.stones[1]) >> cell & 1 == 0));
    }

    fn play(&mut self, cell: u8) {
        self.stones[self.mover.index()] |= 1 << cell;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.mover.other();
        if LINES.iter().any(|line| self.stones[last.index()] & line == *line) {
            return Some(Outcome::Win(last));
        }
        (self.stones[0] | self.stones[1] == 0o777).then_some(Outcome::Draw)
    }
}

fn main() {
    let start = TicTacToe { stones: [0, 0], mover: Side::First };

    println!("{}\n", treegraft_conformance::check(&start, &Default::default()));

    for depth in 1..=9 {
        println!("{:7} games of {depth} plies", perft(&start, depth));
    }

    let (mut rng, mut wins) = (Rng::new(1), 0);
    for _ in 0..1000 {
        let playout = random_playout(&mut start.clone(), &mut rng);
        wins += u32::from(playout.outcome == Outcome::Win(Side::First));
    }
    println!("\nThe first player wins {wins} of 1000 random games.");
}
