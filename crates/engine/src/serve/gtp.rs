//! GTP 2, the Go Text Protocol, with the games and the notation of OpenSpiel's `GTPBot`.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use treegraft::{
    Budget, Charset, Exactness, Game, Notation, Outcome, Playthrough, Side, derive_seed,
};
use treegraft_players::{Board, MoveIndex};

use super::super::foreign::{Writing, gtp_game};
use super::{Desk, Host, Tongue, shorten};

/// What it understands, in the order of `list_commands`.
const COMMANDS: [&str; 20] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "list_games",
    "set_game",
    "treegraft-seed",
];

pub(super) struct Gtp<'a> {
    host: Host<'a>,
    notation: Writing,
    clock: Clock,
    /// The plies of passes that were not sent, in their order.
    untold: Vec<usize>,
    /// Where the seeds of moves come from.
    seed: u64,
}

/// The command of a line, behind its number if it has one; empty if there is none.
pub(super) fn command_of(line: &str) -> &str {
    split_id(line).1.split_whitespace().next().unwrap_or_default()
}

/// The number of a line, which the answer repeats, and the rest. What follows `#` is a comment.
fn split_id(line: &str) -> (&str, &str) {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) {
        true => (first, rest.trim_start()),
        false => ("", line),
    }
}

impl Tongue for Gtp<'_> {
    fn line(&mut self, line: &str) -> Result<Vec<String>, String> {
        Ok(self.answer(line, &AtomicBool::new(false)))
    }

    fn go(&mut self, line: &str, desk: &Desk<'_>) -> Result<Vec<String>, String> {
        Ok(self.answer(line, desk.cancel))
    }

    fn refuse(&self, problem: &str) -> Vec<String> {
        // An empty line ends an answer.
        vec![format!("? {problem}"), String::new()]
    }
}

impl<'a> Gtp<'a> {
    pub(super) fn new(host: Host<'a>) -> Gtp<'a> {
        let (notation, clock) = (Writing::Own, Clock::default());
        let mut gtp = Gtp { host, notation, clock, untold: Vec::new(), seed: 0 };
        gtp.note_game();
        gtp
    }

    /// The answer to a command, with its number.
    fn answer(&mut self, line: &str, cancel: &AtomicBool) -> Vec<String> {
        let (mark, text) = match self.command(line, cancel) {
            Ok(text) => ('=', text),
            Err(problem) => ('?', problem.replace(['\n', '\r'], " ")),
        };
        let (id, _) = split_id(line);
        vec![format!("{mark}{id} {text}").trim_end().to_owned(), String::new()]
    }

    /// The notation of the game that is played.
    fn note_game(&mut self) {
        let start = self.host.served.as_ref().map(|served| &served.start);
        let game = start.and_then(|start| gtp_game(start).ok());
        self.notation = game.map_or(Writing::Own, |game| game.notation);
    }

    fn game(&mut self) -> Result<&mut Playthrough<Board>, String> {
        self.host.served()?.game.as_mut().ok_or_else(|| "there is no game".to_owned())
    }

    fn command(&mut self, line: &str, cancel: &AtomicBool) -> Result<String, String> {
        let words: Vec<&str> = split_id(line).1.split_whitespace().collect();
        let done = |()| String::new();
        match words.as_slice() {
            ["protocol_version"] => Ok("2".to_owned()),
            ["name"] => Ok("Treegraft".to_owned()),
            ["version"] => Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), self.host.player)),
            ["known_command", name] => Ok(COMMANDS.contains(name).to_string()),
            ["list_commands"] => Ok(COMMANDS.join("\n")),
            // A game without komi does not mind.
            ["quit"] | ["komi", _] => Ok(String::new()),
            ["boardsize", size @ ..] => self.set_size(size).map(done),
            ["clear_board"] => self.clear().map(done),
            ["play", colour, text @ ..] if !text.is_empty() => {
                let text = text.join(" ");
                self.or_as_before(|gtp| gtp.play(colour, &text)).map(done)
            }
            ["genmove", colour] => self.or_as_before(|gtp| gtp.generate(colour, true, cancel)),
            ["reg_genmove", colour] => self.generate(colour, false, cancel),
            ["undo"] => self.undo().map(done),
            ["time_settings", main, byo_yomi, stones] => {
                self.clock = Clock::new(main, byo_yomi, stones)?;
                Ok(String::new())
            }
            ["time_left", colour, time, stones] => {
                let side = side(colour)?;
                self.clock.set_left(side, time, stones).map(done)
            }
            ["final_score"] => self.score(),
            ["showboard"] => {
                Ok(format!("\n{}", self.game()?.position().notation().diagram(Charset::Ascii)))
            }
            ["list_games"] => Ok(self.host.served()?.start.info().name.to_owned()),
            ["set_game", name] => {
                let own = self.host.served()?.start.info().name;
                match name.eq_ignore_ascii_case(own) {
                    true => Ok(String::new()),
                    false => Err(format!("unsupported game {name:?}; expected {own}")),
                }
            }
            ["treegraft-seed", seed] => {
                let wrong = |_| format!("seed {seed:?}; expected a whole number");
                self.seed = seed.parse().map_err(wrong)?;
                Ok(String::new())
            }
            [word, ..] if COMMANDS.contains(word) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// `boardsize N` or `boardsize COLUMNS ROWS`.
    fn set_size(&mut self, size: &[&str]) -> Result<(), String> {
        let current = self.host.served()?.start.clone();
        let name = current.info().name;
        let is_one_number = matches!(name, "othello" | "hex");
        let params = match size {
            [n] if is_one_number => (*n).to_owned(),
            [n] => format!("{n}x{n}"),
            [columns, rows] if is_one_number && columns == rows => (*columns).to_owned(),
            [columns, rows] if !is_one_number => format!("{columns}x{rows}"),
            _ => return Err("unacceptable size".to_owned()),
        };
        if !matches!(name, "othello" | "hex" | "connect4" | "breakthrough") {
            return Err(format!("unacceptable size: GTP cannot set that of {name}"));
        }
        // Rules that are no size stay as they are.
        let (_, old) = current.text().split_once(':').unwrap_or_default();
        let rules: String = old
            .split(',')
            .filter(|rule| rule.contains('='))
            .map(|rule| format!(",{rule}"))
            .collect();
        let start = self.host.registry.start(&format!("{name}:{params}{rules}"));
        let start = start.map_err(|error| format!("unacceptable size: {error}"))?;
        if start.text() != current.text() {
            let opened = self.host.open(start);
            opened.map_err(|problem| format!("unacceptable size: {problem}"))?;
            self.note_game();
        }
        self.clear()
    }

