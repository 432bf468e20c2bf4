//! External engines as players.

use std::time::{Duration, Instant};

use treegraft::{Game, Playthrough, Work};
use treegraft_players::{Board, EngineOptions, Start};

use super::process::{Heard, LINE_BYTES, Process};
use super::protocol::{Line, VERSION, go_line, note_work};
use crate::seat::{Answer, Fault, FaultKind, MoveRequest, NoAnswer, Seat};

/// What a program may write from one move to the next, in bytes.
const MOVE_BYTES: usize = 1 << 20;

/// How long to keep listening to a program that has used up its time, to tell a late move from
/// none.
const LAST_WORD: Duration = Duration::from_secs(2);

/// How often to check whether the request was cancelled.
const GLANCE: Duration = Duration::from_millis(20);

/// How late a move may come: scheduling programs and pipes takes time.
fn grace(time: Duration) -> Duration {
    Duration::from_millis(100) + time / 20
}

/// A program that is asked for moves; started anew for every game.
pub(crate) struct EngineSeat {
    options: EngineOptions,
    start: Start,
    process: Option<Process>,
    is_ready: bool,
}

impl EngineSeat {
    pub(crate) fn new(options: EngineOptions, start: &Start) -> EngineSeat {
        EngineSeat { options, start: start.clone(), process: None, is_ready: false }
    }

    fn position_line(&self, game: &Playthrough<Board>) -> String {
        let start = game.start();
        // Engines cannot repeat how we draw a random board from a seed.
        let is_known = start == self.start.board() && !self.start.is_random();
        let text = match start.position_text() {
            Some(text) if !is_known => format!("text {text}"),
            _ => "startpos".to_owned(),
        };
        let line = format!("position {text} moves {}", game.move_texts().join(" "));
        line.trim_end().to_owned()
    }
}

impl Seat for EngineSeat {
    /// Starts the program. Its greeting is awaited when it is first asked, so that two programs can
    /// start at the same time and the wait can be cancelled.
    fn new_game(&mut self) -> Result<(), Fault> {
        self.process = None;
        self.is_ready = false;
        let process = Process::start(&self.options.command).map_err(|error| {
            let program = self.options.command.first().map_or("", String::as_str);
            fault(FaultKind::NoStart, format!("{program:?} cannot be started: {error}"))
        })?;
        process.send(&format!("tgp {VERSION}"));
        self.process = Some(process);
        Ok(())
    }

    fn next_move(
        &mut self,
        game: &Playthrough<Board>,
        request: MoveRequest<'_>,
    ) -> Result<Answer, NoAnswer> {
        let position = self.position_line(game);
        let Some(process) = &mut self.process else {
            return Err(fault(FaultKind::NoStart, "it was not started").into());
        };
        let patience = self.options.patience;
        let mut talk = Talk { process, request, is_ready: self.is_ready, bytes: 0 };
        if !self.is_ready {
            talk.wait_for("tgpok", patience)?;
            talk.process.send(&format!("newgame {}", self.start.text()));
        }
        // Leftover output about the last move, even a second `bestmove`, comes before this answer.
        talk.process.send("isready");
        talk.wait_for("readyok", patience)?;
        talk.is_ready = true;
        self.is_ready = true;
        talk.process.send(&position);
        let (text, work) = talk.ask_for_move(patience)?;
        let illegal = |problem: String| fault(FaultKind::IllegalMove, problem);
        let mv = game.position().parse_move(&text).map_err(|error| illegal(error.to_string()))?;
        if !game.legal_moves().contains(&mv) {
            return Err(illegal(format!("move {text:?}: not legal here")).into());
        }
        Ok(Answer { mv, work, thought: None })
    }
}

/// One exchange with a program.
struct Talk<'a, 'b> {
    process: &'a mut Process,
    request: MoveRequest<'b>,
    /// Whether the program is ready to be asked for moves.
    is_ready: bool,
    /// How much has been read.
    bytes: usize,
}

