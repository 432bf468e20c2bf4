//! Games of a player against itself, with the traps of every position.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use treegraft::{Game, Rng, derive_seed};
use treegraft_lab::{Opening, PairGames, ThreadsError};
use treegraft_players::{DEFAULT_BUDGET, Player, Registry, Start};

use super::file::{TrapFile, TrapFileError, TrapHeader};
use super::levels::Levels;
use crate::self_play::{self, GamesError};
use crate::watch::{Watch, is_set};

/// What is to be played and looked at.
#[derive(Clone, Debug)]
pub struct TrapStudy {
    /// Where every game begins.
    pub start: Start,
    /// Who plays both sides.
    pub player: Player,
    /// How many games.
    pub games: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games played at once; 0: one per processor.
    pub jobs: usize,
    /// The levels of the traps.
    pub levels: Levels,
    /// Random playouts after every trap.
    pub playouts: u32,
}

impl TrapStudy {
    /// What its games depend on.
    #[must_use]
    pub fn header(&self) -> TrapHeader {
        let (game, player) = (self.start.text().to_owned(), &self.player);
        let player = player.with_budget_or(DEFAULT_BUDGET).to_string();
        let TrapStudy { levels, playouts, seed, .. } = *self;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        TrapHeader { traps: 1, version, game, player, levels, playouts, seed }
    }
}

/// A game and its traps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapGame {
    /// Its number, from 0. With the seed it stands for the whole game.
    pub number: u32,
    /// 1 if the first side won, 0 for a draw, -1 if the second side won.
    pub outcome: i8,
    /// The moves in the game's notation, separated by blanks.
    pub moves: String,
    /// The positions in which they were played.
    pub positions: Vec<TrapPosition>,
}

/// A position and its traps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct TrapPosition {
    /// Who is to move: 0 or 1.
    pub side: u8,
    /// Number of legal moves.
    pub moves: u32,
    /// For every trap its level, and how many playouts after it were not lost by the mover.
    pub traps: Vec<(u32, u32)>,
}

/// A position as it is written: without the names of its members, which would be most of a file.
type Row = (u8, u32, Vec<(u32, u32)>);

impl From<Row> for TrapPosition {
    fn from((side, moves, traps): Row) -> TrapPosition {
        TrapPosition { side, moves, traps }
    }
}

impl From<TrapPosition> for Row {
    fn from(position: TrapPosition) -> Row {
        (position.side, position.moves, position.traps)
    }
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum TrapError {
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The file of games cannot be used.
    #[error(transparent)]
    File(#[from] TrapFileError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Plays games and looks for traps in every position. The games come in the order of their numbers;
/// there are fewer than requested if the study was cancelled.
///
/// With a file, every game is kept there as soon as it is finished, and those that it holds already
/// are not played again. Each game depends on the seed and its number only, so that players with a
/// work budget give the same result at any number of jobs.
///
/// # Errors
///
/// If the game cannot serve the player, a game goes wrong, or the file cannot be used.
pub fn study_traps(
    registry: &Registry,
    study: &TrapStudy,
    file: Option<&Path>,
    watch: Watch<'_>,
) -> Result<Vec<TrapGame>, TrapError> {
    let header = study.header();
    self_play::check(registry, &study.start, &study.player, study.games, study.jobs)?;
    let opened = file.map(|path| TrapFile::open(path, &header)).transpose()?;
    let (mut file, found) = opened.unzip();
    let mut found = found.unwrap_or_default();
    found.retain(|game| game.number < study.games);
    let known: Vec<u32> = found.iter().map(|game| game.number).collect();
    let missing: Vec<u32> = (0..study.games).filter(|n| known.binary_search(n).is_err()).collect();
    let look_at = |(): &mut (), &number: &u32| study.look_at(registry, number, watch.cancel);
    watch.run(
        study.jobs,
        &missing,
        || (),
        look_at,
        |game| {
            if let Some(file) = &mut file {
                file.append(&game)?;
            }
            found.push(game);
            Ok(found.len() as u64)
        },
    )?;
    found.sort_by_key(|game| game.number);
    if let Some(file) = &file {
        file.confirm(&found)?;
    }
    Ok(found)
}

impl TrapStudy {
    /// Plays a game and finds its traps; `None` if that was cancelled.
    fn look_at(
        &self,
        registry: &Registry,
        number: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<TrapGame>, TrapError> {
        if is_set(cancel) {
            return Ok(None);
        }
        // Games 2p and 2p + 1 have one seed, as if two players swapped sides in them.
        let games = PairGames {
            registry,
            start: &self.start,
            players: [&self.player, &self.player],
            opening: &Opening::None,
            seed: derive_seed(self.seed, u64::from(number / 2)),
            max_plies: None,
            record: false,
        };
        let played = games.play((number % 2) as u8, cancel);
        let Some(record) = self_play::finished(number, played)? else { return Ok(None) };
        let mut rng = Rng::new(derive_seed(derive_seed(self.seed, PLAYOUTS), u64::from(number)));
        let mut game = self.start.playthrough();
        let mut positions = Vec::with_capacity(record.moves.len());
        for &mv in &record.moves {
            let at = game.position();
            let traps = at.traps(self.levels.high(), self.playouts, &mut rng, cancel);
            let traps = traps.into_iter().map(|trap| (trap.level, trap.misled)).collect();
            let (side, moves) = (at.to_move().index() as u8, game.legal_moves().len() as u32);
            positions.push(TrapPosition { side, moves, traps });
            game.play(mv);
        }
        if is_set(cancel) {
            return Ok(None);
        }
        let (outcome, moves) = (record.outcome.value() as i8, game.move_texts().join(" "));
        Ok(Some(TrapGame { number, outcome, moves, positions }))
    }
}

/// Distinguishes the seed of the playouts from those of the games, which have small numbers.
const PLAYOUTS: u64 = u64::MAX;
