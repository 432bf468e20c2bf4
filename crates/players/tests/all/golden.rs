//! Golden trees: what every search has in mind after a small seeded search, as JSON that people read.
//!
//! A file of `testdata/golden/` holds one player. `cargo xtask golden --write` writes all of them again.

use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use treegraft::rollout::Channel;
use treegraft::{Bounds, Budget, Game, Notation, Outcome, Playthrough, Report, Request, TreeNode};
use treegraft_players::{Board, MoveIndex, Registry};

use crate::common::{player, start};

/// Middle games with something to see ahead: the mover of the first one has to answer a threat.
const POSITIONS: [(&str, &str); 2] =
    [("connect4", "4 4 4 4 3 3 5 2 5"), ("kalah:4,2", "2 3 4 1 1")];
/// Simulations and nodes: enough for every mechanism, few enough to be read.
const BUDGETS: [u64; 2] = [40, 150];
/// What is kept of a tree.
const DEPTH: u32 = 3;
const WIDTH: usize = 3;

/// One file for each search, but for those that draw or copy another player.
fn players(registry: &Registry) -> Vec<&'static str> {
    let others = ["random", "greedy", "best", "engine"];
    let labels = registry.players().into_iter().map(|info| info.label);
    let variants = ["uct(im)", "uct(rave)", "mcts-solver(grave=5)", "uct(mast)", "uct(switch)"];
    labels.filter(|label| !others.contains(label)).chain(variants).collect()
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/golden"))
}

fn file(text: &str) -> PathBuf {
    folder().join(format!("{}.json", text.replace('(', "-").replace(['=', ')'], "")))
}

/// A number that is easy to read, and the same on every machine.
fn number(value: f64) -> Value {
    json!((value * 1e6).round() / 1e6)
}

fn ends(bounds: [Option<f64>; 2]) -> Value {
    json!(bounds.map(|end| end.map(number)))
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome.value() {
        1 => "first wins",
        -1 => "second wins",
        _ => "draw",
    }
}

