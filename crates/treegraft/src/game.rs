//! The contract between a game and every search.

use std::fmt::Debug;
use std::hash::Hash;

use crate::hash::hash_of;
use crate::weights::{draw_by_weight, sort_by_weight_or_hint};
use crate::{
    Charset, Evaluator, Ipp, NotationError, Outcome, Picture, PlayoutWeight, Rng, Side, Trace,
};

/// A position of a two-player game with perfect information and no chance.
///
/// Four methods make a game: [`to_move`](Game::to_move), [`moves`](Game::moves),
/// [`play`](Game::play) and [`outcome`](Game::outcome). Everything else has a default that is
/// right, and that a game may replace by something faster or nicer.
///
/// Turns need not alternate: a move may leave the same side to move. A side that cannot move
/// but has not lost passes, and the pass is a move like any other.
///
/// Positions are cloned for every simulation, so keep them small; they are plain values, and
/// two positions are equal exactly when the same can happen from now on.
/// The crate `treegraft-conformance` checks all of this for your game.
pub trait Game: Clone + Eq + Hash + Debug {
    /// A move: a small value, such as a column or two squares.
    type Move: Copy + Eq + Hash + Debug;

    // ---------------------------------------------------------------- the four methods

    /// The side whose turn it is. Any answer will do once the game is over.
    fn to_move(&self) -> Side;

    /// Appends all legal moves, each once, to `moves`.
    ///
    /// Only asked while the game goes on, and then there is at least one. The order is part of
    /// the game: searches that look at moves from left to right see this one.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move, which the caller knows to be legal.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    // ---------------------------------------------------------------- what searches may use

    /// By how much the game was won, in the first player's view (discs, stones): for finished
    /// games that keep count, with the sign of the outcome. `None` for all others.
    fn margin(&self) -> Option<i64> {
        None
    }

    /// Bounds on the margin, in the first player's view: the game cannot end with less or with more
    /// from here, however it goes on. Only asked while the game goes on, and told at all positions of
    /// a game or none. Used by exact searches; must be right.
    fn margin_bounds(&self) -> Option<(i64, i64)> {
        None
    }

    /// A hash of the position for transposition tables: equal positions have equal keys, and
    /// different ones different keys but for accidents of one in 2^64.
    fn key(&self) -> u64 {
        hash_of(self)
    }

    /// How many values [`move_slot`](Game::move_slot) may take, in all positions of a game; at most
    /// 1,048,576.
    fn move_slots(&self) -> usize {
        HASHED_SLOTS
    }

    /// The row of `mv` in tables that collect statistics about a move wherever it is played
    /// (AMAF, history), below [`move_slots`](Game::move_slots).
    ///
    /// The default folds the move's hash into 4,096 slots, so that two moves may share one.
    fn move_slot(&self, mv: Self::Move) -> usize {
        hash_of(&mv) as usize % HASHED_SLOTS
    }

    /// The move as it is compared with moves of other positions (killers).
    ///
    /// Nearly all moves, such as a column or two squares, are the same move in every position. Where
    /// a move is a number in a list of moves, this must be something that does not depend on the
    /// list.
    #[inline(always)]
    fn lasting_move(&self, mv: Self::Move) -> Self::Move {
        mv
    }

    /// How promising a move looks at first sight, for the mover: larger is tried earlier.
    fn order_hint(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        0
    }

    /// How playouts that know the game weigh a legal move: the improved playouts (ipp) of Lanctot et
    /// al. (2014). `None` for a game without them; told for all moves of a game, with either `ipp`,
    /// or for none. Only asked while the game goes on.
    fn playout_weight(&self, mv: Self::Move, ipp: Ipp) -> Option<PlayoutWeight> {
        let _ = (mv, ipp);
        None
    }

    /// The share of games, from 0 to 1, that the mover is expected to win with this legal move, by
    /// its looks: the node priors of Lanctot et al. (2014). `None` for a game without them; told for
    /// all moves of a game or for none. Only asked while the game goes on.
    fn node_prior(&self, mv: Self::Move) -> Option<f64> {
        let _ = mv;
        None
    }

