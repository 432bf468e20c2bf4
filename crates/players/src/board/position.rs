//! Everything that a board can be asked, compiled for each type of position.

use std::any::Any;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;

use treegraft::depth_first::{WinLoss, WinLossQuestion};
use treegraft::linear::{self, Weights, features_of};
use treegraft::{
    Charset, Evaluator, Game, Ipp, NotationError, Outcome, Picture, Playout, PlayoutWeight, Rng,
    Side, Trace, divide, legal_moves,
};
use treegraft_conformance as conformance;

use super::evaluators::of_board;
use super::{Analyst, Board, MoveIndex, Trap, bridge};
use crate::error::PlayerError;
use crate::player::Player;
use crate::searcher::{Context, Evaluations, searcher};
use crate::traps::{ExplainedTrap, explain_traps, find_and_try};

/// What a board can be asked. Moves are numbers in the list of legal moves.
pub(crate) trait Position: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Box<dyn Position>;
    fn equals(&self, other: &dyn Position) -> bool;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    fn to_move(&self) -> Side;
    fn move_count(&self) -> u32;
    fn play(&mut self, mv: MoveIndex);
    fn outcome(&self) -> Option<Outcome>;
    fn margin(&self) -> Option<i64>;
    fn margin_bounds(&self) -> Option<(i64, i64)>;
    fn counts(&self) -> Option<[i64; 2]>;
    fn key(&self) -> u64;
    fn move_slots(&self) -> usize;
    fn move_slot(&self, mv: MoveIndex) -> usize;
    /// A number that is the same in every position: no place in a list of moves.
    fn lasting_move(&self, mv: MoveIndex) -> MoveIndex;
    fn order_hint(&self, mv: MoveIndex) -> i32;
    fn playout_weight(&self, mv: MoveIndex, ipp: Ipp) -> Option<PlayoutWeight>;
    fn node_prior(&self, mv: MoveIndex) -> Option<f64>;
    fn transition_probability(&self, mv: MoveIndex) -> Option<f64>;
    fn move_categories(&self) -> Vec<String>;
    fn move_category(&self, mv: MoveIndex) -> Option<u32>;
    /// The game's own, then those registered beside them.
    fn evaluators(&self, registered: &Evaluations) -> Vec<Evaluator<Board>>;
    /// Registers an evaluation that is another one with these weights. `false` if there is none of
    /// that name, or the weights are for others.
    fn add_weights(
        &self,
        registered: &mut Evaluations,
        of: &str,
        name: String,
        weights: Weights,
    ) -> bool;
    fn null_move(&self) -> Option<Box<dyn Position>>;
    fn loud_moves(&self, moves: &mut Vec<MoveIndex>);
    fn exchange(&self, mv: MoveIndex) -> Option<i32>;
    fn foregone(&self) -> Option<Outcome>;
    fn replies(&self, mv: MoveIndex) -> u32;
    fn plies_left(&self) -> Option<u32>;
    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool>;
    fn candidate_moves(&self, moves: &mut Vec<MoveIndex>);
    fn win_loss(&self, plies: u32) -> Option<i64>;
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<MoveIndex>;
    fn random_move(&self, rng: &mut Rng) -> MoveIndex;
    fn hinted_move(&self, rng: &mut Rng) -> MoveIndex;
    fn weighted_move(&self, ipp: Ipp, rng: &mut Rng) -> MoveIndex;
    fn playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout;
    fn playout_traced(&mut self, rng: &mut Rng, max_plies: u32, trace: &mut Trace) -> Playout;
    fn playout_plies(&self) -> u32;
    fn repetition_limit(&self) -> Option<u32>;
    fn max_plies(&self) -> Option<u32>;

    fn side_name(&self, side: Side) -> &'static str;
    fn move_text(&self, mv: MoveIndex) -> String;
    fn move_texts(&self) -> Vec<String>;
    fn line_texts(&self, line: &[MoveIndex]) -> Vec<String>;
    fn parse_move(&self, text: &str) -> Result<MoveIndex, NotationError>;
    fn position_text(&self) -> Option<String>;
    fn parse_position(&self, text: &str) -> Result<Box<dyn Position>, NotationError>;
    fn position_is_moves(&self) -> Option<&'static str>;
    fn diagram(&self, charset: Charset) -> String;
    fn picture(&self) -> Option<Picture>;
    fn move_cells(&self, mv: MoveIndex) -> Vec<usize>;

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

    fn index(&self, mv: G::Move) -> MoveIndex {
        index_of(&self.moves(), mv)
    }

    /// Appends the numbers of the moves that the game lists.
    fn append(&self, numbers: &mut Vec<MoveIndex>, list: impl FnOnce(&G, &mut Vec<G::Move>)) {
        let (moves, mut listed) = (self.moves(), Vec::new());
        list(&self.0, &mut listed);
        numbers.extend(listed.into_iter().map(|mv| index_of(&moves, mv)));
    }
}

