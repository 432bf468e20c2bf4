//! Lines of Action in text: moves, positions and pictures.

use treegraft::{Charset, Game, NotationError, Side};

use super::{Loa, LoaMove};
use crate::square;

pub(super) fn move_text(mv: LoaMove) -> String {
    if mv == LoaMove::PASS {
        return "pass".to_owned();
    }
    let name = |square: u8| square::name(u32::from(square & 7), u32::from(square >> 3));
    name(mv.from) + &name(mv.to)
}

pub(super) fn parse_move(position: &Loa, text: &str) -> Result<LoaMove, NotationError> {
    let refuse = |problem: &str| {
        let expected = "a legal move as two squares, such as b1h1, b1-h1 or c1xa3, or pass if \
                        there is none";
        NotationError::of_move(text, problem, expected)
    };
    let illegal = |problem: &str| Err(refuse(problem).illegal());
    let (mv, captures) = if text == "pass" {
        (LoaMove::PASS, false)
    } else {
        match parse_squares(text) {
            Some(parsed) => parsed,
            None => return Err(refuse("not a move")),
        }
    };
    if position.outcome().is_some() {
        return illegal("the game is over");
    }
    let mut legal = Vec::new();
    position.moves(&mut legal);
    if !legal.contains(&mv) {
        let is_own = position.own >> mv.from & 1 == 1;
        return match mv == LoaMove::PASS {
            true => illegal("a piece can be moved"),
            false if is_own => illegal("the piece cannot go there"),
            false => illegal("there is no piece of the side to move"),
        };
    }
    if captures && position.theirs >> mv.to & 1 == 0 {
        return illegal("there is nothing to capture");
    }
    Ok(mv)
}

/// Two squares, and whether an `x` between them claims a capture.
fn parse_squares(text: &str) -> Option<(LoaMove, bool)> {
    let on_board =
        |(column, row): (u32, u32)| (column < 8 && row < 8).then_some((8 * row + column) as u8);
    let (from, rest) = square::parse(text)?;
    let (rest, captures) = match rest.strip_prefix('x') {
        Some(rest) => (rest, true),
        None => (rest.strip_prefix('-').unwrap_or(rest), false),
    };
    let (to, rest) = square::parse(rest)?;
    let (from, to) = (on_board(from)?, on_board(to)?);
    // The same square twice would be a pass, which has a word of its own.
    (rest.is_empty() && from != to).then_some((LoaMove { from, to }, captures))
}

pub(super) fn position_text(position: &Loa) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for column in 0..8 {
            let Some(side) = position.at(column, row) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(if side == Side::First { 'B' } else { 'W' });
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if row > 0 { '/' } else { ' ' });
    }
    text.push(if position.mover == Side::First { 'b' } else { 'w' });
    text
}

pub(super) fn parse_position(template: &Loa, text: &str) -> Result<Loa, NotationError> {
    let refuse = |problem: String| {
        let expected = "eight rows from the eighth to the first, of B, W and digits for empty \
                        squares, 1 to 12 pieces a side, and the side to move (b or w), such as \
                        1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b";
        NotationError::of_position(text, problem, expected)
    };
    let (board, mover) = text
        .trim()
        .split_once(char::is_whitespace)
        .ok_or_else(|| refuse("the side to move is missing".to_owned()))?;
    let mover = match mover.trim() {
        "b" => Side::First,
        "w" => Side::Second,
        other => return Err(refuse(format!("{other:?} is not a side to move"))),
    };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return Err(refuse(format!("it has {} rows, not 8", rows.len())));
    }
    let (mut black, mut white) = (0, 0);
    for (row, letters) in (0..8).rev().zip(rows) {
        let (b, w) =
            parse_row(letters).map_err(|problem| refuse(format!("row {} {problem}", row + 1)))?;
        black |= b << (8 * row);
        white |= w << (8 * row);
    }
    for (name, pieces) in [("Black", black), ("White", white)] {
        let count = pieces.count_ones();
        if !(1..=12).contains(&count) {
            return Err(refuse(format!("{name} has {count} pieces, not 1 to 12")));
        }
    }
    let (own, theirs) = if mover == Side::First { (black, white) } else { (white, black) };
    Ok(Loa { own, theirs, mover, ..*template })
}

/// The black and white pieces of a row.
fn parse_row(letters: &str) -> Result<(u64, u64), String> {
    let (mut black, mut white, mut column) = (0, 0, 0);
    for letter in letters.chars() {
        let width = match letter {
            'B' | 'W' => 1,
            '1'..='8' => letter as u32 - '0' as u32,
            _ => return Err(format!("has {letter:?} in it")),
        };
        if column + width > 8 {
            return Err("is longer than 8 squares".to_owned());
        }
        match letter {
            'B' => black |= 1 << column,
            'W' => white |= 1 << column,
            _ => {}
        }
        column += width;
    }
    if column < 8 {
        return Err(format!("has {column} squares, not 8"));
    }
    Ok((black, white))
}

pub(super) fn diagram(position: &Loa, charset: Charset) -> String {
    let (black, white, empty) = match charset {
        Charset::Unicode => ('●', '○', '·'),
        Charset::Ascii => ('B', 'W', '.'),
    };
    let mut text = String::new();
    for row in (0..8).rev() {
        text.push_str(&format!("{}", row + 1));
        for column in 0..8 {
            text.push(' ');
            text.push(match position.at(column, row) {
                Some(Side::First) => black,
                Some(Side::Second) => white,
                None => empty,
            });
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h");
    text
}
