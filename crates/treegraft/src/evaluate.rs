//! Static evaluations of positions.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::linear::SharedFeatures;
use crate::{Game, Guide, GuidedPlayout, Ipp, Part, Rng};

/// One whole point of an evaluation: the value of a won game.
pub const EVAL_ONE: i32 = 1_000_000;

/// A static evaluation: how good an unfinished position looks, without searching.
///
/// * **Viewpoint**: always the first player's, whoever is to move. A position that is good for
///   the second player has a negative value.
/// * **Scale**: integers, strictly between `-EVAL_ONE` and `EVAL_ONE`, where `EVAL_ONE` is the
///   value of a won game. They are integers because windows and bounds must compare exactly, and
///   fixed point so that a value squashed by `tanh` keeps six digits.
/// * Finished games are never evaluated: their outcome is known.
///
/// ```
/// use treegraft::{EVAL_ONE, Evaluate, Game, Outcome, Side};
///
/// /// Two players take one, two or three of a heap in turn; whoever takes the last one wins.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Nim { heap: u8, mover: Side }
///
/// impl Game for Nim {
///     type Move = u8;
///     fn to_move(&self) -> Side { self.mover }
///     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
///     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
///     }
/// }
///
/// struct MultiplesOfFour;
///
/// impl Evaluate<Nim> for MultiplesOfFour {
///     fn evaluate(&self, position: &Nim) -> i32 {
///         let is_lost = position.heap % 4 == 0;
///         let good_for = if is_lost { position.mover.other() } else { position.mover };
///         good_for.sign() as i32 * EVAL_ONE / 2
///     }
/// }
///
/// let nim = Nim { heap: 8, mover: Side::First };
/// assert!(MultiplesOfFour.evaluate(&nim) < 0);
/// ```
pub trait Evaluate<G: Game> {
    /// The value of an unfinished `position` in the first player's view.
    fn evaluate(&self, position: &G) -> i32;

    /// What the value of an unfinished `position` is made of; empty unless the evaluation reports it.
    /// [`Part`] says what parts keep to.
    fn parts(&self, position: &G) -> Vec<Part> {
        let _ = position;
        Vec::new()
    }

    /// Announces that these unfinished positions, the children of one position, are likely to be
    /// evaluated soon: an evaluation that is faster with many at once, such as a network, may compute
    /// their values and keep them. Only called if it [`foresees`](Evaluate::foresees).
    fn foresee(&self, positions: &[G]) {
        let _ = positions;
    }

    /// Whether [`foresee`](Evaluate::foresee) does anything; always the same answer.
    fn foresees(&self) -> bool {
        false
    }
}

impl<G: Game, F: Fn(&G) -> i32> Evaluate<G> for F {
    fn evaluate(&self, position: &G) -> i32 {
        self(position)
    }
}

/// A static evaluation with its name, as games list them
/// ([`evaluators`](crate::Knowledge::evaluators)) and searches take them.
///
/// It is a [`plain`](Evaluator::plain) function, or has state (weights, a table, a network) that is
/// [`shared`](Evaluator::shared): clones share it, also across threads.
#[derive(Clone)]
pub struct Evaluator<G: Game> {
    /// What players call it: `eval=NAME`. See [`is_evaluation_name`].
    pub name: Cow<'static, str>,
    /// What it counts, in a few words.
    pub about: Cow<'static, str>,
    /// The slope of the logistic curve that turns a value into a reward
    /// ([`Informed::slope`](crate::rollout::Informed::slope)); 0 where values are rewards already.
    ///
    /// Searches use the slope of their configuration. This is the one to put there.
    pub slope: f64,
    evaluation: Evaluation<G>,
    greedy: Option<Arc<GreedyMove<G>>>,
    playouts: Option<Arc<GuidedPlayouts<G>>>,
    /// Instead of those that the evaluation reports itself.
    parts: Option<fn(&G) -> Vec<Part>>,
    features: Option<SharedFeatures<G>>,
}

/// A fast way to the best move by an evaluation: see [`Evaluator::with_greedy`].
type GreedyMove<G> = dyn Fn(&G, Option<Ipp>, &mut Rng) -> <G as Game>::Move + Send + Sync;

/// A fast way to make guided playouts: see [`Evaluator::with_playouts`].
type GuidedPlayouts<G> = dyn Fn(&mut G, &Guide, &mut Rng) -> Option<GuidedPlayout> + Send + Sync;

/// Whether an evaluation can have this name in the text of a player: up to 40 letters, digits, dashes,
/// dots and underscores, all ASCII, and neither `auto` nor `none`, which stand for the usual evaluation
/// and for none at all.
#[must_use]
pub fn is_evaluation_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let is_reserved = ["auto", "none"].contains(&name);
    (1..=40).contains(&name.len()) && name.bytes().all(allowed) && !is_reserved
}

