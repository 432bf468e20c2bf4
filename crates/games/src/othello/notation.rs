//! Squares, positions of a character a square, and diagrams.

use treegraft::picture::{Colour, Kind, Tint};
use treegraft::{Charset, Exactness, Notation, NotationError, Picture, Side, legal_moves};

use super::{Othello, PASS, SIDES, placements};
use crate::grid::Grid;
use crate::square;

impl Notation for Othello {
    /// Discs; in the end with the empty cells, for whoever gets them.
    fn counts(&self) -> Option<[i64; 2]> {
        let [first, second] = SIDES.map(|side| i64::from(self.discs(side)));
        let awarded = self.margin().map_or(0, |margin| margin - (first - second));
        Some([first + awarded.max(0), second - awarded.min(0)])
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    fn move_text(&self, mv: u8) -> String {
        match mv {
            PASS => "pass".to_owned(),
            cell => square::name(u32::from(cell % 8), u32::from(cell / 8)),
        }
    }

    /// Reads `d3` and `pass`, in letters of either case, and `pa` and `--` for a pass.
    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let legal = legal_moves(self);
        let expected = || match legal.iter().map(|&mv| self.move_text(mv)).collect::<Vec<_>>() {
            texts if texts.is_empty() => "no move".to_owned(),
            texts => format!("one of {}", texts.join(", ")),
        };
        let refuse = |problem: &str| NotationError::of_move(text, problem, expected());
        let illegal = |problem: &str| Err(refuse(problem).illegal());

        let lower = text.to_ascii_lowercase();
        let size = self.size();
        let mv = match (lower.as_str(), square::parse(&lower)) {
            ("pass" | "pa" | "--", _) => PASS,
            (_, Some(((column, row), ""))) if column < size && row < size => {
                (8 * row + column) as u8
            }
            _ => return Err(refuse("not a square of the board, nor a pass")),
        };
        match (legal.contains(&mv), legal.is_empty(), legal == [PASS]) {
            (true, ..) => Ok(mv),
            (_, true, _) => illegal("the game is over"),
            (.., true) => illegal("no disc can be placed"),
            _ if mv == PASS => illegal("a disc can be placed"),
            _ if self.at(u32::from(mv) % 8, u32::from(mv) / 8).is_some() => {
                illegal("the square is occupied")
            }
            _ => illegal("no disc is turned there"),
        }
    }

    fn position_text(&self) -> Option<String> {
        let letter = |side: Side| ['X', 'O'][side.index()];
        let size = self.size();
        let at = |cell: u32| self.at(cell % size, cell / size).map_or('-', letter);
        let cells: String = (0..size * size).map(at).collect();
        Some(format!("{cells} {}", letter(self.mover)))
    }

    /// Reads what [`position_text`](Notation::position_text) writes, with blanks anywhere, a semicolon
    /// at the end (as in files of problems), small letters, `*` and `b` for Black, `w` for White and
    /// `.` for empty.
    ///
    /// Any arrangement of discs is a position: problems need not come from a game.
    fn parse_position(&self, text: &str) -> Result<Othello, NotationError> {
        let squares = (self.size() * self.size()) as usize;
        let refuse = |problem: String| {
            let expected = format!(
                "{squares} characters (X Black, O White, - empty), a blank and the side to move, \
                 X or O"
            );
            Err(NotationError::of_position(text, problem, expected))
        };
        let list = text.trim_end();
        let list = list.strip_suffix(';').unwrap_or(list);
        let mut read: Vec<Option<Side>> = Vec::new();
        for c in list.chars().filter(|c| !c.is_whitespace()) {
            read.push(match c {
                'X' | 'x' | '*' | 'B' | 'b' => Some(Side::First),
                'O' | 'o' | 'W' | 'w' => Some(Side::Second),
                '-' | '.' => None,
                _ => return refuse(format!("{c:?} is neither a disc nor empty")),
            });
            if read.len() > squares + 1 {
                return refuse(format!("there are more than {squares} squares"));
            }
        }
        let mover = match read.get(squares) {
            Some(&Some(mover)) => mover,
            Some(None) => return refuse("the side to move is not X or O".to_owned()),
            None if read.len() == squares => {
                return refuse("the side to move is missing".to_owned());
            }
            None => return refuse(format!("there are only {} squares", read.len())),
        };
        let mut position = Othello { own: 0, opp: 0, mover, ..*self };
        for (i, square) in read[..squares].iter().enumerate() {
            let size = usize::from(self.size);
            let cell = 1u64 << (8 * (i / size) + i % size);
            match square {
                Some(side) if *side == mover => position.own |= cell,
                Some(_) => position.opp |= cell,
                None => {}
            }
        }
        Ok(position)
    }

    /// The board, with `+` where the side to move can place a disc.
    fn diagram(&self, charset: Charset) -> String {
        let open = placements(self);
        let mut text = " ".to_owned() + &square::spaced(self.size(), square::column_letter);
        for row in 0..self.size() {
            let sign = |column: u32| match open >> (8 * row + column) & 1 {
                1 => '+',
                _ => square::disc(charset, self.at(column, row)),
            };
            text.push_str(&format!("\n{}{}", row + 1, square::spaced(self.size(), sign)));
        }
        text
    }

    fn picture(&self) -> Option<Picture> {
        let size = self.size();
        let grid = Grid { columns: size, rows: size, first_row_on_top: true, board: Tint::Dark };
        let mut picture = grid.picture([Colour::Black, Colour::White], |_, _| Tint::Green);
        grid.put(&mut picture, Kind::Disc, |column, row| self.at(column, row));
        Some(picture)
    }

    fn move_cells(&self, mv: u8) -> Vec<usize> {
        if mv == PASS {
            return Vec::new();
        }
        let (column, row) = (usize::from(mv % 8), usize::from(mv / 8));
        vec![row * self.size() as usize + column]
    }
}
