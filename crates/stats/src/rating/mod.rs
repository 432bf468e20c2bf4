//! Ratings of many players from the games between them: Bradley & Terry (1952), with draws by
//! Davidson (1970).
//!
//! A player of strength π beats one of strength ρ with a probability proportional to π, loses
//! proportional to ρ and draws proportional to ν sqrt(π ρ); all strengths and ν are estimated by
//! maximum likelihood.

mod likelihood;

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use super::distributions::Z95;
use likelihood::{Fit, PairingTally};

/// Ratings of all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The ratings, by number of the player.
    pub players: Vec<Rating>,
    /// Davidson's ν: two equal players draw ν / (2 + ν) of their games.
    pub ties: f64,
    /// Pairings to which a virtual game was added, see [`bradley_terry`]; 0 if the ratings are
    /// those of the games alone.
    pub virtual_games: usize,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the mean of the player's group.
    pub elo: f64,
    /// Half the width of the 95 % interval of the rating; `None` if there is nothing to compare
    /// with: a player without games.
    pub error: Option<f64>,
    /// Players in the same group are connected by games; those of different groups cannot be
    /// compared. Groups are numbered from 0 by their first players.
    pub group: usize,
}

/// Why results cannot be rated.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RatingError {
    /// A number that belongs to no player.
    #[error("player {player} has results, but players are numbered below {players}")]
    UnknownPlayer {
        /// The number.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player met itself.
    #[error("player {player} has results against itself; a rating needs two different players")]
    AgainstItself {
        /// The player.
        player: usize,
    },
}

/// Rates players 0 to `players` - 1 from results (first player, second player, games won, drawn and
/// lost by the first). Pairings may come in any order and more than once: the ratings are the same.
/// Numbers of games need not be whole: those of a pairing whose games repeat each other are less than
/// what was played; see [`Repeats`](super::Repeats).
///
/// **Scale.** ln π is turned into Elo by 400 / ln 10 · 2 / (2 + ν). Without draws that is the
/// usual scale; with draws the second factor makes a small difference mean the expected score that
/// it means in Elo's formula, as Coulom's Bayeselo does; at ν = 2 the formulas agree everywhere.
///
/// **Anchor.** The mean of every group is 0.
///
/// **Errors** come from the inverse of the Fisher information, all games counted as independent.
/// Pairs with swapped sides usually offset each other, which leaves these errors on the safe side.
///
/// **Prior.** Who won everything has no finite rating. Two players are comparable by games alone if
/// chains of wins lead from each to the other (Ford 1957). A pairing of two players for whom that
/// is not so gets a virtual game, half won and half lost (Haldane's and Anscombe's correction),
/// which makes all ratings finite. Other pairings, and draws, are left as they are.
///
/// # Errors
///
/// If a player's number is not below `players`, or a player meets itself.
pub fn bradley_terry(
    results: &[(usize, usize, [f64; 3])],
    players: usize,
) -> Result<Ratings, RatingError> {
    let mut pairings = merge(results, players)?;
    let virtual_games = add_virtual_games(&mut pairings, players);
    let groups = groups(&pairings, players);
    let fit = likelihood::maximise(&pairings, &groups);
    let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + fit.ties);
    let mut size = vec![0; players];
    groups.iter().for_each(|&group| size[group] += 1);
    let players = (0..players)
        .map(|i| {
            let sd = variance(&fit, scale, i).max(0.0).sqrt();
            let error = (size[groups[i]] > 1).then_some(Z95 * sd);
            Rating { elo: scale * fit.log_strengths[i], error, group: groups[i] }
        })
        .collect();
    Ok(Ratings { players, ties: fit.ties, virtual_games })
}

/// The variance of a rating, as the scale depends on ν = e^δ too (delta method):
/// d rating = scale (dθ - θ ν / (2 + ν) dδ).
fn variance(fit: &Fit, scale: f64, i: usize) -> f64 {
    let (theta, c) = (&fit.log_strengths, &fit.covariance);
    let share = fit.ties / (2.0 + fit.ties);
    // Without draws there is no δ, and its covariances are 0.
    let with_delta = |i: usize| c[i].get(theta.len()).copied().unwrap_or(0.0);
    let of_delta = if c.len() > theta.len() { with_delta(theta.len()) } else { 0.0 };
    let crossed = 2.0 * theta[i] * with_delta(i);
    let squared = theta[i] * theta[i] * share * of_delta;
    scale * scale * (c[i][i] + share * (squared - crossed))
}

/// One entry a pairing, the lower number first, in order; those without games left out.
fn merge(
    results: &[(usize, usize, [f64; 3])],
    players: usize,
) -> Result<Vec<PairingTally>, RatingError> {
    let mut merged: BTreeMap<(usize, usize), [f64; 3]> = BTreeMap::new();
    for &(first, second, [wins, draws, losses]) in results {
        if let Some(&player) = [first, second].iter().find(|&&player| player >= players) {
            return Err(RatingError::UnknownPlayer { player, players });
        }
        if first == second {
            return Err(RatingError::AgainstItself { player: first });
        }
        let (key, counts) = if first < second {
            ((first, second), [wins, draws, losses])
        } else {
            ((second, first), [losses, draws, wins])
        };
        let sum = merged.entry(key).or_default();
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let pairings = merged
        .into_iter()
        .map(|((first, second), [wins, draws, losses])| PairingTally {
            first,
            second,
            wins,
            draws,
            losses,
        })
        .filter(|pairing| pairing.games() > 0.0);
    Ok(pairings.collect())
}

/// Adds a game, half won and half lost, to the pairings of players whom wins do not connect both
/// ways, and says to how many.
fn add_virtual_games(pairings: &mut [PairingTally], players: usize) -> usize {
    let mut beat = vec![Vec::new(); players];
    for pairing in &*pairings {
        if pairing.wins > 0.0 {
            beat[pairing.first].push(pairing.second);
        }
        if pairing.losses > 0.0 {
            beat[pairing.second].push(pairing.first);
        }
    }
    let reached: Vec<Vec<bool>> = (0..players).map(|start| reachable(&beat, start)).collect();
    let mut added = 0;
    for pairing in pairings {
        let PairingTally { first, second, .. } = *pairing;
        if !(reached[first][second] && reached[second][first]) {
            pairing.wins += 0.5;
            pairing.losses += 0.5;
            added += 1;
        }
    }
    added
}

/// The group of every player: whom games connect, directly or not.
fn groups(pairings: &[PairingTally], players: usize) -> Vec<usize> {
    let mut met = vec![Vec::new(); players];
    for &PairingTally { first, second, .. } in pairings {
        met[first].push(second);
        met[second].push(first);
    }
    let mut groups = vec![None; players];
    let mut count = 0;
    for player in 0..players {
        if groups[player].is_none() {
            let members = reachable(&met, player);
            for (group, _) in groups.iter_mut().zip(members).filter(|(_, member)| *member) {
                *group = Some(count);
            }
            count += 1;
        }
    }
    groups.into_iter().flatten().collect()
}

/// Who can be reached from `start`, itself included.
fn reachable(next: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    seen[start] = true;
    let mut open = vec![start];
    while let Some(player) = open.pop() {
        for &other in &next[player] {
            if !seen[other] {
                seen[other] = true;
                open.push(other);
            }
        }
    }
    seen
}