    fn clear(&mut self) -> Result<(), String> {
        self.host.served()?.restart();
        self.clock.left = [None; 2];
        self.untold.clear();
        Ok(())
    }

    /// Takes back a move, and a pass before it that was not sent.
    fn undo(&mut self) -> Result<(), String> {
        let left = self.game()?.moves().len().checked_sub(1).ok_or("cannot undo")?;
        self.back_to(left)?;
        if self.untold.last().is_some_and(|ply| ply + 1 == left) {
            self.back_to(left - 1)?;
        }
        Ok(())
    }

    /// Takes back all moves after the first ones.
    fn back_to(&mut self, plies: usize) -> Result<(), String> {
        let game = self.game()?;
        while game.moves().len() > plies && game.undo().is_some() {}
        self.untold.retain(|&ply| ply < plies);
        Ok(())
    }

    /// Does something; if it is refused, a pass that was made for it is taken back.
    fn or_as_before<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, String> {
        let before = self.game()?.moves().len();
        let done = act(self);
        if done.is_err() {
            self.back_to(before)?;
        }
        done
    }

    /// Makes it this colour's turn, if only a pass is in the way, which many programs do not send.
    fn turn_to(&mut self, colour: &str) -> Result<(), String> {
        let side = side(colour)?;
        let game = self.game()?;
        if game.ending().is_some() || game.position().to_move() == side {
            return Ok(());
        }
        if let [only] = game.legal_moves().as_slice()
            && game.position().notation().move_text(*only) == "pass"
        {
            let ply = game.moves().len();
            game.play(*only);
            self.untold.push(ply);
            return Ok(());
        }
        Err(format!("it is not the turn of {colour}"))
    }

    fn play(&mut self, colour: &str, text: &str) -> Result<(), String> {
        let notation = self.notation;
        // A pass belongs to the side that has to make it.
        if !text.eq_ignore_ascii_case("pass") {
            self.turn_to(colour)?;
        } else if self.game()?.position().to_move() != side(colour)? {
            return Err(format!("it is not the turn of {colour}"));
        }
        let game = self.game()?;
        if game.ending().is_some() {
            return Err("illegal move: the game is over".to_owned());
        }
        let read = notation.read(game.position(), text);
        let mv = read.map_err(|problem| format!("illegal move: {problem}"))?;
        game.play(mv);
        Ok(())
    }

    fn generate(
        &mut self,
        colour: &str,
        plays: bool,
        cancel: &AtomicBool,
    ) -> Result<String, String> {
        let side = side(colour)?;
        let (notation, seed) = (self.notation, self.seed);
        if self.game()?.ending().is_some() {
            // Where there are passes, it is what a finished game is answered with.
            let is_othello = self.host.served()?.start.info().name == "othello";
            let over = || "the game is over".to_owned();
            return is_othello.then(|| "pass".to_owned()).ok_or_else(over);
        }
        let limits = self.clock.limits(side);
        if self.game()?.position().to_move() != side && !plays {
            return Err(format!("it is not the turn of {colour}"));
        }
        self.turn_to(colour)?;
        let seed = derive_seed(seed, self.game()?.moves().len() as u64);
        let budget = self.host.budget(limits)?;
        let served = self.host.served()?;
        let (_, best): (_, MoveIndex) = served.search(budget, seed, cancel, &mut |_, _| {})?;
        let game = self.game()?;
        let text = notation.write(game.position(), best);
        if plays {
            game.play(best);
        }
        Ok(text)
    }

