//! Long checks in blocks: a block is seeded by its number alone, and a ledger remembers which are done.
//!
//! The environment says how much: `TREEGRAFT_BLOCKS` is `FIRST..LAST`, `TREEGRAFT_MINUTES` the time after
//! which no block is begun, `TREEGRAFT_LEDGER` the file that grows by a line a block, and
//! `TREEGRAFT_COMMIT` what was checked.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

/// What a block has found: numbers by name, and what is wrong.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) counts: Vec<(&'static str, u64)>,
    pub(crate) wrong: Vec<String>,
}

/// Sums by name.
type Sums = BTreeMap<String, u64>;

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Works on two threads through the blocks that are not done.
///
/// # Panics
///
/// If a block, also one that the ledger remembers, found something wrong.
pub(crate) fn run(usual: Range<u64>, block: impl Fn(u64) -> Found + Sync) {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let blocks = variable("TREEGRAFT_BLOCKS").map_or(usual, |text| {
        let (first, last) = text.split_once("..").expect("FIRST..LAST");
        number(first)..number(last)
    });
    let minutes: f64 =
        variable("TREEGRAFT_MINUTES").map_or(f64::MAX, |text| text.parse().expect("minutes"));
    let path = variable("TREEGRAFT_LEDGER");
    let read = || path.as_ref().and_then(|it| std::fs::read_to_string(it).ok()).unwrap_or_default();
    let known = read();
    let is_done =
        |number: u64| known.lines().any(|line| line.starts_with(&format!("block {number}: ")));
    // Without a file to remember them, lines are kept until the end.
    let ledger = Mutex::new(String::new());
    let write = |text: &str| {
        let mut all = ledger.lock().expect("whole");
        all.push_str(text);
        if let Some(path) = &path {
            let file = std::fs::File::options().create(true).append(true).open(path);
            file.and_then(|mut file| file.write_all(text.as_bytes()))
                .expect("the ledger is written");
        }
    };
    write(&format!("# commit {}\n", variable("TREEGRAFT_COMMIT").unwrap_or_default()));
    let begun = Instant::now();
    let next = Mutex::new(blocks.filter(|&number| !is_done(number)));
    let so_far = Mutex::new(Sums::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while begun.elapsed().as_secs_f64() < minutes * 60.0 {
                    let Some(number) = next.lock().expect("whole").next() else { break };
                    let mut found = block(number);
                    found.counts.push(("wrong", found.wrong.len() as u64));
                    let counts: Vec<String> =
                        found.counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
                    let wrong: String = found.wrong.iter().map(|it| format!("  {it}\n")).collect();
                    write(&format!("block {number}: {}\n{wrong}", counts.join(", ")));
                    let mut sums = so_far.lock().expect("whole");
                    for (name, n) in found.counts {
                        *sums.entry(name.to_owned()).or_default() += n;
                    }
                    eprintln!("{} in {:.0} s", shown(&sums), begun.elapsed().as_secs_f64());
                }
            });
        }
    });
    let here = ledger.into_inner().expect("whole");
    let text = if path.is_some() { read() } else { here };
    let (all, latest) = sums(&text);
    eprintln!("in the ledger: {}; of this commit: {}", shown(&all), shown(&latest));
    let wrong: Vec<&str> = text.lines().filter(|line| line.starts_with("  ")).take(20).collect();
    assert!(all.get("wrong").is_none_or(|&n| n == 0), "such as\n{}", wrong.join("\n"));
}

fn shown(sums: &Sums) -> String {
    let parts: Vec<String> = sums.iter().map(|(name, n)| format!("{name} {n}")).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// The sums of a ledger, and those of the commit that it names last.
fn sums(text: &str) -> (Sums, Sums) {
    let last = text.lines().rfind(|line| line.starts_with("# commit ")).unwrap_or_default();
    let (mut all, mut latest, mut commit) = (Sums::new(), Sums::new(), "");
    for line in text.lines() {
        if line.starts_with("# commit ") {
            commit = line;
        }
        let Some((_, counts)) = line.strip_prefix("block ").and_then(|it| it.split_once(": "))
        else {
            continue;
        };
        for count in counts.split(", ") {
            let Some((name, n)) = count.rsplit_once(' ') else { continue };
            let n: u64 = n.parse().unwrap_or(0);
            *all.entry(name.to_owned()).or_default() += n;
            if commit == last {
                *latest.entry(name.to_owned()).or_default() += n;
            }
        }
    }
    (all, latest)
}

#[test]
fn a_ledger_is_added_up_by_commit() {
    let text =
        "# commit a\nblock 1: players 5, wrong 0\n# commit b\nblock 2: players 7, wrong 1\n  ill\n";
    let (all, latest) = sums(text);
    assert_eq!((all["players"], all["wrong"]), (12, 1));
    assert_eq!((latest["players"], latest["wrong"]), (7, 1));
}
