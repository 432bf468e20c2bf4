//! Squares in letters and numbers, shared by the games on boards with files and rows.

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
