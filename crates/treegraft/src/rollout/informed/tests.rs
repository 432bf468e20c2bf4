//! MCTS-IR, MCTS-IC and MCTS-IP do what the paper says, and not something like it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::Event;
use crate::bits::Portable;
use crate::depth_first::Shallow;
use crate::rollout::embed::tests::{after, begin_search, moves, mr, solver, win_loss};
use crate::rollout::tests::{Count, evaluator, start};
use crate::rollout::*;
use crate::{Budget, EVAL_ONE, Knowledge};

/// An evaluation that often sees no difference.
pub(in crate::rollout) fn coarse() -> Option<Evaluator<Count>> {
    let evaluate = |at: &Count| (i32::from(at.count) / 2 % 3 - 1) * 300_000;
    Some(Evaluator::plain("coarse", "a test", evaluate))
}

const WIN: i64 = Shallow::<Count>::WIN;

/// The value in the first player's view, by brute force over all moves, or over the first k.
pub(in crate::rollout) fn brute(
    position: &Count,
    depth: u32,
    evaluator: &Evaluator<Count>,
    k: usize,
) -> i64 {
    match position.outcome() {
        Some(outcome) => WIN * outcome.value(),
        None if depth == 0 => i64::from(evaluator.evaluate(position)),
        None => {
            let mut moves = moves(position);
            moves.sort_by_key(|&mv| Reverse(position.knowledge().order_hint(mv)));
            moves.truncate(k);
            let values = moves.into_iter().map(|mv| {
                let next = after(position, mv);
                brute(&next, depth - 1, evaluator, k)
            });
            if position.to_move() == Side::First { values.max() } else { values.min() }
                .expect("a move")
        }
    }
}

/// The moves that are best for the mover, `depth` plies deep.
fn best_moves(at: &Count, depth: u32, evaluator: &Evaluator<Count>, among: &[u8]) -> BTreeSet<u8> {
    best_of_k(at, depth, evaluator, among, usize::MAX)
}

/// The same where the replies are k-best.
fn best_of_k(
    at: &Count,
    depth: u32,
    evaluator: &Evaluator<Count>,
    among: &[u8],
    k: usize,
) -> BTreeSet<u8> {
    let sign = at.to_move().sign();
    let value = |mv: u8| sign * brute(&after(at, mv), depth - 1, evaluator, k);
    let best = among.iter().map(|&mv| value(mv)).max().expect("a move");
    among.iter().copied().filter(|&mv| value(mv) == best).collect()
}

/// The logistic curve, as it is printed.
pub(super) fn reward(value: i64, slope: f64) -> f64 {
    let x = (value as f64 / f64::from(EVAL_ONE) + 1.0) / 2.0;
    match value.abs() {
        WIN => value.signum() as f64,
        _ if slope == 0.0 => 2.0 * x - 1.0,
        _ => 2.0 / (1.0 + (-slope * (x - 0.5)).exp()) - 1.0,
    }
}

pub(super) fn informed(informed: Informed) -> Config {
    Config { informed, ..Config::default() }
}

fn ir(epsilon: f64, ir_depth: u32) -> Informed {
    Informed { ir: Some(epsilon), ir_depth, ..Informed::default() }
}

fn ic(plies: u32, ic_depth: u32) -> Informed {
    Informed { ic: Some(plies), ic_depth, ..Informed::default() }
}

pub(super) fn ip(visits: u32, weight: u16, ip_depth: u32) -> Informed {
    Informed { ip: Some(Prior { visits, weight }), ip_depth, ..Informed::default() }
}

pub(super) fn search(
    root: &Count,
    config: Config,
    evaluator: Option<Evaluator<Count>>,
    iterations: u64,
) -> (Rollout<Count>, Report<u8>) {
    let mut search = Rollout::with_evaluator(config, evaluator).unwrap();
    let report = search.search(root, Request::new(Budget::iterations(iterations), 5));
    (search, report)
}

/// How often each move was played at each position of playouts, greedily or not.
fn playout_counts(log: &[Event<Count>], greedy: bool) -> Vec<(Count, BTreeMap<u8, u32>)> {
    let mut counts: Vec<(Count, BTreeMap<u8, u32>)> = Vec::new();
    for event in log {
        let Event::Playout(at, mv, is_greedy) = event else { continue };
        if *is_greedy != greedy {
            continue;
        }
        let place = counts.iter().position(|(known, _)| known == at).unwrap_or_else(|| {
            counts.push((*at, BTreeMap::new()));
            counts.len() - 1
        });
        *counts[place].1.entry(*mv).or_default() += 1;
    }
    counts
}

