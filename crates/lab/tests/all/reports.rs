//! Reports: what tables and plots say about games whose results are known.

use treegraft_lab::report::{ExperimentReport, report, results, times};
use treegraft_lab::{
    Experiment, GameRow, PairId, PlannedPair, Scoring, SideRow, counted, play_pair,
};
use treegraft_pictures::plot::Style;
use treegraft_pictures::table::Format;

use crate::common::registry;

fn experiment(text: &str) -> Experiment {
    Experiment::parse(text, "test.toml", registry()).unwrap_or_else(|error| panic!("{error:?}"))
}

fn plan(experiment: &Experiment) -> Vec<PlannedPair> {
    PlannedPair::all(&experiment.plan)
}

fn report_of(experiment: &Experiment, rows: &[GameRow]) -> ExperimentReport {
    report(experiment, &counted(rows, &plan(experiment), None))
}

/// The two games of a pair with these results in the view of its first player.
fn rows(pair: PairId, values: [i8; 2]) -> [GameRow; 2] {
    [0, 1].map(|number| {
        let side = |name: &str, moves| SideRow {
            player: name.to_owned(),
            moves,
            iterations: 100 * moves,
            seconds: 0.5,
            ..SideRow::default()
        };
        let sides = [side("a", 10), side("b", 9)];
        GameRow {
            pair,
            number,
            game: "connect4".to_owned(),
            sides: if number == 0 { sides } else { [sides[1].clone(), sides[0].clone()] },
            moves: String::new(),
            plies: 19 + u32::from(number),
            opening_plies: 0,
            outcome: if number == 0 { values[0] } else { -values[1] },
            end: "rules".to_owned(),
            fault: String::new(),
            margin: None,
            seed: 1,
            digest: pair.0 as u64 ^ u64::from(number),
            started_ms: 1,
            seconds: 1.0,
        }
    })
}

/// Rows of all pairs; the results of pair *n* of a pairing are `value(pairing, n)`.
fn played(experiment: &Experiment, value: impl Fn(usize, u64) -> [i8; 2]) -> Vec<GameRow> {
    let pairs = experiment.plan.pairs();
    pairs.flat_map(|(pairing, n, pair)| rows(pair.id(), value(pairing, n))).collect()
}

const TWO: &str = r#"
title = "Two"
game = "connect4"
games = 8
players = [{ name = "strong", player = "mcts@20it" }, { name = "weak", player = "random" }]
"#;

#[test]
fn a_table_says_who_won() {
    let experiment = experiment(TWO);
    // 1½, 2, 1 and 2 points of 2: 6½ of 8.
    let rows = played(&experiment, |_, n| [[1, 0], [1, 1], [1, -1], [1, 1]][n as usize]);
    let report = report_of(&experiment, &rows);
    let json = report.to_json();
    let row = &json["results"][0];
    assert_eq!((row["a"].as_str(), row["b"].as_str()), (Some("strong"), Some("weak")));
    assert_eq!(row["games"], 8);
    assert_eq!([&row["won"], &row["drawn"], &row["lost"]].map(|n| n.as_u64().unwrap()), [6, 1, 1]);
    assert_eq!(row["score"], 0.8125);
    let [low, high] = ["score_low", "score_high"].map(|key| row[key].as_f64().unwrap());
    assert!(0.4 < low && low < 0.8125 && 0.8125 < high && high < 1.0, "{low} {high}");
    assert!(row["elo"].as_f64().unwrap() > 200.0 && row["los"].as_f64().unwrap() > 0.9);
    let games = &json["games"][0];
    assert_eq!((&games["score_as_first"], &games["score_as_second"]), (&1.0.into(), &0.625.into()));
    assert_eq!((&games["plies"], &games["distinct"]), (&19.5.into(), &8.into()));
    let work = &json["work"];
    assert_eq!((&work[0]["of"], &work[0]["moves"]), (&"A".into(), &80.into()));
    assert_eq!((&work[1]["of"], &work[1]["moves"]), (&"B".into(), &72.into()));
    assert_eq!(work[0]["iterations"], 100.0);
    let text = report.render(Format::Text);
    assert!(text.contains("strong  weak      8    6      1     1  81.2 ["), "{text}");
    assert!(report.table("ratings").is_none() && report.table("sprt").is_none());
    assert_eq!(report.plots.len(), 1);
    assert_eq!(report.plots[0].1.series[0].points[0].y, 0.8125);
}

