//! `treegraft annotate`: the mistakes, the traps and the deciding move of a game.

use std::path::PathBuf;

use treegraft::{Playthrough, Side};
use treegraft_engine::{Proof, percent};
use treegraft_lab::KeptGame;
use treegraft_players::{Board, Start};
use treegraft_studies::annotate::{
    Annotate, AnnotateError, AnnotateWatch, AnnotatedMove, Annotation, Decision, Mark, SOLVE_NODES,
    SideSummary, TRAP_LEVEL, annotate,
};
use treegraft_studies::json::Annotated;

use super::export::store_of;
use super::replay::kept_game;
use crate::prelude::*;
use crate::search::shortened;

/// Let a player look at every move of a game: mistakes, traps, the deciding move
///
/// The game is one of a store or a ledger (FILE and its number, as for `replay`), or --game with
/// --moves. Every position is searched. The points that a move loses are its expected score in
/// percent, subtracted from that of the best move: 5 are an inaccuracy (?!), 10 a mistake (?), 20 a
/// blunder (??). These limits are our choice; differences within the noise of simulations do not
/// count. Traps are moves after which the opponent can force a win within a few plies.
///
/// The deciding move is the last one before which the loser was not lost. It is called proven only
/// if that is proven: by the player's own proofs, by an exact search that goes backwards from the
/// end of the game, or by a trap. Otherwise it is the player's judgement, where less than 20 %
/// counts as lost.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft annotate <FILE> <NUMBER> [OPTIONS]\n       \
                      treegraft annotate --game <GAME> --moves <MOVE>... [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft annotate examples/quick.db 1 --with mcts-solver@200ms
  treegraft annotate examples/quick.toml 7 --with 'ab@100000nodes' --svg values.svg
  treegraft annotate --game connect4 --moves 44375712 --with mcts-solver@5000it
  treegraft annotate quick.ledger 3 --traps 7 --solve-nodes 5000000 --json

Exit codes: 0 on success, 1 if a file is damaged or cannot be written, 2 if the input is wrong, 130
after Ctrl-C, with what was found by then.")]
pub(crate) struct AnnotateArgs {
    /// The experiment file, or the store or ledger itself
    #[arg(required_unless_present = "game", conflicts_with = "game")]
    file: Option<PathBuf>,

    /// The number of the game, from 1 in the order of `treegraft export`
    #[arg(required_unless_present = "game", conflicts_with = "game")]
    #[arg(value_parser = whole_number(1usize..=1_000_000_000))]
    number: Option<usize>,

    /// The store or ledger of the games [default: the experiment file with the extension .db]
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    store: Option<PathBuf>,

    /// A game that is not stored, such as connect4; needs --moves
    #[arg(long, value_name = "GAME", requires = "moves")]
    game: Option<String>,

    /// The moves of --game: 4453, or 4 4 5 3, or 4,4,5,3
    #[arg(long, value_name = "MOVE", num_args = 1.., requires = "game", conflicts_with = "file")]
    moves: Vec<String>,

    /// The position from which --moves begin, in the game's own notation
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, requires = "game")]
    #[arg(conflicts_with = "file")]
    position: Option<String>,

    /// The player that searches the positions; its budget is per position
    #[arg(long, value_name = "PLAYER", default_value = "mcts-solver@10000it")]
    with: String,

    /// Look for traps up to this level, the number of plies after which the game is lost
    #[arg(long, value_name = "LEVEL", default_value_t = TRAP_LEVEL)]
    #[arg(value_parser = whole_number(0u32..=15))]
    traps: u32,

    /// Nodes of the exact search of each position near the end; 0: none
    #[arg(long, value_name = "N", default_value_t = SOLVE_NODES)]
    #[arg(value_parser = whole_number(0u64..=u64::MAX))]
    solve_nodes: u64,

    #[command(flatten)]
    seed: SeedArg,

    /// Draw the values over the course of the game into an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON: one object with everything that was found
    #[arg(long)]
    json: bool,
}

/// What is annotated.
struct Subject {
    start: Start,
    game: Playthrough<Board>,
    /// Where it comes from, if it was stored.
    kept: Option<KeptGame>,
}