fn assert_uniform(at: &Count, counts: &BTreeMap<u8, u32>, right: &BTreeSet<u8>) {
    assert!(counts.keys().all(|mv| right.contains(mv)), "{at:?} {counts:?} {right:?}");
    let share = f64::from(counts.values().sum::<u32>()) / right.len() as f64;
    for mv in right {
        let n = f64::from(counts.get(mv).copied().unwrap_or(0));
        assert!((n - share).abs() < 5.0 * share.sqrt() + 1.0, "{at:?} {counts:?} {right:?}");
    }
}

/// Every playout move, the first included, is one of the best, uniformly.
#[test]
fn ir_values_every_playout_move() {
    let mut choices = 0;
    for depth in 1..=4 {
        for evaluator in [evaluator, coarse] {
            let (search, report) = search(&start(40), informed(ir(0.0, depth)), evaluator(), 2000);
            let log = &search.informed.log;
            let mut plies = 0;
            for pair in log.windows(2) {
                if let [Event::Start(at), next] = pair {
                    // The first move of a playout, at the new node, follows the policy too.
                    assert!(matches!(next, Event::Playout(first, _, true) if first == at));
                }
                if let [Event::Playout(at, mv, _), Event::Playout(next, ..)] = pair {
                    assert_eq!(after(at, *mv), *next);
                }
            }
            plies += log.iter().filter(|event| matches!(event, Event::Playout(..))).count();
            assert_eq!(plies as u64, report.work.playout_plies);
            assert!(playout_counts(log, false).is_empty());
            for (at, counts) in playout_counts(log, true) {
                let right = best_moves(&at, depth, &evaluator().unwrap(), &moves(&at));
                assert_uniform(&at, &counts, &right);
                choices += usize::from(right.len() < moves(&at).len());
            }
        }
    }
    assert!(choices > 200, "{choices}");
}

/// Ties go to the first of the best, if that is configured.
#[test]
fn ties_may_go_to_the_first() {
    let mut ties = 0;
    for evaluator in [evaluator, coarse] {
        let first = Informed { ties: Ties::First, ..ir(0.0, 2) };
        let (search, _) = search(&start(40), informed(first), evaluator(), 2000);
        for (at, counts) in playout_counts(&search.informed.log, true) {
            let right = best_moves(&at, 2, &evaluator().unwrap(), &moves(&at));
            let first = moves(&at).into_iter().find(|mv| right.contains(mv));
            assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [first.expect("a move")]);
            ties += usize::from(right.len() > 1);
        }
    }
    assert!(ties > 9, "{ties}");
}

/// With k-best, playout moves are among the first k by the game's hints; ordering alone changes
/// nothing.
#[test]
fn k_best_and_ordering_in_playouts() {
    for (k, order) in [(None, true), (Some(1), false), (Some(2), true)] {
        for depth in 1..=3 {
            // At depth 1 there is nothing to order.
            let embed = Embed { k, order: order && depth > 1, ..Embed::default() };
            let config = Config { embed, ..informed(ir(0.0, depth)) };
            let (search, _) = search(&start(40), config, coarse(), 1000);
            for (at, counts) in playout_counts(&search.informed.log, true) {
                let k = k.map_or(usize::MAX, |k| k as usize);
                let mut first = moves(&at);
                first.sort_by_key(|&mv| Reverse(at.knowledge().order_hint(mv)));
                first.truncate(k);
                let right = best_of_k(&at, depth, &coarse().unwrap(), &first, k);
                assert_uniform(&at, &counts, &right);
            }
        }
    }
}

