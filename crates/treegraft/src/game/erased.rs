//! Positions whose type is hidden: the one way in which games of any kind become one type.
//!
//! A *carrier* ([`Carry`]) holds a position of some game and translates its moves. Every carrier is an
//! [`Erased`] position, a trait that can be an object. A wrapper around such an object is a game
//! again: its rules are those of [`Erased`], its groups are [`Through`]. The boards of
//! `treegraft-players` and the positions of the conformance kit are such wrappers. A hook that is
//! added to a group reaches them without another line.

pub use super::groups::{ErasedExactness, ErasedKnowledge, ErasedNotation, ErasedSpeed};
use super::{Game, Limits, Of, Playout};
use crate::{Evaluator, NotationError, Outcome, Rng, Side, Trace};

/// The move of a carrier's position.
pub type InnerMove<G, C> = <<C as Carry<G>>::Inner as Game>::Move;

/// Holds a position of some game for the wrapper `G`, and translates between their moves.
pub trait Carry<G: Game> {
    /// The type of the position inside.
    type Inner: Game;

    /// The position inside.
    fn inner(&self) -> &Self::Inner;

    /// The position inside, to be changed.
    fn inner_mut(&mut self) -> &mut Self::Inner;

    /// The move inside that a legal move of the wrapper stands for.
    fn inward(&self, mv: G::Move) -> InnerMove<G, Self>;

    /// The wrapper's move for one inside.
    fn outward(&self, mv: InnerMove<G, Self>) -> G::Move;

    /// The wrapper's move as it is compared with moves of other positions.
    fn lasting_move(&self, mv: G::Move) -> G::Move {
        mv
    }

    /// A wrapper around another position.
    fn wrap(&self, position: Self::Inner) -> G;

    /// Lets the game inside append to these moves.
    fn list(
        &self,
        moves: &mut Vec<G::Move>,
        append: impl FnOnce(&Self::Inner, &mut Vec<InnerMove<G, Self>>),
    );

    /// A buffer for the game inside, instead of this one.
    fn scratch(&self, buffer: &[G::Move]) -> Vec<InnerMove<G, Self>> {
        let _ = buffer;
        Vec::new()
    }

    /// The legal move that a text stands for.
    ///
    /// # Errors
    ///
    /// If it stands for none.
    fn parse_move(&self, text: &str) -> Result<G::Move, NotationError>;

    /// The evaluations of the game inside, as those of the wrapper.
    fn evaluators(&self) -> Vec<Evaluator<G>>;
}

/// A position whose type is hidden, with everything that the contract has; see [`Game`].
#[expect(missing_docs, reason = "these are the methods of `Game`")]
pub trait Erased<G: Game>:
    ErasedSpeed<G> + ErasedNotation<G> + ErasedKnowledge<G> + ErasedExactness<G>
{
    fn to_move(&self) -> Side;
    fn moves(&self, moves: &mut Vec<G::Move>);
    fn play(&mut self, mv: G::Move);
    fn outcome(&self) -> Option<Outcome>;
    fn limits(&self) -> Limits;
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout>;
}

impl<G: Game, C: Carry<G>> Erased<G> for C {
    fn to_move(&self) -> Side {
        self.inner().to_move()
    }

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.list(moves, Game::moves);
    }

    fn play(&mut self, mv: G::Move) {
        let mv = self.inward(mv);
        self.inner_mut().play(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner().outcome()
    }

    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        self.inner_mut().fast_playout(rng, max_plies, trace)
    }
}

/// All groups of a wrapper: those of the position inside.
pub struct Through<'a, G> {
    pub(super) position: &'a G,
    pub(super) inside: &'a dyn Erased<G>,
}

impl<'a, G> Through<'a, G> {
    /// The groups of the wrapper `position` around `inside`.
    pub fn new(position: &'a G, inside: &'a dyn Erased<G>) -> Through<'a, G> {
        Through { position, inside }
    }
}

impl<G: Game> Of<G> for Through<'_, G> {
    fn position(&self) -> &G {
        self.position
    }
}

/// In the `impl Game` of a wrapper, a struct whose first field is a boxed carrier: the rules, but for
/// `moves`, and the groups of the position inside.
#[doc(hidden)]
#[macro_export]
macro_rules! carried {
    () => {
        fn to_move(&self) -> $crate::Side {
            self.0.to_move()
        }

        fn play(&mut self, mv: Self::Move) {
            self.0.play(mv);
        }

        fn outcome(&self) -> Option<$crate::Outcome> {
            self.0.outcome()
        }

        fn limits(&self) -> $crate::Limits {
            self.0.limits()
        }

        $crate::carried!(speed: Speed, notation: Notation);
        $crate::carried!(knowledge: Knowledge, exactness: Exactness);
    };
    ($($accessor:ident: $Group:ident),*) => {$(
        fn $accessor(&self) -> impl $crate::$Group<Self> {
            $crate::erased::Through::new(self, &*self.0)
        }
    )*};
}
