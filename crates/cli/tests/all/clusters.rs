//! Shards, merging and scripts for clusters, as a user sees them.

use std::time::Duration;

use treegraft::Rng;

use crate::experiments::Lab;

const SMALL: &str = r#"
title = "Shards"
game = "connect4:5x4"
games = 100
seed = 1
players = ["mcts-solver@150it,1MiB", "ab(depth=4)", "random"]
openings = { random = 2 }
record = "thinking"
"#;

/// Everything that is made from a store: reports in all formats, a plot, and a ledger.
fn made_from(lab: &Lab, store: &str) -> Vec<String> {
    let formats = ["text", "markdown", "latex", "csv", "json"];
    let report = |format| lab.ok(&["report", "it.toml", "--store", store, "--format", format]);
    let mut made: Vec<String> = formats.map(report).into();
    lab.ok(&["report", "it.toml", "--store", store, "--compare", "1", "--plot", "plot.svg"]);
    made.push(std::fs::read_to_string(lab.file("plot.svg")).unwrap());
    made.push(lab.ok(&["export", store, "--format", "ledger"]));
    let thinking = lab.ok(&["export", store, "--format", "jsonl"]);
    made.push(thinking.lines().filter(|line| line.contains("\"thinking\":[")).count().to_string());
    made
}

#[test]
fn sixty_four_shards_make_the_report_of_one_machine() {
    let lab = Lab::new("shards", SMALL);
    lab.ok(&["run", "it.toml", "--no-plot", "--quiet", "--store", "one.db"]);
    let mut rng = Rng::new(64);
    let mut parts: Vec<String> = Vec::new();
    let mut kills = 0;
    for number in 1..=64 {
        let (shard, part) = (format!("{number}/64"), format!("part {number}.db"));
        let run = ["run", "it.toml", "--shard", &shard, "--store", &part, "--quiet", "--jobs", "1"];
        // Every fourth is killed, more than once, and goes on.
        let mut turns = if number % 4 == 0 { 1 + rng.below(3) } else { 0 };
        while turns > 0 {
            turns -= 1;
            let mut child = lab.command(&run).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(u64::from(rng.below(40))));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
        }
        // The last ones stay as they were killed until later.
        if number % 4 != 0 || number < 48 {
            lab.ok(&run);
        }
        if lab.file(&part).exists() {
            parts.extend(vec![part; 1 + usize::from(number % 7 == 0)]);
        }
    }
    assert!(kills > 8, "{kills} kills");
    for at in (1..parts.len()).rev() {
        parts.swap(at, rng.below(at as u32 + 1) as usize);
    }
    // Half of them, all of them, and those that were not whole once more when they are.
    let merge = |parts: &[String]| {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        lab.json(&[&["merge", "all.db", "--json"], &parts[..]].concat())
    };
    merge(&parts[..parts.len() / 2]);
    merge(&parts);
    let late: Vec<String> = [48, 52, 56, 60, 64].map(|number| format!("part {number}.db")).into();
    for (number, part) in [48, 52, 56, 60, 64].iter().zip(&late) {
        let shard = format!("{number}/64");
        lab.ok(&["run", "it.toml", "--shard", &shard, "--store", part, "--quiet"]);
    }
    let merged = merge(&late);
    let whole = |name: &str| merged[name].as_u64();
    assert_eq!(
        (whole("planned"), whole("pairs"), whole("games")),
        (Some(150), Some(150), Some(300))
    );
    assert_eq!(made_from(&lab, "all.db"), made_from(&lab, "one.db"));
    lab.ok(&["verify", "all.db", "--sample", "5"]);
}

#[test]
fn shards_have_stores_of_their_own() {
    let lab = Lab::new("shard-names", SMALL);
    let plan = lab.ok(&["run", "it.toml", "--shard", "3/12", "--first", "40", "--dry-run"]);
    assert!(plan.contains("games     10, 0 of them played"), "{plan}");
    assert!(plan.contains("it.shard-03-of-12.db"), "{plan}");
    let run = ["run", "it.toml", "--shard", "3/12", "--first", "40"];
    let shown = lab.ok(&run);
    assert!(
        shown.contains("games  10 of 10 played") && shown.contains("treegraft merge"),
        "{shown}"
    );
    assert!(
        lab.file("it.shard-03-of-12.db").exists() && !lab.file("it.shard-03-of-12.svg").exists()
    );
    // More games of the same shard go into the same store.
    let more = lab.ok(&["run", "it.toml", "--shard", "3/12"]);
    assert!(more.contains("games  24 of 24 played"), "{more}");
    let first = lab.ok(&["run", "it.toml", "--first", "20", "--no-plot"]);
    assert!(first.contains("it.db"), "{first}");
    assert_eq!(lab.json(&["status", "it.toml", "--json"])["pairs"], 30);
    for (argument, value) in [("--shard", "4/3"), ("--shard", "0/3"), ("--shard", "x")] {
        let error = lab.fails(2, &["run", "it.toml", argument, value]);
        assert!(error.contains("/3") || error.contains("3/64"), "{error}");
    }
    let odd = lab.fails(2, &["run", "it.toml", "--first", "3"]);
    assert!(odd.contains("even number"), "{odd}");
}

