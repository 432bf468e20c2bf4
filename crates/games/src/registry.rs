//! All games by name.

use treegraft::Game;

use crate::params::GameTextError;
use crate::{
    Breakthrough, Connect4, ExplicitTree, Hex, Kalah, Lion, Loa, Othello, Param, Params,
    SyntheticTree, TrapTree, breakthrough, hex, tree,
};

/// What there is to know about a game before playing it.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name, what stands before the colon.
    pub name: &'static str,
    /// The form of the whole text.
    pub syntax: &'static str,
    /// The parameters behind the colon.
    pub params: &'static [Param],
    /// The rules in a line.
    pub rules: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub positions: &'static str,
}

/// Declares every game once: its variant, its type, and how the start was made if the position
/// alone does not tell.
macro_rules! games {
    ($($(#[$doc:meta])* $variant:ident($game:ty $(, $made:ty)?)),* $(,)?) => {
        /// A starting position of any game: the one dynamic boundary.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::large_enum_variant)]
        pub enum AnyGame {
            $($(#[$doc])* $variant($game $(, $made)?)),*
        }

        impl AnyGame {
            /// Runs code that works for every game on this one.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(AnyGame::$variant(game, ..) => visitor.visit(game)),*
                }
            }

            /// The canonical text of the game: what [`AnyGame::parse`] reads back.
            #[must_use]
            pub fn canonical(&self) -> String {
                match self {
                    AnyGame::Kalah(game, Some(seed)) => game.canonical_random_start(*seed),
                    $(AnyGame::$variant(game, ..) => game.canonical()),*
                }
            }
        }
    };
}

games! {
    /// [`Connect4`]
    Connect4(Connect4),
    /// [`Breakthrough`] on up to 64 squares
    Breakthrough(Breakthrough<u64>),
    /// [`Breakthrough`] on up to 128 squares
    WideBreakthrough(Breakthrough<u128>),
    /// [`Othello`]
    Othello(Othello),
    /// [`Lion`]
    Lion(Lion),
    /// [`Hex`] up to 8x8
    HexSmall(Hex<u64>),
    /// [`Hex`] up to 11x11
    Hex(Hex<u128>),
    /// [`Hex`] up to 19x19
    HexLarge(Hex<hex::Wide>),
    /// [`Kalah`], and the seed of a random start
    Kalah(Kalah, Option<u64>),
    /// [`Loa`]
    Loa(Loa),
    /// [`ExplicitTree`]
    ExplicitTree(ExplicitTree),
    /// [`SyntheticTree`]
    SyntheticTree(SyntheticTree),
    /// [`TrapTree`]
    TrapTree(TrapTree),
}

/// Code that works for every game.
pub trait Visitor {
    /// What it comes to.
    type Output;

    /// Does the work for one game, given its starting position.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync;
}

/// All games, in the order in which they are listed.
pub const GAMES: &[GameInfo] = &[
    Connect4::INFO,
    Breakthrough::<u64>::INFO,
    Othello::INFO,
    Lion::INFO,
    hex::INFO,
    Kalah::INFO,
    Loa::INFO,
    tree::INFO,
];

impl AnyGame {
    /// The starting position that a text such as `breakthrough:6x6` names.
    ///
    /// # Errors
    ///
    /// If no game has that name, or the game cannot have those parameters.
    pub fn parse(text: &str) -> Result<AnyGame, GameTextError> {
        let name = text.split(':').next().unwrap_or_default();
        let Some(info) = GAMES.iter().find(|info| info.name == name) else {
            let names: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(GameTextError::new(text, "there is no such game", expected));
        };
        // A tree in brackets is not a list of parameters.
        if let Some(written) = text.strip_prefix("tree:")
            && !written.contains('=')
        {
            return ExplicitTree::parse(written)
                .map(AnyGame::ExplicitTree)
                .map_err(|problem| GameTextError::new(text, problem, info.syntax));
        }
        let params = Params::new(text, info.syntax)?;
        Ok(match name {
            "connect4" => AnyGame::Connect4(Connect4::from_params(params)?),
            "breakthrough" => breakthrough::from_params(params)?,
            "othello" => AnyGame::Othello(Othello::from_params(params)?),
            "lion" => AnyGame::Lion(Lion::from_params(params)?),
            "hex" => hex::from_params(params)?,
            "kalah" => {
                let (start, seed) = Kalah::from_params(params)?;
                AnyGame::Kalah(start, seed)
            }
            "loa" => AnyGame::Loa(Loa::from_params(params)?),
            "tree" if params.has("traps") => AnyGame::TrapTree(TrapTree::from_params(params)?),
            "tree" => AnyGame::SyntheticTree(SyntheticTree::from_params(params)?),
            _ => unreachable!("every game of the list is made here"),
        })
    }
}
