//! The searches do what they did when `signatures.txt` was written: in every build and on every
//! machine.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;

use treegraft::Request;
use treegraft::observe::{Cut, Event, LeafEnd, Phase, What};
use treegraft::rollout::Channel;
use treegraft_players::signature::{Signer, signed_options, signed_searches};
use treegraft_players::{MoveIndex, Registry, Search};

use crate::common::{player, start};

/// What differs between two lists of numbers: a line for every search.
fn differences(then: &[[String; 3]], now: &[[String; 3]]) -> Vec<String> {
    let by_search = |list: &[[String; 3]]| -> HashMap<(String, String), String> {
        let key =
            |[digest, game, player]: &[String; 3]| ((game.clone(), player.clone()), digest.clone());
        list.iter().map(key).collect()
    };
    let (old, new) = (by_search(then), by_search(now));
    let mut said = Vec::new();
    for [was, game, player] in then {
        match new.get(&(game.clone(), player.clone())) {
            Some(is) if is == was => {}
            Some(is) => said.push(format!("{game}\t{player}: then {was}, now {is}")),
            None => said.push(format!("{game}\t{player}: then {was}, missing now")),
        }
    }
    for [is, game, player] in now {
        if !old.contains_key(&(game.clone(), player.clone())) {
            said.push(format!("{game}\t{player}: new, {is}"));
        }
    }
    if said.is_empty() && then != now {
        said.push("the order of the lines".to_owned());
    }
    said
}

fn read(text: &str) -> Vec<[String; 3]> {
    let fields = |line: &str| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not DIGEST, GAME and PLAYER: {line:?}"))
    };
    text.lines().map(fields).collect()
}

fn found() -> Vec<[String; 3]> {
    let searches = signed_searches().into_iter();
    searches.map(|one| [one.signature.to_string(), one.game, one.player]).collect()
}

#[test]
fn the_signatures_are_the_committed_ones() {
    // Twice, side by side: a search that is not repeatable is none that can be signed.
    let (found, again) = std::thread::scope(|scope| {
        let again = scope.spawn(found);
        (found(), again.join().expect("no panic"))
    });
    let said = differences(&read(include_str!("../../../../signatures.txt")), &found);
    assert!(
        said.is_empty(),
        "searches do something else than before:\n{}\nif that is meant: \
         cargo xtask signature --write",
        said.join("\n")
    );
    assert_eq!(found, again, "a search is not repeatable");
    assert_eq!(alike(&found), [""; 0], "these are different players, and do the same everywhere");
}

/// Pairs of different players that have equal signatures in all games in which both are signed.
fn alike(searches: &[[String; 3]]) -> Vec<String> {
    let registry = Registry::standard();
    let mut by_player: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for [signature, game, player] in searches {
        by_player.entry(player).or_default().insert(game, signature);
    }
    let means = |game: &str, text: &str| {
        let search = player(&registry, text).search;
        let Search::Rollout(options) = &search else { return format!("{search:?}") };
        let config = options.config_for(&start(&registry, game).info().constants);
        format!("{config:?} {:?} {:?} {:?}", options.eval, options.slope, options.switch)
    };
    let mut alike = Vec::new();
    for (a, of_a) in &by_player {
        for (b, of_b) in by_player.range::<str, _>((Bound::Excluded(*a), Bound::Unbounded)) {
            let mut both = of_a.iter().filter_map(|(game, it)| Some((game, it, of_b.get(game)?)));
            let differ =
                both.any(|(game, a_is, b_is)| a_is != b_is || means(game, a) == means(game, b));
            let have_common = of_a.keys().any(|game| of_b.contains_key(game));
            if have_common && !differ {
                alike.push(format!("{a} and {b}"));
            }
        }
    }
    alike
}

#[test]
fn whatever_differs_is_named() {
    let then = read("01\tlion\tmcts\n02\tlion\tab\n03\thex:5\tmcts");
    assert_eq!(differences(&then, &then), [""; 0]);
    let now = read("01\tlion\tmcts\n0f\tlion\tab\n04\thex:5\tuct");
    assert_eq!(
        differences(&then, &now),
        ["lion\tab: then 02, now 0f", "hex:5\tmcts: then 03, missing now", "hex:5\tuct: new, 04"]
    );
    let turned: Vec<_> = then.iter().rev().cloned().collect();
    assert_eq!(differences(&then, &turned), ["the order of the lines"]);
}

