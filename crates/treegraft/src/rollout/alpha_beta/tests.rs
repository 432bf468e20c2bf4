//! MCTS-αβ does what the paper says, and not something like it.

use std::collections::BTreeMap;

use super::intervals::ANY;
use crate::bits::Portable;
use crate::depth_first::{self, DepthFirst, WIN};
use crate::rollout::embed::tests::{after, begin_search};
use crate::rollout::informed::tests::{brute, coarse};
use crate::rollout::tests::{Count, evaluator, start};
use crate::rollout::tree::{Id, MEAN, RARITY, ROOT};
use crate::rollout::*;
use crate::{Budget, EVAL_ONE};

fn with(alpha_beta: AlphaBeta) -> Config {
    Config {
        select: Select::Ucb1Tuned,
        solver: Solver::Wins,
        alpha_beta: Some(alpha_beta),
        ..Config::default()
    }
}

fn mixed(p: f64, k: u32, l: u32) -> AlphaBeta {
    AlphaBeta { p, k: Some(k), l, w: 3.0, f: 2.0, ..AlphaBeta::default() }
}

/// A search after `rollouts` rollouts, or fewer if its root is decided.
fn after_rollouts<'a>(
    root: &'a Count,
    config: Config,
    evaluator: Option<Evaluator<Count>>,
    rollouts: u32,
) -> Worker<'a, Count> {
    let mut search = begin_search(root, config, evaluator);
    for _ in 0..rollouts {
        if search.tree.bounds(ROOT as usize).is_exact() {
            break;
        }
        search.simulate(Portable);
    }
    search
}

/// Every node of the tree with its position.
fn nodes(search: &Worker<'_, Count>) -> Vec<(Id, Count)> {
    let mut nodes = vec![(ROOT, *search.root)];
    let mut next = 0;
    while let Some(&(node, position)) = nodes.get(next) {
        let children = search.tree.children(node);
        nodes.extend(
            children.map(|child| (child as Id, after(&position, search.tree.moves[child]))),
        );
        next += 1;
    }
    nodes
}

fn variants() -> Vec<AlphaBeta> {
    let mut variants = Vec::new();
    for p in [0.0, 0.3, 0.8] {
        for (k, l) in [(1, 3), (2, 4), (3, 6)] {
            for root_bonus in [
                RootBonus::Never,
                RootBonus::Always,
                RootBonus::AtPZero,
                RootBonus::Literal,
                RootBonus::Majority,
            ] {
                variants.push(AlphaBeta { root_bonus, ..mixed(p, k, l) });
            }
            let mixed = mixed(p, k, l);
            variants.push(AlphaBeta { update_next: false, ..mixed });
            variants.push(AlphaBeta { values: false, ..mixed });
            variants.push(AlphaBeta { score: BonusScore::Exact, ..mixed });
            variants.push(AlphaBeta { regime: RegimeRule::Bandit, ..mixed });
            variants.push(AlphaBeta { regime: RegimeRule::Traps, ..mixed });
            // Where all rollouts are alpha-beta's, bonuses at the root are never delayed.
            let root_from = if p > 0.0 { 3 } else { 1 };
            variants.push(AlphaBeta { root_from, root_bonus: RootBonus::Always, ..mixed });
        }
    }
    variants
}

#[test]
fn without_alpha_beta_rollouts_it_is_mcts_solver() {
    for goal in [12, 17, 25, 40] {
        for select in [Select::Ucb1, Select::Ucb1Tuned] {
            let alpha_beta = Some(AlphaBeta { p: 1.0, ..AlphaBeta::default() });
            let plain = Config { select, solver: Solver::Wins, ..Config::default() };
            let search = |config| {
                let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
                let request = Request::new(Budget::iterations(3000), 11);
                let mut report = search.search(&start(goal), request);
                (report.work.time, report.work.memory) = Default::default();
                let tree = search.tree.take().expect("a tree");
                let rows = tree.rows[..tree.used].iter().map(|row| (row.visits, row.sum.to_bits()));
                (format!("{report:?}"), rows.collect::<Vec<_>>())
            };
            assert_eq!(search(Config { alpha_beta, ..plain }), search(plain), "{goal}");
        }
    }
}

