//! How moves and positions of Catch the Lion are written and drawn.

use treegraft::{Charset, Game, Notation, NotationError, Picture, Side};

use super::planes::{DROPPED, LENGTHS, Piece, pattern_of};
use super::{Lion, LionMove, picture};
use crate::{fen, square};

/// The letters of a piece on the board: upper case for the first player.
pub(super) fn letters(side: Side, piece: Piece) -> &'static str {
    let letters = match piece {
        Piece::Chick => ["C", "c"],
        Piece::Giraffe => ["G", "g"],
        Piece::Elephant => ["E", "e"],
        Piece::Lion => ["L", "l"],
        Piece::Chicken => ["+C", "+c"],
    };
    letters[side.index()]
}

/// The kinds of pieces in the order in which hands are written.
pub(super) const IN_HAND: [Piece; 4] = [Piece::Lion, Piece::Giraffe, Piece::Chick, Piece::Elephant];

fn read_letters(text: &str) -> Option<(Side, Piece)> {
    let sides = [Side::First, Side::Second].into_iter();
    let all = sides.flat_map(|side| {
        IN_HAND.into_iter().chain([Piece::Chicken]).map(move |piece| (side, piece))
    });
    all.into_iter().find(|&(side, piece)| letters(side, piece) == text)
}

/// A square at the beginning of `text`, and the rest.
fn read_square(text: &str) -> Option<(u32, &str)> {
    let ((column, row), rest) = square::parse(text)?;
    (column < 3 && row < 4).then_some((4 * row + column, rest))
}

/// The number of the plane of targets, and the target.
fn read_target(text: &str, mover: Side) -> Option<(usize, u32, &str)> {
    if let Some((from, rest)) = read_square(text) {
        let (to, rest) = read_square(rest)?;
        let length = to as i32 - from as i32;
        let plane = LENGTHS.iter().position(|&known| i32::from(known) == length)?;
        return Some((plane, to, rest));
    }
    let (letter, target) = text.split_once(['@', '*'])?;
    let known =
        |&piece: &Piece| letter == letters(Side::First, piece) || letter == letters(mover, piece);
    let plane = 8 + DROPPED.iter().position(known)?;
    let (to, rest) = read_square(target)?;
    Some((plane, to, rest))
}

impl Notation for Lion {
    fn side_name(&self, side: Side) -> &'static str {
        ["Sente", "Gote"][side.index()]
    }

    /// `b2b3`, or `C@b2` for a drop: always with the capital letter.
    fn move_text(&self, mv: LionMove) -> String {
        let name = |(column, row)| square::name(column, row);
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => name(from) + &name(mv.to()),
            (None, Some(piece)) => format!("{}@{}", letters(Side::First, piece), name(mv.to())),
            (None, None) => unreachable!("a move is a step or a drop"),
        }
    }

    /// `b2b3`, followed by a `+` if a Chick is promoted or not, `C@b2` or `C*b2`; the second
    /// player may also write `c@b2`.
    fn parse_move(&self, text: &str) -> Result<LionMove, NotationError> {
        let refuse = |problem: &str| {
            let example = "a step of the side to move, such as b2b3, or a drop, such as C@b2";
            NotationError::of_move(text, problem, example)
        };
        let (plane, to, rest) = read_target(text, self.mover)
            .filter(|(.., rest)| matches!(*rest, "" | "+"))
            .ok_or_else(|| refuse("neither two neighbouring squares nor a piece and a square"))?;
        if self.outcome().is_some() {
            return Err(refuse("the game is over").illegal());
        }
        let mv = LionMove((16 * plane as u32 + to) as u8);
        if !self.is_legal(mv) {
            return Err(refuse("not legal here").illegal());
        }
        let moved = mv.origin().and_then(|square| self.on(square));
        let far = if self.mover == Side::First { 3 } else { 0 };
        let promotes = moved == Some((self.mover, Piece::Chick)) && mv.to().1 == far;
        if rest == "+" && !promotes {
            return Err(refuse("nothing is promoted").illegal());
        }
        Ok(mv)
    }

    fn position_text(&self) -> Option<String> {
        Some(self.fen())
    }

    fn parse_position(&self, text: &str) -> Result<Lion, NotationError> {
        self.read_position(text).map_err(|problem| {
            let expected = "4 rows of C, G, E, L, +C (small letters for the second player) and \
                            numbers of empty squares, the pieces in hand in brackets, and w or b \
                            to move: gle/1c1/1C1/ELG[-] w";
            NotationError::of_position(text, problem, expected)
        })
    }

    fn diagram(&self, charset: Charset) -> String {
        let cell = |column, row| match (self.at(column, row), charset) {
            (None, Charset::Unicode) => "·".to_owned(),
            (None, Charset::Ascii) => ".".to_owned(),
            (Some((side, piece)), Charset::Ascii) => letters(side, piece).to_owned(),
            (Some((side, piece)), Charset::Unicode) => {
                format!("{}{}", ['▲', '▽'][side.index()], letters(Side::First, piece))
            }
        };
        let hand = |side| {
            let pieces = self.hand_text(side);
            let pieces = if pieces.is_empty() { "-" } else { &pieces };
            format!("{} in hand: {pieces}\n", self.notation().side_name(side))
        };
        let mut text = hand(Side::Second);
        for row in (0..4).rev() {
            let cells: Vec<String> =
                (0..3).map(|column| format!("{:>3}", cell(column, row))).collect();
            text.push_str(&format!("{} {}\n", row + 1, cells.join(" ")));
        }
        text.push_str("    a   b   c\n");
        text + hand(Side::First).trim_end()
    }

    fn picture(&self) -> Option<Picture> {
        Some(picture::picture(self))
    }

    fn move_cells(&self, mv: LionMove) -> Vec<usize> {
        picture::move_cells(self, mv)
    }
}