#[test]
fn a_sequential_test_stops_the_report_and_not_the_shards() {
    let sprt = "stop = { sprt = { elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05 } }\n";
    let players = "players = [\"mcts@50it\", \"random\"]\n";
    let text = format!("game = \"connect4:5x4\"\ngames = 200\n{players}{sprt}");
    let lab = Lab::new("shard-sprt", &text);
    lab.ok(&["run", "it.toml", "--no-plot", "--quiet", "--jobs", "1"]);
    let one = lab.ok(&["report", "it.toml"]);
    assert!(lab.json(&["status", "it.toml", "--json"])["pairs"].as_u64().unwrap() < 100);
    for shard in ["1/2", "2/2"] {
        let shown = lab.ok(&["run", "it.toml", "--shard", shard]);
        assert!(
            shown.contains("100 of 100 played") && shown.contains("sequential test"),
            "{shown}"
        );
    }
    lab.ok(&["merge", "all.db", "it.shard-1-of-2.db", "it.shard-2-of-2.db"]);
    // What the test does not need is not missed.
    lab.ok(&["status", "it.toml", "--complete"]);
    lab.ok(&["status", "it.toml", "--complete", "--store", "all.db"]);
    assert_eq!(lab.ok(&["report", "it.toml", "--store", "all.db"]), one);
    // A prefix that is long enough decides it too.
    for shard in ["1/2", "2/2"] {
        let store = format!("first-{}.db", &shard[..1]);
        lab.ok(&[
            "run", "it.toml", "--shard", shard, "--first", "100", "--store", &store, "--quiet",
        ]);
    }
    lab.ok(&["merge", "prefix.db", "first-1.db", "first-2.db"]);
    assert_eq!(lab.ok(&["report", "it.toml", "--store", "prefix.db"]), one);
}

#[test]
fn what_is_merged_is_said_and_what_cannot_be_is_refused() {
    let lab = Lab::new("merge", SMALL);
    let run = |file: &str, shard: &str, store: &str| {
        lab.ok(&["run", file, "--shard", shard, "--store", store, "--quiet"]);
    };
    run("it.toml", "1/10", "a.db");
    run("it.toml", "2/10", "b.db");
    // Files that belong to a store are not parts.
    let shown = lab.ok(&["merge", "all.db", "a.db", "a.db.lock", "b.db", "all.db"]);
    assert!(
        shown.contains("parts    2 merged\ngames    60 in the parts, 60 of them new"),
        "{shown}"
    );
    assert!(shown.contains("plan     30 of 150 pairs"), "{shown}");
    std::fs::write(lab.file("other.toml"), SMALL.replace("seed = 1", "seed = 7")).unwrap();
    run("other.toml", "1/10", "c.db");
    let error = lab.fails(2, &["merge", "new.db", "a.db", "c.db"]);
    assert!(error.contains("is of another plan") && error.contains("the seed is"), "{error}");
    let error = lab.fails(2, &["merge", "all.db", "c.db"]);
    assert!(error.contains("all.db"), "{error}");
    let error = lab.fails(2, &["merge", "new.db", "a.db", "d.db"]);
    assert!(error.contains("there is no part d.db"), "{error}");
    std::fs::write(lab.file("broken.db"), &std::fs::read(lab.file("b.db")).unwrap()[..9000])
        .unwrap();
    let error = lab.fails(1, &["merge", "new.db", "a.db", "broken.db"]);
    assert!(error.contains("broken.db is damaged") && error.contains("--skip-damaged"), "{error}");
    assert!(!lab.file("new.db").exists());
    let skipped = lab.run(&["merge", "new.db", "a.db", "broken.db", "--skip-damaged"]);
    assert_eq!(skipped.code, Some(1));
    assert!(skipped.out.contains("parts    1 merged, and 1 left out"), "{}", skipped.out);
    lab.ok(&["export", "a.db", "--format", "ledger", "--output", "a.ledger"]);
    let error = lab.fails(2, &["merge", "a.ledger", "a.db"]);
    assert!(error.contains("a.ledger"), "{error}");
}