#[test]
fn with_nothing_else_it_is_iterative_deepening_alpha_beta() {
    for (goal, from) in (12..40).flat_map(|goal| [(goal, 0), (goal, 3), (goal, 8)]) {
        let root = Count { count: from, ..start(goal) };
        for k in 1..=3 {
            for evaluator in [evaluator(), coarse()] {
                let alpha_beta = AlphaBeta { l: 8, ..mixed(0.0, k, 8) };
                let mut search = after_rollouts(&root, with(alpha_beta), evaluator.clone(), 0);
                for depth in 1..=8 {
                    while search.tree.side.intervals.depth(ROOT as usize) <= depth {
                        search.simulate(Portable);
                    }
                    let config = depth_first::Config {
                        depth: Some(depth),
                        k: Some(k),
                        shuffle: true,
                        killers: false,
                        history: false,
                        table: false,
                        pvs: false,
                        ..depth_first::Config::default()
                    };
                    let request = Request::new(Budget::default(), 3);
                    let found =
                        DepthFirst::new(config, evaluator.clone()).unwrap().search(&root, request);
                    if found.depth < depth {
                        break; // It knows that nothing is left to find.
                    }
                    let value = search.alpha_beta_value.expect("a depth is completed");
                    let as_reward = (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0);
                    assert_eq!(found.value, as_reward, "{root:?} k {k} depth {depth}");
                    // Where a game can be won within the depth, an interval may close earlier than
                    // a window.
                    let (nodes, theirs) = (search.work.nodes, found.work.nodes);
                    let is_far = u32::from(goal - from) > 3 * depth;
                    assert!(
                        nodes == theirs || !is_far && nodes < theirs,
                        "{root:?} {k} {depth}: {nodes} {theirs} {value}"
                    );
                    assert_eq!(
                        search.report(Stop::Done).best_move,
                        found.best_move,
                        "{root:?} {k} {depth} {value} {found:?}"
                    );
                    if value.abs() == WIN {
                        break;
                    }
                }
            }
        }
    }
}

/// With all moves among the best, ties drawn anew change the order of a search, not what it finds.
#[test]
fn ties_drawn_anew_change_no_value() {
    let value = |redraw_ties: bool, goal: u8| {
        let alpha_beta = AlphaBeta { redraw_ties, ..mixed(0.0, 3, 5) };
        let root = start(goal);
        let mut search = after_rollouts(&root, with(alpha_beta), evaluator(), 0);
        while search.tree.side.intervals.depth(ROOT as usize) < 5 {
            search.simulate(Portable);
        }
        search.alpha_beta_value.expect("a depth is completed")
    };
    for goal in 20..40 {
        assert_eq!(value(true, goal), value(false, goal), "{goal}");
    }
}

#[test]
fn every_interval_contains_the_value() {
    let (mut open, mut exact) = (0, 0);
    for (i, alpha_beta) in variants().into_iter().enumerate() {
        let (k, l) = (alpha_beta.k.expect("k-best") as usize, alpha_beta.l);
        for evaluator in [evaluator(), coarse()].into_iter().flatten() {
            let root = start(20 + i as u8 % 9);
            let search = after_rollouts(&root, with(alpha_beta), Some(evaluator.clone()), 300);
            for (node, position) in nodes(&search) {
                for depth in 0..=l {
                    let known = search.tree.side.intervals.at(node as usize, depth);
                    if known != ANY {
                        let value = brute(&position, depth, &evaluator, k);
                        let is_in = (known.lo..=known.hi).contains(&value);
                        assert!(is_in, "{position:?} depth {depth}: {value} in {known:?}");
                        exact += u32::from(known.is_exact());
                        open += u32::from(!known.is_exact());
                    }
                }
            }
        }
    }
    assert!(open > 1000 && exact > 10_000, "{open} open, {exact} exact");
}

