//! An engine for Connect-4 that breaks the rules of the arena on demand: the tests let it play.
//!
//! `bad_engine MODE SECONDS` plays well enough until its second move, and then does what the mode
//! says. The seconds are how long its children sleep in the modes that have some.

use std::io::{BufRead, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

fn main() -> ExitCode {
    let mode = std::env::args().nth(1).unwrap_or_default();
    match mode.as_str() {
        "mute" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "dies" => {
            eprintln!("no licence\n");
            return ExitCode::from(3);
        }
        // Holds the pipes open for much longer than this program lives.
        "parent" => start_child("sleep", &[], Stdio::inherit),
        // Hold nothing.
        "nursery" => (0..5).for_each(|_| start_child("sleep", &[], Stdio::null)),
        // Holds the pipes open and is in nobody's group.
        "escapee" => start_child("setsid", &["sleep"], Stdio::inherit),
        "stubborn" => start_child("sleep", &[], Stdio::null),
        _ => {}
    }
    let mut engine = Engine { mode, moves_asked: 0, line: String::new() };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match engine.obey(&line) {
            Ok(true) => {}
            Ok(false) | Err(_) => return ExitCode::from(7),
        }
        if line == "quit" && engine.mode != "stubborn" {
            return ExitCode::SUCCESS;
        }
    }
    if engine.mode == "stubborn" {
        std::thread::sleep(Duration::from_secs(600));
    }
    ExitCode::SUCCESS
}

/// Starts a program that sleeps for the seconds that this one was called with.
fn start_child(program: &str, arguments: &[&str], pipes: fn() -> Stdio) {
    let mut child = Command::new(program);
    child.args(arguments).args(std::env::args().nth(2));
    let child = child.stdin(Stdio::null()).stdout(pipes()).stderr(pipes()).spawn();
    drop(child);
}

struct Engine {
    mode: String,
    moves_asked: u32,
    /// The last position.
    line: String,
}

impl Engine {
    /// Whether to go on.
    fn obey(&mut self, line: &str) -> std::io::Result<bool> {
        match line.split_whitespace().next() {
            Some("tgp") => say("id name bad\ntgpok")?,
            Some("newgame") if self.mode == "refuses" => say("error I know no games")?,
            Some("isready") => say("readyok")?,
            Some("position") => self.line = line.to_owned(),
            Some("go") => {
                self.moves_asked += 1;
                return self.go();
            }
            _ => {}
        }
        Ok(true)
    }

    fn go(&self) -> std::io::Result<bool> {
        let best = format!("bestmove {}", self.legal_move());
        let is_bad = self.moves_asked == 2;
        match self.mode.as_str() {
            "double" => say(&format!("{best}\n{best}"))?,
            "leaves" => {
                say(&best)?;
                return Ok(false);
            }
            "chatter" => {
                say("info nodes 12 wisdom 3\nhello\n\n\tinfo\nwhat a position")?;
                say(&best)?;
            }
            "crash" if is_bad => {
                eprintln!("assertion failed: the king is there");
                return Ok(false);
            }
            "stall" if is_bad => std::thread::sleep(Duration::from_secs(600)),
            "illegal" if is_bad => say("bestmove 8")?,
            "nothing" if is_bad => say("bestmove")?,
            "not-utf8" if is_bad => {
                std::io::stdout().write_all(b"bestmove \xff\xfe\n")?;
                std::io::stdout().flush()?;
            }
            "endless" if is_bad => loop {
                std::io::stdout().write_all(b"bestmove bestmove ")?;
            },
            "flood" if is_bad => loop {
                say("info there is so much to tell you")?;
            },
            "late" if is_bad => {
                std::thread::sleep(Duration::from_millis(800));
                say(&best)?;
            }
            "gives-up" if is_bad => say("error I resign")?,
            _ => say(&best)?,
        }
        Ok(true)
    }

    /// The first column with room.
    fn legal_move(&self) -> usize {
        let moves = self.line.split_once("moves").map_or("", |(_, moves)| moves);
        let room = |column: &usize| {
            moves.split_whitespace().filter(|&mv| mv == column.to_string()).count() < 6
        };
        (1..=7).find(room).unwrap_or(1)
    }
}

fn say(lines: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{lines}")?;
    out.flush()
}
