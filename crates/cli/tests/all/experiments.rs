//! Experiments as a user sees them: continued, damaged, and with engines that misbehave.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{Run, command, finish};
use serde_json::Value;

/// Three ways to search, as in examples/quick.toml, in about a second.
const QUICK: &str = r#"
title = "Three ways"
game = "breakthrough:6x6"
games = 40
seed = 1
players = [
    { name = "MCTS-Solver", player = "mcts-solver@1000it,1MiB" },
    { name = "UCT", player = "uct@1000it,1MiB" },
    { name = "alpha-beta", player = "ab@60nodes,1MiB" },
]
openings = { random = 2 }
"#;
const QUICK_PAIRS: u64 = 60;

/// A directory of its own for each test, with an experiment in it.
pub(crate) struct Lab {
    folder: PathBuf,
}

impl Lab {
    pub(crate) fn new(name: &str, experiment: &str) -> Lab {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiments-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("it.toml"), experiment).unwrap();
        Lab { folder }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.current_dir(&self.folder);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args))
    }

    /// The output of a command that must succeed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
        run.out
    }

    /// The complaint of a command that must fail with this code.
    pub(crate) fn fails(&self, code: i32, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{args:?}: {}", run.err);
        assert!(run.err.starts_with("error: "), "{}", run.err);
        run.err
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    fn report(&self) -> String {
        self.ok(&["report", "it.toml"])
    }

    fn pairs(&self) -> u64 {
        self.json(&["status", "it.toml", "--json"])["pairs"].as_u64().unwrap()
    }

    /// A run in the background, once its store has more than `pairs` pairs.
    fn start(&self, pairs: u64) -> Child {
        let mut command = self.command(&["run", "it.toml", "--jobs", "2"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while self.pairs() <= pairs {
            assert!(child.try_wait().unwrap().is_none(), "it was over too soon");
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The report of a run that is not disturbed.
fn undisturbed() -> &'static str {
    static REPORT: OnceLock<String> = OnceLock::new();
    REPORT.get_or_init(|| {
        let lab = Lab::new("undisturbed", QUICK);
        lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
        lab.report()
    })
}

#[test]
fn a_table_and_a_plot() {
    let lab = Lab::new("table", QUICK);
    let nothing = lab.fails(2, &["report", "it.toml"]);
    assert!(nothing.contains("`treegraft run it.toml` plays them"), "{nothing}");
    let plan = lab.ok(&["run", "it.toml", "--dry-run"]);
    assert!(plan.contains("120, 0 of them played") && plan.contains("time      about "), "{plan}");
    assert!(!lab.file("it.db").exists(), "a dry run plays nothing");
    let shown = lab.ok(&["run", "it.toml"]);
    assert!(shown.starts_with(undisturbed()), "{shown}\n{}", undisturbed());
    assert!(shown.contains("store  it.db\nplot   it.svg\nplot   it.ratings.svg\n"), "{shown}");
    for words in ["MCTS-Solver  UCT", "score (%)", "LOS (%)", "ratings", "work per move"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 110), "{shown}");
    let plot = std::fs::read_to_string(lab.file("it.svg")).unwrap();
    assert!(plot.contains("<svg") && plot.contains("MCTS-Solver against UCT"), "{plot}");
    // Everything is played: the same again, at once.
    assert_eq!(lab.ok(&["run", "it.toml"]), shown);
    assert_eq!(lab.ok(&["run", "it.toml", "--quiet"]), "");
    let lines = lab.ok(&["run", "it.toml", "--json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, last] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&first["event"], &first["pairs"]), (&"progress".into(), &QUICK_PAIRS.into()));
    assert_eq!((&last["event"], &last["played"]), (&"finished".into(), &0.into()));
    assert_eq!(last["report"]["results"].as_array().map(Vec::len), Some(3));
    let status = lab.ok(&["status", "it.toml"]);
    assert!(status.contains("120 of 120 played") && status.contains("3 of 3 over"), "{status}");

    for (format, words) in [
        ("markdown", "| MCTS-Solver | UCT | 40 |"),
        ("latex", "\\toprule"),
        ("csv", "game,a,b,games,won,drawn,lost,score,score_low,score_high"),
        ("json", "\"ratings\": ["),
    ] {
        let text = lab.ok(&["report", "it.toml", "--format", format]);
        assert!(text.contains(words), "{format}: {text}");
    }
    let one = lab.ok(&["report", "it.toml", "--table", "ratings", "--plot", "it.png"]);
    assert!(one.starts_with("Three ways: ratings") && !one.contains("scores"), "{one}");
    assert!(std::fs::read(lab.file("it.png")).unwrap().starts_with(b"\x89PNG"));
    let compared = lab.json(&["report", "it.toml", "--compare", "2", "--json"]);
    let rows = compared["comparison"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["b"]), (2, &"UCT".into()));
    let scores = [&compared["results"][0], &compared["results"][1]];
    let [first, second] = scores.map(|row| row["score"].as_f64().unwrap());
    assert_eq!(rows[0]["difference"].as_f64(), Some(first - second));
    assert!((rows[0]["z"].as_f64().unwrap() < 0.0) == (first < second), "{rows:?}");
    let none = lab.fails(2, &["report", "it.toml", "--compare", "4"]);
    assert!(none.contains("expected a row from 1 to 3"), "{none}");
    let none = lab.fails(2, &["report", "it.toml", "--table", "rating"]);
    assert!(none.contains("there are results, games, ratings, work"), "{none}");
    let pdf = lab.fails(2, &["report", "it.toml", "--plot", "it.pdf"]);
    assert!(pdf.contains("expected a name that ends with .svg or .png"), "{pdf}");
}

#[test]
fn the_table_does_not_depend_on_the_number_of_jobs() {
    for jobs in ["1", "2", "8"] {
        let lab = Lab::new(&format!("jobs-{jobs}"), QUICK);
        lab.ok(&["run", "it.toml", "--quiet", "--no-plot", "--jobs", jobs]);
        assert_eq!(lab.report(), undisturbed(), "{jobs} jobs");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_the_same_command_again() {
    let lab = Lab::new("interrupted", QUICK);
    let child = lab.start(3);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), output.stderr);
    assert_eq!(output.status.code(), Some(130), "{out}{}", String::from_utf8_lossy(&err));
    assert!(out.contains("stopped by Ctrl-C: "), "{out}");
    assert!(out.contains("of 60 pairs are in the store, none is lost"), "{out}");
    assert!(out.contains("To resume: treegraft run it.toml\n"), "{out}");
    let pairs = lab.pairs();
    assert!(3 < pairs && pairs < QUICK_PAIRS, "{pairs}");
    assert!(lab.report().contains(&format!("{} of 120 games count so far", 2 * pairs)));
    let shown = lab.ok(&["run", "it.toml"]);
    assert!(shown.starts_with(undisturbed()), "{shown}");
}

#[test]
fn killed_and_the_same_command_again() {
    let lab = Lab::new("killed", QUICK);
    for pairs in [0, 8, 20] {
        let mut child = lab.start(pairs);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        assert!(lab.pairs() > pairs, "a pair that was there is gone");
    }
    lab.ok(&["run", "it.toml", "--quiet"]);
    assert_eq!(lab.report(), undisturbed());
}

#[test]
fn the_second_run_on_a_store_is_refused() {
    let lab = Lab::new("second", QUICK);
    let first = lab.start(0);
    let second = lab.fails(1, &["run", "it.toml"]);
    let holder = format!("is being written by another run (process {}", first.id());
    assert!(second.contains(&holder), "{second}");
    assert!(first.wait_with_output().unwrap().status.success());
    assert_eq!(lab.report(), undisturbed());
}

#[test]
fn nobody_reads_the_progress() {
    let lab = Lab::new("pipe", QUICK);
    let mut command = lab.command(&["run", "it.toml", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(lab.report(), undisturbed());
}

const SMALL: &str = r#"
game = "connect4"
games = 80
players = ["mcts@30it,1MiB", "random"]
openings = { random = 2 }
"#;

#[test]
fn games_leave_the_store_and_damage_is_found() {
    let lab = Lab::new("export", SMALL);
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
    let csv = lab.ok(&["export", "it.toml"]);
    assert!(csv.starts_with("pair,number,game,first_player,second_player,outcome,ended_by,"));
    assert_eq!(csv.lines().count(), 81);
    let lines = lab.ok(&["export", "it.db", "--format", "jsonl"]);
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 80);
    for game in &games {
        let moves = game["moves"].as_str().unwrap();
        assert_eq!(moves.split(' ').count() as u64, game["plies"].as_u64().unwrap());
    }
    let verified = lab.json(&["verify", "it.toml", "--json"]);
    assert_eq!(
        (&verified["games_replayed"], &verified["pairs_played_again"]),
        (&80.into(), &40.into())
    );
    assert_eq!(verified["differences"].as_array().map(Vec::len), Some(0));
    lab.ok(&["export", "it.db", "--salvage", "--output", "salvaged.csv"]);
    assert_eq!(std::fs::read_to_string(lab.file("salvaged.csv")).unwrap(), csv);

    let intact = std::fs::read(lab.file("it.db")).unwrap();
    // A bit of a move list; the file's second half is gone; its first bytes are.
    let moves = games[3]["moves"].as_str().unwrap().as_bytes();
    let mut flipped = intact.clone();
    // Pages may still have bytes of rows that have moved to another page: all copies are damaged.
    for at in 0..intact.len() - moves.len() {
        if intact[at..].starts_with(moves) {
            flipped[at] ^= 1;
        }
    }
    let truncated = intact[..intact.len() / 8192 * 4096].to_vec();
    let mut headless = intact;
    headless[..16].fill(0);
    for (name, bytes, code, lost) in [
        ("flipped", flipped, 1, 1..2),
        ("truncated", truncated, 1, 1..80),
        ("headless", headless, 2, 0..1),
    ] {
        std::fs::write(lab.file("it.db"), bytes).unwrap();
        for command in ["run", "verify"] {
            let refused = lab.fails(code, &[command, "it.toml"]);
            assert!(refused.contains("damaged") && refused.contains("--salvage"), "{refused}");
        }
        let salvaged = lab.run(&["export", "it.db", "--salvage"]);
        assert_eq!(salvaged.code, Some(1), "{name}: {}", salvaged.err);
        assert!(salvaged.err.contains("damaged"), "{name}: {}", salvaged.err);
        let intact: Vec<&str> = salvaged.out.lines().collect();
        assert!(lost.contains(&(81 - intact.len())), "{name}: {}", intact.len());
        assert!(intact.iter().all(|line| csv.lines().any(|known| known == *line)), "{name}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let lab = Lab::new("errors", SMALL);
    let cases = [
        (
            "games = 80",
            "gamess = 80",
            &["it.toml:3:1", "`gamess`", "`adjudicate`", "did you mean `games`?", "\n  | ^^^^^^\n"]
                [..],
        ),
        ("games = 80", "games = 81", &["it.toml:3:9", "games is 81; expected an even number"]),
        ("connect4", "conect4", &["it.toml:2:8", "\"conect4\"", "connect4, breakthrough"]),
        ("mcts@30it,1MiB", "mcst@30it", &["it.toml:4:12", "\"mcst\"", "mcts"]),
        ("random = 2", "randm = 2", &["it.toml:5:14", "`randm`", "`kalah-boards`"]),
        ("{ random = 2 }", "\"kalah-boards\"", &["kalah-boards are for kalah", "connect4"]),
        ("game =", "schedule = \"swiss\"\ngame =", &["`swiss`", "`round-robin`"]),
    ];
    for (from, to, words) in cases {
        std::fs::write(lab.file("it.toml"), SMALL.replace(from, to)).unwrap();
        let error = lab.fails(2, &["run", "it.toml"]);
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(!lab.file("it.db").exists());
    }
    std::fs::write(lab.file("it.toml"), SMALL).unwrap();
    for (code, args, words) in [
        (2, &["run", "that.toml"][..], "that.toml: cannot be read"),
        (2, &["export", "that.toml"], "there is no store that.db"),
        (1, &["run", "it.toml", "--store", "no/such/folder.db"], "an existing, writable folder"),
        (1, &["export", "it.toml", "--output", "no/such/folder.csv"], "cannot write"),
        (2, &["run", "it.toml", "--jobs", "0"], "--jobs"),
        (2, &["verify", "it.toml", "--replay-share", "2"], "a number from 0 to 1"),
    ] {
        if args[0] == "export" && args.len() > 2 {
            lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
        }
        let error = lab.fails(code, args);
        assert!(error.contains(words), "{args:?}: {error}");
    }
}

#[test]
fn an_engine_that_fails_loses_and_the_tournament_goes_on() {
    let program = env!("CARGO_BIN_EXE_treegraft");
    let experiment = format!(
        r#"
        game = "connect4:4x4"
        games = 4
        players = [
            {{ name = "ours", player = 'engine:"\"{program}\" engine connect4 mcts"@20it,1MiB' }},
            {{ name = "nobody", player = 'engine:"./no-such-program"@20it' }},
            {{ name = "stranger", player = 'engine:"\"{program}\" games"@20it' }},
            {{ name = "mcts", player = "mcts@20it,1MiB" }},
        ]
        "#
    );
    let lab = Lab::new("engines", &experiment);
    let shown = lab.ok(&["run", "it.toml", "--no-plot"]);
    for words in [
        "not repeatable: what engines do with a seed is unknown",
        "ours against nobody: B lost 4 by no-start",
        "ours against stranger: B lost 4 by no-start",
        "nobody against mcts: A lost 4 by no-start",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let json = lab.json(&["report", "it.toml", "--json"]);
    assert_eq!(json["games"][2]["faults_a"], 0, "ours against mcts");
    let csv = lab.ok(&["export", "it.toml"]);
    assert!(csv.contains("cannot be started"), "{csv}");
    let verified = lab.json(&["verify", "it.toml", "--json"]);
    assert_eq!(
        (&verified["games_replayed"], &verified["pairs_not_repeatable"]),
        (&24.into(), &12.into())
    );
}

#[test]
fn a_sequential_test_ends_when_it_knows() {
    let lab = Lab::new(
        "sprt",
        "game = \"connect4:4x4\"\ngames = 2000\nplayers = [\"mcts@30it,1MiB\", \"random\"]\n\
         openings = { random = 1 }\nstop = { sprt = { elo0 = 0, elo1 = 50 } }\n",
    );
    let tables = ["1", "8"].map(|jobs| {
        let _ = std::fs::remove_file(lab.file("it.db"));
        lab.ok(&["run", "it.toml", "--quiet", "--no-plot", "--jobs", jobs]);
        lab.report()
    });
    assert_eq!(tables[0], tables[1]);
    let json = lab.json(&["report", "it.toml", "--json"]);
    assert_eq!(json["sprt"][0]["verdict"], "H1");
    assert!(json["results"][0]["games"].as_u64().unwrap() < 1000, "{}", json["results"]);
    assert!(lab.ok(&["status", "it.toml"]).contains("decided"));
}

#[test]
fn boards_of_kalah_are_scored_by_pairs() {
    let lab = Lab::new(
        "kalah",
        "game = \"kalah\"\ngames = 12\nscoring = \"pairs\"\nopenings = \"kalah-boards\"\n\
         players = [\"ab@200nodes,1MiB\", \"random\"]\n",
    );
    let shown = lab.ok(&["run", "it.toml", "--no-plot"]);
    assert!(shown.contains("over the pairs that one player won"), "{shown}");
    let json = lab.json(&["report", "it.toml", "--json"]);
    let row = &json["results"][0];
    assert_eq!(row["pairs"], 6);
    assert!(row["won"].as_u64() > row["lost"].as_u64(), "{row}");
}

/// A name cannot do more than be read: not on a terminal, not in a picture, not in a spreadsheet.
#[test]
fn hostile_names_are_harmless() {
    let lab = Lab::new(
        "hostile",
        "title = \"\\u001B]0;owned\\u0007\\uFFFE\"\ngame = \"connect4:4x4\"\ngames = 2\nplayers = [\n\
         { name = \"=HYPERLINK(\\\"http://x\\\")\", player = \"mcts@5it\" },\n\
         { name = \"\\u001B[31m\\uFFFF <b>\\u202E\", player = \"random\" } ]\n",
    );
    let forbidden = ['\u{1b}', '\u{7}', '\u{fffe}', '\u{ffff}'];
    let mut texts = vec![lab.ok(&["run", "it.toml"]), lab.ok(&["status", "it.toml"])];
    texts.push(lab.ok(&["run", "it.toml", "--dry-run"]));
    for format in ["text", "markdown", "latex", "csv"] {
        texts.push(lab.ok(&["report", "it.toml", "--format", format]));
    }
    assert!(texts.last().unwrap().contains(",\"'=HYPERLINK("), "{texts:?}");
    texts.push(std::fs::read_to_string(lab.file("it.svg")).unwrap());
    for text in &texts {
        assert!(!text.contains(forbidden), "{text:?}");
    }
    assert!(texts[0].contains("[31m"), "what can be read stays: {}", texts[0]);
    let json = lab.json(&["report", "it.toml", "--json"]);
    assert_eq!(json["results"][0]["a"], "=HYPERLINK(\"http://x\")", "JSON needs no disguise");
    let missing = lab.run(&["report", "\u{1b}[2J.toml"]);
    assert!(missing.code == Some(2) && !missing.err.contains('\u{1b}'), "{:?}", missing.err);
}

#[test]
fn repeated_games_are_noted() {
    let lab = Lab::new(
        "repeats",
        "game = \"connect4\"\ngames = 8\nplayers = [\"ab(depth=2)\", \"ab(depth=1)\"]\n",
    );
    let shown = lab.ok(&["run", "it.toml", "--no-plot"]);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "8 games repeat each other so often that they count as 2";
    assert!(shown.contains(words), "{shown}");
    let row = &lab.json(&["report", "it.toml", "--json"])["results"][0];
    assert!(row["p"].as_f64() > Some(0.3), "{row}");
    assert_eq!(row["game"], "connect4");
    let standing = &lab.json(&["status", "it.toml", "--json"])["standings"][0];
    assert_eq!((&standing["games"], &standing["worth"]), (&8.into(), &2.0.into()));
    assert_eq!(standing["ci95"][1], row["score_high"]);
}

#[test]
fn every_example_in_the_help_works() {
    let lab = Lab::new("help", "");
    std::fs::create_dir(lab.file("examples")).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["quick", "sprt", "sweep"] {
        let text = std::fs::read_to_string(examples.join(format!("{name}.toml"))).unwrap();
        let file = format!("examples/{name}.toml");
        std::fs::write(lab.file(&file), &text).unwrap();
        let status = lab.json(&["status", &file, "--json"]);
        assert_eq!((&status["pairs"], &status["complete"]), (&0.into(), &false.into()));
        // As they are they take seconds.
        let few = text.replace("games = 200", "games = 2").replace("games = 4000", "games = 2");
        let few = few.replace("00it", "0it");
        assert_ne!(text, few);
        std::fs::write(lab.file(&file), few).unwrap();
        lab.ok(&["run", &file, "--quiet", "--no-plot"]);
    }
    std::fs::copy(lab.file("examples/quick.db"), lab.file("broken.db")).unwrap();
    for command in ["run", "status", "report", "export", "verify"] {
        let help = lab.ok(&[command, "--help"]);
        let examples: Vec<&str> =
            help.lines().filter_map(|line| line.strip_prefix("  treegraft ")).collect();
        assert!(examples.len() >= 2, "{help}");
        for example in examples {
            let (args, _) = example.split_once('>').unwrap_or((example, ""));
            lab.ok(&args.split_whitespace().collect::<Vec<_>>());
        }
    }
    for file in ["games.jsonl", "intact.csv", "quick.ledger", "sweep.png"] {
        assert!(lab.file(file).exists(), "{file}");
    }
}

/// The keys of an experiment are explained with files that work.
#[test]
fn the_document_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> =
        text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    let sweep = format!("game = \"connect4\"\ngames = 2\n{}", blocks[1]);
    for (experiment, planned) in [(blocks[0], 300), (&sweep, 10)] {
        let lab = Lab::new("document", experiment);
        let status = lab.json(&["status", "it.toml", "--json"]);
        assert_eq!(status["planned"], planned, "{experiment}");
    }
}