#[test]
fn bonuses_are_given_once_and_taken_back() {
    let (mut given, mut moved) = (0, 0);
    let (mut given_at_root, mut expected_at_root) = (0, 0);
    for (i, alpha_beta) in variants().into_iter().enumerate() {
        let root = start(20 + i as u8 % 9);
        let search = after_rollouts(&root, with(alpha_beta), coarse(), 400);
        let block = |node: Id| search.tree.side.intervals.block(node as usize);
        let mut last: BTreeMap<Option<usize>, (usize, u32, f64)> = BTreeMap::new();
        for &(node, child, depth, bonus) in &search.coins.log {
            let before = last.insert(node, (child, depth, bonus));
            assert!(before.is_none_or(|(_, earlier, _)| earlier < depth));
            moved += u32::from(before.is_some_and(|(earlier, ..)| earlier != child));
            // A score from 0 to 1, times w f^depth.
            let most = alpha_beta.w * alpha_beta.f.powi(depth as i32);
            assert!((0.0..=most).contains(&bonus), "{bonus} at depth {depth}");
            given += 1;
        }
        for (node, position) in nodes(&search) {
            let tree = &search.tree;
            let holders: Vec<usize> =
                tree.children(node).filter(|&child| tree.bonus(child) != 0.0).collect();
            let sum: f64 = holders.iter().map(|&child| tree.bonus(child).abs()).sum();
            assert_eq!(sum, tree.bonus_given(node as usize));
            assert!(holders.len() <= 1, "{holders:?}");
            for child in holders {
                let bonus = tree.bonus(child);
                assert!(tree.tried(node).contains(&child));
                assert_eq!(last[&block(node)].0, child);
                assert_eq!(last[&block(node)].2, bonus.abs());
                assert_eq!(bonus > 0.0, position.to_move() == Side::First, "wins for the mover");
                let n = f64::from(tree.rows[child].visits) + bonus.abs();
                let mean = (tree.rows[child].sum + bonus) / n;
                let hot = tree.hot[child];
                if hot[MEAN].is_finite() {
                    assert!((f64::from(hot[MEAN]) - mean).abs() < 1e-6);
                }
                assert!((f64::from(hot[RARITY]) - 1.0 / n.sqrt()).abs() < 1e-6);
            }
        }
        let is_at_root = match alpha_beta.root_bonus {
            RootBonus::Never => false,
            RootBonus::AtPZero | RootBonus::Literal => alpha_beta.p == 0.0,
            RootBonus::Always => true,
            RootBonus::Majority => alpha_beta.p < 0.5,
        };
        given_at_root += u32::from(last.contains_key(&block(ROOT)));
        expected_at_root += u32::from(is_at_root);
        assert!(is_at_root || !last.contains_key(&block(ROOT)));
        let from_root = search.coins.log.iter().filter(|event| event.0 == block(ROOT));
        let from = if alpha_beta.p == 0.0 { 1 } else { alpha_beta.root_from };
        assert!(from_root.into_iter().all(|event| event.2 >= from));
    }
    assert!(given > 1000 && moved > 100, "{given} given, {moved} moved");
    assert!(2 * given_at_root > expected_at_root, "{given_at_root} of {expected_at_root}");
}

#[test]
fn the_bonus_is_the_score_times_weight_and_factor() {
    for (score, mover) in [
        (BonusScore::LastLeaf, Side::First),
        (BonusScore::Exact, Side::First),
        (BonusScore::LastLeaf, Side::Second),
        (BonusScore::Exact, Side::Second),
    ] {
        let root = Count { mover, ..start(30) };
        let alpha_beta = AlphaBeta { score, ..mixed(0.0, 3, 5) };
        let mut search = after_rollouts(&root, with(alpha_beta), coarse(), 0);
        let mut differ = 0;
        for depth in 1..=5 {
            let mut last_leaf = 0.0;
            while search.tree.side.intervals.depth(ROOT as usize) <= depth {
                let digest = search.digest;
                search.simulate(Portable);
                // The digest shows what the rollout has found.
                let leaf = [-WIN, -300_000, 0, 300_000, WIN]
                    .map(|value| search.shared.reward(value))
                    .into_iter()
                    .find(|reward| fold(digest, reward.to_bits()) == search.digest);
                last_leaf = leaf.expect("one of these");
            }
            let evaluator = coarse().expect("an evaluation");
            let exact = search.shared.reward(brute(&root, depth, &evaluator, 3));
            differ += u32::from(exact != last_leaf);
            let reward = if score == BonusScore::Exact { exact } else { last_leaf };
            let bonus = ((1.0 + mover.sign() as f64 * reward) / 2.0).max(1e-4)
                * 3.0
                * 2f64.powi(depth as i32);
            assert_eq!(search.tree.bonus_given(ROOT as usize), bonus, "{score:?} {depth}");
        }
        assert!(differ > 0, "the last leaf is not always the value");
    }
}

