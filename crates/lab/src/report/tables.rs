//! The tables of a report.

use treegraft_engine::counts_depths;
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_players::Player;
use treegraft_stats::{Elo, Sprt, Tally, Verdict, too_many_repeats};

use super::results::{PairingResult, Score};
use super::rows::Rows;
use crate::{CountedPair, Experiment, GameRow, Schedule, Scoring, SideRow, StopRule};

/// Wins, draws and losses, and the conclusions.
pub(super) fn scores(experiment: &Experiment, results: &[PairingResult]) -> Table {
    let rows = Rows::new(experiment);
    let by_pairs = experiment.scoring == Scoring::Pairs;
    let counted = if by_pairs { "pairs" } else { "games" };
    let mut columns = vec![Column::number(counted), Column::number("won")];
    if !by_pairs {
        columns.push(Column::number("drawn").rare());
    }
    columns.extend([
        Column::number("lost"),
        Column::percent("score"),
        Column::number("Elo").signed(),
        Column::percent("LOS"),
        Column::number("p"),
    ]);
    let mut table = rows.table("scores", columns);
    for &pairing in &rows.order {
        let result = &results[pairing];
        let score = result.score(experiment.scoring);
        let Tally { wins, draws, losses } = score.map_or(Tally::default(), |score| score.tally);
        let units = if by_pairs { result.pairs.pairs() } else { result.tally.games() };
        let counts =
            if by_pairs { vec![units, wins, losses] } else { vec![units, wins, draws, losses] };
        let counts = counts.into_iter().map(|count| Cell::Whole(u64::from(count)));
        table.rows.push(rows.row(pairing, counts.chain(conclusions(score))));
    }
    table.notes = score_notes(experiment, results);
    table
}

fn conclusions(score: Option<Score>) -> [Cell; 4] {
    let unknown = Cell::interval(f64::NAN, f64::NAN, f64::NAN, 1);
    let Some(Score { score, ci95, elo, test, .. }) = score else {
        return [unknown.clone(), unknown, Cell::Empty, Cell::Empty];
    };
    [
        Cell::interval(score, ci95.low, ci95.high, 1),
        elo_cell(score, &elo),
        Cell::number(test.los(), 1),
        Cell::number(test.p, 4),
    ]
}

/// A difference in Elo points; what is missing is infinite, on the side of the score.
fn elo_cell(score: f64, elo: &Elo) -> Cell {
    let infinite = if score < 0.5 { f64::NEG_INFINITY } else { f64::INFINITY };
    let [low, high] = elo.ci95;
    Cell::interval(
        elo.difference.unwrap_or(infinite),
        low.unwrap_or(f64::NEG_INFINITY),
        high.unwrap_or(f64::INFINITY),
        0,
    )
}

/// Notes for readers of the scores.
fn score_notes(experiment: &Experiment, results: &[PairingResult]) -> Vec<String> {
    let whose = match experiment.schedule {
        Schedule::Sweep => "the player with the parameters",
        Schedule::Pairing | Schedule::Gauntlet | Schedule::RoundRobin | Schedule::List => "A",
    };
    let what = match experiment.scoring {
        Scoring::Games => "a draw counts half; the 95 % intervals treat the pair as the unit",
        Scoring::Pairs => {
            "over the pairs that one player won, with 95 % intervals: to win a pair is to win one \
             game and not lose the other"
        }
    };
    let mut notes = vec![format!("scores are those of {whose}, {what}")];
    let rows = Rows::new(experiment);
    let mut repeat = false;
    for &pairing in &rows.order {
        let result = &results[pairing];
        let (worth, games) = (result.worth(), result.tally.games());
        if too_many_repeats(worth, games) {
            repeat = true;
            notes.push(format!(
                "{}: {games} games repeat each other so often that they count as {worth:.0}",
                rows.name(pairing)
            ));
        }
    }
    if repeat {
        notes.push(
            "players without randomness repeat themselves from the same opening: give the experiment \
             openings, or longer ones"
                .to_owned(),
        );
    }
    let each = experiment.plan.pairs_each;
    let counted: u64 = results.iter().map(|result| u64::from(result.pairs.pairs())).sum();
    let planned = each * results.len() as u64;
    if counted < planned && experiment.stop == StopRule::Fixed {
        notes.push(format!("{} of {} games count so far", 2 * counted, 2 * planned));
    }
    let players = || experiment.plan.pairings.iter().flat_map(|pairing| &pairing.players);
    if players().any(|player| !player.budget.is_repeatable()) {
        notes.push("not repeatable: a limit on time depends on the machine".to_owned());
    } else if !players().all(Player::is_repeatable) {
        notes.push("not repeatable: what engines do with a seed is unknown".to_owned());
    }
    notes
}

