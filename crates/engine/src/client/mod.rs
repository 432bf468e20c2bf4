//! External engines as players.

mod awake;
mod gtp;
mod tgp;
mod uci;

use std::time::{Duration, Instant};

use treegraft::{Playthrough, Work};
use treegraft_players::{Board, EngineOptions, MoveIndex, Protocol, Start};

use super::foreign::Refusal;
use super::process::{Heard, LINE_BYTES, Process};
use super::programs::{packages_of, to_call};
use super::protocol::Line;
use awake::{AwakeClock, GLANCE};

use crate::seat::{Answer, Fault, FaultKind, MoveRequest, NoAnswer, Seat};

/// Maximum number of bytes that a program may write between two moves.
const MOVE_BYTES: usize = 1 << 20;

/// How long to keep listening to a program that has used up its time, to distinguish a late move
/// from none.
const LAST_WORD: Duration = Duration::from_secs(2);

/// How late a move may come: scheduling programs and pipes takes time.
fn grace(time: Duration) -> Duration {
    Duration::from_millis(100) + time / 20
}

/// What is sent to an engine and how its answers are read, in the protocol that it speaks.
trait Dialect: Send {
    /// The first line of a game.
    fn hello(&mut self) -> String;

    /// Returns a legal move and what it cost. [`Talk::is_ready`] is not set on the first call, and
    /// has to be set once the engine is ready.
    fn answer(
        &mut self,
        talk: &mut Talk<'_, '_>,
        game: &Playthrough<Board>,
    ) -> Result<(MoveIndex, Work), NoAnswer>;
}

fn dialect(options: &EngineOptions, start: &Start) -> Result<Box<dyn Dialect>, Refusal> {
    Ok(match options.protocol {
        Protocol::Tgp => Box::new(tgp::Tgp(start.clone())),
        Protocol::Uci => Box::new(uci::Uci::new(options, start)?),
        Protocol::Gtp => Box::new(gtp::Gtp::new(start)?),
    })
}

/// An external program that chooses moves; started anew for every game.
pub(crate) struct EngineSeat {
    options: EngineOptions,
    dialect: Box<dyn Dialect>,
    process: Option<Process>,
    is_ready: bool,
}

impl EngineSeat {
    /// # Errors
    ///
    /// If the engine's protocol does not have the game.
    pub(crate) fn new(options: EngineOptions, start: &Start) -> Result<EngineSeat, Refusal> {
        let dialect = dialect(&options, start)?;
        Ok(EngineSeat { options, dialect, process: None, is_ready: false })
    }

    /// # Errors
    ///
    /// As [`EngineSeat::new`].
    pub(crate) fn check(options: &EngineOptions, start: &Start) -> Result<(), Refusal> {
        dialect(options, start).map(drop)
    }
}

impl Seat for EngineSeat {
    /// Starts the program. Its greeting is awaited at the first request, so that two programs can
    /// start at the same time and the wait can be cancelled.
    fn new_game(&mut self) -> Result<(), Fault> {
        self.process = None;
        self.is_ready = false;
        let mut command = self.options.command.clone();
        if let Some(program) = command.first_mut() {
            *program = to_call(program);
        }
        let process = Process::start(&command).map_err(|error| {
            let program = self.options.command.first().map_or("", String::as_str);
            let hint = match packages_of(program) {
                Some(packages) => format!("; on Debian it is in: apt install {packages}"),
                None => String::new(),
            };
            fault(FaultKind::NoStart, format!("{program:?} cannot be started: {error}{hint}"))
        })?;
        process.send(&self.dialect.hello());
        self.process = Some(process);
        Ok(())
    }

    fn next_move(
        &mut self,
        game: &Playthrough<Board>,
        request: MoveRequest<'_>,
    ) -> Result<Answer, NoAnswer> {
        let Some(process) = &mut self.process else {
            return Err(fault(FaultKind::NoStart, "it was not started").into());
        };
        let EngineOptions { protocol, patience, .. } = self.options;
        let is_ready = self.is_ready;
        let awake = AwakeClock::start();
        let mut talk =
            Talk { process, request, protocol, patience, is_ready, bytes: 0, reply: None, awake };
        let answer = self.dialect.answer(&mut talk, game);
        self.is_ready = talk.is_ready;
        let (mv, work) = answer?;
        Ok(Answer { mv, work, thought: None })
    }
}

/// One exchange with a program.
struct Talk<'a, 'b> {
    process: &'a mut Process,
    request: MoveRequest<'b>,
    protocol: Protocol,
    patience: Duration,
    /// Whether the program is ready to choose moves.
    is_ready: bool,
    /// How much has been read.
    bytes: usize,
    /// What has been read of an answer in GTP.
    reply: Option<Result<String, String>>,
    /// All times of the exchange are on this clock.
    awake: AwakeClock,
}

/// The time of one move.
struct Clock {
    begun: Instant,
    allowed: Duration,
    end: Instant,
    is_late: bool,
}