#[test]
fn rollouts_count_where_they_should() {
    let root = start(200);
    let literal = AlphaBeta { root_bonus: RootBonus::Literal, ..mixed(1e-9, 3, 12) };
    // From the root on, Monte Carlo goes one ply and alpha-beta the rest.
    let visits = |alpha_beta| {
        let search = after_rollouts(&root, with(alpha_beta), coarse(), 60);
        assert_eq!(search.tree.side.intervals.at(ROOT as usize, 2), ANY, "no second ply");
        let below: u32 =
            search.tree.children(ROOT).map(|child| search.tree.rows[child].visits).sum();
        (search.tree.rows[ROOT as usize].visits, below, search.work)
    };
    let (at, below, _) = visits(literal);
    assert!(at > 50 && below == at, "{below} of {at}");
    let unknown = AlphaBeta { update_next: false, ..literal };
    let (at, below, _) = visits(unknown);
    assert!(at > 50 && below == 0, "{below} of {at}");
    let search = after_rollouts(&root, with(unknown), coarse(), 60);
    for child in search.tree.children(ROOT) {
        // Any of the unvisited children may be next, so all of them make progress.
        assert!(search.tree.side.intervals.depth(child) > 1);
    }
    let (at, below, _) = visits(AlphaBeta { values: false, ..literal });
    assert!(at == 0 && below == 0, "{below} of {at}");

    let nodes = |count| visits(AlphaBeta { count, ..literal }).2;
    let rollouts = nodes(CountNodes::Rollouts);
    assert_eq!(rollouts.nodes, rollouts.iterations);
    assert!(nodes(CountNodes::Positions).nodes < nodes(CountNodes::Intervals).nodes);
}

#[test]
fn monte_carlo_begins_a_node_with_a_playout_though_alpha_beta_was_there() {
    let root = start(200);
    let mut search = after_rollouts(&root, with(mixed(0.6, 3, 4)), coarse(), 0);
    let mut late = 0;
    for _ in 0..400 {
        let before: Vec<bool> =
            (0..search.tree.used).map(|node| search.tree.side.intervals.in_tree(node)).collect();
        let plies = search.work.playout_plies;
        search.simulate(Portable);
        let entered: Vec<usize> = (0..before.len())
            .filter(|&node| !before[node] && search.tree.side.intervals.in_tree(node))
            .collect();
        assert!(entered.len() <= 1);
        for node in entered {
            let is_over = search.tree.rows[node].finished();
            assert!(is_over || search.work.playout_plies > plies, "a playout");
            assert_eq!(search.path.last().map(|step| step.node as usize), Some(node));
            late += u32::from(search.tree.rows[node].count > 0);
        }
    }
    assert!(late > 20, "{late} nodes that alpha-beta had given children");
}

#[test]
fn alpha_beta_keeps_to_its_depth() {
    for l in 1..6 {
        let root = start(25);
        let search = after_rollouts(&root, with(mixed(0.3, 2, l)), coarse(), 2000);
        for (node, _) in nodes(&search) {
            assert!(search.tree.side.intervals.depth(node as usize) <= l + 1);
        }
        assert!(search.tree.rows[ROOT as usize].visits > 500, "Monte Carlo goes on");
    }
}

