//! Simulations per CPU second of several players, as ratios in one run.

use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::rollout::{Config, Rollout};
use treegraft::{Budget, Evaluator, Game, Knowledge, Request, Searcher};

/// A player, its evaluation, if it has one, and configuration, and the player that it is compared with.
pub(crate) type Row = (&'static str, &'static str, Config, &'static str);

pub(crate) fn print<G: Game>(game: &str, start: &G, rows: &[Row]) {
    // Cargo adds an option of its own.
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_asked = |row: &&Row| part.as_ref().is_none_or(|part| row.0.contains(part));
    let rows: Vec<Row> = rows.iter().filter(is_asked).copied().collect();
    let mut rounds: Vec<Vec<Rate>> = vec![Vec::new(); rows.len()];
    // Interleaved, so that a slow spell of the machine hits all alike.
    for _ in 0..5 {
        for (rates, &(_, eval, config, _)) in rounds.iter_mut().zip(&rows) {
            rates.push(rate(start, eval, config));
        }
    }
    println!("{game:<30} {:>10} {:>7} {:>9}", "sims/s", "plies", "bytes/sim");
    let best = |rates: &Vec<Rate>| {
        rates.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).expect("some rounds")
    };
    let best: Vec<Rate> = rounds.iter().map(best).collect();
    for (&(name, _, _, other), &(rate, plies, bytes)) in rows.iter().zip(&best) {
        print!("{name:<30} {rate:>10.0} {plies:>7.1} {bytes:>9.0}");
        match rows.iter().position(|row| row.0 == other) {
            Some(at) => println!("  {:.0} % of {other}", 100.0 * rate / best[at].0),
            None => println!(),
        }
    }
}

/// Simulations per second, and plies of a playout and bytes of the tree per simulation.
type Rate = (f64, f64, f64);

fn rate<G: Game>(start: &G, eval: &str, config: Config) -> Rate {
    let named = |evaluator: &Evaluator<G>| evaluator.name == eval;
    let evaluator = start.knowledge().evaluators().into_iter().find(named);
    let mut search = Rollout::with_evaluator(config, evaluator).unwrap();
    let begun = ThreadTime::now();
    let (mut iterations, mut plies, mut memory) = (0, 0, 0);
    let mut seed = 0;
    while begun.elapsed() < Duration::from_millis(400) {
        let report = search.search(start, Request::new(Budget::iterations(20_000), seed));
        iterations += report.work.iterations;
        plies += report.work.playout_plies;
        memory += report.work.memory;
        seed += 1;
    }
    let [iterations, plies, memory] = [iterations, plies, memory].map(|count| count as f64);
    (iterations / begun.elapsed().as_secs_f64(), plies / iterations, memory / iterations)
}
