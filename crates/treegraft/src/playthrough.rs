//! A game as it is played: the moves so far, and the endings that only a history can have.

use crate::game::{legal_moves, one_of};
use crate::{Game, Notation, NotationError, Outcome};

/// Why a played game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The rules of the game ended it.
    Rules,
    /// A position occurred as often as it may ([`Limits::repetitions`](crate::Limits::repetitions)).
    Repetition,
    /// The game reached its greatest length ([`Limits::plies`](crate::Limits::plies)).
    TooLong,
}

/// How a played game ended, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: Reason,
}

/// A game in progress, with its history.
///
/// A [`Game`] is a position and does not know how it came about; searches work on positions alone.
/// A program that *plays* a game keeps a playthrough, which adds what needs a history: draws by
/// repetition, a limit on plies, taking moves back.
///
/// ```
/// # use treegraft::{Game, Limits, Side};
/// # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// # struct Ring { at: i8, mover: Side }
/// # impl Game for Ring {
/// #     type Move = i8;
/// #     fn to_move(&self) -> Side { self.mover }
/// #     fn moves(&self, moves: &mut Vec<i8>) { moves.extend([-1, 1]) }
/// #     fn play(&mut self, step: i8) {
/// #         (self.at, self.mover) = ((self.at + step).rem_euclid(6), self.mover.other());
/// #     }
/// #     fn outcome(&self) -> Option<Outcome> { None }
/// #     fn limits(&self) -> Limits { Limits { repetitions: Some(3), ..Limits::default() } }
/// # }
/// use treegraft::{Ending, Outcome, Playthrough, Reason};
///
/// // A piece walks along a ring for ever: drawn when a position occurs for the third time.
/// let mut game = Playthrough::new(Ring { at: 0, mover: Side::First });
/// game.play_text("1 -1")?;
/// assert_eq!((game.position(), game.ending()), (game.start(), None));
/// game.play(-1);
/// game.play(1);
/// assert_eq!(game.move_texts(), ["1", "-1", "-1", "1"]);
/// let drawn = Ending { outcome: Outcome::Draw, reason: Reason::Repetition };
/// assert_eq!(game.ending(), Some(drawn));
/// assert!(game.legal_moves().is_empty());
///
/// // Taken back, the game goes on.
/// assert_eq!(game.undo(), Some(1));
/// assert_eq!(game.legal_moves(), [-1, 1]);
/// # Ok::<(), treegraft::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Playthrough<G: Game> {
    /// The start and every position since: never empty.
    positions: Vec<G>,
    moves: Vec<G::Move>,
}

impl<G: Game> Playthrough<G> {
    /// A game that begins at `start`.
    #[must_use]
    pub fn new(start: G) -> Playthrough<G> {
        Playthrough { positions: vec![start], moves: Vec::new() }
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.positions[self.moves.len()]
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The moves so far in the game's notation.
    #[must_use]
    pub fn move_texts(&self) -> Vec<String> {
        self.moves
            .iter()
            .zip(&self.positions)
            .map(|(&mv, at)| at.notation().move_text(mv))
            .collect()
    }

    /// The legal moves now: none if the game is over, for whatever reason.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<G::Move> {
        if self.ending().is_some() { Vec::new() } else { legal_moves(self.position()) }
    }

    /// How the game ended, or `None` while it goes on.
    ///
    /// # Complexity
    ///
    /// Linear in the number of moves so far where positions can repeat, else constant.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let now = self.position();
        if let Some(outcome) = now.outcome() {
            return Some(Ending { outcome, reason: Reason::Rules });
        }
        let drawn = |reason| Some(Ending { outcome: Outcome::Draw, reason });
        if let Some(limit) = now.limits().repetitions {
            let occurrences = self.positions.iter().filter(|&earlier| earlier == now).count();
            if occurrences >= limit as usize {
                return drawn(Reason::Repetition);
            }
        }
        if now.limits().plies.is_some_and(|limit| self.moves.len() >= limit as usize) {
            return drawn(Reason::TooLong);
        }
        None
    }

    /// Plays a move, which the caller knows to be legal.
    pub fn play(&mut self, mv: G::Move) {
        let mut next = self.position().clone();
        next.play(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// Plays moves from text: separated by blanks or commas, or run together.
    ///
    /// A word between separators is one move if it can be. Otherwise it is read from the left, each
    /// time taking the longest text (up to 16 characters) that is a legal move: `4453`, `f5d6c3`.
    ///
    /// # Errors
    ///
    /// If a text is not a legal move where it stands. The error names the text, its number and the
    /// legal moves. The moves before it have been played.
    pub fn play_text(&mut self, text: &str) -> Result<(), NotationError> {
        for word in text.split(|c: char| c.is_whitespace() || c == ',') {
            let mut rest = word;
            while !rest.is_empty() {
                let (mv, length) = self.longest_move(rest)?;
                self.play(mv);
                rest = &rest[length..];
            }
        }
        Ok(())
    }

    /// The legal move that the longest possible beginning of `text` stands for, and its length.
    fn longest_move(&self, text: &str) -> Result<(G::Move, usize), NotationError> {
        let number = self.moves.len() + 1;
        if self.ending().is_some() {
            return Err(too_late(text, number));
        }
        let now = self.position();
        let mut why = match now.notation().parse_move(text) {
            Ok(mv) => return Ok((mv, text.len())),
            Err(error) => error,
        };
        for end in ends(text) {
            match now.notation().parse_move(&text[..end]) {
                Ok(mv) => return Ok((mv, end)),
                // 44 is not a column, but 4 is one, and it is full.
                Err(error) if error.is_illegal && !why.is_illegal => why = error,
                Err(_) => {}
            }
        }
        Err(not_playable(why, number, one_of(now, &legal_moves(now))))
    }

    /// The position now in the game's notation. Where that is a list of moves
    /// ([`Notation::position_is_moves`]), these are the moves that were played.
    #[must_use]
    pub fn position_text(&self) -> Option<String> {
        let Some(separator) = self.position().notation().position_is_moves() else {
            return self.position().notation().position_text();
        };
        let mut moves = self.move_texts();
        let start = self.start().notation().position_text()?;
        if !start.is_empty() {
            moves.insert(0, start);
        }
        Some(moves.join(separator))
    }
}

// What does not depend on the game is compiled once.

/// Where a move at the beginning of `text` may end, the longest first, without the whole text.
fn ends(text: &str) -> Vec<usize> {
    /// Moves with more characters must be separated, so that nonsense is refused quickly.
    const LONGEST: usize = 16;
    let mut ends: Vec<usize> = text.char_indices().map(|(i, _)| i).take(LONGEST + 1).collect();
    ends.reverse();
    // The last one is the empty text.
    ends.pop();
    ends
}

fn too_late(text: &str, number: usize) -> NotationError {
    let problem = format!("it is move {number}, and the game is over before it");
    NotationError::of_move(text, problem, "no more moves")
}

fn not_playable(error: NotationError, number: usize, expected: String) -> NotationError {
    let problem = format!("it is move {number}: {}", error.problem);
    NotationError { problem, expected, ..error }
}
