//! Squares, positions of a character a square, and diagrams.

use treegraft::{Charset, Game, NotationError, Side};

use super::{Othello, PASS, placements};
use crate::square;

pub(super) fn move_text(mv: u8) -> String {
    if mv == PASS { "pass".to_owned() } else { square::name(u32::from(mv % 8), u32::from(mv / 8)) }
}

/// Reads `d3` and `pass`, in letters of either case, and `pa` and `--` for a pass.
pub(super) fn parse_move(position: &Othello, text: &str) -> Result<u8, NotationError> {
    let mut legal = Vec::new();
    if position.outcome().is_none() {
        position.moves(&mut legal);
    }
    let expected = || match legal.iter().map(|&mv| move_text(mv)).collect::<Vec<_>>() {
        texts if texts.is_empty() => "no move".to_owned(),
        texts => format!("one of {}", texts.join(", ")),
    };
    let refuse = |problem: &str| NotationError::of_move(text, problem, expected());
    let illegal = |problem: &str| Err(refuse(problem).illegal());

    let lower = text.to_ascii_lowercase();
    let size = position.size();
    let mv = match (lower.as_str(), square::parse(&lower)) {
        ("pass" | "pa" | "--", _) => PASS,
        (_, Some(((column, row), ""))) if column < size && row < size => (8 * row + column) as u8,
        _ => return Err(refuse("not a square of the board, nor a pass")),
    };
    match (legal.contains(&mv), legal.is_empty(), legal == [PASS]) {
        (true, ..) => Ok(mv),
        (_, true, _) => illegal("the game is over"),
        (.., true) => illegal("no disc can be placed"),
        _ if mv == PASS => illegal("a disc can be placed"),
        _ if position.at(u32::from(mv) % 8, u32::from(mv) / 8).is_some() => {
            illegal("the square is occupied")
        }
        _ => illegal("no disc is turned there"),
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

pub(super) fn position_text(position: &Othello) -> String {
    let mut text = String::new();
    for row in 0..position.size() {
        for column in 0..position.size() {
            text.push(position.at(column, row).map_or('-', letter));
        }
    }
    format!("{text} {}", letter(position.mover))
}

/// Reads what [`position_text`] writes, with blanks anywhere, a semicolon at the end (as in
/// files of problems), small letters, `*` and `b` for Black, `w` for White and `.` for empty.
///
/// Any arrangement of discs is a position: problems need not come from a game.
pub(super) fn parse_position(rules: &Othello, text: &str) -> Result<Othello, NotationError> {
    let squares = (rules.size() * rules.size()) as usize;
    let refuse = |problem: String| {
        let expected = format!(
            "{squares} characters (X Black, O White, - empty), a blank and the side to move, X or O"
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
        None if read.len() == squares => return refuse("the side to move is missing".to_owned()),
        None => return refuse(format!("there are only {} squares", read.len())),
    };
    let mut position = Othello { own: 0, opp: 0, size: rules.size, mover };
    for (i, square) in read[..squares].iter().enumerate() {
        let size = usize::from(rules.size);
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
pub(super) fn diagram(position: &Othello, charset: Charset) -> String {
    let (first, second, empty) = match charset {
        Charset::Unicode => ('●', '○', '·'),
        Charset::Ascii => ('B', 'W', '.'),
    };
    let mut text = " ".to_owned();
    for column in 0..position.size() {
        text.push_str(&format!(" {}", square::column_letter(column)));
    }
    let open = placements(position);
    for row in 0..position.size() {
        text.push_str(&format!("\n{}", row + 1));
        for column in 0..position.size() {
            let disc = match position.at(column, row) {
                Some(Side::First) => first,
                Some(Side::Second) => second,
                None if open & 1 << (8 * row + column) != 0 => '+',
                None => empty,
            };
            text.push_str(&format!(" {disc}"));
        }
    }
    text
}