/// What computes the values: see [`Evaluate`] for viewpoint and scale.
#[derive(Clone)]
pub(crate) enum Evaluation<G: Game> {
    Plain(fn(&G) -> i32),
    Shared(Arc<dyn Evaluate<G> + Send + Sync>),
}

impl<G: Game> Evaluator<G> {
    /// A function without state, with a slope of 0.
    #[must_use]
    pub const fn plain(
        name: &'static str,
        about: &'static str,
        evaluate: fn(&G) -> i32,
    ) -> Evaluator<G> {
        Evaluator::of(Cow::Borrowed(name), Cow::Borrowed(about), Evaluation::Plain(evaluate))
    }

    /// An evaluation with state, with a slope of 0.
    ///
    /// A value must depend on nothing but the position, or searches cannot be repeated.
    ///
    /// ```
    /// use treegraft::depth_first::{Config, DepthFirst};
    /// use treegraft::{Budget, EVAL_ONE, Evaluate, Evaluator, Request, Searcher};
    /// use treegraft::{Game, Outcome, Side};
    ///
    /// /// Two players take one, two or three of a heap in turn; whoever takes the last one wins.
    /// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    /// struct Nim { heap: u8, mover: Side }
    ///
    /// impl Game for Nim {
    ///     type Move = u8;
    ///     fn to_move(&self) -> Side { self.mover }
    ///     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
    ///     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
    ///     fn outcome(&self) -> Option<Outcome> {
    ///         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
    ///     }
    /// }
    ///
    /// /// The value of a heap for the side to move, by what is left over from fours.
    /// struct Weights([i32; 4]);
    ///
    /// impl Evaluate<Nim> for Weights {
    ///     fn evaluate(&self, nim: &Nim) -> i32 {
    ///         nim.mover.sign() as i32 * self.0[usize::from(nim.heap % 4)]
    ///     }
    /// }
    ///
    /// let half = EVAL_ONE / 2;
    /// let learned = Evaluator::shared("fours", "learned", Weights([-half, half, half, half]));
    /// let nim = Nim { heap: 30, mover: Side::First };
    /// let config = Config { depth: Some(3), ..Config::default() };
    /// std::thread::scope(|threads| {
    ///     for seed in 0..2 {
    ///         let mut search = DepthFirst::new(config, Some(learned.clone())).unwrap();
    ///         let nim = &nim;
    ///         threads.spawn(move || {
    ///             let report = search.search(nim, Request::new(Budget::default(), seed));
    ///             assert_eq!(report.best_move, Some(2));
    ///         });
    ///     }
    /// });
    /// ```
    #[must_use]
    pub fn shared(
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        evaluate: impl Evaluate<G> + Send + Sync + 'static,
    ) -> Evaluator<G> {
        Evaluator::of(name.into(), about.into(), Evaluation::Shared(Arc::new(evaluate)))
    }

    pub(crate) const fn of(
        name: Cow<'static, str>,
        about: Cow<'static, str>,
        evaluation: Evaluation<G>,
    ) -> Evaluator<G> {
        let (greedy, playouts, parts, features) = (None, None, None, None);
        Evaluator { name, about, slope: 0.0, evaluation, greedy, playouts, parts, features }
    }

    /// The same with another slope.
    #[must_use]
    pub const fn with_slope(mut self, slope: f64) -> Evaluator<G> {
        self.slope = slope;
        self
    }

    /// The same with a fast way to the move after which the value is best for the mover, for greedy
    /// playouts: a random one of the best, uniformly, where a won game is better than any value, a
    /// lost one worse, and a draw counts 0. With weights, only moves of the highest
    /// [urgency](crate::PlayoutWeight::urgency) are compared. Only called while the game goes on.
    #[must_use]
    pub fn with_greedy(
        mut self,
        greedy: impl Fn(&G, Option<Ipp>, &mut Rng) -> G::Move + Send + Sync + 'static,
    ) -> Evaluator<G> {
        self.greedy = Some(Arc::new(greedy));
        self
    }

    /// The same with a fast way to make whole playouts with it. It has the distribution of playouts
    /// that are made move by move, each position [looked](crate::Guide::look) at; leaves the last
    /// position; and returns `None`, having done nothing, for a [`Guide`](crate::Guide) that it does
    /// not know.
    #[must_use]
    pub fn with_playouts(
        mut self,
        playouts: impl Fn(&mut G, &Guide, &mut Rng) -> Option<GuidedPlayout> + Send + Sync + 'static,
    ) -> Evaluator<G> {
        self.playouts = Some(Arc::new(playouts));
        self
    }

    /// The same with a function that returns what values are made of. An evaluation with state may
    /// report it itself ([`Evaluate::parts`]).
    #[must_use]
    pub const fn with_parts(mut self, parts: fn(&G) -> Vec<Part>) -> Evaluator<G> {
        self.parts = Some(parts);
        self
    }

