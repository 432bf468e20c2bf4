//! Random texts of players, for tests.

use proptest::prelude::*;

use super::super::command::quote;
use super::super::labels::{LABELS, Label};

/// A random value for every option of a label, as text.
fn any_options(label: &Label) -> BoxedStrategy<String> {
    use super::super::values::Kind;
    let items: Vec<BoxedStrategy<String>> = label
        .family
        .options()
        .into_iter()
        .map(|option| {
            let value = match option.values.kind() {
                Kind::Flag => any::<bool>().prop_map(|b| b.to_string()).boxed(),
                Kind::Whole { min, max } => (min..=max).prop_map(|n| n.to_string()).boxed(),
                Kind::Number { min, max } => (min..=max).prop_map(|x: f64| x.to_string()).boxed(),
                Kind::Pair { min, max, .. } => {
                    let both = (min.0..=max.0, min.1..=max.1);
                    both.prop_map(|(first, second)| format!("{first}:{second}")).boxed()
                }
                Kind::Time { .. } => (1u32..86_400_000).prop_map(|ms| format!("{ms}ms")).boxed(),
                Kind::Words(words) => prop::sample::select(words).prop_map(str::to_owned).boxed(),
                Kind::Name => "[a-zA-Z0-9_.-]{1,40}".boxed(),
                Kind::Names => "[a-z][a-zA-Z0-9_.-]{1,9}(\\+[A-Z][a-zA-Z0-9_.-]{1,9})?".boxed(),
            };
            // Where other words would do, they might not go with other options.
            let words = option.values.special_words();
            let value = if words.contains(&"best") {
                prop_oneof![prop::sample::select(words).prop_map(str::to_owned), value].boxed()
            } else {
                value
            };
            let name = option.name;
            value.prop_map(move |value| format!("{name}={value}")).boxed()
        })
        .collect();
    let label = label.name;
    (items, any::<u64>(), prop::option::of(any_budget()))
        .prop_map(move |(items, mask, budget)| {
            let given = items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
            let mut given: Vec<&str> = given.map(|(_, item)| item.as_str()).collect();
            let is_mixed = label.starts_with("mcts-ab") || given.iter().any(|it| is(it, &["p"]));
            let unfit: &[&str] = if is_mixed { WITHOUT_P } else { WITH_P };
            given.retain(|item| !is(item, unfit));
            // What needs another option, if that is not there.
            for &(parts, whole) in PARTS {
                if !given.iter().any(|item| is(item, whole)) {
                    given.retain(|item| !is(item, parts));
                }
            }
            // A strategy switch leaves little to other options, so few texts have one.
            if given.iter().any(|item| is(item, &["switch"])) && mask >> 61 == 0 {
                given.retain(|item| !is(item, WITHOUT_SWITCH));
            } else {
                given.retain(|item| !item.starts_with("switch"));
            }
            // Of options that exclude one another, the first.
            for rivals in [&["im", "cb", "hb"][..], &["ip", "np"], &["mast", "ir"], &["mast", "mr"]]
            {
                let mut is_first = true;
                given.retain(|item| !is(item, rivals) || std::mem::take(&mut is_first));
            }
            // Of a depth-first search, little is left out: its options seldom exclude one another.
            if given.iter().any(|item| *item == "scores=margin" || *item == "deepening=false") {
                given.retain(|item| !is(item, BY_OUTCOME));
            }
            if !given.contains(&"table=true") && given.iter().any(|item| is(item, &["etc"])) {
                given.retain(|item| !is(item, &["table", "etc"]));
            }
            let budget = budget.map_or_else(String::new, |budget| format!("@{budget}"));
            format!("{label}({}){budget}", given.join(","))
        })
        .boxed()
}

