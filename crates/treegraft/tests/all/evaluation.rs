//! Evaluations with state: searched as plain functions are, and shared between threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use treegraft::depth_first::{self, DepthFirst};
use treegraft::rollout::prove::{self, Prover};
use treegraft::rollout::{self, Informed, Rollout};
use treegraft::{
    Budget, EVAL_ONE, Evaluate, Evaluator, Game, Outcome, Report, Request, Searcher, Side,
};

/// Two players take any number from one of three heaps in turn; whoever takes the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Heaps {
    heaps: [u8; 3],
    mover: Side,
}

const START: Heaps = Heaps { heaps: [7, 8, 9], mover: Side::First };

impl Game for Heaps {
    type Move = (u8, u8);

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<(u8, u8)>) {
        let takes = |heap: u8| (1..=self.heaps[usize::from(heap)]).map(move |take| (heap, take));
        moves.extend((0..3).flat_map(takes));
    }

    fn play(&mut self, (heap, take): (u8, u8)) {
        self.heaps[usize::from(heap)] -= take;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; 3]).then_some(Outcome::Win(self.mover.other()))
    }
}

/// The value of every heap for the side to move, and how often it was computed.
#[derive(Default)]
struct Weights {
    by_heap: [i32; 3],
    asked: &'static [AtomicU64],
}

impl Evaluate<Heaps> for Weights {
    fn evaluate(&self, position: &Heaps) -> i32 {
        if let [asked] = self.asked {
            asked.fetch_add(1, Ordering::Relaxed);
        }
        weighed(self.by_heap, position)
    }
}

const BY_HEAP: [i32; 3] = [3, -5, 2];

fn weighed(by_heap: [i32; 3], position: &Heaps) -> i32 {
    let heaps = by_heap.iter().zip(position.heaps);
    let sum: i32 = heaps.map(|(worth, stones)| worth * i32::from(stones)).sum();
    position.mover.sign() as i32 * EVAL_ONE / 100 * sum
}

fn plain() -> Evaluator<Heaps> {
    Evaluator::plain("plain", "a test", |position| weighed(BY_HEAP, position))
}

fn shared(by_heap: [i32; 3]) -> Evaluator<Heaps> {
    Evaluator::shared("shared", "a test", Weights { by_heap, ..Weights::default() })
}

/// What alpha-beta, MCTS-IC and FSSS find.
fn searches(evaluator: &Evaluator<Heaps>) -> [Report<(u8, u8)>; 3] {
    let config = depth_first::Config { depth: Some(3), ..depth_first::Config::default() };
    let alpha_beta = DepthFirst::new(config, Some(evaluator.clone())).unwrap();
    let informed = Informed { ic: Some(1), ic_depth: 1, ..Informed::default() };
    let config = rollout::Config { informed, ..rollout::Config::default() };
    let mcts = Rollout::with_evaluator(config, Some(evaluator.clone())).unwrap();
    let config = prove::Config { depth: Some(3), ..prove::Config::default() };
    let fsss = Prover::new(config, Some(evaluator.clone())).unwrap();
    let searches: [Box<dyn Searcher<Heaps>>; 3] =
        [Box::new(alpha_beta), Box::new(mcts), Box::new(fsss)];
    let budget = Budget { iterations: Some(2000), ..Budget::default() };
    searches.map(|mut search| search.search(&START, Request::new(budget, 1)))
}

#[test]
fn a_search_sees_the_numbers_and_not_where_they_come_from() {
    let expected = searches(&plain());
    for evaluator in [
        shared(BY_HEAP),
        Evaluator::shared("closure", "a test", |position: &Heaps| weighed(BY_HEAP, position)),
    ] {
        for (found, expected) in searches(&evaluator).iter().zip(&expected) {
            assert!(expected.work.evaluations > 100, "{evaluator:?}: {expected:?}");
            assert_eq!(found.digest, expected.digest, "{evaluator:?}");
            assert_eq!(found.best_move, expected.best_move, "{evaluator:?}");
        }
    }
}

#[test]
fn other_weights_make_another_search() {
    let digests = |by_heap| searches(&shared(by_heap)).map(|report| report.digest);
    let [one, other] = [BY_HEAP, [-4, 1, 6]].map(digests);
    for (one, other) in one.iter().zip(other) {
        assert_ne!(*one, other);
    }
}

