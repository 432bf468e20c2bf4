//! Running a search, and what it found as text and JSON. Values are in the view of the player to
//! move, as people at a board see them.

use serde_json::{Map, Value, json};
use treegraft::{
    Budget, Game, Limit, MoveReport, Outcome, Report, Request, Searcher, Side, Stop, Work,
};
use treegraft_lab::{Player, Search};

use crate::interrupt;
use crate::output::{bytes, grouped, labelled, seconds, spinner, table, wrap};

/// Searches, with a sign of life; Ctrl-C ends it early.
pub(crate) fn run<G: Game>(
    searcher: &mut dyn Searcher<G>,
    position: &G,
    budget: Budget,
    seed: u64,
    quiet: bool,
) -> Report<G::Move> {
    let spinner = spinner("searching", quiet);
    let mut progress = |work: &Work| spinner.set_message(so_far(work));
    let request =
        Request { budget, seed, cancel: Some(interrupt::flag()), progress: Some(&mut progress) };
    let report = searcher.search(position, request);
    spinner.finish_and_clear();
    report
}

fn so_far(work: &Work) -> String {
    let Work { iterations, nodes, time, .. } = work;
    let nodes = grouped(*nodes);
    format!("{} iterations, {nodes} nodes, {:.1} s", grouped(*iterations), time.as_secs_f64())
}

/// What a search found, in words; all values in the view of the player to move.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) mover: Side,
    pub(crate) mover_name: &'static str,
    pub(crate) scale: Scale,
    pub(crate) best_move: Option<String>,
    pub(crate) pv: Vec<String>,
    pub(crate) value: f64,
    pub(crate) proof: Option<&'static str>,
    pub(crate) margin: Option<i64>,
    pub(crate) moves: Vec<MoveFinding>,
    pub(crate) depth: u32,
    pub(crate) work: Work,
    pub(crate) stop: Stop,
    pub(crate) digest: u64,
}

/// What a search found about one move.
#[derive(Debug)]
pub(crate) struct MoveFinding {
    text: String,
    visits: u64,
    value: Option<f64>,
    proof: Option<&'static str>,
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Means of simulations: a chance to win, draws counted half.
    Percent,
    /// Evaluations: from -1 to 1.
    Signed,
    /// The same, by searches that count leaves.
    Leaves,
}

impl Scale {
    pub(crate) fn of(player: &Player) -> Scale {
        match player.search {
            Search::Rollout(_) => Scale::Percent,
            Search::Prove(_) => Scale::Leaves,
            _ => Scale::Signed,
        }
    }

    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Scale::Percent => format!("{:.1} %", 50.0 * (value + 1.0)),
            Scale::Signed | Scale::Leaves => format!("{value:+.3}"),
        }
    }
}

/// "win", "draw" or "loss" for a side.
pub(crate) fn verdict(outcome: Outcome, side: Side) -> &'static str {
    match outcome.winner() {
        None => "draw",
        Some(winner) if winner == side => "win",
        Some(_) => "loss",
    }
}

/// Moves in a row as text.
fn line<G: Game>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    texts
}

impl Findings {
    pub(crate) fn new<G: Game>(position: &G, report: &Report<G::Move>, scale: Scale) -> Findings {
        let mover = position.to_move();
        let sign = mover.sign() as f64;
        // Without the addition a draw would be -0 for the second player.
        let seen = |value: f64| sign * value + 0.0;
        let finding = |report: &MoveReport<G::Move>| MoveFinding {
            text: position.move_text(report.mv),
            visits: report.visits,
            value: report.value.map(seen),
            proof: report.proof.map(|outcome| verdict(outcome, mover)),
        };
        Findings {
            mover,
            mover_name: position.side_name(mover),
            scale,
            best_move: report.best_move.map(|mv| position.move_text(mv)),
            pv: line(position, &report.pv),
            value: seen(report.value),
            proof: report.proof.map(|outcome| verdict(outcome, mover)),
            margin: report.margin.map(|margin| mover.sign() * margin),
            moves: report.moves.iter().map(finding).collect(),
            depth: report.depth,
            work: report.work,
            stop: report.stop,
            digest: report.digest,
        }
    }

    /// What there is to say about a game that is over.
    pub(crate) fn finished<G: Game>(position: &G, outcome: Outcome, scale: Scale) -> Findings {
        let report = Report {
            best_move: None,
            pv: Vec::new(),
            value: outcome.value() as f64,
            proof: Some(outcome),
            margin: position.margin(),
            moves: Vec::new(),
            depth: 0,
            work: Work::default(),
            stop: Stop::Done,
            digest: 0,
        };
        Findings::new(position, &report, scale)
    }

