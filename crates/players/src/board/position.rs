//! What boards do, compiled for each type of position.

use std::any::Any;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;

use treegraft::depth_first::{WinLoss, WinLossQuestion};
use treegraft::erased::{Carry, Erased};
use treegraft::linear::{self, Weights, features_of};
use treegraft::{
    Evaluator, Game, Knowledge, Notation, NotationError, Playout, Rng, Side, Speed, Trace, divide,
    legal_moves,
};
use treegraft_conformance as conformance;

use super::bridge::bridge_boxed;
use super::evaluators::of_board;
use super::{Analyst, Board, MoveIndex, Trap};
use crate::error::Complaint;
use crate::player::Search;
use crate::searcher::{Context, Evaluations, searcher};
use crate::traps::{ExplainedTrap, explain_traps, find_and_try};

/// What a [`Board`] does in a single call, in code that is compiled for the game inside. Moves are
/// numbers in the list of legal moves.
pub trait Operations {
    /// Calls `each` for every legal move with the number of sequences of `depth` plies, at least 1,
    /// that begin with it; see [`treegraft::divide`].
    fn divide(&self, depth: u32, each: &mut dyn FnMut(MoveIndex, u64));

    /// All legal moves as people write them, in the game's order: faster than one after the other.
    fn move_texts(&self) -> Vec<String>;

    /// A line of legal moves from here as people write them.
    ///
    /// # Panics
    ///
    /// If a move is not legal.
    fn line_texts(&self, line: &[MoveIndex]) -> Vec<String>;

    /// The value for `side` within `plies` plies: 1 if it can force a win, -1 if it cannot avoid a
    /// loss, 0 if neither is seen that far; see [`WinLoss`](treegraft::depth_first::WinLoss).
    fn forced(&self, side: Side, plies: u32) -> i64;

    /// The traps that the position holds for the side to move, up to this level, in the order of
    /// the moves, each with how many of `playouts` random games after it mislead. If `cancel` is
    /// set before it is done, the answer means nothing.
    fn traps(
        &self,
        max_level: u32,
        playouts: u32,
        rng: &mut Rng,
        cancel: Option<&AtomicBool>,
    ) -> Vec<Trap>;

    /// The traps of the position up to a level, each with the opponent's win; the quickest losses
    /// first. If `cancel` is set before it is done, the answer means nothing.
    fn explain_traps(
        &self,
        max_level: u32,
        playouts: u32,
        seed: u64,
        cancel: Option<&AtomicBool>,
    ) -> Vec<ExplainedTrap>;
}

/// What else a board does beside the contract.
pub(crate) trait Position: Operations + Erased<Board> + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Board;
    fn equals(&self, other: &dyn Position) -> bool;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The number of legal moves.
    fn move_count(&self) -> u32;
    /// See [`treegraft::playout`].
    fn playout(&mut self, rng: &mut Rng, max_plies: u32, trace: Option<&mut Trace>) -> Playout;
    /// The game's own, then those registered beside them.
    fn all_evaluators(&self, registered: &Evaluations) -> Vec<Evaluator<Board>>;
    /// Registers an evaluation that is another one with these weights. `false` if there is none of
    /// that name, or the weights are for others.
    fn add_weights(
        &self,
        registered: &mut Evaluations,
        of: &str,
        name: String,
        weights: Weights,
    ) -> bool;
    fn check(
        &self,
        evaluations: &Evaluations,
        options: &conformance::Options,
        progress: &mut dyn FnMut(f64),
    ) -> conformance::Report;

    /// A fresh search for games that begin here, compiled for this type of position.
    fn searcher(&self, search: &Search, context: &Context<'_>) -> Result<Analyst, Complaint>;
}

/// A position of the type `G`.
pub(crate) struct At<G>(pub(crate) G);

impl<G: Game> At<G> {
    /// The legal moves, none if the game is over.
    fn moves(&self) -> Vec<G::Move> {
        legal_moves(&self.0)
    }

    /// The move with this number. Panics if there is none.
    fn mv(&self, index: MoveIndex) -> G::Move {
        self.moves()[index.0 as usize]
    }
}

/// The number of a move in a list of legal ones.
pub(crate) fn index_of<M: Copy + PartialEq>(moves: &[M], mv: M) -> MoveIndex {
    let at = moves.iter().position(|legal| *legal == mv);
    at.map_or(MoveIndex::ILLEGAL, |at| MoveIndex(at as u32))
}

