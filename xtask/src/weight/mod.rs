//! What the project weighs, compared with the last landing and with its limits.

mod rust;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rust::Source;

use crate::output;

/// The weights of the last landing, with the limits: a line for each weight.
const LEDGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/weight.txt");

/// The number of traits that are listed.
const TRAITS: usize = 5;

/// Measured only on demand: the build takes minutes.
const PROGRAM: &str = "program, bytes";

/// One line of the ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// At the commit that the ledger names.
    first: Option<u64>,
    /// At the last landing.
    last: Option<u64>,
    limit: Option<u64>,
    goal: Option<u64>,
}

/// The ledger: the lines that explain it, and the weights in the order in which they stand there.
#[derive(Debug, PartialEq, Eq)]
struct Ledger {
    head: String,
    entries: Vec<(String, Entry)>,
}

/// Measures, and prints a table; `options` are `--program` and `--write`.
pub(crate) fn weigh(options: &[String]) -> Result<(), String> {
    if let Some(unknown) = options.iter().find(|it| !["--program", "--write"].contains(&&***it)) {
        return Err(format!("there is no option {unknown}; expected --program or --write"));
    }
    let has = |option: &str| options.iter().any(|it| it == option);
    let mut ledger = Ledger::load()?;
    let mut weights = measure(&root())?;
    weights.push(("pack, bytes".into(), pack(&root())?));
    if has("--program") {
        weights.push((PROGRAM.into(), program(&root())?));
    }
    print!("{}", ledger.table(&weights));
    if has("--write") {
        ledger.set(&weights);
        std::fs::write(LEDGER, ledger.to_string()).map_err(|error| format!("{LEDGER}: {error}"))?;
    }
    match &*ledger.exceeded(&weights) {
        [] => Ok(()),
        exceeded => Err(exceeded.join("\n")),
    }
}

impl Ledger {
    fn load() -> Result<Ledger, String> {
        let text = std::fs::read_to_string(LEDGER).map_err(|error| format!("{LEDGER}: {error}"))?;
        text.parse()
    }

    fn get(&self, name: &str) -> Entry {
        let found = self.entries.iter().find(|(known, _)| known == name);
        found.map_or(Entry::default(), |(_, entry)| *entry)
    }

    /// Records the weights as those of the last landing. What is no longer measured and has neither
    /// a first weight nor a limit is left out.
    fn set(&mut self, weights: &[(String, u64)]) {
        for (name, entry) in &mut self.entries {
            entry.last = entry.last.filter(|_| name == PROGRAM);
        }
        for (name, weight) in weights {
            match self.entries.iter_mut().find(|(known, _)| known == name) {
                Some((_, entry)) => entry.last = Some(*weight),
                None => {
                    let entry = Entry { last: Some(*weight), ..Entry::default() };
                    self.entries.push((name.clone(), entry));
                }
            }
        }
        self.entries.retain(|(_, entry)| *entry != Entry::default());
    }

    /// The weights beside those of the ledger.
    fn table(&self, weights: &[(String, u64)]) -> String {
        let mut text = format!(
            "{:<36}{:>11}{:>11}{:>8}{:>11}{:>8}{:>11}{:>11}\n",
            "", "now", "last", "", "first", "", "limit", "goal"
        );
        for (name, now) in weights {
            let Entry { first, last, limit, goal } = self.get(name);
            let change = |before: Option<u64>| match before {
                Some(before) if before > 0 => {
                    format!("{:+.1} %", 100.0 * (*now as f64 / before as f64 - 1.0))
                }
                _ => String::new(),
            };
            let [last_text, first_text, limit, goal] = [last, first, limit, goal].map(shown);
            let _ = writeln!(
                text,
                "{name:<36}{now:>11}{last_text:>11}{:>8}{first_text:>11}{:>8}{limit:>11}{goal:>11}",
                change(last),
                change(first),
            );
        }
        text
    }

    /// The weights above their limits, in words.
    fn exceeded(&self, weights: &[(String, u64)]) -> Vec<String> {
        let above = weights.iter().filter_map(|(name, now)| {
            let limit = self.get(name).limit.filter(|limit| now > limit)?;
            Some(format!("{name}: {now}, and xtask/weight.txt allows {limit}"))
        });
        above.collect()
    }
}

fn shown(weight: Option<u64>) -> String {
    weight.map_or("-".to_owned(), |weight| weight.to_string())
}

impl std::str::FromStr for Ledger {
    type Err = String;

