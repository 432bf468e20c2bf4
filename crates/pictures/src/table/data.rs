//! Tables for programs: CSV (RFC 4180) and JSON.

use std::collections::HashSet;

use serde_json::{Number, Value};

use super::{Cell, Table};
use crate::csv;

/// What a program reads of a cell.
#[derive(PartialEq)]
enum Datum<'a> {
    Nothing,
    Text(&'a str),
    Whole(u64),
    Float(f64),
}

/// What a program reads of every row.
struct Field {
    /// No two have the same.
    name: String,
    column: usize,
    /// Which value of the column's cells it is: what is added to the column's name.
    suffix: &'static str,
}

pub(super) fn csv(table: &Table) -> String {
    let fields = fields(table);
    let mut text = String::new();
    line(&mut text, fields.iter().map(|field| csv::field(&field.name)));
    for row in &table.rows {
        let value = |field: &Field| written(&datum(table.cell(row, field.column), field.suffix));
        line(&mut text, fields.iter().map(value));
    }
    text
}

pub(super) fn json(table: &Table) -> Value {
    let fields = fields(table);
    let object = |row: &Vec<Cell>| -> Value {
        let value = |field: &Field| to_json(&datum(table.cell(row, field.column), field.suffix));
        fields.iter().map(|field| (field.name.clone(), value(field))).collect()
    };
    table.rows.iter().map(object).collect()
}

fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    text.push_str(&csv::record(&fields.collect::<Vec<_>>()));
    text.push('\n');
}

/// The values of all columns: beside the cells themselves those that any cell has.
fn fields(table: &Table) -> Vec<Field> {
    let mut taken = HashSet::new();
    let mut fields = Vec::new();
    for (number, column) in table.columns.iter().enumerate() {
        let key = if column.key.is_empty() { snake_case(&column.name) } else { column.key.clone() };
        for suffix in ["", "_low", "_high", "_error"] {
            let has_it = |row: &Vec<Cell>| datum(table.cell(row, number), suffix) != Datum::Nothing;
            if suffix.is_empty() || table.rows.iter().any(has_it) {
                let mut name = format!("{key}{suffix}");
                for other in 2.. {
                    if taken.insert(name.clone()) {
                        break;
                    }
                    name = format!("{key}{suffix}_{other}");
                }
                fields.push(Field { name, column: number, suffix });
            }
        }
    }
    fields
}

/// A value of a cell.
fn datum<'a>(cell: &'a Cell, suffix: &str) -> Datum<'a> {
    match (suffix, cell) {
        ("", Cell::Text(text)) => Datum::Text(text),
        ("", Cell::Whole(count)) => Datum::Whole(*count),
        (
            "",
            Cell::Number { value, .. } | Cell::Interval { value, .. } | Cell::Error { value, .. },
        )
        | ("_low", Cell::Interval { low: value, .. })
        | ("_high", Cell::Interval { high: value, .. })
        | ("_error", Cell::Error { error: value, .. }) => Datum::Float(*value),
        _ => Datum::Nothing,
    }
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