impl Clock {
    /// The time that it took until now, which may be too long.
    fn stop(&self, at: Instant) -> Result<Duration, Fault> {
        let took = at.saturating_duration_since(self.begun);
        if took <= self.allowed {
            return Ok(took);
        }
        let (came, time) = (milliseconds(took), milliseconds(self.allowed));
        Err(fault(FaultKind::Late, format!("the move came after {came}; the limit was {time}")))
    }
}

impl Talk<'_, '_> {
    fn send(&self, line: &str) {
        self.process.send(line);
    }

    /// Waits for a line that begins with a word; `each` is called with the lines before it.
    fn wait_for(&mut self, word: &str, mut each: impl FnMut(&str)) -> Result<(), NoAnswer> {
        let end = self.awake.now() + self.patience;
        loop {
            let Some((line, _)) = self.listen(end)? else {
                let problem = format!("no {word} within {}", milliseconds(self.patience));
                return Err(self.fault(FaultKind::Stall, problem).into());
            };
            match first_word(&line) {
                first if first == word => return Ok(()),
                "bestmove" => {
                    let problem = format!("{line:?}, although no move was requested");
                    return Err(fault(FaultKind::Garbage, problem).into());
                }
                _ => each(&line),
            }
        }
    }

    /// The clock of a move that is requested now.
    fn clock(&mut self) -> Clock {
        let begun = self.awake.now();
        let time = self.request.budget.time;
        let allowed = time.map_or(self.patience, |time| time + grace(time));
        Clock { begun, allowed, end: begun + allowed, is_late: false }
    }

    /// The clock has run out: the program is asked to stop, and gets a little more time to answer.
    fn run_out(&mut self, clock: &mut Clock) -> Result<(), NoAnswer> {
        if self.request.budget.time.is_none() || clock.is_late {
            let problem =
                format!("no move within {}", milliseconds(self.awake.now() - clock.begun));
            return Err(self.fault(FaultKind::Stall, problem).into());
        }
        clock.is_late = true;
        self.stop();
        clock.end += LAST_WORD.min(self.patience);
        Ok(())
    }

    /// Asks the program to stop thinking, if the protocol has a command for it.
    fn stop(&self) {
        if self.protocol != Protocol::Gtp {
            self.send("stop");
        }
    }

    /// Waits for `bestmove`: the text of the move, and what it cost, as `note` reads it from the
    /// lines with `info`.
    fn best_move(&mut self, note: fn(&mut Work, &str)) -> Result<(String, Work), NoAnswer> {
        let mut clock = self.clock();
        let mut work = Work::default();
        loop {
            let Some((line, at)) = self.listen(clock.end)? else {
                self.run_out(&mut clock)?;
                continue;
            };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word {
                "info" => note(&mut work, rest),
                "bestmove" => {
                    work.time = clock.stop(at)?;
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    let text = match words[..] {
                        [text] => text,
                        [text, "ponder", _] if self.protocol == Protocol::Uci => text,
                        _ => {
                            let problem = format!("{:?}; expected bestmove MOVE", shorten(&line));
                            return Err(fault(FaultKind::Garbage, problem).into());
                        }
                    };
                    return Ok((text.to_owned(), work));
                }
                _ => {}
            }
        }
    }

    /// The next line, and when it came; `None` if there is none before `end`.
    fn listen(&mut self, end: Instant) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            if self.request.is_cancelled() {
                self.stop();
                return Err(NoAnswer::Cancelled);
            }
            let left = end.saturating_duration_since(self.awake.now());
            let Some(Heard { line, at }) = self.process.hear(left.min(GLANCE)) else {
                if left.is_zero() {
                    return Ok(None);
                }
                continue;
            };
            let text = match line {
                Line::Text(text) => text.trim().to_owned(),
                Line::NotText => {
                    return Err(fault(FaultKind::Garbage, "a line that is not UTF-8").into());
                }
                Line::TooLong => {
                    let problem = format!("a line of more than {LINE_BYTES} bytes");
                    return Err(fault(FaultKind::Flood, problem).into());
                }
                Line::End => {
                    let end = self.process.obituary();
                    return Err(self.fault(FaultKind::Crash, end).into());
                }
            };
            self.bytes += text.len() + 1;
            if self.bytes > MOVE_BYTES {
                let problem = format!("more than {MOVE_BYTES} bytes for one move");
                return Err(fault(FaultKind::Flood, problem).into());
            }
            if self.protocol == Protocol::Tgp && first_word(&text) == "error" {
                let problem = format!("it says {:?}", shorten(&text));
                return Err(self.fault(FaultKind::Garbage, problem).into());
            }
            return Ok(Some((text, self.awake.time_of(at))));
        }
    }

    /// A fault of this kind, if the program was ready; else it has not started.
    fn fault(&self, kind: FaultKind, problem: String) -> Fault {
        fault(if self.is_ready { kind } else { FaultKind::NoStart }, problem)
    }
}

fn fault(kind: FaultKind, detail: impl Into<String>) -> Fault {
    Fault { kind, detail: detail.into() }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// The line, cut so that a report stays readable.
fn shorten(line: &str) -> String {
    line.chars().take(200).collect()
}
