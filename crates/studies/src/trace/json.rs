//! Events for programs: `docs/schemas/trace.json` says what the members mean.

use serde_json::{Value, json};
use treegraft::observe::{By, What};
use treegraft::{Bounds, Outcome};
use treegraft_players::MoveIndex;

use super::Told;
use crate::json::merged;

impl Told<'_> {
    /// The event as an object.
    pub(super) fn json(&self, what: &What<MoveIndex>) -> Value {
        let (name, members) = self.members(what);
        let path: Vec<&str> = self.place.path().collect();
        let begin = json!({"event": name, "number": self.number, "path": path});
        let leaf = self.leaf.map(|leaf| json!({"leaf": leaf.number, "again": leaf.is_again}));
        merged([begin, members].into_iter().chain(leaf))
    }

    /// What the event is called, and its own members.
    fn members(&self, what: &What<MoveIndex>) -> (&'static str, Value) {
        let place = self.place;
        let scale = self.scale.key();
        let bounded = |name: &str, ends: Bounds| json!({name: both(ends, 1), "scale": scale});
        match what {
            What::Deepen { depth } => ("deepen", json!({"depth": depth})),
            What::Pass { window } => ("pass", bounded("window", *window)),
            What::NullWindow { window } => ("null-window", bounded("window", *window)),
            What::Again { window } => ("again", bounded("window", *window)),
            What::Enter { window, depth } => {
                ("enter", json!({"window": both(*window, 1), "depth": depth, "scale": scale}))
            }
            What::Table { bounds, is_enough } => {
                ("table", json!({"bounds": both(*bounds, 1), "enough": is_enough, "scale": scale}))
            }
            What::Leaf { end, value } => {
                ("leaf", json!({"end": end, "value": value, "scale": scale}))
            }
            What::Cut { why, moves } => ("cut", json!({"why": why, "moves": place.texts(moves)})),
            What::Exit { bounds } => ("exit", bounded("bounds", *bounds)),
            What::Line => ("line", json!({})),
            What::Rollout { number } => ("rollout", json!({"count": number})),
            What::Simulation { number } => ("simulation", json!({"count": number})),
            What::Select { mv, by } => {
                let (mv, by) = (json!({"move": place.text(*mv)}), self::by(*by, scale));
                ("select", merged([mv, by]))
            }
            What::Expand { moves } => ("expand", json!({"moves": place.texts(moves)})),
            What::Narrow { bounds, depth } => {
                let depth = depth.map(|depth| json!({"depth": depth}));
                ("narrow", merged(depth.into_iter().chain([bounded("bounds", *bounds)])))
            }
            What::Decided { outcome } => ("decided", json!({"winner": outcome.winner()})),
            What::Playout { reward, plies, moves, depth, strategies } => {
                let line = place.position().line_texts(moves);
                let begin = json!({"reward": reward, "plies": plies, "moves": line});
                let depth = depth.map(|depth| json!({"depth": depth}));
                let by = (!strategies.is_empty()).then(|| json!({"strategies": strategies}));
                ("playout", merged([Some(begin), depth, by].into_iter().flatten()))
            }
            What::Reward { reward, visits, mean } => {
                ("reward", json!({"reward": reward, "visits": visits, "mean": mean}))
            }
            What::Minimax { phase, depth, asked, found } => {
                let one = |(mv, outcome): &(MoveIndex, Outcome)| -> Value {
                    json!({"move": place.text(*mv), "winner": outcome.winner()})
                };
                let (moves, found) = (place.texts(asked), found.iter().map(one).collect::<Value>());
                let members =
                    json!({"phase": phase, "depth": depth, "moves": moves, "found": found});
                ("minimax", members)
            }
            What::Priors { values } => {
                let one =
                    |(mv, mean): &(MoveIndex, f64)| json!({"move": place.text(*mv), "mean": mean});
                ("priors", json!({"priors": values.iter().map(one).collect::<Value>()}))
            }
            What::Channel { channel, value } => {
                let key = channel.words().key;
                (key, json!({key: value}))
            }
            What::AlphaBeta { depth, bounds } => {
                ("alpha-beta", json!({"depth": depth, "bounds": both(*bounds, 1), "scale": scale}))
            }
            What::Complete { depth, value } => {
                ("complete", json!({"depth": depth, "value": value, "scale": scale}))
            }
            What::Bonus { mv, visits, winner } => {
                let mv = place.text(*mv);
                ("bonus", json!({"move": mv, "bonus": visits, "winner": winner}))
            }
        }
    }
}

fn by(by: By, scale: &str) -> Value {
    match by {
        By::Window { window, is_doubled } => {
            let window = both(window, if is_doubled { 2 } else { 1 });
            json!({"by": "window", "window": window, "scale": scale})
        }
        By::Untried => json!({"by": "untried"}),
        By::Confidence { visits, mean } => {
            json!({"by": "confidence", "visits": visits, "mean": mean})
        }
    }
}

/// Two numbers, `null` where one is infinite.
fn both(bounds: Bounds, factor: i64) -> Value {
    let end = |end: i64| match end {
        // The other end of a null window included.
        ..=-9_223_372_036_854_775_807 | 9_223_372_036_854_775_806.. => Value::Null,
        end if end % factor == 0 => (end / factor).into(),
        end => json!(end as f64 / factor as f64),
    };
    json!([end(bounds.lo), end(bounds.hi)])
}
