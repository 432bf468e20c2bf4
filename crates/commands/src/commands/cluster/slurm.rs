//! `treegraft cluster slurm`: a job array that plays the shards of an experiment, and a job that
//! merges them.

use std::path::{Path, PathBuf};

use serde_json::json;
use treegraft_lab::{Estimate, MAX_SHARDS, estimate};

use super::script::{Scripts, text_of};
use crate::commands::run::{duration, even, is_timed};
use crate::prelude::*;

/// Write the jobs of an experiment for Slurm
///
/// Writes three scripts to a folder: a job array, whose tasks each play a shard of the plan into a
/// part of their own; a job that merges the parts and writes the report; and submit.sh, which submits
/// both. The folder, the experiment file and this program must be where all nodes find them.
///
/// A task that is preempted, runs out of time, dies or loses its node is queued again and goes on
/// with what is in its part. One that keeps dying gives up in the end; the merge job runs all the
/// same (afterany), merges what there is and says what is missing. Run submit.sh again to play the
/// rest.
///
/// With a sequential test the tasks play all games, or those within --first, and the report stops at
/// the decision: see `treegraft run --help`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft cluster slurm examples/quick.toml --tasks 8 --output quick.slurm
  treegraft cluster slurm examples/quick.toml --tasks 8 --time 02:00:00 --partition long \\
    --sbatch=--account=games --sbatch=--constraint=epyc --output quick.slurm

Then: bash quick.slurm/submit.sh. See docs/clusters.md.")]
pub(crate) struct Slurm {
    /// The experiment file (TOML)
    file: PathBuf,

    /// Number of tasks in the job array, one per shard of the plan
    #[arg(long, value_name = "N", value_parser = whole_number(1u32..=MAX_SHARDS))]
    tasks: u32,

    /// Cores of each task, which plays one pair on each core at a time
    #[arg(long, value_name = "N", value_parser = whole_number(1u32..=1024), default_value_t = 1)]
    cpus: u32,

    /// Maximum time of one run of a task, as Slurm writes it: 90 (minutes), 02:00:00, 1-12
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<String>,

    /// The partition of the cluster
    #[arg(long, value_name = "NAME", value_parser = word)]
    partition: Option<String>,

    /// Another option of sbatch for both jobs, such as --sbatch=--account=games; can be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = option)]
    sbatch: Vec<String>,

    /// Play only the first GAMES games of each pairing, an even number
    #[arg(long, value_name = "GAMES", value_parser = even)]
    first: Option<u64>,

    /// The folder for scripts, parts and logs [default: the experiment file with the extension
    /// .slurm]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,

    /// The store that the parts are merged into [default: the experiment file with the extension
    /// .db]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Slurm {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let loaded = treegraft_lab::LoadedExperiment::load(&self.file, registry)?;
        let pairs = loaded.part(None, self.first).len();
        if self.tasks as usize > pairs {
            return Err(CliError::new(format!(
                "--tasks is {}, but there are {} pairs of games to play",
                self.tasks,
                grouped(pairs as u64)
            ))
            .hint(format!("--tasks {pairs} at most")));
        }
        let folder = self.output.clone().unwrap_or_else(|| self.file.with_extension("slurm"));
        let store = self.store.clone().unwrap_or_else(|| self.file.with_extension("db"));
        let program =
            std::env::current_exe().map_err(CliError::about("cannot find this program"))?;
        let here = std::env::current_dir().map_err(CliError::about("cannot find this folder"))?;
        let scripts = Scripts {
            program: text_of(&program)?,
            here: text_of(&here)?,
            experiment: absolute(&self.file)?,
            folder: absolute(&folder)?,
            store: absolute(&store)?,
            name: self.file.file_stem().map(|name| name.to_string_lossy().into_owned()),
            tasks: self.tasks,
            cpus: self.cpus,
            first: self.first,
            options: self.options(),
        };
        make_folder(&folder)?;
        let mut files = OutputFiles::default();
        files.keep("the experiment file", &self.file)?;
        files.keep_store(&store)?;
        let written = scripts.all().map(|(name, text)| (folder.join(name), text));
        files.plan(written.iter().map(|(path, _)| path), FileKind::SLURM_SCRIPT)?;
        for (path, text) in &written {
            files.put(path, FileKind::SLURM_SCRIPT, text)?;
        }
        let Estimate { seconds_one_core, is_complete } =
            estimate(registry, &loaded.experiment.plan);
        let share = pairs as f64 / loaded.pairs.len().max(1) as f64;
        let seconds = seconds_one_core * share / f64::from(self.tasks) / f64::from(self.cpus);
        let [array, merge, submit] = written.map(|(path, _)| path);
        if self.json {
            let value = json!({
                    "tasks": self.tasks,
                    "pairs": pairs,
                    "array": array,
                    "merge": merge,
                    "submit": submit,
                    "store": store,
                    "task_seconds": seconds,
                    "estimate_is_complete": is_complete,
            });
            return Ok(Output::json("treegraft.cluster/1", &value));
        }
        let about = if is_complete { "about" } else { "at least" };
        let each = (pairs as f64 / f64::from(self.tasks)).ceil() as u64;
        let mut text = labelled(&[
            ("tasks", format!("{} of {} games each", self.tasks, grouped(2 * each))),
            ("time", format!("{about} {} each, on cores like these", duration(seconds))),
            ("array", array.display().to_string()),
            ("merge", merge.display().to_string()),
            ("store", store.display().to_string()),
        ]);
        if loaded.sprt.is_some() {
            text.push_str(
                "\nThe tasks are not stopped by the sequential test: the report applies it.\n",
            );
        }
        if is_timed(&loaded.experiment.plan) {
            text.push_str(
                "\nPlayers have limits on time, so results depend on the machines: choose nodes of \
                 one kind\n(--sbatch=--constraint=…) with cores of their own.\n",
            );
        }
        let submit = super::script::quoted(&submit.display().to_string());
        text.push_str(&format!("\nTo submit: bash {submit}\n"));
        Ok(Output::text(text))
    }

    /// The requested options of sbatch.
    fn options(&self) -> Vec<String> {
        let time = self.time.iter().map(|time| format!("--time={time}"));
        let partition = self.partition.iter().map(|name| format!("--partition={name}"));
        time.chain(partition).chain(self.sbatch.iter().cloned()).collect()
    }
}

fn absolute(path: &Path) -> Result<String> {
    let found = std::path::absolute(path);
    text_of(&found.map_err(CliError::about(format!("cannot find {}", path.display())))?)
}

/// A time as Slurm writes it.
fn time(text: &str) -> Result<String, String> {
    let is_time = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'-');
    match is_time && text.starts_with(|first: char| first.is_ascii_digit()) {
        true => Ok(text.to_owned()),
        false => Err("expected a time as Slurm writes it: 90 (minutes), 02:00:00 or 1-12".into()),
    }
}

/// A name without blanks and quotes.
fn word(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_alphanumeric() || "._-,+".contains(c);
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("expected a name of letters, digits, dots and dashes".to_owned()),
    }
}

/// An option of sbatch, on one line.
fn option(text: &str) -> Result<String, String> {
    match text.starts_with("--") && text.len() > 2 && !text.contains(['\n', '\r']) {
        true => Ok(text.to_owned()),
        false => Err("expected an option of sbatch, such as --account=games".to_owned()),
    }
}
