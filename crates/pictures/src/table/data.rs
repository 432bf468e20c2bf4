//! Tables for programs: CSV (RFC 4180) and JSON.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::{Cell, Table};
use crate::csv;

/// What a program reads of a cell.
enum Datum<'a> {
    Nothing,
    Text(&'a str),
    Whole(u64),
    Float(f64),
}

/// Which values the cells of a column have: the suffixes of their names.
#[derive(Clone, Copy, Default)]
struct Extra {
    interval: bool,
    error: bool,
}

pub(super) fn csv(table: &Table) -> String {
    let extras = extras(table);
    let mut text = String::new();
    line(&mut text, names(table, &extras).iter().map(|name| csv::field(name)));
    for row in &table.rows {
        line(&mut text, values(table, row, &extras).iter().map(written));
    }
    text
}

pub(super) fn json(table: &Table) -> Value {
    let extras = extras(table);
    let names = names(table, &extras);
    let object = |row: &Vec<Cell>| {
        let values = values(table, row, &extras);
        let pairs = names.iter().cloned().zip(values.iter().map(to_json));
        Value::Object(pairs.collect::<Map<_, _>>())
    };
    Value::Array(table.rows.iter().map(object).collect())
}

fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    text.push_str(&csv::record(&fields.collect::<Vec<_>>()));
    text.push('\n');
}

/// A name for each value of a row; no two are the same.
fn names(table: &Table, extras: &[Extra]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for (column, &Extra { interval, error }) in table.columns.iter().zip(extras) {
        let key = if column.key.is_empty() { snake_case(&column.name) } else { column.key.clone() };
        let suffixes = [("", true), ("_low", interval), ("_high", interval), ("_error", error)];
        for (suffix, _) in suffixes.into_iter().filter(|(_, exists)| *exists) {
            let base = format!("{key}{suffix}");
            let mut name = base.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{base}_{number}");
                number += 1;
            }
            names.push(name);
        }
    }
    names
}

/// What the cells of each column have, found once for all rows.
fn extras(table: &Table) -> Vec<Extra> {
    let mut extras = vec![Extra::default(); table.columns.len()];
    for row in &table.rows {
        for (column, extra) in extras.iter_mut().enumerate() {
            extra.interval |= matches!(table.cell(row, column), Cell::Interval { .. });
            extra.error |= matches!(table.cell(row, column), Cell::Error { .. });
        }
    }
    extras
}

/// The values of a row, one for each name.
fn values<'a>(table: &Table, row: &'a [Cell], extras: &[Extra]) -> Vec<Datum<'a>> {
    let mut values = Vec::new();
    for (column, &Extra { interval, error }) in extras.iter().enumerate() {
        let cell = table.cell(row, column);
        values.push(match *cell {
            Cell::Empty => Datum::Nothing,
            Cell::Text(ref text) => Datum::Text(text),
            Cell::Whole(count) => Datum::Whole(count),
            Cell::Number { value, .. }
            | Cell::Interval { value, .. }
            | Cell::Error { value, .. } => Datum::Float(value),
        });
        if interval {
            let ends = match *cell {
                Cell::Interval { low, high, .. } => [Datum::Float(low), Datum::Float(high)],
                _ => [Datum::Nothing, Datum::Nothing],
            };
            values.extend(ends);
        }
        if error {
            values.push(match *cell {
                Cell::Error { error, .. } => Datum::Float(error),
                _ => Datum::Nothing,
            });
        }
    }
    values
}

/// All digits; infinity as pandas and C read it, nothing for an unknown number.
fn written(datum: &Datum<'_>) -> String {
    match *datum {
        Datum::Nothing => String::new(),
        Datum::Text(text) => csv::field(text),
        Datum::Whole(count) => count.to_string(),
        Datum::Float(value) if value.is_nan() => String::new(),
        Datum::Float(value) if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) => {
            // Infinity is `inf` here.
            format!("{value:e}")
        }
        // Zero has no sign.
        Datum::Float(value) => (value + 0.0).to_string(),
    }
}

/// JSON knows neither infinity nor unknown numbers: both are `null`.
fn to_json(datum: &Datum<'_>) -> Value {
    match *datum {
        Datum::Nothing => Value::Null,
        Datum::Text(text) => Value::from(text),
        Datum::Whole(count) => Value::from(count),
        Datum::Float(value) => Number::from_f64(value + 0.0).map_or(Value::Null, Value::Number),
    }
}

/// `Mean plies (all)` as `mean_plies_all`.
fn snake_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_lowercase).collect::<Vec<_>>().join("_");
    if name.is_empty() { "column".to_owned() } else { name }
}
