//! `treegraft run`: an experiment, from its beginning or from where it was.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::{Value, json};
use treegraft_lab::files::FilePlace;
use treegraft_lab::report::report;
use treegraft_lab::{
    Estimate, Experiment, LoadedExperiment, Plan, PlannedPair, Record, RunError, RunOptions,
    RunProgress, RunSummary, RunWatch, Shard, Standing, Store, StoreError, estimate, json, run,
};
use treegraft_pictures::printable;
use treegraft_pictures::table::Format;
use treegraft_stats::Evidence;

use super::report::write_plots;
use crate::experiment::{ExperimentArgs, FILE, FOLDER, open_if_any};
use crate::plot_file::plan_plots;
use crate::prelude::*;

/// Run an experiment file, or resume it
///
/// Plays every pair of games that is not in the store yet, and prints the table of results. Each
/// pair is on the disk before it counts: after Ctrl-C, a crash or a power cut the same command
/// resumes the experiment and produces the same table. A plot is written beside the store.
///
/// With --shard K/N it plays the K-th of N equal parts of the plan into a store of its own, on any
/// machine; `treegraft merge` puts the parts together. A shard cannot know what the others have
/// played, so a sequential test stops no shard: it plays all its pairs, or those within --first,
/// and the report of the merged store counts the games up to the decision, as on one machine. The
/// games after it were played in vain.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft run examples/quick.toml
  treegraft run examples/quick.toml --dry-run
  treegraft run examples/sprt.toml --jobs 2 --store sprt.db --json
  treegraft run examples/quick.toml --shard 1/3 --store a.db
  treegraft run examples/sprt.toml --first 40 --store sprt.db

The keys of an experiment file are explained in docs/experiments.md, the store in docs/store.md,
and shards in docs/clusters.md.

Exit codes: 0 if everything is played, 1 if the store or the plot cannot be written or the store is
gone, 2 if the input is wrong, 130 after Ctrl-C (143 after SIGTERM, 129 after SIGHUP).")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    experiment: ExperimentArgs,

    #[command(flatten)]
    jobs: JobsArg,

    /// Play only the K-th of N equal parts of the plan, such as 3/64. The store is then by default
    /// the experiment file with the extension .shard-03-of-64.db
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// Play only the first GAMES games of each pairing, an even number. Later runs can go on with
    /// more, in the same stores
    #[arg(long, value_name = "GAMES", value_parser = even)]
    first: Option<u64>,

    /// Print the plan and an estimate of its duration; play nothing
    #[arg(long)]
    dry_run: bool,

    /// Continue even if the games in the store were played by other versions of the searches
    #[arg(long)]
    mix_versions: bool,

    /// Do not write a plot
    #[arg(long)]
    no_plot: bool,

    /// Print no progress bar and no table
    #[arg(long, short)]
    quiet: bool,

    /// Print JSON lines: progress at the start and every second, then the report
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

