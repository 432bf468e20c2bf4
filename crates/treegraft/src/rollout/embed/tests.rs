//! MCTS-MR, MCTS-MS and MCTS-MB do what the paper says, and not something like it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::Event;
use crate::bits::Portable;
use crate::depth_first::{WinLoss, WinLossQuestion};
use crate::rollout::tests::{Count, start};
use crate::rollout::tree::{Id, ROOT};
use crate::rollout::*;
use crate::{Bounds, Budget};

/// Win, loss or neither for `me` within some plies, by brute force.
pub(in crate::rollout) fn win_loss(position: &Count, depth: u32, me: Side) -> i64 {
    match position.outcome() {
        Some(outcome) => me.sign() * outcome.value(),
        None if depth == 0 => 0,
        None => {
            let values = moves(position).into_iter();
            let values = values.map(|mv| win_loss(&after(position, mv), depth - 1, me));
            if position.to_move() == me { values.max() } else { values.min() }.expect("a move")
        }
    }
}

pub(in crate::rollout) fn moves(position: &Count) -> Vec<u8> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

pub(in crate::rollout) fn after(position: &Count, mv: u8) -> Count {
    let mut next = *position;
    next.play(mv);
    next
}

pub(in crate::rollout) fn solver(embed: Embed) -> Config {
    Config { solver: Solver::Wins, embed, ..Config::default() }
}

pub(in crate::rollout) fn mr(depth: u32) -> Embed {
    Embed { mr: Some(depth), ..Embed::default() }
}

pub(in crate::rollout) fn ms(depth: u32, visits: u32) -> Embed {
    Embed { ms: Some(AtVisits { depth, visits }), ..Embed::default() }
}

/// The same without what needs a solver, if there is none, and leaves expanded when they can be.
pub(in crate::rollout) fn sensible(mut config: Config) -> Config {
    if config.solver == Solver::Off {
        (config.embed.ms, config.embed.mb) = (None, None);
    }
    if config.embed.mr.is_none() {
        config.embed.mr_tree = MrTree::default();
    }
    if config.playout_from == PlayoutFrom::Node {
        config.expand_at = 1;
    }
    config
}

fn mb(depth: u32) -> Embed {
    Embed { mb: Some(depth), ..Embed::default() }
}

fn search(root: &Count, config: Config, iterations: u64) -> (Rollout<Count>, Report<u8>) {
    let mut search = Rollout::new(config).unwrap();
    let report = search.search(root, Request::new(Budget::iterations(iterations), 5));
    (search, report)
}

/// The position at every row of the tree.
fn positions(tree: &Tree<u8>, root: &Count) -> BTreeMap<Id, Count> {
    let mut positions = BTreeMap::from([(ROOT, *root)]);
    let mut open = vec![ROOT];
    while let Some(node) = open.pop() {
        for child in tree.children(node) {
            positions.insert(child as Id, after(&positions[&node], tree.moves[child]));
            open.push(child as Id);
        }
    }
    positions
}

/// A search whose root is expanded, before its first simulation.
pub(in crate::rollout) fn begin_search<'a>(
    root: &'a Count,
    config: Config,
    evaluator: Option<Evaluator<Count>>,
) -> Worker<'a, Count> {
    let squares = config.select.needs_variance();
    let needs = Needs {
        squares,
        searched: true,
        priors: true,
        depths: alpha_beta::depths(&config),
        ..Needs::default()
    };
    let mut tree = Tree::new(1 << 20, needs);
    tree.plant(0);
    tree.untried_differ = true;
    let mut search = Worker::new(config, evaluator, root, tree, 3);
    search.expand_root();
    search
}

