//! What a command hands back, and the words that several commands share.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use treegraft::{Game, Notation};
pub(crate) use treegraft_lab::json::{side_key, with_schema};
pub(crate) use treegraft_pictures::grouped;
use treegraft_pictures::table::{Cell, Column, Format, Table};
use treegraft_pictures::{printable, wrapped};
use treegraft_players::Board;

use crate::error::{CliError, Result};
use crate::interrupt::{exit_code, is_hangup};

/// The output of a command, and its exit code.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) text: String,
    /// The exit code.
    pub(crate) code: u8,
    /// What went wrong after there was something to say; its exit code is the program's.
    pub(crate) failure: Option<CliError>,
}

/// The exit code when there is an answer, but not the one that was hoped for.
pub(crate) const NO_SUCCESS: u8 = 1;

/// The exit code after Ctrl-C, as shells have it. Other signals have their own ([`exit_code`]).
pub(crate) const INTERRUPTED: u8 = 130;

impl Output {
    /// Text for people; the last line is ended if it is not. Names in it may come from files that
    /// others have written, and must not control the terminal.
    pub(crate) fn text(text: String) -> Output {
        let harmless = printable(&text);
        Output::data(if harmless == text { text } else { harmless })
    }

    /// Text for programs.
    pub(crate) fn data(mut text: String) -> Output {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Output { text, code: 0, failure: None }
    }

    /// One line of JSON: an object, or an array of objects, each with the name of its schema.
    pub(crate) fn json(schema: &str, value: &impl Serialize) -> Output {
        Output::data(with_schema(schema, value).to_string())
    }

    /// JSON with --json, text without.
    pub(crate) fn either(
        json: bool,
        schema: &str,
        value: &impl Serialize,
        text: impl FnOnce() -> Output,
    ) -> Output {
        if json { Output::json(schema, value) } else { text() }
    }

    /// The exit code of a command that was interrupted, if it was.
    pub(crate) fn complete(self, is_complete: bool) -> Output {
        Output { code: if is_complete { self.code } else { INTERRUPTED }, ..self }
    }

    /// The exit code of an answer that is not the one that was hoped for, if it is not.
    pub(crate) fn success(self, is_success: bool) -> Output {
        Output { code: if is_success { self.code } else { NO_SUCCESS }, ..self }
    }

    /// For a command that has said everything already.
    pub(crate) fn nothing() -> Output {
        Output { text: String::new(), code: 0, failure: None }
    }

    /// Writes a file if one was requested. Unless the output is for programs, `said` is added to the
    /// text, with PATH replaced by the path.
    pub(crate) fn with_file(
        mut self,
        path: Option<&PathBuf>,
        json: bool,
        said: &str,
        write: impl FnOnce(&Path) -> Result<()>,
    ) -> Output {
        let Some(path) = path else { return self };
        let written = write(path);
        if written.is_ok() && !json {
            self.text.push_str(&said.replace("PATH", &path.display().to_string()));
        }
        self.unless_failed(written)
    }

    /// Adds what could not be done, so that the rest is said nevertheless: it may have taken hours.
    pub(crate) fn unless_failed(self, result: Result<()>) -> Output {
        Output { failure: self.failure.or(result.err()), ..self }
    }

    /// Writes to standard output. A reader that stops early (`| head`) is not a failure, and neither
    /// is a terminal whose end has ended the command: what it has done is what counts.
    pub(crate) fn write(&self) -> ExitCode {
        let written = io::stdout().write_all(self.text.as_bytes());
        let done = || ExitCode::from(exit_code(self.code));
        let code = match arrived(written) {
            Err(error) if !is_hangup() => error.report(),
            _ => done(),
        };
        self.failure.as_ref().map_or(code, CliError::report)
    }
}

/// Whether what was written to standard output is on its way; a reader that stops early is not a
/// failure.
pub(crate) fn arrived(written: io::Result<()>) -> Result<()> {
    match written.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::new(format!("cannot write the output: {error}")).code(NO_SUCCESS))
        }
        _ => Ok(()),
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

/// Whose turn it is, with its label.
pub(crate) fn turn(position: &Board) -> (&'static str, String) {
    let mover = position.to_move();
    let name = position.notation().side_name(mover);
    ("turn", format!("{name}, the {} player", side_key(mover)))
}

/// How long lines may be: the same everywhere, so that output does not depend on a terminal.
pub(crate) const LINE: usize = 80;

