//! `treegraft play`: a person against a player, in the terminal.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, ErrorKind, StdoutLock, Write};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use treegraft::bits::mix;
use treegraft::{Charset, Game, Notation, Playthrough, Report, Side};
use treegraft_engine::{Findings, ValueKind};
use treegraft_players::{Analyst, BestOptions, Board, MoveIndex, Player, Search, Start};
use treegraft_studies::annotate::{Annotate, AnnotateError, AnnotateWatch, Annotation, annotate};

use super::annotate::mistakes_of;
use super::show::legal_texts;
use crate::board_view::BoardStyle;
use crate::prelude::*;
use crate::search::{Show, Thinking, move_table, shortened, value_text};

/// Play against a player in the terminal
///
/// Type moves in the game's notation; `help` lists what else can be typed: undo, hint, view (what
/// the player thinks of your position), moves, save, resign, quit. While the player thinks, a table
/// shows what it has found so far; after each of its moves it prints its value, the line it
/// expects, and the work it did. At the end of the game it says which of your moves it considers
/// mistakes. Against best(level=…) or best(random=…), hint, view and that judgement come from best
/// itself.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft play <GAME> [PLAYER] [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft play othello
  treegraft play breakthrough 'best(level=3)'
  treegraft play connect4 mcts-solver@1s
  treegraft play hex:7 mcts@2s --as second
  treegraft play othello:6 'ab(depth=4)' --seed 1 --ascii")]
pub(crate) struct Play {
    #[command(flatten)]
    at: PositionArgs,

    /// The opponent, such as mcts-solver@1s; `treegraft players` lists them all
    #[arg(default_value = "best")]
    player: String,

    /// The side you play
    #[arg(long = "as", value_name = "SIDE", default_value = side_key(Side::First))]
    #[arg(value_parser = PossibleValuesParser::new([Side::First, Side::Second].map(side_key)))]
    side: String,

    /// Seed of the opponent's random choices; without it every game is different
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    seed: Option<u64>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,
}

impl Play {
    /// The command line that begins this game from where it begins, for a shell.
    fn command(&self, player: &Player, is_usual_start: bool) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let (game, player) = (quoted(&self.at.game), quoted(&player.to_string()));
        let mut command = format!("treegraft play {game} {player} --as {}", self.side);
        if let Some(seed) = self.seed {
            command.push_str(&format!(" --seed {seed}"));
        }
        if self.ascii {
            command.push_str(" --ascii");
        }
        // Where positions are written as moves, these are part of the game.
        if let Some(position) = self.at.position().filter(|_| !is_usual_start) {
            command.push_str(&format!(" --position {}", quoted(position)));
        }
        command
    }

    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let player = parse_searcher(registry, &self.player)?;
        let adviser = adviser_of(&player);
        let game = self.at.playthrough(&start)?;
        let opponent = registry.searcher(&start, &player)?;
        let is_second = self.side == side_key(Side::Second);
        let command = self.command(&player, game.start() == start.board());
        let opening_plies = game.moves().len();
        let mut game = TerminalGame {
            game,
            opponent,
            registry,
            start: &start,
            opening_plies,
            judged: None,
            player: &player,
            adviser: &adviser,
            human: if is_second { Side::Second } else { Side::First },
            // An unseeded hasher is the standard library's source of randomness.
            seed: self.seed.unwrap_or_else(|| RandomState::new().hash_one(())),
            style: BoardStyle::of_output(self.ascii),
            command,
            own_moves: Vec::new(),
            resigned: None,
            out: std::io::stdout().lock(),
        };
        let played = game.play(&mut std::io::stdin().lock());
        match played {
            Err(Trouble::Output(error)) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CliError::new(format!("cannot write the output: {error}")).code(1))
            }
            Err(Trouble::Input(error)) => {
                Err(CliError::new(format!("cannot read the input: {error}")))
            }
            Err(Trouble::Player(error)) => Err(error),
            Ok(()) | Err(Trouble::Output(_)) => Ok(Output::nothing()),
        }
    }
}

/// A game between a person and a player, in the terminal.
struct TerminalGame<'a> {
    registry: &'a Registry,
    start: &'a Start,
    game: Playthrough<Board>,
    opponent: Analyst,
    /// The moves with which the game began.
    opening_plies: usize,
    /// How long the game was when its mistakes were last looked for.
    judged: Option<usize>,
    player: &'a Player,
    /// Who gives advice; see [`adviser_of`].
    adviser: &'a Player,
    human: Side,
    seed: u64,
    style: BoardStyle,
    /// The command line that began this game, up to the moves.
    command: String,
    /// The number of moves played when the person gave up.
    resigned: Option<usize>,
    /// How many moves had been played before each of the person's.
    own_moves: Vec<usize>,
    out: StdoutLock<'static>,
}

/// What can end a game early.
#[derive(Debug)]
enum Trouble {
    Input(std::io::Error),
    Output(std::io::Error),
    Player(CliError),
}

/// A failed `write!` is trouble with the output: nothing else here returns such errors.
impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

