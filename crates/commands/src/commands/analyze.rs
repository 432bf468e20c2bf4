//! `treegraft analyze`: what a player thinks of a position.

use std::io::Write;
use std::path::PathBuf;

use treegraft::{Charset, Game, Notation, Playthrough, Side, Stop};
use treegraft_engine::Findings;
use treegraft_players::{Board, DEFAULT_BUDGET, Player, Start};
use treegraft_studies::{StatedGuarantee, TreeView, json};

use super::show::result;
use crate::plot_file::{plan_plots, plot_format, write_plot};
use crate::prelude::*;
use crate::search::{Show, Thinking, line_table, move_table, strategy_table, summary};
use crate::tree_view::tree_text;

/// Search a position with a player and print what it found
///
/// Shows each move with its value and the work spent on it, the best line, and the cost of the
/// search. Values are in the view of the player to move, from 0 % (lost) to 100 % (won): for
/// searches by simulation the chance of winning, a draw counting half, otherwise an evaluation. The
/// raw value beside it is the same from -1 to 1. A search that prunes knows only bounds (≤, ≥) of
/// most moves. The same seed and budget give the same search (and digest), unless the budget limits
/// time.
///
/// While it searches, a table on the terminal shows what it has found so far.
///
/// Searches with bounds, such as fsss, also print what they guarantee when stopped early.
///
/// In JSON, "value", "proof", "margin", "bounds" and the values of moves are in the view of the
/// player to move, from -1 to 1; "value_first" is in the view of the first player. A move without a
/// "value" may have bounds, "at_least" and "at_most".
#[derive(Debug, Args)]
#[command(override_usage = "treegraft analyze <GAME> <PLAYER> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft analyze connect4 mcts-solver@10000it
  treegraft analyze othello ab@0.5s --moves f5d6c3
  treegraft analyze connect4 ab@2s --lines 3
  treegraft analyze hex:7 mcts@500ms --json-lines
  treegraft analyze connect4 mcts@1000it --moves 4453 --tree 2 --svg tree.svg
  treegraft analyze othello 'mcts(switch=all)@5000it' --plot shares.svg
  treegraft analyze breakthrough:5x5 mcts-solver@1000it --seed 7 --json
  treegraft analyze tree:height=12 'fsss(deepening=false,scores=margin)@1000nodes'")]
pub(crate) struct Analyze {
    #[command(flatten)]
    asked: SearchArgs,

    /// Also show the search tree to this depth in plies
    #[arg(long, value_name = "DEPTH", value_parser = whole_number(0u32..=100))]
    tree: Option<u32>,

    /// Draw the search tree into an SVG file, to the depth of --tree [default: 2]
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw the shares of the strategies into a file that ends with .svg or .png
    ///
    /// For players that switch strategies for their playouts, such as 'mcts(switch=all)': how often
    /// each was chosen in the course of the search.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Show at most N moves [default: 20 in the table, 5 below each node of the tree]
    #[arg(long, value_name = "N", value_parser = whole_number(1usize..=1000))]
    top: Option<usize>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Give exact values and lines for the N best moves
    ///
    /// A search that prunes knows only bounds for most moves, and exact values cost more work. The
    /// best moves are the most visited ones in searches by simulation, and those with the best
    /// bounds in searches that prove.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(1u32..=1000))]
    lines: u32,

    /// Print JSON: one object with everything the search found
    #[arg(long)]
    json: bool,

    /// Print JSON about ten times a second, one object per line; the last one is that of --json
    #[arg(long, conflicts_with = "json")]
    json_lines: bool,
}

