//! Ratings of all players of a game.

use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_stats::{Tally, bradley_terry};

use super::results::PairingResult;
use super::rows::{Rows, games_of};
use crate::{Experiment, Schedule, Scoring};

/// Ratings of all players, if three or more of a game can be compared; not for sweeps, whose table
/// already shows them.
pub(super) fn table(experiment: &Experiment, results: &[PairingResult]) -> Option<Table> {
    if experiment.schedule == Schedule::Sweep {
        return None;
    }
    let rows = Rows::new(experiment);
    let columns = vec![
        rows.game_column(),
        Column::text("player"),
        Column::number("Elo").signed(),
        Column::number("games"),
        Column::percent("score"),
    ];
    let mut table = Table::new(rows.title("ratings"), columns);
    for game in games_of(experiment) {
        for rated in rate(experiment, results, game) {
            table.rows.push(vec![
                Cell::text(game),
                Cell::text(rated.name),
                Cell::error(rated.elo, rated.error, 0),
                Cell::Whole(u64::from(rated.tally.games())),
                Cell::number(rated.tally.score(), 1),
            ]);
        }
    }
    table.notes.push(
        "Bradley–Terry ratings with draws (Davidson), the mean is 0; the error is half the 95 % \
         interval"
            .to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// A player with a rating.
pub(super) struct Rated {
    pub(super) name: String,
    pub(super) elo: f64,
    pub(super) error: f64,
    pub(super) tally: Tally,
}

/// The players of a game, the best first; none unless three or more have met.
pub(super) fn rate(experiment: &Experiment, results: &[PairingResult], game: &str) -> Vec<Rated> {
    let mut names: Vec<&str> = Vec::new();
    let mut met = Vec::new();
    for result in results {
        let pairing = &experiment.plan.pairings[result.pairing];
        let tally = match experiment.scoring {
            Scoring::Games => result.tally,
            Scoring::Pairs => result.pairs.decisive_pairs(),
        };
        if pairing.game != game || tally.games() == 0 {
            continue;
        }
        let [a, b] = pairing.names.each_ref().map(|name| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        });
        if a != b {
            met.push((a, b, tally, result.weighted(experiment.scoring)));
        }
    }
    let worth: Vec<_> = met.iter().map(|&(a, b, _, worth)| (a, b, worth)).collect();
    let Ok(ratings) = bradley_terry(&worth, names.len()) else { return Vec::new() };
    // Ratings of groups that never met cannot stand below one another.
    if names.len() < 3 || ratings.players.iter().any(|rating| rating.group != 0) {
        return Vec::new();
    }
    let mut tallies = vec![Tally::default(); names.len()];
    for (a, b, Tally { wins, draws, losses }, _) in met {
        for (player, won, lost) in [(a, wins, losses), (b, losses, wins)] {
            tallies[player].wins += won;
            tallies[player].draws += draws;
            tallies[player].losses += lost;
        }
    }
    let rated = ratings.players.iter().zip(names).zip(tallies);
    let rated = rated.map(|((rating, name), tally)| Rated {
        name: name.to_owned(),
        elo: rating.elo,
        error: rating.error.unwrap_or(f64::NAN),
        tally,
    });
    let mut rated = rated.collect::<Vec<_>>();
    rated.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    rated
}
