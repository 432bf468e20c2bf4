//! Leaves per CPU second of the searches that keep a tree of bounds, on binary synthetic trees,
//! beside those of plain alpha-beta without a tree.
//!
//! `cargo bench -p treegraft-games --bench prove [-- HEIGHT …]`

use std::collections::HashMap;
use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::depth_first::{self, DepthFirst, Scores};
use treegraft::rollout::prove::{Config, Method, Prover};
use treegraft::{Budget, Request, Searcher};
use treegraft_games::tree::{Leaves, SyntheticTree};

/// Searches a tree, and returns the number of leaves if it counts them, else 0.
type Search = Box<dyn FnMut(&SyntheticTree) -> u64>;

fn main() {
    let asked: Vec<u16> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let heights = if asked.is_empty() { vec![8, 12, 16, 20] } else { asked };
    println!(
        "{:<16} {:>6} {:>10} {:>12} {:>6} {:>9}",
        "search", "height", "leaves", "leaves/s", "/ab", "ms"
    );
    for height in heights {
        // Plain alpha-beta does not count its leaves; the rollouts that are alpha-beta do.
        let mut count = prover(Config { method: Method::AlphaBeta, ..Config::default() });
        let mut leaves_of_ab = HashMap::new();
        let mut plain = DepthFirst::new(plain_config(), None).unwrap();
        let ab = move |tree: &SyntheticTree| {
            plain.search(tree, Request::default());
            0
        };
        let mut searches: Vec<(String, Search)> = vec![("ab".to_owned(), Box::new(ab))];
        for method in Method::ALL {
            let config = Config { method, ..Config::default() };
            searches.push((format!("{method:?}"), prover(config)));
        }
        let config = Config { restart: false, ..Config::default() };
        searches.push(("Fsss, no restart".to_owned(), prover(config)));
        let mut rate_of_ab = None;
        for (name, mut search) in searches {
            // The first search touches the memory for the first time; it is not counted.
            search(&tree(height, 0));
            let (mut leaves, mut seed, mut time) = (0, 1, Duration::ZERO);
            while seed <= 2 || time < Duration::from_millis(500) {
                let tree = tree(height, seed);
                let clock = ThreadTime::now();
                let counted = search(&tree);
                time += clock.elapsed();
                let mut of_ab = || *leaves_of_ab.entry(seed).or_insert_with(|| count(&tree));
                leaves += if counted == 0 { of_ab() } else { counted };
                seed += 1;
            }
            let trees = (seed - 1) as f64;
            let rate = leaves as f64 / time.as_secs_f64();
            println!(
                "{name:<16} {height:>6} {:>10.0} {rate:>12.0} {:>6.2} {:>9.3}",
                leaves as f64 / trees,
                rate / *rate_of_ab.get_or_insert(rate),
                time.as_secs_f64() * 1e3 / trees
            );
        }
    }
}

fn tree(height: u16, seed: u64) -> SyntheticTree {
    SyntheticTree::new(2, height, Leaves::UNIFORM, seed).expect("a tree")
}

fn prover(config: Config) -> Search {
    let mut search = Prover::new(Config { scores: Scores::Margin, ..config }, None).unwrap();
    let budget = Budget { memory: Some(1 << 30), ..Budget::default() };
    Box::new(move |tree| search.search(tree, Request::new(budget, 1)).work.evaluations)
}

/// Nothing but alpha-beta.
fn plain_config() -> depth_first::Config {
    depth_first::Config {
        deepening: false,
        scores: Scores::Margin,
        hints: false,
        killers: false,
        history: false,
        table: false,
        pvs: false,
        ..depth_first::Config::default()
    }
}
