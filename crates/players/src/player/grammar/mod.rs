//! From text to players and back.

use std::borrow::Cow;
use std::fmt;

use treegraft::rollout::{self, Informed, MrTree, Solver};
use treegraft::{Budget, Constants};

use super::command::{quote, take_command};
use super::engine_text::{check_engine, set_items, take_set};
use super::labels::{Family, LABELS, Label, without_ignored};
use super::lanctot_options::without_aliases;
use super::options::{Opt, OptionTable};
use super::{
    DepthFirstOptions, EngineOptions, Eval, Player, Protocol, RolloutOptions, Search, Setting,
};
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
    let (text, protocol, command) = match label.family {
        Family::Engine(..) => take_command(text)?,
        _ => (Cow::Borrowed(text), Protocol::Tgp, Vec::new()),
    };
    let (mut items, budget) = split_text(&text, name)?;
    items.splice(0..0, numbered.as_deref());
    let mut search = read_search(label, &items)?;
    if let Search::Engine(engine) = &mut search {
        engine.protocol = protocol;
        engine.command = command;
        check_engine(engine, &budget)?;
    }
    check(&search)?;
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
const VISIT: &str = "-visit-";

fn parse_budget(text: &str) -> Result<Budget, Complaint> {
    const EXPECTED: &str = "limits such as 1000it, 2500nodes, 1e6evals, 1s, 250ms, 64MiB, joined \
                            by commas";
    text.parse().map_err(|treegraft::BudgetError { problem, .. }| {
        Complaint::new(format!("budget {:?}: {problem}", shorten(text)), EXPECTED)
    })
}

fn read_search(label: &Label, items: &[&str]) -> Result<Search, Complaint> {
    Ok(match &label.family {
        Family::Random => {
            read(label, &[], (), items)?;
            Search::Random
        }
        Family::Greedy(table, make) => Search::Greedy(read(label, table, make(), items)?),
        Family::Rollout(table, make) => {
            let items = without_aliases(items);
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            let mut options = read(label, table, make(), &items)?;
            let says = |name| items.iter().any(|item| item.starts_with(name));
            let asks_proof = says("mr-tree") && mr_proves(&options);
            if options.config.solver == Solver::Off && (asks_proof || proves(&options)) {
                match says("solver") {
                    // Whether ms and mb go with it, the library knows.
                    true if asks_proof => return Err(rollout::Config::lacks_solver().into()),
                    true => {}
                    false => options.config.solver = Solver::Wins,
                }
            }
            Search::Rollout(options)
        }
        Family::DepthFirst(table, make) => Search::DepthFirst(read(label, table, make(), items)?),
        Family::Prove(table, make) => Search::Prove(read(label, table, make(), items)?),
        Family::Best(table, make) => Search::Best(read(label, table, make(), items)?),
        Family::Engine(table, make) => {
            let (items, set) = take_set(items)?;
            Search::Engine(read(label, table, EngineOptions { set, ..make() }, &items)?)
        }
    })
}

/// Whether it embeds searches that need a solver.
fn proves(options: &RolloutOptions) -> bool {
    options.ms != Setting::Off || options.mb != Setting::Off
}

/// Whether MR proves leaves if there is a solver; without one it still plays.
fn mr_proves(options: &RolloutOptions) -> bool {
    options.mr != Setting::Off && options.config.embed.mr_tree == MrTree::Prove
}

/// The label's options, changed as the items say.
fn read<T>(
    label: &Label,
    table: OptionTable<T>,
    mut options: T,
    items: &[&str],
) -> Result<T, Complaint> {
    let known: Vec<&Opt<T>> = table.iter().copied().flatten().collect();
    let mut seen = Vec::new();
    for &item in items {
        let (name, value) = split_item(item);
        let named = known.iter().find(|option| option.name == name);
        let by_word =
            || known.iter().find(|option| value.is_none() && option.values.has_word(name));
        let (option, value) = match (named, by_word()) {
            (Some(option), _) => (option, value),
            (None, Some(option)) => (option, Some(name)),
            (None, None) => return Err(unknown_option(label, &known, name)),
        };
        if seen.contains(&option.name) {
            return Err(Complaint::twice(option.name));
        }
        seen.push(option.name);
        option.read(&mut options, value)?;
    }
    Ok(options)
}

fn unknown_option<T>(label: &Label, options: &[&Opt<T>], name: &str) -> Complaint {
    if name.is_empty() {
        return Complaint::new("an option is empty", "options separated by single commas");
    }
    if options.is_empty() {
        let problem = format!("{} has no option {:?}", label.name, shorten(name));
        return Complaint::new(problem, format!("{} without options", label.name));
    }
    let names = options.iter().map(|option| option.name);
    let words =
        options.iter().flat_map(|option| option.values.words_without_name().iter().copied());
    let possible: Vec<&str> = names.chain(words).collect();
    Complaint::unknown(&format!("{} has no option", label.name), name, &possible)
}

/// Refuses combinations that make no sense. What a configuration cannot even say is refused here, the rest
/// by the library.
fn check(search: &Search) -> Result<(), Complaint> {
    match search {
        Search::Greedy(options) if options.eval == Eval::Nothing => {
            let expected = "the name of an evaluation: greedy needs one";
            Err(Complaint::new("eval is \"none\"", expected))
        }
        Search::Rollout(options) => {
            check_parts(options)?;
            let config = options.config_for(&Constants::USUAL);
            config.check()?;
            Ok(config.check_evaluation(options.eval != Eval::Nothing)?)
        }
        Search::DepthFirst(DepthFirstOptions { config, eval }) => {
            config.check()?;
            Ok(config.check_evaluation(*eval != Eval::Nothing)?)
        }
        Search::Prove(options) => Ok(options.config.check()?),
        Search::Random
        | Search::Greedy(_)
        | Search::Best(_)
        | Search::Engine(_)
        | Search::Own(_) => Ok(()),
    }
}

