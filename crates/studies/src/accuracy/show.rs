//! Accuracies as tables and plots.

use treegraft::Budget;
use treegraft::depth_first::Scores;
use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_players::{DEFAULT_BUDGET, Player};

use super::study::AccuracyStudy;
use super::summary::{AccuracySummary, Kept};

/// The tables: the accuracies, the pairs of players, and the positions that were drawn.
#[must_use]
pub fn accuracy_tables(summary: &AccuracySummary) -> Vec<Table> {
    let mut tables = vec![players(summary)];
    if !summary.comparisons.is_empty() {
        tables.push(comparisons(summary));
    }
    tables.push(drawn(summary));
    tables
}

fn cell(kept: &Kept) -> Cell {
    Cell::interval(kept.accuracy, kept.ci95.low, kept.ci95.high, 1)
}

/// A column for positions of a value, if there are any.
fn part(kept: &Kept) -> Cell {
    if kept.positions == 0 { Cell::Empty } else { Cell::number(kept.accuracy, 1) }
}

fn players(summary: &AccuracySummary) -> Table {
    let by_margin = summary.set.scores == Scores::Margin;
    let loss = if by_margin { "lost points" } else { "lost" };
    let title = format!("Moves that keep the value, {}", summary.game);
    let digits = if by_margin { 2 } else { 3 };
    let ms = Column::number("time").unit("ms").key("ms");
    let of_all = |all: &Kept| Cell::text(format!("{} of {}", all.kept, all.positions));
    let mut table = Table::of(
        title,
        &summary.players,
        &[
            (Column::text("player"), &|it| Cell::text(&it.player)),
            (Column::number("kept").for_people(), &|it| of_all(&it.all)),
            (Column::number("kept").for_programs(), &|it| Cell::Whole(it.all.kept.into())),
            (Column::percent("accuracy"), &|it| cell(&it.all)),
            (Column::percent("in won").key("won").rare(), &|it| part(&it.won)),
            (Column::percent("in drawn").key("drawn").rare(), &|it| part(&it.drawn)),
            (Column::percent("in lost").key("lost").rare(), &|it| part(&it.lost)),
            (Column::number(loss).key("mean_loss"), &|it| Cell::number(it.mean_loss, digits)),
            (Column::number("iterations").rare(), &|it| Cell::number(it.iterations, 0)),
            (Column::number("nodes").rare(), &|it| Cell::number(it.nodes, 0)),
            (ms, &|it| Cell::number(1000.0 * it.seconds, 2)),
            (Column::number("positions").for_programs(), &|it| {
                Cell::Whole(it.all.positions.into())
            }),
        ],
    );
    let first = summary.players.first();
    let counts = first.map(|it| [&it.won, &it.drawn, &it.lost].map(|kept| kept.positions));
    let [won, drawn, lost] = counts.unwrap_or_default();
    let lost = if by_margin { format!(", {lost} lost") } else { String::new() };
    table.notes.push(format!(
        "{} positions, {won} won and {drawn} drawn{lost} with best play. A random move keeps the \
         value in {:.1} %. Intervals are 95 % (Wilson). lost: what a move gives away, {}.",
        summary.positions,
        100.0 * summary.random,
        match by_margin {
            true => "in points of the margin",
            false => "in points of a game (a win for a loss is 1)",
        }
    ));
    table
}

fn comparisons(summary: &AccuracySummary) -> Table {
    let mut table = Table::of(
        "Position by position",
        &summary.comparisons,
        &[
            (Column::text("A"), &|pair| Cell::text(&pair.a)),
            (Column::text("B"), &|pair| Cell::text(&pair.b)),
            (Column::number("only A").key("only_a"), &|pair| Cell::Whole(pair.only_a.into())),
            (Column::number("only B").key("only_b"), &|pair| Cell::Whole(pair.only_b.into())),
            (Column::number("p"), &|pair| Cell::number(pair.p, 4)),
        ],
    );
    table.notes.push(
        "only A: positions in which A kept the value and B did not. p: sign test on these (exact \
         McNemar test), two-sided."
            .to_owned(),
    );
    table
}

