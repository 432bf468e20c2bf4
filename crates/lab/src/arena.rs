//! The one place where games are played.

use std::sync::atomic::AtomicBool;

use treegraft::bits::mix;
use treegraft::{Budget, Ending, Game, NotationError, Outcome, Playthrough, Reason, Rng, Side};

use crate::seat::{Ask, Choice, Fault, NoChoice, Seat};
use crate::{DEFAULT_BUDGET, Opening, Player, PlayerError, SideRow};

/// Somebody at the board, and what they may spend on a move.
pub struct Contestant<'a, G: Game> {
    /// Who plays.
    pub seat: &'a mut dyn Seat<G>,
    /// What a move may cost.
    pub budget: Budget,
}

/// What a game is played under, besides its rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// Where all random choices come from.
    pub seed: u64,
    /// The game is drawn after so many moves in all, if the game's own limit is not lower.
    pub max_plies: Option<u32>,
    /// Set from another thread to end the game soon; it does not count then.
    pub cancel: Option<&'a AtomicBool>,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<M> {
    /// All moves, those of the opening included.
    pub moves: Vec<M>,
    /// So many of them were played before the players were asked.
    pub opening_plies: usize,
    /// The result.
    pub outcome: Outcome,
    /// What brought it about.
    pub end: End,
    /// The final margin in the first player's view, where the game keeps count.
    pub margin: Option<i64>,
    /// What the first and the second side spent.
    pub sides: [SideRow; 2],
    /// A number that is equal for equal games: over all positions.
    pub digest: u64,
}

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The rules, those on repetition and length included.
    Rules(Reason),
    /// A fault of this side, which loses it the game.
    Fault(Side, Fault),
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The game cannot serve a player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A searcher found no move although there is one.
    #[error("no move was found at ply {ply}, though the game goes on")]
    NoMove {
        /// Moves played before.
        ply: usize,
    },
    /// A searcher's move was not legal.
    #[error("the move {mv} at ply {ply} is not legal")]
    IllegalMove {
        /// Moves played before.
        ply: usize,
        /// The move.
        mv: String,
    },
    /// No opening of the asked length leaves a game to play.
    #[error(
        "{tries} random openings of {plies} plies all ended the game; choose a shorter opening"
    )]
    Opening {
        /// The length asked for.
        plies: u32,
        /// Openings tried.
        tries: u32,
    },
    /// The opening has an illegal move.
    #[error("the opening {moves:?} cannot be played: {error}")]
    OpeningMoves {
        /// The opening.
        moves: String,
        /// What is wrong with it.
        error: Box<NotationError>,
    },
    /// The opening leaves no game to play.
    #[error("the opening {moves:?} ends the game")]
    OpeningEnds {
        /// The opening.
        moves: String,
    },
    /// The game was cancelled.
    #[error("the game was cancelled")]
    Cancelled,
}

