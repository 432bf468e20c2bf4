//! What searches do, as numbers: a fixed search changes its number when it changes what it does.
//!
//! A number belongs to one player in one game, so that a new label, or a change of one search, says
//! nothing about the others. A [`Signer`] finds the number of any player in a game, own ones
//! included; the project's file `signatures.txt` keeps those of [`signed_searches`].
//!
//! Numbers have a version, which their text begins with: `2:` and 16 hexadecimal digits. Those of
//! version 1 have no prefix. They came from short searches of the opening, where many players do the
//! same; [`digest`] still finds them, for sessions that recorded them.

mod list;

use std::fmt;

use treegraft::bits::mix;
use treegraft::{Budget, Game, Outcome, Report, Request, Rng, Speed, legal_moves, played};

use crate::board::{Board, MoveIndex};
use crate::error::PlayerError;
use crate::player::{Player, Search};
use crate::registry::Registry;
use crate::start::Start;
use list::{GAMES, OPTIONS, VARIANTS};

/// The signature of one fixed search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSearch {
    /// The game.
    pub game: String,
    /// The player, without its budget.
    pub player: String,
    /// Its signature.
    pub signature: Signature,
}

/// Every label and some variants in every game, and every option in a game where it matters.
#[must_use]
pub fn signed_searches() -> Vec<SignedSearch> {
    let registry = Registry::standard();
    let has_line = |name: &str| GAMES.iter().any(|text| text.split(':').next() == Some(name));
    let others = registry.games().map(|info| info.name).filter(|name| !has_line(name));
    // Programs of others are not searched.
    let labels = registry.players().into_iter().map(|info| info.label).filter(|&l| l != "engine");
    let players: Vec<&str> = labels.chain(VARIANTS.iter().copied()).collect();
    let mut searches = Vec::new();
    for game in GAMES.iter().copied().chain(others) {
        let signer = Signer::new(&registry.start(game).expect("a game of the list"));
        let options = signed_options().into_iter().filter(|(of, ..)| *of == game);
        let texts = players.iter().map(|&text| text.to_owned()).chain(options.map(|(.., it)| it));
        let mut signed = Vec::new();
        for text in texts {
            let player = registry.player(&text).expect("a player of the list");
            // The same player by another text says nothing new, and a label that the game cannot
            // serve (no evaluation) is not searched.
            if signed.contains(&player) {
                continue;
            }
            if let Ok(Some(signature)) = signer.sign(&registry, &player) {
                let game = game.to_owned();
                searches.push(SignedSearch { game, player: text, signature });
            }
            signed.push(player);
        }
    }
    searches
}

/// Every option of every search: a game, a player, and the player with the option, which does
/// something else there.
#[must_use]
pub fn signed_options() -> Vec<(&'static str, &'static str, String)> {
    let with = |base: &str, option: &str| match base.strip_suffix(')') {
        Some(open) => format!("{open},{option})"),
        None => format!("{base}({option})"),
    };
    let all = OPTIONS.iter().flat_map(|&(game, base, options)| {
        options.iter().map(move |option| (game, base, with(base, option)))
    });
    all.collect()
}

/// The number of a player in a game. Only numbers of the same version can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// How it was found.
    pub version: Version,
    /// The number.
    pub number: u64,
}

/// How a signature was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// By [`digest`].
    One,
    /// By a [`Signer`].
    Two,
}

impl Version {
    /// How the signature was found that has this text.
    #[must_use]
    pub fn of(text: &str) -> Version {
        if text.starts_with(SECOND) { Version::Two } else { Version::One }
    }
}

/// How the text of a signature of version 2 begins.
const SECOND: &str = "2:";

impl Signature {
    /// The signature that has this text.
    #[must_use]
    pub fn read(text: &str) -> Option<Signature> {
        let version = Version::of(text);
        let digits = text.strip_prefix(SECOND).unwrap_or(text);
        let number = u64::from_str_radix(digits, 16).ok()?;
        Some(Signature { version, number })
    }
}

/// The text, which [`Signature::read`] reads back.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if self.version == Version::Two { SECOND } else { "" };
        write!(f, "{prefix}{:016x}", self.number)
    }
}

/// Signs players in a game, by what they do in middle games and endings with wins, losses and draws
/// nearby.
pub struct Signer {
    start: Start,
    tasks: Vec<Task>,
}

/// A position with the work that is done there.
pub struct Task {
    /// The position.
    pub board: Board,
    iterations: u64,
    /// How many moves in a row are searched, each by the search that made the one before.
    moves: usize,
}

impl Task {
    /// How far a search goes: far enough for its formulas to choose among all moves again and again.
    #[must_use]
    pub fn budget(&self, board: &Board) -> Budget {
        let iterations = self.iterations.max(3 * legal_moves(board).len() as u64);
        Budget {
            nodes: Some(NODES),
            // Playouts that search for every move would take long.
            evaluations: Some(EVALUATIONS),
            ..Budget::iterations(iterations)
        }
    }
}

const NODES: u64 = 2000;
const EVALUATIONS: u64 = 60_000;

