//! A position of the game under test, as a game of its own: a number in a [`Table`].

use std::fmt;
use std::hash::{Hash, Hasher};

use super::table::{EvaluatorCard, Table};
use treegraft::{
    Charset, Game, Guide, GuidedPlayout, Ipp, NotationError, Outcome, Part, Picture, Playout,
    PlayoutWeight, Rng, Side, Trace,
};

/// A game with slow versions of its fast methods, and evaluations without a type of their own.
pub(super) trait Subject: Game {
    /// Plays a random game with nothing but the four methods that make a game.
    fn slow_playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout;

    /// The value for `me` within so many plies, found by looking at all moves.
    fn slow_win_loss(&self, plies: u32, me: Side) -> i64;

    /// The evaluations that the game lists here.
    fn evaluator_cards(&self) -> Vec<EvaluatorCard>;

    /// What an evaluation that is listed at the start of the game says of this position.
    fn evaluate(&self, evaluator: usize) -> i32;

    /// What it is made of, by the same evaluation.
    fn parts(&self, evaluator: usize) -> Vec<Part>;

    /// What such an evaluation chooses, if its card says that it can.
    fn greedy_move(&self, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> Self::Move;

    /// The playout that such an evaluation makes, if it does and its card says that it can.
    fn guided_playout(
        &mut self,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout>;
}

impl Subject for Position<'_> {
    fn slow_playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout {
        self.table.slow_playout(self.at, rng, max_plies)
    }

    fn slow_win_loss(&self, plies: u32, me: Side) -> i64 {
        self.table.slow_win_loss(self.at, plies, me)
    }

    fn evaluator_cards(&self) -> Vec<EvaluatorCard> {
        self.table.evaluators(self.at)
    }

    fn evaluate(&self, evaluator: usize) -> i32 {
        self.table.evaluate(self.at, evaluator)
    }

    fn parts(&self, evaluator: usize) -> Vec<Part> {
        self.table.parts(self.at, evaluator)
    }

    fn greedy_move(&self, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> Self::Move {
        self.mv(self.table.greedy_move(self.at, evaluator, ipp, rng))
    }

    fn guided_playout(
        &mut self,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout> {
        self.table.guided_playout(self.at, evaluator, guide, rng)
    }
}

/// A position of the game under test, as a game of its own that does what the table does.
pub(super) struct Position<'t> {
    table: &'t dyn Table,
    at: u32,
}

/// A move of the game under test.
#[derive(Clone, Copy)]
pub(super) struct Move<'t> {
    table: &'t dyn Table,
    number: u32,
}

impl<'t> Position<'t> {
    /// The first position of a table.
    pub(super) fn first(table: &'t dyn Table) -> Position<'t> {
        Position { table, at: 0 }
    }

    fn mv(&self, number: u32) -> Move<'t> {
        Move { table: self.table, number }
    }

    /// Lets the table append to these moves.
    fn append(&self, moves: &mut Vec<Move<'t>>, append: fn(&dyn Table, u32, &mut Vec<u32>)) {
        let mut all = numbers(moves);
        append(self.table, self.at, &mut all);
        moves.clear();
        moves.extend(all.into_iter().map(|number| self.mv(number)));
    }
}

impl Drop for Position<'_> {
    fn drop(&mut self) {
        self.table.drop(self.at);
    }
}

impl Clone for Position<'_> {
    fn clone(&self) -> Self {
        Position { table: self.table, at: self.table.copy(self.at) }
    }
}

impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.table.equal(self.at, other.at)
    }
}

impl Eq for Position<'_> {}

impl Hash for Position<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.table.hash(self.at, hasher);
    }
}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table.debug(self.at))
    }
}

impl PartialEq for Move<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Move<'_> {}

impl Hash for Move<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.number.hash(hasher);
    }
}

impl fmt::Debug for Move<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table.debug_move(self.number))
    }
}

