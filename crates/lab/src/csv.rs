//! Comma-separated values (RFC 4180, but with bare line feeds).

/// A text as one field, in quotation marks if a reader could take it for something else.
pub(crate) fn field(text: &str) -> String {
    let is_plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// Fields as a line, without its end.
pub(crate) fn record(fields: &[String]) -> String {
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
