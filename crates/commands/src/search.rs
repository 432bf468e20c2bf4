//! Running a search, and what it found as text.

use std::sync::atomic::AtomicBool;

use treegraft::{Charset, Report, Request, Stop, Work};
use treegraft_engine::{
    Findings, MemoryError, MoveFinding, StrategyFinding, StrategyPart, ValueKind, check_memory,
    counts_depths, percent, raw, stop_key, value_or_bounds,
};
use treegraft_players::{Analyst, Board, MoveIndex, Player};

use crate::interrupt;
use crate::output::{bytes, grouped, labelled, seconds, spinner, table, wrap};

/// How a search is run, and what is shown of it on the way.
pub(crate) struct Thinking<'a> {
    pub(crate) player: &'a Player,
    pub(crate) seed: u64,
    /// How many moves are to have an exact value and a line.
    pub(crate) lines: u32,
    pub(crate) show: Show<'a>,
    /// Ends the search early.
    pub(crate) cancel: Option<&'a AtomicBool>,
}

/// What is shown of a search while it runs.
pub(crate) enum Show<'a> {
    /// Nothing: what is printed is for programs.
    Nothing,
    /// A table that changes in place, on standard error if that is a terminal.
    Table(Charset),
    /// What this does with it.
    Each(&'a mut dyn FnMut(&Findings)),
}

impl<'a> Thinking<'a> {
    /// A search that Ctrl-C and its like end early.
    pub(crate) fn new(player: &'a Player, seed: u64, show: Show<'a>) -> Thinking<'a> {
        Thinking { player, seed, lines: 1, show, cancel: Some(interrupt::flag()) }
    }

    /// Searches.
    pub(crate) fn run(
        self,
        analyst: &mut Analyst,
        position: &Board,
    ) -> Result<Report<MoveIndex>, MemoryError> {
        let Thinking { player, seed, lines, show, cancel } = self;
        check_memory(&player.budget)?;
        let kind = player.search.value_kind();
        let deepens = counts_depths(player);
        let found = |so_far: &Report<MoveIndex>| Findings::new(position, so_far, kind);
        let request = Request { lines, cancel, ..Request::new(player.budget, seed) };
        Ok(match show {
            Show::Nothing => analyst.search(position, request),
            Show::Each(hear) => {
                let mut progress = |so_far: &Report<MoveIndex>| hear(&found(so_far));
                analyst.search(position, Request { progress: Some(&mut progress), ..request })
            }
            Show::Table(charset) => {
                let spinner = spinner("searching", false);
                let mut progress = |so_far: &Report<MoveIndex>| {
                    spinner.set_message(live_text(&found(so_far), deepens, charset));
                };
                analyst.search(position, Request { progress: Some(&mut progress), ..request })
            }
        })
    }
}

/// What a search has found so far, in a few lines: the work, the best line, the best moves.
fn live_text(findings: &Findings, deepens: bool, charset: Charset) -> String {
    const SHOWN: usize = 8;
    let Work { iterations, nodes, time, .. } = findings.work;
    let (nodes, iterations) = (grouped(nodes), grouped(iterations));
    let done =
        if deepens { format!("depth {iterations}") } else { format!("{iterations} iterations") };
    let mut text = format!("{done}, {nodes} nodes, {:.1} s", time.as_secs_f64());
    if findings.best_move.is_some() {
        let line = shortened(&findings.pv, SHOWN);
        text.push_str(&format!("\n{}; line {line}", value_text(findings)));
        if let Some(proof) = findings.proof {
            let proof = proof_text(proof, findings.margin, findings.mover_name);
            text.push_str(&format!("\nproven: {proof}"));
        }
        text.push_str(&format!("\n\n{}", move_table(findings, SHOWN, charset).trim_end()));
    }
    text
}

/// The first moves of a line.
pub(crate) fn shortened(line: &[String], most: usize) -> String {
    let more = if line.len() > most { " ..." } else { "" };
    format!("{}{more}", line[..line.len().min(most)].join(" "))
}

/// The lines of a search for several lines, the best first.
pub(crate) fn line_table(findings: &Findings, charset: Charset) -> String {
    const SHOWN: usize = 12;
    let row = |finding: &MoveFinding| {
        let line = shortened(&finding.pv, SHOWN);
        [known(finding, percent, charset), finding.proof.unwrap_or_default().to_owned(), line]
    };
    let moves = ranked(findings).into_iter().filter(|finding| !finding.pv.is_empty());
    table(["value", "proof", "line"], moves.map(row), &[0])
}

/// The moves, best first.
fn ranked(findings: &Findings) -> Vec<&MoveFinding> {
    let mut moves: Vec<&MoveFinding> = findings.moves.iter().collect();
    let is_best = |finding: &MoveFinding| findings.best_move.as_ref() == Some(&finding.text);
    let by_value = |finding: &MoveFinding| {
        // Where only a bound is known, the move is no better.
        finding.value.or(finding.bounds[1]).unwrap_or(f64::NEG_INFINITY)
    };
    let by_bound = |finding: &MoveFinding| finding.value.is_some();
    moves.sort_by(|a, b| {
        let by_best = is_best(b).cmp(&is_best(a));
        by_best.then(match findings.kind {
            ValueKind::Simulations => {
                b.visits.cmp(&a.visits).then(by_value(b).total_cmp(&by_value(a)))
            }
            ValueKind::Evaluations | ValueKind::Leaves => {
                let by_bound = by_bound(b).cmp(&by_bound(a));
                by_value(b).total_cmp(&by_value(a)).then(by_bound).then(b.visits.cmp(&a.visits))
            }
        })
    });
    moves
}

