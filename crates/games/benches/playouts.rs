//! Raw uniformly random playouts per CPU second, one core, from the starting position.
//!
//! `cargo bench -p treegraft-games --bench playouts [-- GAME …]`

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::{Game, Rng};
use treegraft_games::{AnyGame, Visitor};

const GAMES: &[&str] =
    &["connect4", "breakthrough:6x6", "breakthrough", "breakthrough:18x6", "lion"];
const GAMES: &[&str] = &["connect4", "othello", "hex:7", "hex:11", "hex:19"];
const GAMES: &[&str] = &["connect4", "kalah", "loa"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:<18} {:>8} {:>14}", "game", "plies", "playouts/s");
    for &game in GAMES.iter().filter(|g| asked.is_empty() || asked.iter().any(|a| a == *g)) {
        let start = AnyGame::parse(game).expect("a game of the list");
        let (rate, plies) = start.visit(Rate);
        println!("{game:<18} {plies:>8.1} {rate:>14.0}");
    }
}

/// Playouts per second, the median of three, and the mean number of plies.
struct Rate;

impl Visitor for Rate {
    type Output = (f64, f64);

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> (f64, f64) {
        let mut rng = Rng::new(1);
        let mut buffer = Vec::new();
        let mut runs: Vec<(f64, f64)> = (0..3)
            .map(|_| {
                let clock = ThreadTime::now();
                let (mut playouts, mut plies) = (0u64, 0u64);
                while clock.elapsed() < Duration::from_millis(700) {
                    for _ in 0..500 {
                        let mut position = start.clone();
                        let limit = position.playout_plies();
                        let playout = position.playout(&mut rng, &mut buffer, limit);
                        plies += u64::from(playout.plies);
                        // Or the compiler leaves out finding the winner, whom nobody asks for.
                        black_box((playout, &position));
                    }
                    playouts += 500;
                }
                (playouts as f64 / clock.elapsed().as_secs_f64(), plies as f64 / playouts as f64)
            })
            .collect();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        runs[1]
    }
}
