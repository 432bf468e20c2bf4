//! The final move, and all that should agree with it.

use super::tests::{Count, start};
use super::tree::ROOT;
use super::*;
use crate::{Bounds, Budget, MoveReport};

/// Of equally visited moves the one with the better value is played, in whoever's view; the line and
/// the view of the tree agree with that at every node.
#[test]
fn ties_in_visits_go_to_the_better_value() {
    let mut ties = [0; 2];
    for seed in 0..400 {
        let root = Count { mover: [Side::First, Side::Second][seed as usize % 2], ..start(30) };
        let mut search = Rollout::new(Config::default()).unwrap();
        let report = search.search(&root, Request::new(Budget::iterations(3 + seed / 10), seed));
        let best = report.moves.iter().find(|it| Some(it.mv) == report.best_move).unwrap();
        let for_mover = |it: &MoveReport<u8>| root.mover.sign() as f64 * it.value.unwrap_or(-2.0);
        for other in &report.moves {
            assert!(other.visits <= best.visits);
            if other.visits == best.visits {
                assert!(for_mover(other) <= for_mover(best), "{report:?}");
                ties[root.mover.index()] += u32::from(for_mover(other) < for_mover(best));
            }
        }
        let mut node = &search.tree(100, 100).unwrap();
        for mv in &report.pv {
            node = &node.children[0];
            assert_eq!(node.mv, Some(*mv));
        }
        assert!(node.children.is_empty());
    }
    assert!(ties[0] > 20 && ties[1] > 20, "{ties:?}");
}

/// The same where the value is proven: of the moves that keep it, and whatever the rule is.
#[test]
fn the_rule_for_the_final_move_holds_among_proven_moves() {
    let root = start(20);
    for (final_move, best) in
        [(FinalMove::Visits, 3), (FinalMove::Value, 2), (FinalMove::Secure, 3)]
    {
        let mut tree = Tree::<u8>::new(1 << 20, Needs::default());
        tree.plant(0);
        tree.add_children(ROOT, &[1, 2, 3, 4]);
        // A draw is proven; 4 is no better than that.
        for (child, rewards) in [(1, [1.0, 0.0]), (2, [1.0, 1.0]), (3, [1.0, 0.5])] {
            let times = if child == 2 { 1 } else { 20 };
            (0..times).for_each(|_| rewards.iter().for_each(|&it| tree.add_reward(child, 0, it)));
            tree.set_bounds(child as usize, Bounds { lo: 0, hi: 1 });
        }
        (0..100).for_each(|_| tree.add_reward(4, 0, 1.0));
        tree.set_bounds(4, Bounds { lo: -1, hi: 0 });
        tree.set_bounds(0, Bounds::exactly(0));
        tree.rows[0].tried = 4;
        let config = Config { final_move, ..Config::default() };
        let search = Worker::new(config, None, &root, tree, 1);
        assert_eq!(search.final_move(ROOT, Side::First), Some(best), "{final_move:?}");
    }
}