/// With epsilon 1 playouts are random ones and nothing is evaluated; in between, it is the share
/// of random moves.
#[test]
fn epsilon_is_the_share_of_random_moves() {
    for epsilon in [1.0, 0.3] {
        let (search, report) = search(&start(40), informed(ir(epsilon, 1)), coarse(), 3000);
        let log = &search.informed.log;
        let mut random = 0;
        for (at, counts) in playout_counts(log, false) {
            assert_uniform(&at, &counts, &moves(&at).into_iter().collect());
            random += counts.values().sum::<u32>();
        }
        let share = f64::from(random) / report.work.playout_plies as f64;
        assert!((share - epsilon).abs() < 0.01, "{share}");
        let playouts = log.iter().filter(|event| matches!(event, Event::Start(_))).count() as u64;
        assert_eq!(report.work.evaluations == playouts, epsilon == 1.0);
    }
    // The rewards are those of plain playouts too.
    let root = start(61);
    let mean = |config| search(&root, config, coarse(), 20_000).1.value;
    let plain = Config { expand_at: u32::MAX, ..Config::default() };
    let random = Config { informed: ir(1.0, 1), ..plain };
    let greedy = Config { informed: ir(0.0, 1), ..plain };
    assert!((mean(plain) - mean(random)).abs() < 0.05);
    assert!((mean(plain) - mean(greedy)).abs() > 0.1);
}

/// MCTS-MR comes first: its wins are played, and MCTS-IR picks from what it leaves.
#[test]
fn ir_chooses_from_what_mr_leaves() {
    let evaluator = evaluator().unwrap();
    let config = Config { embed: mr(3), ..informed(ir(0.0, 2)) };
    let (search, _) = search(&start(30), config, Some(evaluator.clone()), 2000);
    let mut left_out = 0;
    for (at, counts) in playout_counts(&search.informed.log, true) {
        let value = |mv: u8| win_loss(&after(&at, mv), 2, at.to_move());
        let all = moves(&at);
        assert!(all.iter().all(|&mv| value(mv) < 1), "a win is not for choosing: {at:?}");
        let safe: Vec<u8> = all.iter().copied().filter(|&mv| value(mv) == 0).collect();
        let among = if safe.is_empty() { &all } else { &safe };
        assert_uniform(&at, &counts, &best_moves(&at, 2, &evaluator, among));
        left_out += usize::from(among.len() < all.len());
    }
    assert!(left_out > 0);
}

/// A playout is cut off exactly `ic` plies after the new node, and its reward is the value there
/// in the first player's view, whoever is to move. A game that ends earlier counts with its
/// outcome.
#[test]
fn ic_cuts_after_exactly_its_plies() {
    let evaluator = evaluator().unwrap();
    let (mut cuts, mut ends, mut seconds, mut extra) = (0, 0, 0, 0);
    for plies in 0..=4u32 {
        for depth in 0..=3 {
            for slope in [0.0, 16.0] {
                // Random moves are MCTS-IR's, so that they are in the log.
                let choice = Informed { ir: (plies > 0).then_some(1.0), slope, ..ic(plies, depth) };
                let root = start(20);
                let mut search = begin_search(&root, informed(choice), Some(evaluator.clone()));
                for _ in 0..200 {
                    let before: Vec<f64> = search.tree.rows.iter().map(|row| row.sum).collect();
                    search.informed.log.clear();
                    search.simulate(Portable);
                    let leaf = search.path.last().unwrap().node as usize;
                    let got = search.tree.rows[leaf].sum - before.get(leaf).unwrap_or(&0.0);
                    let log = &search.informed.log;
                    let Some(Event::Start(new)) = log.first() else {
                        assert!(log.is_empty() && search.tree.rows[leaf].finished());
                        continue;
                    };
                    let mut at = root;
                    for step in &search.path[1..] {
                        at = after(&at, search.tree.moves[step.node as usize]);
                    }
                    assert_eq!(*new, at, "the playout begins at the new node");
                    let mut played = 0;
                    for event in &log[1..] {
                        match event {
                            Event::Playout(from, mv, _) => {
                                assert_eq!(*from, at);
                                at = after(&at, *mv);
                                played += 1;
                                extra += u32::from(*mv == 3);
                            }
                            Event::Cut(there, _) => assert_eq!(*there, at),
                            other => panic!("{other:?}"),
                        }
                    }
                    let expected = match at.outcome() {
                        Some(outcome) => {
                            assert!(played <= plies);
                            ends += 1;
                            outcome.value() as f64
                        }
                        None => {
                            assert_eq!(played, plies);
                            cuts += 1;
                            seconds += u32::from(at.to_move() == Side::Second);
                            reward(brute(&at, depth, &evaluator, usize::MAX), slope)
                        }
                    };
                    assert!((got - expected).abs() < 1e-9, "{at:?}: {got} {expected}");
                }
            }
        }
    }
    assert!(cuts > 1000 && ends > 100 && seconds > 300 && extra > 300);
    // Without MCTS-IR, far from the end: three plies and one evaluation per simulation.
    let far = Count { count: 20, ..start(250) };
    let (_, report) = search(&far, informed(ic(3, 0)), Some(evaluator.clone()), 500);
    assert_eq!((report.work.playout_plies, report.work.evaluations), (1500, 500));
}

