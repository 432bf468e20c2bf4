//! `treegraft check`: whether a game keeps the contract that searches rely on.

use serde_json::{Value, json};
use treegraft_conformance::{Law, Options, Report, Verdict};

use crate::prelude::*;

/// Check that a game's rules and notation keep the contract
///
/// Plays random games and tests every law that searches rely on in their positions: that there is a
/// move unless the game is over, that a move's text is read back as that move, that random moves
/// and playouts have the right distribution, that evaluations are in range, and more. What a game
/// claims for certain (a foregone outcome, candidate moves, bounds on the margin) is compared with
/// exhaustive searches near the ends of games. A law that fails is shown with what went wrong and
/// the moves that lead there. "untested": the game has nothing the law is about; "undecided": it
/// has, but there was too much to look at, and a smaller board may help. The same seed plays the
/// same games.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft check <GAME> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft check connect4
  treegraft check connect4:5x4 --walks 20 --seed 7
  treegraft check connect4 --json

Exit codes: 0 if every law holds, 1 if one fails, 2 if the input is wrong.")]
pub(crate) struct Check {
    /// The game, such as connect4 or connect4:8x7; `treegraft games` lists them all
    game: String,

    /// Number of random games
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u32::MAX))]
    #[arg(default_value_t = Options::default().walks)]
    walks: u32,

    /// Number of random moves and games sampled to test distributions
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u32::MAX))]
    #[arg(default_value_t = Options::default().samples)]
    samples: u32,

    /// Seed of the random games, any number from 0 to 2^64-1
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    #[arg(default_value_t = Options::default().seed)]
    seed: u64,

    /// Print JSON: one object with all laws
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        const STEPS: f64 = 1000.0;
        let Check { walks, samples, seed, json, .. } = *self;
        let start = parse_game(registry, &self.game)?;
        let bar = progress(STEPS as u64, "checking", json);
        let options = Options { walks, seed, samples };
        let report = registry.check(&start, &options, &mut |fraction| {
            bar.set_position((fraction * STEPS) as u64);
        });
        Ok(answer(&report, start.text(), json))
    }
}

/// A law that fails is not bad input, but the exit code must show it.
fn answer(report: &Report, game: &str, json: bool) -> Output {
    let output = if json { to_json(report, game) } else { to_text(report, game) };
    output.success(report.passed())
}

fn to_text(report: &Report, game: &str) -> Output {
    let row = |law: &Law| {
        let result = match law.verdict() {
            Verdict::Failed => "FAILED",
            verdict => word(verdict),
        };
        [law.name, result, &law.checked.to_string(), law.statement].map(str::to_owned)
    };
    let header = ["law", "result", "checked", "what it says"];
    let mut text = table(header, report.laws.iter().map(row), &[2]);
    for law in &report.laws {
        if let Some(failure) = &law.failure {
            let moves = match failure.moves.as_slice() {
                [] => "at the start".to_owned(),
                moves => format!("after {}", moves.join(" ")),
            };
            text.push_str(&format!("\n{} FAILED: {}\n  {moves}\n", law.name, failure.problem));
        }
    }
    let count = |verdict| report.laws.iter().filter(|law| law.verdict() == verdict).count();
    let mut verdict = match count(Verdict::Failed) {
        0 => format!("passed {} of {} laws", count(Verdict::Held), report.laws.len()),
        failed => format!("FAILED {failed} of {} laws", report.laws.len()),
    };
    for open in [Verdict::Undecided, Verdict::Untested] {
        if count(open) > 0 {
            verdict.push_str(&format!(", {} {}", count(open), word(open)));
        }
    }
    let Report { walks, positions, .. } = report;
    text.push_str(&format!("\n{game}: {verdict} ({walks} games, {positions} positions)"));
    Output::text(text)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Held => "ok",
        Verdict::Failed => "failed",
        Verdict::Undecided => "undecided",
        Verdict::Untested => "untested",
    }
}

