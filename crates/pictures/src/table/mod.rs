//! Tables of results: made once, written as text, Markdown, LaTeX, CSV or JSON.
//!
//! Text, Markdown and LaTeX are for reading: rounded, with units. CSV and JSON are for programs:
//! all digits, shares from 0 to 1, the ends of intervals under names of their own.
//!
//! ```
//! use treegraft_pictures::table::{Cell, Column, Format, Table};
//!
//! let mut table = Table::new("Results", [Column::text("player"), Column::percent("score")]);
//! table.rows.push(vec![Cell::text("uct"), Cell::interval(0.625, 0.5312, 0.71, 1)]);
//! assert_eq!(
//!     table.render(Format::Text),
//!     "Results\n\nplayer          score (%)\nuct     62.5 [53.1, 71.0]\n"
//! );
//! assert_eq!(
//!     table.render(Format::Csv),
//!     "player,score,score_low,score_high\nuct,0.625,0.5312,0.71\n"
//! );
//! ```

mod data;
mod latex;
mod markdown;
mod text;

use std::fmt;
use std::str::FromStr;

use crate::lines::in_groups;
use crate::printable::on_one_line as clean;

/// Rows of cells below the names of their columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What the table is about.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// A cell for each column; what is missing at the end of a row is empty, what is too much is
    /// left out.
    pub rows: Vec<Vec<Cell>>,
    /// Notes for readers of the table.
    pub notes: Vec<String>,
}

/// What stands above a column, and how its cells are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Column {
    /// What people read.
    pub name: String,
    /// What programs read; empty: made from the name.
    pub key: String,
    /// Where cells stand.
    pub align: Align,
    /// What numbers are numbers of.
    pub unit: Unit,
    /// Whether positive numbers are written with a plus sign.
    pub is_signed: bool,
    /// Whether people see the column only if something in it is neither zero nor empty.
    pub is_rare: bool,
    /// Who sees the column.
    pub audience: Audience,
}

/// Who sees a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone.
    All,
    /// Readers of text, Markdown and LaTeX.
    People,
    /// Readers of CSV and JSON: what people read in a title, for instance.
    Programs,
}

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the left: texts.
    Left,
    /// At the right: numbers.
    Right,
}

/// What the numbers of a column are numbers of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nothing in particular.
    None,
    /// Shares from 0 to 1, shown to people as percentages.
    Percent,
    /// A unit that is written beside the column's name, such as `ms`.
    Named(String),
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Cell {
    /// Nothing to say.
    Empty,
    /// Words. Plain text keeps their line breaks; Markdown and LaTeX write blanks instead.
    Text(String),
    /// A count.
    Whole(u64),
    /// A measured number.
    Number {
        /// The number; not a number stands for an unknown one.
        value: f64,
        /// Digits after the point that people see.
        digits: usize,
    },
    /// A number with the ends of its interval.
    Interval {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Digits after the point that people see.
        digits: usize,
    },
    /// A number with its error, which is written after ±.
    Error {
        /// The number.
        value: f64,
        /// Half the width of its interval.
        error: f64,
        /// Digits after the point that people see.
        digits: usize,
    },
}

/// A column, and what it says of an item.
pub type Filled<'a, T> = (Column, &'a dyn Fn(&T) -> Cell);

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain columns, at most [`LINE`] characters wide if that is possible.
    Text,
    /// A table of GitHub's Markdown.
    Markdown,
    /// A `tabular` with the rules of the package booktabs.
    Latex,
    /// Comma-separated values as in RFC 4180: all digits, one line a row.
    Csv,
    /// An array with an object for each row.
    Json,
}

