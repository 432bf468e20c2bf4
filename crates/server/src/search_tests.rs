//! What it costs a search to be watched.

use std::time::Duration;

use treegraft::Request;

use super::*;

/// Processor time of this thread, where the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Searches alone and watched, one after the other, and prints what an update costs the search:
/// `cargo test --release -p treegraft-server --lib -- --ignored --nocapture watched`.
#[test]
#[ignore = "a measurement of some minutes: cargo xtask test-long"]
fn watched() {
    const ROUNDS: u64 = 15;
    let registry = Registry::standard();
    for (game, player) in [
        ("hex:11", "mcts-solver@3000000it"),
        ("connect4", "mcts-solver@5000000it"),
        ("breakthrough", "mcts-ab@600000it"),
        ("othello", "mcts(im)@1000000it"),
        ("loa", "mcts@400000it"),
    ] {
        let start = registry.start(game).expect("a game");
        let player = registry.player(player).expect("a player");
        let (mut costs, mut alone, mut most, mut times) = (Vec::new(), Vec::new(), 0, Vec::new());
        for seed in 0..ROUNDS {
            let game = start.playthrough();
            let begin = processor_time().expect("a system that reports it");
            let mut analyst = registry.searcher(&start, &player).expect("a searcher");
            analyst.search(game.position(), Request::new(player.budget, seed));
            drop(analyst);
            let own = processor_time().expect("a time") - begin;
            let (out, told) = Out::heard();
            let listener = std::thread::spawn(move || {
                let mut told = told;
                let (mut updates, mut most, mut making) = (0, 0, Duration::ZERO);
                while let Some((name, json)) = told.blocking_recv() {
                    let begin = processor_time().expect("a time");
                    let text = json().to_string();
                    making += processor_time().expect("a time") - begin;
                    updates += u32::from(name == "thinking");
                    most = most.max(text.len());
                }
                (updates, most, making)
            });
            let begin = processor_time().expect("a time");
            let player = player.clone();
            let watched = Watched {
                registry: &registry,
                start: start.clone(),
                game,
                player,
                seed,
                has_tree: true,
            };
            watched.think(&out).expect("a search");
            let time = processor_time().expect("a time") - begin;
            drop(out);
            let (updates, size, making) = listener.join().expect("a listener");
            // One more than the updates: the answer has a tree too.
            costs.push((time.as_secs_f64() - own.as_secs_f64()) / f64::from(updates + 1));
            times.push(making.as_secs_f64() / f64::from(updates + 1));
            alone.push(own.as_secs_f64());
            most = most.max(size);
        }
        let median = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let [cost, own, making] = [&mut costs, &mut alone, &mut times].map(median);
        // At ten updates a second.
        println!(
            "{game} {player}: alone {own:.3} s; an update costs the search {:.0} us ({:.2} %), its \
             JSON {:.0} us elsewhere; at most {most} bytes",
            1e6 * cost,
            1e3 * cost,
            1e6 * making
        );
    }
}