    /// The kinds of moves that the game tells apart, by name: the same in all positions of a game, and
    /// none for a game without them.
    fn move_categories(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which of the [`move_categories`](Game::move_categories) a legal move belongs to, as their
    /// number from 0; `None` for a game without them. Only asked while the game goes on.
    fn move_category(&self, mv: Self::Move) -> Option<u32> {
        let _ = mv;
        None
    }

    /// How likely good players choose this legal move where they can, from 0 to 1, by the kind of
    /// move that it is: the transition probabilities behind progressive bias. `None` for a game
    /// without them; told for all moves of a game or for none. Only asked while the game goes on.
    fn transition_probability(&self, mv: Self::Move) -> Option<f64> {
        let _ = mv;
        None
    }

    /// The game's static evaluations, the usual one first: the same in all positions of a game,
    /// with different names. Without any, searches that need one see nothing but finished games.
    fn evaluators(&self) -> Vec<Evaluator<Self>> {
        Vec::new()
    }

    /// The position with the turn passed to the other side, for null-move pruning; `None` where
    /// that makes no sense, for instance where the other side could not move. Only asked while the
    /// game goes on.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Appends the legal moves that upset a static evaluation (captures), for quiescence search,
    /// each once. Only asked while the game goes on. Playing nothing but loud moves must come to an
    /// end.
    fn loud_moves(&self, moves: &mut Vec<Self::Move>) {
        let _ = moves;
    }

    /// What the mover wins by a legal move, or loses, if both sides go on to capture on the square where
    /// it ends, as long as that pays: in hundredths of the least piece. `None` for a quiet move that
    /// loses nothing, and in games without captures. Only asked while the game goes on.
    #[inline]
    fn exchange(&self, mv: Self::Move) -> Option<i32> {
        let _ = mv;
        None
    }

    /// The outcome under best play where it can be told at a glance, though the game goes on: a win
    /// in one, a double threat. Only asked while the game goes on. Used by exact searches, which
    /// prove what is not so if it is wrong: must be right.
    fn foregone(&self) -> Option<Outcome> {
        None
    }

    /// How free a legal move leaves the opponent: in how many ways the game can go on after it. Searches
    /// that ask try the moves with the fewest first. Only asked while the game goes on.
    ///
    /// The default plays the move and counts the legal moves, 0 if the game is over.
    fn replies(&self, mv: Self::Move) -> u32 {
        let mut after = self.clone();
        after.play(mv);
        let mut moves = Vec::new();
        if after.outcome().is_none() {
            after.moves(&mut moves);
        }
        moves.len() as u32
    }

    /// About how many moves are left until the game is over at the latest, where that can be told at a
    /// glance, such as the number of empty squares. Only asked while the game goes on.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// Whether the side to move can force at least a draw (`least` is 0) or a win (`least` is 1), found
    /// by the game's own solver of endings; `None` where the game has none, or the ending is too long for
    /// a search that would look `plies` plies ahead. `nodes` is the number of positions that it may look
    /// at: it takes off those that it has looked at, and answers `None` if they were not enough. Only
    /// asked while the game goes on. Used by exact searches, which prove what is not so if it is
    /// wrong: must be right.
    #[inline]
    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        let _ = (plies, least, nodes);
        None
    }

    /// Appends the moves an exact search has to look at, each once and at least one: all legal ones
    /// but those that certainly lead to no better outcome than one of the others. Only asked where
    /// nothing is [`foregone`](Game::foregone).
    fn candidate_moves(&self, moves: &mut Vec<Self::Move>) {
        self.moves(moves);
    }