/// The words in lines that leave room for a label; a longer word has a line of its own.
pub(crate) fn wrap(text: &str) -> String {
    wrapped(text, LINE - 12)
}

/// Adds a note below everything else.
pub(crate) fn add_note(text: &mut String, note: &str) {
    text.push_str(&format!("\nnote: {}\n", wrap(note).replace('\n', "\n      ")));
}

/// The note on players with a limit on time.
pub(crate) const TIMED: &str = "not repeatable: a limit on time depends on the machine";

/// Tables as text, one below the other.
pub(crate) fn tables<'a>(tables: impl IntoIterator<Item = &'a Table>, format: Format) -> String {
    tables.into_iter().map(|table| table.render(format)).collect::<Vec<_>>().join("\n")
}

/// A progress bar that counts.
pub(crate) struct Counter {
    bar: ProgressBar,
    what: &'static str,
}

impl Counter {
    pub(crate) fn new(steps: u64, what: &'static str, json: bool) -> Counter {
        Counter { bar: progress(steps, what, json), what }
    }

    /// Shows the number of steps that are done.
    pub(crate) fn show(&self, done: u64) {
        let all = self.bar.length().unwrap_or_default();
        let [done_text, all] = [done, all].map(grouped);
        self.bar.set_message(format!("{done_text} of {all} {}", self.what));
        self.bar.set_position(done);
    }

    /// The same where the number of all steps is known only now.
    pub(crate) fn show_of(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.bar.set_position(done);
    }
}

/// A progress bar on standard error: only if that is a terminal, and not beside JSON. It is gone when
/// it is dropped.
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
        ProgressStyle::with_template("{bar:20} {percent:>3} %  {elapsed}{left}  {wide_msg}")
    {
        bar.set_style(style.with_key("left", left));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A sign of life on standard error while a search runs, under the same conditions.
pub(crate) fn spinner(what: &'static str, json: bool) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// A table without lines, at most [`LINE`] wide if that is possible; the columns in `right` are
/// aligned to the right.
pub(crate) fn table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    right: &[usize],
) -> String {
    let columns = header.iter().enumerate().map(|(i, name)| match right.contains(&i) {
        true => Column::number(*name),
        false => Column::text(*name),
    });
    let mut table = Table::new("", columns);
    table.rows = rows.into_iter().map(|row| row.map(Cell::Text).into()).collect();
    table.text(LINE)
}

/// A column of numbers that stands in the table only if there is something to show.
pub(crate) fn column_if(is_shown: bool, name: &str) -> Column {
    let column = Column::number(name);
    if is_shown { column } else { column.for_programs() }
}

/// A number of bytes in the largest unit that leaves a number before the point.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..0x400 => format!("{number} B"),
        0x400..0x10_0000 => format!("{:.1} KiB", number as f64 / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", number as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", number as f64 / 1_073_741_824.0),
    }
}

/// A duration in words.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.3} ms", s * 1e3),
        s if s < 1.0 => format!("{s:.3} s"),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
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
    fn numbers_are_readable() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (12_345_678, "12,345,678")]
        {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((bytes(12), bytes(1 << 20)), ("12 B".to_owned(), "1.0 MiB".to_owned()));
        assert_eq!((seconds(1e-5), seconds(2.5)), ("0.010 ms".to_owned(), "2.50 s".to_owned()));
    }

    #[test]
    fn tables_stand_in_columns() {
        let row = |name: &str, count: &str, note: &str| [name, count, note].map(str::to_owned);
        let rows = [row("start", "1,000", ""), row("| | d4", "7", "one\ntwo")];
        let expected = "\
move    visits  note
start    1,000
| | d4       7  one
                two
";
        assert_eq!(table(["move", "visits", "note"], rows, &[1]), expected);
        assert_eq!(table(["a", "b"], [], &[1]), "a  b\n");
    }

    #[test]
    fn tables_fit_the_line() {
        let player = "mcts-ip-m(c=0.25,depth=2,eval=heuristic,visits=10,epsilon=0.05)@250ms";
        let moves = "1 2 3 4 5 6 7 ".repeat(10);
        let rows = [[wrap(player), moves.trim().to_owned(), "1000/1000".to_owned()]];
        let text = table(["player", "line", "games"], rows, &[2]);
        assert!(text.lines().all(|line| line.chars().count() <= LINE), "{text}");
        assert!(text.lines().any(|line| line.ends_with("  1000/1000")), "{text}");
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