impl Lion {
    fn hand_text(&self, side: Side) -> String {
        let pieces = IN_HAND.into_iter();
        pieces
            .map(|piece| letters(side, piece).repeat(self.in_hand(side, piece) as usize))
            .collect()
    }

    /// The board, `[hands]` and the side to move. A captured Lion is in its captor's hand.
    pub(super) fn fen(&self) -> String {
        let letters = |column, row| self.at(column, row).map(|(side, piece)| letters(side, piece));
        let board = fen::board_text(3, 4, letters);
        let hands = self.hand_text(Side::First) + &self.hand_text(Side::Second);
        let hands = if hands.is_empty() { "-" } else { &hands };
        format!("{board}[{hands}] {}", fen::side_letter(self.mover))
    }

    fn read_position(&self, text: &str) -> Result<Lion, String> {
        let (board, mover) = fen::split(text)?;
        let (board, hands) = board
            .strip_suffix(']')
            .and_then(|text| text.split_once('['))
            .ok_or("there are no brackets with the pieces in hand after the board")?;
        let mut position = Lion { first: 0, second: 0, hands: 0, mover, ..*self };
        let mut pieces = Vec::new();
        fen::read_board(board, 3, 4, |text, column, row| {
            let Some((side, piece)) = read_letters(text) else { return false };
            let planes = pattern_of(piece) << (4 * row + column);
            match side {
                Side::First => position.first |= planes,
                Side::Second => position.second |= planes,
            }
            // In the end every Lion belongs to the side that it began with.
            pieces.push((side, piece));
            true
        })?;
        for letter in if hands == "-" { "" } else { hands }.chars() {
            let (side, piece) = read_letters(letter.encode_utf8(&mut [0; 4]))
                .ok_or_else(|| format!("{letter:?} is not a piece"))?;
            match DROPPED.iter().position(|&kind| kind == piece) {
                Some(plane) => {
                    pieces.push((side, piece));
                    if pieces.len() > 8 {
                        break;
                    }
                    position.hands += 1 << (16 * plane + 8 * side.index());
                }
                None => pieces.push((side.other(), piece)),
            }
        }
        let count = |kinds: &[Piece]| pieces.iter().filter(|(_, p)| kinds.contains(p)).count();
        for (name, kinds) in [
            ("Chicks and Chickens", &[Piece::Chick, Piece::Chicken][..]),
            ("Giraffes", &[Piece::Giraffe]),
            ("Elephants", &[Piece::Elephant]),
        ] {
            let count = count(kinds);
            if count != 2 {
                return Err(format!("the number of {name} is {count}, not 2"));
            }
        }
        for side in [Side::First, Side::Second] {
            let count = pieces.iter().filter(|&&owned| owned == (side, Piece::Lion)).count();
            if count != 1 {
                let name = self.notation().side_name(side);
                return Err(format!("the number of Lions of {name} is {count}, not 1"));
            }
        }
        // The last move ended the game, so the winner cannot be to move; this also refuses
        // boards on which both have won.
        if position.has_won(mover) {
            return Err(format!(
                "{} is to move and has already won",
                self.notation().side_name(mover)
            ));
        }
        if position.outcome().is_none() && position.targets() == [0; 3] {
            return Err(format!(
                "{} cannot move, which no game leads to",
                self.notation().side_name(mover)
            ));
        }
        Ok(position)
    }
}
