//! How well traps predict which hybrid helps: regressions over all games and boards.

use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_stats::{Coefficient, linear_regression};

use super::PaperReport;
use crate::distinct;
use crate::outcome::Outcome;

/// The games, their traps and what hybrids score in them.
struct Boards {
    /// The hybrids.
    players: Vec<String>,
    /// A row for each game.
    rows: Vec<Board>,
}

struct Board {
    /// The share of positions with a trap, in percent.
    density: f64,
    /// The share of playouts after a trap that its victim does not lose, in percent.
    difficulty: Option<f64>,
    /// The score of each hybrid against the baseline, in percent, with its interval.
    scores: Vec<Option<[f64; 3]>>,
}

/// The regressions as a table, and a plot; `None` if their experiments were not run.
pub(super) fn prediction(report: &PaperReport<'_>) -> Option<(Table, Plot)> {
    let outcome = |id: &str| {
        let section = report.sections.iter().find(|section| section.entry.id == id)?;
        section.outcome.as_ref().filter(|outcome| outcome.is_complete())
    };
    let boards = boards(outcome("boards")?, outcome("boards-traps")?);
    let points = |by: &str| Column::text(format!("points for 10 points of {by}")).key(by);
    let [of, by] = ["score of", "by"].map(Column::text);
    let [games, fit] = ["games", "R²"].map(Column::number);
    let columns = [of, by, games, points("density"), points("difficulty"), fit];
    let mut table = Table::new("", columns);
    for (number, player) in boards.players.iter().enumerate() {
        let score = |row: &Board| row.scores[number].map(|[score, ..]| score);
        let by_density =
            boards.rows.iter().filter_map(|row| Some((vec![row.density], score(row)?)));
        let by_both = boards
            .rows
            .iter()
            .filter_map(|row| Some((vec![row.density, row.difficulty?], score(row)?)));
        let kinds = [
            ("density", by_density.collect::<Vec<_>>()),
            ("density and difficulty", by_both.collect()),
        ];
        for (by, points) in kinds {
            let Some(fit) = linear_regression(&points) else { continue };
            let cell = |place: usize| fit.coefficients.get(place).map_or(Cell::Empty, slope);
            table.rows.push(vec![
                Cell::text(player.as_str()),
                Cell::text(by),
                Cell::Whole(fit.points as u64),
                cell(1),
                cell(2),
                Cell::number(fit.r_squared, 2),
            ]);
        }
    }
    Some((table, scatter(&boards)))
}

/// A slope for ten points, with the ends of its interval.
fn slope(coefficient: &Coefficient) -> Cell {
    let [value, error] = [coefficient.value, coefficient.error].map(|it| 10.0 * it);
    Cell::text(format!("{value:+.1} ({:+.1} to {:+.1})", value - error, value + error))
}

fn boards(scores: &Outcome, traps: &Outcome) -> Boards {
    const BASELINE: &str = "MCTS-Solver";
    let players = distinct(scores.rows.iter().filter_map(|row| match row.row.as_slice() {
        [_, player, _] => Some(player.clone()),
        _ => None,
    }));
    let games = distinct(traps.rows.iter().filter_map(|row| row.row.first()));
    let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let trap = |game: &str, what: &str| traps.row(&named(&[game, what])).map(|it| it.value);
    let rows = games.into_iter().filter_map(|game| {
        let score = |player: &String| {
            let it = scores.row(&named(&[game, player, BASELINE]))?;
            Some([it.value, it.low, it.high])
        };
        Some(Board {
            density: trap(game, "positions with a trap, level 3")?,
            difficulty: trap(game, "difficulty, level 3"),
            scores: players.iter().map(score).collect(),
        })
    });
    Boards { rows: rows.collect(), players }
}

/// Scores by density, with a line for each hybrid.
fn scatter(boards: &Boards) -> Plot {
    let x = Axis::new("positions with a trap of level 3").percent();
    let y = Axis::new("score against MCTS-Solver, 95 % interval").percent();
    let title = "Scores of the hybrids by the density of traps";
    let mut plot = Plot::new(title, x.range(0.0, 0.0), y).reference(0.5, "50 %");
    for (number, player) in boards.players.iter().enumerate() {
        let place = |row: &Board| Some((row.density / 100.0, row.scores[number]?));
        let known: Vec<(f64, [f64; 3])> = boards.rows.iter().filter_map(place).collect();
        let points = known.iter().map(|&(x, [score, low, high])| {
            Point::new(x, score / 100.0).between(low / 100.0, high / 100.0)
        });
        plot = plot.with(Series::new(player.as_str(), Style::Points, points).look(number));
        let fitted: Vec<_> =
            known.iter().map(|&(x, [score, ..])| (vec![x], score / 100.0)).collect();
        if let Some(fit) = linear_regression(&fitted) {
            let at =
                |x: f64| Point::new(x, fit.coefficients[0].value + fit.coefficients[1].value * x);
            let ends = known
                .iter()
                .map(|(x, _)| *x)
                .fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let line = [at(ends.0), at(ends.1)];
            plot = plot.with(Series::new("", Style::Curve, line).look(number));
        }
    }
    plot
}