impl AnnotateArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let player = parse_searcher(registry, &self.with)?;
        let mut files = OutputFiles::default();
        let subject = self.subject(registry, &mut files)?;
        files.plan(&self.svg, FileKind::SVG)?;
        let opening_plies = subject.kept.as_ref().map_or(0, |kept| kept.row.opening_plies as usize);
        let with = Annotate {
            seed: self.seed.seed,
            trap_level: self.traps,
            solve_nodes: self.solve_nodes,
            opening_plies,
            ..Annotate::new(player.clone())
        };
        let counter = Counter::new(0, "looking at every position", self.json);
        let mut watch = |done: usize, all: usize| counter.show_of(done as u64, all as u64);
        let watch = AnnotateWatch { progress: Some(&mut watch), cancel: Some(interrupt::flag()) };
        let annotation = annotate(registry, &subject.start, &subject.game, &with, watch);
        let annotation = annotation.map_err(|error| match error {
            AnnotateError::Player(error) => error.into(),
            AnnotateError::NoValues { .. } => {
                CliError::of(error).hint("--with mcts-solver@200ms, or --with ab@1s")
            }
            error => CliError::of(error),
        })?;
        let about = Annotated {
            game: subject.start.text(),
            played: &subject.game,
            kept: subject.kept.as_ref(),
            player: &player,
            seed: self.seed.seed,
            max_level: self.traps,
            solve_nodes: self.solve_nodes,
        };
        let output = match self.json {
            true => Output::json("treegraft.annotate/1", &about.json(&annotation)),
            false => Output::text(text(&about, &annotation)),
        };
        let said = "\nThe values are drawn in PATH.\n";
        let output = output.with_file(self.svg.as_ref(), self.json, said, |path| {
            let thoughts = subject.kept.as_ref().map_or(&[][..], |kept| &kept.thoughts);
            let svg = annotation.plot(&about.title(), thoughts).svg();
            files.put(path, FileKind::SVG, &svg)
        });
        Ok(output.complete(annotation.is_complete))
    }

    fn subject(&self, registry: &Registry, files: &mut OutputFiles) -> Result<Subject> {
        if let Some(game) = &self.game {
            let start = parse_game(registry, game)?;
            let game = played(&start, self.position.as_deref(), &self.moves)?;
            return Ok(Subject { start, game, kept: None });
        }
        let (Some(file), Some(number)) = (&self.file, self.number) else {
            return Err(CliError::new("there is no game; expected FILE and NUMBER, or --game"));
        };
        let path = store_of(file, self.store.as_deref());
        files.keep_store(&path)?;
        files.keep("the experiment file", file)?;
        let kept = kept_game(registry, &path, number, self.json)?;
        Ok(Subject { start: kept.start.clone(), game: kept.game.clone(), kept: Some(kept) })
    }
}

/// The columns of a table of moves.
const MOVE_HEADER: [&str; 7] = ["ply", "side", "move", "best", "played", "", "comment"];

fn text(about: &Annotated<'_>, annotation: &Annotation) -> String {
    let names = annotation.side_names;
    let mut head = vec![("game", about.game.to_owned())];
    if let Some(kept) = about.kept {
        head[0].1 = format!("{}: {}", kept.number, about.game);
        for (label, side) in [("first", Side::First), ("second", Side::Second)] {
            let who = format!("{}  {}", names[side.index()], kept.player(side));
            head.push((label, wrap(&who)));
        }
    }
    head.push(("result", wrap(&about.result())));
    head.push(("with", wrap(&annotation.player)));
    let rows = annotation.moves.iter().map(|mv| row(mv, names[mv.side.index()]));
    let moves = table(MOVE_HEADER, rows, &[0, 3, 4]);
    let sides = [Side::First, Side::Second]
        .map(|side| side_row(names[side.index()], &annotation.sides[side.index()]));
    let header = ["side", "moves", "?!", "?", "??", "traps", "mean loss"];
    let sides = table(header, sides, &[1, 2, 3, 4, 5, 6]);
    let decided = labelled(&[("decided", wrap(&decision_text(annotation)))]);
    let mut text = format!("{}\n{moves}\n{sides}\n{decided}", labelled(&head));
    if !annotation.is_complete {
        let cause = interrupt::cause();
        text.push_str(&format!("\nended by {cause} before every move had been looked at\n"));
    }
    text
}