/// Refuses options that say more about another one that is off, and options that share a place.
fn check_parts(options: &RolloutOptions) -> Result<(), Complaint> {
    let usual = RolloutOptions::default();
    let switches = options.switch_b.is_some()
        || options.switch_keep
        || options.switch_band.is_some()
        || options.switch_sides;
    let mixtures = options.implicit().len();
    let parts = [
        (mixtures > 1, "more than one of im, cb and hb is given", "one of them"),
        (
            options.switch.is_none() && switches,
            "options of strategy switching are given, but switch is \"off\"",
            "switch=all, or switch with names of strategies",
        ),
        (
            mixtures == 0 && options.im_by != usual.im_by,
            "im-by says what the weight of im falls with, but im is \"off\"",
            "im",
        ),
        (
            options.im_by == usual.im_by && options.im_rate != usual.im_rate,
            "im-rate says how fast the weight of im falls, but im-by is \"nothing\"",
            "im-by=visits, depth or disagreement",
        ),
        (
            options.det.is_none() && options.det_every != usual.det_every,
            "det-every says when det looks, but det is \"off\"",
            "det",
        ),
        (
            options.rave().is_none() && (options.rave_bias.is_some() || options.rave_untried),
            "rave-bias and rave-untried say how AMAF values count, but rave and grave are \"off\"",
            "rave or grave",
        ),
        (
            options.p.is_none() && options.alpha_beta != usual.alpha_beta,
            "options of alpha-beta rollouts are given, but p is \"off\"",
            "p from 0 to 1, or mcts-ab",
        ),
    ];
    match parts.iter().find(|(is_broken, ..)| *is_broken) {
        Some(&(_, problem, expected)) => Err(Complaint::new(problem, expected)),
        None => Ok(()),
    }
}

/// The label that writes a search in the fewest words, and the words.
fn canonical(search: &Search) -> (&'static Label, Written) {
    let spelt = LABELS.iter().filter_map(|label| Some((label, write_search(label, search)?)));
    let best = spelt.rev().min_by_key(|(_, written)| (!written.exact, written.differences));
    best.unwrap_or((&LABELS[0], Written::default()))
}

/// A search in the words of one label.
#[derive(Default)]
struct Written {
    /// What follows the label.
    number: Option<String>,
    items: Vec<String>,
    /// How many options differ from the label's defaults.
    differences: usize,
    /// Whether the words say everything.
    exact: bool,
}

fn write_search(label: &Label, search: &Search) -> Option<Written> {
    match (&label.family, search) {
        (Family::Random, Search::Random) => Some(Written { exact: true, ..Written::default() }),
        (Family::Greedy(table, make), Search::Greedy(options)) => {
            Some(write_options(label, table, &make(), options))
        }
        (Family::Rollout(table, make), Search::Rollout(options)) => {
            let (default, mut options) = (make(), options.clone());
            if hybrids(&default) > 0 && hybrids(&options) > 1 {
                // A combination is not named after one of its parts.
                return None;
            }
            if default.p.is_some() && options.p.is_none() {
                return None;
            }
            options.config = without_ignored(options.config);
            Some(write_options(label, table, &default, &options))
        }
        (Family::DepthFirst(table, make), Search::DepthFirst(options)) => {
            Some(write_options(label, table, &make(), options))
        }
        (Family::Prove(table, make), Search::Prove(options))
            if make().config.method == options.config.method =>
        {
            Some(write_options(label, table, &make(), options))
        }
        (Family::Best(table, make), Search::Best(options)) => {
            Some(write_options(label, table, &make(), options))
        }
        (Family::Engine(table, make), Search::Engine(options)) => {
            let EngineOptions { protocol, command, set, .. } = options.clone();
            let default = EngineOptions { protocol, command, set, ..make() };
            let mut written = write_options(label, table, &default, options);
            written.items.extend(set_items(options));
            Some(written)
        }
        _ => None,
    }
}

/// How many of MR, MS, MB, IR, IC and IP it combines.
fn hybrids(options: &RolloutOptions) -> usize {
    let RolloutOptions { mr, ms, mb, .. } = options;
    let embedded = [*mr != Setting::Off, *ms != Setting::Off, *mb != Setting::Off];
    let Informed { ir, ic, ip, .. } = options.config.informed;
    let informed = [ir.is_some(), ic.is_some(), ip.is_some()];
    embedded.into_iter().chain(informed).filter(|&on| on).count()
}

fn write_options<T: Clone + PartialEq>(
    label: &Label,
    table: OptionTable<T>,
    default: &T,
    options: &T,
) -> Written {
    let mut written = Written { exact: true, ..Written::default() };
    let mut said = default.clone();
    for option in table.iter().copied().flatten() {
        let value = option.text(options);
        let differs = value != option.text(default);
        if differs && label.numbered == Some(option.name) && value != "off" {
            written.exact &= option.read(&mut said, Some(&value)).is_ok();
            written.differences += 1;
            written.number = Some(value.replacen(':', VISIT, 1));
            continue;
        }
        if differs && !option.values.is_always_written() {
            written.differences += 1;
        }
        if differs || option.values.is_always_written() {
            written.items.push(option.item(options));
            written.exact &= option.read(&mut said, Some(&value)).is_ok();
        }
    }
    written.exact &= said == *options;
    written
}

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod tests;
