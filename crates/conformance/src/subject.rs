//! A position of the game under test, as a game of its own: whatever its type, the laws are compiled
//! once, for a [`Position`] that holds it. Only the [`Kit`] around it is compiled for every game.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use treegraft::depth_first::{WinLoss, WinLossQuestion};
use treegraft::erased::{Carry, Erased};
use treegraft::{
    Evaluator, Game, Guide, GuidedPlayout, Ipp, KeyHasher, Knowledge, Notation, NotationError,
    Outcome, Part, Playout, Rng, Side, Trace,
};

/// A game with slow versions of its fast methods, and evaluations without a type of their own.
pub(super) trait Subject: Game {
    /// What the laws need beside the contract. The move is that of [`Game`].
    fn tested(&self) -> &dyn Tested<Self>;

    /// The same, to be changed.
    fn tested_mut(&mut self) -> &mut dyn Tested<Self>;
}

/// What the laws need beside the contract, of the position inside the wrapper `G`.
pub(super) trait Tested<G: Game>: Erased<G> {
    /// Another wrapper around a clone.
    fn copy(&self) -> G;

    /// Leaves a clone for [`equals`](Tested::equals).
    fn deposit(&self);

    /// Whether the position equals the one that another of the same game has left.
    fn equals_deposit(&self) -> bool;

    fn hash(&self, hasher: &mut dyn Hasher);

    fn debug(&self) -> String;

    /// Plays a random game with nothing but the four methods that make a game.
    fn slow_playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout;

    /// The value for `me` within `plies` plies, found by looking at all moves.
    fn slow_win_loss(&self, plies: u32, me: Side) -> i64;

    /// The evaluations that the game lists here.
    fn evaluator_cards(&self) -> Vec<EvaluatorCard>;

    /// What an evaluation that is listed at the start of the game says of this position: searches
    /// take theirs from there.
    fn evaluate(&self, evaluator: usize) -> i32;

    /// What it is made of, by the same evaluation.
    fn parts(&self, evaluator: usize) -> Vec<Part>;

    /// What such an evaluation chooses. Only called for one that has a fast way to do so.
    fn greedy_move(&self, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> G::Move;

    /// The playout that such an evaluation makes, if it does. Only called for one that has a fast
    /// way to do so.
    fn guided_playout(
        &mut self,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout>;
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

/// What all positions of the game under test have in common.
pub(super) struct Common<T: Game> {
    moves: RefCell<Vec<T::Move>>,
    numbers: RefCell<HashMap<T::Move, u32, BuildHasherDefault<KeyHasher>>>,
    deposit: RefCell<Option<T>>,
    start: T,
    /// Beside the game's own.
    more_evaluators: Vec<Evaluator<T>>,
    /// Those of the start, and more.
    evaluators: OnceCell<Vec<Evaluator<T>>>,
}

impl<T: Game> Common<T> {
    pub(super) fn new(start: T, more_evaluators: Vec<Evaluator<T>>) -> Common<T> {
        Common {
            moves: RefCell::default(),
            numbers: RefCell::default(),
            deposit: RefCell::new(None),
            start,
            more_evaluators,
            evaluators: OnceCell::new(),
        }
    }

    /// The start of the game under test.
    pub(super) fn first(&self) -> Position<'_> {
        Position(Box::new(Kit { common: self, position: self.start.clone() }))
    }

    fn evaluators(&self, position: &T) -> Vec<Evaluator<T>> {
        let mut evaluators = position.knowledge().evaluators();
        evaluators.extend_from_slice(&self.more_evaluators);
        evaluators
    }

    /// An evaluation of the start.
    fn evaluator(&self, number: usize) -> &Evaluator<T> {
        &self.evaluators.get_or_init(|| self.evaluators(&self.start))[number]
    }
}

/// How a move is printed.
trait DebugMoves {
    fn debug_move(&self, number: u32) -> String;
}

impl<T: Game> DebugMoves for Common<T> {
    fn debug_move(&self, number: u32) -> String {
        format!("{:?}", self.moves.borrow()[number as usize])
    }
}

/// Holds a position of the game under test.
struct Kit<'t, T: Game> {
    common: &'t Common<T>,
    position: T,
}

impl<'t, T: Game> Carry<Position<'t>> for Kit<'t, T> {
    type Inner = T;

    fn inner(&self) -> &T {
        &self.position
    }

    fn inner_mut(&mut self) -> &mut T {
        &mut self.position
    }

    fn inward(&self, mv: Move<'t>) -> T::Move {
        self.common.moves.borrow()[mv.number as usize]
    }

