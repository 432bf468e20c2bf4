//! Tables of plain text.

use super::{Align, Pieces, Table, clean};
use crate::lines;

/// Between columns.
const GAP: usize = 2;
/// Texts are not broken into columns narrower than a line divided by this.
const NARROWEST: usize = 8;

/// The table in lines of at most `line` characters, if that is possible.
pub(super) fn render(table: &Table, line: usize) -> String {
    let mut text = String::new();
    if !table.title.is_empty() {
        for part in broken(&clean(&table.title), line) {
            text.push_str(part.trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    if !table.columns.is_empty() {
        let headings = table.columns.iter().map(|column| clean(&column.heading()));
        let headings = headings.collect::<Vec<_>>();
        let columns = (0..table.columns.len()).map(|i| cells(table, i)).collect::<Vec<_>>();
        let aligns = table.columns.iter().map(|column| column.align).collect::<Vec<_>>();
        let widths = widths(&headings, &columns, &aligns, line);
        let headings = headings.iter().zip(&widths).map(|(text, &width)| words(text, width));
        push_row(&mut text, &headings.collect::<Vec<_>>(), &widths, &aligns);
        for row in 0..table.rows.len() {
            let cells = columns.iter().zip(&widths).map(|(cells, &width)| {
                cells[row].iter().flat_map(|part| broken(part, width)).collect()
            });
            push_row(&mut text, &cells.collect::<Vec<_>>(), &widths, &aligns);
        }
    }
    for note in &table.notes {
        text.push('\n');
        let mut label = "note: ";
        for part in broken(&clean(note), line.saturating_sub(label.len())) {
            text.push_str(format!("{label}{part}").trim_end());
            text.push('\n');
            label = "      ";
        }
    }
    text
}

/// The lines of each cell of a column, numbers and the ends of intervals below one another.
fn cells(table: &Table, column: usize) -> Vec<Vec<String>> {
    let pieces = table.rows.iter();
    let pieces = pieces.map(|row| table.cell(row, column).pieces(&table.columns[column]));
    let pieces = pieces.collect::<Vec<_>>();
    let mut ends = [0; 2];
    let mut errors = 0;
    for piece in &pieces {
        match piece {
            Pieces::Text(_) | Pieces::Number(_) => {}
            Pieces::Interval(_, texts) => {
                ends = [0, 1].map(|i| ends[i].max(length(&texts[i])));
            }
            Pieces::Error(_, error) => errors = errors.max(length(error)),
        }
    }
    let written = pieces.iter().map(|piece| match piece {
        Pieces::Text(text) => text.split('\n').map(clean).collect(),
        Pieces::Number(number) => vec![number.clone()],
        Pieces::Interval(value, [low, high]) => {
            vec![format!("{value} [{low:>0$}, {high:>1$}]", ends[0], ends[1])]
        }
        Pieces::Error(value, error) => vec![format!("{value} ± {error:>errors$}")],
    });
    written.collect()
}

/// How wide the columns are: as wide as they like if there is room, otherwise first the headings
/// and then the longest texts are broken into lines.
fn widths(
    headings: &[String],
    columns: &[Vec<Vec<String>>],
    aligns: &[Align],
    line: usize,
) -> Vec<usize> {
    let longest =
        |cells: &[Vec<String>]| cells.iter().flatten().map(|part| length(part)).max().unwrap_or(0);
    let total = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * (widths.len() - 1);
    let content = columns.iter().map(|column| longest(column)).collect::<Vec<_>>();
    let together = |heading: fn(&str) -> usize| {
        let widths = content.iter().zip(headings).map(|(cell, text)| (*cell).max(heading(text)));
        widths.collect::<Vec<_>>()
    };
    let mut widths = together(length);
    if total(&widths) > line {
        widths = together(|text| text.split(' ').map(length).max().unwrap_or(0));
    }
    let floor = columns.iter().zip(aligns).map(|(column, align)| {
        // Only texts can be broken, and no number is.
        let has_words =
            || column.iter().flatten().any(|part| part.contains(|c: char| c.is_alphabetic()));
        let breakable = *align == Align::Left || has_words();
        if breakable { line.div_ceil(NARROWEST) } else { usize::MAX }
    });
    let floor = floor.collect::<Vec<_>>();
    while total(&widths) > line {
        let breakable = (0..widths.len()).filter(|&i| widths[i] > floor[i]);
        // The last of the widest, so that it does not depend on chance.
        let Some(widest) = breakable.max_by_key(|&i| widths[i]) else { break };
        widths[widest] -= 1;
    }
    widths
}

fn push_row(text: &mut String, cells: &[Vec<String>], widths: &[usize], aligns: &[Align]) {
    let height = cells.iter().map(Vec::len).max().unwrap_or(1);
    for i in 0..height {
        let mut line = String::new();
        for ((cell, &width), align) in cells.iter().zip(widths).zip(aligns) {
            let part = cell.get(i).map_or("", String::as_str);
            match align {
                Align::Left => line.push_str(&format!("{part:<width$}")),
                Align::Right => line.push_str(&format!("{part:>width$}")),
            }
            line.push_str(&" ".repeat(GAP));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// A heading in lines: its unit, "(%)", is not torn apart.
fn words(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(broken(word, width)),
        }
    }
    lines
}

fn broken(text: &str, width: usize) -> Vec<String> {
    lines::broken(text, width as f64, |_| 1.0)
}

fn length(text: &str) -> usize {
    text.chars().count()
}
