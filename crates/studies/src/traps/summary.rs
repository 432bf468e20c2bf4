//! What the games of a study come to.

use std::collections::BTreeMap;

use serde::Serialize;
use treegraft::{Game, GameTextError, Notation, Side};
use treegraft_lab::hash;
use treegraft_pictures::plot::Point;
use treegraft_pictures::table::Cell;
use treegraft_players::Registry;
use treegraft_stats::{Interval, Repeats, Tally, mean_ci95};

use super::file::TrapHeader;
use super::study::{TrapGame, TrapPosition};

/// Density, number and difficulty of the traps of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrapSummary {
    /// What was played and looked at.
    #[serde(flatten)]
    pub header: TrapHeader,
    /// What the sides are called.
    pub sides: [&'static str; 2],
    /// Games.
    pub games: u32,
    /// The effective number of different games, which is what errors and intervals count; see
    /// [`Repeats`].
    pub worth: f64,
    /// Games in the view of the first side.
    pub outcomes: Tally,
    /// Positions in all games.
    pub positions: u64,
    /// Moves a game.
    pub length: Ratio,
    /// Legal moves a position.
    pub branching: Ratio,
    /// The levels, lowest first.
    pub levels_found: Vec<LevelSummary>,
    /// The density of traps of the lowest level at every ply, for each side that was to move there.
    pub plies: Vec<PlySummary>,
}

/// Traps up to one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelSummary {
    /// The level.
    pub level: u32,
    /// Traps in all positions.
    pub traps: u64,
    /// Traps a position (Fig. 8 of the paper).
    pub number: Ratio,
    /// Share of the positions that hold a trap.
    pub density: Ratio,
    /// Share of the playouts after a trap that were not lost by the mover (Fig. 9 of the paper);
    /// `None` without traps or playouts.
    pub difficulty: Option<Ratio>,
}

/// One side's positions at one ply (Figs. 4 to 7 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlySummary {
    /// The ply, from 1.
    pub ply: u32,
    /// Whose turn it is: 0 or 1.
    pub side: u8,
    /// Positions: one for each game that reached this ply.
    pub positions: u32,
    /// Those that hold a trap of the lowest level.
    pub trapped: u32,
    /// Their share.
    pub density: f64,
    /// Its 95 % interval (Wilson).
    pub ci95: Interval,
}

/// A mean over positions or traps, with an error that knows that those of one game belong together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` for a single game, however often it was played.
    pub error: Option<f64>,
}

impl Ratio {
    pub(crate) const NOTHING: Ratio = Ratio { mean: f64::NAN, error: None };

    /// The cell of a table.
    pub(crate) fn cell(self, digits: usize) -> Cell {
        match self.error {
            Some(error) => Cell::error(self.mean, error, digits),
            None => Cell::number(self.mean, digits),
        }
    }

    /// The point of a plot.
    pub(crate) fn point(self, x: impl Into<f64>) -> Point {
        let point = Point::new(x.into(), self.mean);
        let between = |error| point.between(self.mean - error, self.mean + error);
        self.error.map_or(point, between)
    }

    /// The sum of the first numbers over that of the second ones, a pair for each game; `None` if
    /// there is nothing to divide by.
    ///
    /// The error is that of a ratio estimator: games are drawn, not positions (Cochran 1977, §6.3),
    /// and their effective number counts.
    pub(crate) fn of(games: &[(f64, f64)], worth: f64) -> Option<Ratio> {
        let count = games.iter().map(|&(_, n)| n).sum::<f64>();
        if count <= 0.0 {
            return None;
        }
        let mean = games.iter().map(|&(sum, _)| sum).sum::<f64>() / count;
        let a_game = count / games.len() as f64;
        let residuals: Vec<f64> = games.iter().map(|&(sum, n)| (sum - mean * n) / a_game).collect();
        let error = mean_ci95(&residuals).and_then(|mean| mean.error);
        // Less than two games have no variance that could be seen.
        let error = error.filter(|_| worth >= 1.5);
        Some(Ratio { mean, error: error.map(|error| error * (games.len() as f64 / worth).sqrt()) })
    }
}

