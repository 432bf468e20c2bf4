//! Searches report on the way what they have found, and are not changed by it.

use treegraft::{Budget, Game, Report, Request, Stop, legal_moves};
use treegraft_players::{Board, MoveIndex, Registry};

use crate::common::{analyst, player, start};

/// One of every kind of search, with work for a tenth of a second or so.
const PLAYERS: [&str; 14] = [
    "uct@100000it",
    "mcts-solver@100000it",
    "mcts-ms-2-visit-2@60000it",
    "mcts-mb-2@60000it",
    "mcts-mr-1@30000it",
    "mcts-ab@30000it",
    "mcts(rave=300)@60000it",
    "mcts(im=0.3)@60000it",
    "ab@1500000nodes",
    "mtd@1500000nodes",
    "sss@1500000nodes",
    "fsss@1500000nodes",
    "rollout-ab@1500000nodes",
    "mt-sss@1500000nodes",
];

fn check(position: &Board, so_far: &Report<MoveIndex>, text: &str) {
    let legal = legal_moves(position);
    let moves: Vec<MoveIndex> = so_far.moves.iter().map(|about| about.mv).collect();
    assert_eq!(moves, legal, "{text}");
    assert!(so_far.best_move.is_some() && so_far.pv.first() == so_far.best_move.as_ref(), "{text}");
    assert!((-1.0..=1.0).contains(&so_far.value), "{text}: {}", so_far.value);
    assert_eq!(so_far.stop, Stop::NotYet, "{text}");
    for about in &so_far.moves {
        let Some(first) = about.pv.first() else { continue };
        assert_eq!(*first, about.mv, "{text}");
    }
}

#[test]
fn every_search_tells_what_it_has_found_so_far() {
    let registry = Registry::standard();
    let position = start(&registry, "connect4").board().clone();
    for text in PLAYERS {
        // As much work as takes a machine long enough.
        let is_heard = (0..7).any(|doublings| {
            let mut budget = player(&registry, text).budget;
            budget.iterations = budget.iterations.map(|iterations| iterations << doublings);
            budget.nodes = budget.nodes.map(|nodes| nodes << doublings);
            is_told_and_unchanged(&registry, &position, text, budget)
        });
        assert!(is_heard, "{text}");
    }
}

/// Searches without and with a listener; returns whether that was called.
fn is_told_and_unchanged(
    registry: &Registry,
    position: &Board,
    text: &str,
    budget: Budget,
) -> bool {
    let analyst = || analyst(registry, "connect4", text);
    let mut heard: Vec<Report<MoveIndex>> = Vec::new();
    let mut progress = |so_far: &Report<MoveIndex>| heard.push(so_far.clone());
    let request = Request { progress: Some(&mut progress), ..Request::new(budget, 5) };
    let told = analyst().search(position, request);
    let Some(last) = heard.last() else { return false };
    heard.iter().for_each(|so_far| check(position, so_far, text));
    for pair in heard.windows(2) {
        assert!(pair[0].work.nodes <= pair[1].work.nodes, "{text}");
        assert!(pair[0].work.time < pair[1].work.time, "{text}");
    }
    assert!(last.work.time < told.work.time && last.work.nodes <= told.work.nodes, "{text}");
    let silent = analyst().search(position, Request::new(budget, 5));
    assert_eq!(told.digest, silent.digest, "{text}");
    assert_eq!((told.value, &told.pv), (silent.value, &silent.pv), "{text}");
    assert_eq!(told.work.transitions, silent.work.transitions, "{text}");
    true
}

/// The most visited moves, or those with the best bounds, have lines.
#[test]
fn searches_with_a_tree_have_lines_for_their_best_moves() {
    let registry = Registry::standard();
    let position = start(&registry, "connect4:4x4").board().clone();
    for text in ["mcts-solver@500it", "mcts-ab@500it", "fsss@2000nodes", "rollout-ab@500nodes"] {
        let budget = player(&registry, text).budget;
        let request = Request { lines: 3, ..Request::new(budget, 1) };
        let report = analyst(&registry, "connect4:4x4", text).search(&position, request);
        let lines: Vec<_> = report.moves.iter().filter(|about| !about.pv.is_empty()).collect();
        assert_eq!(lines.len(), 3, "{text}");
        for about in lines {
            let mut at = position.clone();
            for &mv in &about.pv {
                assert!(legal_moves(&at).contains(&mv), "{text}");
                at.play(mv);
            }
            assert_eq!(about.pv[0], about.mv, "{text}");
            if Some(about.mv) == report.best_move {
                assert_eq!(about.pv, report.pv, "{text}");
            }
        }
    }
}

/// What a prover shows of its tree are the bounds that it vouches for, down to leaves with values.
#[test]
fn provers_show_their_trees() {
    let registry = Registry::standard();
    for method in ["fsss", "rollout-ab", "rollout-sss", "rollout-random", "alphabeta2", "mt-sss"] {
        let text = format!("{method}(deepening=false)");
        let at = start(&registry, "tree:((3 5) (2 9))");
        let mut analyst = registry.searcher(&at, &player(&registry, &text)).unwrap();
        let report = analyst.search(at.board(), Request::default());
        let tree = analyst.tree(5, 5).expect("a tree");
        assert_eq!((tree.proof, tree.value), (report.proof, Some(report.value)), "{text}");
        let leaves: u64 = tree.children.iter().map(|child| child.visits).sum();
        assert_eq!((tree.visits, leaves), (report.work.evaluations, tree.visits), "{text}");
        assert!(tree.children.iter().flat_map(|child| &child.children).count() as u64 == leaves);
    }
}
