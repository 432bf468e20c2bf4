//! The rows of a section, and the table that they make.

use treegraft_pictures::table::{Cell, Column, Table};

use super::{Row, Section};
use crate::compare::Comparison;
use crate::outcome::{Measurement, Outcome, turned};
use crate::published::Published;

/// What was measured, each with what the paper says of it, in the paper's view; then what the paper
/// says of rows that were not measured.
pub(super) fn rows<'a>(outcome: Option<&Outcome>, published: &[&'a Published]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let measured = outcome.map_or(&[][..], |outcome| &outcome.rows);
    let is_about = |value: &Published, names: &[String]| {
        let is_it = |found: &[String]| found == names;
        is_it(&value.row) || (names.len() > 1 && is_it(&turned(&value.row)))
    };
    // Players meet; the parameters of a sweep and what a study measured do not.
    let is_pairing = |names: &[String]| {
        let has_players = outcome.is_none_or(|outcome| !outcome.players.is_empty());
        has_players && names.len() > 1 && names.iter().all(|name| !name.contains('='))
    };
    let mut add =
        |names: Vec<String>, measured: Option<Measurement>, value: Option<&'a Published>| {
            let comparison = value.map(|value| Comparison::new(value, measured.clone()));
            rows.push(Row { is_pairing: is_pairing(&names), names, measured, comparison });
        };
    for found in measured {
        let mut about = published.iter().filter(|value| is_about(value, &found.row)).peekable();
        if about.peek().is_none() {
            add(found.row.clone(), Some(found.clone()), None);
        }
        for value in about {
            let measured = outcome.and_then(|outcome| outcome.row(&value.row));
            add(value.row.clone(), measured, Some(value));
        }
    }
    for value in published {
        if !measured.iter().any(|found| is_about(value, &found.row)) {
            add(value.row.clone(), None, Some(value));
        }
    }
    rows
}

/// The rows of a section as a table.
#[must_use]
pub fn table(section: &Section<'_>) -> Table {
    let is_score = |row: &Row<'_>| row.comparison.as_ref().is_none_or(|it| it.published.is_score());
    let has_paper = section.rows.iter().any(|row| row.comparison.is_some());
    let unit = if section.rows.iter().all(is_score) && has_paper { " (%)" } else { "" };
    let of_paper = |column: Column| if has_paper { column } else { column.for_programs() };
    let columns = [
        Column::text("row"),
        of_paper(Column::text(format!("paper{unit}")).key("paper")),
        Column::text(format!("measured{unit}")).key("measured"),
        Column::number("n"),
        of_paper(Column::number("difference")),
        of_paper(Column::text("verdict")),
    ];
    let mut table = Table::new("", columns);
    for row in &section.rows {
        let (measured, comparison) = (row.measured.as_ref(), row.comparison.as_ref());
        let difference = comparison.and_then(|it| Some((it, it.difference()?)));
        let digits = |(it, difference): (&Comparison<'_>, f64)| {
            let size = difference.abs();
            let is_score = it.published.is_score();
            let text = if is_score { format!("{size:.1}") } else { number(size) };
            Cell::text(signed(difference, text))
        };
        table.rows.push(vec![
            Cell::text(name(row)),
            comparison.map_or(Cell::Empty, paper_cell),
            measured.map_or(Cell::Empty, |it| Cell::text(with_ends(it.value, it.low, it.high))),
            measured.map_or(Cell::Empty, |it| Cell::Whole(it.count)),
            difference.map_or(Cell::Empty, digits),
            comparison.map_or(Cell::Empty, |it| Cell::text(it.verdict.text())),
        ]);
    }
    table
}

/// What a row is called.
pub(super) fn name(row: &Row<'_>) -> String {
    match row.names.as_slice() {
        [a, b] if row.is_pairing => format!("{a} – {b}"),
        [game, a, b] if row.is_pairing => format!("{game}: {a} – {b}"),
        names => names.join(", "),
    }
}

fn paper_cell(comparison: &Comparison<'_>) -> Cell {
    let published = comparison.published;
    let value = published.number();
    Cell::text(match published.interval().filter(|_| published.is_score()) {
        Some(interval) => with_ends(value, interval.low, interval.high),
        None => number(value),
    })
}

/// A value with the ends of its interval.
pub(super) fn with_ends(value: f64, low: f64, high: f64) -> String {
    match low < high {
        true => format!("{} ({}–{})", number(value), number(low), number(high)),
        false => number(value),
    }
}

/// About four digits, with commas in large numbers.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 10_000.0 => treegraft_pictures::grouped(value.round() as u64),
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn signed(value: f64, text: String) -> String {
    match text.chars().any(|c| c.is_ascii_digit() && c != '0') {
        true => format!("{}{text}", if value > 0.0 { '+' } else { '−' }),
        false => text,
    }
}