/// The fields of an object that say something.
fn object(fields: Vec<(&str, Option<Value>)>) -> Value {
    let fields = fields.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn said(bounds: [Option<f64>; 2]) -> Option<Value> {
    bounds.iter().any(Option::is_some).then(|| ends(bounds))
}

/// A node, with its children under their moves.
fn node(board: &Board, it: &TreeNode<MoveIndex>) -> Value {
    let child = |child: &TreeNode<MoveIndex>| {
        let mv = child.mv.expect("a child has a move");
        let mut next = board.clone();
        next.play(mv);
        (board.notation().move_text(mv), node(&next, child))
    };
    let children: Map<String, Value> = it.children.iter().map(child).collect();
    let channels = Channel::ALL.iter().zip(it.channels);
    let channels = channels.map(|(channel, value)| (channel.words().key, value.map(number)));
    let begin = [
        ("visits", Some(json!(it.visits))),
        ("value", it.value.map(number)),
        ("bounds", said(it.bounds)),
    ];
    let rest = [
        ("interval", it.interval.map(|it| json!([it.depth, ends(it.bounds)]))),
        ("amaf", it.amaf.map(|it| json!([it.count, number(it.mean)]))),
        ("proof", it.proof.map(|it| json!(outcome(it)))),
        ("hidden", (it.hidden > 0).then(|| json!(it.hidden))),
        ("after", (!children.is_empty()).then_some(Value::Object(children))),
    ];
    object(begin.into_iter().chain(channels).chain(rest).collect())
}

fn report(board: &Board, it: &Report<MoveIndex>) -> Value {
    let moves = it.moves.iter().map(|one| {
        let about = object(vec![
            ("visits", Some(json!(one.visits))),
            ("value", one.value.map(number)),
            ("bounds", said(one.bounds)),
            ("proof", one.proof.map(|it| json!(outcome(it)))),
        ]);
        (board.notation().move_text(one.mv), about)
    });
    let strategies = it.strategies.iter().map(|one| {
        let name = one.name.clone().into_owned();
        (name, json!([one.playouts, one.mean.map(number)]))
    });
    let strategies: Map<String, Value> = strategies.collect();
    let work = &it.work;
    object(vec![
        ("line", Some(json!(board.line_texts(&it.pv).join(" ")))),
        ("value", Some(number(it.value))),
        ("proof", it.proof.map(|it| json!(outcome(it)))),
        ("margin", it.margin.map(|it| json!(it))),
        ("depth", Some(json!(it.depth))),
        ("iterations", Some(json!(work.iterations))),
        ("nodes", Some(json!(work.nodes))),
        ("evaluations", Some(json!(work.evaluations))),
        ("playout plies", Some(json!(work.playout_plies))),
        ("transitions", Some(json!(work.transitions))),
        ("moves", Some(Value::Object(moves.collect()))),
        ("strategies", (!strategies.is_empty()).then_some(Value::Object(strategies))),
    ])
}

/// What a player finds in all positions.
fn golden(registry: &Registry, text: &str) -> Value {
    let player = player(registry, text);
    let mut positions = Map::new();
    for (game, moves) in POSITIONS {
        let start = start(registry, game);
        // A player that the game cannot serve has nothing to show there.
        let Ok(mut analyst) = registry.searcher(&start, &player) else { continue };
        let mut played = Playthrough::new(start.board().clone());
        played.play_text(moves).expect("legal moves");
        let board = played.position();
        let [iterations, nodes] = BUDGETS;
        let budget = Budget { nodes: Some(nodes), ..Budget::iterations(iterations) };
        let found = analyst.search(board, Request::new(budget, 1));
        let tree = analyst.tree(DEPTH, WIDTH).map(|tree| node(board, &tree));
        let bounds = analyst.guarantee().map(|it| {
            let ends = |Bounds { lo, hi }: Bounds| json!([lo, hi]);
            let moves =
                it.moves.iter().map(|&(mv, bounds)| (board.notation().move_text(mv), ends(bounds)));
            let moves: Map<String, Value> = moves.collect();
            json!({ "value": ends(it.bounds), "horizon": it.horizon, "moves": moves })
        });
        let all = [("report", Some(report(board, &found))), ("guarantee", bounds), ("tree", tree)];
        positions.insert(format!("{game} after {moves}"), object(all.into()));
    }
    Value::Object(positions)
}

/// Where two values differ first: the path to the field, what it is and what was expected.
/// Consecutive moves share one "after".
fn difference(path: &str, is: &Value, expected: &Value) -> Option<String> {
    let (Value::Object(is), Value::Object(expected)) = (is, expected) else {
        return (is != expected).then(|| format!("{path} {is}, expected {expected}"));
    };
    let names = expected.keys().chain(is.keys().filter(|name| !expected.contains_key(*name)));
    let is_line = path.rsplit(": ").next().is_some_and(|last| last.starts_with("after "));
    let found = names.clone().find_map(|name| {
        let here =
            if name == "after" && is_line { path.to_owned() } else { format!("{path}: {name}") };
        match (is.get(name), expected.get(name)) {
            (Some(Value::Object(is)), Some(Value::Object(expected))) if name == "after" => {
                let moves =
                    expected.keys().chain(is.keys().filter(|mv| !expected.contains_key(*mv)));
                moves
                    .clone()
                    .find_map(|mv| differs(&format!("{here} {mv}"), is.get(mv), expected.get(mv)))
            }
            (is, expected) => differs(&here, is, expected),
        }
    });
    found.or_else(|| (!is.keys().eq(expected.keys())).then(|| format!("{path}: another order")))
}

fn differs(path: &str, is: Option<&Value>, expected: Option<&Value>) -> Option<String> {
    match (is, expected) {
        (Some(is), Some(expected)) => difference(path, is, expected),
        (Some(_), None) => Some(format!("{path}: not expected")),
        _ => Some(format!("{path}: missing")),
    }
}

/// Laid out as people read it: an object that holds no other object on one line.
fn pretty(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(fields) if fields.values().any(Value::is_object) => {
            let margin = " ".repeat(indent);
            out.push_str("{\n");
            for (index, (name, field)) in fields.iter().enumerate() {
                out.push_str(&format!("{margin} {}: ", json!(name)));
                pretty(field, indent + 1, out);
                out.push_str(if index + 1 < fields.len() { ",\n" } else { "\n" });
            }
            out.push_str(&format!("{margin}}}"));
        }
        _ => out.push_str(&value.to_string()),
    }
}

