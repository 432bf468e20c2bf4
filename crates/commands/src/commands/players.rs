//! `treegraft players`: who can play.

use treegraft_players::{LabelInfo, OptionInfo};

use crate::prelude::*;

/// List the players with their options and the papers they come from
///
/// A player is written LABEL(option,option=value)@BUDGET. Options that are not given keep their
/// defaults; the budget limits what a move may cost, and limits can be combined: 1s, 250ms,
/// 1000it (iterations), 2500nodes, 1e6evals, 8plies (of iterative deepening), 64MiB. A limit that the
/// player never spends is refused. Without a budget a move takes a second.
///
/// A program of your own plays as engine:"COMMAND ARGUMENTS"@BUDGET, if it speaks the protocol of
/// docs/engine-protocol.md, as engine:uci:"…" if it speaks UCI and as engine:gtp:"…" if it speaks GTP
/// (docs/protocols.md). No shell reads the command; put words with blanks in 'quotes'. An
/// engine that crashes, stalls or plays an illegal move loses the game.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft players
  treegraft players mcts-solver
  treegraft players --json

Players (most shells want quotes around brackets):
  mcts-solver@1000it
  'ab(depth=6,killers=false)'
  'mtd(f)@1s,64MiB'
  'engine:\"python3 examples/engines/random_connect4.py\"@100it'
  'engine:uci:\"fairy-stockfish\"@100ms'
  'engine:gtp:\"gtp-rhino -l 3\"'")]
pub(crate) struct Players {
    /// The label to explain; a complete player works too
    label: Option<String>,

    /// Print JSON: an array with an object for every label
    #[arg(long)]
    json: bool,
}

impl Players {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let mut labels = registry.players();
        if let Some(text) = &self.label {
            let label = label_of(text.trim());
            let is_listed = labels.iter().any(|info| info.label == label);
            // A label may have other spellings: the canonical one is listed. One that is listed
            // need not be a whole player: an engine has a command.
            let canonical = match is_listed && label == text.trim() {
                true => label.to_owned(),
                false => label_of(&registry.player(text)?.to_string()).to_owned(),
            };
            let wanted = if is_listed { label } else { &canonical };
            labels.retain(|info| is_or_numbers(wanted, info.label));
        }
        if self.json {
            return Ok(Output::json("treegraft.player/1", &labels));
        }
        Ok(Output::text(match &self.label {
            None => list(&labels),
            Some(_) => labels.iter().map(detailed).collect(),
        }))
    }
}

fn label_of(player: &str) -> &str {
    player.split(['(', ':', '@']).next().unwrap_or_default().trim()
}

/// Whether this is the label itself, or the label with numbers after it: `mcts-mr-2` is `mcts-mr`.
fn is_or_numbers(wanted: &str, label: &str) -> bool {
    let Some(rest) = wanted.strip_prefix(label) else { return false };
    let number = rest.strip_prefix('-');
    rest.is_empty() || number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// All labels; those with the same options in groups, the options once for each group.
fn list(labels: &[LabelInfo]) -> String {
    let mut text = String::new();
    for group in labels.chunk_by(are_related) {
        for info in group {
            let mut lines = vec![("", wrap(info.about)), ("", wrap(info.source))];
            let own = info.options.iter().filter(|option| !is_shared(group, option));
            let own: Vec<String> =
                own.map(|option| format!("{}={}", option.name, option.default)).collect();
            if !own.is_empty() {
                lines.push(("", wrap(&format!("default: {}", own.join(", ")))));
            }
            lines.retain(|(_, line)| !line.is_empty());
            text.push_str(&format!("{}\n{}\n", info.label, labelled(&lines)));
        }
        let Some(all) = group.iter().max_by_key(|info| info.options.len()) else { continue };
        if all.options.is_empty() {
            continue;
        }
        let labels: Vec<&str> = group.iter().map(|info| info.label).collect();
        text.push_str(&format!("options of {}\n", labels.join(", ")));
        let line = |option: &OptionInfo| {
            let have_it: Vec<&str> =
                group.iter().filter(|info| has(info, option)).map(|info| info.label).collect();
            let mut text = describe(option, is_shared(group, option));
            if have_it.len() < group.len() {
                text.push_str(&format!("\n{} only", have_it.join(", ")));
            }
            text
        };
        let lines: Vec<(&str, String)> =
            all.options.iter().map(|option| (option.name, line(option))).collect();
        text.push_str(&indented(&labelled(&lines)));
        text.push('\n');
    }
    text + "`treegraft players LABEL` explains one of them, `treegraft players --help` how to\n\
            write them with options and budgets."
}

fn detailed(info: &LabelInfo) -> String {
    let mut lines = vec![
        ("player", info.label.to_owned()),
        ("plays", wrap(info.about)),
        ("paper", wrap(info.source)),
        ("limits", info.limits.join(", ")),
    ];
    lines.retain(|(_, line)| !line.is_empty());
    let options: Vec<(&str, String)> =
        info.options.iter().map(|option| (option.name, describe(option, true))).collect();
    let options = match options.as_slice() {
        [] => "no options\n".to_owned(),
        options => format!("options\n{}", indented(&labelled(options))),
    };
    format!("{}\n{options}", labelled(&lines))
}

/// Whether two labels have the same options, but for some that one of them has in addition.
fn are_related(a: &LabelInfo, b: &LabelInfo) -> bool {
    let all_in = |a: &LabelInfo, b: &LabelInfo| {
        !a.options.is_empty() && a.options.iter().all(|option| has(b, option))
    };
    all_in(a, b) || all_in(b, a)
}

fn has(info: &LabelInfo, option: &OptionInfo) -> bool {
    info.options.iter().any(|other| (other.name, other.meaning) == (option.name, option.meaning))
}

/// Whether all labels of a group have the same default.
fn is_shared(group: &[LabelInfo], option: &OptionInfo) -> bool {
    let mut all = group.iter().flat_map(|info| &info.options);
    all.all(|other| other.name != option.name || other.default == option.default)
}

fn describe(option: &OptionInfo, is_shared: bool) -> String {
    let OptionInfo { values, default, meaning, source, .. } = option;
    let default = if is_shared { default } else { "as above" };
    let mut text = wrap(meaning);
    text.push('\n');
    text.push_str(&wrap(&format!("{values}; default {default}")));
    if !source.is_empty() {
        text.push('\n');
        text.push_str(&wrap(source));
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