    /// The value for the side to move within `plies` plies (at least one), where that can be told
    /// quickly: 1 if it can force a win, -1 if it cannot avoid a loss, 0 if neither happens. `None`:
    /// somebody has to look, move by move. Only asked while the game goes on.
    ///
    /// Exactly what [`WinLoss`](crate::depth_first::WinLoss) finds, but faster.
    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
        let _ = plies;
        None
    }

    // ---------------------------------------------------------------- speed

    /// A uniformly random legal move. Only asked while the game goes on.
    ///
    /// `buffer` is scratch space that may hold anything.
    #[inline]
    fn random_move(&self, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Self::Move {
        buffer.clear();
        self.moves(buffer);
        buffer[rng.below(buffer.len() as u32) as usize]
    }

    /// A random move for someone who looks `plies` plies ahead, where that can be found quickly:
    /// uniformly one of those that win within so many plies, this move included; if there are none,
    /// one of those that do not lose; if there are none, one of all. `None`: somebody has to look.
    /// Only asked while the game goes on.
    #[inline]
    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<Self::Move> {
        let _ = (plies, rng);
        None
    }

    /// A random one of the legal moves with the highest [`order_hint`](Game::order_hint), uniformly.
    /// Only asked while the game goes on.
    ///
    /// `buffer` is scratch space that may hold anything.
    #[inline(always)]
    fn hinted_move(&self, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Self::Move {
        buffer.clear();
        self.moves(buffer);
        let best = best_hints_first(self, buffer);
        buffer[rng.below(best as u32) as usize]
    }

    /// A legal move drawn by [`playout_weight`](Game::playout_weight): of the moves with the highest
    /// urgency, each as often as its weight says; uniformly in a game without weights. Only asked
    /// while the game goes on.
    ///
    /// `buffer` is scratch space that may hold anything.
    #[inline(always)]
    fn weighted_move(&self, ipp: Ipp, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Self::Move {
        buffer.clear();
        self.moves(buffer);
        draw_by_weight(self, ipp, buffer, rng)
    }

    /// Plays uniformly random moves until the game is over or `max_plies` have been played;
    /// the latter counts as a draw. `self` is left in the final position.
    ///
    /// A faster version must have the same distribution of outcomes and margins. It may play on
    /// when the game is over, if that is faster and no move can change the outcome or margin.
    ///
    /// `buffer` is scratch space that may hold anything.
    fn playout(&mut self, rng: &mut Rng, buffer: &mut Vec<Self::Move>, max_plies: u32) -> Playout {
        random_playout(self, rng, buffer, max_plies, |_, _| ())
    }

    /// A [`playout`](Game::playout) that adds the moves it plays to `trace`, for searches that
    /// collect statistics about moves wherever they are played (AMAF).
    ///
    /// Same distribution as `playout`, though not the same random numbers: a faster version of that
    /// need not have one of this. As there, it may play on when the game is over; then it traces these
    /// moves too.
    fn playout_traced(
        &mut self,
        rng: &mut Rng,
        buffer: &mut Vec<Self::Move>,
        max_plies: u32,
        trace: &mut Trace,
    ) -> Playout {
        random_playout(self, rng, buffer, max_plies, |position, mv| trace.add_move(position, mv))
    }

    // ---------------------------------------------------------------- endless games

    /// After how many plies from here, at least one, a random playout is given up and counts as a
    /// draw.
    fn playout_plies(&self) -> u32 {
        10_000
    }

    /// A game that is played (not searched) is drawn when a position has occurred so many
    /// times, at least two; the same all game long. `None`: repetition means nothing. See
    /// [`Playthrough`](crate::Playthrough).
    fn repetition_limit(&self) -> Option<u32> {
        None
    }

    /// A game that is played (not searched) is drawn after so many plies, at least one; the same all
    /// game long.
    fn max_plies(&self) -> Option<u32> {
        None
    }

    // ---------------------------------------------------------------- notation

    /// What the first and the second side have so far, in a game that counts (discs, stones in store),
    /// for people to see. Told in all positions of a game or none; when the game is over, the
    /// difference is its margin.
    fn counts(&self) -> Option<[i64; 2]> {
        None
    }

    /// What people call this side, all game long: "White", "Black".
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "First",
            Side::Second => "Second",
        }
    }

    /// A legal move as people write it. No blanks, no commas.
    ///
    /// The default is how the move is printed for debugging, with `;` for commas and without
    /// blanks: `(1;2)`.
    fn move_text(&self, mv: Self::Move) -> String {
        let text = format!("{mv:?}").replace(',', ";");
        text.split_whitespace().collect()
    }

    /// The legal move that `text` stands for.
    ///
    /// # Errors
    ///
    /// If the text is not a legal move here. The default compares with the
    /// [`move_text`](Game::move_text) of every legal move.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        let legal = legal_moves(self);
        legal
            .iter()
            .copied()
            .find(|&mv| self.move_text(mv) == text)
            .ok_or_else(|| NotationError::of_move(text, "not legal here", one_of(self, &legal)))
    }

    /// The position as people write it, if the game has a notation for positions.
    fn position_text(&self) -> Option<String> {
        None
    }

    /// The position that `text` stands for, in a game with the rules and size of `self`.
    ///
    /// # Errors
    ///
    /// If the text is no position of this game.
    fn parse_position(&self, text: &str) -> Result<Self, NotationError> {
        Err(NotationError::of_position(text, "this game has no notation for positions", "moves"))
    }

    /// For games whose positions people write as the moves that lead to them: what stands
    /// between two moves. There [`position_text`](Game::position_text) gives *some* moves that
    /// lead here.
    fn position_is_moves(&self) -> Option<&'static str> {
        None
    }

    /// A picture of the position for a terminal, lines separated by `\n`.
    fn diagram(&self, charset: Charset) -> String {
        let text = self.position_text().filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| format!("{self:?}"));
        match charset {
            Charset::Unicode => text,
            Charset::Ascii => text.replace(|c: char| !c.is_ascii(), "?"),
        }
    }

    /// The position as a picture, for files, web pages and notebooks: all positions of a game have
    /// one or none has.
    fn picture(&self) -> Option<Picture> {
        None
    }

    /// The cells a legal move concerns, as places in the cells of this position's
    /// [`picture`](Game::picture): where it starts, if anywhere, then where it ends. Empty for a
    /// pass. On a board, whose cells stay the same, they mark the move in the next picture too.
    fn move_cells(&self, mv: Self::Move) -> Vec<usize> {
        let _ = mv;
        Vec::new()
    }
}

