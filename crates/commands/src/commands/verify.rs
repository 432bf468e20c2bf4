//! `treegraft verify`: whether stored games are what they should be.

use std::path::PathBuf;

use serde_json::json;
use treegraft_lab::{
    Changed, Difference, GameFile, VerifyOptions, VerifyReport, VerifyWatch, verify,
};

use super::export::store_of;
use crate::experiment::salvage_hint;
use crate::prelude::*;

/// Check stored games: replay them from their moves and play them again from their seeds
///
/// Every game is replayed from its moves and must reach the stored result. Pairs whose budgets
/// limit work, not time, are played again from their seeds and must produce the same moves. A
/// ledger keeps a digest instead of the moves of such pairs, which must come out the same.
///
/// Pairs with a player that has changed since are not played again: the command names the player
/// and counts the pairs, which is not a difference.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft verify examples/quick.toml
  treegraft verify examples/quick.db --replay-share 0.1 --json
  treegraft verify quick.ledger --sample 20

Exit codes: 0 if nothing differs, even if a player has changed and its pairs were not played again;
1 if something differs or the file is damaged; 130 after Ctrl-C.")]
pub(crate) struct Verify {
    /// The experiment file, or the store or ledger itself
    file: PathBuf,

    /// The store or ledger of the games [default: the experiment file with the extension .db]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// The share of repeatable pairs that are played again, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    replay_share: f64,

    /// Play at most N of the repeatable pairs again, always the same ones
    #[arg(long, value_name = "N", conflicts_with_all = ["replay_share", "all"])]
    #[arg(value_parser = whole_number(1usize..=1_000_000_000))]
    sample: Option<usize>,

    /// Play all repeatable pairs again (the default)
    #[arg(long, conflicts_with = "replay_share")]
    all: bool,

    #[command(flatten)]
    jobs: JobsArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let path = store_of(&self.file, self.store.as_deref());
        let store = GameFile::open(&path)?;
        let check = store.check();
        if let Some(problem) = check.problems.first() {
            let more = match check.problems.len() {
                1 => String::new(),
                n => format!(", and {} more problems", n - 1),
            };
            let message = format!("{} is damaged: {problem}{more}", path.display());
            return Err(CliError::new(message).code(NO_SUCCESS).hint(salvage_hint(&path)));
        }
        let (games, sessions) = (store.games()?, store.sessions()?);
        let bar = progress(games.len() as u64 / 2, "verifying", self.json);
        let mut watch = |done: usize, _: usize| bar.set_position(done as u64);
        let options = VerifyOptions {
            jobs: self.jobs.number(false),
            replay_share: self.replay_share,
            sample: self.sample,
            sessions: &sessions,
        };
        let watch = VerifyWatch { progress: Some(&mut watch), cancel: Some(interrupt::flag()) };
        let report = verify(registry, &games, options, watch);
        let output = if self.json { to_json(&report) } else { to_text(&report) };
        Ok(output.complete(!report.cancelled).success(report.is_clean()))
    }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn to_json(report: &VerifyReport) -> Output {
    let difference = |difference: &Difference| json!({"pair": difference.pair, "game": difference.number, "what": difference.what});
    let differences: Vec<_> = report.differences.iter().map(difference).collect();
    let changed = |changed: &Changed| json!({"game": changed.game, "player": changed.player, "then": changed.then, "now": changed.now});
    let changed: Vec<_> = report.changed.iter().map(changed).collect();
    let value = json!({
            "games_replayed": report.replayed,
            "pairs_played_again": report.played_again,
            "pairs_not_repeatable": report.unrepeatable,
            "pairs_of_other_versions": report.other_version,
            "pairs_not_sampled": report.not_sampled,
            "pairs_unchecked": report.unchecked,
            "players_changed": changed,
            "differences": differences,
            "complete": !report.cancelled,
    });
    Output::json("treegraft.verify/1", &value)
}

fn to_text(report: &VerifyReport) -> Output {
    let count = |number: usize| grouped(number as u64);
    let differences = match report.differences.len() {
        0 => "none".to_owned(),
        n => count(n),
    };
    let mut text = labelled(&[
        ("games replayed from their moves", count(report.replayed)),
        ("pairs played again from their seeds", count(report.played_again)),
        ("pairs that time or engines make unrepeatable", count(report.unrepeatable)),
        ("pairs not played again: a player has changed", count(report.other_version)),
        ("pairs not played again: not in the sample", count(report.not_sampled)),
        ("pairs of which nothing was checked", count(report.unchecked)),
        ("differences", differences),
    ]);
    for changed in &report.changed {
        text.push_str(&format!("\nchanged: {changed}"));
    }
    for Difference { pair, number, what } in &report.differences {
        let game = number.map_or_else(String::new, |number| format!(", game {}", number + 1));
        text.push_str(&format!("\npair {pair}{game}: {what}"));
    }
    if report.cancelled {
        let cause = interrupt::cause();
        text.push_str(&format!("\nended by {cause} before everything was verified"));
    }
    Output::text(text)
}