/// How the games went.
pub(super) fn games(experiment: &Experiment, results: &[PairingResult]) -> Table {
    let rows = Rows::new(experiment);
    let columns = [
        Column::percent("as first").key("score_as_first"),
        Column::percent("as second").key("score_as_second"),
        Column::percent("Wilson"),
        Column::number("plies"),
        Column::number("distinct"),
        Column::number("worth").for_programs(),
        Column::number("repetitions").rare(),
        Column::number("too long").rare(),
        Column::number("faults A").rare(),
        Column::number("faults B").rare(),
    ];
    let mut table = rows.table("games", columns);
    for &pairing in &rows.order {
        let result = &results[pairing];
        let games = result.tally.games();
        let score = |tally: Tally| match tally.games() {
            0 => Cell::number(f64::NAN, 1),
            _ => Cell::number(tally.score(), 1),
        };
        let end = |name: &str| Cell::Whole(u64::from(result.ends.get(name).copied().unwrap_or(0)));
        let faults = |i: usize| Cell::Whole(result.faults[i].values().map(|&n| u64::from(n)).sum());
        let wilson = result.tally.wilson95_worth(result.worth());
        let cells = [
            score(result.as_first),
            score(result.as_second),
            match games {
                0 => Cell::interval(f64::NAN, f64::NAN, f64::NAN, 1),
                _ => Cell::interval(result.tally.score(), wilson.low, wilson.high, 1),
            },
            Cell::number(mean(result.plies as f64, u64::from(games)), 1),
            Cell::Whole(u64::from(result.distinct())),
            Cell::number(result.worth(), 1),
            end("repetition"),
            end("too-long"),
            faults(0),
            faults(1),
        ];
        table.rows.push(rows.row(pairing, cells));
        for (player, faults) in ["A", "B"].into_iter().zip(&result.faults) {
            if !faults.is_empty() {
                let kinds = faults.iter().map(|(kind, count)| format!("{count} by {kind}"));
                let kinds = kinds.collect::<Vec<_>>().join(", ");
                table.notes.push(format!("{}: {player} lost {kinds}", rows.name(pairing)));
            }
        }
    }
    table
}

fn mean(sum: f64, count: u64) -> f64 {
    if count == 0 { f64::NAN } else { sum / count as f64 }
}

/// The progress of the sequential tests.
pub(super) fn sprt(experiment: &Experiment, results: &[PairingResult]) -> Option<Table> {
    let StopRule::Sprt { elo0, elo1, alpha, beta } = experiment.stop else { return None };
    let sprt = Sprt::new(elo0, elo1, alpha, beta).ok()?;
    let rows = Rows::new(experiment);
    let columns = [
        Column::number("pairs"),
        Column::number("LLR"),
        Column::number("lower"),
        Column::number("upper"),
        Column::text("verdict"),
    ];
    let mut table = rows.table("sequential tests", columns);
    let [lower, upper] = sprt.bounds();
    for &pairing in &rows.order {
        let pairs = &results[pairing].pairs;
        let llr = sprt.llr(results[pairing].evidence());
        let verdict = match sprt.decide(llr) {
            Some(Verdict::AcceptH0) => "H0",
            Some(Verdict::AcceptH1) => "H1",
            None if u64::from(pairs.pairs()) >= experiment.plan.pairs_each => "none",
            None => "open",
        };
        let cells = [
            Cell::Whole(u64::from(pairs.pairs())),
            Cell::number(llr, 2),
            Cell::number(lower, 2),
            Cell::number(upper, 2),
            Cell::text(verdict),
        ];
        table.rows.push(rows.row(pairing, cells));
    }
    table.notes.push(format!(
        "H0: A is stronger by {elo0} Elo points, H1: by {elo1}; error rates {alpha} and {beta}; \
         none: all games were played without a decision"
    ));
    Some(table)
}

