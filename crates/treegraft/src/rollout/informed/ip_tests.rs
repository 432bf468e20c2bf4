//! MCTS-IP does what the paper says, and not something like it.

use std::collections::BTreeSet;

use super::Event;
use super::tests::*;
use crate::bits::Portable;
use crate::rollout::embed::tests::{after, begin_search, ms};
use crate::rollout::tests::{Count, evaluator, start};
use crate::rollout::tree::{Id, ROOT};
use crate::rollout::*;

/// The children of a node get priors once, when it has its visits and its children. Virtual visits
/// are not reported as visits.
#[test]
fn ip_gives_priors_once_when_a_node_has_its_visits() {
    for visits in [0, 1, 2, 5, 20] {
        for expand_at in [1, 4] {
            let config = Config { expand_at, solver: Solver::Wins, ..informed(ip(visits, 7, 0)) };
            let (search, report) = search(&start(60), config, evaluator(), 2000);
            let tree = search.tree.as_ref().unwrap();
            let mut primed = BTreeSet::new();
            for event in &search.informed.log {
                let Event::Priors(node, at) = event else { continue };
                let due = if *node == ROOT { visits } else { visits.max(expand_at) };
                assert_eq!(*at, due);
                assert!(primed.insert(*node), "{node} twice");
                for child in tree.children(*node) {
                    assert_eq!(tree.weighted_visits(child) - tree.rows[child].visits, 7);
                }
            }
            let due = |&node: &Id| {
                let row = &tree.rows[node as usize];
                let due = if node == ROOT { visits } else { visits.max(expand_at) };
                row.visits > due && !row.finished()
            };
            assert_eq!(primed, (0..tree.used as Id).filter(due).collect());
            assert!(primed.len() > 20);
            assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 2000);
        }
    }
}

/// Priors are the children's values, as wins and losses; selection counts them like real visits.
#[test]
fn priors_count_like_visits_in_selection() {
    let evaluator = evaluator().unwrap();
    for (count, depth) in (0..20).flat_map(|count| (0..4).map(move |depth| (count, depth))) {
        for mover in [Side::First, Side::Second] {
            let root = Count { count, goal: 24, mover };
            if root.outcome().is_some() {
                continue;
            }
            for select in [Select::Ucb1, Select::Ucb1Tuned] {
                let choice = Informed { slope: 4.0, ..ip(1, 9, depth) };
                let config = Config { select, c: 0.8, ..informed(choice) };
                let mut search = begin_search(&root, config, Some(evaluator.clone()));
                search.tree.merge.prior_weight = 9;
                search.tree.add_reward(ROOT, 0, 1.0);
                assert_eq!(search.give_priors(ROOT, &root), None);
                let mut upper = Vec::new();
                for (i, child) in search.tree.children(ROOT).enumerate() {
                    let next = after(&root, search.tree.moves[child]);
                    let value = reward(brute(&next, depth, &evaluator, usize::MAX), 4.0);
                    let row = search.tree.rows[child];
                    assert_eq!((row.visits, search.tree.weighted_visits(child)), (0, 9));
                    assert!((row.sum - 9.0 * value).abs() < 1e-9, "{next:?}");
                    assert!(select == Select::Ucb1 || search.tree.side.squares[child] == 9.0);
                    assert!((search.tree.value(child).unwrap() - value).abs() < 1e-9);
                    // As many more visits as its number, all lost for the first player.
                    for _ in 0..i {
                        search.tree.add_reward(child as Id, 0, -1.0);
                        search.tree.add_reward(ROOT, 0, -1.0);
                    }
                    let n = (9 + i) as f64;
                    let q = mover.sign() as f64 * (9.0 * value - i as f64) / n;
                    upper.push((n, q));
                }
                let row = search.tree.rows[ROOT as usize];
                assert_eq!((row.visits, row.tried, row.sum), (4, 3, 1.0 - 3.0));
                let ln = (4.0 + 3.0 * 9.0f64).ln();
                let ucb = |(n, q): (f64, f64)| match select {
                    Select::Ucb1 => (q + 1.0) / 2.0 + 0.8 * (ln / n).sqrt(),
                    Select::Ucb1Tuned => {
                        // All visits are wins and losses.
                        let p = (q + 1.0) / 2.0;
                        let v = p - p * p + (2.0 * ln / n).sqrt();
                        p + 0.8 * (ln / n * v.min(0.25)).sqrt()
                    }
                };
                let values: Vec<f64> = upper.into_iter().map(ucb).collect();
                let selected = search.best_child(Portable, ROOT, &row, mover);
                let largest = values.iter().copied().fold(f64::MIN, f64::max);
                assert!((values[selected] - largest).abs() < 1e-5, "{selected} {values:?}");
            }
        }
    }
}

/// Virtual visits hide no node from MCTS-MS.
#[test]
fn ip_leaves_ms_its_visits() {
    for visits in [0, 1, 2, 5] {
        let config = Config { embed: ms(2, visits), ..informed(ip(1, 10, 1)) };
        let config = Config { solver: Solver::Wins, ..config };
        let (search, _) = search(&start(60), config, evaluator(), 2000);
        let tree = search.tree.as_ref().unwrap();
        let mut searched = BTreeSet::new();
        for event in &search.minimax.log {
            let crate::rollout::embed::Event::Selection(node, at, _) = event else {
                panic!("{event:?}")
            };
            assert_eq!(*at, visits);
            assert!(searched.insert(*node), "{node} is searched twice");
        }
        let due = |&node: &Id| {
            let row = &tree.rows[node as usize];
            row.visits > visits && !row.finished()
        };
        assert_eq!(searched, (0..tree.used as Id).filter(due).collect(), "{visits}");
    }
}
