//! Strategy switching does what the poster says.

use super::*;
use crate::rollout::tests::{Count, evaluator, start};
use crate::rollout::{Config, Informed, Rollout, Solver, Switch};
use crate::{Budget, Ipp, Report, Request, Searcher};

const SWITCH: Switch = Switch { b: 0.5, keep: false, band: None, sides: false };

fn strategies() -> Vec<Strategy<Count>> {
    let evaluator = evaluator().expect("one");
    let hints = Strategy { name: "hints".into(), playouts: Playouts::Hints, ..Strategy::random() };
    let mast = Strategy { name: "mast".into(), mast: Some(0.3), ..Strategy::random() };
    let improved = Playouts::Improved(Ipp::Program);
    let ipp = Strategy { name: "ipp".into(), playouts: improved, ..Strategy::random() };
    let sometimes = Strategy {
        name: "sometimes".into(),
        greedy: Some((0.3, evaluator.clone())),
        ..Strategy::random()
    };
    vec![Strategy::random(), Strategy::greedy(evaluator), sometimes, hints, ipp, mast]
}

fn search(
    config: Config,
    strategies: Vec<Strategy<Count>>,
    iterations: u64,
) -> (Rollout<Count>, Report<u8>) {
    let mut search = Rollout::with_strategies(config, None, strategies).unwrap();
    let report = search.search(&start(40), Request::new(Budget::iterations(iterations), 5));
    (search, report)
}

fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for solver in [Solver::Off, Solver::Wins] {
        for (band, sides) in [(None, false), (None, true), (Some(2), false), (Some(3), true)] {
            let switch = Some(Switch { band, sides, ..SWITCH });
            configs.push(Config { switch, solver, ..Config::default() });
        }
    }
    configs
}

/// What the search would be without a bandit.
fn alone(strategy: &Strategy<Count>) -> Report<u8> {
    let (ir, evaluator) = strategy.greedy.clone().unzip();
    let config = Config {
        playouts: strategy.playouts,
        mast: strategy.mast,
        informed: Informed { ir, ..Informed::default() },
        ..Config::default()
    };
    let mut search = Rollout::with_evaluator(config, evaluator).unwrap();
    search.search(&start(40), Request::new(Budget::iterations(1500), 5))
}

#[test]
fn one_strategy_is_that_strategy() {
    let mut digests = Vec::new();
    for strategy in strategies() {
        let expected = alone(&strategy);
        for config in configs().into_iter().filter(|config| config.solver == Solver::Off) {
            let is_by_sides = config.switch.is_some_and(|switch| switch.sides);
            let (_, report) = search(config, vec![strategy.clone()], 1500);
            assert_eq!(report.digest, expected.digest, "{} {config:?}", strategy.name);
            let work = |report: &Report<u8>| (report.work.iterations, report.work.playout_plies);
            assert_eq!(work(&report), work(&expected), "{is_by_sides}");
        }
        digests.push(expected.digest);
    }
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 5, "only ipp is random, in a game without weights");
}

#[test]
fn counts_add_up_to_the_playouts() {
    for config in configs() {
        let mut search = Rollout::with_strategies(config, None, strategies()).unwrap();
        // No simulation reaches the end of the game without a playout.
        let far = Count { count: 14, ..start(200) };
        let report = search.search(&far, Request::new(Budget::iterations(700), 5));
        let sides = if config.switch.is_some_and(|switch| switch.sides) { 2 } else { 1 };
        assert_eq!(report.strategies.len(), 6 * sides);
        let playouts: u64 = report.strategies.iter().map(|it| it.playouts).sum();
        assert_eq!(playouts, 700 * sides as u64);
        for told in &report.strategies {
            assert!(told.playouts > 0 && told.mean.is_some_and(|mean| mean.abs() <= 1.0));
            let times: Vec<u64> = told.course.iter().map(|arm| arm.times).collect();
            assert!(times.is_sorted() && (16..64).contains(&times.len()));
            assert!(times.last() <= Some(&told.playouts));
        }
        let names: Vec<&str> = report.strategies.iter().map(|it| &*it.name).collect();
        assert_eq!(names[..6], ["random", "test", "sometimes", "hints", "ipp", "mast"]);
    }
}