/// Options, and those of which they need one.
const PARTS: &[(&[&str], &[&str])] = &[
    (&["rave-bias", "rave-untried"], &["rave", "grave"]),
    (&["im-by", "im-rate"], &["im"]),
    (&["im-rate"], &["im-by"]),
    (&["mr-tree"], &["mr"]),
    (&["ir-depth", "ties"], &["ir", "switch"]),
    (&["ic-depth"], &["ic"]),
    (&["ip-depth"], &["ip"]),
    (&["det-every"], &["det"]),
    (&["slope"], &["ic", "ip", "det", "im", "cb", "hb", "p"]),
    (&["embed-k", "embed-order"], &["mr", "ms", "mb"]),
];

/// Options that depth-first searches have only for outcomes, or only with deepening.
const BY_OUTCOME: &[&str] = &[
    "glance",
    "ending",
    "threats",
    "quiescence",
    "futility",
    "reverse-futility",
    "razoring",
    "leap",
    "aspiration",
];

/// Options that rollouts have only without p.
const WITHOUT_P: &[&str] =
    &["expand", "reuse", "im", "cb", "hb", "pb", "playout-from", "rave", "grave", "mast", "switch"];

/// Options that rollouts have only if no bandit chooses how playouts are made.
const WITHOUT_SWITCH: &[&str] = &["playouts", "ir", "ic", "det", "mr", "mr-tree", "mast"];

/// Options that rollouts have only with p, but for those that others have, too.
const WITH_P: &[&str] = &[
    "choose",
    "w",
    "f",
    "redraw-ties",
    "l",
    "root-bonus",
    "root-from",
    "update-next",
    "values",
    "score",
    "count",
];

fn is(item: &str, names: &[&str]) -> bool {
    names.contains(&item.split('=').next().unwrap_or_default())
}

fn any_budget() -> impl Strategy<Value = String> {
    const UNITS: &[&str] = &["it", "nodes", "evals", "s", "ms", "min", "KiB", "MiB", "B"];
    let part = (1u64..1 << 40, prop::sample::select(UNITS));
    prop::collection::vec(part, 1..3).prop_map(|parts| {
        let parts: Vec<String> = parts.iter().map(|(n, unit)| format!("{n}{unit}")).collect();
        parts.join(",")
    })
}

/// Texts in the right form, most of which are players.
pub(super) fn any_text() -> impl Strategy<Value = String> {
    let each = LABELS.iter().map(|label| {
        let text = any_options(label);
        if label.takes_command { with_command(text) } else { text }
    });
    prop::strategy::Union::new(each)
}

/// The text of an engine, from that of its label and options.
fn with_command(text: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let protocol = prop::sample::select(&["", "tgp:", "uci:", "uci: ", "gtp:"][..]);
    let set = prop::sample::select(&["", "option.Skill Level=-3", "option.a=b=c"][..]);
    (text, protocol, set, any_command())
        .prop_map(|(text, protocol, set, command)| {
            let text = match set {
                "" => text,
                set => text.replacen(')', &format!(",{set})"), 1).replacen("(,", "(", 1),
            };
            let at = text.find('@').unwrap_or(text.len());
            format!("{}:{protocol}{}{}", &text[..at], quote(&command), &text[at..])
        })
        .boxed()
}

/// Words with everything in them that means something somewhere.
pub(super) fn any_command() -> impl Strategy<Value = Vec<String>> {
    let word = || prop_oneof!["[a-z/.@=-]{1,8}", "[ab\"'\\\\ @(),:é🦁]{1,6}", "[^\\p{Cc}]{1,6}"];
    let argument = prop_oneof![9 => word(), 1 => Just(String::new())];
    (word(), prop::collection::vec(argument, 0..4))
        .prop_map(|(program, arguments)| [vec![program], arguments].concat())
}

/// The same with a few characters changed, cut or doubled.
pub(super) fn nearly_right() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<char>());
    (any_text(), prop::collection::vec(edit, 1..4)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, c) in edits {
            if chars.is_empty() {
                break;
            }
            let at = at.index(chars.len());
            match kind {
                0 => chars[at] = c,
                1 => drop(chars.remove(at)),
                2 => chars.insert(at, chars[at]),
                _ => chars.truncate(at),
            }
        }
        chars.into_iter().collect()
    })
}
