//! Our players as engines of other programs.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::Duration;

use treegraft::{Game, Playthrough, Report, Request};
use treegraft_players::{
    Analyst, Board, DEFAULT_BUDGET, MoveIndex, Player, PlayerError, Registry, Start,
};

use super::protocol::{Line, VERSION, milliseconds, parse_go, read_line, work_words};
use crate::findings::{Findings, ValueKind};
use crate::memory::{MemoryError, check_memory};

/// The longest line that is read, in bytes.
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
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Output(#[from] io::Error),
}

/// Plays over the engine protocol, which `docs/engine-protocol.md` describes, until `quit` or the
/// end of the input.
///
/// `start` is played until a `newgame` names another one; the player's own budget holds for every
/// `go` without limits. Invalid input is answered by a line that begins with `error`.
///
/// # Errors
///
/// If the player cannot play from `start` or may use more memory than there is, or the answers
/// cannot be written.
pub fn serve(
    registry: &Registry,
    start: &Start,
    player: &Player,
    input: impl BufRead + Send,
    mut output: impl Write,
) -> Result<(), ServeError> {
    check_memory(&player.budget)?;
    let mut served = Some(ServedGame::open(registry, start.clone(), player)?);
    // A short queue, so that a flood of orders has to wait.
    let (sender, orders) = mpsc::sync_channel(64);
    thread::scope(|scope| {
        scope.spawn(move || read_orders(input, &sender));
        for order in orders {
            let mut say = |line: &str| writeln!(output, "{line}").and_then(|()| output.flush());
            let answer = obey(order, player, registry, &mut served, &mut say);
            let lines = match answer {
                Ok(lines) => lines,
                Err(problem) => vec![format!("error {}", problem.replace(['\n', '\r'], " "))],
            };
            for line in lines {
                writeln!(output, "{line}")?;
            }
            output.flush()?;
        }
        Ok(())
    })
}

/// Something to do, in its turn.
enum Order {
    Line(String),
    /// A search, and the flag that ends it early.
    Go(String, Arc<AtomicBool>),
    /// What was read is not a line.
    Nonsense(&'static str),
}

/// Passes on what is read, and ends searches at `stop`. A `stop` belongs to the last `go` before
/// it, which need not have begun; the end belongs to all.
fn read_orders(mut input: impl BufRead, orders: &SyncSender<Order>) {
    let mut running: Vec<Arc<AtomicBool>> = Vec::new();
    loop {
        let order = match read_line(&mut input, LINE_BYTES).unwrap_or(Line::End) {
            Line::Text(text) => {
                let text = text.trim();
                let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
                match word {
                    "" => continue,
                    "quit" => break,
                    "stop" => {
                        if let Some(last) = running.last() {
                            last.store(true, Ordering::Relaxed);
                        }
                        continue;
                    }
                    "go" => {
                        // Those that are over have been dropped at the other end.
                        running.retain(|flag| Arc::strong_count(flag) > 1);
                        let flag = Arc::default();
                        running.push(Arc::clone(&flag));
                        Order::Go(rest.to_owned(), flag)
                    }
                    _ => Order::Line(text.to_owned()),
                }
            }
            Line::NotText => Order::Nonsense("the line is not UTF-8"),
            Line::TooLong => {
                while let Ok(Line::TooLong) = read_line(&mut input, LINE_BYTES) {}
                Order::Nonsense("the line is too long")
            }
            Line::End => break,
        };
        if orders.send(order).is_err() {
            return;
        }
    }
    running.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
}

/// Carries out an order; returns the lines of the answer, or what is wrong.
fn obey(
    order: Order,
    player: &Player,
    registry: &Registry,
    served: &mut Option<ServedGame>,
    say: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<Vec<String>, String> {
    let no_game = || "there is no game; expected newgame GAME first".to_owned();
    let line = match order {
        Order::Line(line) => line,
        Order::Go(limits, cancel) => {
            let served = served.as_mut().ok_or_else(no_game)?;
            return served.go(player, &limits, &cancel, say);
        }
        Order::Nonsense(problem) => return Err(problem.to_owned()),
    };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
    let rest = rest.trim();
    match word {
        "tgp" if ["", VERSION].contains(&rest) => Ok(vec![
            format!("id name treegraft {} {player}", env!("CARGO_PKG_VERSION")),
            format!("tgpok {VERSION}"),
        ]),
        "tgp" => Err(format!("version {rest:?} of the protocol; expected {VERSION}")),
        "isready" => Ok(vec!["readyok".to_owned()]),
        "newgame" => {
            *served = None;
            let start = registry.start(rest).map_err(|error| error.to_string())?;
            let opened = ServedGame::open(registry, start, player);
            *served = Some(opened.map_err(|error| error.to_string())?);
            Ok(Vec::new())
        }
        "position" => {
            served.as_mut().ok_or_else(no_game)?.set_position(rest)?;
            Ok(Vec::new())
        }
        _ => Err(format!(
            "there is no command {:?}; expected tgp, isready, newgame, position, go, stop or quit",
            word.chars().take(80).collect::<String>()
        )),
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

    /// `startpos moves …` or `text TEXT moves …`.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.game = None;
        // The text of a position may have blanks in it; those of moves have none.
        let words: Vec<&str> = text.split_whitespace().collect();
        let divide = words.iter().rposition(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(divide);
        let start = match start {
            ["startpos"] => self.start.board().clone(),
            ["text", text @ ..] => self
                .start
                .board()
                .parse_position(&text.join(" "))
                .map_err(|error| error.to_string())?,
            _ => {
                return Err("the position is neither startpos nor text TEXT; expected position \
                            startpos moves MOVE MOVE …"
                    .to_owned());
            }
        };
        let mut game = Playthrough::new(start);
        for mv in moves.iter().skip(1) {
            game.play_text(mv).map_err(|error| error.to_string())?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Searches the position, and says on the way what is found.
    fn go(
        &mut self,
        player: &Player,
        limits: &str,
        cancel: &AtomicBool,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Vec<String>, String> {
        let (mut budget, seed) = parse_go(limits)?;
        if budget.is_unlimited() {
            let memory = budget.memory;
            budget = player.budget_or(DEFAULT_BUDGET);
            budget.memory = memory.or(budget.memory);
        } else {
            budget.memory = budget.memory.or(player.budget.memory);
        }
        check_memory(&budget).map_err(|error| format!("go: {error}"))?;
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
                // If nobody reads it, the answer at the end fails too, and is an error.
                let _ = say(&info(position, so_far));
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
        Ok(vec![info(position, &report), format!("bestmove {}", position.move_text(best))])
    }
}

/// From one line about a search to the next, its time grows by this factor at least: a program may
/// say only so much between two moves.
const INFO_RATIO: f64 = 1.05;

/// What a search has found, and what it has cost.
fn info(position: &Board, report: &Report<MoveIndex>) -> String {
    let findings = Findings::new(position, report, ValueKind::Evaluations);
    let Findings { work, depth, value, .. } = findings;
    let (work, time) = (work_words(work), milliseconds(work.time));
    let mut line = format!("info {work} time {time} depth {depth} value {value:.6}");
    if let Some(proof) = findings.proof {
        line.push_str(&format!(" proof {proof}"));
    }
    if !findings.pv.is_empty() {
        line.push_str(&format!(" pv {}", findings.pv.join(" ")));
    }
    line
}

#[cfg(test)]
mod tests;