impl TrapSummary {
    /// Sums up the games.
    ///
    /// # Errors
    ///
    /// If the header names no game.
    pub fn new(
        registry: &Registry,
        header: TrapHeader,
        games: &[TrapGame],
    ) -> Result<TrapSummary, GameTextError> {
        let start = registry.start(&header.game)?;
        let sides =
            [Side::First, Side::Second].map(|side| start.board().notation().side_name(side));
        let mut repeats = Repeats::default();
        games.iter().for_each(|game| repeats.add([hash(&game.moves) as u64, 0]));
        let a_game = |what: &dyn Fn(&TrapGame) -> (f64, f64)| {
            Ratio::of(&games.iter().map(what).collect::<Vec<_>>(), repeats.worth())
        };
        let a_position = |what: &dyn Fn(&TrapPosition) -> f64| {
            let sum = |game: &TrapGame| game.positions.iter().map(what).sum();
            a_game(&|game| (sum(game), game.positions.len() as f64)).unwrap_or(Ratio::NOTHING)
        };
        let mut outcomes = Tally::default();
        games.iter().for_each(|game| outcomes.add(i64::from(game.outcome)));
        let level = |level: u32| {
            let traps_of = |game: &TrapGame| -> Vec<u32> {
                game.positions.iter().flat_map(|position| up_to(position, level)).collect()
            };
            let misled = |game: &TrapGame| {
                let traps = traps_of(game);
                let shares = traps.iter().map(|&m| f64::from(m) / f64::from(header.playouts));
                (shares.sum::<f64>(), traps.len() as f64)
            };
            LevelSummary {
                level,
                traps: games.iter().map(|game| traps_of(game).len() as u64).sum(),
                number: a_position(&|position| up_to(position, level).count() as f64),
                density: a_position(&|position| f64::from(u8::from(is_trapped(position, level)))),
                difficulty: a_game(&misled).filter(|_| header.playouts > 0),
            }
        };
        let levels_found = header.levels.iter().map(level).collect();
        Ok(TrapSummary {
            sides,
            games: games.len() as u32,
            worth: repeats.worth(),
            outcomes,
            positions: games.iter().map(|game| game.positions.len() as u64).sum(),
            length: a_game(&|game| (game.positions.len() as f64, 1.0)).unwrap_or(Ratio::NOTHING),
            branching: a_position(&|position| f64::from(position.moves)),
            levels_found,
            plies: plies(games, header.levels.low(), repeats.share()),
            header,
        })
    }
}

/// The misled playouts of a position's traps up to a level.
fn up_to(position: &TrapPosition, level: u32) -> impl Iterator<Item = u32> {
    position.traps.iter().filter(move |&&(found, _)| found <= level).map(|&(_, misled)| misled)
}

fn is_trapped(position: &TrapPosition, level: u32) -> bool {
    up_to(position, level).next().is_some()
}

fn plies(games: &[TrapGame], level: u32, share: f64) -> Vec<PlySummary> {
    let mut counts: BTreeMap<(u32, u8), [u32; 2]> = BTreeMap::new();
    for game in games {
        for (ply, position) in (1..).zip(&game.positions) {
            let count = counts.entry((ply, position.side)).or_default();
            count[usize::from(is_trapped(position, level))] += 1;
        }
    }
    let summary = |((ply, side), [free, trapped]): ((u32, u8), [u32; 2])| {
        let tally = Tally { wins: trapped, draws: 0, losses: free };
        let ci95 = tally.wilson95_worth(share * f64::from(tally.games()));
        let density = tally.score();
        PlySummary { ply, side, positions: tally.games(), trapped, density, ci95 }
    };
    counts.into_iter().map(summary).collect()
}