#[test]
fn clocks_and_the_order_of_rows_make_no_difference() {
    let experiment = experiment(
        "game = \"connect4\"\ngames = 6\nplayers = [\"mcts@20it\", \"uct@10it\", \"random\"]\n\
         openings = { random = 2 }",
    );
    let played = plan(&experiment)
        .iter()
        .flat_map(|planned| play_pair(registry(), &planned.pair, None).expect("played"))
        .collect::<Vec<_>>();
    let report = report_of(&experiment, &played);
    let mut shuffled = played;
    shuffled.reverse();
    for (i, row) in shuffled.iter_mut().enumerate() {
        row.seconds += i as f64;
        row.started_ms = 7;
        for side in &mut row.sides {
            side.seconds *= 3.0;
            side.slowest = 9.0;
        }
    }
    let other = report_of(&experiment, &shuffled);
    for format in Format::ALL {
        assert_eq!(report.render(format), other.render(format));
    }
    assert_eq!(report.plots, other.plots);
    // Everybody is rated, and the random player last.
    let ratings = report.to_json()["ratings"].as_array().cloned().unwrap();
    assert_eq!(ratings.len(), 3);
    assert_eq!(ratings[2]["player"], "random");
    let names = report.plots.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["scores", "ratings"]);
    // Times are there on request, and do differ.
    let plan = plan(&experiment);
    let slow = times(&experiment, &counted(&shuffled, &plan, None));
    assert!(slow.render(Format::Csv).contains("ms_per_move"));
    assert!(slow.to_json()[0]["ms_slowest"] == 9000.0);
}

#[test]
fn sweeps_are_ordered_by_their_parameters() {
    let experiment = experiment(
        "game = \"connect4\"\ngames = 2\n[sweep]\nplayer = \"mcts(c={c})@{n}it\"\n\
         against = \"random\"\ngrid = { n = [100, 9, 20], c = [0.5, 0.25] }",
    );
    // The score grows with n.
    let value = |pairing: usize, _| {
        let parameters = &experiment.plan.pairings[pairing].parameters;
        let n = &parameters.iter().find(|(name, _)| name == "n").unwrap().1;
        match n.as_str() {
            "9" => [-1, -1],
            "20" => [1, -1],
            _ => [1, 1],
        }
    };
    let report = report_of(&experiment, &played(&experiment, value));
    let csv = report.table("results").unwrap().render(Format::Csv);
    let keys = csv.lines().skip(1).map(|line| line.split(',').skip(1).take(2).collect::<Vec<_>>());
    let keys = keys.map(|fields| fields.join(" ")).collect::<Vec<_>>();
    let header = csv.lines().next().unwrap();
    assert!(header.starts_with("game,n,c,b,a,") || header.starts_with("game,c,n,b,a,"), "{header}");
    let expected = match header.starts_with("game,n,c") {
        true => ["9 0.25", "9 0.5", "20 0.25", "20 0.5", "100 0.25", "100 0.5"],
        false => ["0.25 9", "0.25 20", "0.25 100", "0.5 9", "0.5 20", "0.5 100"],
    };
    assert_eq!(keys, expected);
    let [(name, plot)] = &report.plots[..] else { panic!("one plot") };
    assert_eq!(name, "scores");
    let is_by_n = plot.x.label == "n";
    assert_eq!(plot.series.len(), if is_by_n { 2 } else { 3 });
    assert!(plot.series.iter().all(|series| series.style == Style::Line));
    assert_eq!(plot.series[0].name, if is_by_n { "c = 0.25" } else { "n = 9" });
    let first = plot.series[0].points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>();
    let expected = match is_by_n {
        true => vec![(9.0, 0.0), (20.0, 0.5), (100.0, 1.0)],
        false => vec![(0.25, 0.0), (0.5, 0.0)],
    };
    assert_eq!(first, expected);
    let (title, results) = (&plot.title, report.table("results").unwrap());
    assert!(title.ends_with("connect4, against random"), "{title}");
    assert!(results.title.ends_with("connect4, against random"), "{}", results.title);
}

