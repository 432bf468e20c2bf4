//! A tournament that is killed again and again comes to the same games as one that is not.
//!
//! The test starts its own program as a child, which plays a tournament and prints the name of
//! every pair once the store has acknowledged it. `TREEGRAFT_KILLS` is the number of kills.

#[path = "all/store_common.rs"]
mod store_common;

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use store_common::{Directory, dump, quick_plan};
use treegraft::Rng;
use treegraft_lab::store::Session;
use treegraft_lab::{PairId, RunOptions, RunWatch, Store, run};
use treegraft_players::Registry;

const PAIRS: usize = 200;
const STORE: &str = "TREEGRAFT_TEST_STORE";

/// Not a test of its own: what the children do.
#[test]
#[ignore = "what the other tests start, in cargo xtask test and cargo xtask kill"]
fn child() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let mut store = match Store::open_or_create(Path::new(&path), "kill me") {
        Ok(store) => store,
        Err(error) => {
            eprintln!("refused: {error}");
            std::process::exit(3);
        }
    };
    let mut print = |progress: &treegraft_lab::RunProgress<'_>| {
        let mut out = std::io::stdout().lock();
        for id in progress.written {
            writeln!(out, "written {id}").expect("somebody listens");
        }
        out.flush().expect("somebody listens");
    };
    let watch = RunWatch { progress: Some(&mut print), cancel: None };
    // With what the players think, which belongs to its game in whatever state the store is left.
    let options = RunOptions { jobs: 2, record: true, ..RunOptions::default() };
    let registry = Registry::standard();
    if let Err(error) = run(&registry, &quick_plan(PAIRS), &mut store, options, watch) {
        eprintln!("stopped: {error}");
        std::process::exit(4);
    }
    drop(store);
    // The test harness would print something and wait for its threads.
    std::process::exit(0);
}

/// The command that plays the tournament in this store.
fn command(path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a name"));
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(STORE, path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The pairs that the child says are written, one at a time; a line that was cut off does not
/// count.
fn acknowledged(child: &mut Child) -> impl Iterator<Item = PairId> + use<> {
    let mut out = BufReader::new(child.stdout.take().expect("its output is ours"));
    std::iter::from_fn(move || {
        loop {
            let mut line = String::new();
            if out.read_line(&mut line).expect("text") == 0 || !line.ends_with('\n') {
                return None;
            }
            if let Some(id) = line.trim_end().strip_prefix("written ") {
                return Some(id.parse().expect("the name of a pair"));
            }
        }
    })
}

/// A copy of a store, with its log, that no process has open.
fn copy(path: &Path) -> PathBuf {
    let copy = path.with_extension("copy");
    std::fs::copy(path, &copy).expect("a copy");
    let log = path.with_extension("db-wal");
    let _ = std::fs::remove_file(path.with_extension("copy-wal"));
    if log.exists() {
        std::fs::copy(log, path.with_extension("copy-wal")).expect("a copy");
    }
    copy
}

/// All games of a tournament that is not killed.
fn undisturbed(directory: &Directory) -> String {
    let path = directory.file("undisturbed.db");
    let mut child = command(&path).spawn().expect("a child");
    let pairs = acknowledged(&mut child).count();
    assert!(child.wait().expect("a child").success());
    assert_eq!(pairs, PAIRS);
    dump(&Store::open_read_only(&path).expect("a store").games().expect("rows"))
}

#[test]
fn nothing_is_lost_by_killing() {
    let kills = std::env::var("TREEGRAFT_KILLS").map_or(200, |text| {
        text.parse::<u32>()
            .unwrap_or_else(|_| panic!("TREEGRAFT_KILLS is {text:?}; expected a number"))
    });
    let directory = Directory::new();
    let expected = undisturbed(&directory);
    let mut rng = Rng::new(u64::from(kills));
    let mut killed = 0;
    let mut tournaments = 0;
    while killed < kills {
        tournaments += 1;
        let path = directory.file(&format!("{tournaments}.db"));
        let mut safe = HashSet::new();
        loop {
            let mut child = command(&path).spawn().expect("a child");
            let mut news = acknowledged(&mut child);
            if killed < kills {
                // At any moment of its life, its start included: after some pairs, and some time.
                // Or none: right behind an acknowledgement, when it had better be true.
                let pairs = [0, 1, rng.below(PAIRS as u32 / 4)][rng.below(3) as usize];
                safe.extend(news.by_ref().take(pairs as usize));
                let pause = if pairs > 0 && rng.below(2) == 0 { 0 } else { rng.below(30_000) };
                std::thread::sleep(Duration::from_micros(pause.into()));
                child.kill().expect("a child of ours");
            }
            safe.extend(news);
            let status = child.wait().expect("a child");
            // A copy is read, so that the next run finds the store as the kill has left it.
            if path.exists() {
                let copy = copy(&path);
                let done = Store::open_read_only(&copy).expect("a store").pairs_done();
                assert!(safe.is_subset(&done.expect("pairs")), "an acknowledged pair is gone");
            }
            if status.success() {
                break;
            }
            assert_eq!(status.code(), None, "a child stopped that was not killed");
            killed += 1;
        }
        let store = Store::open_read_only(&path).expect("a store");
        let report = store.check();
        assert!(report.is_intact(), "{:?}", report.problems);
        assert!(
            safe.is_subset(&store.pairs_done().expect("pairs")),
            "an acknowledged pair is gone"
        );
        assert!(
            dump(&store.games().expect("rows")) == expected,
            "not the games of an undisturbed run"
        );
        assert_eq!(report.games, 2 * PAIRS);
        assert_eq!(store.thoughts().expect("thoughts").len(), 2 * PAIRS);
    }
    println!("{killed} kills in {tournaments} tournaments");
}

#[test]
fn a_second_run_is_refused_by_name() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let mut store = Store::open_or_create(&path, "").expect("a store");
    store.begin_session(&Session::here(1, "", "{}".to_owned())).expect("a session");
    let second = command(&path).output().expect("a child");
    let message = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(3), "{message}");
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    let plan = quick_plan(PAIRS);
    let (registry, options) = (Registry::standard(), RunOptions::default());
    run(&registry, &plan[..2], &mut store, options, RunWatch::default()).expect("no harm done");
    drop(store);
    assert!(command(&path).output().expect("a child").status.success());
}

/// A file that may not grow stands for a disk that is full: the same error comes back from writing.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let child = command(&path);
    let mut limited = Command::new("sh");
    // Blocks of 512 bytes; the signal that goes with the limit is ignored.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 300; exec \"$0\" \"$@\""])
        .arg(child.get_program());
    limited.args(child.get_args()).env(STORE, &path);
    let mut child = limited.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell");
    let safe: HashSet<PairId> = acknowledged(&mut child).collect();
    let output = child.wait_with_output().expect("a child");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(message.contains("cannot write"), "{message}");
    assert!(!safe.is_empty() && safe.len() < PAIRS, "{} pairs", safe.len());
    let done = Store::open_read_only(&path).expect("a store").pairs_done().expect("pairs");
    assert_eq!(done, safe, "what was acknowledged and nothing else");
    // There is room again.
    assert!(command(&path).output().expect("a child").status.success());
    let games = Store::open_read_only(&path).expect("a store").games().expect("rows");
    assert!(dump(&games) == undisturbed(&directory));
}
