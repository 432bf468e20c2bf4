//! MCTS-MR at the edge of the tree: what each variant does, and what it leaves alone.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::tests::{after, begin_search, moves, mr, solver, win_loss};
use crate::bits::Portable;
use crate::rollout::tests::{Count, check_tree, evaluator, minimax, start};
use crate::rollout::tree::{Id, ROOT};
use crate::rollout::*;
use crate::{Bounds, Budget};

fn edge(depth: u32, mr_tree: MrTree) -> Embed {
    Embed { mr_tree, ..mr(depth) }
}

fn search(root: &Count, config: Config, seed: u64) -> (Rollout<Count>, Report<u8>) {
    let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
    let report = search.search(root, Request::new(Budget::iterations(800), seed));
    (search, report)
}

/// The nodes of a tree with their positions, and the moves tried there in their order.
fn families(search: &Rollout<Count>, root: &Count) -> Vec<(Count, Vec<u8>)> {
    let tree = search.tree.as_ref().unwrap();
    let (mut open, mut families) = (vec![(ROOT, *root)], Vec::new());
    while let Some((node, position)) = open.pop() {
        let tried = tree.tried(node);
        open.extend(tried.clone().map(|child| (child as Id, after(&position, tree.moves[child]))));
        families.push((position, tried.map(|child| tree.moves[child]).collect()));
    }
    families
}

/// Winning moves are tried first and losing moves last, at every node and at the root; the rest is
/// up to first play.
#[test]
fn expand_tries_wins_first_and_losses_last() {
    for depth in 1..=4 {
        for (solver, first_play) in [
            (Solver::Off, FirstPlay::Random),
            (Solver::Wins, FirstPlay::Random),
            (Solver::Off, FirstPlay::Hint),
        ] {
            // How often a node is out of order if nothing, or only first play, orders it.
            let (mut unlike_off, mut wins, mut losses) = (0, 0, 0);
            for count in 0..20 {
                let root = Count { count, ..start(22) };
                if root.outcome().is_some() {
                    continue;
                }
                for mr_tree in [MrTree::Expand, MrTree::Off, MrTree::Prove] {
                    let embed = edge(depth, mr_tree);
                    let config = Config { solver, first_play, embed, ..Config::default() };
                    let (search, _) = search(&root, config, count.into());
                    for (at, tried) in families(&search, &root) {
                        let value = |mv: u8| win_loss(&after(&at, mv), depth - 1, at.to_move());
                        let is_sorted = match first_play {
                            FirstPlay::Hint => {
                                tried.is_sorted_by_key(|&mv| Reverse((value(mv), mv)))
                            }
                            _ => tried.is_sorted_by_key(|&mv| Reverse(value(mv))),
                        };
                        if mr_tree != MrTree::Expand {
                            unlike_off += u32::from(!is_sorted);
                            continue;
                        }
                        assert!(is_sorted, "depth {depth}, {at:?}: {tried:?}");
                        // Where there was something to choose.
                        let is = |mv: Option<&u8>, it| {
                            let differs = |&other: &u8| value(other) != it;
                            mv.is_some_and(|&mv| value(mv) == it) && moves(&at).iter().any(differs)
                        };
                        wins += u32::from(is(tried.first(), 1));
                        losses += u32::from(is(tried.last(), -1));
                    }
                }
            }
            assert!(unlike_off > 20 && wins > 10 && losses > 10, "{unlike_off} {wins} {losses}");
        }
    }
}

/// Where the searches find nothing, every order is as likely as any other.
#[test]
fn expand_is_random_among_equals() {
    let root = start(60);
    let config = Config { embed: edge(2, MrTree::Expand), ..Config::default() };
    let orders: Vec<Vec<u8>> = (0..600)
        .map(|seed| families(&search_few(&root, config, seed), &root)[0].1.clone())
        .collect();
    let different: BTreeSet<&Vec<u8>> = orders.iter().collect();
    assert_eq!(different.len(), 6);
    for order in different {
        let n = orders.iter().filter(|it| *it == order).count();
        assert!((60..140).contains(&n), "{order:?}: {n} of 600");
    }
}

fn search_few(root: &Count, config: Config, seed: u64) -> Rollout<Count> {
    let mut search = Rollout::new(config).unwrap();
    search.search(root, Request::new(Budget::iterations(5), seed));
    search
}

/// A new leaf is proven if and only if its side to move wins within the depth: losses and longer
/// wins are left to the simulations. The proof is the reward, and goes up as any other does.
#[test]
fn prove_proves_the_new_leaves_that_are_won() {
    let (mut won, mut lost, mut later, mut decided) = (0, 0, 0, 0);
    for (depth, count) in (1..=4).flat_map(|depth| (0..20).map(move |count| (depth, count))) {
        let root = Count { count, ..start(24) };
        if root.outcome().is_some() {
            continue;
        }
        let config = solver(edge(depth, MrTree::Prove));
        let mut search = begin_search(&root, config, None);
        for _ in 0..60 {
            if search.tree.bounds(ROOT as usize).is_exact() {
                break;
            }
            search.simulate(Portable);
            let leaf = search.path.last().unwrap().node as usize;
            let row = search.tree.rows[leaf];
            let played = search.path[1..].iter().map(|step| search.tree.moves[step.node as usize]);
            let position = played.fold(root, |at, mv| after(&at, mv));
            if row.visits != 1 || row.finished() {
                continue;
            }
            let mover = position.to_move();
            let value = win_loss(&position, depth, mover);
            let expected = if value == 1 { Bounds::exactly(mover.sign()) } else { Bounds::OUTCOME };
            assert_eq!(search.tree.bounds(leaf), expected, "depth {depth}, {position:?}");
            assert!(value != 1 || row.sum == mover.sign() as f64);
            won += u32::from(value == 1);
            lost += u32::from(value == -1);
            later += u32::from(value == 0 && win_loss(&position, depth + 1, mover) == 1);
            // With extra turns the parent may be the winner's too.
            let parent = search.path[search.path.len() - 2];
            let is_won = search.tree.bounds(parent.node as usize).outcome();
            decided += u32::from(value == 1 && parent.mover == mover);
            assert!(value != 1 || parent.mover != mover || is_won == Some(Outcome::Win(mover)));
        }
    }
    assert!(won > 100 && lost > 5 && later > 50 && decided > 20, "{won} {lost} {later} {decided}");
}

