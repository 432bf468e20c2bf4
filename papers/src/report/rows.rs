//! The rows of a section, and the table that they make.

use treegraft_lab::table::{Cell, Column, Table};

use super::{Row, Section};
use crate::compare::Comparison;
use crate::outcome::Outcome;
use crate::published::Published;

/// What was measured, each with what the paper says of it, in the paper's view; then what the paper
/// says of rows that were not measured.
pub(super) fn rows<'a>(outcome: Option<&Outcome>, published: &[&'a Published]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let measured = outcome.map_or(&[][..], |outcome| &outcome.rows);
    let is_about = |value: &Published, names: &[String]| {
        let is_it = |found: &[String]| found == names;
        is_it(value.row()) || (names.len() > 1 && is_it(&turned(value.row())))
    };
    for found in measured {
        let about = published.iter().filter(|value| is_about(value, &found.row));
        let mut is_known = false;
        for value in about {
            is_known = true;
            let measured = outcome.and_then(|outcome| outcome.row(value.row()));
            rows.push(row(
                value,
                measured.as_ref().map(|it| it.row.clone()),
                Some(value),
                measured,
            ));
        }
        if !is_known {
            let (names, measured) = (found.row.clone(), Some(found.clone()));
            rows.push(Row { names, measured, comparison: None });
        }
    }
    for value in published {
        if !measured.iter().any(|found| is_about(value, &found.row)) {
            rows.push(row(value, None, Some(value), None));
        }
    }
    rows
}

fn row<'a>(
    value: &'a Published,
    names: Option<Vec<String>>,
    published: Option<&'a Published>,
    measured: Option<crate::Measurement>,
) -> Row<'a> {
    let comparison = published.map(|value| Comparison::new(value, measured.clone()));
    Row { names: names.unwrap_or_else(|| value.row().to_vec()), measured, comparison }
}

/// The names with the two players the other way round.
fn turned(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    let players = names.len().saturating_sub(2);
    names[players..].reverse();
    names
}

/// The rows of a section as a table.
#[must_use]
pub fn table(section: &Section<'_>) -> Table {
    let is_score = |row: &Row<'_>| row.comparison.as_ref().is_none_or(|it| it.published.is_score());
    let has_paper = section.rows.iter().any(|row| row.comparison.is_some());
    let unit = if section.rows.iter().all(is_score) && has_paper { " (%)" } else { "" };
    let mut columns = vec![Column::text("row")];
    if has_paper {
        columns.push(Column::text(format!("paper{unit}")).key("paper"));
    }
    columns.push(Column::text(format!("measured{unit}")).key("measured"));
    columns.push(Column::number("n"));
    if has_paper {
        columns.push(Column::number("difference"));
        columns.push(Column::text("verdict"));
    }
    let mut table = Table::new("", columns);
    for row in &section.rows {
        let mut cells = vec![Cell::text(name(row))];
        if has_paper {
            cells.push(row.comparison.as_ref().map_or(Cell::Empty, paper_cell));
        }
        let measured = row.measured.as_ref();
        cells.push(
            measured.map_or(Cell::Empty, |it| Cell::text(with_ends(it.value, it.low, it.high))),
        );
        cells.push(measured.map_or(Cell::Empty, |it| Cell::Whole(it.count)));
        if has_paper {
            let comparison = row.comparison.as_ref();
            let difference = comparison.and_then(Comparison::difference);
            let digits = |it: f64| match comparison.is_some_and(|it| it.published.is_score()) {
                true => Cell::text(signed(it, format!("{:.1}", it.abs()))),
                false => Cell::text(signed(it, number(it.abs()))),
            };
            cells.push(difference.map_or(Cell::Empty, digits));
            cells.push(comparison.map_or(Cell::Empty, |it| Cell::text(it.verdict.text())));
        }
        table.rows.push(cells);
    }
    table
}

/// What a row is called.
pub(super) fn name(row: &Row<'_>) -> String {
    match row.names.as_slice() {
        [a, b] if row.names.iter().all(|name| !name.contains('=')) && is_pairing(row) => {
            format!("{a} – {b}")
        }
        [game, a, b] if is_pairing(row) => format!("{game}: {a} – {b}"),
        names => names.join(", "),
    }
}

/// Whether a row is about two players.
fn is_pairing(row: &Row<'_>) -> bool {
    let has_count = |it: &crate::Measurement| it.low < it.high;
    row.comparison
        .as_ref()
        .map_or_else(|| row.measured.as_ref().is_some_and(has_count), |it| it.published.is_score())
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
        size if size >= 10_000.0 => treegraft_lab::grouped(value.round() as u64),
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
