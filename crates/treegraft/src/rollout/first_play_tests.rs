//! First play: the order in which children are tried.

use std::collections::BTreeSet;

use super::tests::{Count, evaluator, start};
use super::tree::{Id, ROOT};
use super::*;
use crate::{Bounds, Budget, EVAL_ONE, Knowledge};

/// One of 120 numbers, three times; every third move ends the game. Hints distinguish numbers by
/// their tens only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tens {
    sum: u32,
    plies: u32,
}

impl Game for Tens {
    type Move = u8;

    fn to_move(&self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..120);
    }

    fn play(&mut self, mv: u8) {
        self.sum = self.sum * 31 + u32::from(mv);
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 3).then(|| Outcome::from_margin(i64::from(self.sum % 3) - 1))
    }

    crate::brings!(Knowledge);
}

impl Knowledge for Tens {
    fn order_hint(&self, mv: u8) -> i32 {
        // Neither the first numbers nor the last are the best.
        i32::from(mv / 10) * 7 % 12
    }
}

fn by_hint() -> Config {
    Config { first_play: FirstPlay::Hint, ..Config::default() }
}

fn searched<G: Game + 'static>(config: Config, root: &G, iterations: u64, seed: u64) -> Rollout<G> {
    // Room enough for families that get rows as their children are tried.
    let budget = Budget { memory: Some(1 << 24), ..Budget::iterations(iterations) };
    let blind = crate::Evaluator::plain("blind", "a test", |_: &G| 0);
    let mut search = Rollout::with_evaluator(config, Some(blind)).unwrap();
    search.search(root, Request::new(budget, seed));
    search
}

/// The moves of a node that have been tried, in the order in which they were.
fn tried<M: Copy>(tree: &Tree<M>, node: Id) -> Vec<M> {
    tree.tried(node).map(|child| tree.moves[child]).collect()
}

/// Large families, which have no rows for untried children, and the root, which has.
#[test]
fn the_best_hints_are_tried_first() {
    let root = Tens { sum: 0, plies: 0 };
    let mut firsts = BTreeSet::new();
    for seed in 0..20 {
        let search = searched(by_hint(), &root, 1000, seed);
        let tree = search.tree.as_ref().unwrap();
        assert!(tree.needs.pool);
        let inner: Vec<Id> = tree.tried(ROOT).map(|child| child as Id).collect();
        let families = inner.into_iter().filter(|&node| tree.rows[node as usize].count > 0);
        for node in families.chain([ROOT]) {
            let hints: Vec<i32> = tried(tree, node).iter().map(|&mv| root.order_hint(mv)).collect();
            let mut best: Vec<i32> = (0..120).map(|mv| root.order_hint(mv)).collect();
            best.sort_by_key(|&hint| std::cmp::Reverse(hint));
            assert!(hints.len() > 1 && hints == best[..hints.len()], "{hints:?}");
        }
        firsts.insert(tried(tree, ROOT)[0]);
    }
    assert!(firsts.len() > 4, "equal hints in random order: {firsts:?}");
}

/// A child that is excluded before it is tried leaves the others in their order.
#[test]
fn children_that_are_excluded_leave_the_others_in_order() {
    let root = start(30);
    let mut tree = Tree::new(1 << 16, Needs::default());
    tree.plant(0);
    (tree.untried_differ, tree.is_ordered) = (true, true);
    assert!(tree.add_children(ROOT, &[5, 4, 3, 2, 1]));
    let mut search = Worker::new(by_hint(), None, &root, tree, 1);
    for (lost, left) in [(2, [2, 5, 4, 3, 1]), (3, [2, 3, 5, 4, 1])] {
        let child =
            search.tree.children(ROOT).find(|&child| search.tree.moves[child] == lost).unwrap();
        search.tree.set_bounds(child, Bounds::exactly(-1));
        search.update_bounds(ROOT, Side::First);
        assert_eq!(search.tree.moves[search.tree.children(ROOT)], left);
        assert_eq!(search.tree.rows[ROOT as usize].next, 5);
    }
    assert_eq!(search.tree.rows[ROOT as usize].tried, 2);
}

#[test]
fn the_best_evaluations_are_tried_first() {
    let config = Config { first_play: FirstPlay::Value, ..Config::default() };
    assert!(config.asks_evaluation());
    let root = start(40);
    let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
    let report = search.search(&root, Request::new(Budget::iterations(500), 3));
    assert!(report.work.evaluations > 500, "playouts, and the moves of new families");
    let tree = search.tree.as_ref().unwrap();
    let evaluator = evaluator().unwrap();
    let value = |at: &Count, mv: u8| {
        let mut next = *at;
        next.play(mv);
        let value = match next.outcome() {
            Some(outcome) => outcome.value() * 2 * i64::from(EVAL_ONE),
            None => i64::from(evaluator.evaluate(&next)),
        };
        at.to_move().sign() * value
    };
    let (mut open, mut checked, mut unlike_hints) = (vec![(ROOT, root)], 0, 0);
    while let Some((node, at)) = open.pop() {
        let moves = tried(tree, node);
        assert!(moves.is_sorted_by_key(|&mv| std::cmp::Reverse(value(&at, mv))), "{at:?}");
        checked += usize::from(moves.len() > 1);
        unlike_hints += usize::from(!moves.is_sorted_by(|a, b| a > b));
        for child in tree.tried(node) {
            let mut next = at;
            next.play(tree.moves[child]);
            open.push((child as Id, next));
        }
    }
    assert!(checked > 100 && unlike_hints > 20, "{checked} {unlike_hints}");
}

/// With priors, children are added to the tree all at once, in the same order.
#[test]
fn priors_keep_the_order() {
    let informed = Informed { ip: Some(Prior { visits: 2, weight: 3 }), ..Informed::default() };
    let search = searched(Config { informed, ..by_hint() }, &start(40), 300, 1);
    let tree = search.tree.as_ref().unwrap();
    let primed = (0..tree.used).filter(|&node| tree.is_primed(node));
    let moves: Vec<Vec<u8>> = primed.map(|node| tried(tree, node as Id)).collect();
    assert!(moves.len() > 20);
    assert!(moves.iter().all(|moves| moves.is_sorted_by(|a, b| a > b)), "{moves:?}");
}