/// What became of the positions that were drawn.
fn drawn(summary: &AccuracySummary) -> Table {
    let columns = [Column::text("positions drawn at random"), Column::number("count")];
    let mut table = Table::new("Positions", columns);
    let drawn = summary.set.drawn;
    let limit = treegraft_pictures::grouped(summary.set.limit);
    let rows = [
        ("kept".to_owned(), drawn.kept),
        (format!("a move not solved within {limit} nodes"), drawn.unsolved),
        ("every move wins".to_owned(), drawn.all_won),
        ("every move draws".to_owned(), drawn.all_drawn),
        ("every move loses".to_owned(), drawn.all_lost),
        (format!("won within {} plies", summary.set.beyond), drawn.short),
        ("drawn before".to_owned(), drawn.repeated),
        ("all".to_owned(), drawn.all()),
    ];
    table.rows = rows.map(|(what, count)| vec![Cell::Text(what), Cell::Whole(count)]).to_vec();
    table
}

/// The accuracies: against the budget where a search has several of one kind, otherwise a row for each
/// player.
#[must_use]
pub fn accuracy_plot(study: &AccuracyStudy, summary: &AccuracySummary) -> Plot {
    let title = format!("Moves that keep the value: {}", summary.game);
    let axis = Axis::new("accuracy, 95 % interval").percent();
    let plot = by_budget(study, summary, &title, &axis).unwrap_or_else(|| {
        let rows = summary.players.iter().map(|it| {
            (it.player.clone(), it.all.accuracy, Some([it.all.ci95.low, it.all.ci95.high]))
        });
        Plot::forest(title, axis, rows)
    });
    plot.reference(summary.random, "random moves")
}

/// What a budget may limit, as axes name it.
type Limit = (&'static str, fn(&Budget) -> Option<f64>);

const LIMITS: [Limit; 5] = [
    ("iterations", |it| it.iterations.map(|n| n as f64)),
    ("nodes", |it| it.nodes.map(|n| n as f64)),
    ("evaluations", |it| it.evaluations.map(|n| n as f64)),
    ("time, ms", |it| it.time.map(|time| 1000.0 * time.as_secs_f64())),
    ("iterations or nodes", |it| it.iterations.or(it.nodes).map(|n| n as f64)),
];

/// A line for each search over its budgets, if all have a limit of one kind and one has several. A
/// player that needs no budget is a level to compare with.
fn by_budget(
    study: &AccuracyStudy,
    summary: &AccuracySummary,
    title: &str,
    axis: &Axis,
) -> Option<Plot> {
    let is_free = |player: &Player| player.budget_or(DEFAULT_BUDGET).is_unlimited();
    let limited = || study.players.iter().filter(|player| !is_free(player));
    let fits = |(_, limit): &&Limit| limited().all(|player| limit(&player.budget).is_some());
    let (name, limit) = LIMITS.iter().find(fits)?;
    let mut plot = Plot::new(title, Axis::new(*name).log(), axis.clone());
    let mut lines: Vec<(String, Vec<Point>)> = Vec::new();
    for (player, found) in study.players.iter().zip(&summary.players) {
        let Kept { accuracy, ci95, .. } = found.all;
        let Some(limit) = limit(&player.budget).filter(|_| !is_free(player)) else {
            plot = plot.reference(accuracy, found.player.as_str());
            continue;
        };
        let search = Player { budget: Budget::default(), ..player.clone() }.to_string();
        let point = Point::new(limit, accuracy).between(ci95.low, ci95.high);
        match lines.iter_mut().find(|(known, _)| *known == search) {
            Some((_, points)) => points.push(point),
            None => lines.push((search, vec![point])),
        }
    }
    if lines.iter().all(|(_, points)| points.len() < 2) {
        return None;
    }
    let series = lines.into_iter().map(|(name, mut points)| {
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series::new(name, Style::Line, points)
    });
    Some(series.fold(plot, Plot::with))
}
