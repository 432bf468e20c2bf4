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
use crate::error::PlayerError;
use crate::player::Player;
use crate::searcher::{Context, Evaluations, searcher};
use crate::traps::{ExplainedTrap, explain_traps, find_and_try};

/// What a board does beside the contract. Moves are numbers in the list of legal moves.
pub(crate) trait Position: Erased<Board> + Send + Sync {
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
    fn move_texts(&self) -> Vec<String>;
    fn line_texts(&self, line: &[MoveIndex]) -> Vec<String>;

    fn divide(&self, depth: u32, each: &mut dyn FnMut(MoveIndex, u64));
    fn check(
        &self,
        evaluations: &Evaluations,
        options: &conformance::Options,
        progress: &mut dyn FnMut(f64),
    ) -> conformance::Report;
    fn forced(&self, side: Side, plies: u32) -> i64;
    fn traps(
        &self,
        max_level: u32,
        playouts: u32,
        rng: &mut Rng,
        cancel: Option<&AtomicBool>,
    ) -> Vec<Trap>;
    fn explain_traps(
        &self,
        max_level: u32,
        playouts: u32,
        seed: u64,
        cancel: Option<&AtomicBool>,
    ) -> Vec<ExplainedTrap>;

    /// A fresh search for games that begin here, compiled for this type of position.
    fn searcher(&self, player: &Player, context: &Context<'_>) -> Result<Analyst, PlayerError>;
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
        self.moves()[index.get()]
    }
}

/// The number of a move in a list of legal ones.
pub(crate) fn index_of<M: Copy + PartialEq>(moves: &[M], mv: M) -> MoveIndex {
    let at = moves.iter().position(|legal| *legal == mv);
    at.map_or(MoveIndex::ILLEGAL, |at| MoveIndex(at as u32))
}

impl<G> Carry<Board> for At<G>
where
    G: Game + Send + Sync + 'static,
    G::Move: Send + Sync,
{
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

impl<G> Position for At<G>
where
    G: Game + Send + Sync + 'static,
    G::Move: Send + Sync,
{
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
        let is_made = made.is_some();
        made.into_iter().for_each(|evaluator| registered.add(evaluator));
        is_made
    }

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

    fn check(
        &self,
        evaluations: &Evaluations,
        options: &conformance::Options,
        progress: &mut dyn FnMut(f64),
    ) -> conformance::Report {
        conformance::check_with_evaluators(&self.0, evaluations.of::<G>(), options, progress)
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

    fn searcher(&self, player: &Player, context: &Context<'_>) -> Result<Analyst, PlayerError> {
        searcher(player, context, &self.0).map(bridge_boxed)
    }
}