/// The number of a move in a list of legal ones.
pub(crate) fn index_of<M: Copy + PartialEq>(moves: &[M], mv: M) -> MoveIndex {
    let at = moves.iter().position(|legal| *legal == mv);
    at.map_or(MoveIndex::ILLEGAL, |at| MoveIndex(at as u32))
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

    fn copy(&self) -> Box<dyn Position> {
        Box::new(At(self.0.clone()))
    }

    fn equals(&self, other: &dyn Position) -> bool {
        other.as_any().downcast_ref() == Some(&self.0)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn move_count(&self) -> u32 {
        self.moves().len() as u32
    }

    fn play(&mut self, mv: MoveIndex) {
        self.0.play(self.mv(mv));
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn margin(&self) -> Option<i64> {
        self.0.margin()
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        self.0.margin_bounds()
    }

    fn counts(&self) -> Option<[i64; 2]> {
        self.0.counts()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn move_slots(&self) -> usize {
        self.0.move_slots()
    }

    fn move_slot(&self, mv: MoveIndex) -> usize {
        self.0.move_slot(self.mv(mv))
    }

    fn lasting_move(&self, mv: MoveIndex) -> MoveIndex {
        let mut hasher = DefaultHasher::new();
        self.0.lasting_move(self.mv(mv)).hash(&mut hasher);
        MoveIndex(hasher.finish() as u32)
    }

    fn order_hint(&self, mv: MoveIndex) -> i32 {
        self.0.order_hint(self.mv(mv))
    }

    fn playout_weight(&self, mv: MoveIndex, ipp: Ipp) -> Option<PlayoutWeight> {
        self.0.playout_weight(self.mv(mv), ipp)
    }

    fn node_prior(&self, mv: MoveIndex) -> Option<f64> {
        self.0.node_prior(self.mv(mv))
    }

    fn transition_probability(&self, mv: MoveIndex) -> Option<f64> {
        self.0.transition_probability(self.mv(mv))
    }

    fn move_categories(&self) -> Vec<String> {
        self.0.move_categories()
    }

    fn move_category(&self, mv: MoveIndex) -> Option<u32> {
        self.0.move_category(self.mv(mv))
    }

    fn evaluators(&self, registered: &Evaluations) -> Vec<Evaluator<Board>> {
        let own = self.0.evaluators().into_iter();
        own.chain(registered.of().iter().cloned()).map(of_board::<G>).collect()
    }

    fn add_weights(
        &self,
        registered: &mut Evaluations,
        of: &str,
        name: String,
        weights: Weights,
    ) -> bool {
        let all = [self.0.evaluators(), registered.of().to_vec()].concat();
        let found = all.iter().find(|evaluator| evaluator.name == of);
        let features = found.and_then(|evaluator| features_of(evaluator, &self.0));
        let about = format!("{of} with other weights");
        let made = features.and_then(|features| linear::evaluator(name, about, features, weights));
        let is_made = made.is_some();
        made.into_iter().for_each(|evaluator| registered.add(evaluator));
        is_made
    }

    fn null_move(&self) -> Option<Box<dyn Position>> {
        Some(Box::new(At(self.0.null_move()?)))
    }

    fn loud_moves(&self, moves: &mut Vec<MoveIndex>) {
        self.append(moves, G::loud_moves);
    }

    fn exchange(&self, mv: MoveIndex) -> Option<i32> {
        self.0.exchange(self.mv(mv))
    }

    fn foregone(&self) -> Option<Outcome> {
        self.0.foregone()
    }

    fn replies(&self, mv: MoveIndex) -> u32 {
        self.0.replies(self.mv(mv))
    }

    fn plies_left(&self) -> Option<u32> {
        self.0.plies_left()
    }

    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        self.0.ending(plies, least, nodes)
    }

    fn candidate_moves(&self, moves: &mut Vec<MoveIndex>) {
        self.append(moves, G::candidate_moves);
    }

    fn win_loss(&self, plies: u32) -> Option<i64> {
        self.0.win_loss(plies)
    }

    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<MoveIndex> {
        self.0.minimax_move(plies, rng).map(|mv| self.index(mv))
    }

    fn random_move(&self, rng: &mut Rng) -> MoveIndex {
        self.index(self.0.random_move(rng, &mut Vec::new()))
    }

    fn hinted_move(&self, rng: &mut Rng) -> MoveIndex {
        self.index(self.0.hinted_move(rng, &mut Vec::new()))
    }

    fn weighted_move(&self, ipp: Ipp, rng: &mut Rng) -> MoveIndex {
        self.index(self.0.weighted_move(ipp, rng, &mut Vec::new()))
    }

    fn playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout {
        self.0.playout(rng, &mut Vec::new(), max_plies)
    }

    fn playout_traced(&mut self, rng: &mut Rng, max_plies: u32, trace: &mut Trace) -> Playout {
        self.0.playout_traced(rng, &mut Vec::new(), max_plies, trace)
    }

    fn playout_plies(&self) -> u32 {
        self.0.playout_plies()
    }

    fn repetition_limit(&self) -> Option<u32> {
        self.0.repetition_limit()
    }

    fn max_plies(&self) -> Option<u32> {
        self.0.max_plies()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.0.side_name(side)
    }

    fn move_text(&self, mv: MoveIndex) -> String {
        self.0.move_text(self.mv(mv))
    }

    fn move_texts(&self) -> Vec<String> {
        self.moves().into_iter().map(|mv| self.0.move_text(mv)).collect()
    }

    fn line_texts(&self, line: &[MoveIndex]) -> Vec<String> {
        let mut at = At(self.0.clone());
        let text = |index: &MoveIndex| {
            let mv = at.mv(*index);
            let text = at.0.move_text(mv);
            at.0.play(mv);
            text
        };
        line.iter().map(text).collect()
    }

    fn parse_move(&self, text: &str) -> Result<MoveIndex, NotationError> {
        let index = self.index(self.0.parse_move(text)?);
        match index {
            MoveIndex::ILLEGAL => {
                Err(NotationError::of_move(text, "not legal here", "a legal move").illegal())
            }
            index => Ok(index),
        }
    }

    fn position_text(&self) -> Option<String> {
        self.0.position_text()
    }

    fn parse_position(&self, text: &str) -> Result<Box<dyn Position>, NotationError> {
        Ok(Box::new(At(self.0.parse_position(text)?)))
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        self.0.position_is_moves()
    }

    fn diagram(&self, charset: Charset) -> String {
        self.0.diagram(charset)
    }

    fn picture(&self) -> Option<Picture> {
        self.0.picture()
    }

    fn move_cells(&self, mv: MoveIndex) -> Vec<usize> {
        self.0.move_cells(self.mv(mv))
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
        searcher(player, context, &self.0).map(bridge)
    }
}
