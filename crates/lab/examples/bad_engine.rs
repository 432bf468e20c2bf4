//! An engine that breaks the rules of the arena on demand: the tests let it play.
//!
//! `bad_engine MODE SECONDS PROTOCOL` plays well enough until its second move, and then does what the
//! mode says. The seconds are how long its children sleep in the modes that have some. The protocol
//! is `tgp` if none is given, or `gtp`, both for Connect-4, or `uci`, for Breakthrough.
//!
//! `bad_engine replay FILE` is a good one: it says what a program once said, and complains if it
//! receives anything else than that program did.

use std::io::{BufRead, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use treegraft::{Game, Notation, Playthrough};
use treegraft_players::{Board, Registry};

fn main() -> ExitCode {
    let mode = std::env::args().nth(1).unwrap_or_default();
    match mode.as_str() {
        "mute" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "replay" => return replay(&std::env::args().nth(2).unwrap_or_default()),
        "dies" => {
            eprintln!("no licence\n");
            return ExitCode::from(3);
        }
        // Holds the pipes open for much longer than this program lives.
        "parent" => start_child("sleep", &[], Stdio::inherit),
        // Hold nothing.
        "nursery" => (0..5).for_each(|_| start_child("sleep", &[], Stdio::null)),
        // Holds the pipes open, in a process group of its own.
        "escapee" => start_child("setsid", &["sleep"], Stdio::inherit),
        "stubborn" => start_child("sleep", &[], Stdio::null),
        _ => {}
    }
    let protocol = std::env::args().nth(3).unwrap_or_default();
    let is_uci = protocol == "uci";
    let start = Registry::standard().start(if is_uci { "breakthrough" } else { "connect4" });
    let Ok(start) = start else { return ExitCode::FAILURE };
    let is_gtp = protocol == "gtp";
    let game = start.playthrough();
    let mut engine = Engine { mode, is_gtp, is_uci, moves_asked: 0, game };
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

/// Repeats a conversation: lines that are read begin with `>`, those that are written with `<`. A `*`
/// at the end of a line stands for anything.
fn replay(path: &str) -> ExitCode {
    let Ok(conversation) = std::fs::read_to_string(path) else { return ExitCode::from(4) };
    let mut input = std::io::stdin().lock().lines();
    for line in conversation.lines() {
        let (mark, text) = line.split_at(1);
        let text = text.trim_start();
        if mark == "<" {
            if say(text).is_err() {
                return ExitCode::from(6);
            }
            continue;
        }
        let Some(Ok(heard)) = input.next() else { return ExitCode::from(5) };
        let is_same = match text.strip_suffix('*') {
            Some(beginning) => heard.starts_with(beginning),
            None => heard == text,
        };
        if !is_same {
            eprintln!("heard {heard:?}, expected {text:?}");
            return ExitCode::from(9);
        }
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
    is_gtp: bool,
    is_uci: bool,
    moves_asked: u32,
    game: Playthrough<Board>,
}

impl Engine {
    /// Whether to go on.
    fn obey(&mut self, line: &str) -> std::io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["go", ..] | ["genmove", _] => {
                self.moves_asked += 1;
                return self.go();
            }
            _ if self.is_gtp => self.obey_gtp(&words)?,
            ["tgp", _] => say("id name bad\ntgpok")?,
            ["uci"] => {
                let variants = match self.mode.as_str() {
                    "chess-only" => "",
                    "ignorant" => "option name UCI_Variant type combo default chess var chess\n",
                    _ => {
                        "option name UCI_Variant type combo default chess var chess var breakthrough\n"
                    }
                };
                say(&format!("id name bad\noption name Skill Level type spin\n{variants}uciok"))?;
            }
            ["newgame", _] if self.mode == "refuses" => say("error I know no games")?,
            ["isready"] => say("readyok")?,
            ["position", _, rest @ ..] => {
                self.game = Playthrough::new(self.game.start().clone());
                for text in rest.iter().skip(1) {
                    let _ = self.game.play_text(text);
                }
            }
            _ => {}
        }
        Ok(true)
    }

    fn obey_gtp(&mut self, words: &[&str]) -> std::io::Result<()> {
        match words {
            ["protocol_version"] if self.mode == "old" => say("= 1\n"),
            ["protocol_version"] => say("= 2\n"),
            ["clear_board"] if self.mode == "refuses" => say("? I know no games\n"),
            ["play", _, text] => {
                let column = text[1..].parse().unwrap_or(0) + 1;
                let _ = self.game.play_text(&column.to_string());
                say("=\n")
            }
            ["boardsize", ..] => say("? unknown command\n"),
            _ => say("=\n"),
        }
    }

    /// A move in the words of the protocol.
    fn answer(&self, text: &str) -> String {
        if self.is_gtp { format!("= {text}\n") } else { format!("bestmove {text}") }
    }

    fn go(&mut self) -> std::io::Result<bool> {
        let best = self.answer(&self.legal_move());
        if self.is_gtp {
            let mv = self.game.legal_moves()[0];
            self.game.play(mv);
        }
        let is_bad = self.moves_asked == 2;
        match self.mode.as_str() {
            "double" => say(&format!("{best}\n{best}"))?,
            "leaves" => {
                say(&best)?;
                return Ok(false);
            }
            "chatter" => {
                let depth = if self.is_uci { "depth 3 score cp 5" } else { "" };
                say(&format!("info nodes 12 wisdom 3 {depth}\nhello\n\n\tinfo\nwhat a position"))?;
                say(&best)?;
            }
            "ponders" => say(&format!("{best} ponder e2e4"))?,
            "crash" if is_bad => {
                eprintln!("assertion failed: the king is there");
                return Ok(false);
            }
            "stall" if is_bad => std::thread::sleep(Duration::from_secs(600)),
            // Half of an answer: no empty line follows.
            "half" if is_bad => say(best.trim_end())?,
            "illegal" if is_bad => say(&self.answer(if self.is_gtp { "x7" } else { "8" }))?,
            "nothing" if is_bad => say(&self.answer(""))?,
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
                let seconds = if self.is_gtp { 1.7 } else { 0.8 };
                std::thread::sleep(Duration::from_secs_f64(seconds));
                say(&best)?;
            }
            "gives-up" if is_bad => say(if self.is_gtp { "= resign\n" } else { "error I resign" })?,
            "cannot" if is_bad => say("? cannot think\n")?,
            _ => say(&best)?,
        }
        Ok(true)
    }

    /// The first legal move.
    fn legal_move(&self) -> String {
        let (position, moves) = (self.game.position(), self.game.legal_moves());
        let text = moves.first().map_or("none".to_owned(), |&mv| position.notation().move_text(mv));
        match text.parse::<u32>() {
            Ok(column) if self.is_gtp => {
                let disc = if self.game.moves().len().is_multiple_of(2) { 'x' } else { 'o' };
                format!("{disc}{}", column - 1)
            }
            _ => text,
        }
    }
}

fn say(lines: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{lines}")?;
    out.flush()
}