/// Every playout move, the first included, is the result of a search: it wins if it can, else it
/// does not lose if it can avoid that, and is otherwise uniform.
#[test]
fn mr_searches_for_every_playout_move() {
    let sides = [Side::First, Side::Second];
    let all = (0..24u8).flat_map(|count| sides.map(|mover| Count { count, goal: 24, mover }));
    let by_key: BTreeMap<u64, Count> =
        all.map(|position| (position.speed().key(), position)).collect();
    for depth in 1..=4 {
        // The playouts do not depend on the solver.
        let config = Config { embed: mr(depth), ..Config::default() };
        let (search, report) = search(&start(24), config, 3000);
        let mut counts: BTreeMap<u64, BTreeMap<u8, u32>> = BTreeMap::new();
        let mut searched = 0;
        for event in &search.minimax.log {
            let Event::Playout(key, mv) = event else { panic!("{event:?}") };
            *counts.entry(*key).or_default().entry(*mv).or_default() += 1;
            searched += 1;
        }
        assert_eq!(searched, report.work.playout_plies, "MR-{depth}");
        let (mut wins, mut avoided, mut hopeless) = (0, 0, 0);
        for (key, counts) in counts {
            let position = by_key[&key];
            let me = position.to_move();
            let value = |mv: u8| win_loss(&after(&position, mv), depth - 1, me);
            let best = moves(&position).into_iter().map(value).max().unwrap();
            let right: Vec<u8> =
                moves(&position).into_iter().filter(|&mv| value(mv) == best).collect();
            assert!(
                counts.keys().all(|mv| right.contains(mv)),
                "MR-{depth} {position:?} {counts:?}"
            );
            let total: u32 = counts.values().sum();
            let share = f64::from(total) / right.len() as f64;
            for mv in &right {
                let n = f64::from(counts.get(mv).copied().unwrap_or(0));
                assert!((n - share).abs() < 5.0 * share.sqrt() + 1.0, "{position:?} {counts:?}");
            }
            let some = right.len() < moves(&position).len();
            wins += u32::from(best == 1 && some);
            avoided += u32::from(best == 0 && some);
            hopeless += u32::from(best == -1);
        }
        assert!(wins > 0, "MR-{depth}");
        assert!(depth == 1 || avoided > 0 && hopeless > 0, "MR-{depth}: {avoided} {hopeless}");
    }
}

/// Every node is searched once, after `visits` visits: not more often, and not only when it is
/// expanded.
#[test]
fn ms_searches_a_node_once_when_it_has_its_visits() {
    for visits in [0, 1, 2, 5, 20] {
        for expand_at in [1, 4] {
            let config = Config { expand_at, ..solver(ms(2, visits)) };
            let root = start(60);
            let (search, _) = search(&root, config, 2000);
            let tree = search.tree.as_ref().unwrap();
            let mut searched = BTreeSet::new();
            for event in &search.minimax.log {
                let Event::Selection(node, at, _) = event else { panic!("{event:?}") };
                assert_eq!(*at, visits);
                assert!(searched.insert(*node), "{node} is searched twice");
            }
            let due = |&node: &Id| {
                let row = &tree.rows[node as usize];
                row.visits > visits && !row.finished()
            };
            let due: BTreeSet<Id> = (0..tree.rows.len() as Id).filter(due).collect();
            assert_eq!(searched, due, "visits {visits}");
            assert!(due.len() > 20);
        }
    }
}

/// Every move of a searched node is searched by itself, and each loss is noted at its child, even
/// if other moves are open; wins are neither looked for nor found.
#[test]
fn ms_proves_single_moves_lost_and_nothing_else() {
    let (mut some_lost, mut all_lost, mut wins_left, mut cheaper) = (0, 0, 0, 0);
    for depth in 1..=6 {
        for count in 0..24 {
            for is_expanded in [true, false] {
                let root = Count { count, ..start(24) };
                let me = root.to_move();
                if root.outcome().is_some() {
                    continue;
                }
                let mut search = begin_search(&root, solver(ms(depth, 7)), None);
                search.path.push(Step { node: ROOT, mover: me });
                if !is_expanded {
                    search.tree.plant(0);
                }
                let outcome = search.minimax_selection(ROOT, &root);
                let value = |mv: u8| win_loss(&after(&root, mv), depth - 1, me);
                let values: Vec<i64> = moves(&root).into_iter().map(value).collect();
                let lost = values.iter().filter(|&&value| value == -1).count();
                // A node without losses needs no children yet.
                assert_eq!(search.tree.children(ROOT).is_empty(), lost == 0 && !is_expanded);
                for child in search.tree.children(ROOT) {
                    let is_lost = value(search.tree.moves[child]) == -1;
                    let expected = if is_lost { Bounds::exactly(-1) } else { Bounds::OUTCOME };
                    assert_eq!(search.tree.bounds(child), expected, "{root:?} {depth}");
                }
                let is_decided = lost == values.len();
                assert_eq!(outcome, is_decided.then_some(Outcome::Win(me.other())));
                some_lost += usize::from(lost > 0 && !is_decided);
                all_lost += usize::from(is_decided);
                wins_left += usize::from(values.contains(&1));
                // As many moves as independent searches with the null window play.
                let played = |question| {
                    let mut search = WinLoss::default();
                    for mv in moves(&root) {
                        search.value(&after(&root, mv), depth - 1, me, question);
                    }
                    search.transitions
                };
                assert_eq!(search.minimax.search.transitions, played(WinLossQuestion::IsLost));
                cheaper +=
                    usize::from(played(WinLossQuestion::IsLost) < played(WinLossQuestion::Value));
            }
        }
    }
    assert!(some_lost > 10 && all_lost > 10 && wins_left > 10 && cheaper > 10);
}