/// The moves, best first, `top` of them at most.
pub(crate) fn move_table(findings: &Findings, top: usize, charset: Charset) -> String {
    let moves = ranked(findings);
    if moves.iter().all(|finding| finding.visits == 0 && finding.value.is_none()) {
        return "This player does not compare moves.\n".to_owned();
    }
    let total = moves.iter().map(|finding| finding.visits).sum::<u64>().max(1);
    let row = |finding: &&MoveFinding| {
        let share = 100.0 * finding.visits as f64 / total as f64;
        [
            finding.text.clone(),
            grouped(finding.visits),
            format!("{share:.1} %"),
            known(finding, percent, charset),
            known(finding, raw, charset),
            finding.proof.unwrap_or_default().to_owned(),
        ]
    };
    let header = ["move", visits_word(findings.kind), "share", "value", "raw", "proof"];
    let mut text = table(header, moves.iter().take(top).map(row), &[1, 2, 3, 4]);
    if moves.len() > top {
        text.push_str(&format!("... and {} more moves\n", moves.len() - top));
    }
    text
}

/// What is counted for every move.
pub(crate) fn visits_word(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Simulations => "visits",
        ValueKind::Evaluations => "nodes",
        ValueKind::Leaves => "leaves",
    }
}

/// The strategies for playouts with their shares, and how these changed in the course of the search.
pub(crate) fn strategy_table(findings: &Findings, charset: Charset) -> String {
    let row = |it: &StrategyFinding| {
        [
            it.name.clone(),
            it.side.unwrap_or("both").to_owned(),
            grouped(it.playouts),
            format!("{:.1} %", 100.0 * it.share),
            it.mean.map_or("-".to_owned(), percent),
            course(it, charset),
        ]
    };
    let header = ["strategy", "side", "playouts", "share", "value", "share in the course"];
    table(header, findings.strategies.iter().map(row), &[2, 3, 4])
}

/// A mark for every part of the search: nothing, up to all playouts of this part.
fn course(strategy: &StrategyFinding, charset: Charset) -> String {
    const WIDTH: usize = 32;
    let marks = match charset {
        Charset::Unicode => " ▁▂▃▄▅▆▇█",
        Charset::Ascii => " .:-=+*#@",
    };
    let marks: Vec<char> = marks.chars().collect();
    let parts = strategy.course.chunks(strategy.course.len().div_ceil(WIDTH).max(1));
    let mean = |parts: &[StrategyPart]| {
        let all: u64 = parts.iter().map(|part| part.playouts).sum();
        let own: f64 = parts.iter().map(|part| part.share * part.playouts as f64).sum();
        own / all.max(1) as f64
    };
    let mark = |share: f64| marks[((share * 8.0).round() as usize).min(8)];
    parts.map(|part| mark(mean(part))).collect()
}

/// The value of a move, or its bounds.
fn known(finding: &MoveFinding, written: fn(f64) -> String, charset: Charset) -> String {
    value_or_bounds(finding.value, finding.bounds, written, charset).unwrap_or("-".to_owned())
}

/// The value with whose it is: "54.2 % for X (raw +0.084)".
pub(crate) fn value_text(findings: &Findings) -> String {
    let Findings { value, mover_name, .. } = findings;
    format!("{} for {mover_name} (raw {})", percent(*value), raw(*value))
}

/// Everything but the moves, a line a subject.
pub(crate) fn summary(findings: &Findings) -> String {
    let mut lines = vec![
        ("best", findings.best_move.clone().unwrap_or_else(|| "no move".to_owned())),
        ("line", wrap(&findings.pv.join(" "))),
        ("value", value_text(findings)),
    ];
    if let Some(proof) = findings.proof {
        lines.push(("proof", proof_text(proof, findings.margin, findings.mover_name)));
    }
    let Work { iterations, nodes, evaluations, playout_plies, capped_playouts, .. } = findings.work;
    let time = findings.work.time.as_secs_f64();
    let mut work = Vec::new();
    for (number, what) in
        [(iterations, "iterations"), (nodes, "nodes"), (evaluations, "evaluations")]
    {
        // Of a search that deepens ply by ply, the depth says how many.
        let is_depth = what == "iterations"
            && findings.kind == ValueKind::Evaluations
            && number == u64::from(findings.depth);
        if number > 0 && !is_depth {
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
    let depth = match findings.kind {
        ValueKind::Simulations => "deepest node",
        ValueKind::Evaluations => "completed",
        ValueKind::Leaves => "plies",
    };
    if findings.depth > 0 {
        lines.push(("depth", format!("{} ({depth})", findings.depth)));
    }
    if findings.work.memory > 0 {
        lines.push(("memory", bytes(findings.work.memory)));
    }
    lines.push(("time", seconds(time)));
    lines.push(("digest", format!("{:016x}", findings.digest)));
    lines.push(("ended", stop_text(findings)));
    lines.retain(|(_, text)| !text.is_empty());
    labelled(&lines)
}

pub(crate) fn stop_text(findings: &Findings) -> String {
    let by = match findings.stop {
        Stop::Done if findings.proof.is_some() => "by itself: the position is decided",
        Stop::Done if findings.moves.len() == 1 => "by itself: there is one move only",
        Stop::Done => "by itself",
        Stop::Spent(_) => return format!("by its limit on {}", stop_key(findings.stop)),
        Stop::NotYet => "nothing yet",
        Stop::Cancelled => return format!("by {}", interrupt::cause()),
    };
    by.to_owned()
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
