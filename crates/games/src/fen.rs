//! Forsyth–Edwards notation: the board in rows from the top, then the side to move.

use treegraft::Side;

/// The rows of a board; `at` gives the letters of the piece in a column and row, if there is one.
pub(crate) fn board_text(
    width: u32,
    height: u32,
    at: impl Fn(u32, u32) -> Option<&'static str>,
) -> String {
    let row = |row| (0..width).map(|column| at(column, row).unwrap_or(".")).collect();
    let mut text = (0..height).rev().map(row).collect::<Vec<String>>().join("/");
    // Long runs first, because they contain the shorter ones.
    for empty in (1..=width as usize).rev() {
        text = text.replace(&".".repeat(empty), &empty.to_string());
    }
    text
}

/// Reads the rows of a board. `put` gets the letters (one, or `+` and one), column and row of
/// every piece, and says whether there is such a piece. The error is what is wrong.
pub(crate) fn read_board(
    text: &str,
    width: u32,
    height: u32,
    mut put: impl FnMut(&str, u32, u32) -> bool,
) -> Result<(), String> {
    let rows = text.split('/').count();
    if rows != height as usize {
        return Err(format!("the number of rows is {rows}, not {height}"));
    }
    for (row, text) in (0..height).rev().zip(text.split('/')) {
        let mut column = 0;
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let length = match next {
                '0'..='9' => digits,
                '+' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                _ => next.len_utf8(),
            };
            let (item, behind) = rest.split_at(length);
            rest = behind;
            if digits == 0 {
                if column < width && !put(item, column, row) {
                    return Err(format!("{item:?} is not a piece"));
                }
                column += 1;
            } else {
                let run = item.parse::<u32>().ok();
                let run = run.filter(|&run| run <= width && !item.starts_with('0'));
                column += run.ok_or_else(|| format!("row {} has a wrong number", row + 1))?;
            }
            if column > width {
                return Err(format!("row {} has more than {width} squares", row + 1));
            }
        }
        if column < width {
            return Err(format!("row {} has {column} squares, not {width}", row + 1));
        }
    }
    Ok(())
}

/// The letter of a side.
pub(crate) fn side_letter(side: Side) -> char {
    ['w', 'b'][side.index()]
}

/// Splits a text into the board and the side to move, which are the letters of both sides. The error
/// is what is wrong.
pub(crate) fn split_by<'a>(text: &'a str, letters: [&str; 2]) -> Result<(&'a str, Side), String> {
    let (board, letter) =
        text.trim().split_once(char::is_whitespace).ok_or("the side to move is missing")?;
    let letter = letter.trim();
    let side = [Side::First, Side::Second].into_iter().find(|side| letters[side.index()] == letter);
    Ok((board, side.ok_or_else(|| format!("{letter:?} is not a side to move"))?))
}

/// Splits a text into the board and the side to move. Chess programs add up to four fields
/// (castling, en passant, two counters), which mean nothing here. The error is what is wrong.
pub(crate) fn split(text: &str) -> Result<(&str, Side), String> {
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or("it is empty")?;
    let side = match fields.next() {
        Some("w") => Side::First,
        Some("b") => Side::Second,
        Some(_) => return Err("the side to move is neither w nor b".to_owned()),
        None => return Err("the side to move is missing".to_owned()),
    };
    for (count, field) in fields.enumerate() {
        if count == 4 || (field != "-" && !field.bytes().all(|b| b.is_ascii_digit())) {
            return Err("there is text after the side to move".to_owned());
        }
    }
    Ok((board, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_back() {
        let text = "12a/+b11+b/13";
        let mut pieces = Vec::new();
        let put = |piece: &str, column, row| {
            pieces.push((piece.to_owned(), column, row));
            true
        };
        read_board(text, 13, 3, put).unwrap();
        let piece = |text: &str, column, row| (text.to_owned(), column, row);
        assert_eq!(pieces, [piece("a", 12, 2), piece("+b", 0, 1), piece("+b", 12, 1)]);
        let at = |column, row| match (column, row) {
            (12, 2) => Some("a"),
            (0 | 12, 1) => Some("+b"),
            _ => None,
        };
        assert_eq!(board_text(13, 3, at), text);
    }

    #[test]
    fn wrong_boards_are_refused() {
        let read = |text: &str| read_board(text, 3, 2, |piece, _, _| piece == "p");
        assert_eq!(read("p1p/3"), Ok(()));
        for bad in [
            "",
            "/",
            "3",
            "3/3/3",
            "3/2",
            "3/4",
            "3/pppp",
            "3/2pp",
            "3/x2",
            "3/+p2",
            "3/2+",
            "3/0p2",
            "3/02p",
            "3/p 1",
            "3/ppé",
            "3/+é2",
            "3/99999999999",
            "3/٣",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_side_to_move_follows_the_board() {
        assert_eq!(split("3/3 w"), Ok(("3/3", Side::First)));
        assert_eq!(split("3/3 b - - 1 10"), Ok(("3/3", Side::Second)));
        for bad in ["", " ", "3/3", "3/3 W", "3/3 w x", "3/3 w - - 0 1 2", "w 3/3"] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }
}
