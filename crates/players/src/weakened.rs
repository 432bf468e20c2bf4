//! A player that is made weaker on purpose, so that people have a chance.

use treegraft::bits::mix;
use treegraft::{Budget, Game, Guarantee, Report, Request, Rng, Searcher, Spends, TreeNode};

use crate::no_search::Random;
use crate::player::{BestOptions, Level};

impl BestOptions {
    /// The level that these options stand for, of those that a game has.
    pub(crate) fn weakened(self, levels: &[Level; 10]) -> Level {
        let level = match self.level {
            Some(level) => levels[(level as usize).clamp(1, levels.len()) - 1],
            None => Level::new(u64::MAX, 0),
        };
        Level { random: self.random.unwrap_or(level.random), ..level }
    }
}

/// A search that stops after fewer nodes, and in between plays a move at random.
pub(crate) struct Weakened<G: Game> {
    strong: Box<dyn Searcher<G> + Send>,
    level: Level,
    /// Whether the last move was searched: else, what the search knows is about another position.
    is_searched: bool,
}

impl<G: Game> Weakened<G> {
    pub(crate) fn new(strong: Box<dyn Searcher<G> + Send>, level: Level) -> Weakened<G> {
        Weakened { strong, level, is_searched: false }
    }
}

impl<G: Game> Searcher<G> for Weakened<G> {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        // Another sequence than that of the search itself.
        let mut rng = Rng::new(mix(!request.seed));
        self.is_searched = rng.below(1000) >= self.level.random;
        if !self.is_searched {
            return Random.search(position, request);
        }
        let nodes = match request.budget.nodes {
            None if self.level.nodes == u64::MAX => None,
            nodes => Some(nodes.map_or(self.level.nodes, |nodes| nodes.min(self.level.nodes))),
        };
        let budget = Budget { nodes, ..request.budget };
        self.strong.search(position, Request { budget, ..request })
    }

    fn new_game(&mut self) {
        self.strong.new_game();
    }

    fn spends(&self) -> Spends {
        self.strong.spends()
    }

    fn guarantee(&self) -> Option<Guarantee<G::Move>> {
        self.strong.guarantee().filter(|_| self.is_searched)
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        self.strong.tree(depth, width).filter(|_| self.is_searched)
    }
}
