//! Our players as engines of other programs.

mod gtp;
mod queue;
mod tgp;
mod uci;

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::Duration;

use treegraft::{Budget, Game, Notation, Playthrough, Report, Request};
use treegraft_players::{
    Analyst, Board, DEFAULT_BUDGET, MoveIndex, Player, PlayerError, Protocol, Registry, Start,
};

use self::queue::{EndsAll, Order, Queue, WhenFull};
use super::protocol::{Line, read_line};
use crate::memory::{MemoryError, check_memory};

/// Maximum length of a line, in bytes.
const LINE_BYTES: usize = 1 << 20;

/// Why serving ended, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The game cannot serve the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player may use more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The answers cannot be written, or there is no thread to find them.
    #[error("cannot write the answers: {0}")]
    Output(#[from] io::Error),
}

/// Plays over a protocol until `quit` or the end of the input: `docs/engine-protocol.md` describes our
/// own, `docs/protocols.md` the others. After an answer that cannot be written, it ends as soon as
/// something more is read.
///
/// `start` is played until another game is named; the player's own budget holds for every search
/// without limits. Invalid input is answered by a line that says so.
///
/// # Errors
///
/// If the player cannot play from `start` or may use more memory than there is, or the answers
/// cannot be written.
pub fn serve(
    registry: &Registry,
    start: &Start,
    player: &Player,
    protocol: Protocol,
    input: impl BufRead + Send,
    mut output: impl Write,
) -> Result<(), ServeError> {
    check_memory(&player.budget)?;
    let served = Some(ServedGame::open(registry, start.clone(), player)?);
    let host = Host { registry, player, served };
    let mut tongue: Box<dyn Tongue + '_> = match protocol {
        Protocol::Tgp => Box::new(tgp::Tgp(host)),
        Protocol::Uci => Box::new(uci::Uci::new(host)),
        Protocol::Gtp => Box::new(gtp::Gtp::new(host)),
    };
    // In GTP nothing overtakes a search, so that a client that sends too much may have to wait.
    let when_full = match protocol {
        Protocol::Gtp => WhenFull::Wait,
        Protocol::Tgp | Protocol::Uci => WhenFull::Refuse,
    };
    let queue = &Queue::new(when_full);
    let (answers, to_write) = mpsc::sync_channel::<String>(WAITING_ANSWERS);
    thread::scope(|scope| {
        // Only this thread writes, so that lines stay whole.
        let _end = EndsAll(queue);
        let own_answers = answers.clone();
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        let work = move || work(&mut *tongue, queue, &own_answers);
        worker.spawn_scoped(scope, work)?;
        scope.spawn(move || read_orders(input, protocol, queue, &answers));
        for answer in to_write {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
        Ok(())
    })
}

/// Searches of deep games recurse: as much as the rest of the program has.
const STACK_BYTES: usize = 64 << 20;

/// Maximum number of answers that wait to be written; a search waits if there are more.
const WAITING_ANSWERS: usize = 64;

/// Carries out one order after the other.
fn work(tongue: &mut dyn Tongue, queue: &Queue, answers: &SyncSender<String>) {
    let _end = EndsAll(queue);
    while let Some(order) = queue.next() {
        let lines = tongue.obey(order, queue, answers);
        if !lines.is_empty() && answers.send(lines.join("\n")).is_err() {
            return;
        }
    }
}

/// What a search has to do with those who ordered it.
struct Desk<'a> {
    /// Ends the search early.
    cancel: &'a AtomicBool,
    queue: &'a Queue,
    answers: &'a SyncSender<String>,
}

impl Desk<'_> {
    /// Says something before the answer.
    fn say(&self, line: &str) {
        // If the reader is gone, all searches are ended where that was noticed.
        let _ = self.answers.send(line.to_owned());
    }

    /// The search is not refused. Answers `question`, such as `isready`, as often as it came too
    /// early to be answered when read.
    fn begin(&self, question: &str, answer: &str) {
        (0..self.queue.begin_search(question)).for_each(|_| self.say(answer));
    }
}

/// How orders are understood and answered, by the protocol.
trait Tongue: Send {
    /// The lines that answer a line, or what is wrong with it.
    fn line(&mut self, line: &str) -> Result<Vec<String>, String>;