impl RunArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let loaded = self.experiment.load(registry)?;
        let plan = &loaded.experiment.plan;
        let jobs = self.jobs.number(is_timed(plan));
        plan.check_memory(jobs)?;
        if self.dry_run {
            return self.print_plan(registry, &loaded, jobs);
        }
        let path = self.store_path();
        let plot = path.with_extension("svg");
        let mut files = OutputFiles::default();
        if self.shard.is_none() {
            files = self.experiment.kept()?;
            // A store in a folder that does not exist is refused below, and with it its plot.
            if !self.no_plot && FilePlace::of(&path).is_ok() {
                plan_plots([&plot], &mut files)
                    .map_err(|error| error.hint("--no-plot, or --store FILE with another name"))?;
            }
        }
        let mut store = Store::open_or_create(&path, &loaded.text)?;
        let how = How {
            jobs,
            has_bar: !(self.json || self.quiet),
            has_lines: self.json,
            mix_versions: self.mix_versions,
            // Other shards have the pairs before and after these.
            may_stop: self.shard.is_none(),
            at: FILE,
        };
        if let Some(shard) = self.shard {
            store.record_shards(shard.of())?;
        }
        let pairs = loaded.part(self.shard, self.first);
        let summary = play(registry, &loaded, &pairs, &mut store, how)?;
        drop(store);
        let output = match self.shard {
            Some(shard) => self.shard_output(&loaded, &path, shard, &summary),
            None => self.output(&loaded, path, &summary, (plot, files))?,
        };
        Ok(output.complete(!summary.cancelled))
    }

    /// What the games come to, with its plot.
    fn output(
        &self,
        loaded: &LoadedExperiment,
        path: PathBuf,
        summary: &RunSummary,
        (plot, mut files): (PathBuf, OutputFiles),
    ) -> Result<Output> {
        let rows = self.experiment.rows()?;
        if rows.len() < summary.games {
            let (found, expected) = (rows.len(), summary.games);
            return Err(StoreError::Incomplete { path, found, expected }.into());
        }
        let counted = loaded.counted(&rows);
        let report = report(&loaded.experiment, &counted);
        let drawn = match self.no_plot || counted.is_empty() {
            true => Ok(Vec::new()),
            false => write_plots(&report, &plot, &mut files),
        };
        let output = if self.quiet {
            Output::nothing()
        } else if self.json {
            let mut object = self.end_json(summary);
            object["report"] = report.to_json();
            Output::json("treegraft.run/1", &object)
        } else {
            let mut text = match counted.is_empty() {
                true => "no pair of games is over yet\n".to_owned(),
                false => report.render(Format::Text),
            };
            let mut entries = vec![("store", path.display().to_string())];
            let plots = drawn.iter().flatten().map(|plot| ("plot", plot.display().to_string()));
            entries.extend(plots);
            text.push_str(&format!("\n{}", labelled(&entries)));
            if summary.cancelled {
                text.push_str(&interrupted(summary, &self.command()));
            }
            Output::text(text)
        };
        Ok(output.unless_failed(drawn.map(drop)))
    }

    /// What has been played of a shard: what its games mean is for the merged store to say.
    fn shard_output(
        &self,
        loaded: &LoadedExperiment,
        path: &Path,
        shard: Shard,
        summary: &RunSummary,
    ) -> Output {
        let RunSummary { planned, found, played, cancelled, .. } = *summary;
        if self.quiet {
            return Output::nothing();
        }
        if self.json {
            return Output::json("treegraft.run/1", &self.end_json(summary));
        }
        let [done, all] = [found + played, planned].map(|pairs| grouped(2 * pairs as u64));
        let mut text = labelled(&[
            ("shard", shard.to_string()),
            ("games", format!("{done} of {all} played")),
            ("store", path.display().to_string()),
        ]);
        if loaded.sprt.is_some() {
            text.push_str(
                "\nA shard is not stopped by the sequential test: the report of the merged store \
                 applies it.\n",
            );
        }
        text.push_str(&match cancelled {
            true => interrupted(summary, &self.command()),
            false => "\nTo put all parts together: treegraft merge OUT.db PART...\n".to_owned(),
        });
        Output::text(text)
    }

    /// How a run ended.
    fn end_json(&self, summary: &RunSummary) -> Value {
        let mut object =
            json!({ "event": if summary.cancelled { "interrupted" } else { "finished" } });
        if let Some(shard) = self.shard {
            object["shard"] = shard.to_string().into();
        }
        object["pairs"] = (summary.found + summary.played).into();
        object["planned"] = summary.planned.into();
        object["played"] = summary.played.into();
        object["seconds"] = summary.seconds.into();
        object
    }

    /// The path of the store: that of a shard has its number, so that shards of one folder do not
    /// meet.
    fn store_path(&self) -> PathBuf {
        match (self.shard, &self.experiment.store) {
            (Some(shard), None) => {
                let of = shard.of().to_string();
                let number = format!("{:0width$}", shard.number(), width = of.len());
                self.experiment.file.with_extension(format!("shard-{number}-of-{of}.db"))
            }
            _ => self.experiment.store_path(),
        }
    }

    /// The command line that resumes the run.
    fn command(&self) -> String {
        let mut command = self.experiment.command("run");
        if let Some(shard) = self.shard {
            command.push_str(&format!(" --shard {shard}"));
        }
        if let Some(games) = self.first {
            command.push_str(&format!(" --first {games}"));
        }
        command
    }

    fn print_plan(
        &self,
        registry: &Registry,
        loaded: &LoadedExperiment,
        jobs: usize,
    ) -> Result<Output> {
        let plan = &loaded.experiment.plan;
        let Estimate { seconds_one_core, is_complete } = estimate(registry, plan);
        let part = loaded.part(self.shard, self.first);
        let done = match open_if_any(&self.store_path())? {
            None => 0,
            Some(store) => {
                let done = store.pairs_done()?;
                part.iter().filter(|planned| done.contains(&planned.pair.id())).count()
            }
        };
        let pairs = part.len();
        let left = seconds_one_core * (pairs - done) as f64 / loaded.pairs.len().max(1) as f64;
        let cores = match jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let seconds = left / cores as f64;
        if self.json {
            let pairings: Vec<_> = plan
                .pairings
                .iter()
                .map(|pairing| {
                    json!({
                        "game": pairing.game,
                        "players": pairing.players,
                        "names": pairing.names,
                        "parameters": pairing.parameters,
                        "pairs": plan.pairs_each,
                    })
                })
                .collect();
            let value = json!({
                    "title": loaded.experiment.title,
                    "pairings": pairings,
                    "pairs": pairs,
                    "pairs_done": done,
                    "seconds": seconds,
                    "estimate_is_complete": is_complete,
            });
            return Ok(Output::json("treegraft.plan/1", &value));
        }
        let about = if is_complete { "about" } else { "at least" };
        let at_a_time = if cores == 1 { "one pair" } else { &format!("{cores} pairs") };
        let head = labelled(&[
            ("title", loaded.experiment.title.clone()),
            ("pairings", plan.pairings.len().to_string()),
            (
                "games",
                format!(
                    "{}, {} of them played",
                    grouped(2 * pairs as u64),
                    grouped(2 * done as u64)
                ),
            ),
            ("stop", stop_text(&loaded.experiment)),
            ("time", format!("{about} {} left, {at_a_time} at once", duration(seconds))),
            ("store", self.store_path().display().to_string()),
        ]);
        let rows = plan.pairings.iter().map(|pairing| {
            let [a, b] = &pairing.names;
            [pairing.game.clone(), wrap(a), wrap(b), (2 * plan.pairs_each).to_string()]
        });
        let pairings = table(["game", "A", "B", "games"], rows, &[3]);
        Ok(Output::text(format!("{head}\n{pairings}")))
    }
}

