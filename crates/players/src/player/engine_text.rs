//! What the text of an engine says beside its command: options of the program, and limits that its
//! protocol can express.

use treegraft::{Budget, Limit};

use super::family::{Options, Preset, Written};
use super::labels::Label;
use super::{EngineOptions, Protocol, Search};
use crate::error::{Complaint, shorten};

/// What an item begins with that is an option of the program, not of the player.
const PREFIX: &str = "option.";

/// Names and values of options.
type Set = Vec<(String, String)>;

impl Options for EngineOptions {
    fn search(self) -> Search {
        Search::Engine(self)
    }

    fn read(
        label: &Label,
        preset: &Preset<EngineOptions>,
        items: &[&str],
    ) -> Result<EngineOptions, Complaint> {
        let (items, set) = take_set(items)?;
        Ok(EngineOptions { set, ..preset.read_items(label, &items)? })
    }

    fn write(&self, label: &Label, preset: &Preset<EngineOptions>) -> Option<Written> {
        let EngineOptions { protocol, command, set, .. } = self.clone();
        let default = EngineOptions { protocol, command, set, ..preset.default() };
        let mut written = preset.write_items(label, &default, self);
        written.items.extend(set_items(self));
        Some(written)
    }
}

/// Takes the options of the program out of the items; the rest are the player's own.
fn take_set<'a>(items: &[&'a str]) -> Result<(Vec<&'a str>, Set), Complaint> {
    const FORM: &str = "option.NAME=VALUE, such as option.Threads=1";
    let (mut own, mut set) = (Vec::new(), Set::new());
    for &item in items {
        let Some(option) = item.strip_prefix(PREFIX) else {
            own.push(item);
            continue;
        };
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let (name, value) = (name.trim(), value.trim());
        let wrong =
            |problem: &str| Err(Complaint::new(format!("{:?} {problem}", shorten(item)), FORM));
        if name.is_empty() || value.is_empty() {
            return wrong("lacks a name or a value");
        }
        // Texts of players are printed on lines of logs and tables.
        if item.contains(char::is_control) {
            return wrong("has a control character");
        }
        if set.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return wrong("is given twice");
        }
        set.push((name.to_owned(), value.to_owned()));
    }
    Ok((own, set))
}

/// The items that [`take_set`] reads.
fn set_items(options: &EngineOptions) -> impl Iterator<Item = String> + '_ {
    options.set.iter().map(|(name, value)| format!("{PREFIX}{name}={value}"))
}

/// Refuses what the protocol cannot send to a program.
pub(super) fn check_engine(options: &EngineOptions, budget: &Budget) -> Result<(), Complaint> {
    let protocol = options.protocol.name().to_uppercase();
    if let (Some((name, _)), true) = (options.set.first(), options.protocol != Protocol::Uci) {
        let problem = format!("option.{} is an option of UCI, not of {protocol}", shorten(name));
        return Err(Complaint::new(problem, "engine(option.NAME=VALUE):uci:\"COMMAND\""));
    }
    let (refused, expected): (&[Limit], &str) = match options.protocol {
        Protocol::Tgp => (&[], ""),
        Protocol::Uci => {
            let expected = "a time, nodes, a depth (@8plies) or memory (its hash table)";
            (&[Limit::Iterations, Limit::Evaluations], expected)
        }
        Protocol::Gtp => (
            &[Limit::Iterations, Limit::Nodes, Limit::Evaluations, Limit::Plies, Limit::Memory],
            "whole seconds, such as @2s, or no budget: then the engine uses its own time",
        ),
    };
    if let Some(limit) = refused.iter().find(|&&limit| budget.has(limit)) {
        return Err(Complaint::new(
            format!("{protocol} has no limit on {}", limit.name()),
            expected,
        ));
    }
    match budget.time {
        Some(time) if options.protocol == Protocol::Gtp && time.subsec_nanos() != 0 => {
            let problem = format!("GTP has no limit of {}", Budget::time(time));
            Err(Complaint::new(problem, expected))
        }
        _ => Ok(()),
    }
}
