//! Text that was read somewhere, made fit for terminals, pictures and tables.
//!
//! Names of players and titles come from files that others may have written. A control character
//! in one of them could colour, move or rewrite what a terminal shows, or make a file unreadable.

/// The text without what could do more than be read, line breaks kept: control characters become
/// blanks; characters that no text may have, and those that turn the direction of others, become
/// the replacement character.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { harmless(c) }).collect()
}

/// The same on one line.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    text.chars().map(harmless).collect()
}

fn harmless(character: char) -> char {
    match character {
        // The separators of lines and paragraphs break lines in some programs.
        '\u{2028}' | '\u{2029}' => ' ',
        character if character.is_control() => ' ',
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        character if is_no_character(character) => char::REPLACEMENT_CHARACTER,
        character => character,
    }
}

/// Whether Unicode says that this will never be a character; XML forbids two of them.
pub(crate) fn is_no_character(character: char) -> bool {
    let code = u32::from(character);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_read_is_left() {
        let hostile =
            "a\u{1b}[31mb\u{7}\u{9b}1m\tc\u{202e}d\u{fffe}\u{ffff}\u{1fffe}\u{fdd0}\u{2028}";
        let shown = "a [31mb  1m c\u{fffd}d\u{fffd}\u{fffd}\u{fffd}\u{fffd} ";
        assert_eq!(printable(hostile), shown);
        assert_eq!(on_one_line("one\ntwo\r\n"), "one two  ");
        assert_eq!(printable("one\ntwo\r\n"), "one\ntwo \n");
        let plain = "mcts(c=0.5)@10it – ≤ 47.6 % 棋 😀 é";
        assert_eq!(printable(plain), plain);
    }
}
