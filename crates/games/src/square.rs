//! Squares in letters and numbers, and boards for terminals, shared by the games on boards with files
//! and rows.

use treegraft::{Charset, Side};

/// "a1" for column 0, row 0. Up to 26 columns.
pub(crate) fn name(column: u32, row: u32) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

/// The letter of a column.
pub(crate) fn column_letter(column: u32) -> char {
    (b'a' + column as u8) as char
}

/// Reads a square such as "a1" or "k11" at the beginning of `text`: column, row, and the rest.
pub(crate) fn parse(text: &str) -> Option<((u32, u32), &str)> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).take(3).count();
    let (number, rest) = text[1..].split_at(digits);
    // "a01" is not a square, and neither is "a0".
    let row: u32 = number.parse().ok().filter(|_| !number.starts_with('0'))?;
    Some(((letter as u32 - 'a' as u32, row - 1), rest))
}

/// Reads two squares of a board such as "e2e3", "e2-e3" or "e2xd3": their numbers, row by row, and
/// whether an `x` between them claims a capture.
pub(crate) fn parse_two(text: &str, columns: u32, rows: u32) -> Option<([u8; 2], bool)> {
    let number = |(column, row): (u32, u32)| {
        (column < columns && row < rows).then_some((row * columns + column) as u8)
    };
    let (from, rest) = parse(text)?;
    let (to, end) = parse(rest.strip_prefix(['-', 'x']).unwrap_or(rest))?;
    end.is_empty().then_some(([number(from)?, number(to)?], rest.starts_with('x')))
}

/// A row of signs, with a blank before each.
pub(crate) fn spaced(columns: u32, sign: impl Fn(u32) -> char) -> String {
    (0..columns).flat_map(|column| [' ', sign(column)]).collect()
}

/// A disc, black for the first side, or an empty square.
pub(crate) fn disc(charset: Charset, owner: Option<Side>) -> char {
    let [black, white, empty] = match charset {
        Charset::Unicode => ['●', '○', '·'],
        Charset::Ascii => ['B', 'W', '.'],
    };
    owner.map_or(empty, |side| [black, white][side.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_round_trip() {
        for (column, row) in [(0, 0), (7, 7), (10, 10), (18, 18)] {
            assert_eq!(parse(&name(column, row)), Some(((column, row), "")));
        }
        assert_eq!(parse("e2e3"), Some(((4, 1), "e3")));
        for bad in ["", "a", "1", "a0", "a01", "A1", "ä1", "-a1"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
