//! Tables in LaTeX: a `tabular` that needs the package booktabs, to be `\input` where the paper has
//! its own caption.

use super::{Align, Table, clean};

pub(super) fn render(table: &Table) -> String {
    let mut text = String::new();
    // Comments are not read, but must not break out of their line.
    for comment in std::iter::once(&table.title).chain(&table.notes).filter(|c| !c.is_empty()) {
        text.push_str(&format!("% {}\n", clean(comment)));
    }
    if table.columns.is_empty() {
        return text;
    }
    let letter = |align| if align == Align::Left { 'l' } else { 'r' };
    let letters = table.columns.iter().map(|column| letter(column.align)).collect::<String>();
    text.push_str(&format!("\\begin{{tabular}}{{@{{}}{letters}@{{}}}}\n\\toprule\n"));
    line(&mut text, table.columns.iter().map(|column| escape(&column.heading())));
    text.push_str("\\midrule\n");
    for row in &table.rows {
        line(&mut text, table.pieces(row).map(|cell| cell.write(escape, number, "$\\pm$")));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push_str(&cells.collect::<Vec<_>>().join(" & "));
    text.push_str(" \\\\\n");
}

/// A number with signs that are not hyphens.
fn number(text: &str) -> String {
    match text {
        "-" => "--".to_owned(),
        text => {
            let signs = [("-", "$-$"), ("+", "$+$"), ("∞", "$\\infty$"), ("<", "$<$"), ("$$", "")];
            signs.iter().fold(text.to_owned(), |text, (sign, latex)| text.replace(sign, latex))
        }
    }
}

/// The text with LaTeX's special characters escaped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut previous = ' ';
    for character in clean(text).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // After the end of a row these would be options of the line break.
            '[' | ']' | '*' => escaped.push_str(&format!("{{{character}}}")),
            // Two of them would become one dash or quotation mark.
            '-' | '`' | '\'' | ',' if previous == character => {
                escaped.push_str(&format!("{{}}{character}"));
            }
            '–' => escaped.push_str("--"),
            '—' => escaped.push_str("---"),
            '−' => escaped.push_str("$-$"),
            '±' => escaped.push_str("$\\pm$"),
            '∞' => escaped.push_str("$\\infty$"),
            '×' => escaped.push_str("$\\times$"),
            '·' => escaped.push_str("$\\cdot$"),
            '≤' => escaped.push_str("$\\leq$"),
            '≥' => escaped.push_str("$\\geq$"),
            '→' => escaped.push_str("$\\to$"),
            '½' => escaped.push_str("$\\frac12$"),
            '…' => escaped.push_str("\\ldots{}"),
            _ => escaped.push(character),
        }
        previous = character;
    }
    escaped
}