    /// `B+6`, `W+1` or `0`.
    fn score(&mut self) -> Result<String, String> {
        let game = self.game()?;
        let ending = game.ending().ok_or("the game is not over")?;
        let margin = game.position().exactness().margin().map_or(1, i64::unsigned_abs).max(1);
        Ok(match ending.outcome {
            Outcome::Draw => "0".to_owned(),
            Outcome::Win(Side::First) => format!("B+{margin}"),
            Outcome::Win(Side::Second) => format!("W+{margin}"),
        })
    }
}

/// Whose colour it is.
fn side(colour: &str) -> Result<Side, String> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(format!("colour {:?}; expected b or w", shorten(colour))),
    }
}

/// The time settings that were received.
#[derive(Default)]
struct Clock {
    /// The main time.
    main: Duration,
    /// The time for some moves after that, and their number.
    byo_yomi: Option<(Duration, u32)>,
    /// What a side has left, and for how many moves, if received.
    left: [Option<(Duration, u32)>; 2],
}

/// Moves that are still to come: main time is divided by it.
const MOVES_TO_GO: u32 = 30;

/// Maximum number of seconds that is accepted.
const MAX_SECONDS: f64 = 1e9;

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..MAX_SECONDS).contains(number));
    let number = number.ok_or_else(|| format!("time {text:?}; expected a number of seconds"))?;
    Ok(Duration::from_secs_f64(number))
}

fn stones(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("stones {text:?}; expected a whole number"))
}

impl Clock {
    fn new(main: &str, byo_yomi: &str, count: &str) -> Result<Clock, String> {
        let (main, byo_yomi, count) = (seconds(main)?, seconds(byo_yomi)?, stones(count)?);
        // By the protocol, a time for no stones is no limit.
        Ok(match (byo_yomi.is_zero(), count) {
            (false, 0) => Clock::default(),
            (true, _) => Clock { main, ..Clock::default() },
            (false, count) => Clock { main, byo_yomi: Some((byo_yomi, count)), ..Clock::default() },
        })
    }

    fn set_left(&mut self, side: Side, time: &str, count: &str) -> Result<(), String> {
        self.left[side.index()] = Some((seconds(time)?, stones(count)?));
        Ok(())
    }

    /// The limit of the next move; none if there is no clock.
    fn limits(&self, side: Side) -> Budget {
        /// Answers take time, too.
        const SHARE: f64 = 0.95;
        let per_move = |(time, count): (Duration, u32)| time / count.max(1);
        let time = match (self.left[side.index()], self.byo_yomi) {
            (Some((time, 0)), after) => {
                time / MOVES_TO_GO + after.map_or(Duration::ZERO, per_move) / 2
            }
            (Some(left), _) => per_move(left),
            (None, Some(after)) if self.main.is_zero() => per_move(after),
            (None, after) => self.main / MOVES_TO_GO + after.map_or(Duration::ZERO, per_move) / 2,
        };
        let has_clock = !self.main.is_zero() || self.byo_yomi.is_some();
        match has_clock || self.left[side.index()].is_some() {
            true => Budget::time(time.mul_f64(SHARE).max(Duration::from_millis(1))),
            false => Budget::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_shared_out() {
        let time = |main, byo_yomi, count| {
            Clock::new(main, byo_yomi, count).unwrap().limits(Side::First).time
        };
        assert_eq!(time("0", "2", "1"), Some(Duration::from_millis(1900)));
        assert_eq!(time("0", "10", "5"), Some(Duration::from_millis(1900)));
        assert_eq!(time("300", "0", "0"), Some(Duration::from_millis(9500)));
        assert_eq!(time("300", "2", "1"), Some(Duration::from_millis(10450)));
        assert_eq!(time("0", "5", "0"), None);
        assert_eq!(time("0", "0", "0"), None);
        let mut clock = Clock::new("300", "2", "1").unwrap();
        clock.set_left(Side::First, "30", "0").unwrap();
        assert_eq!(clock.limits(Side::First).time, Some(Duration::from_millis(1900)));
        clock.set_left(Side::First, "4", "2").unwrap();
        assert_eq!(clock.limits(Side::First).time, Some(Duration::from_millis(1900)));
        assert_eq!(clock.limits(Side::Second).time, Some(Duration::from_millis(10450)));
        for wrong in ["-1", "x", "1e99", "inf", "nan"] {
            assert!(Clock::new(wrong, "0", "0").is_err(), "{wrong}");
        }
    }

    #[test]
    fn commands_have_numbers_and_comments() {
        assert_eq!(split_id("12 genmove b # now"), ("12", "genmove b"));
        assert_eq!(split_id("name"), ("", "name"));
        assert_eq!(split_id("# nothing"), ("", ""));
        assert_eq!(command_of("3 quit"), "quit");
        assert_eq!(command_of("3"), "");
    }
}
