//! The command of an engine within the text of a player: `engine:"python3 mine.py"@1s`, with the
//! protocol before it if it is another one: `engine:uci:"fairy-stockfish"@1s`.
//!
//! The command is written in double quotes, in which `\"` is a quote and `\\` a backslash; a
//! command without blanks, quotes, brackets and `@` needs none. It is split into words at blanks; a
//! word that contains blanks or quotes, or is empty, is put in single or double quotes of its own.
//! No shell is involved.

use std::borrow::Cow;

use super::Protocol;
use crate::error::{Complaint, shorten};

const FORM: &str = "engine:\"COMMAND ARGUMENTS\", engine:uci:\"…\" or engine:gtp:\"…\", such as \
                    engine:\"python3 mine.py\"@1s";

/// The text without protocol and command, the protocol, and the words of the command.
pub(super) fn take_command(text: &str) -> Result<(Cow<'_, str>, Protocol, Vec<String>), Complaint> {
    let colon = text.find([':', '@']).filter(|&at| text[at..].starts_with(':'));
    let colon = colon.ok_or_else(|| Complaint::new("the engine has no command", FORM))?;
    let (head, written) = (&text[..colon], text[colon + 1..].trim_start());
    let (protocol, written) = take_protocol(written)?;
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
    Ok((Cow::Owned(format!("{head}{behind}")), protocol, split_words(&command)?))
}

/// The protocol that is named before the command, and the rest.
fn take_protocol(written: &str) -> Result<(Protocol, &str), Complaint> {
    let word = &written[..written.find([':', '@']).unwrap_or(written.len())];
    let Some(protocol) = Protocol::ALL.into_iter().find(|known| known.name() == word.trim_end())
    else {
        return Ok((Protocol::Tgp, written));
    };
    match written[word.len()..].strip_prefix(':') {
        Some(rest) => Ok((protocol, rest.trim_start())),
        None => {
            let problem = format!("no command follows the protocol {}", protocol.name());
            Err(Complaint::new(problem, FORM))
        }
    }
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
