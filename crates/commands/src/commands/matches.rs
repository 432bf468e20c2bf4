//! `treegraft match`: two players, many games.

use std::collections::BTreeMap;

use treegraft_lab::{Match, MatchError, MatchResult, PerMove, Progress, Watch, run_match};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_players::Player;
use treegraft_stats::{Interval, Tally, too_many_repeats};

use crate::prelude::*;

/// Play a match between two players and estimate which is stronger
///
/// The games come in pairs in which the players swap sides. The score counts a win 1 and a draw ½;
/// it is printed with a 95 % interval that treats the pair as the unit, and as a difference in Elo.
/// Pairs that repeat each other, as those of players without randomness do, count less;
/// --opening-plies makes them different. The same seed plays the same games, for any --jobs, unless
/// a budget limits time. Ctrl-C ends the match; the games finished so far count.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft match connect4 mcts-solver@100it random --games 20
  treegraft match connect4 mcts-solver@200it ab@500nodes --games 20 --opening-plies 2
  treegraft match breakthrough:5x5 uct@100it mcts@100it --games 10 --seed 7 --json

Exit codes: 0 if all games were played, 1 if no game was played because an engine could not
be started, 2 if the input is wrong, 130 after Ctrl-C.")]
pub(crate) struct MatchArgs {
    /// The game, such as connect4 or connect4:8x7; `treegraft games` lists them all
    game: String,

    /// The player whose wins are counted, such as mcts-solver@1000it; see `treegraft players`
    a: String,

    /// The other player
    b: String,

    /// Number of games
    #[arg(long, value_name = "N", value_parser = whole_number(1..=10_000_000u32))]
    #[arg(default_value_t = 100)]
    games: u32,

    #[command(flatten)]
    seed: SeedArg,

    #[command(flatten)]
    jobs: JobsArg,

    /// Begin both games of a pair with the same N random moves
    #[arg(long, value_name = "N", value_parser = whole_number(0..=10_000u32), default_value_t = 0)]
    opening_plies: u32,

    /// Print JSON: one object, in the view of player A
    #[arg(long)]
    json: bool,
}

impl MatchArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.game)?;
        let (a, b) = (registry.player(&self.a)?, registry.player(&self.b)?);
        let by_time = [&a, &b].into_iter().any(Player::is_timed);
        let jobs = self.jobs.number(by_time);
        let MatchArgs { games, seed: SeedArg { seed }, opening_plies, json, .. } = *self;
        let setup = Match { start, a, b, games, seed, jobs, opening_plies };
        let bar = progress(u64::from(games), "A ", json);
        let mut watch = |progress: &Progress| {
            bar.set_message(standing(progress.tally, progress.ci95));
            bar.set_position(u64::from(progress.tally.games()));
        };
        let watch = Watch { progress: Some(&mut watch), cancel: Some(interrupt::flag()) };
        let result = run_match(registry, &setup, watch).map_err(|error| match error {
            MatchError::Player(error) => CliError::from(error),
            MatchError::Cancelled => CliError::of(error).code(INTERRUPTED),
            error => CliError::of(error),
        })?;
        let output =
            Output::either(json, "treegraft.match/1", &result, || to_text(&result, games, jobs));
        let started = match &result.first_fault {
            Some(fault) if result.never_started() => Err(CliError::new(format!(
                "no game was played, because a program could not be started: {fault}"
            ))
            .hint("the program alone, with the same arguments, to see what is wrong")
            .code(NO_SUCCESS)),
            _ => Ok(()),
        };
        Ok(output.complete(result.complete).unless_failed(started))
    }
}

/// "A 62.5 % ± 9.1".
fn standing(tally: Tally, ci95: Interval) -> String {
    format!("A {:.1} % ± {:.1}", 100.0 * tally.score(), 50.0 * (ci95.high - ci95.low))
}

