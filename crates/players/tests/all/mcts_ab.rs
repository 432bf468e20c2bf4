//! MCTS-αβ on real games: at its two ends it is what the paper says it is.

use treegraft::depth_first::{self, DepthFirst};
use treegraft::rollout::{AlphaBeta, Config, Informed, Playouts, Rollout, Select, Solver};
use treegraft::{Budget, Game, Knowledge, Request, Rng, Searcher, Speed};
use treegraft_players::Board;

use crate::common::board;

const GAMES: [&str; 8] = [
    "breakthrough:6x6",
    "connect4",
    "othello",
    "kalah",
    "lion",
    "hex:5",
    "loa",
    "breakthrough:5x5",
];

/// Unfinished positions of random games, after more and more plies.
fn positions<G: Game>(start: &G, number: u64) -> Vec<G> {
    let after = |plies: u64| {
        let mut rng = Rng::new(plies);
        let mut position = start.clone();
        for _ in 0..plies {
            if position.outcome().is_some() {
                break;
            }
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
        position
    };
    (0..number).map(after).filter(|position| position.outcome().is_none()).collect()
}

fn mixed(alpha_beta: Option<AlphaBeta>, playouts: Playouts) -> Config {
    Config {
        select: Select::Ucb1Tuned,
        solver: Solver::Wins,
        playouts,
        // Without alpha-beta there is no value to turn into a reward.
        informed: Informed { slope: alpha_beta.map_or(0.0, |_| 16.0), ..Informed::default() },
        alpha_beta,
        ..Config::default()
    }
}

/// p = 0: the value and the move of iterative deepening alpha-beta, with as many nodes.
fn is_alpha_beta(start: &Board) {
    let mut compared = 0;
    for (seed, position) in (1..).zip(positions(start, 24)) {
        for (k, depth) in [(Some(10), 3), (Some(4), 4), (None, 2)] {
            let evaluator = || position.knowledge().evaluators().into_iter().next();
            let config = depth_first::Config {
                depth: Some(depth),
                k,
                shuffle: true,
                killers: false,
                history: false,
                table: false,
                pvs: false,
                ..depth_first::Config::default()
            };
            let request = Request::new(Budget::default(), seed);
            let found = DepthFirst::new(config, evaluator()).unwrap().search(&position, request);
            let alpha_beta = AlphaBeta { p: 0.0, k, l: depth, ..AlphaBeta::default() };
            let config = mixed(Some(alpha_beta), Playouts::Random);
            let request = Request::new(Budget::nodes(found.work.nodes), seed);
            let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
            let mixed = search.search(&position, request);
            assert_eq!(mixed.best_move, found.best_move, "{position:?} {k:?} {depth}");
            // Where the end of the game is near, nodes are left for Monte Carlo.
            if mixed.moves.iter().all(|mv| mv.visits == 0) && found.value.abs() < 1.0 {
                assert_eq!(mixed.value, found.value, "{position:?} {k:?} {depth}");
                compared += 1;
            }
        }
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn with_alpha_beta_rollouts_only_it_is_alpha_beta() {
    for game in GAMES {
        is_alpha_beta(&board(game));
    }
}

/// p = 1: MCTS-Solver, bit for bit.
fn is_solver(start: &Board) {
    for (seed, position) in (1..).zip(positions(start, 12)) {
        for playouts in [Playouts::Random, Playouts::Hints] {
            let search = |alpha_beta| {
                let config = mixed(alpha_beta, playouts);
                let evaluator = position.knowledge().evaluators().into_iter().next();
                let request = Request::new(Budget::iterations(300), seed);
                let mut search = Rollout::with_evaluator(config, evaluator).unwrap();
                let mut report = search.search(&position, request);
                (report.work.time, report.work.memory) = Default::default();
                format!("{report:?} {:?}", search.tree(30, 1000))
            };
            let alpha_beta = AlphaBeta { p: 1.0, ..AlphaBeta::default() };
            assert_eq!(search(Some(alpha_beta)), search(None), "{position:?}");
        }
    }
}

#[test]
fn with_monte_carlo_rollouts_only_it_is_mcts_solver() {
    for game in GAMES {
        is_solver(&board(game));
    }
}

/// Which of many equally good moves are among the best is drawn once, or at every visit.
#[test]
fn ties_are_drawn_anew_if_asked_for() {
    let start = board("breakthrough:6x6");
    let search = |redraw_ties: bool, seed: u64| {
        let alpha_beta = AlphaBeta { p: 0.0, k: Some(2), redraw_ties, ..AlphaBeta::default() };
        let config = mixed(Some(alpha_beta), Playouts::Hints);
        let evaluator = start.knowledge().evaluators().into_iter().next();
        let request = Request::new(Budget::nodes(400), seed);
        Rollout::with_evaluator(config, evaluator).unwrap().search(&start, request).digest
    };
    for seed in 0..5 {
        assert_eq!(search(true, seed), search(true, seed), "a seed decides everything");
        assert_ne!(search(true, seed), search(false, seed));
    }
}