/// The embedded search is minimax; with k-best, minimax over the best k moves.
#[test]
fn the_search_inside_is_minimax() {
    let mut saved = 0;
    for evaluator in [evaluator, coarse] {
        let truth = evaluator().unwrap();
        for count in (0..24).filter(|&count| count != 13) {
            for depth in 0..7 {
                let position = Count { count, ..start(24) };
                for (k, order) in [(None, false), (None, true), (Some(1), false), (Some(2), true)] {
                    let mut search = Shallow::new(evaluator());
                    (search.k, search.order) = (k, order);
                    let most = k.map_or(usize::MAX, |k| k as usize);
                    let value = brute(&position, depth, &truth, most);
                    for me in [Side::First, Side::Second] {
                        let found = search.value(&position, depth, me);
                        assert_eq!(found, me.sign() * value, "{position:?} {depth} {k:?}");
                    }
                    let mut alarm = Alarm::default();
                    for alpha in [value - 1, value, value + 1] {
                        let found =
                            search.value_above(alpha, &position, depth, Side::First, &mut alarm);
                        let found = found.expect("no alarm");
                        assert!(if alpha < value { found == value } else { found <= alpha });
                    }
                    saved += u32::from(k.is_none() && search.nodes < 3u64.pow(depth));
                }
            }
        }
    }
    assert!(saved > 20, "{saved}");
}

/// Options that are off change nothing, and those that are on do.
#[test]
fn nothing_asked_is_the_plain_search() {
    let root = start(40);
    let digest = |choice: Informed| {
        let config = Config { informed: choice, ..solver(Embed::default()) };
        search(&root, config, evaluator(), 1000).1.digest
    };
    let plain = search(&root, solver(Embed::default()), None, 1000).1.digest;
    assert_eq!(digest(Informed::default()), plain);
    for unused in [
        Informed { ir_depth: 3, ..Informed::default() },
        Informed { ic_depth: 2, ..Informed::default() },
        Informed { ip_depth: 2, ..Informed::default() },
        Informed { slope: 5.0, ..Informed::default() },
        ip(1, 0, 0),
    ] {
        assert!(informed(unused).check().is_err(), "{unused:?}");
    }
    let mut digests: Vec<u64> = [
        ir(0.1, 1),
        ir(0.1, 2),
        ic(3, 0),
        ic(3, 1),
        Informed { slope: 5.0, ..ic(3, 0) },
        ip(1, 5, 0),
        ip(1, 5, 1),
        ip(2, 5, 0),
        ip(1, 6, 0),
    ]
    .map(digest)
    .into_iter()
    .chain([plain])
    .collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 10);
}

/// Evaluations are work like any other, and time is kept.
#[test]
fn budgets_hold_inside() {
    let config = informed(ir(0.0, 1));
    let budget = Budget { evaluations: Some(5000), ..Budget::default() };
    let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
    let report = search.search(&start(60), Request::new(budget, 1));
    assert_eq!(report.stop, Stop::Spent(Limit::Evaluations));
    assert!((5000..5200).contains(&report.work.evaluations), "{:?}", report.work);
    for choice in [ir(0.0, 80), ic(2, 80), ip(0, 3, 80)] {
        let clock = Instant::now();
        let mut search = Rollout::with_evaluator(informed(choice), evaluator()).unwrap();
        let budget = Budget::time(Duration::from_millis(20));
        let report = search.search(&start(250), Request::new(budget, 1));
        assert_eq!(report.stop, Stop::Spent(Limit::Time), "{choice:?}");
        assert!(report.best_move.is_some());
        assert!(clock.elapsed() < Duration::from_secs(2), "{choice:?}");
        // The next search has an alarm of its own.
        let mut fresh = Rollout::with_evaluator(informed(choice), evaluator()).unwrap();
        let [again, fresh] = [&mut search, &mut fresh]
            .map(|search| search.search(&start(10), Request::new(Budget::iterations(50), 1)));
        assert_eq!(again.digest, fresh.digest, "{choice:?}");
    }
}