/// Plays a game to its end. `players` are the first and the second side of the game, whoever is to
/// move; `opening` holds the moves played before they are asked.
///
/// The seed of each move follows from the game's seed and the number of moves before it.
///
/// # Errors
///
/// If a searcher gives no legal move, or the game is cancelled: it is lost then.
pub fn play_game<G: Game>(
    opening: Playthrough<G>,
    mut players: [Contestant<'_, G>; 2],
    terms: Terms<'_>,
) -> Result<GameRecord<G::Move>, GameError> {
    let Terms { seed, max_plies, cancel } = terms;
    let mut game = opening;
    let opening_plies = game.moves().len();
    let mut sides = [SideRow::default(), SideRow::default()];
    let mut digest = 0;
    let mut fault = None;
    for (side, player) in [Side::First, Side::Second].into_iter().zip(&mut players) {
        if let Err(reason) = player.seat.new_game() {
            fault.get_or_insert((side, reason));
        }
    }
    let (outcome, end) = loop {
        digest = mix(digest ^ game.position().key());
        if let Some((side, fault)) = fault.take() {
            break (Outcome::Win(side.other()), End::Fault(side, fault));
        }
        if let Some(Ending { outcome, reason }) = game.ending() {
            break (outcome, End::Rules(reason));
        }
        let ply = game.moves().len();
        if max_plies.is_some_and(|limit| ply >= limit as usize) {
            break (Outcome::Draw, End::Rules(Reason::TooLong));
        }
        let side = game.position().to_move();
        let Contestant { seat, budget } = &mut players[side.index()];
        let ask = Ask { budget: *budget, seed: derive(seed, ply as u64), cancel };
        let Choice { mv, work } = match seat.choose(&game, ask) {
            Ok(choice) => choice,
            Err(NoChoice::Cancelled) => return Err(GameError::Cancelled),
            Err(NoChoice::NoMove) => return Err(GameError::NoMove { ply }),
            Err(NoChoice::Fault(reason)) => {
                fault = Some((side, reason));
                continue;
            }
        };
        if !game.legal_moves().contains(&mv) {
            return Err(GameError::IllegalMove { ply, mv: format!("{mv:?}") });
        }
        sides[side.index()].add(&work);
        game.play(mv);
    };
    let margin = game.position().margin();
    let moves = game.moves().to_vec();
    Ok(GameRecord { moves, opening_plies, outcome, end, margin, sides, digest })
}

/// Two players who meet again and again, in games that are numbered: 2p and 2p + 1 make up pair p,
/// which has one opening, and in which the players swap sides.
///
/// A game depends on the seed and its number only, not on what was played before it, so that games
/// can be played in any order and on any machine.
#[derive(Clone, Debug)]
pub struct Pairing<G: Game> {
    /// The text of the game.
    pub game: String,
    /// Where every game begins.
    pub start: Playthrough<G>,
    /// The player who is first in the first game of a pair, and the other one.
    pub players: [Player; 2],
    /// Where all random choices come from.
    pub seed: u64,
    /// So many uniformly random moves begin every pair.
    pub opening_plies: u32,
}

impl<G: Game + Send + 'static> Pairing<G>
where
    G::Move: Send,
{
    /// Whether both players can play this game.
    ///
    /// # Errors
    ///
    /// If the game cannot serve one of them.
    pub fn check(&self) -> Result<(), PlayerError> {
        self.players
            .iter()
            .try_for_each(|player| player.seat(&self.game, self.start.position()).map(|_seat| ()))
    }

    /// Plays a game.
    ///
    /// # Errors
    ///
    /// If a player cannot play this game, gives no legal move, or `cancel` is set.
    pub fn play(
        &self,
        number: u64,
        cancel: Option<&AtomicBool>,
    ) -> Result<GameRecord<G::Move>, GameError> {
        let seed = derive(self.seed, number / 2);
        let plies = self.opening_plies;
        let opening = Opening::Random { plies, seed: derive(seed, OPENING) };
        let [a, b] = &self.players;
        let (start, game) = (&self.start, &self.game);
        Duel { game, start, players: [a, b], opening: &opening, seed, max_plies: None }
            .play((number % 2) as u8, cancel)
    }
}

/// Two games: one opening, sides swapped.
pub(crate) struct Duel<'a, G: Game> {
    pub(crate) game: &'a str,
    pub(crate) start: &'a Playthrough<G>,
    pub(crate) players: [&'a Player; 2],
    pub(crate) opening: &'a Opening,
    pub(crate) seed: u64,
    pub(crate) max_plies: Option<u32>,
}

impl<G: Game + Send + 'static> Duel<'_, G>
where
    G::Move: Send,
{
    /// Plays game 0 or 1.
    pub(crate) fn play(
        &self,
        number: u8,
        cancel: Option<&AtomicBool>,
    ) -> Result<GameRecord<G::Move>, GameError> {
        let opening = self.opening.play(self.start)?;
        let [a, b] = self.players;
        let sides = match side_of_a(number.into()) {
            Side::First => [a, b],
            Side::Second => [b, a],
        };
        // New searchers for every game: what one has learnt must not depend on who played before.
        let start = self.start.position();
        let mut first = sides[0].seat(self.game, start)?;
        let mut second = sides[1].seat(self.game, start)?;
        let budgets = sides.map(|player| player.budget_or(DEFAULT_BUDGET));
        let players = [
            Contestant { seat: &mut *first, budget: budgets[0] },
            Contestant { seat: &mut *second, budget: budgets[1] },
        ];
        let terms = Terms { seed: self.game_seed(number), max_plies: self.max_plies, cancel };
        let mut record = play_game(opening, players, terms)?;
        for (row, (player, budget)) in record.sides.iter_mut().zip(sides.into_iter().zip(budgets)) {
            row.player = Player { budget, ..player.clone() }.to_string();
        }
        Ok(record)
    }

    /// The seed of game 0 or 1.
    pub(crate) fn game_seed(&self, number: u8) -> u64 {
        derive(self.seed, number.into())
    }
}

impl Opening {
    /// The game from `start` with the opening played.
    ///
    /// # Errors
    ///
    /// If the opening has an illegal move or ends the game.
    pub fn play<G: Game>(&self, start: &Playthrough<G>) -> Result<Playthrough<G>, GameError> {
        match self {
            Opening::None | Opening::Random { plies: 0, .. } => Ok(start.clone()),
            Opening::Random { plies, seed } => random_opening(start, *plies, *seed),
            Opening::Moves(moves) => {
                let mut game = start.clone();
                let moves = moves.clone();
                if let Err(error) = game.play_text(&moves) {
                    return Err(GameError::OpeningMoves { moves, error: Box::new(error) });
                }
                match game.ending() {
                    Some(_) => Err(GameError::OpeningEnds { moves }),
                    None => Ok(game),
                }
            }
        }
    }
}

/// Random moves that do not end the game.
fn random_opening<G: Game>(
    start: &Playthrough<G>,
    plies: u32,
    seed: u64,
) -> Result<Playthrough<G>, GameError> {
    const TRIES: u32 = 100;
    let mut buffer = Vec::new();
    for attempt in 0..TRIES {
        let mut rng = Rng::new(derive(seed, u64::from(attempt)));
        let mut game = start.clone();
        for _ in 0..plies {
            if game.ending().is_some() {
                break;
            }
            let mv = game.position().random_move(&mut rng, &mut buffer);
            game.play(mv);
        }
        if game.ending().is_none() {
            return Ok(game);
        }
    }
    Err(GameError::Opening { plies, tries: TRIES })
}

/// The side that the first of two players has in a numbered game.
pub(crate) fn side_of_a(number: u64) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The number, beside those of the two games, under which a pair's opening has its seed.
const OPENING: u64 = 2;

/// The seed of part `number` of something that has the seed `seed`.
pub(crate) fn derive(seed: u64, number: u64) -> u64 {
    mix(mix(seed) ^ number)
}
