//! The one place where games are played.

use std::sync::atomic::AtomicBool;

use treegraft::bits::mix;
use treegraft::{Budget, Ending, Game, Outcome, Playthrough, Reason, Rng, Side, Work};

use crate::seat::{Ask, Choice, Fault, NoChoice, Seat};
use crate::{DEFAULT_BUDGET, Player, PlayerError};

/// Somebody at the board, and what they may spend on a move.
pub struct Contestant<'a, G: Game> {
    /// Who plays.
    pub seat: &'a mut dyn Seat<G>,
    /// What a move may cost.
    pub budget: Budget,
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
    /// What the first and the second player spent.
    pub spent: [Spent; 2],
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

/// What a player spent in one or more games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Moves it was asked for.
    pub moves: u64,
    /// The work of all of them together; the memory is that of the greediest.
    pub work: Work,
}

impl Spent {
    /// Adds what was spent on `moves` moves.
    pub fn add(&mut self, moves: u64, work: &Work) {
        self.moves += moves;
        self.work = Work {
            iterations: self.work.iterations + work.iterations,
            nodes: self.work.nodes + work.nodes,
            evaluations: self.work.evaluations + work.evaluations,
            playout_plies: self.work.playout_plies + work.playout_plies,
            capped_playouts: self.work.capped_playouts + work.capped_playouts,
            transitions: self.work.transitions + work.transitions,
            time: self.work.time + work.time,
            memory: self.work.memory.max(work.memory),
        };
    }
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
    /// The game was cancelled.
    #[error("the game was cancelled")]
    Cancelled,
}

/// Plays a game to its end. `players` are the first and the second side of the game, whoever is to
/// move; `opening` holds the moves played before they are asked.
///
/// The seed of each move follows from `seed` and the number of moves before it.
///
/// # Errors
///
/// If a searcher gives no legal move, or `cancel` is set: the game is lost then.
pub fn play_game<G: Game>(
    opening: Playthrough<G>,
    mut players: [Contestant<'_, G>; 2],
    seed: u64,
    cancel: Option<&AtomicBool>,
) -> Result<GameRecord<G::Move>, GameError> {
    let mut game = opening;
    let opening_plies = game.moves().len();
    let mut spent = [Spent::default(); 2];
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
        spent[side.index()].add(1, &work);
        game.play(mv);
    };
    let margin = game.position().margin();
    let moves = game.moves().to_vec();
    Ok(GameRecord { moves, opening_plies, outcome, end, margin, spent, digest })
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
        let pair_seed = derive(self.seed, number / 2);
        let opening = self.opening(derive(pair_seed, OPENING))?;
        let [a, b] = &self.players;
        let sides = match side_of_a(number) {
            Side::First => [a, b],
            Side::Second => [b, a],
        };
        // New searchers for every game: what one has learnt must not depend on who played before.
        let start = self.start.position();
        let mut first = sides[0].seat(&self.game, start)?;
        let mut second = sides[1].seat(&self.game, start)?;
        let [first_budget, second_budget] = sides.map(|player| player.budget_or(DEFAULT_BUDGET));
        let players = [
            Contestant { seat: &mut *first, budget: first_budget },
            Contestant { seat: &mut *second, budget: second_budget },
        ];
        play_game(opening, players, derive(pair_seed, number % 2), cancel)
    }

    /// Random moves that do not end the game.
    fn opening(&self, seed: u64) -> Result<Playthrough<G>, GameError> {
        const TRIES: u32 = 100;
        let mut buffer = Vec::new();
        for attempt in 0..TRIES {
            let mut rng = Rng::new(derive(seed, u64::from(attempt)));
            let mut game = self.start.clone();
            for _ in 0..self.opening_plies {
                if game.ending().is_some() {
                    break;
                }
                let mv = game.position().random_move(&mut rng, &mut buffer);
                game.play(mv);
            }
            if self.opening_plies == 0 || game.ending().is_none() {
                return Ok(game);
            }
        }
        Err(GameError::Opening { plies: self.opening_plies, tries: TRIES })
    }
}

/// The side that the first of two players has in a numbered game.
pub(crate) fn side_of_a(number: u64) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The number, beside those of the two games, under which a pair's opening has its seed.
const OPENING: u64 = 2;

/// The seed of part `number` of something that has the seed `seed`.
fn derive(seed: u64, number: u64) -> u64 {
    mix(mix(seed) ^ number)
}