/// How wide a table in [`Format::Text`] may be.
pub const LINE: usize = 110;

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::Text, Format::Markdown, Format::Latex, Format::Csv, Format::Json];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["text", "markdown", "latex", "csv", "json"][self as usize]
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("{text:?} is not a format; expected one of {names}")
        })
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Table {
        let columns = columns.into_iter().collect();
        Table { title: title.into(), columns, ..Table::default() }
    }

    /// A table with a row for each item.
    #[must_use]
    pub fn of<T>(
        title: impl Into<String>,
        items: impl IntoIterator<Item = T>,
        columns: &[Filled<'_, T>],
    ) -> Table {
        let mut table = Table::new(title, columns.iter().map(|(column, _)| column.clone()));
        let row = |item: T| columns.iter().map(|(_, cell)| cell(&item)).collect();
        table.rows = items.into_iter().map(row).collect();
        table
    }

    /// The table as text that ends with a line break.
    ///
    /// CSV and JSON hold the rows only, neither title nor notes.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(LINE),
            Format::Markdown => markdown::render(&self.for_people()),
            Format::Latex => latex::render(&self.for_people()),
            Format::Csv => data::csv(&self.for_programs()),
            Format::Json => {
                // Serialising a value that is JSON already does not fail.
                serde_json::to_string_pretty(&self.to_json()).unwrap_or_default() + "\n"
            }
        }
    }

    /// The table as plain text, at most `line` characters wide if that is possible.
    #[must_use]
    pub fn text(&self, line: usize) -> String {
        text::render(&self.for_people(), line)
    }

    /// The table without rare columns that have nothing to say.
    fn for_people(&self) -> Table {
        let is_something = |cell: &Cell| !matches!(cell, Cell::Whole(0) | Cell::Empty);
        let has_something = |i: usize| self.rows.iter().any(|row| is_something(self.cell(row, i)));
        self.without(Audience::Programs, |i, column| column.is_rare && !has_something(i))
    }

    /// The table as programs see it.
    fn for_programs(&self) -> Table {
        self.without(Audience::People, |_, _| false)
    }

    /// The table without the columns of an audience, and without others.
    fn without(&self, audience: Audience, hidden: impl Fn(usize, &Column) -> bool) -> Table {
        let mut table = Table::new(self.title.clone(), []);
        table.notes.clone_from(&self.notes);
        table.rows = vec![Vec::new(); self.rows.len()];
        for (i, column) in self.columns.iter().enumerate() {
            if column.audience != audience && !hidden(i, column) {
                table.columns.push(column.clone());
                for (cells, row) in table.rows.iter_mut().zip(&self.rows) {
                    cells.push(self.cell(row, i).clone());
                }
            }
        }
        table
    }

    /// The rows as an array of objects.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        data::json(&self.for_programs())
    }

    /// The cells of a row as people read them.
    fn pieces<'a>(&'a self, row: &'a [Cell]) -> impl Iterator<Item = Pieces> + 'a {
        self.columns.iter().enumerate().map(|(i, column)| self.cell(row, i).pieces(column))
    }

    /// The cell, or an empty one if the row is too short.
    fn cell<'a>(&self, row: &'a [Cell], column: usize) -> &'a Cell {
        row.get(column).unwrap_or(&Cell::Empty)
    }
}

