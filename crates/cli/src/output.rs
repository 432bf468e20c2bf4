//! What a command hands back, and the words that several commands share.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use treegraft::Side;

/// What a command has to say, and whether that is good news.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) text: String,
    pub(crate) success: bool,
}

impl Output {
    /// Text for people; the last line is ended if it is not.
    pub(crate) fn text(mut text: String) -> Output {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Output { text, success: true }
    }

    /// One line of JSON.
    pub(crate) fn json(value: &impl Serialize) -> Output {
        // Serialising fails only for maps with keys that are not strings; there are none here.
        Output::text(serde_json::to_string(value).unwrap_or_default())
    }

    /// Writes to standard output. That its reader has seen enough (`| head`) is no failure.
    pub(crate) fn write(&self) -> ExitCode {
        let mut out = std::io::stdout().lock();
        match out.write_all(self.text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(std::io::stderr(), "error: cannot write the output: {error}");
                ExitCode::FAILURE
            }
            _ if self.success => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }
}

/// How JSON names a side.
pub(crate) fn side_key(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Labels and, below one another, what they stand for; a text may have several lines.
pub(crate) fn labelled(entries: &[(&str, String)]) -> String {
    let width = entries.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (label, lines) in entries {
        let mut label = *label;
        for line in lines.split('\n') {
            text.push_str(format!("{label:width$}  {line}").trim_end());
            text.push('\n');
            label = "";
        }
    }
    text
}

/// How long lines may be: the same everywhere, so that output does not depend on a terminal.
pub(crate) const LINE: u16 = 80;

/// The words in lines that leave room for a label; a longer word has a line of its own.
pub(crate) fn wrap(text: &str) -> String {
    const WIDTH: usize = LINE as usize - 12;
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 {
            let fits = used + 1 + length <= WIDTH;
            lines.push(if fits { ' ' } else { '\n' });
            used = if fits { used + 1 } else { 0 };
        }
        lines.push_str(word);
        used += length;
    }
    lines
}

/// A progress bar on standard error: only if that is a terminal, and not beside JSON.
pub(crate) fn progress(steps: u64, what: &'static str, json: bool) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps).with_message(what);
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // Nothing is known before the first step is done, and the bar would say "0s".
        if state.pos() > 0 {
            let _ = write!(out, ", about {:#} left", HumanDuration(state.eta()));
        }
    };
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {bar:30} {percent:>3} %  {elapsed}{left}")
    {
        bar.set_style(style.with_key("left", left));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_in_a_column() {
        let text = labelled(&[
            ("turn", "X".to_owned()),
            ("position", String::new()),
            ("moves", "1 2\n3".to_owned()),
        ]);
        assert_eq!(text, "turn      X\nposition\nmoves     1 2\n          3\n");
    }

    #[test]
    fn long_texts_wrap_between_words() {
        let numbers = (1..=100).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let wrapped = wrap(&numbers);
        assert!(
            wrapped.lines().all(|line| (60..=68).contains(&line.len()) || line.ends_with("100"))
        );
        assert_eq!(wrapped.replace('\n', " "), numbers);
        let long = "x".repeat(90);
        assert_eq!(wrap(&format!("a {long} b")), format!("a\n{long}\nb"));
        assert_eq!(wrap(""), "");
    }
}
