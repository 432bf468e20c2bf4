//! Running a search, and what it found as text.

use treegraft::{Budget, Limit, Report, Request, Stop, Work};
use treegraft_lab::{Findings, MemoryError, MoveFinding, ValueScale, check_memory};
use treegraft_players::{Analyst, Board, MoveIndex};

use crate::interrupt;
use crate::output::{bytes, grouped, labelled, seconds, spinner, table, wrap};

/// Searches, with a sign of life; Ctrl-C and its like end it early.
pub(crate) fn run(
    analyst: &mut Analyst,
    position: &Board,
    budget: Budget,
    seed: u64,
    quiet: bool,
) -> Result<Report<MoveIndex>, MemoryError> {
    check_memory(&budget)?;
    let spinner = spinner("searching", quiet);
    let mut progress = |work: &Work| spinner.set_message(so_far(work));
    let request =
        Request { budget, seed, cancel: Some(interrupt::flag()), progress: Some(&mut progress) };
    let report = analyst.search(position, request);
    spinner.finish_and_clear();
    Ok(report)
}

fn so_far(work: &Work) -> String {
    let Work { iterations, nodes, time, .. } = work;
    let nodes = grouped(*nodes);
    format!("{} iterations, {nodes} nodes, {:.1} s", grouped(*iterations), time.as_secs_f64())
}

/// The moves, best first, `top` of them at most.
pub(crate) fn move_table(findings: &Findings, top: usize) -> String {
    let mut moves: Vec<&MoveFinding> = findings.moves.iter().collect();
    if moves.iter().all(|finding| finding.visits == 0 && finding.value.is_none()) {
        return "This player does not compare moves.\n".to_owned();
    }
    let is_best = |finding: &MoveFinding| findings.best_move.as_ref() == Some(&finding.text);
    let by_value = |finding: &MoveFinding| finding.value.unwrap_or(f64::NEG_INFINITY);
    moves.sort_by(|a, b| {
        let by_best = is_best(b).cmp(&is_best(a));
        by_best.then(match findings.scale {
            ValueScale::Percent => {
                b.visits.cmp(&a.visits).then(by_value(b).total_cmp(&by_value(a)))
            }
            ValueScale::Signed | ValueScale::Leaves => {
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
            finding.value.map_or_else(|| "-".to_owned(), |value| findings.scale.text(value)),
            finding.proof.unwrap_or_default().to_owned(),
        ]
    };
    let visits = match findings.scale {
        ValueScale::Percent => "visits",
        ValueScale::Signed => "nodes",
        ValueScale::Leaves => "leaves",
    };
    let header = ["move", visits, "share", "value", "proof"];
    let mut text = table(header, moves.iter().take(top).map(row), &[1, 2, 3]);
    if moves.len() > top {
        text.push_str(&format!("... and {} more moves\n", moves.len() - top));
    }
    text
}

/// The value with whose it is: "54.2 % for X".
pub(crate) fn value_text(findings: &Findings) -> String {
    format!("{} for {}", findings.scale.text(findings.value), findings.mover_name)
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
    let depth = match findings.scale {
        ValueScale::Percent => "deepest node",
        ValueScale::Signed => "completed",
        ValueScale::Leaves => "plies",
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
