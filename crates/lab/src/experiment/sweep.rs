//! Sweeps: a player with many values of its parameters meets the same opponents.

use std::collections::HashMap;
use std::ops::Range;

use super::file::{Sweep, texts};
use super::grid::{self, Axis, Template, Values};
use super::resolve::{PairingSpec, PlannedPlayer, PlayerReader, Result};
use crate::source::Source;

/// Every combination of the parameters against every opponent.
pub(super) fn sweep_pairings(
    source: &Source<'_>,
    sweep: &Sweep,
    read: PlayerReader<'_>,
) -> Result<Vec<PairingSpec>> {
    let mut axes: Vec<Axis> = Vec::new();
    for (name, Values(values)) in &sweep.grid.0 {
        grid::add_axis(&mut axes, name.get_ref(), values.clone())
            .map_err(|problem| source.error(name.span(), problem))?;
    }
    let mut templates = Vec::new();
    for text in std::iter::once(sweep.player.clone()).chain(texts(sweep.against.clone())) {
        let template = Template::parse(text.get_ref(), &mut axes)
            .map_err(|problem| source.error(text.span(), problem))?;
        templates.push((template, text.span()));
    }
    for (template, span) in &templates {
        if let Some(name) =
            template.names().find(|name| axes.iter().all(|(known, _)| known != name))
        {
            let problem = format!("{name} has no values; expected grid = {{ {name} = [1, 2] }}");
            return Err(source.error(span.clone(), problem));
        }
    }
    let unused = |name: &String| templates.iter().all(|(text, _)| text.names().all(|n| n != name));
    if let Some((name, _)) = sweep.grid.0.iter().find(|(name, _)| unused(name.get_ref())) {
        let problem = format!("{0} is used in no player; expected {{{0}}} in one", name.get_ref());
        return Err(source.error(name.span(), problem));
    }
    let at_player = |problem| source.error(sweep.player.span(), problem);
    let points = grid::points(&axes).map_err(at_player)?;
    let pairings = points.len() as u64 * (templates.len() as u64 - 1);
    read.refuse_large(pairings).map_err(at_player)?;
    let mut specs = Vec::new();
    let mut seen: HashMap<[String; 2], String> = HashMap::new();
    for point in points {
        let fill = |(template, span): &(Template, Range<usize>)| {
            let player = read
                .read(&template.fill(&point))
                .map_err(|error| source.error(span.clone(), error.to_string()))?;
            Ok(PlannedPlayer { name: player.to_string(), player, span: span.clone() })
        };
        let swept = fill(&templates[0])?;
        for opponent in &templates[1..] {
            let players = [swept.clone(), fill(opponent)?];
            let names = players.each_ref().map(|planned| planned.name.clone());
            if let Some(other) = seen.insert(names, point_text(&point)) {
                let problem = format!(
                    "{other} and {} are the same players, {} against {}; expected different ones",
                    point_text(&point),
                    players[0].name,
                    players[1].name
                );
                return Err(source.error(sweep.player.span(), problem));
            }
            specs.push(PairingSpec { players, parameters: point.clone() });
        }
    }
    Ok(specs)
}

fn point_text(point: &[(String, String)]) -> String {
    let parts: Vec<String> = point.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if parts.is_empty() { "the texts".to_owned() } else { parts.join(", ") }
}