#[test]
fn threads_share_the_state() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    static ASKED: [AtomicU64; 1] = [AtomicU64::new(0)];
    let weights = Weights { by_heap: BY_HEAP, asked: &ASKED };
    let evaluator = Evaluator::shared("counted", "a test", weights);
    is_shared(&evaluator);
    let config = depth_first::Config { depth: Some(2), ..depth_first::Config::default() };
    let search = |mut search: DepthFirst<Heaps>| {
        search.search(&START, Request::new(Budget::default(), 0)).work.evaluations
    };
    let alone = search(DepthFirst::new(config, Some(plain())).unwrap());
    std::thread::scope(|threads| {
        for _ in 0..3 {
            // A searcher moves into its thread with a clone; a reference serves as well.
            let searcher = DepthFirst::new(config, Some(evaluator.clone())).unwrap();
            threads.spawn(move || assert_eq!(search(searcher), alone));
            threads.spawn(|| evaluator.evaluate(&START));
        }
    });
    assert!(alone > 0);
    assert_eq!(ASKED[0].load(Ordering::Relaxed), 3 * alone + 3);
}

#[test]
fn an_evaluator_has_a_slope_and_can_be_printed() {
    const STEEP: Evaluator<Heaps> = Evaluator::plain("steep", "a test", |_| 0).with_slope(12.5);
    assert_eq!((STEEP.slope, shared(BY_HEAP).slope), (12.5, 0.0));
    let text = format!("{STEEP:?}");
    assert!(text.contains("steep") && text.contains("12.5"), "{text}");
}

/// Keeps the values of positions that were announced together, and refuses to evaluate others.
#[derive(Default)]
struct Foreseeing {
    known: Mutex<HashMap<Heaps, i32>>,
    families: Mutex<Vec<usize>>,
    surprises: AtomicU64,
}

impl Evaluate<Heaps> for Arc<Foreseeing> {
    fn evaluate(&self, position: &Heaps) -> i32 {
        if let Some(&value) = self.known.lock().unwrap().get(position) {
            return value;
        }
        self.surprises.fetch_add(1, Ordering::Relaxed);
        weighed(BY_HEAP, position)
    }

    fn foresees(&self) -> bool {
        true
    }

    fn foresee(&self, positions: &[Heaps]) {
        assert!(positions.iter().all(|position| position.outcome().is_none()));
        self.families.lock().unwrap().push(positions.len());
        let values = positions.iter().map(|position| (*position, weighed(BY_HEAP, position)));
        self.known.lock().unwrap().extend(values);
    }
}

#[test]
fn children_are_told_together_before_they_are_evaluated() {
    let implicit = rollout::Implicit::constant(0.4, rollout::Mixture::Minimax);
    let whole = rollout::Config {
        implicit: Some(implicit),
        expand: rollout::Expand::All,
        ..rollout::Config::default()
    };
    let ordered =
        rollout::Config { first_play: rollout::FirstPlay::Value, ..rollout::Config::default() };
    let budget = Budget { iterations: Some(300), ..Budget::default() };
    let search = |config: Option<rollout::Config>, evaluator: Evaluator<Heaps>| match config {
        Some(config) => Rollout::with_evaluator(config, Some(evaluator))
            .unwrap()
            .search(&START, Request::new(budget, 1)),
        None => {
            let config = depth_first::Config { depth: Some(2), ..depth_first::Config::default() };
            DepthFirst::new(config, Some(evaluator))
                .unwrap()
                .search(&START, Request::new(budget, 1))
        }
    };
    for config in [Some(whole), Some(ordered), None] {
        let foreseeing = Arc::new(Foreseeing::default());
        let evaluator = Evaluator::shared("foreseeing", "a test", Arc::clone(&foreseeing));
        assert!(evaluator.foresees() && !plain().foresees());
        let (found, expected) = (search(config, evaluator), search(config, plain()));
        assert_eq!(found.digest, expected.digest);
        assert_eq!(found.work.evaluations, expected.work.evaluations);
        let families = foreseeing.families.lock().unwrap();
        // The root has 24 moves.
        assert!(families.contains(&24) || families.len() >= 10, "{families:?}");
        // The root itself has no parent.
        let surprises = foreseeing.surprises.load(Ordering::Relaxed);
        assert!(surprises <= 1, "{surprises} of {}", found.work.evaluations);
        assert!(found.work.evaluations > 100);
    }
}
