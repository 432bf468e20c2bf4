//! Simulations per CPU second of a whole rollout search, beside the raw playouts of the same run.
//!
//! `cargo bench -p treegraft-games --bench search [-- GAME …]`; with `--large`, how much of the
//! rate is left in trees of 1e7 simulations (2 GiB; a minute a game).

use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::rollout::{Config, Rollout, Select, Solver};
use treegraft::{Budget, Game, Request, Rng, Searcher};
use treegraft_games::{AnyGame, Visitor};

const GAMES: &[&str] = &[
    "connect4",
    "breakthrough:6x6",
    "breakthrough",
    "othello",
    "lion",
    "hex:11",
    "kalah:capture-empty=false",
    "loa",
];

/// The games of `--large`.
const LARGE: &[&str] = &["connect4", "breakthrough:6x6", "breakthrough"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_asked = |game: &str| asked.is_empty() || asked.iter().any(|a| a == game);
    if std::env::args().any(|arg| arg == "--large") {
        println!("{:<26} {:>12} {:>12} {:>7}", "game", "uct 1e5", "uct 1e7", "/1e5");
        for &game in LARGE.iter().filter(|game| is_asked(game)) {
            let [small, large] = AnyGame::parse(game).expect("a game of the list").visit(Large);
            println!("{game:<26} {small:>12.0} {large:>12.0} {:>7.2}", large / small);
        }
        return;
    }
    println!(
        "{:<26} {:>12} {:>12} {:>7} {:>12} {:>12} {:>12}",
        "game", "raw", "uct 1e5", "/raw", "uct 1e6", "solver 1e5", "tuned 1e5"
    );
    for &game in GAMES.iter().filter(|game| is_asked(game)) {
        let rates = AnyGame::parse(game).expect("a game of the list").visit(Rates);
        println!(
            "{game:<26} {:>12.0} {:>12.0} {:>7.2} {:>12.0} {:>12.0} {:>12.0}",
            rates[0],
            rates[1],
            rates[1] / rates[0],
            rates[2],
            rates[3],
            rates[4]
        );
    }
}

struct Rates;

impl Visitor for Rates {
    type Output = [f64; 5];

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> [f64; 5] {
        let plain = Config::default();
        let solver = Config { solver: Solver::Wins, ..plain };
        let tuned = Config { select: Select::Ucb1Tuned, ..plain };
        medians(5, || {
            [
                raw(&start),
                search(&start, plain, 100_000),
                search(&start, plain, 1_000_000),
                search(&start, solver, 100_000),
                search(&start, tuned, 100_000),
            ]
        })
    }
}

struct Large;

impl Visitor for Large {
    type Output = [f64; 2];

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> [f64; 2] {
        let plain = Config::default();
        medians(3, || [search(&start, plain, 100_000), search(&start, plain, 10_000_000)])
    }
}

/// The median of each column. A round measures all of them, so that a slow spell of the machine
/// hits them alike.
fn medians<const N: usize>(rounds: usize, round: impl Fn() -> [f64; N]) -> [f64; N] {
    let rounds: Vec<[f64; N]> = (0..rounds).map(|_| round()).collect();
    std::array::from_fn(|column| {
        let mut rates: Vec<f64> = rounds.iter().map(|round| round[column]).collect();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    })
}

fn raw<G: Game>(start: &G) -> f64 {
    let mut rng = Rng::new(1);
    let mut buffer = Vec::new();
    let clock = ThreadTime::now();
    let mut playouts = 0u64;
    while clock.elapsed() < Duration::from_millis(200) {
        for _ in 0..500 {
            let mut position = start.clone();
            let limit = position.limits().playout_plies;
            treegraft::playout(&mut position, &mut rng, &mut buffer, limit, None);
        }
        playouts += 500;
    }
    playouts as f64 / clock.elapsed().as_secs_f64()
}

fn search<G: Game>(start: &G, config: Config, iterations: u64) -> f64 {
    let mut searcher = Rollout::new(config).unwrap();
    let budget = Budget { memory: Some(3 << 30), ..Budget::iterations(iterations) };
    // The first search touches the memory for the first time; it is not counted.
    searcher.search(start, Request::new(budget, 0));
    let clock = ThreadTime::now();
    let mut done = 0;
    let mut seed = 1;
    while done == 0 || clock.elapsed() < Duration::from_millis(200) {
        done += searcher.search(start, Request::new(budget, seed)).work.iterations;
        seed += 1;
    }
    done as f64 / clock.elapsed().as_secs_f64()
}
