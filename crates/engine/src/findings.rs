//! What a search found, in the game's notation and the mover's view.

use serde::Serialize;
use serde_json::{Map, Value, json};
use treegraft::rollout::Arm;
use treegraft::{
    Charset, Game, MoveReport, Notation, Outcome, Report, Side, Stop, StrategyReport, Work,
};
use treegraft_players::{Board, MoveIndex, Player, Protocol, Search, ValueKind};

use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};

use crate::thinking::Proof;

/// A search's report in the game's notation; all values are in the mover's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Who is to move.
    pub mover: Side,
    /// The name of that side in the game.
    pub mover_name: &'static str,
    /// What values are made of.
    pub kind: ValueKind,
    /// The move to play; `None` if the game is over.
    pub best_move: Option<String>,
    /// Best play for both sides as far as the search knows it.
    pub pv: Vec<String>,
    /// The value, from -1 (lost) to 1 (won).
    pub value: f64,
    /// `win`, `draw` or `loss`, if that is proven.
    pub proof: Option<&'static str>,
    /// The exact final margin, if that is proven.
    pub margin: Option<i64>,
    /// Every legal move, in the game's order.
    pub moves: Vec<MoveFinding>,
    /// The deepest completed iteration, or the deepest node, in plies.
    pub depth: u32,
    /// What it cost.
    pub work: Work,
    /// Why it ended.
    pub stop: Stop,
    /// A number that is equal for equal searches.
    pub digest: u64,
    /// The strategies for playouts, if the search switches them.
    pub strategies: Vec<StrategyFinding>,
}

/// What a search found about one of its strategies for playouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyFinding {
    /// Its name.
    pub name: String,
    /// The name of the side whose moves it chose; `None`: both.
    pub side: Option<&'static str>,
    /// The playouts that it was chosen for.
    pub playouts: u64,
    /// Its part of all playouts, or of those that it could be chosen for.
    pub share: f64,
    /// The mean reward of these playouts from -1 to 1, for the mover or for its side.
    pub mean: Option<f64>,
    /// The same in parts of the search, one after the other: as long as each other, but for the last.
    pub course: Vec<StrategyPart>,
}

/// What a search found about a strategy in a part of its course.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StrategyPart {
    /// The playouts of this part that it could be chosen for.
    pub playouts: u64,
    /// Its share of them.
    pub share: f64,
    /// Their mean reward, if there were any.
    pub mean: Option<f64>,
}

/// What a search found about one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveFinding {
    /// The move.
    pub text: String,
    /// Simulations that went through it; for alpha-beta the nodes spent on it.
    pub visits: u64,
    /// Its value, from -1 (lost) to 1 (won); `None` if unknown.
    pub value: Option<f64>,
    /// At least and at most, where the value itself is unknown.
    pub bounds: [Option<f64>; 2],
    /// `win`, `draw` or `loss`, if that is proven.
    pub proof: Option<&'static str>,
    /// Best play after it, the move itself first, if several lines were requested and it is one of
    /// them.
    pub pv: Vec<String>,
}

/// A value from -1 (lost) to 1 (won) as the share of the points: "64.3 %". So are values of all
/// searches written, and can be compared; those of evaluations are no chances of winning.
#[must_use]
pub fn percent(value: f64) -> String {
    format!("{:.1} %", 50.0 * (value + 1.0))
}

/// The value itself, as the search has it: "+0.286".
#[must_use]
pub fn raw(value: f64) -> String {
    // Adding nothing to what is rounded to zero takes its sign away.
    format!("{:+.3}", (value * 1000.0).round() / 1000.0 + 0.0)
}

/// A value, or what is known of it: "64.3 %", "≥ 50.0 %", "20.0 % to 60.0 %"; `None` if nothing is.
#[must_use]
pub fn value_or_bounds(
    value: Option<f64>,
    bounds: [Option<f64>; 2],
    written: fn(f64) -> String,
    charset: Charset,
) -> Option<String> {
    let [least, most] = match charset {
        Charset::Unicode => ["≥", "≤"],
        Charset::Ascii => [">=", "<="],
    };
    match (value, bounds) {
        (Some(value), _) => Some(written(value)),
        (None, [None, None]) => None,
        (None, [Some(low), None]) => Some(format!("{least} {}", written(low))),
        (None, [None, Some(high)]) => Some(format!("{most} {}", written(high))),
        (None, [Some(low), Some(high)]) => Some(format!("{} to {}", written(low), written(high))),
    }
}

/// Whether the iterations of a player's searches are depths: 1, 2, 3, … plies.
#[must_use]
pub fn counts_depths(player: &Player) -> bool {
    match &player.search {
        Search::DepthFirst(options) => options.config.deepening && options.config.leap.is_none(),
        Search::Engine(options) => options.protocol == Protocol::Uci,
        _ => false,
    }
}

impl Findings {
    /// The shares of the strategies for playouts in the course of the search, if it switches them.
    #[must_use]
    pub fn strategy_plot(&self, title: &str) -> Option<Plot> {
        let series = |it: &StrategyFinding| {
            let points = it.course.iter().scan(0.0, |before, part| {
                let middle = *before + 0.5 * part.playouts as f64;
                *before += part.playouts as f64;
                Some(Point::new(middle, part.share))
            });
            let name = match it.side {
                Some(side) => format!("{}, {side}", it.name),
                None => it.name.clone(),
            };
            Series::new(name, Style::Line, points)
        };
        let axes = (Axis::new("playouts"), Axis::new("share of the playouts").percent());
        let plot = Plot::new(title, axes.0, Axis { range: Some([0.0, 1.0]), ..axes.1 });
        let plot = self.strategies.iter().fold(plot, |plot, it| plot.with(series(it)));
        (!self.strategies.is_empty()).then_some(plot)
    }

