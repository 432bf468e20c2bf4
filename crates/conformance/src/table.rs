//! The game under test behind a table of positions and moves.
//!
//! The laws are much code, and speed matters in few of them. They are compiled once, for a
//! [`Position`](super::subject::Position) that is a number in a table. Only the table, which asks the game, and the two
//! slowest loops are compiled for every game.

use std::cell::{OnceCell, Ref, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use treegraft::depth_first::{WinLoss, WinLossQuestion};
use treegraft::{
    Charset, Evaluator, Game, Guide, GuidedPlayout, Ipp, KeyHasher, NotationError, Outcome, Part,
    Picture, Playout, PlayoutWeight, Rng, Side, Trace,
};

/// The game under test. Numbers stand for positions and moves.
pub(super) trait Table {
    fn copy(&self, at: u32) -> u32;
    fn drop(&self, at: u32);
    fn equal(&self, a: u32, b: u32) -> bool;
    fn hash(&self, at: u32, hasher: &mut dyn Hasher);
    fn debug(&self, at: u32) -> String;
    fn debug_move(&self, mv: u32) -> String;

    fn to_move(&self, at: u32) -> Side;
    /// Appends to moves that are there already.
    fn moves(&self, at: u32, moves: &mut Vec<u32>);
    fn play(&self, at: u32, mv: u32);
    fn outcome(&self, at: u32) -> Option<Outcome>;
    fn margin(&self, at: u32) -> Option<i64>;
    fn margin_bounds(&self, at: u32) -> Option<(i64, i64)>;
    fn counts(&self, at: u32) -> Option<[i64; 2]>;
    fn key(&self, at: u32) -> u64;
    fn move_slots(&self, at: u32) -> usize;
    fn move_slot(&self, at: u32, mv: u32) -> usize;
    fn order_hint(&self, at: u32, mv: u32) -> i32;
    fn playout_weight(&self, at: u32, mv: u32, ipp: Ipp) -> Option<PlayoutWeight>;
    fn node_prior(&self, at: u32, mv: u32) -> Option<f64>;
    fn transition_probability(&self, at: u32, mv: u32) -> Option<f64>;
    fn move_categories(&self, at: u32) -> Vec<String>;
    fn move_category(&self, at: u32, mv: u32) -> Option<u32>;
    fn null_move(&self, at: u32) -> Option<u32>;
    /// Appends to moves that are there already.
    fn loud_moves(&self, at: u32, moves: &mut Vec<u32>);
    fn exchange(&self, at: u32, mv: u32) -> Option<i32>;
    fn foregone(&self, at: u32) -> Option<Outcome>;
    fn replies(&self, at: u32, mv: u32) -> u32;
    fn plies_left(&self, at: u32) -> Option<u32>;
    fn ending(&self, at: u32, plies: u32, least: i64, nodes: &mut u64) -> Option<bool>;
    /// Appends to moves that are there already.
    fn candidate_moves(&self, at: u32, moves: &mut Vec<u32>);
    fn win_loss(&self, at: u32, plies: u32) -> Option<i64>;
    fn minimax_move(&self, at: u32, plies: u32, rng: &mut Rng) -> Option<u32>;
    /// With a buffer that holds these moves.
    fn random_move(&self, at: u32, rng: &mut Rng, buffer: &[u32]) -> u32;
    fn hinted_move(&self, at: u32, rng: &mut Rng, buffer: &[u32]) -> u32;
    fn weighted_move(&self, at: u32, ipp: Ipp, rng: &mut Rng, buffer: &[u32]) -> u32;
    fn playout(&self, at: u32, rng: &mut Rng, buffer: &[u32], max_plies: u32) -> Playout;
    /// Appends to a trace that is there already.
    fn playout_traced(
        &self,
        at: u32,
        rng: &mut Rng,
        buffer: &[u32],
        max_plies: u32,
        trace: &mut Trace,
    ) -> Playout;
    fn playout_plies(&self, at: u32) -> u32;
    fn repetition_limit(&self, at: u32) -> Option<u32>;
    fn max_plies(&self, at: u32) -> Option<u32>;
    fn side_name(&self, at: u32, side: Side) -> &'static str;
    fn move_text(&self, at: u32, mv: u32) -> String;
    fn parse_move(&self, at: u32, text: &str) -> Result<u32, NotationError>;
    fn position_text(&self, at: u32) -> Option<String>;
    fn parse_position(&self, at: u32, text: &str) -> Result<u32, NotationError>;
    fn position_is_moves(&self, at: u32) -> Option<&'static str>;
    fn diagram(&self, at: u32, charset: Charset) -> String;
    fn picture(&self, at: u32) -> Option<Picture>;
    fn move_cells(&self, at: u32, mv: u32) -> Vec<usize>;

    /// The evaluations of a position.
    fn evaluators(&self, at: u32) -> Vec<EvaluatorCard>;
    /// What an evaluation of the first position says of another: searches take theirs from the
    /// start of a game.
    fn evaluate(&self, at: u32, evaluator: usize) -> i32;
    /// What it is made of, by the same evaluation.
    fn parts(&self, at: u32, evaluator: usize) -> Vec<Part>;
    /// What such an evaluation chooses. Only asked of one that has a fast way to do so.
    fn greedy_move(&self, at: u32, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> u32;
    /// The playout that such an evaluation makes, if it does. Only asked of one that has a fast way
    /// to do so.
    fn guided_playout(
        &self,
        at: u32,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout>;
    /// A playout with nothing but the four methods that make a game.
    fn slow_playout(&self, at: u32, rng: &mut Rng, max_plies: u32) -> Playout;
    /// What looking at all moves finds; see [`WinLoss`].
    fn slow_win_loss(&self, at: u32, plies: u32, me: Side) -> i64;
}

/// What an evaluation says of itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EvaluatorCard {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) slope: f64,
    /// Whether it has a fast way to the best move.
    pub(super) has_greedy: bool,
    /// Whether it has a fast way to make playouts.
    pub(super) has_playouts: bool,
}

/// The table of a game of the type `G`.
pub(super) struct Typed<G: Game> {
    /// `None`: the number is free.
    positions: RefCell<Vec<Option<G>>>,
    free: RefCell<Vec<u32>>,
    moves: RefCell<Vec<G::Move>>,
    numbers: RefCell<HashMap<G::Move, u32, BuildHasherDefault<KeyHasher>>>,
    buffer: RefCell<Vec<G::Move>>,
    start: G,
    /// Beside the game's own.
    more_evaluators: Vec<Evaluator<G>>,
    /// Those of the start, and more.
    evaluators: OnceCell<Vec<Evaluator<G>>>,
}

impl<G: Game> Typed<G> {
    /// A table with one position, whose number is 0.
    pub(super) fn new(start: G, more_evaluators: Vec<Evaluator<G>>) -> Typed<G> {
        Typed {
            positions: RefCell::new(vec![Some(start.clone())]),
            free: RefCell::default(),
            moves: RefCell::default(),
            numbers: RefCell::default(),
            buffer: RefCell::default(),
            start,
            more_evaluators,
            evaluators: OnceCell::new(),
        }
    }

    fn at(&self, at: u32) -> Ref<'_, G> {
        Ref::map(self.positions.borrow(), |positions| {
            positions[at as usize].as_ref().expect("a number in use")
        })
    }

    fn change<T>(&self, at: u32, change: impl FnOnce(&mut G) -> T) -> T {
        let mut positions = self.positions.borrow_mut();
        change(positions[at as usize].as_mut().expect("a number in use"))
    }

    fn add(&self, position: G) -> u32 {
        let mut positions = self.positions.borrow_mut();
        if let Some(at) = self.free.borrow_mut().pop() {
            positions[at as usize] = Some(position);
            return at;
        }
        positions.push(Some(position));
        positions.len() as u32 - 1
    }

    fn mv(&self, number: u32) -> G::Move {
        self.moves.borrow()[number as usize]
    }

    fn number(&self, mv: G::Move) -> u32 {
        *self.numbers.borrow_mut().entry(mv).or_insert_with(|| {
            let mut moves = self.moves.borrow_mut();
            moves.push(mv);
            moves.len() as u32 - 1
        })
    }

    /// An evaluation of the start.
    fn evaluator(&self, number: usize) -> &Evaluator<G> {
        &self.evaluators.get_or_init(|| self.all_evaluators(&self.start))[number]
    }

    fn all_evaluators(&self, position: &G) -> Vec<Evaluator<G>> {
        let mut evaluators = position.evaluators();
        evaluators.extend_from_slice(&self.more_evaluators);
        evaluators
    }

    /// Lets the game append to these moves.
    fn append(&self, moves: &mut Vec<u32>, append: impl FnOnce(&mut Vec<G::Move>)) {
        let mut buffer = self.buffer(moves);
        append(&mut buffer);
        moves.clear();
        moves.extend(buffer.iter().map(|&mv| self.number(mv)));
        self.buffer.replace(buffer);
    }

    /// The scratch space, holding these moves. After a panic in the game another one is used.
    fn buffer(&self, holding: &[u32]) -> Vec<G::Move> {
        let mut buffer = self.buffer.take();
        buffer.clear();
        buffer.extend(holding.iter().map(|&mv| self.mv(mv)));
        buffer
    }
}

impl<G: Game> Table for Typed<G> {
    fn copy(&self, at: u32) -> u32 {
        let copy = self.at(at).clone();
        self.add(copy)
    }

    fn drop(&self, at: u32) {
        self.positions.borrow_mut()[at as usize] = None;
        self.free.borrow_mut().push(at);
    }

    fn equal(&self, a: u32, b: u32) -> bool {
        *self.at(a) == *self.at(b)
    }

    fn hash(&self, at: u32, mut hasher: &mut dyn Hasher) {
        self.at(at).hash(&mut hasher);
    }

    fn debug(&self, at: u32) -> String {
        format!("{:?}", *self.at(at))
    }

    fn debug_move(&self, mv: u32) -> String {
        format!("{:?}", self.mv(mv))
    }

    fn to_move(&self, at: u32) -> Side {
        self.at(at).to_move()
    }

    fn moves(&self, at: u32, moves: &mut Vec<u32>) {
        self.append(moves, |moves| self.at(at).moves(moves));
    }

    fn play(&self, at: u32, mv: u32) {
        let mv = self.mv(mv);
        self.change(at, |position| position.play(mv));
    }

    fn outcome(&self, at: u32) -> Option<Outcome> {
        self.at(at).outcome()
    }

    fn margin(&self, at: u32) -> Option<i64> {
        self.at(at).margin()
    }

    fn margin_bounds(&self, at: u32) -> Option<(i64, i64)> {
        self.at(at).margin_bounds()
    }

    fn counts(&self, at: u32) -> Option<[i64; 2]> {
        self.at(at).counts()
    }

    fn key(&self, at: u32) -> u64 {
        self.at(at).key()
    }

    fn move_slots(&self, at: u32) -> usize {
        self.at(at).move_slots()
    }

    fn move_slot(&self, at: u32, mv: u32) -> usize {
        self.at(at).move_slot(self.mv(mv))
    }

    fn order_hint(&self, at: u32, mv: u32) -> i32 {
        self.at(at).order_hint(self.mv(mv))
    }

    fn playout_weight(&self, at: u32, mv: u32, ipp: Ipp) -> Option<PlayoutWeight> {
        self.at(at).playout_weight(self.mv(mv), ipp)
    }

    fn node_prior(&self, at: u32, mv: u32) -> Option<f64> {
        self.at(at).node_prior(self.mv(mv))
    }

    fn transition_probability(&self, at: u32, mv: u32) -> Option<f64> {
        self.at(at).transition_probability(self.mv(mv))
    }

    fn move_categories(&self, at: u32) -> Vec<String> {
        self.at(at).move_categories()
    }

    fn move_category(&self, at: u32, mv: u32) -> Option<u32> {
        self.at(at).move_category(self.mv(mv))
    }

    fn null_move(&self, at: u32) -> Option<u32> {
        let passed = self.at(at).null_move();
        passed.map(|position| self.add(position))
    }

    fn loud_moves(&self, at: u32, moves: &mut Vec<u32>) {
        self.append(moves, |moves| self.at(at).loud_moves(moves));
    }

    fn exchange(&self, at: u32, mv: u32) -> Option<i32> {
        self.at(at).exchange(self.mv(mv))
    }

    fn foregone(&self, at: u32) -> Option<Outcome> {
        self.at(at).foregone()
    }

    fn replies(&self, at: u32, mv: u32) -> u32 {
        self.at(at).replies(self.mv(mv))
    }

    fn plies_left(&self, at: u32) -> Option<u32> {
        self.at(at).plies_left()
    }

    fn ending(&self, at: u32, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        self.at(at).ending(plies, least, nodes)
    }

    fn candidate_moves(&self, at: u32, moves: &mut Vec<u32>) {
        self.append(moves, |moves| self.at(at).candidate_moves(moves));
    }

    fn win_loss(&self, at: u32, plies: u32) -> Option<i64> {
        self.at(at).win_loss(plies)
    }

    fn minimax_move(&self, at: u32, plies: u32, rng: &mut Rng) -> Option<u32> {
        let mv = self.at(at).minimax_move(plies, rng);
        mv.map(|mv| self.number(mv))
    }

    fn random_move(&self, at: u32, rng: &mut Rng, buffer: &[u32]) -> u32 {
        let mut buffer = self.buffer(buffer);
        let mv = self.at(at).random_move(rng, &mut buffer);
        self.buffer.replace(buffer);
        self.number(mv)
    }

    fn hinted_move(&self, at: u32, rng: &mut Rng, buffer: &[u32]) -> u32 {
        let mut buffer = self.buffer(buffer);
        let mv = self.at(at).hinted_move(rng, &mut buffer);
        self.buffer.replace(buffer);
        self.number(mv)
    }

    fn weighted_move(&self, at: u32, ipp: Ipp, rng: &mut Rng, buffer: &[u32]) -> u32 {
        let mut buffer = self.buffer(buffer);
        let mv = self.at(at).weighted_move(ipp, rng, &mut buffer);
        self.buffer.replace(buffer);
        self.number(mv)
    }

    fn playout(&self, at: u32, rng: &mut Rng, buffer: &[u32], max_plies: u32) -> Playout {
        let mut buffer = self.buffer(buffer);
        let playout = self.change(at, |position| position.playout(rng, &mut buffer, max_plies));
        self.buffer.replace(buffer);
        playout
    }

    fn playout_traced(
        &self,
        at: u32,
        rng: &mut Rng,
        buffer: &[u32],
        max_plies: u32,
        trace: &mut Trace,
    ) -> Playout {
        let mut buffer = self.buffer(buffer);
        let playout =
            self.change(at, |position| position.playout_traced(rng, &mut buffer, max_plies, trace));
        self.buffer.replace(buffer);
        playout
    }

    fn playout_plies(&self, at: u32) -> u32 {
        self.at(at).playout_plies()
    }

    fn repetition_limit(&self, at: u32) -> Option<u32> {
        self.at(at).repetition_limit()
    }

    fn max_plies(&self, at: u32) -> Option<u32> {
        self.at(at).max_plies()
    }

    fn side_name(&self, at: u32, side: Side) -> &'static str {
        self.at(at).side_name(side)
    }

    fn move_text(&self, at: u32, mv: u32) -> String {
        self.at(at).move_text(self.mv(mv))
    }

    fn parse_move(&self, at: u32, text: &str) -> Result<u32, NotationError> {
        let mv = self.at(at).parse_move(text)?;
        Ok(self.number(mv))
    }

    fn position_text(&self, at: u32) -> Option<String> {
        self.at(at).position_text()
    }

    fn parse_position(&self, at: u32, text: &str) -> Result<u32, NotationError> {
        let read = self.at(at).parse_position(text)?;
        Ok(self.add(read))
    }

    fn position_is_moves(&self, at: u32) -> Option<&'static str> {
        self.at(at).position_is_moves()
    }

    fn diagram(&self, at: u32, charset: Charset) -> String {
        self.at(at).diagram(charset)
    }

    fn picture(&self, at: u32) -> Option<Picture> {
        self.at(at).picture()
    }

    fn move_cells(&self, at: u32, mv: u32) -> Vec<usize> {
        self.at(at).move_cells(self.mv(mv))
    }

    fn evaluators(&self, at: u32) -> Vec<EvaluatorCard> {
        let card = |evaluator: &Evaluator<G>| EvaluatorCard {
            name: evaluator.name.clone().into_owned(),
            about: evaluator.about.clone().into_owned(),
            slope: evaluator.slope,
            has_greedy: evaluator.has_greedy(),
            has_playouts: evaluator.playouts().is_some(),
        };
        self.all_evaluators(&self.at(at)).iter().map(card).collect()
    }

    fn evaluate(&self, at: u32, evaluator: usize) -> i32 {
        self.evaluator(evaluator).raw_value(&self.at(at))
    }

    fn parts(&self, at: u32, evaluator: usize) -> Vec<Part> {
        self.evaluator(evaluator).parts(&self.at(at))
    }

    fn greedy_move(&self, at: u32, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> u32 {
        let mv = self.evaluator(evaluator).greedy_move(&self.at(at), ipp, rng);
        self.number(mv.expect("an evaluation with a fast way to the best move"))
    }

    fn guided_playout(
        &self,
        at: u32,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout> {
        let playouts = self.evaluator(evaluator).playouts();
        let playouts = playouts.expect("an evaluation with a fast way to make playouts");
        self.change(at, |position| playouts(position, guide, rng))
    }

    fn slow_playout(&self, at: u32, rng: &mut Rng, max_plies: u32) -> Playout {
        let mut buffer = self.buffer(&[]);
        let playout = self.change(at, |position| {
            let mut plies = 0;
            loop {
                if let Some(outcome) = position.outcome() {
                    return Playout { outcome, plies, capped: false };
                }
                if plies == max_plies {
                    return Playout { outcome: Outcome::Draw, plies, capped: true };
                }
                buffer.clear();
                position.moves(&mut buffer);
                position.play(buffer[rng.below(buffer.len() as u32) as usize]);
                plies += 1;
            }
        });
        self.buffer.replace(buffer);
        playout
    }

    fn slow_win_loss(&self, at: u32, plies: u32, me: Side) -> i64 {
        let mut search = WinLoss::default();
        search.slow = true;
        search.value(&*self.at(at), plies, me, WinLossQuestion::Value)
    }
}
