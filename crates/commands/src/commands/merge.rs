//! `treegraft merge`: the parts of an experiment in one store.

use std::path::PathBuf;

use serde_json::{Value, json};
use treegraft_lab::{
    MergeError, MergeOptions, MergeSummary, MergeWatch, MergedPart, PlanShare, StoreError, json,
    merge,
};

use super::status::missing_text;
use crate::prelude::*;

/// Merge stores and ledgers of one experiment into one store
///
/// The parts may overlap, be incomplete, come twice and come from different machines: a pair of
/// games has a name that follows from everything it depends on, and is kept once. OUT may exist; its
/// games stay, and those it lacks are added. The report of the merged store is that of one machine, to
/// the last byte. What the players thought is merged too.
///
/// All parts are checked before anything is written. A part that is damaged, of another plan, or
/// played by players that behaved differently (another signature) is refused with what differs. A
/// plan with more games or more pairings continues a smaller one, and the two can be merged.
///
/// Of a pair with a limit on time or an engine that several parts have, the first found is kept:
/// OUT's, or that of the first part; stores come before ledgers, which keep less.
///
/// What is missing afterwards is said, shard by shard, but is no failure: parts may follow.
/// `treegraft status FILE --store OUT --complete` fails unless everything is there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft merge all.db a.db b.db c.db
  treegraft merge all.db part-*.db --skip-damaged
  treegraft merge all.db old.ledger part-*.db --json

Then: treegraft status FILE --store all.db --complete (is everything there?), and treegraft report
FILE --store all.db. See docs/clusters.md.

Exit codes: 0 if everything was merged; 1 if a part is damaged (skipped or not), two parts contradict
each other, or OUT cannot be written; 2 if a part is missing, or of another plan or other players; 130
after Ctrl-C: the same command goes on.")]
pub(crate) struct MergeArgs {
    /// The store that everything goes into; it is created if it does not exist
    out: PathBuf,

    /// Stores and ledgers of the same experiment
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,

    /// Leave out parts that are damaged, name them, and end with exit code 1
    #[arg(long)]
    skip_damaged: bool,

    /// Merge games of different versions of the searches
    #[arg(long)]
    mix_versions: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl MergeArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let counter = Counter::new(2 * self.parts.len() as u64, "merging", self.json);
        let mut show = |done: usize, steps: usize| counter.show_of(done as u64, steps as u64);
        let options =
            MergeOptions { skip_damaged: self.skip_damaged, mix_versions: self.mix_versions };
        let watch = MergeWatch { progress: Some(&mut show), cancel: Some(interrupt::flag()) };
        let summary = merge(registry, &self.out, &self.parts, options, watch).map_err(refusal)?;
        let is_whole = summary.parts.iter().all(|part| part.damage.is_none());
        let output = match self.json {
            true => self.to_json(&summary),
            false => Output::text(self.to_text(&summary)),
        };
        Ok(output.success(is_whole).complete(!summary.cancelled))
    }

    fn to_json(&self, summary: &MergeSummary) -> Output {
        let part = |part: &MergedPart| {
            json!({
                "file": part.path,
                "games": part.games,
                "new_games": part.new,
                "differing_games": part.differing,
                "damage": part.damage,
            })
        };
        let plan =
            |field: fn(&PlanShare) -> usize| -> Value { summary.plan.as_ref().map(field).into() };
        let missing = summary.plan.as_ref().map(|plan| json::missing(&plan.missing));
        let value = json!({
                "store": self.out,
                "games": summary.games,
                "new_games": new_games(summary),
                "planned": plan(|plan| plan.planned),
                "pairs": plan(|plan| plan.done),
                "pairs_outside": plan(|plan| plan.outside),
                "missing": missing,
                "complete": !summary.cancelled,
                "seconds": summary.seconds,
                "parts": summary.parts.iter().map(part).collect::<Vec<_>>(),
        });
        Output::json("treegraft.merge/1", &value)
    }

    fn to_text(&self, summary: &MergeSummary) -> String {
        let count = |number: usize| grouped(number as u64);
        let sum = |of: fn(&MergedPart) -> usize| summary.parts.iter().map(of).sum::<usize>();
        let damaged: Vec<&MergedPart> =
            summary.parts.iter().filter(|part| part.damage.is_some()).collect();
        let skipped = match damaged.len() {
            0 => String::new(),
            n => format!(", and {} left out because of damage", count(n)),
        };
        let merged = summary.parts.len() - damaged.len();
        let mut entries = vec![
            ("store", self.out.display().to_string()),
            ("parts", format!("{} merged{skipped}", count(merged))),
            (
                "games",
                format!(
                    "{} in the parts, {} of them new",
                    count(sum(|part| part.games)),
                    count(new_games(summary))
                ),
            ),
            ("in all", format!("{} games in the store", count(summary.games))),
        ];
        if let Some(PlanShare { planned, done, outside, missing }) = &summary.plan {
            let beside = match *outside {
                0 => String::new(),
                n => format!(", and {} that are not in it", count(n)),
            };
            let share = format!("{} of {} pairs{beside}", count(*done), count(*planned));
            entries.push(("plan", share));
            entries.push(("missing", missing_text(missing)));
        }
        let differing = sum(|part| part.differing);
        if differing > 0 {
            let text = format!(
                "{} games were there already, played differently; those were kept",
                count(differing)
            );
            entries.push(("differing", text));
        }
        entries.push(("time", seconds(summary.seconds)));
        let mut text = labelled(&entries);
        if !damaged.is_empty() {
            let row = |part: &&MergedPart| {
                [part.path.display().to_string(), part.damage.clone().unwrap_or_default()]
            };
            let rows = table(["left out", "damage"], damaged.iter().map(row), &[]);
            text.push_str(&format!("\n{rows}"));
        }
        if summary.cancelled {
            let cause = interrupt::cause();
            text.push_str(&format!(
                "\nstopped by {cause}: what was merged stays, and the same command goes on\n"
            ));
        }
        text
    }
}

fn new_games(summary: &MergeSummary) -> usize {
    summary.parts.iter().map(|part| part.new).sum()
}

/// What to do about a merge that is refused.
fn refusal(error: MergeError) -> CliError {
    let message = CliError::of(&error);
    match error {
        MergeError::Store(error @ (StoreError::IsLedger { .. } | StoreError::NotAStore { .. })) => {
            CliError::of(error).hint("another name for OUT: games go into a store")
        }
        MergeError::Store(error) => error.into(),
        MergeError::Part(StoreError::Missing { path }) => {
            CliError::new(format!("there is no part {}; nothing was merged", path.display()))
                .hint("only parts that exist, such as part-*.db")
        }
        MergeError::Part(error) => error.into(),
        MergeError::Damaged { part, .. } => message.code(NO_SUCCESS).hint(format!(
            "--skip-damaged to merge the others; the same `treegraft run` with another store plays \
             its games again, and `treegraft export {} --salvage` shows those that are intact",
            part.display()
        )),
        MergeError::OtherPlan { .. } => {
            message.hint("parts of one experiment only, whose file was not changed in between")
        }
        MergeError::OtherSignature { .. } => {
            message.hint("parts that one version of the program has played, or --mix-versions")
        }
        MergeError::Contradiction { .. } => message
            .code(NO_SUCCESS)
            .hint("`treegraft verify` on both files says which of them is wrong; merge without it"),
    }
}
