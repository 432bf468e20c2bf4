//! What a game may bring beside its rules, in four groups.
//!
//! Every hook is declared here and nowhere else; `declare.rs` makes everything that forwards it.

use super::erased::{Carry, Through};
use super::{Game, guided_move, legal_moves, one_of};
use crate::hash::hash_of;
use crate::{Charset, Evaluator, Ipp, NotationError, Outcome, Picture, PlayoutWeight, Rng, Side};

/// The position that a group is about: a game itself, or a reference to one.
pub trait Of<G> {
    /// The position.
    fn position(&self) -> &G;
}

impl<G: Game> Of<G> for G {
    #[inline(always)]
    fn position(&self) -> &G {
        self
    }
}

impl<G: Game> Of<G> for &G {
    #[inline(always)]
    fn position(&self) -> &G {
        self
    }
}

/// The groups that a game does not bring: every hook is the default.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a, G>(pub &'a G);

impl<G: Game> Of<G> for Plain<'_, G> {
    #[inline(always)]
    fn position(&self) -> &G {
        self.0
    }
}

const HASHED_SLOTS: usize = 4096;

group! {
    /// What searches do faster with the game's help.
    Speed, ErasedSpeed, speed;

    /// A hash of the position for transposition tables: equal positions have equal keys, and
    /// different ones different keys but for accidents of one in 2^64.
    fn key(&self) -> u64 {
        hash_of(self.position())
    }

    /// Upper limit for [`move_slot`](Speed::move_slot), the same in all positions of a game; at most
    /// 1,048,576.
    fn move_slots(&self) -> usize {
        HASHED_SLOTS
    }

    /// The row of `mv` in tables that collect statistics about a move wherever it is played
    /// (AMAF, history), below [`move_slots`](Speed::move_slots).
    ///
    /// The default folds the move's hash into 4,096 slots, so that two moves may share one.
    fn move_slot(&self, mv: Move) -> usize {
        hash_of(&mv) as usize % HASHED_SLOTS
    }

    /// The move as it is compared with moves of other positions (killers).
    ///
    /// Nearly all moves, such as a column or two squares, are the same move in every position. Where
    /// a move is a number in a list of moves, as on boards, this must be something that does not
    /// depend on the list.
    #[inline(always)]
    fn lasting_move(&self, mv: Move) -> Move {
        mv
    }

    /// A uniformly random legal move. Only called while the game goes on.
    ///
    /// `buffer` is scratch space that may hold anything.
    #[inline]
    fn random_move(&self, rng: (&mut Rng), buffer: Scratch) -> Move {
        buffer.clear();
        self.position().moves(buffer);
        buffer[rng.below(buffer.len() as u32) as usize]
    }

    /// A random legal move for playouts that know the game. With weights (`ipp`): one of those with
    /// the highest urgency by [`playout_weight`](Knowledge::playout_weight), with a probability in
    /// proportion to its weight; uniformly in a game without weights. Without: one of those with the
    /// highest [`order_hint`](Knowledge::order_hint), uniformly. Only called while the game goes on.
    ///
    /// `buffer` is scratch space that may hold anything.
    #[inline(always)]
    fn guided_move(&self, ipp: (Option<Ipp>), rng: (&mut Rng), buffer: Scratch) -> Move {
        guided_move(self.position(), ipp, rng, buffer)
    }

    /// A random move that looks `plies` plies ahead, where that can be found quickly: uniformly one
    /// of those that win within `plies` plies, this move included; if there are none, one of those
    /// that do not lose; if there are none, one of all. `None`: search move by move. Only called
    /// while the game goes on.
    #[inline]
    fn minimax_move(&self, plies: u32, rng: (&mut Rng)) -> (Option<Move>) {
        None
    }

    /// The number of moves that a legal move leaves the opponent. Only called while the game goes on.
    ///
    /// The default plays the move and counts the legal moves, 0 if the game is over.
    fn replies(&self, mv: Move) -> u32 {
        let mut after = self.position().clone();
        after.play(mv);
        legal_moves(&after).len() as u32
    }
}