#[test]
fn missing_shards_and_pairs_are_named() {
    let lab = Lab::new("missing", SMALL);
    let is_there = |store: &str, more: &[&str]| {
        let args = [&["status", "it.toml", "--store", store, "--complete"], more].concat();
        lab.run(&args)
    };
    for number in ["1", "2", "4", "5", "6", "8", "9", "10", "11"] {
        let (shard, part) = (format!("{number}/12"), format!("p{number}.db"));
        lab.ok(&["run", "it.toml", "--shard", &shard, "--store", &part, "--quiet"]);
    }
    // Shard 12 without its last games.
    let first = ["--shard", "12/12", "--first", "50", "--store", "p12.db", "--quiet"];
    lab.ok(&[&["run", "it.toml"], &first[..]].concat());
    let parts = ["1", "2", "4", "5", "6", "8", "9", "10", "11", "12"];
    let parts = parts.map(|number| format!("p{number}.db"));
    let merge: Vec<&str> =
        ["merge", "all.db"].into_iter().chain(parts.iter().map(String::as_str)).collect();
    let shown = lab.ok(&merge);
    let words = "shards 3 and 7 of 12 are missing; 9 complete, 1 in part\n";
    assert!(shown.contains(&format!("missing  {words}")), "{shown}");
    assert!(shown.contains("         shard 12 lacks 6 pairs: "), "{shown}");
    let missing = lab.json(&[&merge[..], &["--json"]].concat())["missing"].clone();
    assert_eq!(missing["missing_shards"], serde_json::json!([3, 7]), "{missing}");
    assert_eq!(missing["incomplete_shards"], serde_json::json!([12]), "{missing}");
    assert_eq!((&missing["shards"], &missing["of"]), (&12.into(), &150.into()), "{missing}");
    lab.ok(&["verify", "all.db", "--sample", "1"]);
    // The check fails, and says the same.
    let found = is_there("all.db", &[]);
    assert_eq!(found.code, Some(1), "{}", found.out);
    assert!(found.out.contains(words) && found.out.contains("shard 12 lacks"), "{}", found.out);
    let json = is_there("all.db", &["--json"]);
    assert_eq!(json.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let pairs = json["missing"]["pairs"].as_array().unwrap();
    assert!(pairs.len() == 6 && pairs.iter().all(|pair| pair["shard"] == 12), "{json}");
    assert_eq!(json["missing"]["count"], 32 - 7 + 6);
    // Shards of which nobody knows: a ledger does not, and who has nothing has no store.
    lab.ok(&["export", "all.db", "--format", "ledger", "--output", "all.ledger"]);
    let unknown = is_there("all.ledger", &[]);
    assert!(unknown.code == Some(1) && unknown.out.contains("of 150 pairs: "), "{}", unknown.out);
    let given = is_there("all.ledger", &["--shards", "12"]);
    assert!(given.code == Some(1) && given.out.contains(words), "{}", given.out);
    let none = is_there("none.db", &["--shards", "2"]);
    assert!(none.code == Some(1), "{}", none.out);
    assert!(none.out.contains("shards 1 and 2 of 2 are missing; 0 complete"), "{}", none.out);
    // All is there when the others come, or if less is asked for.
    for number in ["3", "7"] {
        let (shard, part) = (format!("{number}/12"), format!("p{number}.db"));
        lab.ok(&["run", "it.toml", "--shard", &shard, "--store", &part, "--quiet"]);
        lab.ok(&["merge", "all.db", &part]);
    }
    assert_eq!(is_there("all.db", &["--first", "50"]).code, Some(0));
    assert_eq!(is_there("all.db", &[]).code, Some(1));
    lab.ok(&["run", "it.toml", "--shard", "12/12", "--store", "p12.db", "--quiet"]);
    let shown = lab.ok(&["merge", "all.db", "p12.db"]);
    assert!(shown.contains("nothing: all 12 shards are complete"), "{shown}");
    let whole = is_there("all.db", &[]);
    assert!(whole.code == Some(0) && whole.out.contains("nothing: all 12"), "{}", whole.out);
    let error = lab.fails(2, &["status", "it.toml", "--shards", "12"]);
    assert!(error.contains("--complete"), "{error}");
}

/// The scripts with a Slurm of a few lines: one machine, and one task after the other.
#[cfg(unix)]
#[test]
fn the_scripts_for_slurm_play_and_merge() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new("slurm", SMALL);
    let program = |name: &str, text: &str| {
        let path = lab.file("bin").join(name);
        std::fs::write(&path, format!("#!/bin/bash\n{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    std::fs::create_dir_all(lab.file("bin")).unwrap();
    program("sbatch", SBATCH);
    program("scontrol", "echo \"$@\" >> \"$JOURNAL\"; exit 1\n");
    let odd = "it's a $HOME \"b\" `c`";
    let folder = lab.file(odd);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("x y.toml"), SMALL.replace("games = 100", "games = 12")).unwrap();
    let file = format!("{odd}/x y.toml");
    lab.ok(&["run", &file, "--store", "one.db", "--quiet", "--no-plot"]);
    let one = lab.ok(&["report", &file, "--store", "one.db"]);
    let options = ["--time", "01:00:00", "--partition", "long", "--sbatch=--account=games"];
    let args = ["cluster", "slurm", &file, "--tasks", "12"];
    let shown = lab.ok(&[&args[..], &options[..]].concat());
    assert!(shown.contains("tasks  12 of 4 games each"), "{shown}");
    let jobs = folder.join("x y.slurm");
    let script = std::fs::read_to_string(jobs.join("array.sbatch")).unwrap();
    for line in
        ["--array=1-12", "--requeue", "--time=01:00:00", "--partition=long", "--account=games"]
    {
        assert!(script.contains(&format!("\n#SBATCH {line}\n")), "{script}");
    }
    let submit = || {
        let path = std::env::var("PATH").unwrap_or_default();
        let output = std::process::Command::new("bash")
            .arg(jobs.join("submit.sh"))
            .env("PATH", format!("{}:{path}", lab.file("bin").display()))
            .env("JOURNAL", lab.file("journal"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8_lossy(&output.stdout).into_owned(), text)
    };
    // A task that cannot write its part asks to be queued again; the others are merged.
    let journal = || std::fs::read_to_string(lab.file("journal")).unwrap();
    for part in ["part-07.db.lock", "part-12.db.lock"] {
        std::fs::create_dir_all(jobs.join(part)).unwrap();
    }
    let (out, err) = submit();
    assert!(out.contains("array 1;cluster, merge 2; progress: squeue -j 1,2"), "{out}{err}");
    // By its place in the array: 118 is the number of the array and of its last task.
    let requeued = journal();
    let requeued: Vec<_> = requeued.lines().filter(|line| line.starts_with("requeue")).collect();
    assert_eq!(requeued, ["requeue 118_7", "requeue 118_12"], "{}", journal());
    assert!(journal().contains("--dependency=afterany:1"), "{}", journal());
    assert!(journal().contains("merge ended with 1"), "{}", journal());
    assert!(err.contains("bash submit.sh plays the rest"), "{err}");
    assert!(err.contains("shards 7 and 12 of 12 are missing; 10 complete"), "{err}");
    for part in ["part-07.db.lock", "part-12.db.lock"] {
        std::fs::remove_dir_all(jobs.join(part)).unwrap();
    }
    submit();
    assert!(journal().contains("merge ended with 0"), "{}", journal());
    assert_eq!(std::fs::read_to_string(jobs.join("report.txt")).unwrap(), one);
    assert_eq!(lab.ok(&["report", &file]), one);
    // A script is brought up to date; nothing else is replaced.
    lab.ok(&args);
    std::fs::write(jobs.join("submit.sh"), "mine").unwrap();
    let error = lab.fails(2, &args);
    assert!(error.contains("it would be lost"), "{error}");
    let error = lab.fails(2, &["cluster", "slurm", &file, "--tasks", "19"]);
    assert!(error.contains("there are 18 pairs"), "{error}");
    for bad in [["--time", "soon"], ["--partition", "a b"], ["--sbatch", "account"]] {
        let error = lab.fails(2, &[&args[..], &bad[..]].concat());
        assert!(error.contains("expected"), "{error}");
    }
}

/// Runs the tasks of a script in turn, like an array of Slurm.
#[cfg(unix)]
const SBATCH: &str = r#"
script=${!#}
echo "$@" >> "$JOURNAL"
tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
if [ -n "$tasks" ]; then
    for task in $(seq "$tasks"); do
        # As Slurm numbers them: the last task has the number of the array.
        id=$((118 + (task < tasks ? task : 0)))
        SLURM_JOB_ID=$id SLURM_ARRAY_JOB_ID=118 SLURM_ARRAY_TASK_ID=$task bash "$script" >&2
    done
    echo "1;cluster"
else
    bash "$script" >&2
    echo "merge ended with $?" >> "$JOURNAL"
    echo 2
fi
"#;
