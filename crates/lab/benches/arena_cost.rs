//! What the arena itself costs: the time of a tournament of 10 ms moves beside that of its moves.
//!
//! `cargo bench -p treegraft-lab --bench arena_cost`, on a machine that does nothing else; a number
//! behind `--` is the count of pairs. Fails if the arena takes more than 2 % of the time.

use std::time::Instant;

use treegraft_lab::{Opening, Pair, PlannedPair, RunOptions, RunWatch, Store, run};
use treegraft_players::Registry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pairs = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(40);
    let plan: Vec<PlannedPair> = (0..pairs)
        .map(|seed| PlannedPair {
            pairing: 0,
            pair: Pair {
                game: "breakthrough:6x6".to_owned(),
                players: ["mcts-solver@10ms", "ab@10ms"].map(str::to_owned),
                opening: Opening::Random { plies: 2, seed },
                seed,
                max_plies: None,
            },
        })
        .collect();
    let directory = std::env::temp_dir().join(format!("arena-cost-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let path = directory.join("cost.db");

    let begun = Instant::now();
    let mut store = Store::open_or_create(&path, "")?;
    // One at a time: threads that wait for a processor would be the system's cost, not the arena's.
    let options = RunOptions { jobs: 1, ..RunOptions::default() };
    run(&Registry::standard(), &plan, &mut store, options, RunWatch::default())?;
    let all = begun.elapsed().as_secs_f64();

    let rows = store.rows()?;
    drop(store);
    std::fs::remove_dir_all(&directory)?;
    let sides = || rows.iter().flat_map(|row| &row.sides);
    let moves: u64 = sides().map(|side| side.moves).sum();
    let thinking: f64 = sides().map(|side| side.seconds).sum();
    let share = 100.0 * (all - thinking) / thinking;
    println!("{} games, {moves} moves: {thinking:.3} s of moves in {all:.3} s", rows.len());
    println!("the arena's own cost: {share:.2} %");
    if share > 2.0 { Err("more than 2 %".into()) } else { Ok(()) }
}
