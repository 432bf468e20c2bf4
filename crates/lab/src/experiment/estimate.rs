//! About how long a plan will take.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use treegraft::{Budget, Game, Playthrough, Rng, Speed, Work, derive_seed};
use treegraft_engine::{MoveRequest, seat};
use treegraft_players::{Board, Player, Registry, Search, Start};

use super::{Plan, PlannedPairing};

/// About how long a plan will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The time of all games if they are played one after the other.
    pub seconds_one_core: f64,
    /// Whether every player was counted: engines without a limit on time cannot be.
    pub is_complete: bool,
}

/// Roughly how long all measurements together may take.
const MEASURING: Duration = Duration::from_millis(1500);

/// Estimates how long a plan takes, in a second or two.
///
/// Games are as long as random ones. A move takes all of a limit on time; without one, a few moves
/// are searched, or begun and extrapolated.
#[must_use]
pub fn estimate(registry: &Registry, plan: &Plan) -> Estimate {
    let mut games: HashMap<(&str, String), Option<f64>> = HashMap::new();
    let players: HashSet<(&str, String)> = plan
        .pairings
        .iter()
        .flat_map(|pairing| pairing.players.iter().map(|player| key(&pairing.game, player)))
        .collect();
    let time = MEASURING / players.len().max(1) as u32;
    let mut total = Estimate { seconds_one_core: 0.0, is_complete: true };
    for PlannedPairing { game, players, max_plies, .. } in &plan.pairings {
        for player in players {
            let measure = || {
                let start = &registry.start(game).ok()?;
                Measure { registry, start, player, max_plies: *max_plies, time }.game_seconds()
            };
            match *games.entry(key(game, player)).or_insert_with(measure) {
                Some(seconds) => total.seconds_one_core += 2.0 * plan.pairs_each as f64 * seconds,
                None => total.is_complete = false,
            }
        }
    }
    total
}

fn key<'a>(game: &'a str, player: &Player) -> (&'a str, String) {
    (game, player.to_string())
}

/// What a player spends in a game, in seconds.
struct Measure<'a> {
    registry: &'a Registry,
    start: &'a Start,
    player: &'a Player,
    max_plies: Option<u32>,
    /// What measuring may take.
    time: Duration,
}

impl Measure<'_> {
    fn game_seconds(&self) -> Option<f64> {
        const GAMES: u64 = 8;
        let longest = self.max_plies.unwrap_or(u32::MAX).min(2000) as usize;
        let games: Vec<Playthrough<Board>> =
            (0..GAMES).map(|number| random_game(self.start, number, longest)).collect();
        let plies: usize = games.iter().map(|game| game.moves().len()).sum();
        let moves = plies as f64 / GAMES as f64 / 2.0;
        let limit = self.player.budget.time.map(|limit| limit.as_secs_f64());
        let move_seconds = match limit {
            Some(limit) if only_time(&self.player.budget) => limit,
            Some(limit) => self.search_some(&games).map_or(limit, |measured| measured.min(limit)),
            None => self.search_some(&games)?,
        };
        Some(moves * move_seconds)
    }

    /// The mean time of some moves, in different phases of the game.
    fn search_some(&self, games: &[Playthrough<Board>]) -> Option<f64> {
        if matches!(self.player.search, Search::Engine(_)) {
            return None;
        }
        let slice = self.time / games.len() as u32;
        let mut seconds = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let mut game = game.clone();
            let keep = game.moves().len() * (2 * number + 1) / (2 * games.len());
            while game.moves().len() > keep {
                game.undo();
            }
            let mut seat = seat(self.registry, self.start, self.player).ok()?;
            let budget = Budget { time: Some(slice), ..self.player.budget };
            let begun = Instant::now();
            let answer = seat
                .next_move(&game, MoveRequest { budget, seed: 0, cancel: None, record: false })
                .ok();
            let elapsed = begun.elapsed();
            let done = answer.map_or(1.0, |answer| share(&self.player.budget, &answer.work));
            let is_cut = elapsed >= slice && done > 0.0;
            seconds.push(elapsed.as_secs_f64() / if is_cut { done.min(1.0) } else { 1.0 });
        }
        Some(seconds.iter().sum::<f64>() / seconds.len().max(1) as f64)
    }
}

fn random_game(start: &Start, seed: u64, longest: usize) -> Playthrough<Board> {
    let mut rng = Rng::new(derive_seed(seed, 0));
    let mut buffer = Vec::new();
    let mut game = start.playthrough();
    while game.ending().is_none() && game.moves().len() < longest {
        let mv = game.position().speed().random_move(&mut rng, &mut buffer);
        game.play(mv);
    }
    game
}

fn only_time(budget: &Budget) -> bool {
    Budget { time: None, ..*budget }.is_unlimited()
}

/// The share of a budget that was spent; 1 if it has no limit on work.
fn share(budget: &Budget, work: &Work) -> f64 {
    let parts = [
        (work.iterations, budget.iterations),
        (work.nodes, budget.nodes),
        (work.evaluations, budget.evaluations),
    ];
    let shares = parts.into_iter().filter_map(|(done, limit)| Some(done as f64 / limit? as f64));
    shares.reduce(f64::max).unwrap_or(1.0)
}
