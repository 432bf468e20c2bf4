//! Nanoseconds of CPU time for one evaluation, over positions of random games.
//!
//! `cargo bench -p treegraft-games --bench evaluations [-- GAME …]`

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::{Game, Knowledge, Rng, Speed};
use treegraft_games::{AnyGame, Visitor};

const GAMES: [&str; 8] =
    ["connect4", "breakthrough", "breakthrough:18x6", "othello", "lion", "hex:11", "kalah", "loa"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:<20} {:<16} {:>8}", "game", "evaluation", "ns");
    for game in GAMES.iter().filter(|game| asked.is_empty() || asked.iter().any(|a| a == *game)) {
        for (name, nanoseconds) in AnyGame::parse(game).expect("a game of the list").visit(Times) {
            println!("{game:<20} {name:<16} {nanoseconds:>8.1}");
        }
    }
}

struct Times;

impl Visitor for Times {
    type Output = Vec<(String, f64)>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<(String, f64)> {
        let positions = positions(&start);
        let time = |evaluator: treegraft::Evaluator<G>| {
            let rounds = (0..5).map(|_| {
                let (begin, mut evaluations) = (ThreadTime::now(), 0);
                while begin.elapsed() < Duration::from_millis(200) {
                    for position in &positions {
                        black_box(evaluator.evaluate(black_box(position)));
                    }
                    evaluations += positions.len();
                }
                begin.elapsed().as_nanos() as f64 / evaluations as f64
            });
            (evaluator.name.to_string(), rounds.fold(f64::INFINITY, f64::min))
        };
        start.knowledge().evaluators().into_iter().map(time).collect()
    }
}

/// Every unfinished position of a few random games.
fn positions<G: Game>(start: &G) -> Vec<G> {
    let (mut positions, mut rng) = (Vec::new(), Rng::new(1));
    while positions.len() < 2000 {
        let mut position = start.clone();
        while position.outcome().is_none() && positions.len() < 2000 {
            positions.push(position.clone());
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
    }
    positions
}
