//! A board in the terminal: what is on it, what the last move has changed, and how it stands.

use std::io::IsTerminal;

use treegraft::{Charset, Game, Notation, Playthrough, Side};
use treegraft_players::Board;

use crate::commands::result;

/// How boards are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardStyle {
    pub(crate) charset: Charset,
    /// Whether what the last move has changed is shown in reverse colours.
    pub(crate) marks: bool,
}

impl BoardStyle {
    /// The style for standard output: with marks if that is a terminal and NO_COLOR is not set.
    pub(crate) fn of_output(ascii: bool) -> BoardStyle {
        let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        BoardStyle {
            charset: if ascii { Charset::Ascii } else { Charset::Unicode },
            marks: std::io::stdout().is_terminal() && !is_plain,
        }
    }

    /// The board alone.
    pub(crate) fn board(self, game: &Playthrough<Board>) -> String {
        let board = game.position().notation().diagram(self.charset);
        match before_last_move(game) {
            Some((before, _)) if self.marks => {
                marked(&before.notation().diagram(self.charset), &board)
            }
            _ => board,
        }
    }

    /// The board with the last move, the counts of a game that has them, and the result if the game is
    /// over.
    pub(crate) fn draw(self, game: &Playthrough<Board>) -> String {
        let position = game.position();
        let mut text = self.board(game);
        text.push('\n');
        if let Some((before, mv)) = before_last_move(game) {
            let who = position.notation().side_name(before.to_move());
            text.push_str(&format!("\nlast move  {mv} ({who})\n"));
        }
        if let Some(counts) = position.notation().counts() {
            let [first, second] =
                [Side::First, Side::Second].map(|side| position.notation().side_name(side));
            text.push_str(&format!("count      {first} {}, {second} {}\n", counts[0], counts[1]));
        }
        if let Some(ending) = game.ending() {
            text.push_str(&format!("\nThe game is over: {}.\n", result(position, ending)));
        }
        text
    }
}

/// The position before the last move, and the move.
fn before_last_move(game: &Playthrough<Board>) -> Option<(Board, String)> {
    let (last, earlier) = game.moves().split_last()?;
    let mut before = game.start().clone();
    earlier.iter().for_each(|&mv| before.play(mv));
    let text = before.notation().move_text(*last);
    Some((before, text))
}

/// What stands at a place, where it does not matter whether one may move there.
fn place(drawn: char) -> char {
    if drawn == '+' || drawn == '·' { '.' } else { drawn }
}

/// A drawing in which what differs from an earlier one is in reverse colours.
fn marked(before: &str, now: &str) -> String {
    const ON: &str = "\x1b[7m";
    const OFF: &str = "\x1b[27m";
    let mut text = String::new();
    let mut earlier = before.lines();
    for (number, line) in now.lines().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let mut old = earlier.next().unwrap_or_default().chars().map(place);
        let mut is_on = false;
        for character in line.chars() {
            let is_new = old.next() != Some(place(character));
            if is_new != is_on {
                text.push_str(if is_new { ON } else { OFF });
                is_on = is_new;
            }
            text.push(character);
        }
        if is_on {
            text.push_str(OFF);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_marked() {
        assert_eq!(marked("1 . .\n2 . .", "1 . X\n2 . ."), "1 . \x1b[7mX\x1b[27m\n2 . .");
        assert_eq!(marked("ab\ncd", "ab\ncd"), "ab\ncd");
        assert_eq!(marked("+ · .", ". + +"), ". + +");
        assert_eq!(marked("a", "abc\nd"), "a\x1b[7mbc\x1b[27m\n\x1b[7md\x1b[27m");
    }
}
