//! `treegraft reproduce ID`: runs experiments, or continues them.

use std::io::Write;

use treegraft_lab::{LoadedExperiment, Store};
use treegraft_papers::{BudgetMode, Catalogue, Entry, Place, Scale, StudyWatch, Task};

use super::{Where, entries};
use crate::commands::run::{How, duration, play};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Experiments, papers, or all
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,

    /// The scale: smoke (seconds per experiment), quick (at most about an hour per paper on two
    /// processors), long (the results that Treegraft's authors publish: up to four hours) or paper
    /// (the paper's number of games and simulations); a larger scale continues a smaller one where
    /// budgets agree
    #[arg(long, value_name = "SCALE", default_value_t = Scale::Quick)]
    scale: Scale,

    #[command(flatten)]
    place: Where,

    #[command(flatten)]
    jobs: JobsArg,

    /// Continue even if the games in a store were played by other versions of the searches
    #[arg(long)]
    mix_versions: bool,

    /// Print JSON lines: one for each experiment when it ends
    #[arg(long)]
    json: bool,
}

impl Play {
    pub(crate) fn run(&self, registry: &Registry, catalogue: &Catalogue) -> Result<Output> {
        let named = entries(catalogue, &self.ids)?;
        let mode = self.place.budget;
        let chosen = Catalogue::chosen(&named, self.scale, mode)
            .map_err(|error| CliError::from(error).hint("--scale paper, or --budget emulated"))?;
        let left = named.len() - chosen.len();
        for (number, &entry) in chosen.iter().enumerate() {
            let is_done = self.one(registry, catalogue, entry, (number + 1, chosen.len()))?;
            if !is_done {
                let text = match self.json {
                    true => String::new(),
                    false => format!(
                        "stopped by {}; nothing that was finished is lost, and the same command \
                         continues\n",
                        interrupt::cause()
                    ),
                };
                return Ok(Output { code: INTERRUPTED, ..Output::data(text) });
            }
        }
        if self.json {
            return Ok(Output::nothing());
        }
        let mut text = String::new();
        if left > 0 {
            text.push_str(&format!(
                "{left} experiments have no scale {} and were left out\n",
                self.scale
            ));
        }
        let scale = match self.scale {
            Scale::Smoke => " --scale smoke",
            _ => "",
        };
        let dir = match self.place.dir.to_str() {
            Some("reproduce") => String::new(),
            _ => format!(" --dir {}", self.place.dir.display()),
        };
        text.push_str(&format!(
            "the results beside the paper: treegraft reproduce report{dir}{scale} --html out\n"
        ));
        Ok(Output::text(text))
    }

    /// Runs an experiment; `false` if it was interrupted.
    fn one(
        &self,
        registry: &Registry,
        catalogue: &Catalogue,
        entry: &Entry,
        (number, of): (usize, usize),
    ) -> Result<bool> {
        let mode = self.place.budget;
        let jobs = self.jobs.number(mode == BudgetMode::Time);
        let task = Task::new(entry, self.scale, mode, registry, jobs)?;
        let place = self.place.folder().place(entry, self.scale, mode);
        place.create()?;
        let begun = std::time::Instant::now();
        let is_done = match &task {
            Task::Games(loaded) => self.games(registry, (&task, loaded), &place, jobs)?,
            task => self.study(registry, task, &place)?,
        };
        let paper = catalogue.paper(&entry.paper);
        let published: Vec<_> = paper.iter().flat_map(|paper| paper.published_of(entry)).collect();
        let outcome = task.outcome(entry, &published, &place)?;
        let seconds = begun.elapsed().as_secs_f64();
        let line = match self.json {
            true => {
                let json = outcome.to_json(entry, self.scale, mode, seconds);
                with_schema("treegraft.reproduce/1", &json).to_string()
            }
            false => {
                let done = match outcome.is_complete() {
                    true => "done".to_owned(),
                    false => format!("{} of {}", grouped(outcome.done), grouped(outcome.planned)),
                };
                format!("{number}/{of}  {}  {done}, {}", entry.name(), duration(seconds))
            }
        };
        // The results are in their files, so the work goes on even if the pipe is closed.
        let _ = writeln!(std::io::stdout(), "{line}");
        Ok(is_done)
    }

    /// Plays the games that are neither in the ledger, nor in the store, nor in those of other scales.
    fn games(
        &self,
        registry: &Registry,
        (task, loaded): (&Task, &LoadedExperiment),
        place: &Place,
        jobs: usize,
    ) -> Result<bool> {
        loaded.experiment.plan.check_memory(jobs)?;
        let Some(left) = task.left(place)? else { return Ok(true) };
        let mut store = Store::open_or_create(&place.store(), &left.text)?;
        let how = How::in_folder(jobs, self.json, self.mix_versions);
        let summary = play(registry, &left, &left.pairs, &mut store, how)?;
        Ok(!summary.cancelled)
    }

    fn study(&self, registry: &Registry, task: &Task, place: &Place) -> Result<bool> {
        let counter = Counter::new(task.planned(), "", self.json);
        let watch = |done: u64, planned: u64| counter.show_of(done, planned);
        let watch = StudyWatch { progress: &watch, cancel: interrupt::flag() };
        Ok(task.run_study(registry, place, watch)?)
    }
}
