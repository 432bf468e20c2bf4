//! From text to players and back.

use std::borrow::Cow;
use std::fmt;

use treegraft::Budget;

use super::command::{quote, take_command};
use super::engine_text::check_engine;
use super::family::Written;
use super::labels::{LABELS, Label};
use super::{Player, Protocol, Search};
use crate::error::{Complaint, shorten};

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = if let Search::Own(own) = &self.search {
            f.write_str(own.label)?;
            own.items.clone()
        } else {
            let (label, Written { number, items, .. }) = canonical(&self.search);
            f.write_str(label.name)?;
            if let Some(number) = number {
                write!(f, "-{number}")?;
            }
            items
        };
        if !items.is_empty() {
            write!(f, "({})", items.join(","))?;
        }
        if let Search::Engine(engine) = &self.search {
            if engine.protocol != Protocol::Tgp {
                write!(f, ":{}", engine.protocol.name())?;
            }
            write!(f, ":{}", quote(&engine.command))?;
        }
        if self.budget != Budget::default() {
            write!(f, "@{}", self.budget)?;
        }
        Ok(())
    }
}

/// The label that the text of a player begins with.
pub(crate) fn label_of(text: &str) -> &str {
    text.split(['(', ':', '@']).next().unwrap_or_default().trim()
}

/// The player that a text stands for; `own` are the labels beside the built-in ones.
pub(crate) fn parse(text: &str, own: &[&str]) -> Result<Player, Complaint> {
    let name = label_of(text);
    let (label, numbered) = find_label(name, own)?;
    // A command may contain anything, including the separators of other texts: it is taken out
    // first.
    let (text, protocol, command) = if label.takes_command {
        take_command(text)?
    } else {
        (Cow::Borrowed(text), Protocol::Tgp, Vec::new())
    };
    let (mut items, budget) = split_text(&text, name)?;
    items.splice(0..0, numbered.as_deref());
    let mut search = label.family.read(label, &items)?;
    if let Search::Engine(engine) = &mut search {
        engine.protocol = protocol;
        engine.command = command;
        check_engine(engine, &budget)?;
    }
    search.check()?;
    Ok(Player { search, budget })
}

/// The options one by one, and the budget, of a text that begins with the label `name`.
pub(crate) fn split_text<'a>(
    text: &'a str,
    name: &str,
) -> Result<(Vec<&'a str>, Budget), Complaint> {
    let (head, budget) = match text.split_once('@') {
        Some((head, budget)) => (head, parse_budget(budget.trim())?),
        None => (text, Budget::default()),
    };
    let (written, items) = split(head.trim())?;
    if written != name {
        let problem = format!("{:?} has a colon after its label", shorten(written));
        return Err(Complaint::new(problem, format!("{name} without a colon")));
    }
    Ok((items, budget))
}

/// The name of an option, and what follows `=`.
pub(crate) fn split_item(item: &str) -> (&str, Option<&str>) {
    match item.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (item, None),
    }
}

/// The label, and its options one by one.
fn split(head: &str) -> Result<(&str, Vec<&str>), Complaint> {
    const FORM: &str = "LABEL, LABEL(option,option=value) or LABEL@BUDGET, such as ab(k=10)@1s";
    let Some((name, rest)) = head.split_once('(') else { return Ok((head, Vec::new())) };
    let Some((inside, behind)) = rest.split_once(')') else {
        return Err(Complaint::new("the bracket is not closed", FORM));
    };
    if !behind.is_empty() {
        let problem = format!("{:?} follows the bracket", shorten(behind));
        return Err(Complaint::new(problem, FORM));
    }
    if inside.trim().is_empty() {
        return Ok((name.trim(), Vec::new()));
    }
    Ok((name.trim(), inside.split(',').map(str::trim).collect()))
}

/// The label, and the option that the numbers after it stand for: `mcts-ms-2-visit-1` is `mcts-ms`
/// with `ms=2:1`.
fn find_label(name: &str, own: &[&str]) -> Result<(&'static Label, Option<String>), Complaint> {
    let plain = || LABELS.iter().find(|label| label.is_called(name)).map(|label| (label, None));
    let numbered = |label: &'static Label| {
        let number = name.strip_prefix(label.name)?.strip_prefix('-')?;
        let item = format!("{}={}", label.numbered?, number.replacen(VISIT, ":", 1));
        number.starts_with(|c: char| c.is_ascii_digit()).then_some((label, Some(item)))
    };
    plain().or_else(|| LABELS.iter().find_map(numbered)).ok_or_else(|| {
        let built_in = LABELS.iter().map(|label| label.name);
        let names: Vec<&str> = built_in.chain(own.iter().copied()).collect();
        Complaint::unknown("there is no player", name, &names)
    })
}

/// Whether a name is a built-in label, with or without a number after it.
pub(crate) fn is_label(name: &str) -> bool {
    find_label(name, &[]).is_ok()
}

/// What separates depth and visits after a label.
pub(super) const VISIT: &str = "-visit-";

fn parse_budget(text: &str) -> Result<Budget, Complaint> {
    const EXPECTED: &str = "limits such as 1000it, 2500nodes, 1e6evals, 1s, 250ms, 64MiB, joined \
                            by commas";
    text.parse().map_err(|treegraft::BudgetError { problem, .. }| {
        Complaint::new(format!("budget {:?}: {problem}", shorten(text)), EXPECTED)
    })
}

/// The label that writes a search in the fewest words, and the words.
fn canonical(search: &Search) -> (&'static Label, Written) {
    let spelt = |label: &'static Label| Some((label, label.family.write(label, search)?));
    let all = LABELS.iter().rev().filter_map(spelt);
    let best = all.min_by_key(|(_, written)| (!written.exact, written.differences));
    best.expect("a label for every search that nobody registered")
}

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod tests;
