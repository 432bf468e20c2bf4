//! A study as tables and plots.

use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_stats::{Tally, too_many_repeats};

use super::levels::Levels;
use super::summary::{LevelSummary, PlySummary, Ratio, TrapSummary};

/// The tables: the games, the levels, and for a single study the density along the game.
#[must_use]
pub fn trap_tables(studies: &[TrapSummary]) -> Vec<Table> {
    let mut tables = vec![games(studies), levels(studies)];
    if let [study] = studies {
        tables.push(phases(study));
    }
    tables
}

fn games(studies: &[TrapSummary]) -> Table {
    let score = |study: &TrapSummary| {
        let ends = study.outcomes.wilson95_worth(study.worth);
        Cell::interval(study.outcomes.score(), ends.low, ends.high, 1)
    };
    let mut table = Table::of(
        "Games",
        studies,
        &[
            (Column::text("game"), &|it| Cell::text(&it.header.game)),
            (Column::number("games"), &|it| Cell::Whole(it.games.into())),
            (Column::number("positions"), &|it| Cell::Whole(it.positions)),
            (Column::number("moves per game").key("length"), &|it| it.length.cell(1)),
            (Column::number("legal moves a position").key("branching"), &|it| it.branching.cell(2)),
            (Column::percent("score of the first side").key("first_score"), &|it| score(it)),
        ],
    );
    for study in studies.iter().filter(|it| too_many_repeats(it.worth, it.games)) {
        table.notes.push(format!(
            "{}: games repeat each other and are worth {:.0} of {}, which is what the errors and \
             intervals count",
            study.header.game, study.worth, study.games
        ));
    }
    table
}

fn levels(studies: &[TrapSummary]) -> Table {
    let found = studies
        .iter()
        .flat_map(|study| study.levels_found.iter().map(move |found| (&study.header.game, found)));
    let mut table = Table::of(
        "Traps up to each level",
        found,
        &[
            (Column::text("game"), &|(game, _)| Cell::text(*game)),
            (Column::number("level"), &|(_, it)| Cell::Whole(it.level.into())),
            (Column::number("traps"), &|(_, it)| Cell::Whole(it.traps)),
            (Column::number("traps a position").key("number"), &|(_, it)| it.number.cell(3)),
            (Column::percent("positions with a trap").key("density"), &|(_, it)| {
                it.density.cell(1)
            }),
            (Column::percent("difficulty"), &|(_, it)| {
                it.difficulty.map_or(Cell::Empty, |difficulty| difficulty.cell(1))
            }),
        ],
    );
    table.notes.push(
        "Difficulty: the share of random playouts after a trap that its victim did not lose. ± is \
         half the 95 % interval; games are the unit, not positions."
            .to_owned(),
    );
    table
}

/// The density of traps of the lowest level, some plies together.
fn phases(study: &TrapSummary) -> Table {
    const ROWS: u32 = 14;
    let last = study.plies.iter().map(|at| at.ply).max().unwrap_or(0);
    // As few plies together as possible, but as many for either side.
    let width = 2 * last.div_ceil(2 * ROWS).max(1);
    let side = |name: &str, key: &str| {
        [
            Column::number(format!("positions of {name}")).key(format!("{key}_positions")),
            Column::percent(format!("{name} trapped")).key(format!("{key}_density")),
        ]
    };
    let mut columns = vec![Column::text("ply")];
    columns.extend(side(study.sides[0], "first").into_iter().chain(side(study.sides[1], "second")));
    let title = format!("Positions with a trap of level {}", study.header.levels.low());
    let mut table = Table::new(title, columns);
    for first in (1..=last).step_by(width as usize) {
        let range = first..first + width;
        let mut row = vec![Cell::text(format!("{first}-{}", last.min(range.end - 1)))];
        for side in [0, 1] {
            let here = |at: &&PlySummary| at.side == side && range.contains(&at.ply);
            let mut tally = Tally::default();
            for at in study.plies.iter().filter(here) {
                tally.wins += at.trapped;
                tally.losses += at.positions - at.trapped;
            }
            row.push(Cell::Whole(u64::from(tally.games())));
            let is_empty = tally.games() == 0;
            row.push(if is_empty { Cell::Empty } else { Cell::number(tally.score(), 1) });
        }
        table.rows.push(row);
    }
    table
}

/// The plots with their names: `density` of each study (with several of them, with the game in its
/// name), and `number` and `difficulty` of all of them together.
#[must_use]
pub fn trap_plots(studies: &[TrapSummary]) -> Vec<(String, Plot)> {
    let mut plots = Vec::new();
    for study in studies {
        let name = match studies {
            [_] => "density".to_owned(),
            _ => format!("density-{}", file_name(&study.header.game)),
        };
        plots.push((name, density(study)));
    }
    let levels = studies.iter().map(|study| study.header.levels);
    let low = levels.clone().map(Levels::low).min().unwrap_or(0);
    let high = levels.map(Levels::high).max().unwrap_or(0);
    let axis = || Axis::categories("level", (low..=high).map(|level| level.to_string()).collect());
    let plot = |title: &str, y: Axis, value: &dyn Fn(&LevelSummary) -> Option<Ratio>| {
        let plot = Plot::new(title, axis(), y.range(0.0, 0.0));
        studies.iter().fold(plot, |plot, study| {
            let found = study.levels_found.iter();
            let points = found.filter_map(|at| Some(value(at)?.point(at.level - low)));
            plot.with(Series::new(&study.header.game, Style::Line, points))
        })
    };
    let number = Axis::new("traps a position, 95 % interval");
    let difficulty = Axis::new("playouts not lost after a trap, 95 % interval").percent();
    let number = plot("Traps up to each level", number, &|found| Some(found.number));
    let difficulty = plot("Difficulty of traps", difficulty, &|found| found.difficulty);
    plots.push(("number".to_owned(), number));
    plots.push(("difficulty".to_owned(), difficulty));
    plots
}

/// The share of positions with a trap along the game, a series for each side.
fn density(study: &TrapSummary) -> Plot {
    // A few long games would fill half the plot with noise.
    let enough = study.games / 50;
    let level = study.header.levels.low();
    let title = format!("Density of level-{level} traps, {}", study.header.game);
    let y = Axis::new("positions with a trap").percent().range(0.0, 1.0);
    let x = match study.plies.iter().any(|at| at.positions < enough) {
        true => Axis::new(format!("ply, up to the last one that {enough} games reached")),
        false => Axis::new("ply"),
    };
    (0u8..2).zip(study.sides).fold(Plot::new(title, x, y), |plot, (side, name)| {
        let points = study.plies.iter().filter(|at| at.side == side && at.positions >= enough);
        let points = points.map(|at| Point::new(f64::from(at.ply), at.density));
        plot.with(Series::new(name, Style::Line, points))
    })
}

/// The text of a game as part of the name of a file.
fn file_name(game: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    game.chars().map(plain).collect()
}