impl<G: Game<Move: Send + Sync> + Send + Sync + 'static> Carry<Board> for At<G> {
    type Inner = G;

    fn inner(&self) -> &G {
        &self.0
    }

    fn inner_mut(&mut self) -> &mut G {
        &mut self.0
    }

    fn inward(&self, mv: MoveIndex) -> G::Move {
        self.mv(mv)
    }

    fn outward(&self, mv: G::Move) -> MoveIndex {
        index_of(&self.moves(), mv)
    }

    /// A number that is the same in every position: no place in a list of moves.
    fn lasting_move(&self, mv: MoveIndex) -> MoveIndex {
        let mut hasher = DefaultHasher::new();
        self.0.speed().lasting_move(self.mv(mv)).hash(&mut hasher);
        MoveIndex(hasher.finish() as u32)
    }

    fn wrap(&self, position: G) -> Board {
        Board::new(position)
    }

    fn list(&self, numbers: &mut Vec<MoveIndex>, list: impl FnOnce(&G, &mut Vec<G::Move>)) {
        let (moves, mut listed) = (self.moves(), Vec::new());
        list(&self.0, &mut listed);
        numbers.extend(listed.into_iter().map(|mv| index_of(&moves, mv)));
    }

    fn parse_move(&self, text: &str) -> Result<MoveIndex, NotationError> {
        match self.outward(self.0.notation().parse_move(text)?) {
            MoveIndex::ILLEGAL => {
                Err(NotationError::of_move(text, "not legal here", "a legal move").illegal())
            }
            index => Ok(index),
        }
    }

    fn evaluators(&self) -> Vec<Evaluator<Board>> {
        self.all_evaluators(&Evaluations::default())
    }
}

impl<G: Game<Move: Send + Sync> + Send + Sync + 'static> Operations for At<G> {
    fn move_texts(&self) -> Vec<String> {
        self.moves().into_iter().map(|mv| self.0.notation().move_text(mv)).collect()
    }

    fn line_texts(&self, line: &[MoveIndex]) -> Vec<String> {
        let mut at = At(self.0.clone());
        let text = |index: &MoveIndex| {
            let mv = at.mv(*index);
            let text = at.0.notation().move_text(mv);
            at.0.play(mv);
            text
        };
        line.iter().map(text).collect()
    }

    fn divide(&self, depth: u32, each: &mut dyn FnMut(MoveIndex, u64)) {
        for (number, (_, nodes)) in (0..).zip(divide(&self.0, depth)) {
            each(MoveIndex(number), nodes);
        }
    }

    fn forced(&self, side: Side, plies: u32) -> i64 {
        WinLoss::default().value(&self.0, plies, side, WinLossQuestion::Value)
    }

    fn traps(
        &self,
        max_level: u32,
        playouts: u32,
        rng: &mut Rng,
        cancel: Option<&AtomicBool>,
    ) -> Vec<Trap> {
        let moves = self.moves();
        let found = find_and_try(&self.0, max_level, playouts, rng, cancel);
        let trap = |(mv, level, misled)| Trap { mv: index_of(&moves, mv), level, misled };
        found.into_iter().map(trap).collect()
    }

    fn explain_traps(
        &self,
        max_level: u32,
        playouts: u32,
        seed: u64,
        cancel: Option<&AtomicBool>,
    ) -> Vec<ExplainedTrap> {
        explain_traps(&self.0, max_level, playouts, seed, cancel)
    }
}

impl<G: Game<Move: Send + Sync> + Send + Sync + 'static> Position for At<G> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        &mut self.0
    }

    fn copy(&self) -> Board {
        self.wrap(self.0.clone())
    }

    fn equals(&self, other: &dyn Position) -> bool {
        other.as_any().downcast_ref() == Some(&self.0)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }

    fn move_count(&self) -> u32 {
        self.moves().len() as u32
    }

    fn playout(&mut self, rng: &mut Rng, max_plies: u32, trace: Option<&mut Trace>) -> Playout {
        treegraft::playout(&mut self.0, rng, &mut Vec::new(), max_plies, trace)
    }

    fn all_evaluators(&self, registered: &Evaluations) -> Vec<Evaluator<Board>> {
        let own = self.0.knowledge().evaluators().into_iter();
        own.chain(registered.of().iter().cloned()).map(of_board::<G>).collect()
    }

    fn add_weights(
        &self,
        registered: &mut Evaluations,
        of: &str,
        name: String,
        weights: Weights,
    ) -> bool {
        let all = [self.0.knowledge().evaluators(), registered.of().to_vec()].concat();
        let found = all.iter().find(|evaluator| evaluator.name == of);
        let features = found.and_then(|evaluator| features_of(evaluator, &self.0));
        let about = format!("{of} with other weights");
        let made = features.and_then(|features| linear::evaluator(name, about, features, weights));
        made.map(|evaluator| registered.add(evaluator)).is_some()
    }

    fn check(
        &self,
        evaluations: &Evaluations,
        options: &conformance::Options,
        progress: &mut dyn FnMut(f64),
    ) -> conformance::Report {
        conformance::check_with_evaluators(&self.0, evaluations.of::<G>(), options, progress)
    }

    fn searcher(&self, search: &Search, context: &Context<'_>) -> Result<Analyst, Complaint> {
        searcher(search, context, &self.0).map(bridge_boxed)
    }
}