/// A move in the table: values are in the view of the side that played it.
fn row(mv: &AnnotatedMove, name: &str) -> [String; 7] {
    // A star marks what is proven.
    let value = |value: f64, proof: Option<Proof>| {
        let star = if proof.is_some_and(|_| value.abs() == 1.0 || value == 0.0) { "*" } else { "" };
        format!("{}{star}", percent(value).replace(" %", "%"))
    };
    [
        (mv.ply + 1).to_string(),
        name.to_owned(),
        mv.text.clone(),
        value(mv.before, mv.proof_before),
        value(mv.after, mv.proof_after),
        mv.mark.map_or("", Mark::sign).to_owned(),
        comment(mv),
    ]
}

/// The mistakes of one side; empty if there is none.
pub(super) fn mistakes_of(annotation: &Annotation, side: Side) -> String {
    let marked = |mv: &&AnnotatedMove| {
        mv.side == side && !mv.is_opening && (mv.mark.is_some() || mv.trap.is_some())
    };
    let name = annotation.side_names[side.index()];
    let rows: Vec<[String; 7]> =
        annotation.moves.iter().filter(marked).map(|mv| row(mv, name)).collect();
    match rows.is_empty() {
        true => String::new(),
        false => table(MOVE_HEADER, rows, &[0, 3, 4]),
    }
}

/// What is said about a move, beside the numbers.
fn comment(mv: &AnnotatedMove) -> String {
    const SHOWN: usize = 6;
    let mut words = Vec::new();
    if mv.is_opening {
        words.push("opening".to_owned());
    }
    if mv.mark.is_some() {
        if let (Some(before), Some(after)) = (mv.proof_before, mv.proof_after) {
            words.push(format!("a proven {} becomes a {}", before.word(), after.word()));
        }
        words.push(match mv.line.is_empty() {
            true => format!("best is {}", mv.best_move),
            false => format!("best is {}", shortened(&mv.line, SHOWN)),
        });
    }
    if let Some(trap) = &mv.trap {
        words.push(match trap.refutation.is_empty() {
            true => "it loses at once".to_owned(),
            false => {
                let reply = trap.refutation.join(" ");
                format!("a trap of level {}: {reply} wins", trap.level)
            }
        });
    }
    words.join("; ")
}

fn side_row(name: &str, side: &SideSummary) -> [String; 7] {
    let SideSummary { moves, inaccuracies, mistakes, blunders, traps, mean_loss } = *side;
    let loss = mean_loss.map_or("-".to_owned(), |loss| format!("{:.1} points", 100.0 * loss));
    let counts = [moves, inaccuracies, mistakes, blunders, traps].map(|count| count.to_string());
    let [moves, inaccuracies, mistakes, blunders, traps] = counts;
    [name.to_owned(), moves, inaccuracies, mistakes, blunders, traps, loss]
}

/// What decided the game, and how that is known.
fn decision_text(annotation: &Annotation) -> String {
    let how = |is_proven: bool| match is_proven {
        true => "proven".to_owned(),
        false => format!("by the judgement of {}", annotation.player),
    };
    match annotation.decision {
        Decision::Move { ply, is_proven } => {
            let mv = annotation.deciding_move();
            let side = mv.map_or("the loser", |mv| annotation.side_names[mv.side.index()]);
            let text = mv.map_or("", |mv| mv.text.as_str());
            format!(
                "{}. {text}: the last move before which {side} was not lost ({})",
                ply + 1,
                how(is_proven)
            )
        }
        Decision::FromTheStart { is_proven } => {
            format!("the loser was lost from the start ({})", how(is_proven))
        }
        Decision::NoLoser => "nobody lost by the rules of the game".to_owned(),
        Decision::Unknown => "unknown: not every position was looked at".to_owned(),
    }
}
