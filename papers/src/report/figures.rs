//! The plots of a section, with the paper's points where they are known.

use treegraft_pictures::plot::{Axis, Plot, Point, Scale, Series, Style};

use super::{Row, Section};
use crate::published::Published;

/// The fewest rows that are easier to see than to read.
const FEW: usize = 3;

/// The plots with their names, paper and measurement together.
pub(super) fn figures(section: &Section<'_>) -> Vec<(String, Plot)> {
    let Some(outcome) = &section.outcome else { return Vec::new() };
    let is_total = |row: &&Row<'_>| row.names.len() == 1 && !row.names[0].contains('=');
    let totals: Vec<&Row<'_>> = section.rows.iter().filter(is_total).collect();
    if totals.len() >= FEW {
        return vec![("totals".to_owned(), forest(section, &totals))];
    }
    let scored: Vec<&Row<'_>> =
        section.rows.iter().filter(|row| row.names.len() > 1 || !is_total(row)).collect();
    let mut figures = Vec::new();
    for (name, plot) in &outcome.plots {
        let is_scores = name.starts_with("scores");
        match (is_scores, &plot.x.scale) {
            (false, _) if name.starts_with("ratings") => {}
            (true, Scale::Categories(names)) if names.len() < FEW => {}
            (true, Scale::Categories(_))
                if outcome.plots.iter().filter(|(n, _)| n.starts_with("scores")).count() == 1 =>
            {
                figures.push((name.clone(), forest(section, &scored)));
            }
            (true, Scale::Linear | Scale::Log) => {
                figures.push((name.clone(), sweep(section, plot)));
            }
            _ => figures.push((name.clone(), plot.clone())),
        }
    }
    figures
}

/// A value of the paper with its interval, as a share.
fn paper_point(x: f64, published: &Published) -> Point {
    let point = Point::new(x, published.number() / 100.0);
    match published.interval() {
        Some(ends) => point.between(ends.low / 100.0, ends.high / 100.0),
        None => point,
    }
}

/// A row for each pairing or player, the paper's value above ours.
fn forest(section: &Section<'_>, rows: &[&Row<'_>]) -> Plot {
    let mut names: Vec<String> = Vec::new();
    let (mut paper, mut ours) = (Vec::new(), Vec::new());
    for row in rows {
        let name = super::rows::name(row);
        // Several values may have been published of one row.
        let place = match names.iter().position(|known| *known == name) {
            Some(place) => place,
            None => {
                names.push(name);
                if let Some(it) = &row.measured {
                    let point = Point::new((names.len() - 1) as f64, it.value / 100.0);
                    ours.push(point.between(it.low / 100.0, it.high / 100.0));
                }
                names.len() - 1
            }
        };
        if let Some(comparison) = &row.comparison {
            paper.push(paper_point(place as f64, comparison.published));
        }
    }
    let axis = Axis::new("score, 95 % interval").percent();
    let plot = Plot::new(section.entry.what.clone(), Axis::categories("", names), axis);
    let plot = Plot { is_sideways: true, ..plot.reference(0.5, "50 %") };
    let plot = match paper.is_empty() {
        true => plot,
        false => plot.with(Series::new("paper", Style::Points, paper).look(1)),
    };
    plot.with(Series::new("measured", Style::Points, ours).look(0))
}

/// The plot of a sweep with the paper's points.
fn sweep(section: &Section<'_>, plot: &Plot) -> Plot {
    let mut plot = plot.clone();
    plot.title.clone_from(&section.entry.what);
    if let [only] = plot.series.as_mut_slice()
        && only.name.is_empty()
    {
        "measured".clone_into(&mut only.name);
    }
    let point = |row: &Row<'_>| {
        let [name] = row.names.as_slice() else { return None };
        let (_, value) = name.split_once('=')?;
        Some(paper_point(value.parse().ok()?, row.comparison.as_ref()?.published))
    };
    let mut points: Vec<Point> = section.rows.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    // The log behind a figure says the same as the figure.
    points.dedup_by(|a, b| a.x == b.x);
    if !points.is_empty() {
        plot.series.insert(0, Series::new("paper", Style::Line, points).look(1));
        for (look, series) in plot.series.iter_mut().skip(1).enumerate() {
            series.look = Some(if look == 0 { 0 } else { look + 1 });
        }
    }
    plot
}