    /// The same, which reports its features: `treegraft tune` can fit their weights.
    #[must_use]
    pub fn with_features(mut self, features: SharedFeatures<G>) -> Evaluator<G> {
        self.features = Some(features);
        self
    }

    /// What a linear evaluation looks at, if it reports that.
    #[must_use]
    pub fn features(&self) -> Option<&SharedFeatures<G>> {
        self.features.as_ref()
    }

    /// Whether there is a fast way to the best move.
    #[must_use]
    pub fn has_greedy(&self) -> bool {
        self.greedy.is_some()
    }

    /// A random one of the moves after which the value is best for the mover, if there is a fast way
    /// to it: see [`with_greedy`](Evaluator::with_greedy).
    #[must_use]
    pub fn greedy_move(&self, position: &G, ipp: Option<Ipp>, rng: &mut Rng) -> Option<G::Move> {
        self.greedy.as_ref().map(|greedy| greedy(position, ipp, rng))
    }

    /// Whether there is a fast way to make playouts.
    #[must_use]
    pub fn has_playouts(&self) -> bool {
        self.playouts.is_some()
    }

    /// Makes a playout, if there is a fast way to it and it knows such playouts: see
    /// [`with_playouts`](Evaluator::with_playouts).
    pub fn guided_playout(
        &self,
        position: &mut G,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout> {
        self.playouts.as_ref().and_then(|playouts| playouts(position, guide, rng))
    }

    /// What the value of an unfinished `position` is made of; empty if the evaluation does not
    /// report it.
    #[must_use]
    pub fn parts(&self, position: &G) -> Vec<Part> {
        match (self.parts, &self.evaluation) {
            (Some(parts), _) => parts(position),
            (None, Evaluation::Shared(evaluate)) => evaluate.parts(position),
            (None, Evaluation::Plain(_)) => Vec::new(),
        }
    }

    /// Whether it wants to know which positions are about to be evaluated: see
    /// [`Evaluate::foresee`].
    #[inline]
    #[must_use]
    pub fn foresees(&self) -> bool {
        match &self.evaluation {
            Evaluation::Plain(_) => false,
            Evaluation::Shared(evaluate) => evaluate.foresees(),
        }
    }

    /// Announces to an evaluation that [`foresees`](Evaluator::foresees) which positions follow an
    /// unfinished one by these moves: they are about to be evaluated, unless the game is over there.
    #[cold]
    pub fn foresee_children(&self, position: &G, moves: &[G::Move]) {
        let child = |&mv: &G::Move| {
            let mut child = position.clone();
            child.play(mv);
            child.outcome().is_none().then_some(child)
        };
        self.foresee(&moves.iter().filter_map(child).collect::<Vec<G>>());
    }

    /// The same of any unfinished positions.
    pub fn foresee(&self, positions: &[G]) {
        if let Evaluation::Shared(evaluate) = &self.evaluation {
            evaluate.foresee(positions);
        }
    }

    /// A value as a reward from -1 to 1, by the [slope](Evaluator::slope).
    #[must_use]
    pub fn reward(&self, value: i32) -> f64 {
        reward(i64::from(value), self.slope)
    }

    /// The value of an unfinished `position` in the first player's view.
    ///
    /// Values outside the scale are clamped: a search that took one for a won game would prove what is
    /// not so.
    #[inline(always)]
    #[must_use]
    pub fn evaluate(&self, position: &G) -> i32 {
        in_scale(self.raw_value(position))
    }

    /// The value that the game's function returns, even one outside the scale.
    #[inline(always)]
    #[must_use]
    pub fn raw_value(&self, position: &G) -> i32 {
        match &self.evaluation {
            Evaluation::Plain(evaluate) => evaluate(position),
            Evaluation::Shared(evaluate) => evaluate.evaluate(position),
        }
    }
}

/// The nearest value that an evaluation may have: less than [`EVAL_ONE`] for either side.
#[inline(always)]
#[must_use]
pub fn in_scale(value: i32) -> i32 {
    const MOST: i32 = EVAL_ONE - 1;
    value.clamp(-MOST, MOST)
}

/// A value as a reward from -1 to 1: by the logistic curve if there is a slope, else as it is.
#[inline]
pub(crate) fn reward(value: i64, slope: f64) -> f64 {
    let x = value as f64 / f64::from(EVAL_ONE);
    // The logistic curve, for values and rewards from -1 to 1. The standard library calls the
    // system's tangent, and systems differ in the last digit.
    if slope > 0.0 { libm::tanh(slope / 4.0 * x) } else { x }
}

impl<G: Game> fmt::Debug for Evaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluator { name, about, slope, .. } = self;
        f.debug_struct("Evaluator")
            .field("name", name)
            .field("about", about)
            .field("slope", slope)
            .finish_non_exhaustive()
    }
}