fn to_text(result: &MatchResult, asked: u32, jobs: usize) -> Output {
    let MatchResult { game, games, seed, .. } = result;
    let many = if *games == 1 { "game" } else { "games" };
    let head = labelled(&[
        ("game", format!("{game}, {games} {many}, seed {seed}")),
        ("A", wrap(&result.a)),
        ("B", wrap(&result.b)),
    ]);
    let [low, high] = [result.ci95.low, result.ci95.high].map(|end| 100.0 * end);
    let elo = elo_text(result.elo, result.score);
    let elo_error = result.elo_error.map_or_else(String::new, |error| format!(" ± {error:.0}"));
    let [elo_low, elo_high] = result.elo_ci95;
    let (elo_low, elo_high) = (elo_end(elo_low, "-∞"), elo_end(elo_high, "+∞"));
    let lines = labelled(&[
        ("score", format!("{:.1} % for A (95 %: {low:.1} to {high:.1})", 100.0 * result.score)),
        ("Elo", format!("{elo}{elo_error} (95 %: {elo_low} to {elo_high})")),
        (
            "likely",
            format!(
                "A is the stronger player with {:.1} % likelihood (p = {})",
                100.0 * result.los,
                p_text(result.p)
            ),
        ),
        ("distinct", format!("{} of {games} {many}{}", result.distinct_games, worth(result))),
        ("length", format!("{:.1} moves per game{}", result.plies, endings(result))),
        ("time", seconds(result.seconds)),
    ]);
    let all = Tally { wins: result.wins, draws: result.draws, losses: result.losses };
    let row = |name: &str, tally: Tally| {
        let Tally { wins, draws, losses } = tally;
        let score = match tally.games() {
            0 => "-".to_owned(),
            _ => format!("{:.1} %", 100.0 * tally.score()),
        };
        [name.to_owned(), wins.to_string(), draws.to_string(), losses.to_string(), score]
    };
    let rows = [
        row("as first player", result.as_first),
        row("as second player", result.as_second),
        row("together", all),
    ];
    let results = table(["A", "won", "drawn", "lost", "score"], rows, &[1, 2, 3, 4]);
    let work = work(&result.a_spent, &result.b_spent);
    let mut text = format!("{head}\n{results}\n{lines}\n{work}");
    notes(result, asked, jobs).iter().for_each(|note| add_note(&mut text, note));
    Output::text(text)
}

/// What the players spent on a move. Searches that deepen ply by ply have a depth, others have
/// iterations; an empty column is left out.
fn work(a: &PerMove, b: &PerMove) -> String {
    let number = |mean: f64| match mean {
        0.0 => Cell::text("-"),
        mean if mean < 100.0 => Cell::text(format!("{mean:.1}")),
        mean => Cell::text(format!("{mean:.0}")),
    };
    let is_deepening = [a, b].map(|spent| spent.depth.is_some());
    let mut columns = vec![Column::text("a move of"), Column::number("time")];
    columns.push(column_if(is_deepening != [true; 2], "iterations"));
    columns.push(column_if(is_deepening != [false; 2], "depth"));
    columns.extend(["nodes", "evaluations", "playout moves"].map(Column::number));
    let mut table = Table::new("", columns);
    for (name, spent) in [("A", a), ("B", b)] {
        table.rows.push(vec![
            Cell::text(name),
            Cell::text(seconds(spent.seconds)),
            number(if spent.depth.is_some() { 0.0 } else { spent.iterations }),
            number(spent.depth.unwrap_or(0.0)),
            number(spent.nodes),
            number(spent.evaluations),
            number(spent.playout_plies),
        ]);
    }
    table.text(LINE)
}

