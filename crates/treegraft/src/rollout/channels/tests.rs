//! Implicit minimax backups and what they were compared with do what the paper says, and not
//! something like it.

use crate::rollout::embed::tests::{after, ms, sensible, solver};
use crate::rollout::tests::{Count, check_tree, evaluator, start};
use crate::rollout::tree::{Id, MEAN, ROOT};
use crate::rollout::*;
use crate::{Budget, EVAL_ONE};

fn im(alpha: f64, mixture: Mixture) -> Option<Implicit> {
    Some(Implicit::constant(alpha, mixture))
}

fn search(root: &Count, config: Config, iterations: u64) -> (Rollout<Count>, Report<u8>) {
    let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
    let report = search.search(root, Request::new(Budget::iterations(iterations), 5));
    (search, report)
}

/// The evaluation as a reward.
fn v0(position: &Count) -> f32 {
    match position.outcome() {
        Some(outcome) => outcome.value() as f32,
        None => {
            let value = evaluator().expect("it is there").evaluate(position);
            (f64::from(value) / f64::from(EVAL_ONE)) as f32
        }
    }
}

/// The minimax value of v0 over the tree, by a plain recursion; `None` for a child that the tree
/// knows only as proven.
fn tree_minimax(tree: &Tree<u8>, node: Id, position: &Count, config: &Config) -> Option<f32> {
    let is_valued = |child: usize| {
        config.expand == Expand::All || tree.rows[child].visits > 0 || tree.is_primed(node as usize)
    };
    let values = tree.known(node).filter(|&child| is_valued(child)).filter_map(|child| {
        tree_minimax(tree, child as Id, &after(position, tree.moves[child]), config)
    });
    let best = match position.to_move() {
        Side::First => values.reduce(f32::max),
        Side::Second => values.reduce(f32::min),
    };
    Some(best.unwrap_or_else(|| v0(position)))
}

/// Every node below, with its position.
fn nodes(tree: &Tree<u8>, root: &Count) -> Vec<(usize, Count)> {
    let (mut all, mut open) = (Vec::new(), vec![(ROOT as usize, *root)]);
    while let Some((node, position)) = open.pop() {
        all.push((node, position));
        for child in tree.tried(node as Id) {
            open.push((child, after(&position, tree.moves[child])));
        }
    }
    all
}

fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for solver in [Solver::Off, Solver::Wins, Solver::Draws] {
        for expand in [Expand::One, Expand::All] {
            for playout_from in [PlayoutFrom::Child, PlayoutFrom::Node] {
                let implicit = im(0.4, Mixture::Minimax);
                let plain = Config { solver, expand, playout_from, implicit, ..Config::default() };
                configs.push(plain);
                configs.push(Config { implicit: im(0.4, Mixture::Progressive), ..plain });
                configs.push(Config { embed: ms(2, 1), expand_at: 2, ..plain });
                let ip = Some(Prior { visits: 1, weight: 3 });
                configs.push(Config { informed: Informed { ip, ..Informed::default() }, ..plain });
            }
        }
    }
    configs.into_iter().map(sensible).collect()
}

/// After every simulation; the game has extra turns.
#[test]
fn values_are_the_minimax_of_the_tree() {
    let root = start(30);
    let mut inner = 0;
    for config in configs() {
        for iterations in (1..40).chain([100, 400]) {
            let (search, _) = search(&root, config, iterations);
            let tree = search.tree.as_ref().expect("a tree");
            for (node, position) in nodes(tree, &root) {
                let is_visited = tree.rows[node].visits > 0 || config.expand == Expand::All;
                if !is_visited && node != ROOT as usize {
                    continue;
                }
                let right = tree_minimax(tree, node as Id, &position, &config);
                let value = tree.channel(Channel::Implicit)[node];
                let is_leaf = tree.tried(node as Id).is_empty();
                assert_eq!(Some(value), right, "{iterations} {config:?} {position:?}");
                inner += u32::from(!is_leaf);
            }
        }
    }
    assert!(inner > 20_000, "{inner}");
}

/// What the search reports of itself: where its simulations went.
fn course(config: Config) -> (u64, Vec<u64>) {
    let (_, report) = search(&start(40), config, 3000);
    (report.digest, report.moves.iter().map(|report| report.visits).collect())
}

