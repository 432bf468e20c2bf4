//! Tables in GitHub's Markdown.

use super::{Align, Table, clean};

pub(super) fn render(table: &Table) -> String {
    let mut text = String::new();
    if !table.title.is_empty() {
        // A blank inside would end nothing and begin nothing.
        text.push_str(&format!("**{}**\n\n", escape(&table.title).trim()));
    }
    if !table.columns.is_empty() {
        line(&mut text, table.columns.iter().map(|column| escape(&column.heading())));
        let rule = |align| if align == Align::Left { ":---" } else { "---:" };
        line(&mut text, table.columns.iter().map(|column| rule(column.align).to_owned()));
    }
    for row in &table.rows {
        line(&mut text, table.pieces(row).map(|cell| cell.write(escape, escape, "±")));
    }
    for note in &table.notes {
        text.push_str(&format!("\n{}\n", paragraph(note)));
    }
    text
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push('|');
    for cell in cells {
        text.push_str(&format!(" {cell} |"));
    }
    text.push('\n');
}

/// The text as a paragraph: what begins it must not make it a list or a heading.
fn paragraph(text: &str) -> String {
    let escaped = escape(text.trim_start());
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    if escaped.starts_with(['-', '+', '=']) {
        format!("\\{escaped}")
    } else if digits > 0 && escaped[digits..].starts_with(['.', ')']) {
        format!("{}\\{}", &escaped[..digits], &escaped[digits..])
    } else {
        escaped
    }
}

/// The text with Markdown's special characters escaped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in clean(text).chars() {
        if matches!(
            character,
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '&' | '~' | '$' | '#'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