impl Talk<'_, '_> {
    /// Waits for a line that begins with a word.
    fn wait_for(&mut self, word: &str, patience: Duration) -> Result<(), NoAnswer> {
        let end = Instant::now() + patience;
        loop {
            let Some((line, _)) = self.listen(end)? else {
                let patience = milliseconds(patience);
                return Err(self.silence(format!("no {word} within {patience}")).into());
            };
            match first_word(&line) {
                first if first == word => return Ok(()),
                "bestmove" => {
                    let problem = format!("{line:?}, although no move was asked for");
                    return Err(fault(FaultKind::Garbage, problem).into());
                }
                _ => {}
            }
        }
    }

    /// The text of a move, and what it cost.
    fn ask_for_move(&mut self, patience: Duration) -> Result<(String, Work), NoAnswer> {
        let budget = self.request.budget;
        self.process.send(&go_line(budget, self.request.seed));
        let begun = Instant::now();
        let allowed = budget.time.map_or(patience, |time| time + grace(time));
        let mut work = Work::default();
        let mut end = begun + allowed;
        let mut is_late = false;
        loop {
            let Some((line, at)) = self.listen(end)? else {
                if budget.time.is_none() || is_late {
                    let waited = milliseconds(begun.elapsed());
                    return Err(self.silence(format!("no move within {waited}")).into());
                }
                is_late = true;
                self.process.send("stop");
                end += LAST_WORD.min(patience);
                continue;
            };
            work.time = at.saturating_duration_since(begun);
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word {
                "info" => note_work(&mut work, rest),
                "bestmove" if work.time > allowed => {
                    let (came, time) = (milliseconds(work.time), milliseconds(allowed));
                    let problem = format!("the move came after {came}; the limit was {time}");
                    return Err(fault(FaultKind::Late, problem).into());
                }
                "bestmove" => {
                    let mut words = rest.split_whitespace();
                    return match (words.next(), words.next()) {
                        (Some(text), None) => Ok((text.to_owned(), work)),
                        _ => {
                            let problem = format!("{:?}; expected bestmove MOVE", shorten(&line));
                            Err(fault(FaultKind::Garbage, problem).into())
                        }
                    };
                }
                _ => {}
            }
        }
    }

    /// The next line, and when it came; `None` if there is none before `end`.
    fn listen(&mut self, end: Instant) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            if self.request.is_cancelled() {
                self.process.send("stop");
                return Err(NoAnswer::Cancelled);
            }
            let left = end.saturating_duration_since(Instant::now());
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
                    let kind = if self.is_ready { FaultKind::Crash } else { FaultKind::NoStart };
                    return Err(fault(kind, self.process.obituary()).into());
                }
            };
            self.bytes += text.len() + 1;
            if self.bytes > MOVE_BYTES {
                let problem = format!("more than {MOVE_BYTES} bytes for one move");
                return Err(fault(FaultKind::Flood, problem).into());
            }
            if first_word(&text) == "error" {
                let kind = if self.is_ready { FaultKind::Garbage } else { FaultKind::NoStart };
                return Err(fault(kind, format!("it says {:?}", shorten(&text))).into());
            }
            return Ok(Some((text, at)));
        }
    }

    fn silence(&self, problem: String) -> Fault {
        fault(if self.is_ready { FaultKind::Stall } else { FaultKind::NoStart }, problem)
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

#[cfg(test)]
mod tests {
    use treegraft_players::Registry;

    use super::*;

    fn line(game: &str, position: Option<&str>, moves: &str) -> String {
        let start = Registry::standard().start(game).unwrap();
        let board = position.map(|text| start.board().parse_position(text).unwrap());
        let mut playthrough = Playthrough::new(board.unwrap_or(start.board().clone()));
        playthrough.play_text(moves).unwrap();
        EngineSeat::new(EngineOptions::default(), &start).position_line(&playthrough)
    }

    #[test]
    fn the_program_is_told_where_the_game_began() {
        assert_eq!(line("connect4", None, ""), "position startpos moves");
        assert_eq!(line("connect4", None, "445"), "position startpos moves 4 4 5");
        assert_eq!(line("connect4", Some("445"), "3"), "position text 445 moves 3");
    }

    #[test]
    fn random_boards_are_written_out() {
        let text = "kalah:random-start=5";
        let board = Registry::standard().start(text).unwrap();
        let expected = format!("position text {} moves", board.board().position_text().unwrap());
        assert_eq!(line(text, None, ""), expected);
    }
}
