//! Wraps long texts.

/// The text in lines of at most this width, broken after a word, an option or a player if possible.
/// There is always at least one line.
pub(crate) fn broken(text: &str, width: f64, advance: impl Fn(char) -> f64) -> Vec<String> {
    let characters = text.chars().collect::<Vec<_>>();
    let mut lines = Vec::new();
    let mut rest = characters.as_slice();
    loop {
        let mut used = 0.0;
        let fitting = rest.iter().take_while(|character| {
            used += advance(**character);
            used <= width
        });
        // A line holds a character even if that is too wide.
        let fitting = fitting.count().max(1);
        if fitting >= rest.len() {
            lines.push(rest.iter().collect::<String>().trim_end().to_owned());
            return lines;
        }
        // Lines that end early look worse than broken words.
        let earliest = 1.max(fitting / 3);
        let end = (earliest..=fitting).rev().find(|&end| {
            let (last, next) = (rest[end - 1], rest[end]);
            matches!(last, ' ' | ',' | '(' | ';') || matches!(next, ' ' | '@')
        });
        let (line, more) = rest.split_at(end.unwrap_or(fitting));
        lines.push(line.iter().collect::<String>().trim_end().to_owned());
        let blanks = more.iter().take_while(|character| **character == ' ').count();
        rest = &more[blanks..];
        if rest.is_empty() {
            return lines;
        }
    }
}

/// 1234567 as "1,234,567".
#[must_use]
pub fn grouped(number: u64) -> String {
    in_groups(&number.to_string(), 1)
}

/// Digits before the point in groups of three, from `least` digits on.
pub(crate) fn in_groups(number: &str, least: usize) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    let mut text = String::new();
    for (i, digit) in number.char_indices() {
        if whole >= least && i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The words in lines of at most `width` characters; a longer word has a line of its own.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 {
            let fits = used + 1 + length <= width;
            lines.push(if fits { ' ' } else { '\n' });
            used = if fits { used + 1 } else { 0 };
        }
        lines.push_str(word);
        used += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn lines_end_where_words_do() {
        let narrow = |text: &str, width: f64| broken(text, width, |_| 1.0).join("|");
        assert_eq!(narrow("", 5.0), "");
        assert_eq!(narrow("one two  three", 7.0), "one two|three");
        assert_eq!(narrow("one two  three", 8.0), "one two|three");
        assert_eq!(narrow("mcts(c=0.8,depth=2)@100it", 12.0), "mcts(c=0.8,|depth=2)|@100it");
        assert_eq!(narrow("abcdefgh", 3.0), "abc|def|gh");
        assert_eq!(narrow("abc", 0.0), "a|b|c");
        assert_eq!(narrow("a   ", 2.0), "a");
    }
}