    /// The same for a line that starts a search.
    fn go(&mut self, line: &str, desk: &Desk<'_>) -> Result<Vec<String>, String>;

    /// The lines that say what is wrong, which is one line.
    fn refuse(&self, problem: &str) -> Vec<String>;

    /// Lines were not carried out: what they were about is not known any more.
    fn lose_track(&mut self) {}

    /// Carries out an order; returns the lines of the answer.
    fn obey(&mut self, order: Order, queue: &Queue, answers: &SyncSender<String>) -> Vec<String> {
        let answer = match order {
            Order::Line(line) => self.line(&line),
            Order::Search(line, cancel) => {
                let answer = self.go(&line, &Desk { cancel: &cancel, queue, answers });
                queue.end_search();
                answer
            }
            Order::Nonsense(problem) => Err(problem.to_owned()),
            Order::Refused(count) => {
                self.lose_track();
                Err(format!("too many orders are waiting; {count} are lost, expected fewer lines"))
            }
        };
        answer.unwrap_or_else(|problem| self.refuse(&problem.replace(['\n', '\r'], " ")))
    }
}

/// Passes on what is read, and ends searches at `stop`. A `stop` belongs to the last search before
/// it, which need not have begun; `quit` belongs to all, except in GTP, where it waits for its turn.
/// The end of the input ends only searches that nothing else would end.
fn read_orders(
    mut input: impl BufRead,
    protocol: Protocol,
    queue: &Queue,
    answers: &SyncSender<String>,
) {
    loop {
        let is_heard = match read_line(&mut input, LINE_BYTES).unwrap_or(Line::End) {
            Line::Text(text) => {
                let text = text.trim();
                let word = match protocol {
                    Protocol::Gtp => gtp::command_of(text),
                    _ => text.split_whitespace().next().unwrap_or_default(),
                };
                let line = || Order::Line(text.to_owned());
                match (word, protocol) {
                    ("", _) => true,
                    ("quit", Protocol::Gtp) => {
                        queue.push(line());
                        return queue.close();
                    }
                    ("quit", _) => return queue.quit(),
                    ("stop", Protocol::Tgp | Protocol::Uci) => {
                        queue.stop();
                        true
                    }
                    ("go", Protocol::Tgp) | ("genmove" | "reg_genmove", Protocol::Gtp) => {
                        queue.push_search(text.to_owned(), false)
                    }
                    ("go", Protocol::Uci) => {
                        queue.push_search(text.to_owned(), uci::is_endless(text))
                    }
                    (uci::QUESTION, Protocol::Uci) => {
                        let question = || Order::Line(uci::QUESTION.to_owned());
                        // If the reader is gone, there is no hurry.
                        queue.push_if_idle(question())
                            || answers.try_send(uci::ANSWER.to_owned()).is_ok()
                            || queue.push(question())
                    }
                    _ => queue.push(line()),
                }
            }
            Line::NotText => queue.push(Order::Nonsense("the line is not UTF-8")),
            Line::TooLong => {
                while let Ok(Line::TooLong) = read_line(&mut input, LINE_BYTES) {}
                queue.push(Order::Nonsense("the line is too long"))
            }
            Line::End => return queue.close(),
        };
        if !is_heard {
            return;
        }
    }
}

/// Who plays, and what.
struct Host<'a> {
    registry: &'a Registry,
    player: &'a Player,
    /// `None` after a game that could not be understood.
    served: Option<ServedGame>,
}

