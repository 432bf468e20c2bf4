//! UCI: for programs that play chess and its variants.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use treegraft::{Budget, Game, Limit, Notation, Report, Side, derive_seed};
use treegraft_players::{Board, MoveIndex};

use super::super::foreign::{Writing, uci_game};
use super::{Desk, Host, Tongue, shorten};
use crate::ValueKind;
use crate::findings::Findings;
use crate::memory::MemoryLimit;

pub(super) struct Uci<'a> {
    host: Host<'a>,
    /// What the game is called here.
    variant: String,
    notation: Writing,
    /// Where the seeds of moves come from.
    seed: u64,
    /// Bytes for trees and tables, if that was said.
    memory: Option<u64>,
}

/// Checks whether the program responds, also while it searches.
pub(super) const QUESTION: &str = "isready";

/// The response.
pub(super) const ANSWER: &str = "readyok";

/// Maximum of `Hash` in mebibytes, if the system does not say how much memory there is.
const MAX_HASH: u64 = 1 << 20;

/// Maximum mebibytes that this process may use, and why if the system says so.
fn most_hash() -> (u64, String) {
    match MemoryLimit::here() {
        Some(limit) => ((limit.bytes >> 20).clamp(1, MAX_HASH), format!(": {limit}")),
        None => (MAX_HASH, String::new()),
    }
}

impl<'a> Uci<'a> {
    pub(super) fn new(host: Host<'a>) -> Uci<'a> {
        let start = host.served.as_ref().map(|served| &served.start);
        let text = start.map_or(String::new(), |start| start.text().to_owned());
        let game = start.and_then(|start| uci_game(start).ok());
        let (variant, notation) = match game {
            Some(game) => (game.variant, game.notation),
            None => (text, Writing::Own),
        };
        Uci { host, variant, notation, seed: 0, memory: None }
    }

    fn greeting(&self) -> Vec<String> {
        let hash = self.host.player.budget.memory.map_or(16, |bytes| (bytes >> 20).max(1));
        let (variant, (most, _)) = (&self.variant, most_hash());
        vec![
            format!("id name treegraft {} {}", env!("CARGO_PKG_VERSION"), self.host.player),
            format!("id author {}", env!("CARGO_PKG_AUTHORS")),
            format!("option name UCI_Variant type combo default {variant} var {variant}"),
            format!("option name Hash type spin default {} min 1 max {most}", hash.min(most)),
            format!("option name Seed type spin default 0 min 0 max {}", i64::MAX),
            "uciok".to_owned(),
        ]
    }

    /// `name NAME value VALUE`.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let divide = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(divide);
        let name = name.iter().skip(1).copied().collect::<Vec<_>>().join(" ");
        let value = value.iter().skip(1).copied().collect::<Vec<_>>().join(" ");
        let wrong = |expected: &str| format!("{name} is {value:?}; expected {expected}");
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" if value == self.variant => {}
            "uci_variant" => return Err(wrong(&self.variant)),
            "hash" => {
                let (most, why) = most_hash();
                let mib = value.parse::<u64>().ok().filter(|mib| (1..=most).contains(mib));
                let range = || wrong(&format!("a number of mebibytes from 1 to {most}{why}"));
                self.memory = Some(mib.ok_or_else(range)? << 20);
            }
            "seed" => {
                let range = |_| wrong(&format!("a whole number from 0 to {}", u64::MAX));
                self.seed = value.parse().map_err(range)?;
            }
            _ => {
                let expected = "expected UCI_Variant, Hash or Seed";
                return Err(format!("there is no option {name:?}; {expected}"));
            }
        }
        Ok(())
    }
}

