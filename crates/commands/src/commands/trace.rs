//! `treegraft trace`: what a search does, event by event.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use serde_json::Value;
use treegraft::{Charset, Game, Notation, Report, Side, Stop};
use treegraft_engine::Findings;
use treegraft_players::MoveIndex;
use treegraft_studies::json;
use treegraft_studies::trace::{Scale, SearchTrace, TraceError, TraceSearch};

use crate::prelude::*;
use crate::search::{proof_text, stop_text, value_text};

/// Watch a search think: every step it takes, in order
///
/// Prints one line per event, indented by the depth of its node: windows, leaves in their order,
/// bounds, cut-offs with their reason, table hits and null windows of alpha-beta and its relatives;
/// the rollouts of fsss and others, and the intervals that they narrow; selection, expansion,
/// playout and backing up of simulations, with proofs, embedded minimax searches, implicit minimax
/// values and the bonuses of MCTS-αβ. All values are in the view of the first player.
///
/// It is the same search that `analyze` runs with the same seed and budget. In a game without
/// evaluations whose ends have margins, such as a tree, alpha-beta and its relatives search for the
/// margin, to the end of the game at once, unless the player says scores or deepening itself.
///
/// --svg draws the tree that the printed events show: the order of the leaves and what is known of
/// every node; what was never visited is pale and dashed.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft trace <GAME> <PLAYER> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft trace 'tree:((3 5) (2 9))' alpha-beta
  treegraft trace 'tree:((3 5) (2 9))' fsss --svg tree.svg
  treegraft trace tree:height=4,leaves=0..9 sss --limit 50
  treegraft trace connect4 mcts-solver@5it
  treegraft trace breakthrough:5x5 mcts-ab@20it --seed 7
  treegraft trace connect4:4x4 mcts-ms-2-visit-1@50it --json")]
pub(crate) struct Trace {
    #[command(flatten)]
    asked: SearchArgs,

    /// Show the first N events
    ///
    /// A player with a budget searches on, and the summary shows what it finds; one without a
    /// budget stops here.
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1_000_000u64))]
    #[arg(default_value_t = 1000)]
    limit: u64,

    /// Draw the tree into an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Print JSON lines: one object per event, after one about the search and before one with its
    /// result
    #[arg(long)]
    json: bool,
}

impl Trace {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.asked.at.game)?;
        let mut files = OutputFiles::default();
        files.plan(&self.svg, FileKind::SVG)?;
        let game = self.asked.at.playthrough(&start)?;
        let search = TraceSearch::new(registry, start, game, &self.asked.player)?;
        let charset = if self.ascii { Charset::Ascii } else { Charset::Unicode };
        let (seed, limit) = (self.asked.seed.seed, self.limit);
        let search = TraceSearch { seed, limit, charset, ..search };
        Traced { args: self, search }.run(registry, &mut files)
    }
}

struct Traced<'a> {
    args: &'a Trace,
    search: TraceSearch,
}

impl Traced<'_> {
    fn run(&self, registry: &Registry, files: &mut OutputFiles) -> Result<Output> {
        let (trace, report) = self.search.run(registry, interrupt::flag())?;
        let is_interrupted = interrupt::flag().load(Ordering::Relaxed);
        let output = match self.args.json {
            true => self.json(&trace, &report),
            false => self.text(&trace, &report, is_interrupted),
        };
        let said = "\nThe tree is drawn in PATH.\n";
        let output = output.with_file(self.args.svg.as_ref(), self.args.json, said, |path| {
            files.put(path, FileKind::SVG, self.search.draw(&trace, None))
        });
        Ok(output.complete(!is_interrupted))
    }

    fn text(
        &self,
        trace: &SearchTrace,
        report: &Report<MoveIndex>,
        is_interrupted: bool,
    ) -> Output {
        let position = self.search.game.position();
        let findings = Findings::new(position, report, self.search.player.search.value_kind());
        let first = position.notation().side_name(Side::First);
        let values = match trace.scale {
            Scale::Margin => format!("margins in the view of {first}, the first player"),
            Scale::Evaluation => format!("from -1 to 1 in the view of {first}, the first player"),
            Scale::Outcome => format!("rewards from -1 to 1 in the view of {first}, who is first"),
        };
        let mut head = vec![
            ("game", self.search.start.text().to_owned()),
            ("player", wrap(&self.search.player.to_string())),
            turn(position),
            ("values", values),
        ];
        if self.search.is_changed {
            let note = "leaves count by their margin here; scores=outcome finds only who wins";
            head.push(("note", note.to_owned()));
        }
        let mut text = format!("{}\n", labelled(&head));
        for line in &trace.lines {
            text.push_str(line);
            text.push('\n');
        }
        let limit = grouped(self.args.limit);
        if trace.left_out() > 0 {
            let left_out = grouped(trace.left_out());
            text.push_str(&format!(
                "\n{left_out} more events are not shown; --limit shows more.\n"
            ));
        }
        let is_cut_short = report.stop == Stop::Cancelled && !is_interrupted;
        if is_cut_short {
            text.push_str(&format!(
                "\nThe search was ended after {limit} events: the player has no budget.\n"
            ));
        }
        let mut tail = vec![
            ("best", findings.best_move.clone().unwrap_or_else(|| "no move".to_owned())),
            ("line", wrap(&findings.pv.join(" "))),
            ("value", value_text(&findings)),
        ];
        if let Some(proof) = findings.proof {
            tail.push(("proof", proof_text(proof, findings.margin, findings.mover_name)));
        }
        let leaves = trace.tree.leaves().len() as u64;
        if leaves > 0 && trace.scale != Scale::Outcome {
            tail.push(("leaves", grouped(leaves)));
        }
        tail.push(("digest", format!("{:016x}", findings.digest)));
        if !is_cut_short {
            tail.push(("ended", stop_text(&findings)));
        }
        Output::text(format!("{text}\n{}", labelled(&tail)))
    }

    fn json(&self, trace: &SearchTrace, report: &Report<MoveIndex>) -> Output {
        const SCHEMA: &str = "treegraft.trace/1";
        let position = self.search.game.position();
        let findings = Findings::new(position, report, self.search.player.search.value_kind());
        let begin = json::trace_begin(self.search.asked(), trace);
        let end = json::trace_end(trace, &findings, report);
        let all = std::iter::once(&begin).chain(&trace.json).chain([&end]);
        let line = |value: &Value| format!("{}\n", with_schema(SCHEMA, value));
        Output::data(all.map(line).collect())
    }
}

impl From<TraceError> for CliError {
    fn from(error: TraceError) -> CliError {
        match error {
            TraceError::Player(error) => error.into(),
            error => CliError::of(error),
        }
    }
}