    fn outward(&self, mv: T::Move) -> Move<'t> {
        let number = *self.common.numbers.borrow_mut().entry(mv).or_insert_with(|| {
            let mut moves = self.common.moves.borrow_mut();
            moves.push(mv);
            moves.len() as u32 - 1
        });
        Move { game: self.common, number }
    }

    fn wrap(&self, position: T) -> Position<'t> {
        Position(Box::new(Kit { common: self.common, position }))
    }

    fn list(&self, moves: &mut Vec<Move<'t>>, append: impl FnOnce(&T, &mut Vec<T::Move>)) {
        let mut inside = self.scratch(moves);
        append(&self.position, &mut inside);
        moves.clear();
        moves.extend(inside.into_iter().map(|mv| self.outward(mv)));
    }

    /// With the same moves: a buffer may hold anything.
    fn scratch(&self, buffer: &[Move<'t>]) -> Vec<T::Move> {
        buffer.iter().map(|&mv| self.inward(mv)).collect()
    }

    fn parse_move(&self, text: &str) -> Result<Move<'t>, NotationError> {
        self.position.notation().parse_move(text).map(|mv| self.outward(mv))
    }

    /// The laws see them as [`EvaluatorCard`]s.
    fn evaluators(&self) -> Vec<Evaluator<Position<'t>>> {
        Vec::new()
    }
}

impl<'t, T: Game> Tested<Position<'t>> for Kit<'t, T> {
    fn copy(&self) -> Position<'t> {
        self.wrap(self.position.clone())
    }

    fn deposit(&self) {
        self.common.deposit.replace(Some(self.position.clone()));
    }

    fn equals_deposit(&self) -> bool {
        self.common.deposit.borrow().as_ref() == Some(&self.position)
    }

    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.position.hash(&mut hasher);
    }

    fn debug(&self) -> String {
        format!("{:?}", self.position)
    }

    fn slow_playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout {
        let (position, mut moves) = (&mut self.position, Vec::new());
        let mut plies = 0;
        loop {
            if let Some(outcome) = position.outcome() {
                return Playout { outcome, plies, capped: false };
            }
            if plies == max_plies {
                return Playout { outcome: Outcome::Draw, plies, capped: true };
            }
            moves.clear();
            position.moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            plies += 1;
        }
    }

    fn slow_win_loss(&self, plies: u32, me: Side) -> i64 {
        let mut search = WinLoss::default();
        search.slow = true;
        search.value(&self.position, plies, me, WinLossQuestion::Value)
    }

    fn evaluator_cards(&self) -> Vec<EvaluatorCard> {
        let card = |evaluator: &Evaluator<T>| EvaluatorCard {
            name: evaluator.name.clone().into_owned(),
            about: evaluator.about.clone().into_owned(),
            slope: evaluator.slope,
            has_greedy: evaluator.has_greedy(),
            has_playouts: evaluator.has_playouts(),
        };
        self.common.evaluators(&self.position).iter().map(card).collect()
    }

    fn evaluate(&self, evaluator: usize) -> i32 {
        self.common.evaluator(evaluator).raw_value(&self.position)
    }

    fn parts(&self, evaluator: usize) -> Vec<Part> {
        self.common.evaluator(evaluator).parts(&self.position)
    }

    fn greedy_move(&self, evaluator: usize, ipp: Option<Ipp>, rng: &mut Rng) -> Move<'t> {
        let mv = self.common.evaluator(evaluator).greedy_move(&self.position, ipp, rng);
        self.outward(mv.expect("an evaluation with a fast way to the best move"))
    }

    fn guided_playout(
        &mut self,
        evaluator: usize,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout> {
        self.common.evaluator(evaluator).guided_playout(&mut self.position, guide, rng)
    }
}

/// A position of the game under test, as a game of its own.
pub(super) struct Position<'t>(Box<dyn Tested<Position<'t>> + 't>);

impl Subject for Position<'_> {
    fn tested(&self) -> &dyn Tested<Self> {
        &*self.0
    }

    fn tested_mut(&mut self) -> &mut dyn Tested<Self> {
        &mut *self.0
    }
}

/// A move of the game under test.
#[derive(Clone, Copy)]
pub(super) struct Move<'t> {
    game: &'t dyn DebugMoves,
    number: u32,
}

impl Clone for Position<'_> {
    fn clone(&self) -> Self {
        self.0.copy()
    }
}

impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        other.0.deposit();
        self.0.equals_deposit()
    }
}

impl Eq for Position<'_> {}

impl Hash for Position<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.debug())
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
        f.write_str(&self.game.debug_move(self.number))
    }
}

impl<'t> Game for Position<'t> {
    type Move = Move<'t>;

    treegraft::carried!();

    fn moves(&self, moves: &mut Vec<Move<'t>>) {
        self.0.moves(moves);
    }

    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        self.0.fast_playout(rng, max_plies, trace)
    }
}
