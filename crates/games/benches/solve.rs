//! Solving Connect-4: nodes and CPU time a position, for the published test sets and for random
//! positions earlier in the game.
//!
//! `cargo bench -p treegraft-games --bench solve`

use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::depth_first::{DepthFirst, solver_config};
use treegraft::{Game, Playthrough, Request, Rng, Searcher, Speed};
use treegraft_games::Connect4;

fn main() {
    println!("{:<34} {:>10} {:>9} {:>9} {:>9}", "positions", "nodes", "ms", "Mnodes/s", "slowest");
    let sets = include_str!("../testdata/connect4-solved.txt").split("# Test_").skip(1);
    for set in sets {
        let (name, lines) = set.split_once('\n').expect("a name and positions");
        let positions: Vec<Connect4> = lines
            .lines()
            .map(|line| {
                let mut game = Playthrough::new(empty());
                game.play_text(line.split(' ').next().expect("moves")).expect("legal moves");
                *game.position()
            })
            .collect();
        report(&format!("Test_{name} ({})", positions.len()), &positions);
    }
    for (plies, number) in [(12, 40), (8, 12)] {
        let mut rng = Rng::new(plies);
        let positions: Vec<Connect4> = (0..number).map(|_| random(plies, &mut rng)).collect();
        report(&format!("random, after {plies} plies ({number})"), &positions);
    }
}

fn empty() -> Connect4 {
    Connect4::new(7, 6).expect("the usual board")
}

/// An unfinished position after `plies` random moves.
fn random(plies: u64, rng: &mut Rng) -> Connect4 {
    loop {
        let mut position = empty();
        for _ in 0..plies {
            if position.outcome().is_none() {
                let mv = position.speed().random_move(rng, &mut Vec::new());
                position.play(mv);
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn report(name: &str, positions: &[Connect4]) {
    let (mut nodes, mut time, mut slowest) = (0, Duration::ZERO, Duration::ZERO);
    for position in positions {
        let mut solver = DepthFirst::new(solver_config(position), None).unwrap();
        let clock = ThreadTime::now();
        let found = solver.search(position, Request::default());
        let took = clock.elapsed();
        assert!(found.proof.is_some());
        nodes += found.work.nodes;
        time += took;
        slowest = slowest.max(took);
    }
    let n = positions.len() as f64;
    println!(
        "{name:<34} {:>10.0} {:>9.3} {:>9.1} {:>9.2}",
        nodes as f64 / n,
        time.as_secs_f64() * 1e3 / n,
        nodes as f64 / time.as_secs_f64() / 1e6,
        slowest.as_secs_f64() * 1e3
    );
}