/// What a proof rests on is exactly what MCTS-MR's search for the first playout move finds, with k
/// too, which leaves out replies but no moves.
#[test]
fn prove_looks_as_far_as_the_first_playout_move() {
    let (mut wins, mut missed) = (0, 0);
    for k in [None, Some(1), Some(2)] {
        for (count, depth) in (0..24).flat_map(|count| (1..=5).map(move |depth| (count, depth))) {
            let root = Count { count, ..start(24) };
            if root.outcome().is_some() {
                continue;
            }
            let embed = Embed { k, ..edge(depth, MrTree::Prove) };
            let mut search = begin_search(&root, solver(embed), None);
            let found = search.moves_left(&root, depth).is_some();
            assert_eq!(search.wins_within(&root, depth), found, "{root:?} {depth} {k:?}");
            let truth = win_loss(&root, depth, root.to_move()) == 1;
            assert!(truth || !found, "{root:?} {depth} {k:?}");
            assert!(truth == found || k.is_some());
            wins += u32::from(found);
            missed += u32::from(truth && !found);
        }
    }
    assert!(wins > 50 && missed > 2, "{wins} {missed}");
}

/// Without a solver there is nothing to prove, and without MR there are no searches: node for node
/// the tree that it is without.
#[test]
fn nothing_happens_without_mr_or_a_solver() {
    let root = start(18);
    let digest =
        |solver, embed| search(&root, Config { solver, embed, ..Config::default() }, 1).1.digest;
    let off = |solver| digest(solver, edge(2, MrTree::Off));
    assert_eq!(digest(Solver::Off, edge(2, MrTree::Prove)), off(Solver::Off));
    assert_ne!(digest(Solver::Wins, edge(2, MrTree::Prove)), off(Solver::Wins));
    for solver in [Solver::Off, Solver::Wins] {
        assert_ne!(digest(solver, edge(2, MrTree::Expand)), off(solver));
        for mr_tree in [MrTree::Expand, MrTree::Off] {
            let unused =
                Config { embed: Embed { mr: None, ..edge(2, mr_tree) }, ..Config::default() };
            assert!(unused.check().unwrap_err().problem.starts_with("mr-tree says what mr does"));
        }
        let nothing = Config { embed: edge(0, MrTree::Prove), ..Config::default() };
        assert_eq!(nothing.check().unwrap_err().problem, "mr is 0");
    }
}

/// A kept root that only a search has proven is searched again, because its best move is not known.
#[test]
fn a_kept_leaf_that_was_proven_gets_its_best_move() {
    let config = Config { reuse: true, ..solver(edge(3, MrTree::Prove)) };
    let mut seen = 0;
    for seed in 0..30 {
        let root = start(20);
        let (mut search, _) = search(&root, config, seed);
        let tree = search.tree.as_ref().unwrap();
        let proven_leaf = families(&search, &root).into_iter().find_map(|(at, tried)| {
            let is_kept = tried.is_empty() && at.outcome().is_none();
            (is_kept && win_loss(&at, 3, at.to_move()) == 1).then_some(at)
        });
        assert!(tree.used > 10);
        let Some(leaf) = proven_leaf else { continue };
        let report = search.search(&leaf, Request::new(Budget::iterations(300), seed));
        let value = leaf.to_move().sign();
        assert_eq!(report.proof.map(Outcome::value), Some(value), "{leaf:?}");
        assert_eq!(minimax(&after(&leaf, report.best_move.unwrap())), value, "{leaf:?}");
        check_tree(&search, leaf);
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

/// Among alpha-beta's rollouts, with few and many of them, and with evaluations.
#[test]
fn both_variants_prove_the_truth_in_mcts_alpha_beta() {
    let mut proofs = 0;
    for (mr_tree, p) in
        [MrTree::Expand, MrTree::Prove].into_iter().flat_map(|it| [0.2, 0.8].map(|p| (it, p)))
    {
        for (goal, solver) in (6..26).flat_map(|goal| [(goal, Solver::Wins), (goal, Solver::Draws)])
        {
            let alpha_beta = Some(AlphaBeta { p, k: Some(2), l: 4, ..AlphaBeta::default() });
            let informed = Informed { ic: Some(2), ..Informed::default() };
            let embed = edge(2, mr_tree);
            let config = Config { solver, alpha_beta, informed, embed, ..Config::default() };
            let root = start(goal);
            let (search, report) = search(&root, config, goal.into());
            let tree = search.tree.as_ref().unwrap();
            for child in tree.tried(ROOT) {
                let value = minimax(&after(&root, tree.moves[child]));
                let bounds = tree.bounds(child);
                assert!((bounds.lo..=bounds.hi).contains(&value), "{config:?}");
            }
            if let Some(proof) = report.proof {
                assert_eq!(proof.value(), minimax(&root), "{config:?}");
                proofs += 1;
            }
            assert!(moves(&root).contains(&report.best_move.unwrap()));
        }
    }
    assert!(proofs > 30, "{proofs}");
}
