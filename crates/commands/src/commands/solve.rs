//! `treegraft solve`: the exact value of a position.

use std::time::Duration;

use serde_json::json;
use treegraft::{Budget, Charset, Game, Notation, Playthrough, Stop};
use treegraft_engine::{Findings, stop_key};
use treegraft_players::{Board, Player, Start};
use treegraft_studies::StatedGuarantee;
use treegraft_studies::solve::{exact_player, is_solved};

use super::show::result;
use crate::prelude::*;
use crate::search::{Show, Thinking, proof_text, value_text};

/// Find the exact value of a position and a line of best play
///
/// Prints who wins with best play on both sides, and by how much in games with a margin (Othello,
/// Kalah, trees). Runs until that is proven, until --time is up, or until Ctrl-C; then it prints
/// what it knows. Draws by repetition or length are ignored.
///
/// In JSON, "outcome" ("win", "draw" or "loss") and "margin" are in the view of the player to move,
/// even if the game is already over.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft solve <GAME> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft solve connect4:5x4
  treegraft solve kalah:3,2 --json
  treegraft solve connect4 --moves 444444326 --time 60s
  treegraft solve othello:4 --with 'mtd(f)'
  treegraft solve tree:'((3 5) (2 9))' --with fsss

Exit codes: 0 if the value is proven, 1 if it is not, 2 if the input is wrong, 130 after Ctrl-C.")]
pub(crate) struct Solve {
    #[command(flatten)]
    at: PositionArgs,

    /// The search to solve with: ab, mtd(f), sss, dual, fsss, mcts-solver, mcts-sb, with any
    /// options
    ///
    /// mcts-solver proves wins and losses only. Searches by simulation do not find margins. fsss
    /// and its relatives (rollout-ab, mt-sss, …) keep their whole tree in memory and search to the
    /// end of the game at once; stopped early, they print the bounds that are proven.
    #[arg(long, value_name = "PLAYER")]
    with: Option<String>,

    /// Memory for the table or tree, such as 1GiB [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,

    /// Give up after this time, such as 10s or 5min
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Print JSON: one object with "outcome", "margin", "best_move", "pv" and the cost
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let with = self.with.as_ref().map(|text| proving_player(registry, text)).transpose()?;
        let game = self.at.playthrough(&start)?;
        let position = game.position();
        let mut player = exact_player(position, with);
        let own = player.budget;
        player.budget =
            Budget { time: self.time.or(own.time), memory: self.memory.or(own.memory), ..own };
        let kind = player.search.value_kind();
        let mut analyst = registry.searcher(&start, &player)?;
        let findings = match game.ending() {
            Some(ending) => Findings::finished(position, ending.outcome, kind),
            None => {
                let show = match self.json {
                    true => Show::Nothing,
                    false => Show::Table(Charset::Unicode),
                };
                let report = Thinking::new(&player, 0, show).run(&mut analyst, position)?;
                Findings::new(position, &report, kind)
            }
        };
        let guarantee = StatedGuarantee::new(position, &player, analyst.guarantee())
            .filter(StatedGuarantee::is_open);
        let is_solved = is_solved(&findings, guarantee.as_ref());
        let is_ended = !is_solved && findings.stop == Stop::Cancelled;
        let solved = Solved { args: self, start, game, player, findings, guarantee, is_solved };
        let output = if self.json { solved.json() } else { solved.text() };
        Ok(output.success(is_solved).complete(!is_ended))
    }
}

/// A player whose search can prove outcomes.
fn proving_player(registry: &Registry, text: &str) -> Result<Player> {
    let player = registry.player(text)?;
    if player.search.can_prove() {
        return Ok(player);
    }
    let player = player.to_string();
    Err(CliError::new(format!("player {player:?}: this search proves nothing"))
        .hint("ab, mtd(f), sss, dual, fsss, mcts-solver or mcts-sb"))
}

/// What came of it.
struct Solved<'a> {
    args: &'a Solve,
    start: Start,
    game: Playthrough<Board>,
    player: Player,
    findings: Findings,
    guarantee: Option<StatedGuarantee>,
    is_solved: bool,
}

impl Solved<'_> {
    fn json(&self) -> Output {
        let Solved { game, player, findings, guarantee, is_solved, .. } = self;
        let mover = game.ending().is_none().then_some(findings.mover);
        let value = json!({
                "game": self.start.text(),
                "player": player,
                "to_move": mover.map(side_key),
                "position": game.position_text(),
                "proven": is_solved,
                "outcome": findings.proof,
                "margin": findings.margin,
                "bounds": guarantee.as_ref().map(StatedGuarantee::json),
                "best_move": findings.best_move,
                "pv": findings.pv,
                "iterations": findings.work.iterations,
                "nodes": findings.work.nodes,
                "memory": findings.work.memory,
                "seconds": findings.work.time.as_secs_f64(),
                "stop": stop_key(findings.stop),
        });
        Output::json("treegraft.solve/1", &value)
    }

    fn text(&self) -> Output {
        let Solved { game, player, findings, guarantee, is_solved, .. } = self;
        let position = game.position();
        let charset = if self.args.ascii { Charset::Ascii } else { Charset::Unicode };
        let mut lines = vec![("game", self.start.text().to_owned())];
        if let Some(ending) = game.ending() {
            lines.push(("result", result(position, ending)));
        } else {
            lines.push(turn(position));
            match findings.proof {
                Some(proof) => {
                    let words = proof_text(proof, findings.margin, findings.mover_name);
                    let and = if *is_solved { "" } else { "; by how much is not proven" };
                    lines.push(("result", format!("{words}, with best play{and}")));
                    lines.push(("line", wrap(&findings.pv.join(" "))));
                }
                None => lines.extend(unproven(findings)),
            }
            if let Some(guarantee) = guarantee {
                lines.push(("known", wrap(&guarantee.text())));
                lines.push(("moves", guarantee.moves_text(SHOWN_MOVES)));
                lines.retain(|(_, text)| !text.is_empty());
            }
            let nodes = findings.work.nodes;
            let time = findings.work.time.as_secs_f64();
            let rate = nodes as f64 / time.max(1e-9) / 1e6;
            lines.push(("nodes", format!("{} ({rate:.1} million/s)", grouped(nodes))));
            lines.push(("time", seconds(time)));
            lines.push(("with", wrap(&player.to_string())));
        }
        Output::text(format!("{}\n\n{}", position.notation().diagram(charset), labelled(&lines)))
    }
}

/// Moves whose bounds are shown.
const SHOWN_MOVES: usize = 10;

/// What is known without a proof.
fn unproven(findings: &Findings) -> [(&'static str, String); 2] {
    let why = match findings.stop {
        Stop::Cancelled => format!("ended by {}", interrupt::cause()),
        Stop::Spent(_) => "the limit was reached".to_owned(),
        Stop::Done | Stop::NotYet => "this search proves nothing more".to_owned(),
    };
    let mut guess = findings.best_move.clone().unwrap_or_default();
    // Without an evaluation 0 means that nothing is known.
    if findings.value != 0.0 {
        guess.push_str(&format!(" ({})", value_text(findings)));
    }
    [("result", format!("not proven: {why}")), ("guess", guess)]
}