impl Analyze {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.asked.at.game)?;
        let mut player = registry.player(&self.asked.player)?;
        if (self.tree.is_some() || self.svg.is_some()) && !player.search.keeps_tree() {
            return Err(CliError::new(format!(
                "player {:?}: this search keeps no tree that could be shown",
                player.to_string()
            ))
            .hint(
                "mcts-solver, or another player that simulates games; fsss, or another that proves",
            ));
        }
        player.budget = player.budget_or(DEFAULT_BUDGET);
        let mut files = OutputFiles::default();
        files.plan(&self.svg, FileKind::SVG)?;
        if let Some(path) = &self.plot {
            plot_format(path)?;
            if !player.switches() {
                return Err(CliError::new(format!(
                    "player {:?}: this search switches no strategies that could be drawn",
                    player.to_string()
                ))
                .hint("mcts(switch=all), or another player with switch"));
            }
            plan_plots([path], &mut files)?;
        }
        let game = self.asked.at.playthrough(&start)?;
        let position = game.position();
        let kind = player.search.value_kind();
        let mut analyst = registry.searcher(&start, &player)?;
        let (findings, tree) = match game.ending() {
            Some(ending) => (Findings::finished(position, ending.outcome, kind), None),
            None => {
                let mut print = |so_far: &Findings| {
                    let line = Output::json("treegraft.thinking/1", &so_far.json()).text;
                    // A reader that has closed the pipe gets no answer at the end either.
                    let _ = arrived(std::io::stdout().write_all(line.as_bytes()));
                };
                let show = match self {
                    Analyze { json_lines: true, .. } => Show::Each(&mut print),
                    Analyze { json: true, .. } => Show::Nothing,
                    Analyze { ascii: true, .. } => Show::Table(Charset::Ascii),
                    _ => Show::Table(Charset::Unicode),
                };
                let thinking = Thinking::new(&player, self.asked.seed.seed, show);
                let thinking = Thinking { lines: self.lines, ..thinking };
                let report = thinking.run(&mut analyst, position)?;
                let tree = analyst.tree(self.tree.unwrap_or(2), self.top.unwrap_or(5));
                let tree = tree.map(|root| TreeView::new(position, &root));
                (Findings::new(position, &report, kind), tree)
            }
        };
        let guarantee = analyst.guarantee().filter(|_| game.ending().is_none());
        let guarantee =
            StatedGuarantee::new(position, &player, guarantee).filter(StatedGuarantee::is_open);
        if self.svg.is_some() && tree.is_none() {
            return Err(CliError::new("the game is over: there is no search tree to draw"));
        }
        let analyzed = Analyzed { args: self, start, player, game, findings, guarantee, tree };
        let drawn = analyzed.draw(&mut files);
        let is_json = self.json || self.json_lines;
        let mut output = if is_json { analyzed.json() } else { analyzed.text() };
        if !is_json && drawn.is_ok() {
            for (what, path) in [("tree is", &self.svg), ("shares are", &self.plot)] {
                let path = path.iter().map(|path| path.display());
                output.text.extend(path.map(|path| format!("\nThe {what} drawn in {path}.\n")));
            }
        }
        let is_ended = analyzed.findings.stop == Stop::Cancelled;
        Ok(output.complete(!is_ended).unless_failed(drawn))
    }
}

/// What came of it.
struct Analyzed<'a> {
    args: &'a Analyze,
    start: Start,
    player: Player,
    game: Playthrough<Board>,
    findings: Findings,
    guarantee: Option<StatedGuarantee>,
    tree: Option<TreeView>,
}

impl Analyzed<'_> {
    /// Draws the tree, and then the shares of the strategies, if requested.
    fn draw(&self, files: &mut OutputFiles) -> Result<()> {
        let title = format!("{} · {}", self.start.text(), self.player);
        if let (Some(path), Some(tree)) = (&self.args.svg, &self.tree) {
            let mover = self.findings.mover_name;
            let subtitle = format!("{mover}, who is to move: visits and chance to win");
            let notation = self.game.position().notation();
            let sides = [Side::First, Side::Second].map(|side| notation.side_name(side));
            files.put(path, FileKind::SVG, tree.svg(title.clone(), subtitle, sides))?;
        }
        let Some(path) = &self.args.plot else { return Ok(()) };
        let plot = self.findings.strategy_plot(&title);
        let plot = plot.ok_or_else(|| CliError::new("the game is over: nothing was searched"))?;
        write_plot(path, &plot, files)
    }

    /// The tree, if it is to be shown.
    fn shown_tree(&self) -> Option<&TreeView> {
        self.tree.as_ref().filter(|_| self.args.tree.is_some())
    }

    fn json(&self) -> Output {
        let (game, seed) = (self.start.text(), self.args.asked.seed.seed);
        let (player, budget) = (&self.player, self.player.budget);
        let asked = json::Searched { game, played: &self.game, player, budget, seed };
        let guarantee = self.guarantee.as_ref();
        let object = json::analysis(asked, &self.findings, guarantee, self.shown_tree());
        Output::json("treegraft.analyze/1", &object)
    }

    fn text(&self) -> Output {
        let Analyzed { game, findings, .. } = self;
        let position = game.position();
        let charset = if self.args.ascii { Charset::Ascii } else { Charset::Unicode };
        let mut text = format!("{}\n\n", position.notation().diagram(charset));
        let mut lines =
            vec![("game", self.start.text().to_owned()), ("player", self.player.to_string())];
        if let Some(ending) = game.ending() {
            lines.push(("result", result(position, ending)));
            return Output::text(text + &labelled(&lines));
        }
        lines.push(turn(position));
        let top = self.args.top.unwrap_or(20);
        let moves = move_table(findings, top, charset);
        text.push_str(&format!("{}\n{moves}\n", labelled(&lines)));
        if self.args.lines > 1 {
            text.push_str(&format!("{}\n", line_table(findings, charset)));
        }
        text.push_str(&summary(findings));
        if !findings.strategies.is_empty() {
            text.push_str(&format!("\n{}", strategy_table(findings, charset)));
        }
        if let Some(guarantee) = &self.guarantee {
            text.push_str(&labelled(&[("known ", wrap(&guarantee.text()))]));
            let moves = guarantee.moves_text(top);
            if !moves.is_empty() {
                text.push_str(&labelled(&[("moves ", moves)]));
            }
        }
        if !self.player.budget.is_repeatable() {
            text.push_str("note    not repeatable: a limit on time depends on the machine\n");
        }
        if let Some(tree) = self.shown_tree() {
            text.push_str(&format!("\n{}", tree_text(tree, findings.kind, charset)));
        }
        Output::text(text)
    }
}