/// Steps through a search with MCTS-MB and predicts from the state before each simulation where it
/// searches, which moves, what it finds and which rewards follow.
fn check_mb(root: &Count, depth: u32, solver: Solver) -> (u32, u32) {
    let config = Config { solver, embed: mb(depth), ..Config::default() };
    let mut search = begin_search(root, config, None);
    let (mut events, mut turned) = (0, 0);
    for _ in 0..400 {
        if search.tree.bounds(ROOT as usize).is_exact() {
            break;
        }
        let before = search.tree.rows.clone();
        let searched_before: Vec<bool> = search.tree.side.searched.to_vec();
        let bounds_before: Vec<Bounds> =
            (0..search.tree.rows.len()).map(|node| search.tree.bounds(node)).collect();
        let was_open =
            |node: usize| bounds_before.get(node).is_none_or(|bounds| bounds.outcome().is_none());
        search.minimax.log.clear();
        let transitions = search.work.transitions;
        let digest = search.digest;
        search.simulate(Portable);
        assert!(search.work.transitions > transitions && search.digest != digest);
        let positions = positions(&search.tree, root);
        let mut log = std::mem::take(&mut search.minimax.log).into_iter().peekable();
        let leaf = search.path.last().unwrap().node as usize;
        let sum = |node: usize| before.get(node).map_or(0.0, |row| row.sum);
        let mut reward = search.tree.rows[leaf].sum - sum(leaf);
        for i in (0..search.path.len() - 1).rev() {
            let Step { node, mover } = search.path[i];
            let child = search.path[i + 1].node as usize;
            let is_lost = search.tree.bounds(child).outcome() == Some(Outcome::Win(mover.other()));
            let others =
                || search.tree.children(node).filter(|&other| other != child && was_open(other));
            let was_searched = searched_before.get(node as usize) == Some(&true);
            // The loss may have decided the node: the others cannot be better than a draw it has.
            let is_draw = search.tree.bounds(node as usize).outcome() == Some(Outcome::Draw);
            let is_next = matches!(log.peek(), Some(Event::BackUp(at, _)) if *at == node);
            if is_draw && !is_next {
                continue;
            }
            if is_lost && was_open(child) && others().next().is_some() && !was_searched {
                let Some(Event::BackUp(at, searched)) = log.next() else { panic!("no search") };
                let open: BTreeSet<u8> = others().map(|other| search.tree.moves[other]).collect();
                assert_eq!((at, searched.into_iter().collect()), (node, open));
                events += 1;
                let position = &positions[&node];
                let value = |other: usize| {
                    win_loss(&after(position, search.tree.moves[other]), depth - 1, mover)
                };
                let wins = others().any(|other| value(other) == 1);
                let losses = others().filter(|&other| value(other) == -1);
                let proof = search.tree.bounds(node as usize).outcome();
                assert_eq!(proof == Some(Outcome::Win(mover)), wins, "{position:?} {depth}");
                if wins {
                    reward = mover.sign() as f64;
                    turned += 1;
                } else {
                    for other in losses {
                        let proof = search.tree.bounds(other).outcome();
                        assert_eq!(proof, Some(Outcome::Win(mover.other())), "{position:?}");
                    }
                }
            }
            let got = search.tree.rows[node as usize].sum - sum(node as usize);
            assert_eq!(got, reward, "at {:?}", positions[&node]);
        }
        assert_eq!(log.next(), None, "a search without a loss that is backed up");
    }
    (events, turned)
}