/// A p-value, which is never quite 0.
fn p_text(p: f64) -> String {
    if p < 0.0001 { "less than 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// ", worth 2", if games repeat each other.
fn worth(result: &MatchResult) -> String {
    match too_many_repeats(result.worth, result.games) {
        true => format!(", worth {:.0}", result.worth),
        false => String::new(),
    }
}

/// The difference; it is infinite, up or down, if one side has all points.
fn elo_text(elo: Option<f64>, score: f64) -> String {
    let infinite = if score < 0.5 { "-∞" } else { "+∞" };
    elo_end(elo, infinite)
}

/// An end of the interval; what is missing is infinite.
fn elo_end(elo: Option<f64>, infinite: &str) -> String {
    elo.map_or_else(|| infinite.to_owned(), |elo| format!("{elo:+.0}"))
}

fn endings(result: &MatchResult) -> String {
    match (result.repetitions, result.too_long) {
        (0, 0) => String::new(),
        (repetitions, too_long) => {
            format!(", {repetitions} drawn by repetition, {too_long} drawn by their length")
        }
    }
}

/// "B lost 3 of 10 games by faults of its program, not on the board: 2 by crash, 1 by stall".
pub(super) fn fault_note(name: &str, faults: &BTreeMap<String, u32>, games: u32) -> Option<String> {
    let lost: u32 = faults.values().sum();
    let kinds: Vec<String> = faults.iter().map(|(kind, n)| format!("{n} by {kind}")).collect();
    (lost > 0).then(|| {
        let kinds = kinds.join(", ");
        format!("{name} lost {lost} of {games} games by faults of its program, not on the board: {kinds}")
    })
}

/// Notes for readers of the numbers.
fn notes(result: &MatchResult, asked: u32, jobs: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let MatchResult { games, worth, opening_plies, .. } = *result;
    if !result.complete {
        let cause = interrupt::cause();
        notes.push(format!("the match was ended by {cause} after {games} of {asked} games"));
    }
    for (name, faults) in [("A", &result.a_faults), ("B", &result.b_faults)] {
        if let Some(note) = fault_note(name, faults, games) {
            notes.push(note);
        }
    }
    if let Some(fault) = &result.first_fault {
        notes.push(format!("the first fault: {fault}"));
    }
    if too_many_repeats(worth, games) {
        notes.push(format!(
            "{games} games repeat each other so often that the interval, Elo and likelihood count them \
             as {worth:.0}. Players without randomness repeat themselves: try --opening-plies {}",
            opening_plies + 4
        ));
    }
    if !result.repeatable && !result.timed {
        notes.push("not repeatable: what an engine does with a seed is unknown".to_owned());
    }
    if result.timed {
        notes.push(TIMED.to_owned());
        if jobs != 1 {
            notes.push(
                "games played at once share the machine, which weakens players that are limited by \
                 time; try --jobs 1"
                    .to_owned(),
            );
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(a: &str, b: &str) -> MatchResult {
        let registry = Registry::standard();
        let start = registry.start("connect4:4x4").unwrap();
        let [a, b] = [a, b].map(|text| registry.player(text).unwrap());
        let setup = Match { games: 8, ..Match::new(start, a, b) };
        run_match(&registry, &setup, Watch::default()).unwrap()
    }

    #[test]
    fn what_matters_is_noted() {
        let equal = result("ab(depth=2)", "ab(depth=1)");
        assert!(equal.distinct_games <= 2);
        let text = to_text(&equal, 8, 1).text;
        assert!(
            text.contains("note: 8 games repeat each other")
                && text.contains("try --opening-plies 4"),
            "{text}"
        );
        let partial = MatchResult {
            complete: false,
            repeatable: false,
            timed: true,
            ..result("random", "random")
        };
        let text = to_text(&partial, 20, 3).text;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["ended by Ctrl-C after 8 of 20 games", "not repeatable", "try --jobs 1"] {
            assert!(text.contains(words), "{text}");
        }
        let foreign = MatchResult { repeatable: false, ..result("random", "random") };
        let text = to_text(&foreign, 8, 0).text;
        assert!(text.contains("what an engine does") && !text.contains("--jobs 1"), "{text}");
    }

    #[test]
    fn a_score_without_losses_has_no_finite_elo() {
        let won = MatchResult {
            elo: None,
            elo_error: None,
            elo_ci95: [Some(191.3), None],
            score: 1.0,
            ..result("random", "random")
        };
        let text = to_text(&won, 8, 1).text;
        assert!(text.contains("Elo       +∞ (95 %: +191 to +∞)"), "{text}");
        let lost = MatchResult { score: 0.0, elo_ci95: [None, Some(43.2)], ..won };
        let text = to_text(&lost, 8, 1).text;
        assert!(text.contains("Elo       -∞ (95 %: -∞ to +43)"), "{text}");
    }
}
