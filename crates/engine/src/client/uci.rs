//! Engines that speak UCI, the protocol of programs for chess, and play its variants.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use treegraft::{Budget, Game, Notation, Playthrough, Work};
use treegraft_players::{Board, EngineOptions, MoveIndex, Start};

use super::super::foreign::{Refusal, UciGame, uci_game};
use super::{Dialect, Talk, fault};
use crate::seat::{Fault, FaultKind, NoAnswer};

pub(super) struct Uci {
    game: UciGame,
    start: Start,
    /// Options of the program.
    set: Vec<(String, String)>,
}

impl Uci {
    pub(super) fn new(options: &EngineOptions, start: &Start) -> Result<Uci, Refusal> {
        let game = uci_game(start)?;
        Ok(Uci { game, start: start.clone(), set: options.set.clone() })
    }

    /// Everything before the first move.
    fn get_ready(&self, talk: &mut Talk<'_, '_>) -> Result<(), NoAnswer> {
        let mut known = Options::default();
        talk.wait_for("uciok", |line| known.note(line))?;
        for (name, value) in &self.set {
            if !known.has(name) {
                return Err(no_start(format!("it has no option {name:?}")).into());
            }
            talk.send(&format!("setoption name {name} value {value}"));
        }
        if let (Some(bytes), true) = (talk.request.budget.memory, known.has("Hash")) {
            talk.send(&format!("setoption name Hash value {}", (bytes >> 20).max(1)));
        }
        let variant = &self.game.variant;
        // Lives until the program has read it.
        let file = self.file_to_teach(&known)?;
        if let Some(file) = &file {
            talk.send(&format!("setoption name VariantPath value {}", file.path.display()));
        }
        talk.send(&format!("setoption name UCI_Variant value {variant}"));
        talk.send("ucinewgame");
        talk.send("isready");
        let mut has_learnt = file.is_none();
        talk.wait_for("readyok", |line| {
            let mut words = line.split_whitespace();
            has_learnt |= words.any(|word| word == variant);
        })?;
        if !has_learnt {
            return Err(no_start(format!("it has not learnt the variant {variant}")).into());
        }
        Ok(())
    }

    /// A file with the variant, unless the program knows it.
    fn file_to_teach(&self, known: &Options) -> Result<Option<TaughtFile>, Fault> {
        let UciGame { variant, file, differs, .. } = &self.game;
        if !known.has("UCI_Variant") {
            let problem = "it has no option UCI_Variant: it plays chess only".to_owned();
            return Err(no_start(problem));
        }
        match file {
            _ if known.variants.contains(variant) => Ok(None),
            Some(text) if known.has("VariantPath") => {
                let file = TaughtFile::new(text).map_err(|error| {
                    no_start(format!("cannot write a file with its variant: {error}"))
                })?;
                Ok(Some(file))
            }
            _ => {
                let differs = differs.map(|rules| format!("; there may be {rules}"));
                Err(no_start(format!(
                    "it does not know the variant {variant}, and cannot learn it{}",
                    differs.unwrap_or_default()
                )))
            }
        }
    }

    fn position_line(&self, game: &Playthrough<Board>) -> String {
        let mut line = match game.start().notation().position_text() {
            Some(text) if game.start() != self.start.board() => {
                format!("position fen {text} - - 0 1")
            }
            _ => "position startpos".to_owned(),
        };
        let mut position = game.start().clone();
        for (number, &mv) in game.moves().iter().enumerate() {
            line.push_str(if number == 0 { " moves " } else { " " });
            line.push_str(&self.game.notation.write(&position, mv));
            position.play(mv);
        }
        line
    }
}

impl Dialect for Uci {
    fn hello(&mut self) -> String {
        "uci".to_owned()
    }

    fn answer(
        &mut self,
        talk: &mut Talk<'_, '_>,
        game: &Playthrough<Board>,
    ) -> Result<(MoveIndex, Work), NoAnswer> {
        if talk.is_ready {
            // Leftover output about the last move comes before this answer.
            talk.send("isready");
            talk.wait_for("readyok", |_| {})?;
        } else {
            self.get_ready(talk)?;
            talk.is_ready = true;
        }
        talk.send(&self.position_line(game));
        talk.send(&go_line(talk.request.budget));
        let (text, work) = talk.best_move(note_info)?;
        let mv = self.game.notation.read(game.position(), &text);
        Ok((mv.map_err(|problem| fault(FaultKind::IllegalMove, problem))?, work))
    }
}

fn no_start(problem: String) -> Fault {
    fault(FaultKind::NoStart, problem)
}

/// The line that requests a move.
fn go_line(budget: Budget) -> String {
    let mut line = "go".to_owned();
    for (name, number) in [("depth", budget.plies), ("nodes", budget.nodes)] {
        if let Some(number) = number {
            line.push_str(&format!(" {name} {number}"));
        }
    }
    if let Some(time) = budget.time {
        line.push_str(&format!(" movetime {}", time.as_millis().max(1)));
    }
    line
}

/// Notes what an `info` says about the work: the nodes, and the depth of a finished iteration.
fn note_info(work: &mut Work, text: &str) {
    /// Sums of larger numbers might overflow; no engine can have counted that far.
    const LARGEST: u64 = 1 << 40;
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.first() == Some(&"string") {
        return;
    }
    let is_finished = words.contains(&"score")
        && !["lowerbound", "upperbound", "currmove"].iter().any(|word| words.contains(word));
    for pair in words.windows(2) {
        let Some(number) = pair[1].parse().ok().filter(|&number| number <= LARGEST) else {
            continue;
        };
        match pair[0] {
            // What follows is a line of moves.
            "pv" => return,
            "nodes" => work.nodes = number,
            "depth" if is_finished => work.iterations = number,
            _ => {}
        }
    }
}

/// The options that a program has.
#[derive(Default)]
struct Options {
    /// In lower case: UCI ignores case.
    names: Vec<String>,
    variants: Vec<String>,
}

impl Options {
    /// Notes a line such as `option name Hash type spin default 16 min 1 max 1024`.
    fn note(&mut self, line: &str) {
        let Some(option) = line.strip_prefix("option name ") else { return };
        let (name, kind) = option.split_once(" type ").unwrap_or((option, ""));
        self.names.push(name.trim().to_ascii_lowercase());
        if self.has("UCI_Variant") && self.variants.is_empty() {
            self.variants =
                kind.split(" var ").skip(1).map(|word| word.trim().to_owned()).collect();
        }
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| *known == name.to_ascii_lowercase())
    }
}

/// A file that teaches a program a variant; it lives as long as this.
struct TaughtFile {
    folder: PathBuf,
    path: PathBuf,
}

impl TaughtFile {
    fn new(text: &str) -> io::Result<TaughtFile> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        // A new folder of our own: no other process can have put anything there.
        let folder = loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("treegraft-variants-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match fs::create_dir(&folder) {
                Ok(()) => break folder,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        let file = TaughtFile { path: folder.join("variants.ini"), folder };
        let mut written = fs::File::create(&file.path)?;
        written.write_all(text.as_bytes())?;
        Ok(file)
    }
}

impl Drop for TaughtFile {
    fn drop(&mut self) {
        let remove =
            |path: &Path| fs::remove_file(path).and_then(|()| fs::remove_dir(&self.folder));
        // What cannot be removed is a few bytes in the folder for such files.
        let _ = remove(&self.path);
    }
}
