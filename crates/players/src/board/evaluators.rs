//! Evaluations of positions as evaluations of boards.

use std::sync::Arc;

use treegraft::linear::{Active, Features, SharedFeatures};
use treegraft::{Evaluate, Evaluator, Game, Part, legal_moves};

use super::position::index_of;
use super::{Board, MoveIndex};

/// An evaluation of positions as one of boards, with its fast ways to greedy moves and to playouts.
pub(super) fn of_board<G: Game + 'static>(evaluator: Evaluator<G>) -> Evaluator<Board> {
    let (name, about, slope) = (evaluator.name.clone(), evaluator.about.clone(), evaluator.slope);
    let mut of_board = Evaluator::shared(name, about, OfBoard(evaluator.clone())).with_slope(slope);
    if let Some(features) = evaluator.features() {
        of_board = of_board.with_features(Arc::new(FeaturesOfBoard(Arc::clone(features))));
    }
    if evaluator.has_playouts() {
        let evaluator = evaluator.clone();
        of_board = of_board.with_playouts(move |board, guide, rng| {
            evaluator.guided_playout(board.downcast_mut()?, guide, rng)
        });
    }
    if evaluator.has_greedy() {
        of_board = of_board.with_greedy(move |board, ipp, rng| {
            let position: Option<&G> = board.downcast();
            let chosen = position.and_then(|position| {
                let mv = evaluator.greedy_move(position, ipp, rng)?;
                Some(index_of(&legal_moves(position), mv))
            });
            // A board of another game, about which the evaluation knows nothing.
            chosen.unwrap_or(MoveIndex(0))
        });
    }
    of_board
}

struct OfBoard<G: Game>(Evaluator<G>);

impl<G: Game + 'static> Evaluate<Board> for OfBoard<G> {
    fn evaluate(&self, board: &Board) -> i32 {
        board.downcast().map_or(0, |position| self.0.evaluate(position))
    }

    fn parts(&self, board: &Board) -> Vec<Part> {
        board.downcast().map_or(Vec::new(), |position| self.0.parts(position))
    }

    fn foresee(&self, boards: &[Board]) {
        let positions = boards.iter().filter_map(Board::downcast::<G>).cloned();
        self.0.foresee(&positions.collect::<Vec<G>>());
    }

    fn foresees(&self) -> bool {
        self.0.foresees()
    }
}

struct FeaturesOfBoard<G: Game>(SharedFeatures<G>);

impl<G: Game + 'static> Features<Board> for FeaturesOfBoard<G> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn list(&self, board: &Board, active: &mut Vec<Active>) {
        if let Some(position) = board.downcast() {
            self.0.list(position, active);
        }
    }

    fn fineness(&self) -> u32 {
        self.0.fineness()
    }

    fn label(&self, feature: usize) -> String {
        self.0.label(feature)
    }
}
