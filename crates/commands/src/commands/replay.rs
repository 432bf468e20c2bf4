//! `treegraft replay`: a stored game, position by position.

use std::io::{BufRead, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use treegraft::{Game, Notation, Side};
use treegraft_engine::{MoveThought, Thought, percent};
use treegraft_lab::{GameFile, KeptGame, KeptGameError, json};
use treegraft_pictures::printable;

use super::export::store_of;
use crate::board_view::BoardStyle;
use crate::prelude::*;

/// Step through a stored game: the boards, the moves, and what the players thought
///
/// In a terminal, Enter shows the next position, and `h` lists what else can be typed. Elsewhere, or
/// with --all, the whole game is printed. Games are numbered from 1 in the order in which `export`
/// writes them. What the players thought is there if the experiment file says record = "thinking".
///
/// A ledger does not keep the moves of games that follow from their seeds: such a game is played
/// again, which takes as long as it took the first time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft replay examples/quick.toml 1
  treegraft replay examples/quick.db 17 --all
  treegraft replay quick.ledger 3 --ply 12
  treegraft replay examples/quick.db 1 --json

Exit codes: 0 on success, 1 if the file is damaged, 2 if there is no such game, 130 after Ctrl-C.")]
pub(crate) struct Replay {
    /// The experiment file, or the store or ledger itself
    file: PathBuf,

    /// The number of the game, from 1 in the order of `treegraft export`
    #[arg(value_parser = whole_number(1usize..=1_000_000_000))]
    number: usize,

    /// The store or ledger of the games [default: the experiment file with the extension .db]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Print the whole game, also in a terminal
    #[arg(long, conflicts_with_all = ["ply", "json"])]
    all: bool,

    /// Print only the position after K moves
    #[arg(long, value_name = "K", conflicts_with = "json")]
    #[arg(value_parser = whole_number(0usize..=1_000_000))]
    ply: Option<usize>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Print JSON: one object with the whole game
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let path = store_of(&self.file, self.store.as_deref());
        let kept = kept_game(registry, &path, self.number, self.json)?;
        let style = BoardStyle::of_output(self.ascii);
        let view = View { kept: &kept, style, texts: kept.game.move_texts() };
        if self.json {
            return Ok(Output::json("treegraft.replay/1", &json::replay(&kept)));
        }
        if let Some(ply) = self.ply {
            if ply > view.last() {
                let last = view.last();
                return Err(CliError::new(format!(
                    "--ply is {ply}; game {} has {last} moves: expected a number from 0 to {last}",
                    self.number
                )));
            }
            return Ok(Output::text(format!("{}\n{}", view.head(), view.position(ply))));
        }
        if self.all || !std::io::stdout().is_terminal() {
            return Ok(Output::text(view.whole()));
        }
        let mut stepping = Stepping { view: &view, ply: 0, out: std::io::stdout().lock() };
        match stepping.run(&mut std::io::stdin().lock()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CliError::new(format!("cannot go on: {error}")).code(NO_SUCCESS))
            }
            _ => Ok(Output::nothing()),
        }
    }
}

/// A game of a store or a ledger, with a sign of life while it is played again.
pub(super) fn kept_game(
    registry: &Registry,
    path: &std::path::Path,
    number: usize,
    quiet: bool,
) -> Result<KeptGame> {
    let file = GameFile::open(path)?;
    let _spinner = spinner("playing the game again", quiet);
    KeptGame::read(registry, &file, number, Some(interrupt::flag())).map_err(|error| {
        let message = CliError::new(format!("{}: {error}", path.display()));
        match error {
            KeptGameError::Store(error) => error.into(),
            KeptGameError::Changed { .. } => message.code(NO_SUCCESS).hint(
                "a store of the experiment, which keeps moves, or the program that played it",
            ),
            KeptGameError::Moves { .. } => message
                .code(NO_SUCCESS)
                .hint(format!("`treegraft verify {}` checks all games", path.display())),
            KeptGameError::Cancelled { .. } => message.code(INTERRUPTED),
            KeptGameError::Missing { .. } => {
                message.hint(format!("`treegraft export {}` lists all games", path.display()))
            }
            KeptGameError::Unknown { .. } => message,
        }
    })
}

