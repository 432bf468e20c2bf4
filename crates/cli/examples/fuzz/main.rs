//! Throws damaged input at everything that reads input, and watches time and memory.
//!
//! `cargo xtask fuzz` runs it for long; a test runs it for seconds. Every case follows from its
//! target, the seed and its number, so that a fault can be repeated:
//!
//! ```text
//! fuzz                          for 30 minutes
//! fuzz --seconds 60 --seed 7    for a minute, with other random numbers
//! fuzz --target players --case 4711
//! ```
//!
//! A fault is a panic, an abort, more than a gigabyte of memory, or a case that takes longer than
//! ten seconds. Cases run in a process of their own, which is started again after a fault.
//!
//! With any other arguments this is the program `treegraft`, so that its commands can be tried too.

#[cfg(unix)]
mod commands;
#[cfg(unix)]
mod mutate;
#[cfg(unix)]
mod targets;
#[cfg(unix)]
mod watch;

use std::process::ExitCode;

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("fuzz: watches processes as Unix has them, and does nothing here");
    ExitCode::SUCCESS
}

#[cfg(unix)]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| !OPTIONS.contains(&first.as_str())) {
        return treegraft_cli::main_with(treegraft_players::Registry::standard());
    }
    match Options::parse(&args) {
        Ok(options) => watch::run(&options),
        Err(problem) => {
            eprintln!("error: {problem}\noptions: {}", OPTIONS.join(" N, "));
            ExitCode::from(2)
        }
    }
}

#[cfg(unix)]
const OPTIONS: [&str; 7] =
    ["--seconds", "--minutes", "--seed", "--target", "--case", "--until", "--note"];

/// The options of a run.
#[cfg(unix)]
#[derive(Clone, Debug)]
struct Options {
    seconds: u64,
    seed: u64,
    target: Option<String>,
    /// Only this case, or all from this one on in a worker.
    case: Option<u64>,
    /// In a worker: when to stop, in seconds from its start.
    until: Option<u64>,
    /// In a worker: the file that names the current case.
    note: Option<String>,
}

#[cfg(unix)]
impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            seconds: 30 * 60,
            seed: 1,
            target: None,
            case: None,
            until: None,
            note: None,
        };
        for option in args.chunks(2) {
            let [name, value] = option else { return Err(format!("{} needs a value", option[0])) };
            let number = || value.parse::<u64>().map_err(|_| format!("{value:?} is not a number"));
            match name.as_str() {
                "--seconds" => options.seconds = number()?,
                "--minutes" => options.seconds = number()? * 60,
                "--seed" => options.seed = number()?,
                "--target" => options.target = Some(value.clone()),
                "--case" => options.case = Some(number()?),
                "--until" => options.until = Some(number()?),
                "--note" => options.note = Some(value.clone()),
                _ => return Err(format!("there is no option {name:?}")),
            }
        }
        Ok(options)
    }
}