    /// The moves, best first, `top` of them at most.
    pub(crate) fn move_table(&self, top: usize) -> String {
        let mut moves: Vec<&MoveFinding> = self.moves.iter().collect();
        if moves.iter().all(|finding| finding.visits == 0 && finding.value.is_none()) {
            return "This player does not compare moves.\n".to_owned();
        }
        let is_best = |finding: &MoveFinding| self.best_move.as_ref() == Some(&finding.text);
        let by_value = |finding: &MoveFinding| finding.value.unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|a, b| {
            let by_best = is_best(b).cmp(&is_best(a));
            by_best.then(match self.scale {
                Scale::Percent => b.visits.cmp(&a.visits),
                Scale::Signed | Scale::Leaves => {
                    by_value(b).total_cmp(&by_value(a)).then(b.visits.cmp(&a.visits))
                }
            })
        });
        let total = moves.iter().map(|finding| finding.visits).sum::<u64>().max(1);
        let row = |finding: &&MoveFinding| {
            let share = 100.0 * finding.visits as f64 / total as f64;
            [
                finding.text.clone(),
                grouped(finding.visits),
                format!("{share:.1} %"),
                finding.value.map_or_else(|| "-".to_owned(), |value| self.scale.text(value)),
                finding.proof.unwrap_or_default().to_owned(),
            ]
        };
        let visits = match self.scale {
            Scale::Percent => "visits",
            Scale::Signed => "nodes",
            Scale::Leaves => "leaves",
        };
        let header = ["move", visits, "share", "value", "proof"];
        let mut text = table(header, moves.iter().take(top).map(row), &[1, 2, 3]);
        if moves.len() > top {
            text.push_str(&format!("... and {} more moves\n", moves.len() - top));
        }
        text
    }

    /// The value with whose it is: "54.2 % for X".
    pub(crate) fn value_text(&self) -> String {
        format!("{} for {}", self.scale.text(self.value), self.mover_name)
    }

    /// Everything but the moves, a line a subject.
    pub(crate) fn summary(&self) -> String {
        let mut lines = vec![
            ("best", self.best_move.clone().unwrap_or_else(|| "no move".to_owned())),
            ("line", wrap(&self.pv.join(" "))),
            ("value", self.value_text()),
        ];
        if let Some(proof) = self.proof {
            lines.push(("proof", proof_text(proof, self.margin, self.mover_name)));
        }
        let Work { iterations, nodes, evaluations, playout_plies, capped_playouts, .. } = self.work;
        let time = self.work.time.as_secs_f64();
        let mut work = Vec::new();
        for (number, what) in
            [(iterations, "iterations"), (nodes, "nodes"), (evaluations, "evaluations")]
        {
            if number > 0 {
                // The shortest searches take no time that a clock could see.
                let rate = number as f64 / time.max(1e-9);
                work.push(format!("{} {what} ({}/s)", grouped(number), grouped(rate as u64)));
            }
        }
        if playout_plies > 0 {
            work.push(format!("{} moves in playouts", grouped(playout_plies)));
        }
        if capped_playouts > 0 {
            work.push(format!("{} playouts cut off", grouped(capped_playouts)));
        }
        lines.push(("work", work.join("\n")));
        let depth = match self.scale {
            Scale::Percent => "deepest node",
            Scale::Signed => "completed",
            Scale::Leaves => "plies",
        };
        if self.depth > 0 {
            lines.push(("depth", format!("{} ({depth})", self.depth)));
        }
        if self.work.memory > 0 {
            lines.push(("memory", bytes(self.work.memory)));
        }
        lines.push(("time", seconds(time)));
        lines.push(("digest", format!("{:016x}", self.digest)));
        lines.push(("ended", self.stop_text().to_owned()));
        lines.retain(|(_, text)| !text.is_empty());
        labelled(&lines)
    }

    fn stop_text(&self) -> &'static str {
        match self.stop {
            Stop::Done if self.proof.is_some() => "by itself: the position is decided",
            Stop::Done if self.moves.len() == 1 => "by itself: there is one move only",
            Stop::Done => "by itself",
            Stop::Spent(Limit::Iterations) => "by its limit on iterations",
            Stop::Spent(Limit::Nodes) => "by its limit on nodes",
            Stop::Spent(Limit::Evaluations) => "by its limit on evaluations",
            Stop::Spent(Limit::Time) => "by its limit on time",
            Stop::Spent(Limit::Memory) => "by its limit on memory",
            Stop::Cancelled => "by Ctrl-C",
        }
    }

    /// The members of a JSON object.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let finding = |finding: &MoveFinding| {
            json!({
                "move": finding.text,
                "visits": finding.visits,
                "value": finding.value,
                "proof": finding.proof,
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
            "moves": self.moves.iter().map(finding).collect::<Vec<_>>(),
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
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

/// "X wins by 3".
pub(crate) fn proof_text(proof: &str, margin: Option<i64>, mover: &str) -> String {
    let by = match margin {
        Some(margin) if margin != 0 => format!(" by {}", margin.unsigned_abs()),
        _ => String::new(),
    };
    match proof {
        "win" => format!("{mover}, who is to move, wins{by}"),
        "loss" => format!("{mover}, who is to move, loses{by}"),
        _ => "a draw".to_owned(),
    }
}

/// How JSON names the end of a search.
pub(crate) fn stop_key(stop: Stop) -> &'static str {
    match stop {
        Stop::Done => "done",
        Stop::Spent(Limit::Iterations) => "iterations",
        Stop::Spent(Limit::Nodes) => "nodes",
        Stop::Spent(Limit::Evaluations) => "evaluations",
        Stop::Spent(Limit::Time) => "time",
        Stop::Spent(Limit::Memory) => "memory",
        Stop::Cancelled => "cancelled",
    }
}

/// The most memory the program has had at a time, in bytes, where the system tells.
fn peak_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}