#[test]
fn traps_and_bandit_choose_both_kinds() {
    // From 10, 1 and 2 lose and 3 draws.
    let root = start(15);
    for regime in [RegimeRule::Traps, RegimeRule::Bandit] {
        let alpha_beta = AlphaBeta { regime, ..mixed(0.5, 3, 5) };
        let mut search = after_rollouts(&root, with(alpha_beta), evaluator(), 0);
        let mut playouts = 0;
        let blocks = |search: &Worker<'_, Count>| {
            (0..search.tree.used)
                .filter(|&node| search.tree.side.intervals.block(node).is_some())
                .count()
        };
        for _ in 0..2000 {
            if search.tree.bounds(ROOT as usize).is_exact() {
                break;
            }
            let (plies, before) = (search.work.playout_plies, blocks(&search));
            let trap = nodes(&search).iter().any(|(node, _)| search.has_trap(*node));
            search.simulate(Portable);
            playouts += u32::from(search.work.playout_plies > plies);
            let is_right = regime != RegimeRule::Traps || trap || blocks(&search) == before;
            assert!(is_right, "no trap was seen");
        }
        let blocks = blocks(&search);
        assert!(playouts > 20 && blocks > 20, "{regime:?}: {playouts} and {blocks}");
    }
}

#[test]
fn a_full_arena_keeps_searching_by_monte_carlo() {
    let config = with(mixed(0.3, 3, 6));
    let budget = Budget { memory: Some(20_000), ..Budget::iterations(5000) };
    let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
    let report = search.search(&start(200), Request::new(budget, 5));
    assert_eq!(report.work.iterations, 5000);
    assert!(report.work.memory <= 20_000);
    assert!(report.best_move.is_some());
}

#[test]
fn there_is_a_move_however_little_there_is_to_spend() {
    for p in [0.0, 0.5] {
        let mut search = Rollout::with_evaluator(with(mixed(p, 3, 6)), evaluator()).unwrap();
        for nodes in 1..40 {
            let report = search.search(&start(40), Request::new(Budget::nodes(nodes), nodes));
            assert!(report.best_move.is_some());
            assert_eq!(report.pv.first(), report.best_move.as_ref());
        }
    }
}

#[test]
fn bonuses_beyond_all_measure_do_no_harm() {
    let root = start(40);
    let alpha_beta =
        AlphaBeta { w: 1e9, f: 1e3, root_bonus: RootBonus::Always, ..mixed(0.5, 3, 30) };
    let search = after_rollouts(&root, with(alpha_beta), evaluator(), 3000);
    assert!(search.coins.log.iter().any(|event| event.3 == 1e30));
    assert!(search.tree.hot[..search.tree.used].iter().all(|hot| !hot[MEAN].is_nan()));
}

#[test]
fn selection_counts_bonuses() {
    let root = start(60);
    let config = Config { select: Select::Ucb1, ..with(mixed(0.5, 3, 6)) };
    let search = after_rollouts(&root, config, coarse(), 400);
    let mut checked = 0;
    for (node, position) in nodes(&search) {
        let (tree, row) = (&search.tree, search.tree.rows[node as usize]);
        let given = tree.bonus_given(node as usize);
        let all_in = tree.children(node).all(|child| {
            let visited = f64::from(tree.rows[child].visits) + tree.bonus(child).abs();
            visited > 0.0 && tree.hot[child][MEAN].is_finite()
        });
        if given == 0.0 || row.tried < row.count || row.visits == 0 || !all_in {
            continue;
        }
        let n = f64::from(row.visits) + given.floor();
        let bound = |child: usize| {
            let bonus = tree.bonus(child);
            let visits = f64::from(tree.rows[child].visits) + bonus.abs();
            let mean = position.to_move().sign() as f64 * (tree.rows[child].sum + bonus) / visits;
            mean + 2.0 * config.c * (n.ln() / visits).sqrt()
        };
        let place = search.best_child(Portable, node, &row, position.to_move());
        let selected = row.first as usize + place;
        let best = tree.children(node).map(bound).fold(f64::MIN, f64::max);
        assert!((bound(selected) - best).abs() < 1e-4, "{} of {best}", bound(selected));
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

/// Its name in files is that of the option.
#[test]
fn the_rule_for_regimes_is_read_as_choose() {
    use serde::Deserialize;
    use serde::de::value::{Error, MapDeserializer};
    let read = |name| {
        let fields = MapDeserializer::<_, Error>::new([(name, "bandit")].into_iter());
        AlphaBeta::deserialize(fields).map(|read| read.regime)
    };
    assert_eq!(read("choose"), Ok(RegimeRule::Bandit));
    assert!(read("regime").is_err());
}
