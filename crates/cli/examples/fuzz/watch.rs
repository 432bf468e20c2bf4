//! Runs cases in processes of their own, and watches them.

use std::fs;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use treegraft::Rng;
use treegraft::bits::mix;

use crate::Options;
use crate::targets::{Bench, TARGETS};

/// A case that takes longer is a fault. Commands have ways to end earlier.
const LONGEST: Duration = Duration::from_secs(10);

/// A worker that has more memory resident is a fault, in kilobytes.
const LARGEST_KB: u64 = 1 << 20;

/// How long one target is in turn.
const TURN: u64 = 20;

/// More faults than this are more of the same.
const ENOUGH: usize = 50;

pub(crate) fn run(options: &Options) -> ExitCode {
    if let Some(target) = &options.target
        && !TARGETS.iter().any(|(name, _)| name == target)
    {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        eprintln!("error: there is no target {target:?}: {names}");
        return ExitCode::from(2);
    }
    match (&options.target, options.case, &options.note) {
        (Some(target), Some(case), Some(note)) => work(options, target, case, note),
        (Some(target), Some(case), None) => {
            Bench::new(target).run(target, &mut random(options.seed, target, case));
            println!("{target} {case}: no fault");
            ExitCode::SUCCESS
        }
        _ => supervise(options),
    }
}

/// The random numbers of a case.
fn random(seed: u64, target: &str, case: u64) -> Rng {
    let name = target.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte)));
    Rng::new(mix(name ^ case))
}

/// A worker: cases from `case` on, each noted before it begins.
fn work(options: &Options, target: &str, mut case: u64, note: &str) -> ExitCode {
    let start = Instant::now();
    let bench = Bench::new(target);
    while start.elapsed().as_secs() < options.until.unwrap_or(TURN) {
        // A rename would be safer than writing in place, and half of the time of a small case.
        fs::write(note, format!("{case}\n")).expect("a note of the case");
        bench.run(target, &mut random(options.seed, target, case));
        case += 1;
    }
    fs::write(note, format!("{case}\n")).expect("a note of the case");
    ExitCode::SUCCESS
}

fn supervise(options: &Options) -> ExitCode {
    let start = Instant::now();
    let left = || options.seconds.saturating_sub(start.elapsed().as_secs());
    let mut next = [0_u64; TARGETS.len()];
    let mut faults: Vec<String> = Vec::new();
    let shares: u32 = TARGETS.iter().map(|(_, share)| share).sum();
    'all: loop {
        for (place, (target, share)) in TARGETS.iter().enumerate() {
            if options.target.as_ref().is_some_and(|only| only != target) {
                continue;
            }
            if left() == 0 || faults.len() >= ENOUGH {
                break 'all;
            }
            // Short runs have a turn for every target, too.
            let fair = options.seconds * u64::from(*share) / u64::from(shares);
            let seconds = (TURN * u64::from(*share)).min(fair.max(1)).min(left());
            let (reached, fault) = turn(options.seed, target, next[place], seconds);
            next[place] = reached;
            if let Some(fault) = fault {
                println!("FAULT {target} --seed {} --case {reached}: {fault}", options.seed);
                faults.push(format!("{target} {reached}"));
                next[place] += 1;
            }
        }
        let counts: Vec<String> =
            TARGETS.iter().zip(next).map(|((name, _), count)| format!("{name} {count}")).collect();
        println!("{:>6} s: {}", start.elapsed().as_secs(), counts.join(", "));
    }
    let cases: u64 = next.iter().sum();
    println!("{cases} cases, {} faults", faults.len());
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A worker for some seconds: the case that it has reached, and the fault that ended it.
fn turn(seed: u64, target: &str, from: u64, seconds: u64) -> (u64, Option<String>) {
    let note = std::env::temp_dir().join(format!("treegraft-fuzz-note-{}", std::process::id()));
    let _ = fs::write(&note, from.to_string());
    let program = std::env::current_exe().expect("this program");
    let errors = note.with_extension("err");
    let file = fs::File::create(&errors).expect("a temporary file");
    let mut child = Command::new(program)
        .args(["--target", target, "--case", &from.to_string(), "--seed", &seed.to_string()])
        .args(["--until", &seconds.to_string(), "--note"])
        .arg(&note)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("a worker starts");
    let fault = watch(&mut child, || fs::read_to_string(&note).unwrap_or_default());
    let reached = fs::read_to_string(&note).ok().and_then(|text| text.trim().parse().ok());
    let said = fs::read_to_string(&errors).unwrap_or_default();
    let fault = fault.map(|fault| {
        let said: Vec<&str> = said.lines().take(8).collect();
        format!("{fault}\n    {}", said.join("\n    "))
    });
    let _ = fs::remove_file(&note);
    let _ = fs::remove_file(&errors);
    (reached.unwrap_or(from), fault)
}

/// Waits for a worker, and ends it if a case takes too long or too much memory.
fn watch(child: &mut Child, case: impl Fn() -> String) -> Option<String> {
    let (mut at, mut since) = (String::new(), Instant::now());
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(status)) => return Some(format!("the worker ended: {status}")),
            Ok(None) => {}
            Err(error) => return Some(error.to_string()),
        }
        let now = case();
        if now != at {
            (at, since) = (now, Instant::now());
        }
        let problem = if since.elapsed() > LONGEST {
            Some(format!("takes longer than {} s", LONGEST.as_secs()))
        } else {
            let kb = resident_kb(child.id());
            (kb > LARGEST_KB).then(|| format!("{kb} kB of memory"))
        };
        if let Some(problem) = problem {
            let _ = child.kill();
            let _ = child.wait();
            return Some(problem);
        }
        sleep(Duration::from_millis(50));
    }
}

/// Memory in use, where the kernel reports it.
fn resident_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