/// A game as people see it.
struct View<'a> {
    kept: &'a KeptGame,
    /// How boards are drawn when stepping through them; without marks elsewhere.
    style: BoardStyle,
    /// The moves.
    texts: Vec<String>,
}

/// Moves that are shown before and after the current one.
const AROUND: usize = 4;

impl View<'_> {
    /// The number of moves.
    fn last(&self) -> usize {
        self.texts.len()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.kept.game.position().notation().side_name(side)
    }

    /// What holds for the whole game.
    fn head(&self) -> String {
        let KeptGame { number, row, start, was_played_again, thoughts, .. } = self.kept;
        let [first, second] = [Side::First, Side::Second]
            .map(|side| format!("{}  {}", self.side_name(side), self.kept.player(side)));
        let mut lines = vec![
            ("game", format!("{number}: {}", start.text())),
            ("first", wrap(&first)),
            ("second", wrap(&second)),
            ("result", wrap(&self.kept.result_text())),
            ("moves", row.plies.to_string()),
        ];
        if row.opening_plies > 0 {
            let opening = self.texts[..(row.opening_plies as usize).min(self.last())].join(" ");
            lines.push(("opening", wrap(&opening)));
        }
        if *was_played_again {
            let note =
                "played again from its seed: the moves are not kept, and the digest is right";
            lines.push(("note", wrap(note)));
        } else if thoughts.is_empty() {
            let note = "what the players thought was not recorded: record = \"thinking\" in the \
                        experiment file keeps it";
            lines.push(("note", wrap(note)));
        }
        labelled(&lines)
    }

    /// The board after `ply` moves, with what there is to say about it.
    fn position(&self, ply: usize) -> String {
        let style = BoardStyle { marks: false, ..self.style };
        format!("{}\n\n{}", style.board(&self.kept.at(ply)), self.about(ply))
    }

    /// What there is to say about the position after `ply` moves.
    fn about(&self, ply: usize) -> String {
        let game = self.kept.at(ply);
        let position = game.position();
        let opening = self.kept.row.opening_plies as usize;
        let mut lines = Vec::new();
        if let Some(before) = ply.checked_sub(1) {
            let mover = self.kept.at(before).position().to_move();
            let who = self.side_name(mover);
            let what = if before < opening { "  (opening)" } else { "" };
            lines.push(("last", format!("{ply}. {who} plays {}{what}", self.texts[before])));
        }
        if !self.texts.is_empty() {
            lines.push(("moves", wrap(&self.around(ply))));
        }
        for (label, before) in [("before", ply.checked_sub(2)), ("thought", ply.checked_sub(1))] {
            let thought = before.and_then(|before| self.kept.thought(before));
            let Some(thought) = thought else { continue };
            let mover = self.kept.at(thought.ply as usize).position().to_move();
            lines.push((label, thought_text(thought, self.side_name(mover))));
        }
        if ply == self.last() {
            lines.push(("result", wrap(&self.kept.result_text())));
        } else {
            let mover = position.to_move();
            let (name, player) = (self.side_name(mover), self.kept.player(mover));
            lines.push(("turn", wrap(&format!("{name}, {player}"))));
        }
        labelled(&lines)
    }

    /// The moves around the current one, which stands in brackets; those of the opening are marked.
    fn around(&self, ply: usize) -> String {
        let opening = self.kept.row.opening_plies as usize;
        let (from, to) = (ply.saturating_sub(AROUND + 1), (ply + AROUND).min(self.last()));
        let mut words = Vec::new();
        if from > 0 {
            words.push("...".to_owned());
        }
        for (index, text) in self.texts.iter().enumerate().take(to).skip(from) {
            let mark = if index < opening { "*" } else { "" };
            let numbered = format!("{}.{text}{mark}", index + 1);
            words.push(if index + 1 == ply { format!("[{numbered}]") } else { numbered });
        }
        if to < self.last() {
            words.push("...".to_owned());
        }
        words.join(" ")
    }

    /// All positions, one below the other.
    fn whole(&self) -> String {
        let positions: Vec<String> = (0..=self.last()).map(|ply| self.position(ply)).collect();
        format!("{}\n{}", self.head(), positions.join("\n"))
    }
}