const HELP: &str = "\
A MOVE    plays it (`moves` lists those you have)
undo      takes your last move back, and the answer to it
hint      suggests a move
view      shows what the opponent, at full strength, thinks of your position, move by move
moves     lists the legal moves
board     shows the board again
save FILE writes the game as a command that goes on from here
resign    gives the game up
help      shows this
quit      ends the program";

impl TerminalGame<'_> {
    /// Plays until the person quits, or until the input ends.
    fn play(&mut self, input: &mut dyn BufRead) -> Result<(), Trouble> {
        let you = self.game.position().notation().side_name(self.human);
        writeln!(
            self.out,
            "You play {you} against {} (seed {}). `help` says what you can type.\n",
            self.player, self.seed
        )?;
        self.board()?;
        loop {
            self.resigned = self.resigned.filter(|&moves| moves == self.game.moves().len());
            let is_over = self.game.ending().is_some() || self.resigned.is_some();
            if !is_over && self.game.position().to_move() != self.human {
                self.answer()?;
                continue;
            }
            if is_over && self.judged.replace(self.game.moves().len()).is_none() {
                self.mistakes()?;
            }
            let prompt = match is_over {
                true => "undo, save or quit".to_owned(),
                false => format!("your move ({you})"),
            };
            write!(self.out, "{prompt}> ")?;
            self.out.flush()?;
            let mut line = Vec::new();
            let read = input.read_until(b'\n', &mut line).map_err(Trouble::Input)?;
            if read == 0 {
                writeln!(self.out, "\nGoodbye.")?;
                return Ok(());
            }
            // Input that is not text is not a move either, and gets the same answer.
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if let Some(path) = line.strip_prefix("save").filter(|rest| !rest.is_empty()) {
                self.save(path.trim())?;
                continue;
            }
            match line {
                "" => {}
                "quit" | "q" | "exit" => {
                    writeln!(self.out, "Goodbye.")?;
                    return Ok(());
                }
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "board" => self.board()?,
                "undo" => self.undo()?,
                "moves" => self.moves()?,
                "save" => writeln!(self.out, "Where to? Type `save FILE`.")?,
                "hint" | "view" | "eval" | "resign" if is_over => {
                    writeln!(self.out, "The game is over.")?;
                }
                "hint" => self.hint()?,
                "view" | "eval" => self.view()?,
                "resign" => self.resign()?,
                _ if is_over => {
                    writeln!(self.out, "The game is over: `undo` takes your last move back.")?;
                }
                text => self.try_move(text)?,
            }
        }
    }

    /// The board, and the result if there is one.
    fn board(&mut self) -> Result<(), Trouble> {
        Ok(writeln!(self.out, "{}", self.style.draw(&self.game))?)
    }

    fn resign(&mut self) -> Result<(), Trouble> {
        self.resigned = Some(self.game.moves().len());
        let winner = self.game.position().notation().side_name(self.human.other());
        Ok(writeln!(self.out, "You resign: {winner} wins.")?)
    }

    /// Says which of the person's moves were mistakes.
    fn mistakes(&mut self) -> Result<(), Trouble> {
        if self.own_moves.is_empty() {
            return Ok(());
        }
        let Ok(annotation) = self.find_mistakes() else {
            return Ok(writeln!(self.out, "{} does not judge moves.", self.adviser)?);
        };
        let summary = &annotation.sides[self.human.index()];
        let loss = summary.mean_loss.map_or(String::new(), |loss| {
            format!(" Your moves lost {:.1} points of a hundred each, on average.", 100.0 * loss)
        });
        let judge = &annotation.player;
        let mistakes = mistakes_of(&annotation, self.human);
        let said = match mistakes.is_empty() {
            true => format!("{judge} sees no mistakes of yours.{loss}\n"),
            false => format!("Your mistakes, as {judge} sees them:{loss}\n\n{mistakes}"),
        };
        Ok(writeln!(self.out, "{said}")?)
    }

    /// Looks at every move of the game, quickly: the person waits.
    fn find_mistakes(&self) -> Result<Annotation, AnnotateError> {
        const LONGEST: Duration = Duration::from_millis(100);
        let mut judge = self.adviser.clone();
        judge.budget.time = judge.budget.time.map(|time| time.min(LONGEST));
        let (trap_level, solve_nodes) = (3, 100_000);
        let opening_plies = self.opening_plies;
        let with = Annotate { trap_level, solve_nodes, opening_plies, ..Annotate::new(judge) };
        let counter = Counter::new(0, "looking for mistakes", false);
        let mut watch = |done: usize, all: usize| counter.show_of(done as u64, all as u64);
        let watch = AnnotateWatch { progress: Some(&mut watch), cancel: None };
        annotate(self.registry, self.start, &self.game, &with, watch)
    }

    /// Writes the command that goes on from here, for a shell.
    fn save(&mut self, path: &str) -> Result<(), Trouble> {
        let moves = self.game.move_texts().join(" ");
        let moves = if moves.is_empty() { String::new() } else { format!(" --moves {moves}") };
        let text = format!("{}{moves}\n", self.command);
        // A game is no reason to overwrite anything.
        let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
        let fill = |mut file: std::fs::File| {
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
                // Half a command would do something else.
                let _ = std::fs::remove_file(path);
            })
        };
        match file.and_then(fill) {
            Ok(()) => writeln!(self.out, "Saved: `sh {path}` goes on from here.")?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                writeln!(self.out, "{path} exists already, and stays as it is.")?;
            }
            Err(error) => writeln!(self.out, "{path} cannot be written: {error}")?,
        }
        Ok(())
    }

    fn try_move(&mut self, text: &str) -> Result<(), Trouble> {
        let read = self.game.position().notation().parse_move(text);
        match read {
            Ok(mv) => {
                self.own_moves.push(self.game.moves().len());
                self.game.play(mv);
                self.board()
            }
            Err(error) => Ok(writeln!(self.out, "{error}; or type `help`")?),
        }
    }

    fn undo(&mut self) -> Result<(), Trouble> {
        let Some(moves_before) = self.own_moves.pop() else {
            return Ok(writeln!(self.out, "You have not made a move yet.")?);
        };
        self.judged = None;
        while self.game.moves().len() > moves_before {
            self.game.undo();
        }
        self.board()
    }

    fn moves(&mut self) -> Result<(), Trouble> {
        Ok(writeln!(self.out, "{}", wrap(&legal_texts(&self.game).join(" ")))?)
    }

    /// What the adviser finds in the person's place.
    fn advice(&self) -> Result<Findings, Trouble> {
        let position = self.game.position();
        // A fresh searcher, so that hints do not change how the opponent plays.
        let adviser = self.registry.searcher(self.start, self.adviser);
        let mut adviser = adviser.map_err(|error| Trouble::Player(error.into()))?;
        let (seed, charset) = (self.move_seed(), self.style.charset);
        let report = think(&mut adviser, position, self.adviser, seed, charset)?;
        Ok(Findings::new(position, &report, self.adviser.search.value_kind()))
    }

    fn hint(&mut self) -> Result<(), Trouble> {
        let findings = self.advice()?;
        let best = findings.best_move.as_deref().unwrap_or("no move");
        Ok(writeln!(self.out, "{best}  ({})", thoughts(&findings))?)
    }

    fn view(&mut self) -> Result<(), Trouble> {
        const SHOWN: usize = 15;
        let findings = self.advice()?;
        Ok(writeln!(
            self.out,
            "{}{}",
            move_table(&findings, SHOWN, self.style.charset),
            thoughts(&findings)
        )?)
    }

    /// The opponent's move.
    fn answer(&mut self) -> Result<(), Trouble> {
        self.out.flush()?;
        let (seed, charset) = (self.move_seed(), self.style.charset);
        let position = self.game.position();
        let report = think(&mut self.opponent, position, self.player, seed, charset)?;
        let findings = Findings::new(position, &report, self.player.search.value_kind());
        let Some(mv) = report.best_move.filter(|mv| self.game.legal_moves().contains(mv)) else {
            let player = self.player.to_string();
            return Err(Trouble::Player(CliError::new(format!("{player:?} found no legal move"))));
        };
        let (who, text) = (findings.mover_name, position.notation().move_text(mv));
        writeln!(self.out, "{who} plays {text}  ({})\n", thoughts(&findings))?;
        self.game.play(mv);
        self.board()
    }

    /// Every move has a seed of its own.
    fn move_seed(&self) -> u64 {
        move_seed(self.seed, self.game.moves().len())
    }
}