impl Tongue for Uci<'_> {
    fn line(&mut self, line: &str) -> Result<Vec<String>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => Ok(self.greeting()),
            [QUESTION] => Ok(vec![ANSWER.to_owned()]),
            ["ucinewgame"] => {
                self.host.served()?.restart();
                Ok(Vec::new())
            }
            ["setoption", rest @ ..] => self.set_option(rest).map(|()| Vec::new()),
            ["position", rest @ ..] => {
                self.host.served()?.set_position(rest, "fen").map(|()| Vec::new())
            }
            ["debug" | "register" | "ponderhit", ..] => Ok(Vec::new()),
            [word, ..] => Err(format!(
                "there is no command {:?}; expected uci, isready, setoption, ucinewgame, position, \
                 go, stop or quit",
                shorten(word)
            )),
            [] => Ok(Vec::new()),
        }
    }

    /// Searches the position, and says on the way what is found.
    fn go(&mut self, line: &str, desk: &Desk<'_>) -> Result<Vec<String>, String> {
        let notation = self.notation;
        let game = self.host.served()?.game.as_ref();
        let game = game.ok_or("there is no position; expected position first")?;
        let (mover, ply) = (game.position().to_move(), game.moves().len());
        let Go { mut limits, is_endless, mut ignored } = parse_go(line, mover);
        limits.memory = self.memory;
        // A GUI asks every program for a depth. By the protocol one that has none goes on.
        if limits.plies.is_some() && !self.host.served()?.analyst.spends().includes(Limit::Plies) {
            limits.plies = None;
            ignored.push("depth");
        }
        let budget = match is_endless {
            true => Budget { memory: limits.memory.or(self.host.player.budget.memory), ..limits },
            false => self.host.budget(limits)?,
        };
        crate::memory::check_memory(&budget).map_err(|error| error.to_string())?;
        let seed = derive_seed(self.seed, ply as u64);
        let served = self.host.served()?;
        let mut tell = |position: &Board, so_far: &Report<MoveIndex>| {
            desk.say(&info(position, so_far, notation));
        };
        desk.begin(QUESTION, ANSWER);
        if !ignored.is_empty() {
            let ignored: String = ignored.join(" ").chars().take(200).collect();
            desk.say(&format!("info string go: ignored {ignored:?}; expected {LIMITS}"));
        }
        let (report, best) = served.search(budget, seed, desk.cancel, &mut tell)?;
        // An analysis without an end is answered only when it is stopped.
        while is_endless && !desk.cancel.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        let game = served.game.as_ref().ok_or("there is no position")?;
        let position = game.position();
        Ok(vec![
            info(position, &report, notation),
            format!("bestmove {}", notation.write(position, best)),
        ])
    }

    fn refuse(&self, problem: &str) -> Vec<String> {
        vec![format!("info string error: {problem}")]
    }

    fn lose_track(&mut self) {
        if let Some(served) = &mut self.host.served {
            served.game = None;
        }
    }
}

/// What follows `go`.
struct Go<'a> {
    limits: Budget,
    /// Whether it ends only at `stop`.
    is_endless: bool,
    /// What is not understood. By the protocol that is no reason not to search.
    ignored: Vec<&'a str>,
}

/// What `go` understands.
const LIMITS: &str = "movetime, nodes, depth, wtime, btime, winc, binc and movestogo with whole \
                      numbers, or infinite";

/// Whether a line starts a search that ends only at `stop`.
pub(super) fn is_endless(line: &str) -> bool {
    parse_go(line, Side::First).is_endless
}

/// Moves assumed to be still to come if their number is not given: clocks are divided by it.
const MOVES_TO_GO: u32 = 30;

fn parse_go(line: &str, mover: Side) -> Go<'_> {
    let (mut limits, mut is_endless, mut ignored) = (Budget::default(), false, Vec::new());
    let [own_time, own_increment] = match mover {
        Side::First => ["wtime", "winc"],
        Side::Second => ["btime", "binc"],
    };
    let (mut clock, mut increment, mut to_go) = (None, Duration::ZERO, MOVES_TO_GO);
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(name) = words.next() {
        match name {
            "infinite" | "ponder" => {
                is_endless = true;
                continue;
            }
            "movetime" | "nodes" | "depth" | "wtime" | "btime" | "winc" | "binc" | "movestogo" => {}
            // The moves behind `searchmoves` are not understood, either.
            _ => {
                ignored.push(name);
                continue;
            }
        }
        // Clocks may be negative once they have run out.
        let number = words.peek().and_then(|value| value.parse::<i64>().ok());
        let Some(number) = number.map(|number| number.max(0).unsigned_abs()) else {
            ignored.push(name);
            continue;
        };
        words.next();
        let time = Duration::from_millis(number);
        match name {
            "movetime" => limits.time = Some(time.max(Duration::from_millis(1))),
            "nodes" => limits.nodes = Some(number.max(1)),
            "depth" => limits.plies = Some(number.max(1)),
            "movestogo" => to_go = u32::try_from(number).unwrap_or(MOVES_TO_GO).max(1),
            name if name == own_time => clock = Some(time),
            name if name == own_increment => increment = time,
            _ => {}
        }
    }
    if let Some(left) = clock {
        let share = left / to_go + increment * 4 / 5;
        let share = share.min(left / 2).max(Duration::from_millis(1));
        limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
    }
    Go { limits, is_endless, ignored }
}