/// Whether a budget limits time. Engines without such a limit do not mind company.
pub(super) fn is_timed(plan: &Plan) -> bool {
    let mut players = plan.pairings.iter().flat_map(|pairing| &pairing.players);
    players.any(|player| !player.budget.is_repeatable())
}

/// How pairs are played, and what is shown of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) jobs: usize,
    /// A progress bar.
    pub(super) has_bar: bool,
    /// Lines of JSON.
    pub(super) has_lines: bool,
    pub(super) mix_versions: bool,
    /// Whether a sequential test, if there is one, ends pairings.
    pub(super) may_stop: bool,
    /// What to do about games of other versions: [`FILE`] or [`FOLDER`].
    pub(super) at: &'static str,
}

impl How {
    /// For a store in the folder of --dir: with a bar unless there is JSON.
    pub(super) fn in_folder(jobs: usize, json: bool, mix_versions: bool) -> How {
        How { jobs, has_bar: !json, has_lines: false, mix_versions, may_stop: true, at: FOLDER }
    }
}

/// Plays those of some pairs of an experiment that are not in the store.
pub(super) fn play(
    registry: &Registry,
    loaded: &LoadedExperiment,
    pairs: &[PlannedPair],
    store: &mut Store,
    how: How,
) -> Result<RunSummary> {
    let stop = |_: usize, pairs: &Evidence| loaded.is_decided(pairs);
    let options = RunOptions {
        jobs: how.jobs,
        stop: (how.may_stop && loaded.sprt.is_some()).then_some(&stop),
        mix_versions: how.mix_versions,
        record: loaded.experiment.record == Record::Thinking,
        experiment: &loaded.text,
        revision: option_env!("TREEGRAFT_REVISION").unwrap_or_default(),
    };
    let bar = progress(pairs.len() as u64, "", !how.has_bar);
    let mut last_line: Option<Instant> = None;
    let mut before: Vec<Standing> = Vec::new();
    let mut watch = |progress: &RunProgress<'_>| {
        show(&bar, loaded, progress, &mut before);
        if how.has_lines && last_line.is_none_or(|line| line.elapsed() >= Duration::from_secs(1)) {
            last_line = Some(Instant::now());
            // The games go into the store, so the run continues even if the pipe is closed.
            let line = with_schema("treegraft.run/1", &progress_json(loaded, progress));
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    };
    let watch = RunWatch { progress: Some(&mut watch), cancel: Some(interrupt::flag()) };
    run(registry, pairs, store, options, watch).map_err(|error| match error {
        RunError::Store(error) => error.into(),
        RunError::OtherVersion { .. } => CliError::of(error).hint(how.at),
        RunError::Pair { .. } => CliError::of(error).code(NO_SUCCESS),
        RunError::Threads(_) => CliError::of(error),
    })
}