/// The end of a random playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How the game ended; a draw if it was cut off.
    pub outcome: Outcome,
    /// Number of moves played.
    pub plies: u32,
    /// Whether the playout was cut off by its limit on plies.
    pub capped: bool,
}

const HASHED_SLOTS: usize = 4096;

/// Upper limit for [`Game::move_slots`]: searches have no larger tables.
pub const MAX_SLOTS: usize = 1 << 20;

/// A playout of random moves, each told to `played`.
#[inline(always)]
fn random_playout<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    max_plies: u32,
    mut played: impl FnMut(&G, G::Move),
) -> Playout {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return Playout { outcome, plies, capped: false };
        }
        if plies == max_plies {
            return Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let mv = position.random_move(rng, buffer);
        played(position, mv);
        position.play(mv);
        plies += 1;
    }
}

/// Brings the moves with the highest hint to the front, and tells how many they are.
#[inline]
pub(crate) fn best_hints_first<G: Game>(position: &G, moves: &mut [G::Move]) -> usize {
    let (mut best, mut highest) = (0, i32::MIN);
    for i in 0..moves.len() {
        let hint = position.order_hint(moves[i]);
        best = if hint > highest { 0 } else { best };
        highest = highest.max(hint);
        // Without a branch, which nobody could foresee: behind the best moves any order will do.
        moves.swap(best, i);
        best += usize::from(hint == highest);
    }
    best
}

/// Sorts moves by their hints, the most promising first; equal ones keep their order.
pub(crate) fn sort_by_hint<G: Game>(position: &G, moves: &mut [G::Move]) {
    sort_by_weight_or_hint(position, None, moves);
}

/// The legal moves of a position, none if the game is over.
#[must_use]
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    moves
}

/// "one of a, b, c" for error messages; long lists are cut.
pub(crate) fn one_of<G: Game>(position: &G, moves: &[G::Move]) -> String {
    const SHOWN: usize = 40;
    if moves.is_empty() {
        return "no move: the game is over".to_owned();
    }
    let mut texts: Vec<String> =
        moves.iter().take(SHOWN).map(|&mv| position.move_text(mv)).collect();
    if moves.len() > SHOWN {
        texts.push(format!("… ({} in all)", moves.len()));
    }
    format!("one of {}", texts.join(", "))
}
