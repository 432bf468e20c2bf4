//! The plan: the numbered pairs that an experiment stands for.

use treegraft_players::Player;

use crate::openings::Openings;
use crate::pair::{Pair, hash};

/// The numbered pairs that an experiment stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Who meets whom in which game.
    pub pairings: Vec<PlannedPairing>,
    /// How many pairs each pairing plays, at most if the stop rule can end it sooner.
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
        let (game, opening) = self.openings.of_pair(&self.game, self.seed, number);
        let (players, max_plies) = (self.players.each_ref().map(Player::to_string), self.max_plies);
        let pair = Pair { game, players, opening, seed: self.seed, max_plies };
        let id = pair.id();
        let seed = hash(&format!("treegraft seed 1\n{number}\n{id}")) as u64;
        Pair { seed, ..pair }
    }

    /// Whether playing it again gives the same games.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.players.iter().all(Player::is_repeatable)
    }
}

impl Plan {
    /// The number of pairs, at most if the stop rule can end pairings sooner.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.pairings.len() as u64 * self.pairs_each
    }

    /// Whether there is nothing to play.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All pairs with the index of the pairing and the number in it, in the order in which they
    /// should be played: pair 0 of all pairings, then pair 1 of all, and so on.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, u64, Pair)> + '_ {
        (0..self.pairs_each).flat_map(move |number| {
            let pairings = self.pairings.iter().enumerate();
            pairings.map(move |(index, pairing)| (index, number, pairing.pair(number)))
        })
    }
}