impl Signer {
    /// Finds the positions. They depend on the rules alone.
    #[must_use]
    pub fn new(start: &Start) -> Signer {
        let walks: Vec<Vec<Board>> = (0..WALKS).map(|seed| walk(start.board(), seed)).collect();
        let sharp = walks.iter().find_map(|walk| {
            let last = walk.len().saturating_sub(4);
            walk[walk.len().saturating_sub(14)..last].iter().rev().find(|board| is_sharp(board))
        });
        let before_end =
            |walk: &[Board], plies: usize| walk[walk.len().saturating_sub(plies + 1)].clone();
        let is_drawn =
            |walk: &&Vec<Board>| walk.last().is_some_and(|b| b.outcome() == Some(Outcome::Draw));
        let drawn = walks.iter().find(is_drawn).unwrap_or(&walks[1]);
        let mut middles = walks[2..].iter().map(|walk| &walk[walk.len() / 2]);
        let is_open = |board: &&Board| legal_moves(*board).len() > 2 && !is_won_at_once(board);
        let middle = middles.find(is_open).unwrap_or(&walks[2][walks[2].len() / 2]).clone();
        let sharp = sharp.cloned().unwrap_or_else(|| before_end(&walks[0], 6));
        let tasks = [(sharp, 500, 2), (before_end(drawn, 5), 1200, 1), (middle, 200, 1)];
        let tasks = tasks.into_iter().filter(|(board, ..)| board.outcome().is_none());
        let task = |(board, iterations, moves)| Task { board, iterations, moves };
        Signer { start: start.clone(), tasks: tasks.map(task).collect() }
    }

    /// What is searched.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The signature of a player, whatever its budget is. `None` for programs of others.
    ///
    /// # Errors
    ///
    /// If the game cannot serve the player.
    pub fn sign(
        &self,
        registry: &Registry,
        player: &Player,
    ) -> Result<Option<Signature>, PlayerError> {
        if matches!(player.search, Search::Engine(_)) {
            return Ok(None);
        }
        let mut number = 0;
        let mut analyst = registry.searcher(&self.start, player)?;
        let mut seeds = 0..;
        for task in &self.tasks {
            analyst.new_game();
            let mut board = task.board.clone();
            for seed in seeds.by_ref().take(task.moves) {
                let report = analyst.search(&board, Request::new(task.budget(&board), seed));
                number = fold(number, &board, &report);
                let Some(best) = report.best_move else { break };
                board.play(best);
            }
        }
        Ok(Some(Signature { version: Version::Two, number }))
    }
}

/// Games at random among which positions are looked for.
const WALKS: u64 = 32;
/// Games at random are given up here.
const MAX_PLIES: usize = 300;

/// The positions of a game at random.
fn walk(start: &Board, seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let mut positions = vec![start.clone()];
    let mut board = start.clone();
    while board.outcome().is_none() && positions.len() < MAX_PLIES {
        let moves = legal_moves(&board);
        board.play(moves[rng.below(moves.len() as u32) as usize]);
        positions.push(board.clone());
    }
    positions
}

/// Whether there is something to see ahead: no win in one move, but moves that lose at once, and
/// moves that do not.
fn is_sharp(board: &Board) -> bool {
    let loses = |next: &Board| {
        next.outcome().is_none() && next.to_move() != board.to_move() && is_won_at_once(next)
    };
    let count = successors(board).filter(loses).count();
    count > 0 && count + 1 < legal_moves(board).len() && !is_won_at_once(board)
}

/// Whether the side to move has a move that wins.
fn is_won_at_once(board: &Board) -> bool {
    let win = Some(Outcome::Win(board.to_move()));
    successors(board).any(|next| next.outcome() == win)
}

fn successors(board: &Board) -> impl Iterator<Item = Board> + '_ {
    legal_moves(board).into_iter().map(|mv| played(board, mv))
}

/// Everything that a report says, but for time and memory.
fn fold(number: u64, board: &Board, report: &Report<MoveIndex>) -> u64 {
    let bits = |value: Option<f64>| value.map_or(1, f64::to_bits);
    let work = &report.work;
    let whole = [
        report.digest,
        report.best_move.map_or(u64::MAX, |best| board.speed().move_slot(best) as u64),
        report.value.to_bits(),
        report.proof.map_or(2, |outcome| outcome.value() as u64),
        report.margin.map_or(u64::MAX, |margin| margin as u64),
        u64::from(report.depth),
        work.iterations,
        work.nodes,
        work.evaluations,
        work.transitions,
        work.playout_plies,
        work.capped_playouts,
    ];
    let moves = report.moves.iter();
    let moves =
        moves.flat_map(|it| [it.visits, bits(it.value), bits(it.bounds[0]), bits(it.bounds[1])]);
    let strategies = report.strategies.iter().flat_map(|it| [it.playouts, bits(it.mean)]);
    let all = whole.into_iter().chain(moves).chain(strategies);
    all.fold(number, |number, one| mix(number ^ one))
}

/// The number of version 1 of a player in a game, whatever its budget is: over three moves from the
/// start, by a small, fixed budget of work. `None` for programs of others.
///
/// # Errors
///
/// If the game cannot serve the player.
pub fn digest(
    registry: &Registry,
    start: &Start,
    player: &Player,
) -> Result<Option<u64>, PlayerError> {
    if matches!(player.search, Search::Engine(_)) {
        return Ok(None);
    }
    let mut analyst = registry.searcher(start, player)?;
    let mut board = start.board().clone();
    // Where there are many moves, 60 simulations would only try each of them once, and the formula
    // that chooses among them would not be seen.
    let moves = legal_moves(&board).len() as u64;
    let iterations = if moves > 45 { 3 * moves } else { 60 };
    let budget = Budget {
        nodes: Some(iterations.max(400)),
        // Playouts that value every move of a large board would take long.
        evaluations: (moves > 45).then_some(20_000),
        ..Budget::iterations(iterations)
    };
    let mut digest = 0;
    for seed in 0..3 {
        let report = analyst.search(&board, Request::new(budget, seed));
        let Some(best) = report.best_move else { break };
        digest = mix(digest ^ report.digest);
        for number in [
            board.speed().move_slot(best) as u64,
            report.work.iterations,
            report.work.nodes,
            report.work.evaluations,
            report.value.to_bits(),
        ] {
            digest = mix(digest ^ number);
        }
        board.play(best);
    }
    Ok(Some(digest))
}