    /// What a search of this position reported.
    #[must_use]
    pub fn new(position: &Board, report: &Report<MoveIndex>, kind: ValueKind) -> Findings {
        let mover = position.to_move();
        let sign = mover.sign() as f64;
        // Without the addition a draw would be -0 for the second player.
        let seen = |value: f64| sign * value + 0.0;
        let proven = |outcome: Outcome| Proof::of(outcome, mover).word();
        let texts = position.move_texts();
        let finding = |report: &MoveReport<MoveIndex>| MoveFinding {
            text: texts.get(report.mv.0 as usize).cloned().unwrap_or_default(),
            visits: report.visits,
            value: report.value.map(seen),
            bounds: match (mover, report.bounds.map(|end| end.map(seen))) {
                (Side::First, ends) => ends,
                (Side::Second, [low, high]) => [high, low],
            },
            proof: report.proof.map(proven),
            pv: position.line_texts(&report.pv),
        };
        Findings {
            mover,
            mover_name: position.notation().side_name(mover),
            kind,
            best_move: report.best_move.map(|mv| position.notation().move_text(mv)),
            pv: position.line_texts(&report.pv),
            value: seen(report.value),
            proof: report.proof.map(proven),
            margin: report.margin.map(|margin| mover.sign() * margin),
            moves: report.moves.iter().map(finding).collect(),
            depth: report.depth,
            work: report.work,
            stop: report.stop,
            digest: report.digest,
            strategies: strategies(position, &report.strategies),
        }
    }

    /// The findings about a game that is over.
    #[must_use]
    pub fn finished(position: &Board, outcome: Outcome, kind: ValueKind) -> Findings {
        let (value, proof) = (outcome.value() as f64, Some(outcome));
        let report = Report { value, proof, ..Report::of_move(position, None) };
        Findings::new(position, &report, kind)
    }

    /// The members of a JSON object.
    #[must_use]
    pub fn json(&self) -> Map<String, Value> {
        let finding = |finding: &MoveFinding| {
            json!({
                "move": finding.text,
                "visits": finding.visits,
                "value": finding.value,
                "at_least": finding.bounds[0],
                "at_most": finding.bounds[1],
                "proof": finding.proof,
                "pv": finding.pv,
            })
        };
        let Work { iterations, nodes, evaluations, playout_plies, .. } = self.work;
        let members = json!({
            "best_move": self.best_move,
            "value": self.value,
            "value_first": self.mover.sign() as f64 * self.value + 0.0,
            "proof": self.proof,
            "margin": self.margin,
            "pv": self.pv,
            "moves": null,
            "iterations": iterations,
            "nodes": nodes,
            "evaluations": evaluations,
            "playout_plies": playout_plies,
            "peak_resident": peak_resident(),
            "capped_playouts": self.work.capped_playouts,
            "transitions": self.work.transitions,
            "depth": self.depth,
            "memory": self.work.memory,
            "seconds": self.work.time.as_secs_f64(),
            "stop": stop_key(self.stop),
            // As text: JSON numbers do not reliably hold 64 bits.
            "digest": format!("{:016x}", self.digest),
        });
        match members {
            Value::Object(mut members) => {
                // Not in the macro, which would copy them: a listener wants them ten times a second.
                members.insert("moves".to_owned(), self.moves.iter().map(finding).collect());
                if !self.strategies.is_empty() {
                    members.insert("strategies".to_owned(), json!(self.strategies));
                }
                members
            }
            _ => Map::new(),
        }
    }
}

/// The strategies of a report, in shares.
fn strategies(position: &Board, reports: &[StrategyReport]) -> Vec<StrategyFinding> {
    let of = |report: &StrategyReport| {
        // Each side's strategies share its playouts.
        let rivals = || reports.iter().filter(|other| other.side == report.side);
        let all: u64 = rivals().map(|rival| rival.playouts).sum();
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        let start = [Arm::default()];
        let before = start.iter().chain(&report.course);
        let course = before.zip(&report.course).enumerate().map(|(i, (before, after))| {
            let times = after.times - before.times;
            let all = rivals().map(|rival| {
                let earlier = i.checked_sub(1).map_or(0, |i| rival.course[i].times);
                rival.course[i].times - earlier
            });
            let playouts = all.sum();
            let mean = (times > 0).then(|| (after.sum - before.sum) / times as f64);
            StrategyPart { playouts, share: share(times, playouts), mean }
        });
        StrategyFinding {
            name: report.name.to_string(),
            side: report.side.map(|side| position.notation().side_name(side)),
            playouts: report.playouts,
            share: share(report.playouts, all),
            mean: report.mean,
            course: course.collect(),
        }
    };
    reports.iter().map(of).collect()
}

/// How JSON names the end of a search.
#[must_use]
pub fn stop_key(stop: Stop) -> &'static str {
    match stop {
        Stop::Done => "done",
        Stop::Spent(limit) => limit.name(),
        Stop::Cancelled => "cancelled",
        Stop::NotYet => "not-yet",
    }
}

/// The peak memory of the program in bytes, if the system reports it.
fn peak_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}
