//! `treegraft play`: a person against a player, in the terminal.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, ErrorKind, Write};

use clap::{Args, ValueEnum};
use treegraft::bits::mix;
use treegraft::{Charset, Game, Playthrough, Request, Side};
use treegraft_lab::{Findings, ValueKind, check_memory};
use treegraft_players::{Analyst, Board, DEFAULT_BUDGET, Player, PlayerError, Registry};

use super::show::{legal_texts, result};
use crate::error::CliError;
use crate::input::{PositionArgs, parse_game, parse_player, whole_number};
use crate::output::{Output, grouped, seconds, wrap};
use crate::search::{move_table, value_text};

/// Play against a player in the terminal
///
/// Type moves in the game's notation; `help` lists what else can be typed: undo, hint, view (what
/// the player thinks of your position), moves, quit. After each of its moves the player prints its
/// value, the line it expects, and the work it did.
#[derive(Debug, Args)]
#[command(
    override_usage = "treegraft play <GAME> <PLAYER> [OPTIONS]",
    after_help = "\
Examples:
  treegraft play connect4 mcts-solver@1s
  treegraft play hex:7 mcts@2s --as second
  treegraft play othello:6 'ab(depth=4)' --seed 1 --ascii"
)]
pub(crate) struct Play {
    #[command(flatten)]
    at: PositionArgs,

    /// The opponent, such as mcts-solver@1s; `treegraft players` lists them all
    player: String,

    /// The side you play
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = HumanSide::First)]
    side: HumanSide,

    /// Seed of the opponent's random choices; without it every game is different
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = whole_number(0..=u64::MAX)
    )]
    seed: Option<u64>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum HumanSide {
    First,
    Second,
}

impl Play {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output, CliError> {
        let start = parse_game(registry, &self.at.game)?;
        let mut player = parse_player(registry, &self.player)?;
        player.budget = player.budget_or(DEFAULT_BUDGET);
        check_memory(&player.budget)?;
        let game = self.at.playthrough(&start)?;
        let opponent = registry.searcher(&start, &player)?;
        let human = match self.side {
            HumanSide::First => Side::First,
            HumanSide::Second => Side::Second,
        };
        let mut game = TerminalGame {
            game,
            opponent,
            new_adviser: &|| registry.searcher(&start, &player),
            player: &player,
            human,
            // An unseeded hasher is the standard library's source of randomness.
            seed: self.seed.unwrap_or_else(|| RandomState::new().hash_one(())),
            charset: if self.ascii { Charset::Ascii } else { Charset::Unicode },
            own_moves: Vec::new(),
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
struct TerminalGame<'a, W> {
    game: Playthrough<Board>,
    opponent: Analyst,
    /// Hints come from a fresh searcher, so that they do not change how the opponent plays.
    new_adviser: &'a dyn Fn() -> Result<Analyst, PlayerError>,
    player: &'a Player,
    human: Side,
    seed: u64,
    charset: Charset,
    /// How many moves had been played before each of the person's.
    own_moves: Vec<usize>,
    out: W,
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
view      shows what the opponent thinks of your position, move by move
moves     lists the legal moves
board     shows the board again
help      shows this
quit      ends the game";

impl<W: Write> TerminalGame<'_, W> {
    /// Plays until the person quits, or until the input ends.
    fn play(&mut self, input: &mut dyn BufRead) -> Result<(), Trouble> {
        let you = self.game.position().side_name(self.human);
        writeln!(
            self.out,
            "You play {you} against {} (seed {}). `help` says what you can type.\n",
            self.player, self.seed
        )?;
        self.board()?;
        loop {
            let over = self.game.ending();
            if over.is_none() && self.game.position().to_move() != self.human {
                self.answer()?;
                continue;
            }
            let prompt = match over {
                Some(_) => "undo or quit".to_owned(),
                None => format!("your move ({you})"),
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
            match line.trim() {
                "" => {}
                "quit" | "q" | "exit" => {
                    writeln!(self.out, "Goodbye.")?;
                    return Ok(());
                }
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "board" => self.board()?,
                "undo" => self.undo()?,
                "moves" => self.moves()?,
                "hint" if over.is_none() => self.hint()?,
                "view" | "eval" if over.is_none() => self.view()?,
                "hint" | "view" | "eval" => writeln!(self.out, "The game is over.")?,
                text => self.try_move(text)?,
            }
        }
    }

    /// The board, and the result if there is one.
    fn board(&mut self) -> Result<(), Trouble> {
        let position = self.game.position();
        writeln!(self.out, "{}\n", position.diagram(self.charset))?;
        if let Some(ending) = self.game.ending() {
            writeln!(self.out, "The game is over: {}.", result(position, ending))?;
        }
        Ok(())
    }

    fn try_move(&mut self, text: &str) -> Result<(), Trouble> {
        if self.game.ending().is_some() {
            writeln!(self.out, "The game is over: `undo` takes your last move back.")?;
            return Ok(());
        }
        match self.game.position().parse_move(text) {
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
        while self.game.moves().len() > moves_before {
            self.game.undo();
        }
        self.board()
    }

    fn moves(&mut self) -> Result<(), Trouble> {
        Ok(writeln!(self.out, "{}", wrap(&legal_texts(&self.game).join(" ")))?)
    }

    /// What the opponent finds in the person's place.
    fn advice(&self) -> Result<Findings, Trouble> {
        let position = self.game.position();
        let mut adviser = (self.new_adviser)().map_err(|error| Trouble::Player(error.into()))?;
        let report = adviser.search(position, self.request());
        Ok(Findings::new(position, &report, ValueKind::of(self.player)))
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
            move_table(&findings, SHOWN, self.charset),
            thoughts(&findings)
        )?)
    }

    /// The opponent's move.
    fn answer(&mut self) -> Result<(), Trouble> {
        self.out.flush()?;
        let position = self.game.position();
        let request = self.request();
        let report = self.opponent.search(position, request);
        let findings = Findings::new(position, &report, ValueKind::of(self.player));
        let Some(mv) = report.best_move.filter(|mv| self.game.legal_moves().contains(mv)) else {
            let player = self.player.to_string();
            return Err(Trouble::Player(CliError::new(format!("{player:?} found no legal move"))));
        };
        let (who, text) = (findings.mover_name, position.move_text(mv));
        writeln!(self.out, "{who} plays {text}  ({})\n", thoughts(&findings))?;
        self.game.play(mv);
        self.board()
    }

    /// Every move has a seed of its own.
    fn request(&self) -> Request<'static> {
        let ply = self.game.moves().len() as u64;
        Request::new(self.player.budget, mix(mix(self.seed) ^ ply))
    }
}

/// "54.2 % for O (raw +0.084); line 4 4 3; 1,000 iterations in 0.02 s".
fn thoughts(findings: &Findings) -> String {
    const SHOWN: usize = 8;
    let line = &findings.pv[..findings.pv.len().min(SHOWN)];
    let more = if findings.pv.len() > SHOWN { " ..." } else { "" };
    let work = &findings.work;
    let (number, what) = match findings.kind {
        ValueKind::Simulations => (work.iterations, "iterations"),
        ValueKind::Evaluations | ValueKind::Leaves => (work.nodes, "nodes"),
    };
    let time = seconds(work.time.as_secs_f64());
    let proof = findings.proof.map_or_else(String::new, |proof| format!(" (proven {proof})"));
    let value = value_text(findings);
    let (line, number) = (line.join(" "), grouped(number));
    format!("{value}{proof}; line {line}{more}; {number} {what} in {time}")
}