#[test]
fn sequential_tests_show_their_state() {
    let text =
        format!("{TWO}stop = {{ sprt = {{ elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05 }} }}");
    let text = text.replace("games = 8", "games = 400");
    let experiment = experiment(&text);
    let verdict = |value: [i8; 2], pairs: usize| {
        let rows = played(&experiment, |_, n| if n % 2 == 0 { value } else { [1, -1] });
        let report = report_of(&experiment, &rows[..2 * pairs]);
        report.to_json()["sprt"][0].clone()
    };
    let h1 = verdict([1, 1], 200);
    assert_eq!(h1["verdict"], "H1");
    assert!(h1["llr"].as_f64() > h1["upper"].as_f64());
    assert_eq!(verdict([-1, -1], 200)["verdict"], "H0");
    assert_eq!(verdict([1, 1], 2)["verdict"], "open");
    assert_eq!(verdict([1, 1], 2)["pairs"], 2);
}

#[test]
fn pairs_are_scored_where_the_experiment_says_so() {
    let experiment = experiment(&format!("{TWO}scoring = \"pairs\""));
    assert_eq!(experiment.scoring, Scoring::Pairs);
    // Won, won, split and lost: two of the three decisive pairs.
    let values = |_, n| [[1, 0], [1, 1], [1, -1], [0, -1]][n as usize];
    let report = report_of(&experiment, &played(&experiment, values));
    let row = report.to_json()["results"][0].clone();
    assert_eq!((&row["pairs"], &row["won"], &row["lost"]), (&4.into(), &2.into(), &1.into()));
    assert_eq!(row["score"], 2.0 / 3.0);
    assert!(row.get("drawn").is_none() && row.get("games").is_none());
}

#[test]
fn faults_are_those_of_who_lost() {
    let experiment = experiment(TWO);
    let mut rows = played(&experiment, |_, _| [1, -1]);
    // A won the first game and lost the second one.
    rows[0].end = "crash".to_owned();
    rows[1].end = "illegal-move".to_owned();
    rows[2].end = "too-long".to_owned();
    rows[3].end = "repetition".to_owned();
    let report = report_of(&experiment, &rows);
    let games = report.to_json()["games"][0].clone();
    assert_eq!((&games["faults_a"], &games["faults_b"]), (&1.into(), &1.into()));
    assert_eq!((&games["too_long"], &games["repetitions"]), (&1.into(), &1.into()));
    let notes = &report.table("games").unwrap().notes;
    assert_eq!(
        notes[..],
        ["strong against weak: A lost 1 by illegal-move", "strong against weak: B lost 1 by crash"]
    );
}

#[test]
fn repeated_games_are_pointed_out() {
    let experiment = experiment(TWO);
    let mut rows = played(&experiment, |_, _| [1, 1]);
    rows.iter_mut().for_each(|row| row.digest = 5);
    let counted_rows = counted(&rows, &plan(&experiment), None);
    assert_eq!(results(&experiment, &counted_rows)[0].distinct(), 1);
    let notes = report(&experiment, &counted_rows).table("results").unwrap().notes.join("\n");
    let words = "8 games repeat each other so often that they count as 1";
    assert!(notes.contains(words) && notes.contains("openings"), "{notes}");
    let [row] = &results(&experiment, &counted_rows)[..] else { panic!("one row") };
    let none = results(&experiment, &[]);
    assert_eq!(row.compare(row, Scoring::Games).p, 1.0);
    assert_eq!(row.compare(&none[0], Scoring::Pairs).p, 1.0);
    // A player who won everything has no finite difference, but a lower end.
    let json = report(&experiment, &counted_rows).to_json();
    assert!(json["results"][0]["elo"].is_null());
    assert!(json["results"][0]["elo_low"].as_f64().unwrap() < 0.0);
}