/// A blank at which no line ends, as long as lines are being made.
const JOINED: &str = "\u{1}";

/// "54.2 % for X (proven win), depth 12, 1,000 iterations ... in 0.02 s" and the best moves.
fn thought_text(thought: &Thought, who: &str) -> String {
    let mut lines = Vec::new();
    let mut words = Vec::new();
    if let Some(value) = thought.value {
        let proof = thought.proof.map_or_else(String::new, |it| format!(" (proven {})", it.word()));
        words.push(format!("{} for {who}{proof}", percent(value)));
    } else {
        words.push(who.to_owned());
    }
    if thought.depth > 0 {
        words.push(format!("depth {}", thought.depth));
    }
    let work = [
        (thought.iterations, "iterations"),
        (thought.nodes, "nodes"),
        (thought.evaluations, "evaluations"),
    ];
    let work = work.into_iter().filter(|(count, _)| *count > 0);
    words.extend(work.map(|(count, what)| format!("{} {what}", grouped(count))));
    words.push(format!("in {}", seconds(thought.seconds)));
    lines.push(wrap(&words.join(", ").replace(", in ", " in ")));
    if !thought.line.is_empty() {
        lines.push(wrap(&format!("line {}", thought.line)));
    }
    if !thought.moves.is_empty() {
        let about = |it: &MoveThought| {
            let value = it.value.map_or_else(|| "-".to_owned(), percent).replace(" %", "%");
            let proof = it.proof.map_or_else(String::new, |proof| format!(" {}", proof.word()));
            let text = format!("{} {value}{proof} ({})", it.text, grouped(it.visits));
            text.replace(' ', JOINED)
        };
        let moves: Vec<String> = thought.moves.iter().map(about).collect();
        lines.push(wrap(&format!("best {}", moves.join(", "))).replace(JOINED, " "));
    }
    lines.join("\n")
}

/// A game that the user steps through.
struct Stepping<'a, W> {
    view: &'a View<'a>,
    ply: usize,
    out: W,
}

const HELP: &str = "\
Enter, n   the next position (also the right arrow, followed by Enter)
p, b       the position before it (also the left arrow)
g NUMBER   the position after NUMBER moves
s          the start
e          the end
h          shows this
q          quits";