#[test]
fn without_weight_the_choices_are_those_of_plain_search() {
    for config in configs() {
        let plain = course(Config { implicit: None, ..config });
        for mixture in [Mixture::Minimax, Mixture::Constant, Mixture::Progressive] {
            let config = Config { implicit: im(0.0, mixture), ..config };
            assert_eq!(course(config), plain, "{config:?}");
            assert_ne!(course(Config { implicit: im(0.9, mixture), ..config }), plain);
        }
    }
}

/// What selection sees, by the printed formulas.
#[test]
fn selection_sees_the_mixture() {
    let root = start(40);
    for config in configs() {
        for alpha in [0.0, 0.3, 1.0] {
            for mixture in [Mixture::Minimax, Mixture::Constant, Mixture::Progressive] {
                let config = Config { implicit: im(alpha, mixture), ..config };
                let (search, _) = search(&root, config, 500);
                let tree = search.tree.as_ref().expect("a tree");
                let mut seen = 0;
                for (node, position) in nodes(tree, &root) {
                    let n = tree.weighted_visits(node);
                    if n == 0 || node == ROOT as usize || !tree.hot[node][MEAN].is_finite() {
                        continue;
                    }
                    let mean = tree.rows[node].sum / f64::from(n);
                    let value = f64::from(match mixture {
                        Mixture::Constant => v0(&position),
                        _ => tree_minimax(tree, node as Id, &position, &config).expect("visited"),
                    });
                    let right = match mixture {
                        Mixture::Progressive => {
                            (1.0 - alpha) * mean + alpha * value / f64::from(n + 1)
                        }
                        _ => (1.0 - alpha) * mean + alpha * value,
                    };
                    let is = f64::from(tree.hot[node][MEAN]);
                    assert!((is - right).abs() < 1e-5, "{is} {right} {config:?}");
                    seen += 1;
                }
                assert!(seen > 5, "{seen} {config:?}");
            }
        }
    }
}

/// The weight falls with what it should fall with, and with nothing else.
#[test]
fn a_weight_that_falls() {
    let (root, alpha, rate) = (start(40), 0.8, 2.0);
    for config in configs() {
        for by in [WeightBy::Visits, WeightBy::Depth, WeightBy::Disagreement] {
            let implicit = Some(Implicit { alpha, mixture: Mixture::Minimax, by, rate });
            let config = Config { implicit, ..config };
            let (search, _) = search(&root, config, 500);
            let tree = search.tree.as_ref().expect("a tree");
            let (mut open, mut seen) = (vec![(ROOT as usize, root, 0)], 0);
            while let Some((node, position, depth)) = open.pop() {
                for child in tree.tried(node as Id) {
                    open.push((child, after(&position, tree.moves[child]), depth + 1));
                }
                let n = tree.weighted_visits(node);
                if n == 0 || depth == 0 || !tree.hot[node][MEAN].is_finite() {
                    continue;
                }
                let mean = tree.rows[node].sum / f64::from(n);
                let value = tree_minimax(tree, node as Id, &position, &config).expect("visited");
                let x = match by {
                    WeightBy::Nothing => 0.0,
                    WeightBy::Visits => f64::from(n) / 1000.0,
                    WeightBy::Depth => f64::from(depth),
                    WeightBy::Disagreement => (mean - f64::from(value)).abs(),
                };
                let weight = alpha / (1.0 + rate * x);
                let right = (1.0 - weight) * mean + weight * f64::from(value);
                let is = f64::from(tree.hot[node][MEAN]);
                assert!((is - right).abs() < 1e-5, "{is} {right} {depth} {config:?}");
                seen += 1;
            }
            assert!(seen > 5, "{seen} {config:?}");
        }
    }
}

/// At a rate of 0 every kind is the paper's constant weight, bit for bit.
#[test]
fn a_weight_that_does_not_fall() {
    for config in configs() {
        let constant = Config { implicit: im(0.4, Mixture::Minimax), ..config };
        for by in [WeightBy::Visits, WeightBy::Depth, WeightBy::Disagreement] {
            let implicit = Some(Implicit { by, ..constant.implicit.expect("im") });
            assert_eq!(course(Config { implicit, ..config }), course(constant), "{by:?}");
        }
    }
}

/// Neither rewards nor the answer know the second value.
#[test]
fn nothing_but_selection_sees_it() {
    for config in configs() {
        let (search, report) = search(&start(40), config, 2000);
        let tree = search.tree.as_ref().expect("a tree");
        let root = &tree.rows[ROOT as usize];
        if config.solver == Solver::Off && config.informed.ip.is_none() {
            assert_eq!(root.sum, root.sum.round(), "rewards are whole numbers");
        }
        for child in tree.tried(ROOT) {
            let mv = tree.moves[child];
            let told = report.moves.iter().find(|report| report.mv == mv).expect("a move");
            assert_eq!(told.value, tree.value(child));
        }
        check_tree(&search, start(40));
    }
}

