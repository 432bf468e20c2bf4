//! What mistakes in optional methods do to searches, and what the kit says of them.

use treegraft::depth_first::{self, DepthFirst, solver_config};
use treegraft::rollout::prove::{self, Prover};
use treegraft::rollout::{self, Informed, Playouts, Rollout};
use treegraft::{
    Budget, EVAL_ONE, Evaluator, Exactness, Game, Ipp, Knowledge, Outcome, Request, Searcher, Side,
    presets,
};
use treegraft_conformance::{Options, Verdict, check};

use super::faults::{FAULTS, Fault};
use super::faulty::game;

/// Two players take one, two or three of a heap in turn; whoever takes the last one wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nim {
    heap: u8,
    mover: Side,
    /// Whether the game says that heaps of four are drawn.
    is_wrong: bool,
}

impl Game for Nim {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.heap.min(3));
    }

    fn play(&mut self, take: u8) {
        self.heap -= take;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
    }

    treegraft::brings!(Exactness);
}

impl Exactness for Nim {
    fn foregone(&self) -> Option<Outcome> {
        match self.heap {
            4 if self.is_wrong => Some(Outcome::Draw),
            4 => Some(Outcome::Win(self.mover.other())),
            _ => None,
        }
    }
}

#[test]
fn a_wrong_glance_proves_a_draw_in_a_won_game_and_is_found() {
    let nim = |is_wrong| Nim { heap: 14, mover: Side::First, is_wrong };
    let proof = |nim: &Nim| {
        let mut search = DepthFirst::new(solver_config(nim), None).unwrap();
        search.search(nim, Request::new(Budget::default(), 1)).proof
    };
    assert_eq!(proof(&nim(false)), Some(Outcome::Win(Side::First)));
    assert_eq!(proof(&nim(true)), Some(Outcome::Draw), "no search can see it");

    let right = check(&nim(false), &Options::default());
    assert!(right.passed(), "{right}");
    let law = |report: &treegraft_conformance::Report, name: &str| {
        report.laws.iter().find(|law| law.name == name).unwrap().clone()
    };
    assert!(law(&right, "foregone").checked > 50, "{right}");
    let wrong = check(&nim(true), &Options::default());
    let failed = law(&wrong, "foregone").failure.expect("it is found");
    let told = "the game says Draw, but looking at all moves finds Win(";
    assert!(failed.problem.starts_with(told), "{}", failed.problem);
    let taken: u8 = failed.moves.iter().map(|take| take.parse::<u8>().unwrap()).sum();
    assert_eq!(taken, 10);
    assert!(law(&wrong, "candidate-moves").failure.is_none());
}

/// Three moves out of four each; the first player always wins by one, but for a single line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fork(Vec<u8>);

impl Game for Fork {
    type Move = u8;

    fn to_move(&self) -> Side {
        Side::First
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..4);
    }

    fn play(&mut self, mv: u8) {
        self.0.push(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0.len() == 3).then_some(Outcome::Win(Side::First))
    }

    treegraft::brings!(Exactness);
}

impl Exactness for Fork {
    fn margin(&self) -> Option<i64> {
        self.outcome().map(|_| if self.0 == [3, 3, 3] { 9 } else { 1 })
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        Some((1, 5))
    }
}

#[test]
fn bounds_are_compared_with_ends_that_no_game_has_come_to() {
    let report = check(&Fork(Vec::new()), &Options { walks: 1, ..Options::default() });
    let law = report.laws.iter().find(|law| law.name == "margin-bounds").unwrap();
    let failure = law.failure.as_ref().expect("it is found");
    assert_eq!(failure.moves, ["3", "3", "3"]);
    assert!(failure.problem.starts_with("9 at the end, but 1 to 5 after "), "{failure}");
}

/// A walk on a ring that may end, with more to say than is right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ring {
    at: i16,
    size: i16,
    mover: Side,
    steps: i16,
}

impl Game for Ring {
    type Move = i16;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<i16>) {
        moves.extend((1..=self.steps).flat_map(|step| [step, -step]));
    }

    fn play(&mut self, step: i16) {
        self.at = (self.at + step).rem_euclid(self.size);
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at == self.size / 2).then_some(Outcome::Win(self.mover.other()))
    }

    treegraft::brings!(Knowledge, Exactness);
}

impl Knowledge for Ring {
    fn evaluators(&self) -> Vec<Evaluator<Ring>> {
        vec![Evaluator::plain("place", "where it is", |ring| i32::from(ring.at))]
    }

    fn loud_moves(&self, moves: &mut Vec<i16>) {
        if self.steps == 1 {
            self.moves(moves);
        }
    }
}

impl Exactness for Ring {
    fn foregone(&self) -> Option<Outcome> {
        (self.steps > 1 && self.at == 0).then_some(Outcome::Draw)
    }
}

#[test]
fn loud_moves_without_end_are_found_and_end_no_search() {
    let ring = Ring { at: 0, size: 3_000, mover: Side::First, steps: 1 };
    let report = check(&ring, &Options { walks: 2, samples: 100, ..Options::default() });
    let law = report.laws.iter().find(|law| law.name == "loud-moves").unwrap();
    let failure = law.failure.as_ref().expect("it is found");
    assert!(failure.problem.contains("in a row"), "{failure}");
    let config = depth_first::Config { depth: Some(2), quiescence: true, ..presets::alpha_beta() };
    let mut search = DepthFirst::new(config, ring.evaluators().pop()).unwrap();
    let report = search.search(&ring, Request::new(Budget::nodes(100_000), 1));
    assert!(report.best_move.is_some());
}

