//! Running a search, and what it found as text.

use treegraft::{Charset, Limit, Report, Request, Stop, Work};
use treegraft_lab::{
    Findings, MemoryError, MoveFinding, StrategyFinding, StrategyPart, ValueKind, check_memory,
    counts_depths, percent, raw,
};
use treegraft_players::{Analyst, Board, MoveIndex, Player};

use crate::interrupt;
use crate::output::{bytes, grouped, labelled, seconds, spinner, table, wrap};

/// Searches, with a sign of life; Ctrl-C and its like end it early.
pub(crate) fn run(
    analyst: &mut Analyst,
    position: &Board,
    player: &Player,
    seed: u64,
    quiet: bool,
) -> Result<Report<MoveIndex>, MemoryError> {
    check_memory(&player.budget)?;
    let spinner = spinner("searching", quiet);
    let deepens = counts_depths(player);
    let mut progress = |work: &Work| spinner.set_message(so_far(work, deepens));
    let budget = player.budget;
    let request =
        Request { budget, seed, cancel: Some(interrupt::flag()), progress: Some(&mut progress) };
    let report = analyst.search(position, request);
    spinner.finish_and_clear();
    Ok(report)
}

fn so_far(work: &Work, deepens: bool) -> String {
    let Work { iterations, nodes, time, .. } = work;
    let (nodes, iterations) = (grouped(*nodes), grouped(*iterations));
    let done =
        if deepens { format!("depth {iterations}") } else { format!("{iterations} iterations") };
    format!("{done}, {nodes} nodes, {:.1} s", time.as_secs_f64())
}

/// The moves, best first, `top` of them at most.
pub(crate) fn move_table(findings: &Findings, top: usize, charset: Charset) -> String {
    let mut moves: Vec<&MoveFinding> = findings.moves.iter().collect();
    if moves.iter().all(|finding| finding.visits == 0 && finding.value.is_none()) {
        return "This player does not compare moves.\n".to_owned();
    }
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
    let visits = match findings.kind {
        ValueKind::Simulations => "visits",
        ValueKind::Evaluations => "nodes",
        ValueKind::Leaves => "leaves",
    };
    let header = ["move", visits, "share", "value", "raw", "proof"];
    let mut text = table(header, moves.iter().take(top).map(row), &[1, 2, 3, 4]);
    if moves.len() > top {
        text.push_str(&format!("... and {} more moves\n", moves.len() - top));
    }
    text
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

/// A value, or its bounds: "48.0 %", "≤ 47.6 %".
fn known(finding: &MoveFinding, written: fn(f64) -> String, charset: Charset) -> String {
    let [least, most] = match charset {
        Charset::Unicode => ["≥", "≤"],
        Charset::Ascii => [">=", "<="],
    };
    match (finding.value, finding.bounds) {
        (Some(value), _) => written(value),
        (None, [None, None]) => "-".to_owned(),
        (None, [Some(low), None]) => format!("{least} {}", written(low)),
        (None, [None, Some(high)]) => format!("{most} {}", written(high)),
        (None, [Some(low), Some(high)]) => format!("{} to {}", written(low), written(high)),
    }
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

fn stop_text(findings: &Findings) -> String {
    let by = match findings.stop {
        Stop::Done if findings.proof.is_some() => "by itself: the position is decided",
        Stop::Done if findings.moves.len() == 1 => "by itself: there is one move only",
        Stop::Done => "by itself",
        Stop::Spent(Limit::Iterations) => "by its limit on iterations",
        Stop::Spent(Limit::Nodes) => "by its limit on nodes",
        Stop::Spent(Limit::Evaluations) => "by its limit on evaluations",
        Stop::Spent(Limit::Time) => "by its limit on time",
        Stop::Spent(Limit::Memory) => "by its limit on memory",
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
