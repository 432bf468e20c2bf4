//! Cells, lists of moves, and the rhombus.

use treegraft::{Charset, Game, Notation, NotationError, Side};

use super::{Cells, Hex, SWAP};
use crate::{by_moves, square};

pub(super) fn move_text<W: Cells>(position: &Hex<W>, mv: u16) -> String {
    match mv {
        SWAP => "swap".to_owned(),
        cell => {
            let (cell, size) = (u32::from(cell), position.size());
            square::name(cell % size, cell / size)
        }
    }
}

/// Reads `a1` and `swap`, also `swap-pieces`, in letters of either case.
pub(super) fn parse_move<W: Cells>(position: &Hex<W>, text: &str) -> Result<u16, NotationError> {
    let size = position.size();
    let refuse = |problem: &str| {
        let last = square::name(size - 1, size - 1);
        let swap = if position.can_swap() { ", or swap" } else { "" };
        let expected = format!("an empty cell from a1 to {last}{swap}");
        NotationError::of_move(text, problem, expected)
    };
    let illegal = |problem: &str| Err(refuse(problem).illegal());
    let lower = text.to_ascii_lowercase();
    let mv = match (lower.as_str(), square::parse(&lower)) {
        ("swap" | "swap-pieces", _) if position.can_swap() => SWAP,
        ("swap" | "swap-pieces", _) if !position.swap => {
            return illegal("the game is played without the swap");
        }
        ("swap" | "swap-pieces", _) => return illegal("only the first stone can be taken over"),
        (_, Some(((column, row), ""))) if column < size && row < size => {
            position.cell(column, row) as u16
        }
        _ => return Err(refuse("not a cell of the board")),
    };
    if position.outcome().is_some() {
        return illegal("the game is over");
    }
    if mv != SWAP && position.empty() & W::one(mv.into()) == W::NONE {
        return illegal("the cell is occupied");
    }
    Ok(mv)
}

pub(super) fn parse_position<W: Cells>(
    rules: &Hex<W>,
    text: &str,
) -> Result<Hex<W>, NotationError> {
    let empty = Hex::start(rules.size(), rules.swap);
    by_moves::parse(empty, text, "the moves played, such as \"a1 b2 c1\"")
}

/// The board with every row half a cell further to the right, and whose edges are whose.
pub(super) fn diagram<W: Cells>(position: &Hex<W>, charset: Charset) -> String {
    let (first, second, empty) = match charset {
        Charset::Unicode => ('●', '○', '·'),
        Charset::Ascii => ('B', 'W', '.'),
    };
    let mut text = " ".to_owned();
    for column in 0..position.size() {
        text.push_str(&format!(" {}", square::column_letter(column)));
    }
    for row in 0..position.size() {
        let indent = row as usize;
        text.push_str(&format!("\n{:indent$}{:>2}", "", row + 1));
        for column in 0..position.size() {
            let stone = match position.at(column, row) {
                Some(Side::First) => first,
                Some(Side::Second) => second,
                None => empty,
            };
            text.push_str(&format!(" {stone}"));
        }
    }
    let [black, white] =
        [Side::First, Side::Second].map(|side| position.notation().side_name(side));
    text + &format!("\n{first} {black}: top to bottom\n{second} {white}: left to right")
}