#[test]
fn mb_searches_where_a_loss_is_backed_up_and_siblings_are_open() {
    let (mut events, mut turned) = (0, 0);
    for depth in 1..=5 {
        for goal in 8..40 {
            for solver in [Solver::Wins, Solver::Draws] {
                let found = check_mb(&start(goal), depth, solver);
                (events, turned) = (events + found.0, turned + found.1);
            }
        }
    }
    assert!(events > 300 && turned > 50, "{events} {turned}");
}

/// Without embedded searches, or with ones that find nothing, the tree is that of MCTS-Solver, node
/// for node.
#[test]
fn no_search_inside_is_mcts_solver() {
    let (near, far) = (start(16), start(90));
    for (root, embeds) in [
        (near, vec![]),
        // Too far from the end for anything to be found.
        (far, vec![ms(2, 0), ms(3, 1), ms(2, 7), mb(2)]),
    ] {
        let (plain, plain_report) = search(&root, solver(Embed::default()), 1000);
        for embed in embeds {
            let (other, report) = search(&root, solver(embed), 1000);
            assert_eq!(report.digest, plain_report.digest, "{embed:?}");
            assert_eq!(other.tree(100, 100), plain.tree(100, 100), "{embed:?}");
            assert_eq!(report.moves, plain_report.moves, "{embed:?}");
        }
        for embed in [mr(1), ms(2, 1), mb(2)] {
            let (_, report) = search(&near, solver(embed), 1000);
            assert_ne!(report.digest, plain_report.digest, "{embed:?}");
        }
    }
    // What could find nothing is refused: no depth, nothing to limit or order, nothing to prove.
    let refused = |config: Config| Rollout::<Count>::new(config).is_err();
    for embed in [mr(0), ms(0, 1), mb(0)] {
        assert!(refused(solver(embed)), "{embed:?}");
    }
    for embed in [
        Embed { k: Some(1), ..Embed::default() },
        Embed { order: true, ..Embed::default() },
        ms(2, 0),
        mb(2),
    ] {
        assert!(refused(Config { embed, ..Config::default() }), "{embed:?}");
    }
}

/// Ordering changes no result; looking at fewer replies finds no more.
#[test]
fn ordering_and_k_best_are_sound() {
    let mut less = 0;
    for count in 0..24 {
        for depth in 0..7 {
            let position = Count { count, ..start(24) };
            for me in [Side::First, Side::Second] {
                let truth = win_loss(&position, depth, me);
                let mut search = WinLoss::default();
                search.order = true;
                assert_eq!(search.value(&position, depth, me, WinLossQuestion::Value), truth);
                for k in 1..4 {
                    search.k = Some(k);
                    let found = search.value(&position, depth, me, WinLossQuestion::Value);
                    assert!(found == truth || found == 0, "{position:?} {depth} {k}");
                    assert!(found == truth || k < 3, "{position:?} {depth}: three are all");
                    less += u32::from(found != truth);
                }
                search.k = None;
            }
        }
    }
    assert!(less > 20, "{less}");
}

/// An embedded search that would take for ever ends when the time is over, and the next search
/// makes its own again.
#[test]
fn deep_searches_inside_keep_to_the_time() {
    let mr_tree = |mr_tree| Embed { mr_tree, ..mr(80) };
    let edges = [mr_tree(MrTree::Expand), mr_tree(MrTree::Prove)];
    for embed in [mr(80), ms(80, 0), ms(80, 3), mb(80)].into_iter().chain(edges) {
        let clock = Instant::now();
        let mut search = Rollout::new(solver(embed)).unwrap();
        let budget = Budget::time(Duration::from_millis(20));
        let report = search.search(&start(250), Request::new(budget, 1));
        assert_eq!(report.stop, Stop::Spent(Limit::Time), "{embed:?}");
        assert!(clock.elapsed() < Duration::from_secs(2), "{embed:?}");
        let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
        assert_eq!(visits, report.work.iterations);
        search.minimax.log.clear();
        search.search(&start(10), Request::new(Budget::iterations(50), 1));
        assert!(embed.mb.is_some() || !search.minimax.log.is_empty(), "{embed:?}");
    }
}