#[test]
fn what_nothing_could_decide_is_not_said_to_hold() {
    let ring = Ring { at: 0, size: 1_000, mover: Side::First, steps: 40 };
    let report = check(&ring, &Options { walks: 4, samples: 100, ..Options::default() });
    assert!(report.passed(), "{report}");
    let law = report.laws.iter().find(|law| law.name == "foregone").unwrap();
    assert_eq!((law.checked, law.verdict()), (0, Verdict::Undecided));
    assert!(law.undecided >= 4);
    let text = report.to_string();
    assert!(text.lines().any(|line| line.starts_with("?    foregone ")), "{text}");
    assert!(text.contains("\n\nforegone: the game claims something, but"), "{text}");
    let untested = report.laws.iter().find(|law| law.name == "margin-bounds").unwrap();
    assert_eq!(untested.verdict(), Verdict::Untested);
}

/// Games with wrong answers may be played badly. They must not end a search with a panic, or keep
/// it from ending.
#[test]
fn searches_survive_wrong_answers() {
    let of_searches = [
        "margin-bounds",
        "slots",
        "limits",
        "evaluators",
        "evaluation",
        "evaluation-view",
        "null-move",
        "loud-moves",
        "candidate-moves",
        "equal-hooks",
        "foregone",
        "candidate-value",
        "win-loss",
        "playout-weight",
        "weighted-move",
        "weighted-frequency",
        "node-prior",
        "transition-probability",
        "greedy-move",
        "greedy-uniform",
    ];
    // Illegal moves end in the game itself, and so do its own panics.
    let is_own = |fault: Fault| {
        let name = format!("{fault:?}");
        name.ends_with("Panics") || name.ends_with("Panic") || name.ends_with("Illegal")
    };
    let mut searches = 0;
    for &(fault, law) in FAULTS {
        if !of_searches.contains(&law) || is_own(fault) {
            continue;
        }
        let start = game(fault);
        let evaluator = start.knowledge().evaluators().into_iter().next();
        let all = depth_first::Config {
            glance: true,
            quiescence: true,
            null_move: Some(2),
            multi_cut: true,
            ..presets::ab()
        };
        let deep = [all, presets::ab(), presets::mtd(), presets::sss(), presets::dual()];
        let proving = [
            presets::fsss(),
            presets::rollout_ab(),
            presets::rollout_random(),
            presets::alphabeta2(),
            presets::mt_sss(),
        ];
        let told = rollout::Config {
            playouts: Playouts::Improved(Ipp::Program),
            informed: Informed { ir: Some(0.5), np: Some(10), ..Informed::default() },
            progressive_bias: Some(5.0),
            ..presets::mcts_solver()
        };
        let simulating = [
            told,
            rollout::Config { informed: Informed::default(), ..told },
            // Not by the fast ways.
            rollout::Config { informed: Informed { ir_depth: 2, ..told.informed }, ..told },
            presets::mcts_solver(),
            presets::mcts_mr(2),
            presets::mcts_ms(2, 2),
            presets::mcts_ip_e(),
            presets::mcts_ab(),
            presets::mcts_sb(),
        ];
        let few = |searcher: &mut dyn Searcher<_>, depth| {
            for budget in [Budget::nodes(300), Budget::iterations(depth)] {
                let report = searcher.search(&start, Request::new(budget, 1));
                assert!(report.best_move.is_some(), "{fault:?}");
                assert!(report.value.abs() <= 1.0, "{fault:?}: {}", report.value);
            }
        };
        for config in deep {
            few(&mut DepthFirst::new(config, evaluator.clone()).unwrap(), 4);
            searches += 1;
        }
        for config in proving {
            few(&mut Prover::new(config, evaluator.clone()).unwrap(), 200);
            searches += 1;
        }
        for config in simulating {
            few(&mut Rollout::with_evaluator(config, evaluator.clone()).unwrap(), 200);
            searches += 1;
        }
    }
    assert!(searches > 400, "{searches}");
}

#[test]
fn without_candidates_all_moves_are_searched() {
    let start = game(Fault::NoCandidates);
    let mut search = DepthFirst::new(solver_config(&start), None).unwrap();
    let report = search.search(&start, Request::new(Budget::default(), 1));
    assert_eq!(report.proof, Some(Outcome::Draw));
}

#[test]
fn evaluations_are_kept_below_a_won_game() {
    let nim = Nim { heap: 9, mover: Side::First, is_wrong: false };
    for (told, value) in [(i32::MIN, 1 - EVAL_ONE), (EVAL_ONE, EVAL_ONE - 1), (-7, -7)] {
        let evaluator = Evaluator::shared("odd", "as told", move |_: &Nim| told);
        assert_eq!(evaluator.evaluate(&nim), value);
        let config = prove::Config { depth: Some(2), deepening: false, ..presets::alphabeta2() };
        let report = Prover::new(config, Some(evaluator)).unwrap().search(&nim, Request::default());
        assert_eq!(report.value, f64::from(value) / f64::from(EVAL_ONE));
        assert_eq!(report.proof, None);
    }
}
