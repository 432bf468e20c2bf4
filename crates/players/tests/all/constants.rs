//! The constants of searches are those of the papers for the game.

use treegraft::rollout::{self, AtVisits, Select};
use treegraft::{Constants, Side};
use treegraft_players::{Registry, Search};

use crate::common::{player, start, with_own_games};

fn constants(registry: &Registry, game: &str) -> Constants {
    start(registry, game).info().constants
}

fn config(registry: &Registry, game: &str, text: &str) -> rollout::Config {
    let Search::Rollout(player) = player(registry, text).search else { panic!("{text}") };
    player.config_for(&constants(registry, game))
}

#[test]
fn exploration_depends_on_game_and_formula() {
    let registry = with_own_games(9, Side::First);
    for (game, select, c) in [
        ("connect4:5x4", Select::Ucb1Tuned, 1.3),
        ("breakthrough", Select::Ucb1Tuned, 0.8),
        ("kalah:6,4", Select::Ucb1, 0.5),
        ("hex", Select::Ucb1, 0.3),
        ("nim", Select::Ucb1Tuned, 1.0),
    ] {
        assert_eq!(constants(&registry, game).c(select), c, "{game}");
        let text = match select {
            Select::Ucb1 => "uct",
            Select::Ucb1Tuned => "mcts",
        };
        assert_eq!(config(&registry, game, text).c, c, "{game}");
        assert_eq!(config(&registry, game, &format!("{text}(c=0.25)")).c, 0.25, "{game}");
    }
}

/// What the labels without numbers stand for in a game: MR, MS and MB.
#[test]
fn labels_without_numbers_are_the_papers_best() {
    let registry = with_own_games(9, Side::First);
    let embed = |game: &str, text: &str| config(&registry, game, text).embed;
    for (game, mr, ms, mb) in [
        ("connect4", 2, (2, 1), 1),
        ("breakthrough:6x6", 1, (2, 2), 2),
        ("othello", 1, (2, 50), 2),
        ("lion", 1, (4, 2), 4),
        ("nim", 1, (2, 2), 2),
    ] {
        let (depth, visits) = ms;
        let ms = AtVisits { depth, visits };
        let known = constants(&registry, game);
        assert_eq!((known.mr, known.ms, known.mb), (mr, ms, mb), "{game}");
        assert_eq!(embed(game, "mcts-mr").mr, Some(mr), "{game}");
        assert_eq!(embed(game, "mcts-ms").ms, Some(ms), "{game}");
        assert_eq!(embed(game, "mcts-mb").mb, Some(mb), "{game}");
        let all = embed(game, "mcts(mr,ms,mb)");
        assert_eq!((all.mr, all.ms, all.mb), (Some(mr), Some(ms), Some(mb)), "{game}");
        let given = embed(game, "mcts(mr=3,ms=4:0,mb=5)");
        let ms = Some(AtVisits { depth: 4, visits: 0 });
        assert_eq!((given.mr, given.ms, given.mb), (Some(3), ms, Some(5)), "{game}");
        assert_eq!(embed(game, "mcts-solver"), rollout::Embed::default());
    }
}
