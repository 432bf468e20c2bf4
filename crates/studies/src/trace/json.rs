//! Events for programs: `docs/schemas/trace.json` says what the members mean.

use serde_json::{Map, Value, json};
use treegraft::observe::{By, Cut, LeafEnd, Phase, What};
use treegraft::{Bounds, Outcome, Side};
use treegraft_players::MoveIndex;

use super::{Told, scale_of};

impl Told<'_> {
    /// The event as an object.
    pub(super) fn json(&self, what: &What<MoveIndex>) -> Value {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
        put("event", name(what).into());
        put("number", self.number.into());
        put("path", self.place.path().collect::<Vec<_>>().into());
        for (name, value) in self.members(what) {
            put(name, value);
        }
        if let Some(leaf) = self.leaf {
            put("leaf", leaf.number.into());
            put("again", leaf.is_again.into());
        }
        Value::Object(object)
    }

    fn members(&self, what: &What<MoveIndex>) -> Vec<(&'static str, Value)> {
        let place = self.place;
        let scale = ("scale", scale_of(what, self.scale).key().into());
        match what {
            What::Deepen { depth } => vec![("depth", (*depth).into())],
            What::Pass { window } | What::NullWindow { window } | What::Again { window } => {
                vec![("window", ends(*window, 1)), scale]
            }
            What::Enter { window, depth } => {
                vec![("window", ends(*window, 1)), ("depth", (*depth).into()), scale]
            }
            What::Table { bounds, is_enough } => {
                vec![("bounds", ends(*bounds, 1)), ("enough", (*is_enough).into()), scale]
            }
            What::Leaf { end, value } => {
                vec![("end", leaf_key(*end).into()), ("value", (*value).into()), scale]
            }
            What::Cut { why, moves } => {
                vec![("why", cut_key(*why).into()), ("moves", place.texts(moves).into())]
            }
            What::Exit { bounds } => vec![("bounds", ends(*bounds, 1)), scale],
            What::Line => Vec::new(),
            What::Rollout { number } | What::Simulation { number } => {
                vec![("count", (*number).into())]
            }
            What::Select { mv, by } => {
                let mut members = vec![("move", place.text(*mv).into())];
                members.extend(selected_by(*by));
                if matches!(by, By::Window { .. }) {
                    members.push(scale);
                }
                members
            }
            What::Expand { moves } => vec![("moves", place.texts(moves).into())],
            What::Narrow { bounds, depth } => {
                let depth = depth.map(|depth| ("depth", depth.into()));
                depth.into_iter().chain([("bounds", ends(*bounds, 1)), scale]).collect()
            }
            What::Decided { outcome } => vec![("winner", winner(*outcome))],
            What::Playout { reward, plies, moves, depth, strategies } => {
                let mut members = vec![
                    ("reward", json!(reward)),
                    ("plies", (*plies).into()),
                    ("moves", place.line(moves).into()),
                ];
                members.extend(depth.map(|depth| ("depth", depth.into())));
                if !strategies.is_empty() {
                    members.push(("strategies", strategies.clone().into()));
                }
                members
            }
            What::Reward { reward, visits, mean } => {
                vec![("reward", json!(reward)), ("visits", (*visits).into()), ("mean", json!(mean))]
            }
            What::Minimax { phase, depth, asked, found } => {
                let one = |(mv, outcome): &(MoveIndex, Outcome)| json!({"move": place.text(*mv), "winner": winner(*outcome)});
                vec![
                    ("phase", phase_key(*phase).into()),
                    ("depth", (*depth).into()),
                    ("moves", place.texts(asked).into()),
                    ("found", found.iter().map(one).collect()),
                ]
            }
            What::Priors { values } => {
                let one =
                    |(mv, mean): &(MoveIndex, f64)| json!({"move": place.text(*mv), "mean": mean});
                vec![("priors", values.iter().map(one).collect())]
            }
            What::Implicit { value } => vec![("implicit", json!(value))],
            What::AlphaBeta { depth, bounds } => {
                vec![("depth", (*depth).into()), ("bounds", ends(*bounds, 1)), scale]
            }
            What::Complete { depth, value } => {
                vec![("depth", (*depth).into()), ("value", (*value).into()), scale]
            }
            What::Bonus { mv, visits, winner } => vec![
                ("move", place.text(*mv).into()),
                ("bonus", json!(visits)),
                ("winner", side_key(*winner).into()),
            ],
        }
    }
}

fn selected_by(by: By) -> Vec<(&'static str, Value)> {
    match by {
        By::Window { window, is_doubled } => {
            vec![("by", "window".into()), ("window", ends(window, if is_doubled { 2 } else { 1 }))]
        }
        By::Untried => vec![("by", "untried".into())],
        By::Confidence { visits, mean } => {
            vec![("by", "confidence".into()), ("visits", visits.into()), ("mean", json!(mean))]
        }
    }
}

/// Two numbers, `null` where one is infinite.
fn ends(bounds: Bounds, factor: i64) -> Value {
    let end = |end: i64| match end {
        // The other end of a null window included.
        ..=-9_223_372_036_854_775_807 | 9_223_372_036_854_775_806.. => Value::Null,
        end if end % factor == 0 => (end / factor).into(),
        end => json!(end as f64 / factor as f64),
    };
    json!([end(bounds.lo), end(bounds.hi)])
}

fn winner(outcome: Outcome) -> Value {
    outcome.winner().map(side_key).into()
}

fn side_key(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn name(what: &What<MoveIndex>) -> &'static str {
    match what {
        What::Deepen { .. } => "deepen",
        What::Pass { .. } => "pass",
        What::Enter { .. } => "enter",
        What::NullWindow { .. } => "null-window",
        What::Again { .. } => "again",
        What::Table { .. } => "table",
        What::Leaf { .. } => "leaf",
        What::Cut { .. } => "cut",
        What::Exit { .. } => "exit",
        What::Line => "line",
        What::Rollout { .. } => "rollout",
        What::Simulation { .. } => "simulation",
        What::Select { .. } => "select",
        What::Expand { .. } => "expand",
        What::Narrow { .. } => "narrow",
        What::Decided { .. } => "decided",
        What::Playout { .. } => "playout",
        What::Reward { .. } => "reward",
        What::Minimax { .. } => "minimax",
        What::Priors { .. } => "priors",
        What::Implicit { .. } => "implicit",
        What::AlphaBeta { .. } => "alpha-beta",
        What::Complete { .. } => "complete",
        What::Bonus { .. } => "bonus",
    }
}

fn leaf_key(end: LeafEnd) -> &'static str {
    match end {
        LeafEnd::Finished => "finished",
        LeafEnd::Foregone => "foregone",
        LeafEnd::Horizon => "horizon",
    }
}

fn cut_key(why: Cut) -> &'static str {
    match why {
        Cut::Window => "window",
        Cut::Best => "best",
        Cut::KnownChild => "known-child",
        Cut::NullMove => "null-move",
        Cut::MultiCut => "multi-cut",
        Cut::Width => "width",
        Cut::Glance => "glance",
        Cut::Proof => "proof",
    }
}

fn phase_key(phase: Phase) -> &'static str {
    match phase {
        Phase::Selection => "selection",
        Phase::Expansion => "expansion",
        Phase::Leaf => "leaf",
        Phase::BackUp => "back-up",
    }
}