/// The net holds: whatever an option does can be seen in the signature of a player that has it.
#[test]
fn every_option_fires_where_it_is_signed() {
    let registry = Registry::standard();
    let mut signers = HashMap::new();
    let mut known = HashMap::new();
    let mut blind = Vec::new();
    let options = signed_options();
    for (game, base, with) in &options {
        let signer = signers.entry(*game).or_insert_with(|| Signer::new(&start(&registry, game)));
        let mut sign = |text: &str| {
            *known.entry((*game, text.to_owned())).or_insert_with(|| {
                signer.sign(&registry, &player(&registry, text)).unwrap_or_else(|e| panic!("{e}"))
            })
        };
        if sign(base) == sign(with) {
            blind.push(format!("{with} on {game}"));
        }
    }
    assert_eq!(blind, [""; 0], "these do what they do without their last option");
    // No option is forgotten.
    let names = |text: &str| -> HashSet<String> {
        let inside = text.split_once('(').map_or("", |(_, options)| options.trim_end_matches(')'));
        inside.split(',').filter_map(|it| it.split('=').next()).map(str::to_owned).collect()
    };
    let signed: HashSet<String> = options.iter().flat_map(|(.., with)| names(with)).collect();
    for label in registry.players().into_iter().filter(|info| info.label != "engine") {
        for option in label.options {
            assert!(signed.contains(option.name), "{}: {} is not signed", label.label, option.name);
        }
    }
}

/// What only this mechanism does is seen to happen while the signature is found.
#[test]
fn every_mechanism_is_seen_where_it_is_signed() {
    type Sees = fn(&What<MoveIndex>) -> bool;
    let mechanisms: &[(&str, &str, Sees)] = &[
        ("solver", "mcts-solver", |it| matches!(it, What::Decided { .. })),
        (
            "MS",
            "mcts-ms",
            |it| matches!(it, What::Minimax { phase: Phase::Selection, found, .. } if !found.is_empty()),
        ),
        (
            "MB",
            "mcts-mb",
            |it| matches!(it, What::Minimax { phase: Phase::BackUp, found, .. } if !found.is_empty()),
        ),
        ("MR", "mcts-mr", |it| matches!(it, What::Minimax { phase: Phase::Leaf, .. })),
        ("MR in playouts", "mcts-mr", |it| matches!(it, What::Playout { depth: Some(_), .. })),
        (
            "MR at expansion",
            "mcts-mr(mr-tree=expand)",
            |it| matches!(it, What::Minimax { phase: Phase::Expansion, found, .. } if !found.is_empty()),
        ),
        ("IR", "mcts-ir-e", |it| matches!(it, What::Playout { moves, .. } if !moves.is_empty())),
        (
            "IC",
            "mcts-ic-e",
            |it| matches!(it, What::Playout { reward, .. } if ![-1.0, 0.0, 1.0].contains(reward)),
        ),
        ("IP", "mcts-ip-e", |it| matches!(it, What::Priors { .. })),
        ("im", "uct(im)", |it| matches!(it, What::Channel { channel: Channel::Implicit, .. })),
        ("MAST", "uct(mast)", |it| matches!(it, What::Playout { moves, .. } if !moves.is_empty())),
        (
            "switch",
            "uct(switch)",
            |it| matches!(it, What::Playout { strategies, .. } if !strategies.is_empty()),
        ),
        ("αβ rollouts", "mcts-ab", |it| matches!(it, What::AlphaBeta { .. })),
        ("αβ depths", "mcts-ab", |it| matches!(it, What::Complete { depth: 2.., .. })),
        ("αβ bonus", "mcts-ab", |it| matches!(it, What::Bonus { .. })),
        ("window", "ab", |it| matches!(it, What::Cut { why: Cut::Window, .. })),
        ("PVS", "ab", |it| matches!(it, What::Again { .. })),
        ("table", "ab", |it| matches!(it, What::Table { is_enough: true, .. })),
        ("ETC", "ab(etc)", |it| matches!(it, What::Cut { why: Cut::KnownChild, .. })),
        ("null move", "ab(null)", |it| matches!(it, What::Cut { why: Cut::NullMove, .. })),
        ("multi-cut", "ab(multi-cut)", |it| matches!(it, What::Cut { why: Cut::MultiCut, .. })),
        ("k best", "ab(k=3)", |it| matches!(it, What::Cut { why: Cut::Width, .. })),
        ("glance", "ab(glance)", |it| matches!(it, What::Cut { why: Cut::Glance, .. })),
        ("foregone", "ab(glance)", |it| matches!(it, What::Leaf { end: LeafEnd::Foregone, .. })),
        ("pruning rollouts", "fsss", |it| matches!(it, What::Narrow { .. })),
    ];
    let registry = Registry::standard();
    let starts = ["connect4", "breakthrough:6x6", "kalah"].map(|game| start(&registry, game));
    let games = starts.map(|start| (Signer::new(&start), start));
    for (name, text, sees) in mechanisms {
        let search = player(&registry, text);
        let is_seen = games.iter().any(|(signer, start)| {
            signer.tasks().iter().any(|task| {
                let mut seen = false;
                let request = Request::new(task.budget(&task.board), 0);
                let mut observer = |event: Event<MoveIndex>| seen |= sees(&event.what);
                let traced = registry.trace(start, &search, &task.board, request, &mut observer);
                traced.is_ok() && seen
            })
        });
        assert!(is_seen, "{name}: {text} never does it");
    }
}