/// What a search has found, and what it has cost.
fn info(position: &Board, report: &Report<MoveIndex>, notation: Writing) -> String {
    let Findings { work, depth, value, pv, proof, .. } =
        Findings::new(position, report, ValueKind::Evaluations);
    let time = work.time.as_millis();
    let per_second = work.nodes as f64 / work.time.as_secs_f64().max(1e-6);
    let mut line = format!(
        "info depth {depth} score cp {} nodes {} nps {per_second:.0} time {time}",
        centipawns(value, proof),
        work.nodes
    );
    let mut position = position.clone();
    let mut texts = Vec::new();
    for text in pv {
        let Ok(mv) = position.notation().parse_move(&text) else { break };
        texts.push(notation.write(&position, mv));
        position.play(mv);
    }
    if !texts.is_empty() {
        line.push_str(&format!(" pv {}", texts.join(" ")));
    }
    line
}

/// A value from -1 to 1 in hundredths of a pawn, as far as that means anything: a logistic curve on
/// which four pawns are ten to one. A proven value is a hundred pawns.
fn centipawns(value: f64, proof: Option<&str>) -> i64 {
    match proof {
        Some("win") => 10_000,
        Some("loss") => -10_000,
        Some(_) => 0,
        None => {
            let chance = (0.5 * (value + 1.0)).clamp(1e-6, 1.0 - 1e-6);
            (400.0 * (chance / (1.0 - chance)).log10()).round() as i64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_shared_out() {
        let time = |line: &str, mover| parse_go(line, mover).limits.time.unwrap();
        let ms = Duration::from_millis;
        let line = "go wtime 60000 btime 30000 winc 1000 binc 500";
        assert_eq!(time(line, Side::First), ms(2800));
        assert_eq!(time(line, Side::Second), ms(1400));
        assert_eq!(time("go wtime 1000 btime 1 movestogo 1", Side::First), ms(500));
        assert_eq!(time("go wtime -5 btime 1", Side::First), ms(1));
        assert_eq!(time("go movetime 100", Side::First), ms(100));
        let go = |line| parse_go(line, Side::First);
        let Go { limits, is_endless, ignored } = go("go depth 5 nodes 7");
        assert_eq!((limits.plies, limits.nodes, is_endless), (Some(5), Some(7), false));
        assert!(ignored.is_empty() && go("go infinite").is_endless);
        assert_eq!(go("go wisdom 3").ignored, ["wisdom", "3"]);
        assert_eq!(go("go nodes many").ignored, ["nodes", "many"]);
        let Go { limits, ignored, .. } = go("go searchmoves e2e4 d2d4 nodes 5 depth");
        assert_eq!(ignored, ["searchmoves", "e2e4", "d2d4", "depth"]);
        assert_eq!((limits.nodes, limits.plies), (Some(5), None));
    }

    #[test]
    fn scores_grow_with_values() {
        assert_eq!(centipawns(0.0, None), 0);
        assert_eq!(centipawns(9.0 / 11.0, None), 400);
        assert_eq!(centipawns(-9.0 / 11.0, None), -400);
        assert!(centipawns(1.0, None) < centipawns(1.0, Some("win")));
        assert_eq!(centipawns(0.3, Some("draw")), 0);
    }
}
