//! Exact values: which player finds them, and with which options.

use treegraft::depth_first::{Config, Scores, solver_config};
use treegraft::{Budget, Game};
use treegraft_engine::Findings;
use treegraft_players::{Board, DepthFirstOptions, Eval, Player, Search};

use crate::guarantee::StatedGuarantee;

/// The player that solves a position: the given one, or the best exact search. It searches for the
/// margin in games that keep count, and to the end of the game at once if there is one.
#[must_use]
pub fn exact_player(position: &Board, with: Option<Player>) -> Player {
    let scores = if position.keeps_count() { Scores::Margin } else { Scores::Outcome };
    let mut player = with.unwrap_or_else(|| solver(position, scores));
    match &mut player.search {
        Search::DepthFirst(DepthFirstOptions { config, .. }) => for_scores(config, scores),
        Search::Prove(player) => {
            if scores == Scores::Margin {
                player.config.scores = Scores::Margin;
            }
            // Without a horizon there is nothing to deepen, unless a game can go on forever.
            player.config.deepening &= is_endless(position);
        }
        _ => {}
    }
    player
}

/// Whether only a limit ends some games.
pub(crate) fn is_endless(position: &Board) -> bool {
    position.limits().repetitions.is_some() || position.limits().plies.is_some()
}

/// The best exact search for outcomes or margins in the game of a position, without a budget.
#[must_use]
pub fn solver(position: &Board, scores: Scores) -> Player {
    let mut config = solver_config(position);
    for_scores(&mut config, scores);
    let search = Search::DepthFirst(DepthFirstOptions { config, eval: Eval::Nothing });
    Player { search, budget: Budget::default() }
}

fn for_scores(config: &mut Config, scores: Scores) {
    if scores == Scores::Margin {
        config.scores = Scores::Margin;
        // A glance finds who wins, not by how much.
        config.glance = false;
    }
}

/// Whether there is nothing more to find out.
#[must_use]
pub fn is_solved(findings: &Findings, guarantee: Option<&StatedGuarantee>) -> bool {
    findings.proof.is_some() && !guarantee.is_some_and(StatedGuarantee::lacks_margin)
}
