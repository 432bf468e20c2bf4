//! The command of an engine within the text of a player: `engine:"python3 mine.py"@1s`.
//!
//! The command is written in double quotes, in which `\"` is a quote and `\\` a backslash; a
//! command without blanks, quotes, brackets and `@` needs none. It is split into words at blanks; a
//! word that contains blanks or quotes, or is empty, is put in single or double quotes of its own.
//! No shell is involved.

use std::borrow::Cow;

use crate::error::{Complaint, shorten};

const FORM: &str = "engine:\"COMMAND ARGUMENTS\", such as engine:\"python3 mine.py\"@1s";

/// The text without the command, and the words of the command.
pub(super) fn take_command(text: &str) -> Result<(Cow<'_, str>, Vec<String>), Complaint> {
    let colon = text.find([':', '@']).filter(|&at| text[at..].starts_with(':'));
    let colon = colon.ok_or_else(|| Complaint::new("the engine has no command", FORM))?;
    let (head, written) = (&text[..colon], text[colon + 1..].trim_start());
    let (command, behind) = match written.strip_prefix('"') {
        Some(quoted) => {
            let (command, behind) = unquote(quoted)
                .ok_or_else(|| Complaint::new("the quotes of the command are not closed", FORM))?;
            (Cow::Owned(command), behind)
        }
        None => {
            let (command, behind) = written.split_at(written.find('@').unwrap_or(written.len()));
            let command = command.trim_end();
            if command.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(')) {
                let problem = format!("the command {:?} needs quotes", shorten(command));
                return Err(Complaint::new(problem, FORM));
            }
            (Cow::Borrowed(command), behind)
        }
    };
    let behind = behind.trim();
    if !behind.is_empty() && !behind.starts_with('@') {
        let problem = format!("{:?} follows the command", shorten(behind));
        return Err(Complaint::new(problem, FORM));
    }
    Ok((Cow::Owned(format!("{head}{behind}")), split_words(&command)?))
}

/// The text up to the closing quote, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.as_str().chars().next()) {
            ('"', _) => return Some((inside, rest.as_str())),
            ('\\', Some(escaped @ ('"' | '\\'))) => {
                inside.push(escaped);
                rest.next();
            }
            _ => inside.push(c),
        }
    }
    None
}

/// The words of a command.
fn split_words(command: &str) -> Result<Vec<String>, Complaint> {
    // Texts of players are printed on lines of logs and tables.
    if command.contains(char::is_control) {
        let problem = format!("the command {:?} has a control character", shorten(command));
        return Err(Complaint::new(problem, "text on one line"));
    }
    let open = || {
        let problem = format!("a quote in the command {:?} is not closed", shorten(command));
        Complaint::new(problem, "quotes in pairs")
    };
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while !rest.is_empty() {
        let mut word = String::new();
        while let Some(c) = rest.chars().next().filter(|c| !c.is_whitespace()) {
            rest = &rest[c.len_utf8()..];
            match c {
                '"' => {
                    let (inside, behind) = unquote(rest).ok_or_else(open)?;
                    word.push_str(&inside);
                    rest = behind;
                }
                '\'' => {
                    let (inside, behind) = rest.split_once('\'').ok_or_else(open)?;
                    word.push_str(inside);
                    rest = behind;
                }
                _ => word.push(c),
            }
        }
        words.push(word);
        rest = rest.trim_start();
    }
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(Complaint::new("the command is empty", FORM)),
    }
}

/// A command as the text of a player has it.
pub(super) fn quote(command: &[String]) -> String {
    let words: Vec<Cow<'_, str>> = command.iter().map(|word| quote_word(word)).collect();
    in_double_quotes(&words.join(" "))
}

fn quote_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'');
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else if word.contains('\'') {
        Cow::Owned(in_double_quotes(word))
    } else {
        Cow::Owned(format!("'{word}'"))
    }
}

fn in_double_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
