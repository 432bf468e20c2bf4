//! Comma-separated values (RFC 4180, but with bare line feeds).
//!
//! A file of them may be opened with a spreadsheet or shown by a terminal, and names in it may come
//! from strangers: [`field`] makes them harmless.

use std::borrow::Cow;

use crate::printable::is_no_character;

/// A text as one field, in quotation marks if a reader could take it for something else.
#[must_use]
pub fn field(text: &str) -> String {
    let text = safe(text);
    let is_plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if is_plain { text.into_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// The text as it can be trusted to a spreadsheet and to a terminal.
///
/// One that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-`, `@`, a
/// tab or a carriage return, gets an apostrophe in front, as OWASP recommends; a number does not.
/// Control characters other than line breaks and tabs become the replacement character.
fn safe(text: &str) -> Cow<'_, str> {
    let is_harmful =
        |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t') || is_no_character(c);
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r'])
        && !text.parse::<f64>().is_ok_and(f64::is_finite);
    if !is_formula && !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::from(if is_formula { "'" } else { "" });
    safe.extend(text.chars().map(|c| if is_harmful(c) { char::REPLACEMENT_CHARACTER } else { c }));
    Cow::Owned(safe)
}

/// Fields as a line, without its end.
#[must_use]
pub fn record(fields: &[String]) -> String {
    match fields {
        // Readers take an empty line for none at all.
        [only] if only.is_empty() => "\"\"".to_owned(),
        _ => fields.join(","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_could_be_misread_is_quoted() {
        for (text, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("two words; it's \\ fine", "two words; it's \\ fine"),
            ("ab(depth=2,eval=pieces)", "\"ab(depth=2,eval=pieces)\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("\"", "\"\"\"\""),
            ("one\ntwo", "\"one\ntwo\""),
            ("one\rtwo", "\"one\rtwo\""),
            ("one\r\n", "\"one\r\n\""),
            (" before", "\" before\""),
            ("after\t", "\"after\t\""),
            (" ", "\" \""),
            ("=1+1", "'=1+1"),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("-1 1", "'-1 1"),
            ("\t=1", "'\t=1"),
            ("-0.5", "-0.5"),
            ("+3e2", "+3e2"),
            ("-inf", "'-inf"),
            ("a\u{1b}[31m\u{0}\u{fffe}", "a\u{fffd}[31m\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(field(text), expected, "{text:?}");
        }
    }

    #[test]
    fn no_record_is_an_empty_line() {
        let joined = |fields: &[&str]| record(&fields.iter().map(|f| field(f)).collect::<Vec<_>>());
        assert_eq!(joined(&["a", "", "b,c"]), "a,,\"b,c\"");
        assert_eq!(joined(&["", ""]), ",");
        assert_eq!(joined(&[""]), "\"\"");
    }
}