impl<W: Write> Stepping<'_, W> {
    /// Shows positions until the reader quits, or the input ends.
    fn run(&mut self, input: &mut dyn BufRead) -> std::io::Result<()> {
        self.write(&format!("{}\n`h` says what you can type.\n\n", self.view.head()))?;
        self.show()?;
        loop {
            write!(self.out, "{}/{}> ", self.ply, self.view.last())?;
            self.out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                return writeln!(self.out);
            }
            // Input that is not text is no command either, and gets the same answer.
            let line = String::from_utf8_lossy(&line);
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match (word, rest.trim()) {
                ("" | "n" | "next" | "\x1b[C", "") => self.go(self.ply + 1)?,
                ("p" | "b" | "back" | "\x1b[D", "") => match self.ply.checked_sub(1) {
                    Some(ply) => self.go(ply)?,
                    None => writeln!(self.out, "This is the start.")?,
                },
                ("s" | "start", "") => self.go(0)?,
                ("e" | "end", "") => self.go(self.view.last())?,
                ("g" | "go", number) => match number.parse() {
                    Ok(ply) if ply <= self.view.last() => self.go(ply)?,
                    _ => {
                        let last = self.view.last();
                        self.write(&format!(
                            "{number:?} is not a number of moves; expected a number from 0 to {last}\n"
                        ))?;
                    }
                },
                ("h" | "help" | "?", "") => writeln!(self.out, "{HELP}")?,
                ("q" | "quit" | "exit", "") => return Ok(()),
                _ => self.write(&format!("{:?} means nothing here; h is help\n", line.trim()))?,
            }
        }
    }

    fn go(&mut self, ply: usize) -> std::io::Result<()> {
        if ply > self.view.last() {
            return writeln!(self.out, "This is the end.");
        }
        self.ply = ply;
        self.show()
    }

    fn show(&mut self) -> std::io::Result<()> {
        // What marks the last move is ours, and meant for the terminal.
        writeln!(self.out, "{}\n", self.view.style.board(&self.view.kept.at(self.ply)))?;
        self.write(&format!("{}\n", self.view.about(self.ply)))
    }

    /// Names of players come from files that others have written, and must not control the terminal.
    fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.out.write_all(printable(text).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use treegraft::Charset;
    use treegraft_lab::{Opening, Pair, RunOptions, RunWatch, Store, run};

    use super::*;

    /// What is shown to a user who types this, in a game of Connect-4 that begins with 4 4.
    fn typed(text: &str) -> String {
        let registry = Registry::standard();
        let pair = Pair {
            game: "connect4".to_owned(),
            players: ["mcts-solver@50it", "random"].map(str::to_owned),
            opening: Opening::Moves("4 4".to_owned()),
            seed: 1,
            max_plies: None,
        };
        let name = format!("replay-{}-{}.db", std::process::id(), text.len());
        let path = std::env::temp_dir().join(name);
        let mut store = Store::open_or_create(&path, "").expect("a store");
        let plan = [treegraft_lab::PlannedPair { pairing: 0, pair }];
        let options = RunOptions { jobs: 1, record: true, ..RunOptions::default() };
        run(&registry, &plan, &mut store, options, RunWatch::default()).expect("a run");
        drop(store);
        let kept = kept_game(&registry, &path, 1, true).expect("a game");
        for suffix in ["", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
        }
        let texts = kept.game.move_texts();
        let style = BoardStyle { charset: Charset::Ascii, marks: false };
        let view = View { kept: &kept, style, texts };
        let mut out = Vec::new();
        let mut stepping = Stepping { view: &view, ply: 0, out: &mut out };
        stepping.run(&mut text.as_bytes()).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_game_is_stepped_through() {
        let shown = typed("\nn\nn\np\n\x1b[C\n\x1b[D\ng 1\ne\nn\ns\nb\nh\nq\nn\n");
        let prompts: Vec<&str> = shown
            .lines()
            .filter_map(|line| line.split_once("> ").map(|(prompt, _)| prompt))
            .filter(|prompt| prompt.contains('/'))
            .collect();
        let plies: Vec<&str> = prompts.iter().filter_map(|it| it.split('/').next()).collect();
        let last = prompts[0].split('/').nth(1).expect("a number");
        let expected = ["0", "1", "2", "3", "2", "3", "2", "1", last, last, "0", "0", "0"];
        assert_eq!(plies, expected, "{shown}");
        assert!(shown.contains("1. X plays 4  (opening)\n"), "{shown}");
        assert!(shown.contains("[2.4*] 3."), "{shown}");
        assert!(shown.contains("thought  ") && shown.contains(" for X, depth "), "{shown}");
        assert!(shown.contains("This is the end.") && shown.contains("This is the start."));
        assert!(shown.contains("result   X wins") && shown.contains(HELP), "{shown}");
    }

    #[test]
    fn nonsense_is_answered_and_the_end_of_the_input_ends_it() {
        let shown = typed("g 999\ng x\nxyzzy\n\u{7}\n\u{301}");
        assert!(shown.contains("\"999\" is not a number of moves; expected a number from 0 to "));
        assert!(shown.contains("\"xyzzy\" means nothing here; h is help\n"), "{shown}");
        assert!(!shown.contains('\u{7}'));
    }
}
