//! A player that is made weaker on purpose, so that people have a chance.

use treegraft::bits::mix;
use treegraft::{Budget, Game, Guarantee, Level, Report, Request, Rng, Searcher, TreeNode};

use crate::no_search::Random;

/// A search that stops after fewer nodes, and in between plays a move at random.
pub(crate) struct Weakened<S> {
    strong: S,
    level: Level,
}

impl<S> Weakened<S> {
    pub(crate) fn new(strong: S, level: Level) -> Weakened<S> {
        Weakened { strong, level }
    }
}

impl<G: Game, S: Searcher<G>> Searcher<G> for Weakened<S> {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        // Another sequence than that of the search itself.
        let mut rng = Rng::new(mix(!request.seed));
        if rng.below(1000) < self.level.random {
            return Random.search(position, request);
        }
        let nodes = request.budget.nodes.map_or(self.level.nodes, |n| n.min(self.level.nodes));
        let budget = Budget { nodes: Some(nodes), ..request.budget };
        self.strong.search(position, Request { budget, ..request })
    }

    fn new_game(&mut self) {
        self.strong.new_game();
    }

    fn guarantee(&self) -> Option<Guarantee<G::Move>> {
        self.strong.guarantee()
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        self.strong.tree(depth, width)
    }
}
