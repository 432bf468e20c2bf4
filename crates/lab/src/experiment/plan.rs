//! The plan: the numbered pairs that an experiment stands for.

use treegraft_engine::{MemoryError, check_memory_of_games};
use treegraft_pictures::grouped;
use treegraft_players::Player;

use crate::openings::Openings;
use crate::pair::{Pair, hash};
use crate::workers::processors;

/// Maximum number of games of a plan, which is held in memory as a whole.
pub(super) const MAX_GAMES: u64 = 10_000_000;

/// Maximum number of pairings of a plan.
pub(super) const MAX_PAIRINGS: u64 = 100_000;

/// Refuses a plan that is too large, before it is made: `pairings` pairings of `games` games each.
pub(super) fn refuse_large(pairings: u64, games: u64) -> Result<(), String> {
    let total = pairings.saturating_mul(games);
    let [pairings_text, total_text] = [pairings, total].map(grouped);
    if pairings > MAX_PAIRINGS {
        let most = grouped(MAX_PAIRINGS);
        return Err(format!("the plan has {pairings_text} pairings; expected {most} at most"));
    }
    if total > MAX_GAMES {
        let most = grouped(MAX_GAMES);
        return Err(format!(
            "the plan has {total_text} games in {pairings_text} pairings; expected {most} at most \
             in all"
        ));
    }
    Ok(())
}

/// The numbered pairs that an experiment stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Who meets whom in which game.
    pub pairings: Vec<PlannedPairing>,
    /// Pairs of each pairing; the maximum, if the stop rule can end it sooner.
    pub pairs_each: u64,
}

/// Two players who meet in numbered pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPairing {
    /// The canonical text of the game.
    pub game: String,
    /// What the players are called in tables; results are in the view of the first.
    pub names: [String; 2],
    /// The players, with the budgets they really have.
    pub players: [Player; 2],
    /// In a sweep the parameters with their values, as written in the file.
    pub parameters: Vec<(String, String)>,
    /// How the pairs begin.
    pub openings: Openings,
    /// The seed of the experiment.
    pub seed: u64,
    /// After how many plies games are drawn.
    pub max_plies: Option<u32>,
}

impl PlannedPairing {
    /// A pair by its number, from 0.
    ///
    /// Its opening follows from the experiment's seed and the number alone, so that in all pairings
    /// pair *i* begins the same way; the seed of its games follows from everything that determines
    /// it. Neither depends on how many pairs or which other pairings are planned.
    #[must_use]
    pub fn pair(&self, number: u64) -> Pair {
        self.pair_of(self.player_texts(), number)
    }

    fn player_texts(&self) -> [String; 2] {
        self.players.each_ref().map(Player::to_string)
    }

    /// A pair of the players with these texts: writing them takes longer than all the rest.
    fn pair_of(&self, players: [String; 2], number: u64) -> Pair {
        let (game, opening) = self.openings.of_pair(&self.game, self.seed, number);
        let pair = Pair { game, players, opening, seed: self.seed, max_plies: self.max_plies };
        let id = pair.id();
        let seed = hash(format!("treegraft seed 1\n{number}\n{id}")) as u64;
        Pair { seed, ..pair }
    }

    /// Whether playing it again gives the same games.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.players.iter().all(Player::is_repeatable)
    }
}

impl Plan {
    /// The number of pairs; the maximum, if the stop rule can end pairings sooner.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.pairings.len() as u64 * self.pairs_each
    }

    /// Whether there is nothing to play.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks the memory that the budgets allow for `jobs` games at a time (0: one per processor).
    ///
    /// # Errors
    ///
    /// If it is more than this process may use.
    pub fn check_memory(&self, jobs: usize) -> Result<(), MemoryError> {
        let jobs = if jobs == 0 { processors() } else { jobs };
        let most = usize::try_from(self.len()).unwrap_or(usize::MAX);
        check_memory_of_games(
            self.pairings.iter().map(|pairing| pairing.players.each_ref()),
            jobs.min(most),
        )
    }

    /// All pairs with the index of the pairing and the number in it, in the order in which they
    /// should be played: pair 0 of all pairings, then pair 1 of all, and so on.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, u64, Pair)> + '_ {
        let texts: Vec<_> = self.pairings.iter().map(PlannedPairing::player_texts).collect();
        (0..self.len()).map(move |at| {
            let index = (at % texts.len() as u64) as usize;
            let number = at / texts.len() as u64;
            (index, number, self.pairings[index].pair_of(texts[index].clone(), number))
        })
    }
}