    fn from_str(text: &str) -> Result<Ledger, String> {
        let (head, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#') || line.is_empty());
        let number = |text: &str| match text {
            "-" => Ok(None),
            text => text.parse().map(Some).map_err(|_| format!("{text:?} is not a weight")),
        };
        let entries = lines.into_iter().map(|line| {
            let mut fields: Vec<&str> = line.rsplitn(5, char::is_whitespace).collect();
            fields.reverse();
            let [name, first, last, limit, goal] = fields[..] else {
                return Err(format!("{line:?} is not a name with four weights"));
            };
            let [first, last, limit, goal] = [first, last, limit, goal].map(number);
            Ok((name.to_owned(), Entry { first: first?, last: last?, limit: limit?, goal: goal? }))
        });
        let head = head.iter().map(|line| format!("{line}\n")).collect();
        Ok(Ledger { head, entries: entries.collect::<Result<_, String>>()? })
    }
}

impl std::fmt::Display for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.head)?;
        for (name, Entry { first, last, limit, goal }) in &self.entries {
            let weights = [first, last, limit, goal].map(|weight| shown(*weight));
            writeln!(f, "{name} {}", weights.join(" "))?;
        }
        Ok(())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All weights that are known in a second.
fn measure(root: &Path) -> Result<Vec<(String, u64)>, String> {
    let files = output(Command::new("git").args(["ls-files", "-z"]).current_dir(root))?;
    let mut bytes = 0;
    let mut sources = Vec::new();
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        // What is removed and not committed yet is still listed.
        let Ok(metadata) = std::fs::symlink_metadata(root.join(file)) else { continue };
        bytes += metadata.len();
        if file.ends_with(".rs") {
            let text = std::fs::read_to_string(root.join(file));
            sources.push(Source::new(file, &text.map_err(|error| format!("{file}: {error}"))?));
        }
    }
    let mut code: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut all, mut tests, mut forwarding) = (0, 0, 0);
    let mut traits: Vec<(String, u64)> = Vec::new();
    for source in &sources {
        let lines = source.lines.len() as u64;
        if source.is_test {
            tests += lines;
            continue;
        }
        all += lines;
        *code.entry(&source.part).or_default() += lines;
        forwarding += source.forwarding() as u64;
        traits.extend(source.traits().into_iter().map(|(name, count)| (name, count as u64)));
    }
    traits.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut known = HashSet::new();
    traits.retain(|(name, _)| known.insert(name.clone()));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let mut weights = vec![("code, lines".to_owned(), all)];
    weights.extend(code.into_iter().map(|(part, lines)| (format!("code, {part}"), lines)));
    weights.push(("tests, lines".into(), tests));
    weights.push(("largest trait, methods".into(), traits.first().map_or(0, |(_, count)| *count)));
    let largest = traits.into_iter().take(TRAITS);
    weights.extend(largest.map(|(name, count)| (format!("trait {name}, methods"), count)));
    weights.push(("forwarding, lines".into(), forwarding));
    weights.push(("README, lines".into(), readme.lines().count() as u64));
    weights.push(("checkout, bytes".into(), bytes));
    Ok(weights)
}

/// The bytes of the pack that a clone of the project fetches.
fn pack(root: &Path) -> Result<u64, String> {
    let mut git = Command::new("git");
    git.args(["pack-objects", "--revs", "--stdout", "-q"]).current_dir(root);
    let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let git = git.as_mut().map_err(|error| format!("git: {error}"))?;
    let (input, output) = (git.stdin.take(), git.stdout.take());
    let sent = input.expect("piped").write_all(b"HEAD\n");
    let fetched =
        sent.and_then(|()| std::io::copy(&mut output.expect("piped"), &mut std::io::sink()));
    match git.wait() {
        Ok(status) if status.success() => fetched.map_err(|error| format!("git: {error}")),
        _ => Err("git cannot pack the project".to_owned()),
    }
}

/// The bytes of the program as it is handed out, which is built for it.
fn program(root: &Path) -> Result<u64, String> {
    if !crate::step("program", "build --profile dist --locked -p treegraft-cli").run() {
        return Err("the program cannot be built".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let name = format!("treegraft{}", std::env::consts::EXE_SUFFIX);
    let path = target.join("dist").join(name);
    let metadata = std::fs::metadata(&path);
    Ok(metadata.map_err(|error| format!("{}: {error}", path.display()))?.len())
}