/// What the players did in a move.
pub(super) fn work(experiment: &Experiment, results: &[PairingResult]) -> Table {
    let columns = vec![
        // What people read as the depth is a number of iterations too.
        Column::number("iterations").for_programs(),
        Column::number("iterations").rare().for_people(),
        Column::number("depth").rare(),
        Column::number("nodes"),
        Column::number("evaluations"),
        Column::number("playout moves"),
    ];
    per_player(experiment, results, "work per move", columns, |player, spent| {
        let a_move = |sum: u64| Cell::number(mean(sum as f64, spent.moves), 1);
        let iterations = a_move(spent.iterations);
        let [simulated, depth] = match counts_depths(player) {
            true => [Cell::Empty, iterations.clone()],
            false => [iterations.clone(), Cell::Empty],
        };
        let others = [spent.nodes, spent.evaluations, spent.playout_plies].map(a_move);
        [iterations, simulated, depth].into_iter().chain(others).collect()
    })
}

/// How long the players took. Not part of a report, which is the same on every machine.
#[must_use]
pub fn times(experiment: &Experiment, pairs: &[CountedPair<'_>]) -> Table {
    let results = super::results(experiment, pairs);
    let is_unknown = pairs.iter().flat_map(|pair| pair.rows).any(GameRow::is_digest_only);
    let columns = vec![
        Column::number("a move").unit("ms").key("ms_per_move"),
        Column::number("slowest").unit("ms").key("ms_slowest"),
        Column::number("nodes per s"),
        Column::number("in all").unit("s").key("seconds"),
    ];
    let mut table = per_player(experiment, &results, "times", columns, |_, spent| {
        let is_known = spent.moves > 0 && !spent.seconds.is_nan();
        vec![
            Cell::number(1000.0 * mean(spent.seconds, spent.moves), 2),
            Cell::number(if is_known { 1000.0 * spent.slowest } else { f64::NAN }, 1),
            Cell::number(
                if spent.seconds > 0.0 { spent.nodes as f64 / spent.seconds } else { f64::NAN },
                0,
            ),
            Cell::number(spent.seconds, 1),
        ]
    });
    if is_unknown {
        table
            .notes
            .push("a ledger keeps no times of games that follow from their seeds".to_owned());
    }
    table
}

/// A table with a row for each player of each pairing.
fn per_player(
    experiment: &Experiment,
    results: &[PairingResult],
    what: &str,
    columns: Vec<Column>,
    cells: impl Fn(&Player, &SideRow) -> Vec<Cell>,
) -> Table {
    let rows = Rows::new(experiment);
    let columns = [Column::text("of"), Column::number("moves")].into_iter().chain(columns);
    let mut table = rows.table(what, columns);
    for &pairing in &rows.order {
        let players = experiment.plan.pairings[pairing].players.iter();
        let spent = players.zip(&results[pairing].spent);
        for (name, (player, spent)) in ["A", "B"].into_iter().zip(spent) {
            let head = [Cell::text(name), Cell::Whole(spent.moves)];
            let cells = head.into_iter().chain(cells(player, spent));
            table.rows.push(rows.row(pairing, cells));
        }
    }
    table
}