/// The answer follows visits or mean rewards, however selection was led astray.
#[test]
fn the_final_move_does_not_see_it() {
    let mut astray = 0;
    for config in configs().into_iter().filter(|config| config.solver == Solver::Off) {
        let implicit = im(0.9, Mixture::Minimax);
        let config = Config { final_move: FinalMove::Value, implicit, ..config };
        for goal in 30..40 {
            let (search, report) = search(&start(goal), config, 300);
            let tree = search.tree.as_ref().expect("a tree");
            let best = |score: &dyn Fn(usize) -> f64| {
                let children = tree.tried(ROOT).filter(|&child| tree.weighted_visits(child) > 0);
                children.map(score).reduce(f64::max).expect("a visited child")
            };
            let mean = |child: usize| tree.value(child).expect("visited");
            let seen = |child: usize| f64::from(tree.hot[child][MEAN]);
            let chosen = tree.tried(ROOT).find(|&it| Some(tree.moves[it]) == report.best_move);
            let chosen = chosen.expect("a move");
            assert_eq!(mean(chosen), best(&mean), "the first player moves");
            astray += u32::from(seen(chosen) < best(&seen));
        }
    }
    assert!(astray > 10, "{astray}");
}

/// The evaluation says that the first player has won everywhere: nothing is proven by that.
#[test]
fn an_evaluation_proves_nothing() {
    let sure = crate::Evaluator::plain("sure", "a test", |_: &Count| EVAL_ONE - 1);
    for solver in [Solver::Wins, Solver::Draws, Solver::Margins] {
        for expand in [Expand::One, Expand::All] {
            let implicit = im(0.7, Mixture::Minimax);
            let config = Config { solver, expand, implicit, ..Config::default() };
            let mut search = Rollout::with_evaluator(config, Some(sure.clone())).unwrap();
            for goal in 12..25 {
                search.search(&start(goal), Request::new(Budget::iterations(300), 1));
                check_tree(&search, start(goal));
            }
        }
    }
}

/// Each simulation by hand: the leaf's reward goes up, and from a node with enough visits the best
/// value of its children does.
#[test]
fn maximum_backpropagation_hands_up_the_best_mean() {
    let root = start(30);
    for visits in [1, 4, 20] {
        let config = Config { max_backpropagation: Some(visits), ..solver(Embed::default()) };
        let mut changed = 0;
        for iterations in 1..120 {
            let before = search(&root, config, iterations).0;
            let now = search(&root, config, iterations + 1).0;
            let (before, now) = (before.tree.expect("a tree"), now.tree.expect("a tree"));
            if now.bounds(ROOT as usize).is_exact() {
                break;
            }
            // Rows keep their places while nothing is excluded.
            let gain = |node: usize| now.rows[node].sum - before.rows[node].sum;
            let is_on_path = |node: usize| {
                node < before.used && now.rows[node].visits == before.rows[node].visits + 1
            };
            for (node, position) in nodes(&now, &root) {
                let next = now.tried(node as Id).find(|&child| is_on_path(child));
                let Some(child) = next.filter(|_| is_on_path(node)) else { continue };
                let best = |node: usize, mover: Side| {
                    let sign = mover.sign() as f64;
                    let means = now.tried(node as Id).filter(|&it| now.rows[it].visits > 0);
                    let means = means.filter(|&it| now.hot[it][MEAN].is_finite());
                    let means = means.map(|it| sign * f64::from(now.hot[it][MEAN]));
                    means.reduce(f64::max).map(|best| sign * best)
                };
                let mover = after(&position, now.moves[child]).to_move();
                let right = match best(child, mover) {
                    Some(best) if now.rows[child].visits >= visits => best,
                    _ => gain(child),
                };
                assert!((gain(node) - right).abs() < 1e-5, "{iterations} {visits}");
                changed += u32::from((gain(node) - gain(child)).abs() > 1e-5);
            }
        }
        assert!(changed > 10, "{changed} {visits}");
    }
    let never = Config { max_backpropagation: Some(u32::MAX), ..Config::default() };
    assert_eq!(course(never), course(Config::default()));
}
