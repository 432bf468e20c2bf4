//! The exploration constants of the papers.

use std::f64::consts::SQRT_2;

use treegraft::rollout::Select;

/// The exploration constant C that the papers use for a game, for rewards from 0 to 1.
///
/// `game` is the text of the game, with or without parameters.
///
/// * UCB1-Tuned: Connect-4 1.3, Breakthrough 0.8, Othello 0.7, Catch the Lion 0.7 (Baier & Winands
///   2015); 1 elsewhere, as in the formula of Auer, Cesa-Bianchi & Fischer 2002.
/// * UCB1: Breakthrough 0.4 and Kalah 0.5, half of 0.8 and 1.0, which Lanctot et al. 2014 use with
///   rewards from -1 to 1; √2 elsewhere, as in the formula.
/// * Lines of Action: 0.6 is remembered from the literature on it and not printed in the papers.
///
/// For games that a paper has under one formula only, the other constant follows from this: at
/// most 1/4 stands under the root of UCB1-Tuned, so that it explores like UCB1 with half its C.
#[must_use]
pub fn exploration_constant(game: &str, select: Select) -> f64 {
    let name = game.split(':').next().unwrap_or_default();
    let (tuned, ucb1) = match name {
        "connect4" => (1.3, 0.65),
        "breakthrough" => (0.8, 0.4),
        "othello" => (0.7, 0.35),
        "lion" => (0.7, 0.35),
        "kalah" => (1.0, 0.5),
        "loa" => (0.6, 0.3),
        _ => (1.0, SQRT_2),
    };
    match select {
        Select::Ucb1 => ucb1,
        Select::Ucb1Tuned => tuned,
    }
}