#[test]
fn every_search_has_the_tree_that_is_written_down() {
    let registry = Registry::standard();
    let players = players(&registry);
    let found = players.iter().map(|text| (*text, golden(&registry, text)));
    if std::env::var_os("TREEGRAFT_WRITE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).expect("a folder");
        for (text, found) in found {
            let mut written = String::new();
            pretty(&found, 0, &mut written);
            fs::write(file(text), written + "\n").expect("room");
        }
        return;
    }
    let mut different = Vec::new();
    for (text, found) in found {
        let Ok(written) = fs::read_to_string(file(text)) else {
            different.push(format!("{text}: no file"));
            continue;
        };
        let written: Value = serde_json::from_str(&written).expect("JSON");
        different.extend(difference(text, &found, &written));
    }
    assert!(
        different.is_empty(),
        "searches have other trees:\n{}\nif that is meant: cargo xtask golden --write",
        different.join("\n")
    );
    let files = fs::read_dir(folder()).expect("a folder").map(|it| it.expect("an entry"));
    let sizes: Vec<u64> = files.map(|it| it.metadata().expect("a file").len()).collect();
    assert_eq!(sizes.len(), players.len(), "files of players that there are not");
    assert!(sizes.iter().sum::<u64>() <= 300_000, "goldens are small enough to be read");
}

/// A field that changes anywhere is found, and its path is named.
#[test]
fn a_changed_field_is_named() {
    let golden = golden(&Registry::standard(), "mcts-ms");
    assert_eq!(difference("mcts-ms", &golden, &golden), None);
    let mut leaves = 0;
    let tree = golden.as_object().expect("positions").keys().next().expect("a position").clone();
    each_leaf(&golden, &mut Vec::new(), &mut |path| {
        let mut changed = golden.clone();
        let leaf = path.iter().fold(&mut changed, |it, name| it.get_mut(name).expect("a field"));
        *leaf = json!("another");
        let said = difference("mcts-ms", &golden, &changed).expect("a difference");
        assert!(said.starts_with("mcts-ms: ") && said.ends_with("expected \"another\""), "{said}");
        assert!(path.iter().all(|name| said.contains(name.as_str())), "{said}");
        leaves += 1;
    });
    assert!(leaves > 100, "{leaves}");
    let mut changed = golden.clone();
    let after = |it: &mut Value| -> (String, Value) {
        let children = it["after"].as_object_mut().expect("children");
        let (mv, child) = children.iter().next().expect("a child");
        (mv.clone(), child.clone())
    };
    let (first, mut child) = after(&mut changed[&tree]["tree"]);
    let (second, _) = after(&mut child);
    let visits = &mut changed[&tree]["tree"]["after"][&first]["after"][&second]["visits"];
    let was = std::mem::replace(visits, json!(77));
    let expected =
        format!("mcts-ms: {tree}: tree: after {first} {second}: visits {was}, expected 77");
    assert_eq!(difference("mcts-ms", &golden, &changed), Some(expected));
    let mut fewer = golden.clone();
    fewer[&tree]["report"].as_object_mut().expect("a report").shift_remove("value");
    let expected = format!("mcts-ms: {tree}: report: value: not expected");
    assert_eq!(difference("mcts-ms", &golden, &fewer), Some(expected));
    let expected = format!("mcts-ms: {tree}: report: value: missing");
    assert_eq!(difference("mcts-ms", &fewer, &golden), Some(expected));
}

/// Every field that holds no others.
fn each_leaf(value: &Value, path: &mut Vec<String>, visit: &mut impl FnMut(&[String])) {
    let Value::Object(fields) = value else { return visit(path) };
    for (name, field) in fields {
        path.push(name.clone());
        each_leaf(field, path, visit);
        path.pop();
    }
}