fn to_json(report: &Report, game: &str) -> Output {
    let law = |law: &Law| -> Value {
        json!({
            "name": law.name,
            "statement": law.statement,
            "result": word(law.verdict()),
            "checked": law.checked,
            "undecided": law.undecided,
            "passed": law.failure.is_none(),
            "problem": law.failure.as_ref().map(|failure| &failure.problem),
            "moves": law.failure.as_ref().map(|failure| &failure.moves),
        })
    };
    let value = json!({
            "game": game,
            "passed": report.passed(),
            "walks": report.walks,
            "positions": report.positions,
            "laws": report.laws.iter().map(law).collect::<Vec<_>>(),
    });
    Output::json("treegraft.check/1", &value)
}

#[cfg(test)]
mod tests {
    use treegraft_conformance::Failure;

    use super::*;
    use crate::output::NO_SUCCESS;

    /// No game of the registry fails, so a failure has to be made up.
    fn failed() -> Report {
        let failure = Failure {
            problem: "\"x\" is read back as 2".to_owned(),
            moves: vec!["4".to_owned(), "5".to_owned()],
        };
        let statement = "it holds in every position of every game, and this takes two lines to say";
        let law = |name, failure| Law { name, statement, checked: 9, undecided: 0, failure };
        let options = Options { walks: 1, samples: 1, ..Options::default() };
        let registry = Registry::standard();
        let mut report =
            registry.check(&registry.start("connect4").unwrap(), &options, &mut |_| ());
        report.walks = 2;
        report.positions = 12;
        report.laws = vec![
            law("fine", None),
            law("broken", Some(failure)),
            Law { checked: 0, ..law("rare", None) },
            Law { checked: 0, undecided: 3, ..law("vast", None) },
        ];
        report
    }

    #[test]
    fn a_failure_is_told_with_its_moves() {
        let output = answer(&failed(), "nim", false);
        assert_eq!(output.code, NO_SUCCESS);
        let text = output.text;
        assert!(
            text.starts_with("law     result     checked  what it says\nfine    ok  "),
            "{text}"
        );
        assert!(text.lines().nth(2).is_some_and(|line| line.starts_with("        ")), "{text}");
        assert!(
            text.lines().any(|line| line.starts_with("rare    untested         0  it")),
            "{text}"
        );
        assert!(text.contains("broken FAILED: \"x\" is read back as 2\n  after 4 5\n"), "{text}");
        assert!(
            text.lines().any(|line| line.starts_with("vast    undecided        0  it")),
            "{text}"
        );
        let end = "nim: FAILED 1 of 4 laws, 1 undecided, 1 untested (2 games, 12 positions)";
        assert!(text.contains(end), "{text}");
    }

    #[test]
    fn what_was_not_tested_has_not_passed() {
        let mut report = failed();
        report.laws.remove(1);
        let output = answer(&report, "nim", false);
        assert_eq!(output.code, 0);
        let end = "nim: passed 1 of 3 laws, 1 undecided, 1 untested (2 games, 12 positions)";
        assert!(output.text.contains(end), "{}", output.text);
        let json: Value = serde_json::from_str(&answer(&report, "nim", true).text).unwrap();
        let result = |law: usize| json["laws"][law]["result"].as_str().unwrap();
        assert_eq!([result(0), result(1), result(2)], ["ok", "untested", "undecided"]);
        assert_eq!(json["laws"][2]["undecided"], 3);
    }

    #[test]
    fn a_failure_is_in_the_json() {
        let output = answer(&failed(), "nim", true);
        assert_eq!(output.code, NO_SUCCESS);
        let json: Value = serde_json::from_str(&output.text).unwrap();
        assert_eq!(json["passed"], false);
        assert_eq!(json["laws"][0]["passed"], true);
        assert_eq!(json["laws"][0]["problem"], Value::Null);
        assert_eq!(json["laws"][1]["moves"], json!(["4", "5"]));
    }
}
