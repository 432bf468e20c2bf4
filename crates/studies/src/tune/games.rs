//! Where the positions come from: games of a player against itself, or games of a file.

use std::sync::atomic::AtomicBool;

use treegraft::linear::{Samples, SharedFeatures};
use treegraft::{Evaluator, Game, Knowledge, Outcome, Playthrough, Rng, Speed, Work, derive_seed};
use treegraft_engine::{Answer, Fault, MoveRequest, NoAnswer, Seat, seat};
use treegraft_lab::{GameError, GameRecord, GameRow, Opening, OpeningProblem, Terms, play_game};
use treegraft_players::{Board, DEFAULT_BUDGET, MoveIndex, Player, Registry, Start};

use super::{TuneError, TuneWatch, Tuning};
use crate::self_play;
use crate::watch::Watch;

/// Positions of games to fit to, and of games to judge by.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) training: Samples,
    pub(super) held_out: Samples,
}

/// What is looked at in every position.
pub(super) struct Looks<'a> {
    pub(super) features: &'a SharedFeatures<Board>,
    /// Those that are compared with.
    pub(super) evaluators: &'a [Evaluator<Board>],
    /// Only positions without loud moves.
    pub(super) quiet: bool,
}

/// Whether there is a loud move, such as a capture.
fn is_loud(board: &Board) -> bool {
    let mut loud = Vec::new();
    board.knowledge().loud_moves(&mut loud);
    !loud.is_empty()
}

impl Looks<'_> {
    /// The positions of a game after its opening.
    fn at_game(
        &self,
        mut game: Playthrough<Board>,
        moves: &[MoveIndex],
        opening_plies: usize,
        outcome: Outcome,
    ) -> Samples {
        let mut positions = Vec::with_capacity(moves.len());
        for (ply, &mv) in moves.iter().enumerate() {
            let is_wanted = ply >= opening_plies && !(self.quiet && is_loud(game.position()));
            if is_wanted {
                positions.push(game.position().clone());
            }
            game.play(mv);
        }
        Samples::of_game(&positions, outcome, self.features, self.evaluators)
    }
}

/// Games that a player is to play against itself.
pub(super) struct SelfPlay<'a> {
    pub(super) registry: &'a Registry,
    pub(super) player: Player,
    pub(super) games: u32,
    pub(super) opening_plies: u32,
    pub(super) random: f64,
    pub(super) seed: u64,
}

impl SelfPlay<'_> {
    /// Plays a game.
    fn game(
        &self,
        start: &Start,
        number: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<GameRecord, GameError> {
        let seed = derive_seed(self.seed, u64::from(number));
        // Openings of different lengths, so that every stage of the game has variety.
        let plies = (derive_seed(seed, 1) % (u64::from(self.opening_plies) + 1)) as u32;
        let opening = random_opening(start, plies, seed)?;
        let mut seats = Vec::new();
        for _ in 0..2 {
            let player = seat(self.registry, start, &self.player)?;
            seats.push(Careless { player, random: self.random });
        }
        let [first, second] = &mut seats[..] else { return Err(GameError::NoMove { ply: 0 }) };
        let budgets = [self.player.budget_or(DEFAULT_BUDGET); 2];
        let terms = Terms { budgets, seed, max_plies: None, cancel, record: false };
        play_game(opening, [first, second], terms)
    }
}

/// A random opening, a shorter one where that ends the game.
fn random_opening(
    start: &Start,
    mut plies: u32,
    seed: u64,
) -> Result<Playthrough<Board>, OpeningProblem> {
    loop {
        match (Opening::Random { plies, seed }).play(&start.playthrough()) {
            Err(OpeningProblem::TooLong { .. }) if plies > 0 => plies /= 2,
            played => return played,
        }
    }
}

/// A player that makes some of its moves at random. Good players hardly ever leave a piece to be
/// taken for nothing: games without mistakes do not show its value.
struct Careless {
    player: Box<dyn Seat + Send>,
    random: f64,
}

impl Seat for Careless {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.player.new_game()
    }

    fn next_move(
        &mut self,
        game: &Playthrough<Board>,
        request: MoveRequest<'_>,
    ) -> Result<Answer, NoAnswer> {
        let mut rng = Rng::new(derive_seed(request.seed, RANDOM));
        if rng.unit() < self.random {
            let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
            return Ok(Answer { mv, work: Work::default(), thought: None });
        }
        self.player.next_move(game, request)
    }
}

/// Makes the choice of random moves another one than those in searches.
const RANDOM: u64 = 0x0dd;

impl Tuning {
    /// Plays games, and adds their positions. Each depends on the seed and its number only.
    pub(super) fn play(
        &self,
        play: &SelfPlay<'_>,
        looks: &Looks<'_>,
        watch: TuneWatch<'_>,
        parts: &mut Parts,
    ) -> Result<u32, TuneError> {
        let numbers: Vec<u32> = (0..play.games).collect();
        self.gather(&numbers, play.seed, watch, parts, |&number| {
            let played = play.game(&self.start, number, watch.cancel);
            let look_at = |played: GameRecord| {
                let GameRecord { moves, opening_plies, outcome, .. } = played;
                looks.at_game(self.start.playthrough(), &moves, opening_plies, outcome)
            };
            Ok(self_play::finished(number, played)?.map(look_at))
        })
    }

    /// Adds the positions of the games of a file that are of this game and whose moves are there.
    pub(super) fn read(
        &self,
        looks: &Looks<'_>,
        watch: TuneWatch<'_>,
        parts: &mut Parts,
    ) -> Result<u32, TuneError> {
        let is_meant = |row: &&GameRow| {
            row.game == self.start.text() && !row.is_digest_only() && row.fault.is_empty()
        };
        let rows: Vec<(u32, &GameRow)> = (0..).zip(self.from.iter().filter(is_meant)).collect();
        self.gather(&rows, self.seed, watch, parts, |(number, row)| {
            let number = *number;
            let mut game = self.start.playthrough();
            if let Err(error) = game.play_text(&row.moves) {
                return Err(TuneError::Moves { number, error: Box::new(error) });
            }
            let outcome = Outcome::from_margin(i64::from(row.outcome));
            let begin = self.start.playthrough();
            Ok(Some(looks.at_game(begin, game.moves(), row.opening_plies as usize, outcome)))
        })
    }

    /// Makes samples of games and adds them in the order of their numbers. Whether a game is held
    /// out follows from its number too.
    fn gather<T: Sync>(
        &self,
        games: &[T],
        seed: u64,
        watch: TuneWatch<'_>,
        parts: &mut Parts,
        samples: impl Fn(&T) -> Result<Option<Samples>, TuneError> + Sync,
    ) -> Result<u32, TuneError> {
        let tell = |done| watch.tell(super::Stage::Games, done, games.len() as u64);
        let gathering = Watch { progress: Some(&tell), cancel: watch.cancel };
        let all = gathering.collect(self.jobs, games, || (), |(), game| samples(game))?;
        // None is missing after this.
        watch.check()?;
        for (number, samples) in (0..).zip(&all) {
            let draw = derive_seed(seed ^ HELD_OUT, number) as f64 / u64::MAX as f64;
            let part = if draw < self.held_out { &mut parts.held_out } else { &mut parts.training };
            part.append(samples);
        }
        Ok(all.len() as u32)
    }
}

/// Makes the choice of held-out games another one than those in the games.
const HELD_OUT: u64 = 0x7e57;