group! {
    /// What the game knows about good play: hints, weights, priors, evaluations.
    Knowledge, ErasedKnowledge, knowledge;

    /// The game's static evaluations, the usual one first: the same in all positions of a game,
    /// with different names. Without any, searches that need one see nothing but finished games.
    fn evaluators(&self) -> (Vec<Evaluator>) {
        Vec::new()
    }

    /// How promising a move looks at first sight, for the mover: larger is tried earlier.
    #[inline]
    fn order_hint(&self, mv: Move) -> i32 {
        0
    }

    /// How playouts that know the game weigh a legal move: the improved playouts (ipp) of Lanctot et
    /// al. (2014). `Some` for all moves of a game, with either `ipp`, or for none. Only called while
    /// the game goes on.
    #[inline]
    fn playout_weight(&self, mv: Move, ipp: Ipp) -> (Option<PlayoutWeight>) {
        None
    }

    /// The share of games, from 0 to 1, that the mover is expected to win with this legal move, by
    /// its looks: the node priors of Lanctot et al. (2014). `Some` for all moves of a game, or for
    /// none. Only called while the game goes on.
    #[inline]
    fn node_prior(&self, mv: Move) -> (Option<f64>) {
        None
    }

    /// How likely good players choose this legal move where they can, from 0 to 1, by the kind of
    /// move that it is: the transition probabilities of progressive bias. `Some` for all moves of a
    /// game, or for none. Only called while the game goes on.
    #[inline]
    fn transition_probability(&self, mv: Move) -> (Option<f64>) {
        None
    }

    /// The names of the kinds of moves that the game distinguishes: the same in all positions of a
    /// game, and none for a game without them.
    fn move_categories(&self) -> (Vec<String>) {
        Vec::new()
    }

    /// Which of the [`move_categories`](Knowledge::move_categories) a legal move belongs to, as their
    /// number from 0; `None` for a game without them. Only called while the game goes on.
    fn move_category(&self, mv: Move) -> (Option<u32>) {
        None
    }

    /// The position with the turn passed to the other side, for null-move pruning; `None` where
    /// that makes no sense, for instance where the other side could not move. Only called while the
    /// game goes on.
    fn null_move(&self) -> (Option<Position>) {
        None
    }

    /// Appends the legal moves that upset a static evaluation (captures), for quiescence search,
    /// each once. Only called while the game goes on. Playing nothing but loud moves must come to an
    /// end.
    fn loud_moves(&self, moves: List) {}

    /// What the mover wins by a legal move, or loses, if both sides go on to capture on the square
    /// where it ends, as long as that pays: in hundredths of the least piece. `None` for a quiet move
    /// that loses nothing, and in games without captures. Only called while the game goes on.
    #[inline]
    fn exchange(&self, mv: Move) -> (Option<i32>) {
        None
    }

    /// About how many moves are left until the game is over at the latest, where that can be seen
    /// without a search, such as the number of empty squares. Only called while the game goes on.
    #[inline]
    fn plies_left(&self) -> (Option<u32>) {
        None
    }
}

