//! The plots of a report: a sweep against its parameter, anything else as a forest plot.

use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};

use super::ratings::rate;
use super::results::PairingResult;
use super::rows::{Rows, games_of, values};
use crate::{Experiment, Schedule};

/// Every plot with its name: `scores` and, after a round robin, `ratings`; with several games one
/// of each for every game.
pub(super) fn plots(experiment: &Experiment, results: &[PairingResult]) -> Vec<(String, Plot)> {
    let rows = Rows::new(experiment);
    let mut plots = Vec::new();
    for game in games_of(experiment) {
        let name = |what: &str| match rows.has_games {
            true => format!("{what}-{}", file_name(game)),
            false => what.to_owned(),
        };
        let is_of_game = |pairing: usize| experiment.plan.pairings[pairing].game == game;
        let order = rows.order.iter().copied().filter(|&pairing| is_of_game(pairing));
        let order = order.collect::<Vec<_>>();
        let plot = match experiment.schedule {
            Schedule::Sweep if !rows.parameters().is_empty() => {
                sweep(experiment, results, &rows, &order, game)
            }
            _ => forest(experiment, results, &order, game),
        };
        plots.push((name("scores"), plot));
        if experiment.schedule == Schedule::RoundRobin {
            let rated = rate(experiment, results, game);
            if !rated.is_empty() {
                let bars = rated.into_iter().map(|rated| {
                    let ends = [rated.elo - rated.error, rated.elo + rated.error];
                    (rated.name, rated.elo, Some(ends))
                });
                let title = format!("{}: ratings, {game}", experiment.title);
                let axis = Axis::new("Elo, 95 % interval");
                plots.push((name("ratings"), Plot::forest(title, axis, bars)));
            }
        }
    }
    plots
}

fn score_axis(whose: &str) -> Axis {
    Axis::new(format!("score{whose}, 95 % interval")).percent()
}

/// A row for each pairing.
fn forest(experiment: &Experiment, results: &[PairingResult], order: &[usize], game: &str) -> Plot {
    let rows = order.iter().map(|&pairing| {
        let [a, b] = &experiment.plan.pairings[pairing].names;
        let (score, interval) = score(experiment, &results[pairing]);
        (format!("{a} against {b}"), score, interval)
    });
    let title = format!("{}: scores, {game}", experiment.title);
    let first = |&pairing: &usize| experiment.plan.pairings[pairing].names[0].as_str();
    let whose = match order.first().map(first) {
        Some(name) if order.iter().all(|pairing| first(pairing) == name) => name,
        _ => "the player named first",
    };
    Plot::forest(title, score_axis(&format!(" of {whose}")), rows).reference(0.5, "50 %")
}

fn score(experiment: &Experiment, result: &PairingResult) -> (f64, Option<[f64; 2]>) {
    match result.score(experiment.scoring) {
        Some(score) => (score.score, Some([score.ci95.low, score.ci95.high])),
        // Not a number: left out.
        None => (f64::NAN, None),
    }
}

/// The score against the first parameter that has different numbers for values, a line for each
/// combination of whatever else differs.
fn sweep(
    experiment: &Experiment,
    results: &[PairingResult],
    rows: &Rows<'_>,
    order: &[usize],
    game: &str,
) -> Plot {
    let parameters = rows.parameters();
    let is_number = |value: &&str| value.parse::<f64>().is_ok_and(f64::is_finite);
    let is_numeric = |i: usize| values(experiment, i).iter().all(is_number);
    let varies = |i: usize| values(experiment, i).len() > 1;
    let all = 0..parameters.len();
    let chosen = all.clone().find(|&i| is_numeric(i) && varies(i));
    let chosen = chosen.or_else(|| all.clone().find(|&i| varies(i))).unwrap_or(0);
    let known = values(experiment, chosen);
    let is_numeric = is_numeric(chosen);
    let label = parameters[chosen];
    let x = match is_numeric {
        true => number_axis(label, &known),
        false => Axis::categories(label, known.iter().map(|value| (*value).to_owned()).collect()),
    };

    let mut lines: Vec<(String, Vec<Point>)> = Vec::new();
    for &pairing in order {
        let planned = &experiment.plan.pairings[pairing];
        let value = &planned.parameters[chosen].1;
        let place = match is_numeric {
            true => value.parse().unwrap_or(f64::NAN),
            false => known.iter().position(|known| known == value).unwrap_or(0) as f64,
        };
        let others = planned.parameters.iter().enumerate();
        let others = others.filter(|(i, _)| *i != chosen && varies(*i));
        let mut name =
            others.map(|(_, (name, value))| format!("{name} = {value}")).collect::<Vec<_>>();
        // An opponent with the same parameters differs from row to row, but is not another line.
        if rows.has_opponents && several_opponents(experiment, order) {
            name.push(format!("against {}", planned.names[1]));
        }
        let name = name.join(", ");
        let (score, interval) = score(experiment, &results[pairing]);
        let point = Point::new(place, score);
        let point = interval.map_or(point, |[low, high]| point.between(low, high));
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => lines.push((name, vec![point])),
        }
    }
    let style = if is_numeric { Style::Line } else { Style::Points };
    let mut title = format!("{}: scores, {game}", experiment.title);
    if !rows.has_opponents
        && let Some(first) = experiment.plan.pairings.first()
    {
        title.push_str(&format!(", against {}", first.names[1]));
    }
    let plot = Plot::new(title, x, score_axis("")).reference(0.5, "50 %");
    lines.into_iter().fold(plot, |plot, (name, points)| plot.with(Series::new(name, style, points)))
}

/// A logarithmic axis for values that grow by factors rather than by steps. They are in order.
fn number_axis(label: &str, values: &[&str]) -> Axis {
    const UNEVEN: f64 = 4.0;
    const FAR: f64 = 8.0;
    let numbers = values.iter().filter_map(|value| value.parse::<f64>().ok()).collect::<Vec<_>>();
    let steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let shortest = steps.clone().fold(f64::INFINITY, f64::min);
    let longest = steps.fold(0.0, f64::max);
    let grows = match numbers[..] {
        [low, high] => high >= FAR * low,
        _ => longest >= UNEVEN * shortest,
    };
    let axis = Axis::new(label);
    if grows && numbers.iter().all(|&number| number > 0.0) { axis.log() } else { axis }
}

/// Whether one and the same combination of parameters meets several opponents.
fn several_opponents(experiment: &Experiment, order: &[usize]) -> bool {
    let pairing = |number: usize| &experiment.plan.pairings[number];
    let met = order.iter().filter(|&&number| {
        let first = order.first().map(|&first| &pairing(first).parameters);
        first == Some(&pairing(number).parameters)
    });
    met.count() > 1
}

/// The text with characters replaced that do not belong in a file name.
fn file_name(game: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    game.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}
