//! A position of any game behind one type, and the one place where searches meet games.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use treegraft::{Exactness, Game, Playout, Rng, Trace};

mod bridge;
mod evaluators;
mod position;

pub use bridge::{Analyst, bridge};
pub use position::Operations;
use position::{At, Position};

/// A position of any registered game.
///
/// A board is a [`Game`] whose moves are numbers, so that whatever works for every game works for
/// boards: a [`Playthrough`](treegraft::Playthrough) of boards keeps their history, and a search
/// over boards searches any game. Such a search pays for a virtual call and a list of moves at
/// every step; [`Registry::searcher`](crate::Registry::searcher) makes searches that are compiled
/// for the game inside, and the calls below run in the game's own code too.
///
/// ```
/// use treegraft::{Game, Playthrough};
/// use treegraft_players::Registry;
///
/// let start = Registry::standard().start("connect4")?;
/// let mut game = Playthrough::new(start.board().clone());
/// game.play_text("4453")?;
/// assert_eq!(game.move_texts().join(""), "4453");
/// assert_eq!(game.position().perft(2), 49);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Board(Box<dyn Position>);

/// A move of a board: its number in the list of the position's legal moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveIndex(pub u32);

impl MoveIndex {
    /// What a search's move becomes that is not in the list.
    pub const ILLEGAL: MoveIndex = MoveIndex(u32::MAX);
}

impl fmt::Debug for MoveIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MoveIndex::ILLEGAL => f.write_str("none of the legal moves"),
            MoveIndex(number) => write!(f, "number {number}"),
        }
    }
}

/// A trap of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The move.
    pub mv: MoveIndex,
    /// Plies until the game is lost, the opponent's reply being the first: 0 if the move itself
    /// loses the game. A trap of one level is one of all higher levels too.
    pub level: u32,
    /// How many of the random playouts after it its victim did not lose.
    pub misled: u32,
}

impl Board {
    /// A board with this position.
    pub fn new<G: Game<Move: Send + Sync> + Send + Sync + 'static>(position: G) -> Board {
        Board(Box::new(At(position)))
    }

    /// The position inside, if it is one of the type `G`.
    #[must_use]
    pub fn downcast<G: 'static>(&self) -> Option<&G> {
        let inside: &dyn Any = self.0.as_any();
        inside.downcast_ref()
    }

    /// The same, to be changed: a board of a game that is registered becomes one with another position
    /// of it, without a search being compiled for the game again.
    ///
    /// ```
    /// use treegraft::{Game, Notation};
    /// use treegraft_games::Connect4;
    /// use treegraft_players::Registry;
    ///
    /// let mut board = Registry::standard().start("connect4")?.board().clone();
    /// if let Some(position) = board.downcast_mut::<Connect4>() {
    ///     position.play(3);
    /// }
    /// assert_eq!(board.notation().position_text().as_deref(), Some("4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn downcast_mut<G: 'static>(&mut self) -> Option<&mut G> {
        self.0.as_any_mut().downcast_mut()
    }

    pub(crate) fn position(&self) -> &dyn Position {
        &*self.0
    }

    /// Number of legal move sequences of exactly `depth` plies; see [`treegraft::perft`].
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        self.divide(depth, &mut |_, below| nodes += below);
        nodes
    }

    /// Whether finished games have a margin here: a random one shows it.
    #[must_use]
    pub fn keeps_count(&self) -> bool {
        let mut end = self.clone();
        let limit = end.limits().playout_plies;
        treegraft::playout(&mut end, &mut Rng::new(0), &mut Vec::new(), limit, None);
        end.exactness().margin().is_some()
    }
}

impl Deref for Board {
    type Target = dyn Operations;

    fn deref(&self) -> &(dyn Operations + 'static) {
        &*self.0
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        self.0.copy()
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.key());
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

/// The game inside, whose groups come [through](treegraft::erased::Through).
impl Game for Board {
    type Move = MoveIndex;

    treegraft::carried!();

    fn moves(&self, moves: &mut Vec<MoveIndex>) {
        moves.extend((0..self.0.move_count()).map(MoveIndex));
    }

    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        Some(self.0.playout(rng, max_plies, trace))
    }
}
