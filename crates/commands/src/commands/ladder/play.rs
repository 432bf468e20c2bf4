//! `treegraft ladder GAME`: plays a ladder, or continues it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use treegraft::Budget;
use treegraft_lab::report::report;
use treegraft_lab::{ExperimentError, GameRow, LoadedExperiment, PlannedPair, RunSummary, Store};
use treegraft_ladder::{Ladder, LadderError, LadderOptions, Program, Setup};
use treegraft_pictures::table::Format;

use super::Where;
use super::faults::{Faults, refuse_missing, unless_started};
use crate::commands::export::ledger_of;
use crate::commands::run::{How, even, play};
use crate::experiment::{in_folder, open_if_any};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The game, such as othello or hex:7; `treegraft games` lists them all
    #[arg(required = true)]
    game: Option<String>,

    /// Time per move, for players without a budget of their own
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "100ms")]
    time: Duration,

    /// Games of each pairing, an even number [default: 10]
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u64>,

    /// Players or names of programs to play, instead of the usual ones
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,

    #[command(flatten)]
    place: Where,

    /// How many games to play at once, each on a core of its own [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole_number(1usize..=1024))]
    jobs: Option<usize>,

    /// Continue even if the games in the store were played by other versions of the searches
    #[arg(long)]
    mix_versions: bool,

    /// Print JSON: one object with the report, and the programs that are missing or lost by faults
    #[arg(long)]
    json: bool,
}

/// The files of a ladder.
struct Files {
    store: PathBuf,
    ledger: PathBuf,
}

impl Files {
    fn new(dir: &Path, game: &str, time: Duration) -> Files {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name = format!("{game}-{}", Budget::time(time));
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let [store, ledger] = ["db", "ledger"].map(|end| dir.join(format!("{name}.{end}")));
        Files { store, ledger }
    }

    /// All games of the store; of the ledger, where there is no store.
    fn rows(&self) -> Result<Vec<GameRow>> {
        for path in [&self.store, &self.ledger] {
            if let Some(file) = open_if_any(path).map_err(in_folder)? {
                return file.rows().map_err(in_folder);
            }
        }
        Ok(Vec::new())
    }
}

impl Play {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, self.game.as_deref().unwrap_or_default())?;
        let ladder = Ladder::of(&start).map_err(CliError::of)?;
        let options =
            LadderOptions { time: self.time, games: self.games, players: self.players.clone() };
        let setup = ladder.setup(&options, registry);
        let Setup { loaded, missing } = setup.map_err(refused)?;
        refuse_missing(&loaded)?;
        let jobs = self.jobs.unwrap_or(0);
        loaded.experiment.plan.check_memory(jobs)?;
        let files = Files::new(self.place.create()?, &ladder.game, self.time);
        if !self.json {
            for program in &missing {
                // At once: a user who wants to install it need not wait for the end.
                eprintln!("left out: {}", program.missing().unwrap_or_default());
            }
        }
        let summary = self.play(registry, &loaded, &files, jobs)?;
        let rows = files.rows()?;
        let counted = loaded.counted(&rows);
        let faults = Faults::of(&loaded, &counted);
        let started = unless_started(&faults, &files.store.display().to_string());
        // The results as text, beside the store. Games of a program that was never there are none.
        let is_cancelled = summary.as_ref().is_some_and(|summary| summary.cancelled);
        if started.is_ok() && summary.is_some() && !is_cancelled {
            let ledger = ledger_of(registry, &files.store, &files.store)?;
            let mut outputs = OutputFiles::default();
            outputs.keep_store(&files.store)?;
            outputs.write(&files.ledger, FileKind::LEDGER, |mut out| ledger.write(&mut out))?;
        }
        let report = report(&loaded.experiment, &counted);
        let planned = 2 * loaded.pairs.len() as u64;
        let played = 2 * counted.len() as u64;
        if self.json {
            let value = json!({
                "game": ladder.game,
                "time": self.time.as_secs_f64(),
                "games": played,
                "planned": planned,
                "missing": missing.iter().map(missing_json).collect::<Vec<_>>(),
                "faults": faults,
                "report": report.to_json(),
            });
            let output = Output::json("treegraft.ladder/1", &value);
            return Ok(output.complete(!is_cancelled).unless_failed(started));
        }
        let mut text = match counted.is_empty() {
            true => "no pair of games is over yet\n".to_owned(),
            false => tables(
                ["ratings", "results"].iter().filter_map(|it| report.table(it)),
                Format::Text,
            ),
        };
        let mut entries = vec![("store", files.store.display().to_string())];
        if files.ledger.exists() {
            entries.push(("ledger", files.ledger.display().to_string()));
        }
        for program in &missing {
            entries.push(("left out", wrap(&program.missing().unwrap_or_default())));
        }
        text.push_str(&format!("\n{}", labelled(&entries)));
        faults.iter().for_each(|faults| add_note(&mut text, &faults.note()));
        if is_cancelled {
            text.push_str(&format!(
                "\nstopped by {}: {} of {} games are in the store, none is lost; the same command \
                 resumes the ladder\n",
                interrupt::cause(),
                grouped(played),
                grouped(planned),
            ));
        }
        Ok(Output::text(text).complete(!is_cancelled).unless_failed(started))
    }

    /// Plays what is neither in the store nor in the ledger; `None` if there is nothing to play.
    fn play(
        &self,
        registry: &Registry,
        loaded: &LoadedExperiment,
        files: &Files,
        jobs: usize,
    ) -> Result<Option<RunSummary>> {
        let open = |path| open_if_any(path).map_err(in_folder);
        let known: HashSet<_> = match (open(&files.store)?, open(&files.ledger)?) {
            // A ledger that has them all is enough; otherwise a new store gets all games.
            (None, Some(ledger)) => ledger.pairs_done().map_err(in_folder)?,
            _ => HashSet::new(),
        };
        let is_left = |pair: &&PlannedPair| !known.contains(&pair.pair.id());
        if loaded.pairs.iter().find(is_left).is_none() {
            return Ok(None);
        }
        let mut store = Store::open_or_create(&files.store, &loaded.text).map_err(in_folder)?;
        let how = How::in_folder(jobs, self.json, self.mix_versions);
        play(registry, loaded, &loaded.pairs, &mut store, how).map(Some)
    }
}

/// Why there is no ladder. The experiment is no file of the user, so that its lines mean nothing.
fn refused(error: LadderError) -> CliError {
    match error {
        LadderError::Experiment(error) => CliError::from(ExperimentError { place: None, ..error })
            .hint("`treegraft players` lists all players"),
        LadderError::Missing(_) => CliError::of(error).code(NO_SUCCESS),
        LadderError::File { .. } => CliError::of(error),
    }
}

fn missing_json(program: &Program) -> Value {
    json!({
        "name": program.name,
        "player": program.player,
        "program": program.program,
        "packages": program.packages(),
        "why": program.missing(),
    })
}
