//! By how much searches overrun a budget of 50 ms: 2,000 moves over all games and both skeletons.
//!
//! `cargo bench -p treegraft-games --bench overrun`, on an idle machine; takes two minutes.

use std::time::{Duration, Instant};

use treegraft::depth_first::{self, DepthFirst};
use treegraft::rollout::{self, Rollout, Solver};
use treegraft::{Budget, Game, Request, Rng, Searcher};
use treegraft_games::{AnyGame, Visitor};

const GAMES: &[&str] = &[
    "connect4",
    "breakthrough:6x6",
    "breakthrough",
    "othello",
    "lion",
    "hex:11",
    "hex:19",
    "kalah",
    "loa",
    "tree:height=40",
];
const BUDGET: Duration = Duration::from_millis(50);
const MOVES: usize = 2_000;

fn main() {
    let mut overruns: Vec<Duration> = Vec::new();
    for game in GAMES {
        let start = AnyGame::parse(game).expect("a game of the list");
        overruns.extend(start.visit(Overruns(MOVES / GAMES.len())));
    }
    overruns.sort_unstable();
    let at = |share: f64| overruns[((overruns.len() - 1) as f64 * share) as usize];
    println!("{} moves of {BUDGET:?}: overrun by", overruns.len());
    println!(
        "median {:?}, 99 % {:?}, 99.9 % {:?}, most {:?}",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    let late = overruns.iter().filter(|&&overrun| overrun >= Duration::from_millis(10)).count();
    println!("{late} by 10 ms or more");
}

struct Overruns(usize);

impl Visitor for Overruns {
    type Output = Vec<Duration>;

    /// Searches by turns with a rollout search and with alpha-beta, along random games.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<Duration> {
        let solver = rollout::Config { solver: Solver::Wins, ..Default::default() };
        let mut rollout = Rollout::new(solver);
        let evaluator = start.evaluators().into_iter().next();
        let mut depth_first = DepthFirst::new(depth_first::Config::default(), evaluator);
        let mut rng = Rng::new(1);
        let mut position = start.clone();
        let mut overruns = Vec::new();
        while overruns.len() < self.0 {
            if position.outcome().is_some() {
                position = start.clone();
            }
            let request = Request::new(Budget::time(BUDGET), rng.next_u64());
            let clock = Instant::now();
            if overruns.len() % 2 == 0 {
                rollout.search(&position, request);
            } else {
                depth_first.search(&position, request);
            }
            overruns.push(clock.elapsed().saturating_sub(BUDGET));
            position.play(position.random_move(&mut rng, &mut Vec::new()));
        }
        overruns
    }
}