impl Column {
    /// A column of texts.
    pub fn text(name: impl Into<String>) -> Column {
        let (name, key) = (name.into(), String::new());
        let (align, unit) = (Align::Left, Unit::None);
        let audience = Audience::All;
        Column { name, key, align, unit, is_signed: false, is_rare: false, audience }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Column {
        Column { align: Align::Right, ..Column::text(name) }
    }

    /// A column of shares from 0 to 1, which people read as percentages.
    pub fn percent(name: impl Into<String>) -> Column {
        Column { unit: Unit::Percent, ..Column::number(name) }
    }

    /// The column with its unit.
    pub fn unit(self, unit: impl Into<String>) -> Column {
        Column { unit: Unit::Named(unit.into()), ..self }
    }

    /// The column with plus signs.
    pub fn signed(self) -> Column {
        Column { is_signed: true, ..self }
    }

    /// The column for counts of what seldom happens.
    pub fn rare(self) -> Column {
        Column { is_rare: true, ..self }
    }

    /// The column for programs only.
    pub fn for_programs(self) -> Column {
        Column { audience: Audience::Programs, ..self }
    }

    /// The column for people only.
    pub fn for_people(self) -> Column {
        Column { audience: Audience::People, ..self }
    }

    /// The column with the name that programs read.
    pub fn key(self, key: impl Into<String>) -> Column {
        Column { key: key.into(), ..self }
    }

    /// The name with its unit.
    fn heading(&self) -> String {
        match &self.unit {
            Unit::None => self.name.clone(),
            Unit::Percent => format!("{} (%)", self.name),
            Unit::Named(unit) => format!("{} ({unit})", self.name),
        }
    }
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A measured number.
    pub fn number(value: f64, digits: usize) -> Cell {
        Cell::Number { value, digits }
    }

    /// A number with its interval.
    pub fn interval(value: f64, low: f64, high: f64, digits: usize) -> Cell {
        Cell::Interval { value, low, high, digits }
    }

    /// A number with its error.
    pub fn error(value: f64, error: f64, digits: usize) -> Cell {
        Cell::Error { value, error, digits }
    }

    /// What people read, in pieces that stand below one another: the number and, for an interval,
    /// its ends.
    fn pieces(&self, column: &Column) -> Pieces {
        let shown = |value: f64, digits: usize, signed: bool| {
            figure(if column.unit == Unit::Percent { 100.0 * value } else { value }, digits, signed)
        };
        let signed = column.is_signed;
        match *self {
            Cell::Empty => Pieces::Text(String::new()),
            Cell::Text(ref text) => Pieces::Text(text.clone()),
            Cell::Whole(count) => Pieces::Number(grouped(&count.to_string())),
            Cell::Number { value, digits } => {
                let number = shown(value, digits, signed);
                let is_small = value > 0.0 && is_zero(&number);
                Pieces::Number(if is_small { below(digits) } else { number })
            }
            // The interval of an unknown number is not worth its brackets.
            Cell::Interval { value, low, high, .. }
                if value.is_nan() && low.is_nan() && high.is_nan() =>
            {
                Pieces::Number(shown(value, 0, signed))
            }
            Cell::Error { value, error, .. } if value.is_nan() && error.is_nan() => {
                Pieces::Number(shown(value, 0, signed))
            }
            Cell::Interval { value, low, high, digits } => Pieces::Interval(
                shown(value, digits, signed),
                [low, high].map(|end| shown(end, digits, signed)),
            ),
            Cell::Error { value, error, digits } => {
                Pieces::Error(shown(value, digits, signed), shown(error, digits, false))
            }
        }
    }
}

/// A cell as people read it.
enum Pieces {
    Text(String),
    Number(String),
    /// The number and the ends.
    Interval(String, [String; 2]),
    /// The number and the error.
    Error(String, String),
}

impl Pieces {
    /// The cell, with texts and numbers written in a format's own way.
    fn write(&self, text: fn(&str) -> String, number: fn(&str) -> String, plus: &str) -> String {
        match self {
            Pieces::Text(words) => text(words),
            Pieces::Number(value) => number(value),
            Pieces::Interval(value, [low, high]) => {
                format!("{} [{}, {}]", number(value), number(low), number(high))
            }
            Pieces::Error(value, error) => format!("{} {plus} {}", number(value), number(error)),
        }
    }
}

/// A number for people: grouped, without a negative zero; `-` stands for an unknown one.
fn figure(value: f64, digits: usize, signed: bool) -> String {
    const TOO_LARGE: f64 = 1e15;
    let sign = |negative: bool| match (negative, signed) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    if value.is_nan() {
        return "-".to_owned();
    }
    if value.is_infinite() {
        return format!("{}∞", sign(value < 0.0));
    }
    if value.abs() >= TOO_LARGE {
        return format!("{}{:.digits$e}", sign(value < 0.0), value.abs());
    }
    let rounded = format!("{:.digits$}", value.abs());
    if is_zero(&rounded) {
        return rounded;
    }
    format!("{}{}", sign(value < 0.0), grouped(&rounded))
}

fn is_zero(number: &str) -> bool {
    number.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// What stands for a positive number that would be rounded to zero: `<0.001`.
fn below(digits: usize) -> String {
    format!("<{:.digits$}", libm::exp10(-(digits as f64)))
}

/// Digits before the point in groups of three, from five on: 1234 and 12,345.
pub(crate) fn grouped(number: &str) -> String {
    in_groups(number, 5)
}

#[cfg(test)]
mod tests;
