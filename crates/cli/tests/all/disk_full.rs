//! Disks that are full: whatever is written ends with an error that names the file and the reason,
//! what was saved before stays, and nothing half-written has the name of an output.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use treegraft::Rng;

use crate::common::limits::limited;
use crate::common::{Run, finish};
use crate::experiments::Lab;

const EXPERIMENT: &str = "\
game = \"connect4:4x4\"
games = 40
players = [\"mcts@10it\", \"random\"]
openings = { random = 2 }
record = \"thinking\"
";

/// What is written, and by which command. All of them read `it.toml` and `it.db`.
const OUTPUTS: [(&str, &str); 8] = [
    ("g.csv", "export it.db --output g.csv"),
    ("g.jsonl", "export it.db --format jsonl --output g.jsonl"),
    ("g.ledger", "export it.db --format ledger --output g.ledger"),
    ("r.svg", "report it.toml --plot r.svg"),
    ("r.png", "report it.toml --plot r.png"),
    ("t.svg", "trace breakthrough:5x5 mcts-ab@60it --svg t.svg"),
    ("w.weights", "tune connect4:4x4 --player random --games 10 --out w.weights"),
    ("b.svg", "show connect4 --svg b.svg"),
];

/// How many sizes are tried of what has `full` bytes: all within the first 4 KiB, or some, and
/// random ones up to the full size.
#[derive(Clone, Copy)]
struct Sizes {
    first: u64,
    random: u32,
}

const FEW: Sizes = Sizes { first: 3, random: 4 };
const SOME: Sizes = Sizes { first: 10, random: 30 };
const ALL: Sizes = Sizes { first: 4096, random: 500 };

impl Sizes {
    /// Numbers of bytes that are not enough.
    fn below(self, full: u64, seed: u64) -> Vec<u64> {
        let mut rng = Rng::new(seed);
        let mut random = |end: u64| u64::from(rng.below(u32::try_from(end).expect("small files")));
        let beginning = full.min(4096);
        let mut sizes: Vec<u64> = match self.first >= beginning {
            true => (0..beginning).collect(),
            false => (0..self.first).map(|_| random(beginning)).collect(),
        };
        sizes.extend((0..self.random).map(|_| random(full)));
        sizes.extend([0, full - 1]);
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The names of all files, hidden ones too. What SQLite keeps beside a store comes and goes.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let names = files.map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.contains(".db-")).collect();
    names.sort();
    names
}

fn in_limit(lab: &Lab, bytes: u64, line: &str) -> Run {
    finish(limited(bytes, &lab.command(&words(line))))
}

/// Whether a message names the file and says why it could not be written.
fn is_clear(error: &str, file: &str) -> bool {
    let reasons = ["File too large", "No space left on device", "disk is full"];
    error.contains("error: ")
        && error.contains(file)
        && reasons.iter().any(|reason| error.contains(reason))
}

fn outputs_are_whole_or_as_before(name: &str, sizes: Sizes) {
    let lab = Lab::new(name, EXPERIMENT);
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
    let mut tried = 0;
    for (seed, (file, line)) in OUTPUTS.into_iter().enumerate() {
        lab.ok(&words(line));
        let whole = fs::read(lab.file(file)).unwrap();
        let full = whole.len() as u64;
        let before = names(&lab.file(""));
        for (number, bytes) in sizes.below(full, seed as u64).into_iter().enumerate() {
            // With an old file there, and without.
            let has_old = number % 2 == 0;
            match has_old {
                true => fs::write(lab.file(file), &whole).unwrap(),
                false => fs::remove_file(lab.file(file)).unwrap(),
            }
            let run = in_limit(&lab, bytes, line);
            assert_eq!(run.code, Some(1), "{line} within {bytes}: {}", run.err);
            assert!(is_clear(&run.err, file), "{line} within {bytes}: {}", run.err);
            let left = fs::read(lab.file(file)).ok();
            assert_eq!(left, has_old.then(|| whole.clone()), "{line} within {bytes}");
            fs::write(lab.file(file), &whole).unwrap();
            assert_eq!(names(&lab.file("")), before, "{line} within {bytes}");
            tried += 1;
        }
        let run = in_limit(&lab, full, line);
        assert_eq!(run.code, Some(0), "{line} within {full}: {}", run.err);
        assert_eq!(fs::read(lab.file(file)).unwrap(), whole);
    }
    println!("{tried} sizes of {} kinds of file", OUTPUTS.len());
}

fn stores_keep_what_was_saved(name: &str, sizes: Sizes) {
    let lab = Lab::new(name, EXPERIMENT);
    let run = "run it.toml --no-plot --jobs 1 --json --store";
    // The last line has the report.
    let report = |run: &str| {
        let line = run.lines().last().expect("the end of the run");
        let report: Value = serde_json::from_str(line).unwrap();
        report["report"].clone()
    };
    let undisturbed = report(&lab.ok(&words(&format!("{run} one.db"))));
    assert!(undisturbed["results"].is_array(), "{undisturbed}");
    let full = fs::metadata(lab.file("one.db")).unwrap().len();
    // Some games are there already.
    lab.ok(&words(&format!("{run} some.db --first 10")));
    let mut ends = [0, 0];
    for (number, bytes) in sizes.below(full, 7).into_iter().enumerate() {
        let is_new = number % 2 == 0;
        if !is_new {
            fs::copy(lab.file("some.db"), lab.file("s.db")).unwrap();
        }
        let ended = in_limit(&lab, bytes, &format!("{run} s.db"));
        let is_whole = ended.code == Some(0);
        if !is_whole {
            assert_eq!(ended.code, Some(1), "within {bytes}: {}", ended.err);
            assert!(is_clear(&ended.err, "s.db"), "within {bytes}: {}", ended.err);
        }
        ends[usize::from(is_whole)] += 1;
        let is_there = lab.file("s.db").exists();
        assert!(is_there || is_new, "within {bytes}: the store is gone");
        if is_there {
            // Intact, with what was there before and whatever else was said to be saved.
            let verified = lab.json(&["verify", "s.db", "--sample", "1", "--json"]);
            let games = verified["games_replayed"].as_u64().unwrap();
            assert!(is_new || games >= 10, "within {bytes}: {games} games of 10");
            assert!(!is_whole || games == 40, "within {bytes}: {games} games of 40");
        }
        // The same command goes on, which takes the longest of all.
        if number % 6 == 0 {
            let again = report(&lab.ok(&words(&format!("{run} s.db"))));
            assert_eq!(again, undisturbed, "within {bytes}");
            let left: Vec<_> =
                names(&lab.file("")).into_iter().filter(|it| it.starts_with("s.db")).collect();
            assert_eq!(left, ["s.db", "s.db.lock"], "within {bytes}");
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(lab.file(&format!("s.db{suffix}")));
        }
    }
    println!("{} runs ended with an error, {} had room enough", ends[0], ends[1]);
    assert!(ends[0] > 5, "{ends:?}");
}

fn merging_keeps_what_was_saved(name: &str, sizes: Sizes) {
    let lab = Lab::new(name, EXPERIMENT);
    let shard = |shard: &str, store: &str| {
        lab.ok(&["run", "it.toml", "--shard", shard, "--store", store, "--quiet"]);
    };
    shard("1/2", "a.db");
    shard("2/2", "b.db");
    lab.ok(&["merge", "one.db", "a.db", "b.db"]);
    let full = fs::metadata(lab.file("one.db")).unwrap().len();
    for bytes in sizes.below(full, 9) {
        lab.ok(&["merge", "m.db", "a.db"]);
        let run = in_limit(&lab, bytes, "merge m.db b.db");
        if run.code != Some(0) {
            assert_eq!(run.code, Some(1), "within {bytes}: {}", run.err);
            assert!(is_clear(&run.err, "m.db"), "within {bytes}: {}", run.err);
        }
        lab.ok(&["verify", "m.db", "--sample", "1"]);
        let pairs = lab.json(&["status", "it.toml", "--store", "m.db", "--json"])["pairs"].clone();
        let expected = if run.code == Some(0) { 20 } else { 10 };
        assert_eq!(pairs, expected, "within {bytes}: a part is merged whole or not at all");
        lab.ok(&["merge", "m.db", "b.db"]);
        lab.ok(&["status", "it.toml", "--store", "m.db", "--complete"]);
        fs::remove_file(lab.file("m.db")).unwrap();
    }
}

/// The signal that ends programs at this limit is not what ends this one.
#[test]
fn outputs_are_whole_or_as_before_when_the_disk_is_full() {
    outputs_are_whole_or_as_before("full-outputs", FEW);
}

#[test]
fn stores_keep_what_was_saved_when_the_disk_is_full() {
    stores_keep_what_was_saved("full-store", SOME);
}

#[test]
fn merging_keeps_what_was_saved_when_the_disk_is_full() {
    merging_keeps_what_was_saved("full-merge", FEW);
}

/// A disk of its own in a folder, as long as it lives.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    /// `None` where none can be made: that takes root, and Linux.
    fn mount(folder: &Path, kilobytes: u64) -> Option<SmallDisk<'_>> {
        fs::create_dir_all(folder).unwrap();
        let size = format!("size={kilobytes}k");
        let mount = ["-t", "tmpfs", "-o", &size, "treegraft-test"];
        let made = Command::new("mount").args(mount).arg(folder).output();
        made.is_ok_and(|output| output.status.success()).then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// How a command ended on a small disk.
fn on_small_disk(lab: &Lab, line: &str, file: &str, kilobytes: u64) -> bool {
    let run = lab.run(&words(line));
    if run.code == Some(0) {
        return true;
    }
    assert_eq!(run.code, Some(1), "{line} on {kilobytes} KiB: {}", run.err);
    assert!(is_clear(&run.err, file), "{line} on {kilobytes} KiB: {}", run.err);
    false
}

/// How many commands had no room on disks of these sizes; `None` where there are no small disks.
fn small_disks(name: &str, kilobytes: impl IntoIterator<Item = u64>) -> Option<usize> {
    let lab = Lab::new(name, EXPERIMENT);
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
    let small = lab.file("small");
    let mut filled = 0;
    for kilobytes in kilobytes {
        let Some(disk) = SmallDisk::mount(&small, kilobytes) else {
            println!("skipped: no small disk can be mounted here");
            return None;
        };
        for (file, line) in OUTPUTS {
            let line = line.replace(file, &format!("small/{file}"));
            let is_whole = on_small_disk(&lab, &line, file, kilobytes);
            let expected = if is_whole { vec![file.to_owned()] } else { Vec::new() };
            assert_eq!(names(&small), expected, "{line} on {kilobytes} KiB");
            let _ = fs::remove_file(small.join(file));
            filled += usize::from(!is_whole);
        }
        let run = "run it.toml --no-plot --quiet --jobs 1 --store small/s.db";
        filled += usize::from(!on_small_disk(&lab, run, "s.db", kilobytes));
        if small.join("s.db").exists() {
            // With what else stands beside it, on a disk that has room.
            fs::create_dir(lab.file("copy")).unwrap();
            for name in ["s.db", "s.db-wal"].iter().filter(|name| small.join(name).exists()) {
                fs::copy(small.join(name), lab.file("copy").join(name)).unwrap();
            }
            lab.ok(&["verify", "copy/s.db", "--sample", "1"]);
            lab.ok(&["run", "it.toml", "--store", "copy/s.db", "--quiet", "--no-plot"]);
            lab.ok(&["status", "it.toml", "--store", "copy/s.db", "--complete"]);
            fs::remove_dir_all(lab.file("copy")).unwrap();
        }
        drop(disk);
    }
    println!("{filled} disks were too small");
    Some(filled)
}

/// Where a new store has no room, where its first games have none, and later.
#[test]
fn nothing_is_lost_on_a_small_disk() {
    let filled = small_disks("small-disk", [40, 76, 92, 120]);
    assert!(filled.is_none_or(|filled| filled >= 4), "{filled:?}");
}

#[test]
#[ignore = "takes minutes, and root: cargo xtask full-disk"]
fn every_size_of_a_small_disk() {
    let filled = small_disks("small-disks", (4..400).step_by(4));
    assert!(filled.is_none_or(|filled| filled > 20), "{filled:?}");
}

#[test]
#[ignore = "takes many minutes: cargo xtask full-disk"]
fn every_size_of_outputs() {
    outputs_are_whole_or_as_before("every-output", ALL);
}

#[test]
#[ignore = "takes many minutes: cargo xtask full-disk"]
fn every_size_of_a_store() {
    stores_keep_what_was_saved("every-store", ALL);
}

#[test]
#[ignore = "takes minutes: cargo xtask full-disk"]
fn every_size_of_a_merged_store() {
    merging_keeps_what_was_saved("every-merge", Sizes { first: 200, random: 500 });
}
