//! Nodes per CPU second of MCTS-αβ by p, in percent of the same search at p = 1, and of MCTS-Solver
//! in percent of it too; with informed playouts, and with playouts cut off after 3 plies.
//!
//! `cargo bench -p treegraft-games --bench mcts_ab [-- GAME …]`

use cpu_time::ThreadTime;
use treegraft::rollout::{AlphaBeta, Config, Informed, Playouts, Rollout, Select, Solver};
use treegraft::{Budget, Game, Knowledge, Request, Searcher};
use treegraft_games::{AnyGame, Visitor};

const GAMES: [&str; 5] = ["breakthrough:6x6", "breakthrough", "connect4", "othello", "kalah"];

/// The last column is without alpha-beta rollouts at all.
const PS: [f64; 5] = [1.0, 0.95, 0.5, 0.3, 0.0];

/// Nodes a search, and in all.
const SIZES: [(u64, u64); 2] = [(2_500, 500_000), (100_000, 500_000)];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!(
        "{:<18} {:>9} {:>8} {:>12}{}{:>9}",
        "game",
        "playouts",
        "nodes",
        "p=1, nodes/s",
        PS[1..].iter().map(|p| format!("{:>9}", format!("p={p}"))).collect::<String>(),
        "solver"
    );
    for game in GAMES.iter().filter(|game| asked.is_empty() || asked.iter().any(|a| a == *game)) {
        for is_cut_off in [false, true] {
            for size in SIZES {
                let rates = AnyGame::parse(game).expect("a game").visit(Rates(is_cut_off, size));
                let percent = |rate: &f64| format!("{:>8.0}%", 100.0 * rate / rates[0]);
                let cells: String = rates[1..].iter().map(percent).collect();
                let playouts = if is_cut_off { "cut off" } else { "informed" };
                println!("{game:<18} {playouts:>9} {:>8} {:>12.0}{cells}", size.0, rates[0]);
            }
        }
    }
}

struct Rates(bool, (u64, u64));

impl Visitor for Rates {
    type Output = Vec<f64>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<f64> {
        let Rates(is_cut_off, size) = self;
        let informed = Informed { slope: 40.0, ..Informed::default() };
        let base =
            Config { select: Select::Ucb1Tuned, solver: Solver::Wins, c: 0.8, ..Config::default() };
        let base = if is_cut_off {
            Config { informed: Informed { ic: Some(3), ..informed }, ..base }
        } else {
            Config { informed, playouts: Playouts::Hints, ..base }
        };
        let at = |p| Config { alpha_beta: Some(AlphaBeta { p, ..AlphaBeta::default() }), ..base };
        let configs: Vec<Config> = PS.map(at).into_iter().chain([base]).collect();
        let mut best = vec![0.0; configs.len()];
        // Interleaved, so that a slow spell of the machine hits all alike.
        for _ in 0..5 {
            for (best, &config) in best.iter_mut().zip(&configs) {
                *best = f64::max(*best, rate(&start, config, size));
            }
        }
        best
    }
}

fn rate<G: Game>(start: &G, config: Config, (a_search, in_all): (u64, u64)) -> f64 {
    let mut searcher =
        Rollout::with_evaluator(config, start.knowledge().evaluators().into_iter().next()).unwrap();
    let budget = Budget { memory: Some(256 << 20), ..Budget::nodes(a_search) };
    searcher.search(start, Request::new(budget, 0));
    let clock = ThreadTime::now();
    let mut nodes = 0;
    let mut seed = 0;
    while nodes < in_all {
        seed += 1;
        nodes += searcher.search(start, Request::new(budget, seed)).work.nodes;
    }
    nodes as f64 / clock.elapsed().as_secs_f64()
}