impl Host<'_> {
    fn served(&mut self) -> Result<&mut ServedGame, String> {
        self.served.as_mut().ok_or_else(|| "there is no game".to_owned())
    }

    /// Plays another game from now on, or still the old one if the player cannot play it.
    fn open(&mut self, start: Start) -> Result<(), String> {
        let opened = ServedGame::open(self.registry, start, self.player);
        self.served = Some(opened.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Limits with what the player has where they say nothing.
    fn budget(&self, limits: Budget) -> Result<Budget, String> {
        let mut budget = limits;
        if budget.is_unlimited() {
            budget = self.player.budget_or(DEFAULT_BUDGET);
            budget.memory = limits.memory.or(budget.memory);
        } else {
            budget.memory = budget.memory.or(self.player.budget.memory);
        }
        check_memory(&budget).map_err(|error| error.to_string())?;
        // Programs send their limits to every engine: one that ends anyway keeps them.
        if let Some(served) = &self.served
            && !self.player.search.ends_by_itself()
        {
            served.analyst.spends().check(&budget).map_err(|error| error.to_string())?;
        }
        Ok(budget)
    }
}

/// A game that is being played.
struct ServedGame {
    start: Start,
    /// `None` after a position that could not be understood.
    game: Option<Playthrough<Board>>,
    analyst: Analyst,
}

impl ServedGame {
    fn open(registry: &Registry, start: Start, player: &Player) -> Result<ServedGame, PlayerError> {
        let analyst = registry.searcher(&start, player)?;
        let game = Some(start.playthrough());
        Ok(ServedGame { start, game, analyst })
    }

    /// Begins anew.
    fn restart(&mut self) {
        self.analyst.new_game();
        self.game = Some(self.start.playthrough());
    }

    /// `startpos moves …` or `WORD POSITION moves …`, with moves in the game's notation.
    fn set_position(&mut self, words: &[&str], word: &str) -> Result<(), String> {
        self.game = None;
        let (start, moves) = split_moves(words);
        let board = self.start.board();
        let start = match start {
            ["startpos"] => board.clone(),
            [first, fields @ ..] if *first == word => {
                let read = |fields: &[&str]| board.notation().parse_position(&fields.join(" "));
                // In chess, rights and counts follow the board and the side to move.
                let short = &fields[..fields.len().min(2)];
                let position = match word {
                    "fen" => read(fields).or_else(|error| read(short).map_err(|_| error)),
                    _ => read(fields),
                };
                position.map_err(|error| error.to_string())?
            }
            _ => {
                return Err(format!(
                    "the position is neither startpos nor {word} {}; expected position startpos \
                     moves MOVE MOVE …",
                    word.to_uppercase()
                ));
            }
        };
        let mut game = Playthrough::new(start);
        for mv in moves {
            game.play_text(mv).map_err(|error| error.to_string())?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Searches the position, and calls `tell` on the way with what is found: what the search found
    /// in the end, and a legal move.
    fn search(
        &mut self,
        budget: Budget,
        seed: u64,
        cancel: &AtomicBool,
        tell: &mut dyn FnMut(&Board, &Report<MoveIndex>),
    ) -> Result<(Report<MoveIndex>, MoveIndex), String> {
        let game = self.game.as_ref().ok_or("there is no position; expected position first")?;
        if game.ending().is_some() {
            return Err("the game is over; expected a position with a move to make".to_owned());
        }
        let position = game.position();
        let mut next = Duration::ZERO;
        let mut progress = |so_far: &Report<MoveIndex>| {
            let time = so_far.work.time;
            if time >= next {
                next = time.mul_f64(INFO_RATIO);
                tell(position, so_far);
            }
        };
        let request = Request {
            cancel: Some(cancel),
            progress: Some(&mut progress),
            ..Request::new(budget, seed)
        };
        let report = self.analyst.search(position, request);
        // A search that is stopped before it begins has no best move.
        let any = || game.legal_moves().first().copied();
        let best = report.best_move.or_else(any).ok_or("no move was found")?;
        Ok((report, best))
    }
}

/// From one line about a search to the next, its time grows by this factor at least: what a
/// program may print between two moves is limited.
const INFO_RATIO: f64 = 1.05;

/// A word, cut so that an answer stays readable.
fn shorten(word: &str) -> String {
    word.chars().take(80).collect()
}

/// A line before the word `moves`, if it has one, and the moves.
fn split_moves<'a>(words: &'a [&'a str]) -> (&'a [&'a str], &'a [&'a str]) {
    // The text of a position may have blanks in it; those of moves have none.
    match words.iter().rposition(|&word| word == "moves") {
        Some(divide) => (&words[..divide], &words[divide + 1..]),
        None => (words, &[]),
    }
}

#[cfg(test)]
mod foreign_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod tests;