/// An even number of games, at least 2.
pub(super) fn even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games| *games > 0 && games % 2 == 0);
    games.ok_or_else(|| "expected an even number of games: they are played in pairs".to_owned())
}

/// How the experiment ends, in words.
pub(super) fn stop_text(experiment: &Experiment) -> String {
    match experiment.stop {
        treegraft_lab::StopRule::Fixed => "after all games".to_owned(),
        treegraft_lab::StopRule::Sprt { elo0, elo1, alpha, beta } => format!(
            "when the SPRT decides between {elo0:+} and {elo1:+} Elo (errors {alpha} and {beta}), or \
             after all games"
        ),
    }
}

/// A time in the unit that suits its length.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Moves the bar, and shows the standing of the pairing that changed last.
fn show(
    bar: &ProgressBar,
    loaded: &LoadedExperiment,
    now: &RunProgress<'_>,
    before: &mut Vec<Standing>,
) {
    bar.set_length(now.planned as u64);
    bar.set_position(now.done as u64);
    if now.played == 0 {
        // Games from before this run say nothing about its speed.
        bar.reset_eta();
    }
    let changed = |(i, standing): &(usize, &Standing)| before.get(*i) != Some(standing);
    let latest = now.standings.iter().enumerate().rfind(changed);
    if let Some((index, standing)) = latest
        && standing.counted() > 0
    {
        let [a, b] = &loaded.experiment.plan.pairings[index].names;
        let rate = now.games_per_second();
        // A narrow terminal cuts off the end.
        let standing = standing_text(loaded, standing);
        bar.set_message(printable(&format!("{rate:.1} games/s, {standing} {a} – {b}")));
    }
    before.clear();
    before.extend_from_slice(now.standings);
}

/// "54.1 % ± 3.2", and the log-likelihood ratio if that is what ends it.
pub(super) fn standing_text(loaded: &LoadedExperiment, standing: &Standing) -> String {
    let evidence = standing.evidence();
    let interval = evidence.wilson95();
    let half = 50.0 * (interval.high - interval.low);
    let mut text = format!("{:.1} % ± {half:.1}", 100.0 * evidence.pairs.score());
    if let Some(sprt) = loaded.sprt {
        let [low, high] = sprt.bounds();
        text.push_str(&format!(", LLR {:.2} ({low:.2} to {high:.2})", sprt.llr(evidence)));
    }
    text
}

fn progress_json(loaded: &LoadedExperiment, now: &RunProgress<'_>) -> Value {
    let standings: Vec<_> = now
        .standings
        .iter()
        .enumerate()
        .map(|(index, standing)| json::standing(loaded, index, standing))
        .collect();
    json!({
        "event": "progress",
        "pairs": now.done,
        "planned": now.planned,
        "played": now.played,
        "seconds": now.seconds,
        "games_per_second": now.games_per_second(),
        "standings": standings,
    })
}

fn interrupted(summary: &RunSummary, command: &str) -> String {
    let RunSummary { planned, found, played, .. } = summary;
    format!(
        "\nstopped by {}: {} of {planned} pairs are in the store, none is lost.\n\
         To resume: {command}\n",
        interrupt::cause(),
        found + played
    )
}