/// Whatever is concluded from games is the same if every pair is played ten times over.
#[test]
fn conclusions_do_not_grow_by_repetition() {
    let text = |games: u32, scoring: &str| {
        let players = r#"["mcts@20it", "mcts@30it", "mcts@40it"]"#;
        format!(
            "title = \"Three\"\ngame = \"connect4\"\ngames = {games}\nscoring = \"{scoring}\"\n\
             schedule = \"round-robin\"\nplayers = {players}\n\
             stop = {{ sprt = {{ elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05 }} }}\n"
        )
    };
    for scoring in ["games", "pairs"] {
        let tables = |games: u32| {
            let experiment = experiment(&text(games, scoring));
            let mut rows = played(&experiment, |pairing, n| match (n % 4, pairing) {
                (0, 0) => [1, 1],
                (1, _) => [1, -1],
                (2, 1) => [-1, 0],
                (3, _) => [-1, -1],
                _ => [0, 1],
            });
            let pairs = experiment.plan.pairs().map(|(_, n, pair)| (pair.id(), n));
            let numbers: std::collections::HashMap<_, _> = pairs.collect();
            rows.iter_mut().for_each(|row| {
                row.digest = 2 * (numbers[&row.pair] % 4) + u64::from(row.number);
            });
            report_of(&experiment, &rows).to_json()
        };
        let (once, often) = (tables(8), tables(80));
        let rows = |report: &serde_json::Value, table: &str| {
            report[table].as_array().cloned().unwrap_or_else(|| panic!("{table}: {report}"))
        };
        for (table, keys) in [
            (
                "results",
                &["score", "score_low", "score_high", "elo_low", "elo_high", "los", "p"][..],
            ),
            ("games", &["wilson_low", "wilson_high", "worth"]),
            ("ratings", &["elo", "elo_error"]),
            ("sprt", &["llr", "verdict"]),
        ] {
            for (one, ten) in rows(&once, table).iter().zip(rows(&often, table)) {
                for key in keys {
                    match (one[key].as_f64(), ten[key].as_f64()) {
                        (Some(a), Some(b)) => {
                            assert!((a - b).abs() < 2e-3, "{table} {key}: {a} {b}");
                        }
                        _ => assert_eq!(one[key], ten[key], "{table} {key}"),
                    }
                }
            }
        }
    }
}

/// Programs read the game in every row, and who played, whatever people read in the title.
#[test]
fn programs_read_the_game_in_every_table() {
    let sweep = r#"
title = "Sweep"
game = "connect4"
games = 4
[sweep]
player = "mcts(c={c})@20it"
against = "random"
grid = { c = [0.5, 1.0] }
"#;
    for text in [TWO, sweep] {
        let experiment = experiment(text);
        let report = report_of(&experiment, &played(&experiment, |_, _| [1, 0]));
        for (name, table) in &report.tables {
            let rows = table.to_json();
            for row in rows.as_array().unwrap() {
                assert_eq!(row["game"], "connect4", "{name}: {row}");
                assert!(row["a"].is_string() && row["b"].is_string(), "{name}: {row}");
            }
            let csv = table.render(Format::Csv);
            assert!(csv.starts_with("game,") && csv.contains("\nconnect4,"), "{csv}");
            assert!(!table.columns.is_empty() && !table.render(Format::Text).contains("game  "));
        }
    }
}

#[test]
fn experiments_without_games_have_a_report() {
    let experiment = experiment(TWO);
    let report = report_of(&experiment, &[]);
    for format in Format::ALL {
        let text = report.render(format);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    let csv = report.render(Format::Csv);
    let full = report_of(&experiment, &played(&experiment, |_, _| [1, 0])).render(Format::Csv);
    assert_eq!(csv.lines().next(), full.lines().next(), "the header does not depend on the games");
    assert!(report.render(Format::Text).contains("0 of 8 games count so far"));
    assert!(report.plots[0].1.svg().starts_with("<svg"));
}
