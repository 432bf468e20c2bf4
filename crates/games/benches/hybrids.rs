//! Simulations per CPU second of MCTS-Solver, and those of the MCTS-minimax hybrids in percent of
//! them, from the starting position, beside what Baier & Winands (2015) report.
//!
//! `cargo bench -p treegraft-games --bench hybrids [-- GAME …]`

use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::rollout::{AtVisits, Config, Embed, Rollout, Select, Solver};
use treegraft::{Budget, Game, Request, Searcher};
use treegraft_games::{AnyGame, Visitor};

/// A game, the exploration constant and the best settings of MS (depth and visits) and MB in the
/// paper, and what the paper has for MR-1 to MR-4, MS and MB in percent of the baseline. It has MS
/// and MB as simulations per second (Connect-4: of 91,000, Breakthrough: of 45,100).
type Row = (&'static str, f64, (u32, u32), u32, &'static str);

const ROWS: &[Row] = &[
    ("connect4", 1.3, (2, 1), 1, "69 31 11 7 92 97"),
    ("breakthrough:6x6", 0.8, (2, 2), 2, "15.8 2.3 0.5 0.15 73 104"),
    ("othello", 0.7, (2, 50), 2, "- - - - - -"),
    ("lion", 0.7, (4, 2), 4, "- - - - - -"),
    ("hex:7", 1.0, (2, 2), 2, "- - - - - -"),
    ("kalah", 1.0, (2, 2), 2, "- - - - - -"),
];

const COLUMNS: [&str; 6] = ["MR-1", "MR-2", "MR-3", "MR-4", "MS", "MB"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let line = |game: &str, base: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>7}")).collect();
        println!("{game:<18} {base:>10}{cells}");
    };
    line("game", "solver/s", &COLUMNS.map(str::to_owned));
    for row in ROWS.iter().filter(|row| asked.is_empty() || asked.iter().any(|a| a == row.0)) {
        let rates = AnyGame::parse(row.0).expect("a game of the list").visit(Rates(row));
        let percent = |rate: &f64| format!("{:.2}%", 100.0 * rate / rates[0]);
        let cells: Vec<String> = rates[1..].iter().map(percent).collect();
        line(row.0, &format!("{:.0}", rates[0]), &cells);
        let paper: Vec<String> = row.4.split(' ').map(|cell| cell.replace('-', "")).collect();
        line("  paper", "", &paper);
    }
}

struct Rates<'a>(&'a Row);

impl Visitor for Rates<'_> {
    type Output = Vec<f64>;

    /// The baseline, then the columns.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<f64> {
        let &(_, c, (depth, visits), mb, _) = self.0;
        let none = Embed::default();
        let mut embeds = vec![none];
        embeds.extend((1..=4).map(|depth| Embed { mr: Some(depth), ..none }));
        embeds.push(Embed { ms: Some(AtVisits { depth, visits }), ..none });
        embeds.push(Embed { mb: Some(mb), ..none });
        let solver =
            Config { select: Select::Ucb1Tuned, solver: Solver::Wins, c, ..Config::default() };
        let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); embeds.len()];
        // Interleaved, so that a slow spell of the machine hits all alike.
        for _ in 0..3 {
            for (rates, &embed) in rounds.iter_mut().zip(&embeds) {
                rates.push(rate(&start, Config { embed, ..solver }));
            }
        }
        let median = |mut rates: Vec<f64>| {
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2]
        };
        rounds.into_iter().map(median).collect()
    }
}

fn rate<G: Game>(start: &G, config: Config) -> f64 {
    let mut searcher = Rollout::new(config).unwrap();
    // A second search is made in memory that the first has touched.
    let budget = Budget { time: Some(Duration::from_millis(250)), ..Budget::default() };
    searcher.search(start, Request::new(budget, 0));
    let clock = ThreadTime::now();
    let done = searcher.search(start, Request::new(budget, 1)).work.iterations;
    done as f64 / clock.elapsed().as_secs_f64()
}
