//! `treegraft reproduce`: what a new user tries, and what an interruption leaves.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{Run, command, finish, json, ok, refused};

/// A folder that does not exist yet.
fn no_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The experiments of these tests: games, traps and trees.
const IDS: [&str; 3] =
    ["baier-2018/ic-500", "baier-winands-2015/widths-moves", "weinstein-2012/binary"];

fn smoke<'a>(dir: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["reproduce"];
    args.extend(IDS);
    args.extend(["--scale", "smoke", "--jobs", "1", "--dir", dir]);
    args.extend(more);
    args
}

/// Every file of a report.
fn pages(dir: &Path) -> Vec<(String, String)> {
    let out = dir.join("out");
    let args =
        ["reproduce", "report", "--scale", "smoke", "--dir", dir.to_str().unwrap(), "--html"];
    ok(&[&args[..], &[out.to_str().unwrap()]].concat());
    let names = ["index.html", "README.md", "baier-2018/README.md", "weinstein-2012/README.md"];
    let read = |name: &&str| ((*name).to_owned(), std::fs::read_to_string(out.join(name)).unwrap());
    names.iter().map(read).collect()
}

#[test]
fn killed_again_and_again_the_report_is_the_same() {
    let whole = no_folder("reproduce-whole");
    let text = ok(&smoke(whole.to_str().unwrap(), &[]));
    assert!(IDS.iter().all(|id| text.contains(&format!("{id}  done"))), "{text}");
    let parts = no_folder("reproduce-parts");
    let args = smoke(parts.to_str().unwrap(), &[]);
    for milliseconds in [5, 10, 20, 40, 60, 80, 100, 150, 200] {
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let text = ok(&args);
    assert!(IDS.iter().all(|id| text.contains(&format!("{id}  done"))), "{text}");
    let (whole, parts) = (pages(&whole), pages(&parts));
    for ((name, one), (_, other)) in whole.iter().zip(&parts) {
        assert!(one == other, "{name}");
    }
    let page = &whole[0].1;
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("name=\"viewport\""));
    // It opens without a network, and says in words what its pictures show.
    assert!(!page.contains("src=") && !page.contains("<link"), "something is loaded");
    let pictures = page.matches("<svg ").count();
    assert!(pictures > 5 && pictures == page.matches("role=\"img\" aria-label=\"").count());
}

#[test]
fn results_are_files_of_other_commands() {
    let dir = no_folder("reproduce-files");
    let id = "baier-2018/ic-500";
    let dir_text = dir.to_str().unwrap();
    ok(&["reproduce", id, "--scale", "smoke", "--dir", dir_text]);
    let file = dir.join("baier-2018/smoke/ic-500.toml");
    let report = ok(&["report", file.to_str().unwrap()]);
    assert!(report.contains("MCTS-IC"), "{report}");
    // What is done is not done again.
    let again = json(&["reproduce", id, "--scale", "smoke", "--dir", dir_text, "--json"]);
    assert_eq!((&again["done"], &again["planned"]), (&3.into(), &3.into()));
    let list = json(&["reproduce", "list", id, "--dir", dir_text, "--json"]);
    assert_eq!(list[0]["state"][0]["done"], 3);
    let rows = json(&["reproduce", "report", id, "--scale", "smoke", "--dir", dir_text, "--json"]);
    assert!(rows.as_array().unwrap().iter().any(|row| row["paper"] == 54.6), "{rows}");
    let table = ok(&["reproduce", "report", id, "--scale", "smoke", "--dir", dir_text]);
    assert!(table.contains("54.6 (51.5–57.7)"), "{table}");
}

/// What was played at one scale is not played again at another.
#[test]
fn scales_share_their_games() {
    let dir = no_folder("reproduce-scales");
    let (id, dir_text) = ("baier-winands-2015/sanity", dir.to_str().unwrap());
    let folder = dir.join("baier-winands-2015");
    std::fs::create_dir_all(folder.join("long")).unwrap();
    let committed = "../../papers/baier-winands-2015/long/sanity.ledger";
    std::fs::copy(committed, folder.join("long/sanity.ledger")).unwrap();
    let quick = json(&["reproduce", id, "--dir", dir_text, "--json"]);
    assert_eq!((&quick["scale"], &quick["done"]), (&"quick".into(), &quick["planned"]));
    assert!(!folder.join("quick/sanity.db").exists(), "games were played twice");
    let rows = json(&["reproduce", "report", id, "--scale", "quick", "--dir", dir_text, "--json"]);
    let count = |rows: &serde_json::Value| rows[0]["count"].as_u64().unwrap();
    let all = json(&["reproduce", "report", id, "--dir", dir_text, "--json"]);
    assert!(count(&rows) > 0 && count(&rows) < count(&all), "{rows} {all}");
}

#[test]
fn the_list_has_everything() {
    let list = ok(&["reproduce", "list", "--dir", "nowhere"]);
    assert!(list.contains("495 of 504 published values are covered"), "{list}");
    let all = json(&["reproduce", "list", "--dir", "nowhere", "--json"]);
    let values = all.as_array().unwrap().iter().map(|entry| entry["published"].as_array().unwrap());
    assert_eq!(values.map(Vec::len).sum::<usize>(), 495);
}

#[test]
fn what_is_wrong_is_said() {
    let error = refused(&["reproduce", "weinstein-2021"]);
    assert!(error.contains("did you mean weinstein-2012?"), "{error}");
    let error = refused(&["reproduce", "ic-500"]);
    assert!(error.contains("did you mean baier-2018/ic-500?"), "{error}");
    let error = refused(&["reproduce", "baier-2018", "--scale", "huge"]);
    assert!(error.contains("expected one of smoke, quick, long, paper"), "{error}");
    let error = refused(&["reproduce", "lanctot-2014/breakthrough-5", "--dir", "nowhere"]);
    assert!(error.contains("has no scale quick"), "{error}");
    let error = refused(&["reproduce", "weinstein-2012/uniform", "--budget", "time"]);
    assert!(error.contains("emulated budgets only"), "{error}");
    let error = refused(&["reproduce", "report", "--dir", "nowhere"]);
    assert!(error.contains("there are no results in nowhere"), "{error}");
    let Run { code, .. } = finish(command(&["reproduce"]));
    assert_eq!(code, Some(2));
    assert!(!Path::new("nowhere").exists());
}

/// A page of the report replaces no file that is something else.
#[test]
fn other_files_are_not_replaced() {
    let dir = no_folder("reproduce-kept");
    let dir_text = dir.to_str().unwrap();
    ok(&["reproduce", "baier-2018/ic-500", "--scale", "smoke", "--dir", dir_text]);
    let out = dir.join("out");
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(out.join("README.md"), "# My notes\n").unwrap();
    let out_text = out.to_str().unwrap();
    let run = finish(command(&["reproduce", "report", "--dir", dir_text, "--html", out_text]));
    assert!(run.code != Some(0) && run.err.contains("README.md"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(out.join("README.md")).unwrap(), "# My notes\n");
}