group! {
    /// What the game knows for certain. Exact searches build proofs on it: it must be right.
    Exactness, ErasedExactness, exactness;

    /// By how much the game was won, in the first player's view (discs, stones): for finished
    /// games that keep count, with the sign of the outcome. `None` for all others.
    #[inline]
    fn margin(&self) -> (Option<i64>) {
        None
    }

    /// Bounds on the margin, in the first player's view: the game cannot end with less or with more
    /// from here, however it goes on. `Some` for every position of a game, or for none. Only called
    /// while the game goes on.
    #[inline]
    fn margin_bounds(&self) -> (Option<(i64, i64)>) {
        None
    }

    /// The outcome under best play where it can be seen without a search, though the game goes on: a
    /// win in one, a double threat. Only called while the game goes on.
    #[inline]
    fn foregone(&self) -> (Option<Outcome>) {
        None
    }

    /// Appends the moves an exact search has to look at, each once and at least one: all legal ones
    /// but those that certainly lead to no better outcome than one of the others. Only called where
    /// nothing is [`foregone`](Exactness::foregone).
    #[inline]
    fn candidate_moves(&self, moves: List) {
        self.position().moves(moves);
    }

    /// Whether the side to move can force at least a draw (`least` is 0) or a win (`least` is 1), found
    /// by the game's own solver of endings; `None` where the game has none, or the ending is too long for
    /// a search that would look `plies` plies ahead. `nodes` is the number of positions that it may look
    /// at: it subtracts those that it has looked at, and returns `None` if they were not enough. Only
    /// called while the game goes on.
    #[inline]
    fn ending(&self, plies: u32, least: i64, nodes: (&mut u64)) -> (Option<bool>) {
        None
    }

    /// The value for the side to move within `plies` plies (at least one), where that can be found
    /// quickly: 1 if it can force a win, -1 if it cannot avoid a loss, 0 if neither happens. `None`:
    /// search move by move. Only called while the game goes on.
    ///
    /// Exactly what [`WinLoss`](crate::depth_first::WinLoss) finds, but faster.
    #[inline]
    fn win_loss(&self, plies: u32) -> (Option<i64>) {
        None
    }
}

group! {
    /// What people read and write: texts and pictures of moves and positions.
    Notation, ErasedNotation, notation;

    /// What the first and the second side have so far, in a game that counts (discs, stones in store).
    /// `Some` for every position of a game, or for none; when the game is over, the difference is its
    /// margin.
    fn counts(&self) -> (Option<[i64; 2]>) {
        None
    }

    /// What people call this side, all game long: "White", "Black".
    fn side_name(&self, side: Side) -> (&'static str) {
        match side {
            Side::First => "First",
            Side::Second => "Second",
        }
    }

    /// A legal move as people write it. No blanks, no commas.
    ///
    /// The default is how the move is printed for debugging, with `;` for commas and without
    /// blanks: `(1;2)`.
    fn move_text(&self, mv: Move) -> String {
        let text = format!("{mv:?}").replace(',', ";");
        text.split_whitespace().collect()
    }

    /// The legal move that `text` stands for.
    ///
    /// # Errors
    ///
    /// If the text is not a legal move here. The default compares with the
    /// [`move_text`](Notation::move_text) of every legal move.
    fn parse_move(&self, text: (&str)) -> (Result<Move>) {
        let legal = legal_moves(self.position());
        let found = legal.iter().copied().find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| {
            NotationError::of_move(text, "not legal here", one_of(self.position(), &legal))
        })
    }

    /// The position as people write it, if the game has a notation for positions.
    fn position_text(&self) -> (Option<String>) {
        None
    }

    /// The position that `text` stands for, in a game with the rules and size of this one.
    ///
    /// # Errors
    ///
    /// If the text is no position of this game.
    fn parse_position(&self, text: (&str)) -> (Result<Position>) {
        Err(NotationError::of_position(text, "this game has no notation for positions", "moves"))
    }

    /// For games whose positions people write as the moves that lead to them: what stands
    /// between two moves. There [`position_text`](Notation::position_text) gives *some* moves that
    /// lead here.
    fn position_is_moves(&self) -> (Option<&'static str>) {
        None
    }

    /// A picture of the position for a terminal, lines separated by `\n`.
    fn diagram(&self, charset: Charset) -> String {
        let text = self.position_text().filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| format!("{:?}", self.position()));
        match charset {
            Charset::Unicode => text,
            Charset::Ascii => text.replace(|c: char| !c.is_ascii(), "?"),
        }
    }

    /// The position as a picture, for files, web pages and notebooks: all positions of a game have
    /// one or none has.
    fn picture(&self) -> (Option<Picture>) {
        None
    }

    /// The cells a legal move concerns, as places in the cells of this position's
    /// [`picture`](Notation::picture): where it starts, if anywhere, then where it ends. Empty for a
    /// pass. On a board, whose cells stay the same, they mark the move in the next picture too.
    fn move_cells(&self, mv: Move) -> (Vec<usize>) {
        Vec::new()
    }
}
