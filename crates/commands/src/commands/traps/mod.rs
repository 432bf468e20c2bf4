//! `treegraft traps`: how many traps a game holds, and which ones a position does.

mod position;

use std::path::{Path, PathBuf};

use treegraft_pictures::table::Format;
use treegraft_studies::Watch;
use treegraft_studies::traps::{
    Levels, TrapError, TrapFile, TrapFileError, TrapStudy, TrapSummary, study_traps, trap_plots,
    trap_tables,
};

use crate::plot_file::{plan_plots, plot_beside, plot_format, write_plots_beside};
use crate::prelude::*;

/// Find traps: moves after which the opponent can force a win in a few plies
///
/// A trap of level k is a move after which the opponent wins within k plies, whatever is played;
/// the opponent's reply is the first of them. Without a position, a player plays games against
/// itself, and every position is examined: how many traps it has, at which ply, and how difficult
/// they are, that is, what share of random playouts after a trap its victim does not lose. With
/// --moves or --position, the traps of that position are listed, each with the opponent's win.
///
/// The same seed gives the same result, for any --jobs. With --store every finished game is kept,
/// and the same command resumes an interrupted study.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft traps <GAME> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft traps connect4 --games 20 --player mcts-solver@200it
  treegraft traps connect4 --moves 445
  treegraft traps lion --games 10 --levels 3..5 --playouts 100 --plot traps.svg
  treegraft traps breakthrough:5x5 --games 10 --store games.jsonl --json

Exit codes: 0 on success, 1 if a file could not be written, 2 if the input is wrong,
130 after Ctrl-C, with the results so far.")]
pub(crate) struct Traps {
    #[command(flatten)]
    at: PositionArgs,

    /// Number of games [default: 100]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=10_000_000u32))]
    #[arg(conflicts_with_all = ["moves", "position"])]
    games: Option<u32>,

    /// The player of both sides
    #[arg(long, value_name = "PLAYER", default_value = "mcts-solver@1000it")]
    player: String,

    /// Levels of the traps; the density along the game is shown for the lowest
    #[arg(long, value_name = "LOW..HIGH", default_value_t = Levels::default())]
    levels: Levels,

    /// Random playouts after every trap, to measure its difficulty
    #[arg(long, value_name = "N", value_parser = whole_number(0..=1_000_000u32))]
    #[arg(default_value_t = 1000)]
    playouts: u32,

    #[command(flatten)]
    seed: SeedArg,

    #[command(flatten)]
    jobs: JobsArg,

    /// Keep the games in this file, one line of JSON each, and resume from it
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Show the games of another store beside these; may be repeated
    #[arg(long, value_name = "FILE")]
    beside: Vec<PathBuf>,

    /// Draw plots: NAME.svg makes NAME-density.svg, NAME-number.svg and NAME-difficulty.svg; or
    /// .png
    #[arg(long, value_name = "NAME.svg|NAME.png")]
    plot: Option<PathBuf>,

    /// Print JSON: one object, or one for each store with --beside
    #[arg(long)]
    json: bool,
}

impl Traps {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        if self.at.is_given() {
            self.refuse_options_of_games()?;
            return position::TrapsOfPosition { args: self, start: &start }.run();
        }
        let player = registry.player(&self.player)?;
        self.plot.as_deref().map(plot_format).transpose()?;
        let mut files = OutputFiles::default();
        if let Some(path) = &self.store {
            files.keep("the store of the games", path)?;
        }
        let mut studies = Vec::new();
        for path in &self.beside {
            files.keep("the file of --beside", path)?;
            let (header, games) = TrapFile::read(path).map_err(CliError::of)?;
            let summary = TrapSummary::new(registry, header, &games);
            studies.push(summary.map_err(CliError::of)?);
        }
        let beside = |path: &PathBuf| {
            ["density", "number", "difficulty"].map(|name| plot_beside(path, name))
        };
        plan_plots(self.plot.iter().flat_map(beside), &mut files)?;
        let jobs = self.jobs.number(player.is_timed());
        let Traps { seed: SeedArg { seed }, levels, playouts, .. } = *self;
        let games = self.games.unwrap_or(DEFAULT_GAMES);
        let study = TrapStudy { start, player, games, seed, jobs, levels, playouts };
        let summary = self.study(registry, &study)?;
        let is_complete = summary.games == games;
        studies.insert(0, summary);
        let mut output = match (self.json, studies.as_slice()) {
            (true, [summary]) => Output::json("treegraft.traps/1", summary),
            (true, all) => Output::json("treegraft.traps/1", &all),
            (false, all) => to_text(&study, all, self.store.as_deref()),
        };
        let mut write = || -> Result<()> {
            let Some(path) = &self.plot else { return Ok(()) };
            for name in write_plots_beside(path, &trap_plots(&studies), &mut files)? {
                if !self.json {
                    output.text.push_str(&format!("plot    {}\n", name.display()));
                }
            }
            Ok(())
        };
        let written = write();
        Ok(output.complete(is_complete).unless_failed(written))
    }

    /// What only games can have is not passed over in silence.
    fn refuse_options_of_games(&self) -> Result<()> {
        let given = [
            ("--store", self.store.is_some()),
            ("--beside", !self.beside.is_empty()),
            ("--plot", self.plot.is_some()),
            ("--jobs", self.jobs.jobs.is_some()),
        ];
        match given.into_iter().find(|&(_, is_given)| is_given) {
            None => Ok(()),
            Some((option, _)) => {
                Err(CliError::new(format!("{option} goes with games, not with one position"))
                    .hint("leave out --moves and --position"))
            }
        }
    }

    fn study(&self, registry: &Registry, study: &TrapStudy) -> Result<TrapSummary> {
        let counter = Counter::new(study.games.into(), "games", self.json);
        let watch = |done: u64| counter.show(done);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        let games = study_traps(registry, study, self.store.as_deref(), watch);
        let games = games.map_err(|error| match error {
            TrapError::Games(error) => CliError::from(error),
            TrapError::File(TrapFileError::Io { .. } | TrapFileError::Gone { .. }) => {
                CliError::of(error).code(NO_SUCCESS)
            }
            error => CliError::of(error),
        })?;
        if games.is_empty() {
            return Err(CliError::ended_before("a game was over"));
        }
        let summary = TrapSummary::new(registry, study.header(), &games);
        summary.map_err(CliError::of)
    }
}

const DEFAULT_GAMES: u32 = 100;

fn to_text(study: &TrapStudy, studies: &[TrapSummary], store: Option<&Path>) -> Output {
    let header = study.header();
    let playouts = format!("{} playouts a trap", header.playouts);
    let head = labelled(&[
        ("game", header.game.clone()),
        ("player", wrap(&header.player)),
        ("traps", format!("levels {}, {playouts}, seed {}", header.levels, header.seed)),
    ]);
    let mut text = format!("{head}\n{}", tables(&trap_tables(studies), Format::Text));
    notes(study, studies, store).iter().for_each(|note| add_note(&mut text, note));
    Output::text(text)
}

fn notes(study: &TrapStudy, studies: &[TrapSummary], store: Option<&Path>) -> Vec<String> {
    let mut notes = Vec::new();
    let done = studies.first().map_or(0, |summary| summary.games);
    if done < study.games {
        let how = match store {
            Some(_) => "the same command resumes the study",
            None => "with --store FILE the same command could resume the study",
        };
        let cause = interrupt::cause();
        notes.push(format!("ended by {cause} after {done} of {} games; {how}", study.games));
    }
    if study.player.is_timed() {
        notes.push(TIMED.to_owned());
    }
    notes
}
