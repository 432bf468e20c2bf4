//! Our own protocol.

use treegraft::{Game, Notation, Report};
use treegraft_players::{Board, MoveIndex};

use super::super::protocol::{VERSION, milliseconds, parse_go, work_words};
use super::{Desk, Host, ServedGame, Tongue, shorten};
use crate::ValueKind;
use crate::findings::Findings;

pub(super) struct Tgp<'a>(pub(super) Host<'a>);

impl Tgp<'_> {
    fn served(&mut self) -> Result<&mut ServedGame, String> {
        self.0.served().map_err(|problem| format!("{problem}; expected newgame GAME first"))
    }
}

impl Tongue for Tgp<'_> {
    fn line(&mut self, line: &str) -> Result<Vec<String>, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "tgp" if ["", VERSION].contains(&rest) => Ok(vec![
                format!("id name treegraft {} {}", env!("CARGO_PKG_VERSION"), self.0.player),
                format!("tgpok {VERSION}"),
            ]),
            "tgp" => Err(format!("version {rest:?} of the protocol; expected {VERSION}")),
            "isready" => Ok(vec!["readyok".to_owned()]),
            "newgame" => {
                // What follows is meant for this game, and for no other.
                self.0.served = None;
                let start = self.0.registry.start(rest).map_err(|error| error.to_string())?;
                self.0.open(start)?;
                Ok(Vec::new())
            }
            "position" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                self.served()?.set_position(&words, "text")?;
                Ok(Vec::new())
            }
            _ => Err(format!(
                "there is no command {:?}; expected tgp, isready, newgame, position, go, stop or \
                 quit",
                shorten(word)
            )),
        }
    }

    /// Searches the position, and says on the way what is found.
    fn go(&mut self, line: &str, desk: &Desk<'_>) -> Result<Vec<String>, String> {
        self.served()?;
        let (limits, seed) = parse_go(line.trim_start_matches("go"))?;
        let budget = self.0.budget(limits).map_err(|error| format!("go: {error}"))?;
        let served = self.served()?;
        let mut tell = |position: &Board, so_far: &Report<MoveIndex>| {
            desk.say(&info(position, so_far));
        };
        let (report, best) = served.search(budget, seed, desk.cancel, &mut tell)?;
        let game = served.game.as_ref().ok_or("there is no position")?;
        let position = game.position();
        Ok(vec![
            info(position, &report),
            format!("bestmove {}", position.notation().move_text(best)),
        ])
    }

    fn refuse(&self, problem: &str) -> Vec<String> {
        vec![format!("error {problem}")]
    }

    fn lose_track(&mut self) {
        self.0.served = None;
    }
}

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
