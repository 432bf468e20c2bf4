//! Tic-tac-toe with everything a game can have, written plainly: the right game that the tests
//! of the conformance kit break in many ways.

use treegraft::{NotationError, Outcome, Side};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The stones of the two sides, one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) stones: [u16; 2],
    pub(crate) mover: Side,
}

impl Board {
    pub(crate) const EMPTY: Board = Board { stones: [0, 0], mover: Side::First };

    pub(crate) fn occupied(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    pub(crate) fn empty_cells(&self) -> Vec<u8> {
        (0..9).filter(|cell| self.occupied() >> cell & 1 == 0).collect()
    }

    pub(crate) fn play(&mut self, cell: u8) {
        assert!(self.occupied() >> cell & 1 == 0, "cell {cell} is taken");
        self.stones[self.mover.index()] |= 1 << cell;
        self.mover = self.mover.other();
    }

    pub(crate) fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.stones[side.index()] & line == *line)
    }

    /// The value of the lines that the other side has not blocked.
    pub(crate) fn open_lines(&self, side: Side) -> i32 {
        let [own, theirs] = [side, side.other()].map(|side| self.stones[side.index()]);
        let open = LINES.iter().filter(|&line| theirs & line == 0);
        open.map(|line| ((own & line).count_ones() as i32).pow(2)).sum()
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let winner = [Side::First, Side::Second].into_iter().find(|&side| self.has_line(side));
        match winner {
            Some(side) => Some(Outcome::Win(side)),
            None => (self.occupied() == 0o777).then_some(Outcome::Draw),
        }
    }

    /// The earlier a win, the larger.
    pub(crate) fn margin(&self) -> Option<i64> {
        Some(self.outcome()?.value() * (1 + self.empty_cells().len() as i64))
    }

    /// Nine cells and the side to move: `XO..X.... O`.
    pub(crate) fn text(&self) -> String {
        let cell = |i: u8| match (self.stones[0] >> i & 1, self.stones[1] >> i & 1) {
            (0, 0) => '.',
            (0, _) => 'O',
            _ => 'X',
        };
        let mover = ['X', 'O'][self.mover.index()];
        (0..9).map(cell).chain([' ', mover]).collect()
    }

    pub(crate) fn parse(text: &str) -> Result<Board, NotationError> {
        let refuse = |problem| Err(NotationError::of_position(text, problem, "XO..X.... O"));
        let letters: Vec<char> = text.chars().collect();
        let [cells @ .., ' ', mover] = &letters[..] else { return refuse("no side to move") };
        if cells.len() != 9 {
            return refuse("not nine cells");
        }
        let mut board = Board::EMPTY;
        for (i, letter) in cells.iter().enumerate() {
            match letter {
                'X' => board.stones[0] |= 1 << i,
                'O' => board.stones[1] |= 1 << i,
                '.' => {}
                _ => return refuse("an unknown cell"),
            }
        }
        let [first, second] = board.stones.map(u16::count_ones);
        board.mover = match mover {
            'X' if first == second => Side::First,
            'O' if first == second + 1 => Side::Second,
            _ => return refuse("the other side is to move"),
        };
        Ok(board)
    }
}

/// `a1` to `c3`.
pub(crate) fn cell_text(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % 3), 1 + cell / 3)
}