/// The choices are those of the printed formula.
#[test]
fn the_bandit_is_ucb1() {
    let mut bandit = Bandit::new(3);
    let (mut times, mut sums) = ([0.0; 3], [0.0; 3]);
    for n in 0..2000 {
        let values: Vec<f64> = (0..3)
            .map(|i: usize| {
                let q: f64 = (sums[i] / times[i] + 1.0) / 2.0;
                if times[i] == 0.0 {
                    f64::INFINITY
                } else {
                    q + 0.7 * (f64::from(n).ln() / times[i]).sqrt()
                }
            })
            .collect();
        let chosen = bandit.choose(0.7);
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(values[chosen] >= best - 1e-12, "{n} {values:?}");
        let reward = [0.1, -0.2, 0.15][chosen] + if n % 2 == 0 { 0.3 } else { -0.3 };
        bandit.pay(chosen, reward);
        times[chosen] += 1.0;
        sums[chosen] += reward;
    }
    let counts: Vec<u64> = bandit.arms.iter().map(|arm| arm.times).collect();
    assert_eq!(counts.iter().sum::<u64>(), 2000);
    assert!(counts[1] < counts[0] && counts[0] < counts[2] + 400, "{counts:?}");
}

/// What a bandit remembers, and when it forgets.
#[test]
fn a_kept_bandit_remembers_until_a_new_game() {
    for keep in [false, true] {
        let config = Config { switch: Some(Switch { keep, ..SWITCH }), ..Config::default() };
        let (mut search, first) = search(config, strategies(), 300);
        let mut again = || search.search(&start(40), Request::new(Budget::iterations(300), 6));
        let times = |report: &Report<u8>| {
            report.strategies.iter().map(|it| it.playouts).collect::<Vec<u64>>()
        };
        let second = again();
        // A report is about its own search only.
        assert!(times(&second).iter().sum::<u64>() <= 300);
        let last = second.strategies.iter().filter_map(|it| it.course.last());
        assert_eq!(last.map(|arm| arm.times).collect::<Vec<u64>>(), times(&second));
        // A bandit that remembers need not try every strategy again.
        let begun = second.strategies.iter().filter_map(|it| it.course.get(5));
        let tried = begun.filter(|arm| arm.times > 0).count();
        assert_eq!(tried == 6, !keep, "{tried}");
        search.new_game();
        let fresh = search.search(&start(40), Request::new(Budget::iterations(300), 5));
        assert_eq!(fresh, Report { work: fresh.work, ..first });
    }
}

/// The rewards of all playouts of a search from here, in the first player's view, as the tree has them.
fn sum_of_rewards(root: &Count, config: Config) -> (f64, Report<u8>) {
    let mut search = Rollout::with_strategies(config, None, strategies()).unwrap();
    let report = search.search(root, Request::new(Budget::iterations(800), 5));
    let sum: f64 = report.moves.iter().map(|mv| mv.value.unwrap_or(0.0) * mv.visits as f64).sum();
    (sum, report)
}

/// The strategies are paid what the player at the root gets, or each side's own what that side gets.
#[test]
fn strategies_are_paid_for_whom_they_play() {
    // No simulation reaches the end of the game without a playout.
    let far = Count { count: 14, ..start(200) };
    for mover in [Side::First, Side::Second] {
        let root = Count { mover, ..far };
        for sides in [false, true] {
            let switch = Some(Switch { sides, ..SWITCH });
            let (sum, report) = sum_of_rewards(&root, Config { switch, ..Config::default() });
            assert!(sum.abs() > 20.0, "{sum}");
            let paid = |side| {
                let all = report.strategies.iter().filter(|it| it.side == side);
                all.map(|it| it.mean.unwrap_or(0.0) * it.playouts as f64).sum::<f64>()
            };
            if sides {
                assert!((paid(Some(Side::First)) - sum).abs() < 1e-3, "{sum}");
                assert!((paid(Some(Side::Second)) + sum).abs() < 1e-3, "{sum}");
            } else {
                assert!((paid(None) - mover.sign() as f64 * sum).abs() < 1e-3, "{sum}");
            }
        }
    }
}

/// Every band has a bandit of its own, which tries every strategy.
#[test]
fn bands_have_their_own_bandits() {
    let far = Count { count: 14, ..start(200) };
    for (band, least) in [(None, 1), (Some(1), 3), (Some(2), 2)] {
        let switch = Some(Switch { band, ..SWITCH });
        let config = Config { switch, ..Config::default() };
        let mut search = Rollout::with_strategies(config, None, strategies()).unwrap();
        search.search(&far, Request::new(Budget::iterations(800), 5));
        let bandits = &search.bandits;
        let used = bandits.iter().filter(|[bandit, _]| bandit.arms[0].times > 0);
        let used: Vec<_> = used.collect();
        assert!(used.len() >= least && (band.is_some() || used.len() == 1), "{band:?}");
        let is_tried = |[bandit, _]: &&&[Bandit; 2]| bandit.arms.iter().all(|arm| arm.times > 0);
        assert!(used.iter().filter(is_tried).count() >= least, "{band:?}");
    }
}