fn numbers(moves: &[Move<'_>]) -> Vec<u32> {
    moves.iter().map(|mv| mv.number).collect()
}

/// Everything that a law asks for. A method missing here would be the default and not the game's:
/// only `evaluators` is, whose type a table cannot have (see [`Subject`]).
impl<'t> Game for Position<'t> {
    type Move = Move<'t>;

    fn to_move(&self) -> Side {
        self.table.to_move(self.at)
    }

    fn moves(&self, moves: &mut Vec<Move<'t>>) {
        self.append(moves, |table, at, moves| table.moves(at, moves));
    }

    fn play(&mut self, mv: Move<'t>) {
        self.table.play(self.at, mv.number);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.outcome(self.at)
    }

    fn margin(&self) -> Option<i64> {
        self.table.margin(self.at)
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        self.table.margin_bounds(self.at)
    }

    fn counts(&self) -> Option<[i64; 2]> {
        self.table.counts(self.at)
    }

    fn key(&self) -> u64 {
        self.table.key(self.at)
    }

    fn move_slots(&self) -> usize {
        self.table.move_slots(self.at)
    }

    fn move_slot(&self, mv: Move<'t>) -> usize {
        self.table.move_slot(self.at, mv.number)
    }

    fn order_hint(&self, mv: Move<'t>) -> i32 {
        self.table.order_hint(self.at, mv.number)
    }

    fn playout_weight(&self, mv: Move<'t>, ipp: Ipp) -> Option<PlayoutWeight> {
        self.table.playout_weight(self.at, mv.number, ipp)
    }

    fn node_prior(&self, mv: Move<'t>) -> Option<f64> {
        self.table.node_prior(self.at, mv.number)
    }

    fn transition_probability(&self, mv: Move<'t>) -> Option<f64> {
        self.table.transition_probability(self.at, mv.number)
    }

    fn move_categories(&self) -> Vec<String> {
        self.table.move_categories(self.at)
    }

    fn move_category(&self, mv: Move<'t>) -> Option<u32> {
        self.table.move_category(self.at, mv.number)
    }

    fn null_move(&self) -> Option<Self> {
        let at = self.table.null_move(self.at)?;
        Some(Position { table: self.table, at })
    }

    fn loud_moves(&self, moves: &mut Vec<Move<'t>>) {
        self.append(moves, |table, at, moves| table.loud_moves(at, moves));
    }

    fn exchange(&self, mv: Move<'t>) -> Option<i32> {
        self.table.exchange(self.at, mv.number)
    }

    fn foregone(&self) -> Option<Outcome> {
        self.table.foregone(self.at)
    }

    fn replies(&self, mv: Move<'t>) -> u32 {
        self.table.replies(self.at, mv.number)
    }

    fn plies_left(&self) -> Option<u32> {
        self.table.plies_left(self.at)
    }

    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        self.table.ending(self.at, plies, least, nodes)
    }

    fn candidate_moves(&self, moves: &mut Vec<Move<'t>>) {
        self.append(moves, |table, at, moves| table.candidate_moves(at, moves));
    }

    fn win_loss(&self, plies: u32) -> Option<i64> {
        self.table.win_loss(self.at, plies)
    }

    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<Move<'t>> {
        self.table.minimax_move(self.at, plies, rng).map(|number| self.mv(number))
    }

    fn random_move(&self, rng: &mut Rng, buffer: &mut Vec<Move<'t>>) -> Move<'t> {
        self.mv(self.table.random_move(self.at, rng, &numbers(buffer)))
    }

    fn hinted_move(&self, rng: &mut Rng, buffer: &mut Vec<Move<'t>>) -> Move<'t> {
        self.mv(self.table.hinted_move(self.at, rng, &numbers(buffer)))
    }

    fn weighted_move(&self, ipp: Ipp, rng: &mut Rng, buffer: &mut Vec<Move<'t>>) -> Move<'t> {
        self.mv(self.table.weighted_move(self.at, ipp, rng, &numbers(buffer)))
    }

    fn playout(&mut self, rng: &mut Rng, buffer: &mut Vec<Move<'t>>, max_plies: u32) -> Playout {
        self.table.playout(self.at, rng, &numbers(buffer), max_plies)
    }

    fn playout_traced(
        &mut self,
        rng: &mut Rng,
        buffer: &mut Vec<Move<'t>>,
        max_plies: u32,
        trace: &mut Trace,
    ) -> Playout {
        self.table.playout_traced(self.at, rng, &numbers(buffer), max_plies, trace)
    }

    fn playout_plies(&self) -> u32 {
        self.table.playout_plies(self.at)
    }

    fn repetition_limit(&self) -> Option<u32> {
        self.table.repetition_limit(self.at)
    }

    fn max_plies(&self) -> Option<u32> {
        self.table.max_plies(self.at)
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.table.side_name(self.at, side)
    }

    fn move_text(&self, mv: Move<'t>) -> String {
        self.table.move_text(self.at, mv.number)
    }

    fn parse_move(&self, text: &str) -> Result<Move<'t>, NotationError> {
        self.table.parse_move(self.at, text).map(|number| self.mv(number))
    }

    fn position_text(&self) -> Option<String> {
        self.table.position_text(self.at)
    }

    fn parse_position(&self, text: &str) -> Result<Self, NotationError> {
        let at = self.table.parse_position(self.at, text)?;
        Ok(Position { table: self.table, at })
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        self.table.position_is_moves(self.at)
    }

    fn diagram(&self, charset: Charset) -> String {
        self.table.diagram(self.at, charset)
    }

    fn picture(&self) -> Option<Picture> {
        self.table.picture(self.at)
    }

    fn move_cells(&self, mv: Move<'t>) -> Vec<usize> {
        self.table.move_cells(self.at, mv.number)
    }
}