/// Who gives advice against a player: itself, or the strong one if it is made to play worse. What it
/// would do then, some of it drawn at random, is no advice.
fn adviser_of(player: &Player) -> Player {
    let mut adviser = player.clone();
    if let Search::Best(options) = &mut adviser.search {
        *options = BestOptions::default();
    }
    adviser
}

/// The seed of the move after `moves` others, in a game with this seed.
pub(super) fn move_seed(seed: u64, moves: usize) -> u64 {
    mix(mix(seed) ^ moves as u64)
}

/// Searches, and shows what is found on the way. Ctrl-C ends the program, as everywhere in a game.
fn think(
    analyst: &mut Analyst,
    position: &Board,
    player: &Player,
    seed: u64,
    charset: Charset,
) -> Result<Report<MoveIndex>, Trouble> {
    let show = Show::Table(charset);
    let thinking = Thinking { player, seed, lines: 1, show, cancel: None };
    thinking.run(analyst, position).map_err(|error| Trouble::Player(error.into()))
}

/// "54.2 % for O (raw +0.084); line 4 4 3; 1,000 iterations in 0.02 s".
pub(super) fn thoughts(findings: &Findings) -> String {
    let line = shortened(&findings.pv, 8);
    let work = &findings.work;
    let (number, what) = match findings.kind {
        ValueKind::Simulations => (work.iterations, "iterations"),
        ValueKind::Evaluations | ValueKind::Leaves => (work.nodes, "nodes"),
    };
    let time = seconds(work.time.as_secs_f64());
    let proof = findings.proof.map_or_else(String::new, |proof| format!(" (proven {proof})"));
    let value = value_text(findings);
    let number = grouped(number);
    format!("{value}{proof}; line {line}; {number} {what} in {time}")
}
