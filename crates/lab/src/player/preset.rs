//! The best settings of the MCTS-minimax hybrids, game by game.

use treegraft::rollout::AtVisits;

/// A choice that may depend on the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setting<T> {
    /// Without it.
    #[default]
    Off,
    /// The paper's best for the game ([`best_presets`]).
    Best,
    /// This.
    Is(T),
}

impl<T> Setting<T> {
    /// The value, if it is on, with `best` for the game's best.
    pub fn resolve(self, best: T) -> Option<T> {
        match self {
            Setting::Off => None,
            Setting::Best => Some(best),
            Setting::Is(value) => Some(value),
        }
    }
}

/// The best settings for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presets {
    /// The depth of MCTS-MR.
    pub mr: u32,
    /// Depth and visits of MCTS-MS.
    pub ms: AtVisits,
    /// The depth of MCTS-MB.
    pub mb: u32,
}

/// The settings that Baier & Winands (2015) found best.
///
/// `game` is the text of the game, with or without parameters. Games that are not in the paper get
/// MR-1, MS-2-Visit-2 and MB-2: its most frequent depths, and the visits of its two games with many
/// traps.
#[must_use]
pub fn best_presets(game: &str) -> Presets {
    let name = game.split(':').next().unwrap_or_default();
    let (mr, depth, visits, mb) = match name {
        "connect4" => (2, 2, 1, 1),
        "breakthrough" => (1, 2, 2, 2),
        "othello" => (1, 2, 50, 2),
        "lion" => (1, 4, 2, 4),
        _ => (1, 2, 2, 2),
    };
    Presets { mr, ms: AtVisits { depth, visits }, mb }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Player, Search};

    /// What the labels without numbers stand for in a game: MR, MS and MB.
    #[test]
    fn labels_without_numbers_are_the_papers_best() {
        let embed = |game: &str, text: &str| {
            let player: Player = text.parse().expect("a player");
            let Search::Rollout(player) = player.search else { panic!("{text}") };
            player.config_for(game).embed
        };
        for (game, mr, ms, mb) in [
            ("connect4", 2, (2, 1), 1),
            ("breakthrough:6x6", 1, (2, 2), 2),
            ("othello", 1, (2, 50), 2),
            ("lion", 1, (4, 2), 4),
            ("nim", 1, (2, 2), 2),
        ] {
            let (depth, visits) = ms;
            let ms = Some(AtVisits { depth, visits });
            assert_eq!(embed(game, "mcts-mr").mr, Some(mr), "{game}");
            assert_eq!(embed(game, "mcts-ms").ms, ms, "{game}");
            assert_eq!(embed(game, "mcts-mb").mb, Some(mb), "{game}");
            let all = embed(game, "mcts(mr,ms,mb)");
            assert_eq!((all.mr, all.ms, all.mb), (Some(mr), ms, Some(mb)), "{game}");
            let given = embed(game, "mcts(mr=3,ms=4:0,mb=5)");
            let ms = Some(AtVisits { depth: 4, visits: 0 });
            assert_eq!((given.mr, given.ms, given.mb), (Some(3), ms, Some(5)), "{game}");
            assert_eq!(embed(game, "mcts-solver"), treegraft::rollout::Embed::default());
        }
    }
}
