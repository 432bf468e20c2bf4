//! `treegraft categories`: how likely a player chooses a move of each category.

use std::path::PathBuf;

use treegraft::Knowledge;
use treegraft_players::Player;
use treegraft_studies::Watch;
use treegraft_studies::categories::{
    Category, CategoryError, CategoryStudy, CategorySummary, study_categories,
};

use crate::prelude::*;

/// Estimate from games how likely a player chooses each category of moves
///
/// For games with categories of moves: in Lines of Action they depend on captures, on where a move
/// begins and ends, and on whether it comes closer to the centre of the own pieces. A player plays
/// games against itself. The probability of a category is the number of positions in which a move
/// of it was played, divided by the number of positions in which one was legal; one is added to
/// both, so that no probability is 0. Playouts by weights and progressive bias use these
/// probabilities: this command wrote the table of Lines of Action.
///
/// Every game begins with random moves that lead to a position of its own; they do not count. The
/// same seed gives the same result, for any --jobs.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft categories <GAME> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft categories loa --games 50 --player ab@200nodes
  treegraft categories loa --games 10 --opening-plies 6 --player mcts@100it --json
  treegraft categories loa --games 20 --player ab@2000nodes --output categories.csv

Exit codes: 0 on success, 1 if the file could not be written, 2 if the input is wrong,
130 after Ctrl-C, with the results so far but without the file.")]
pub(crate) struct Categories {
    /// The game, such as loa; `treegraft games` lists them all
    game: String,

    /// Number of games
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1_000_000u32))]
    #[arg(default_value_t = 100)]
    games: u32,

    /// The player of both sides
    #[arg(long, value_name = "PLAYER", default_value = "ab@1000nodes")]
    player: String,

    /// Begin every game with N random moves, to a position that no other game begins with; 0: at the
    /// start
    #[arg(long, value_name = "N", value_parser = whole_number(0..=10_000u32), default_value_t = 4)]
    opening_plies: u32,

    #[command(flatten)]
    seed: SeedArg,

    #[command(flatten)]
    jobs: JobsArg,

    /// Write all categories with their numbers to a file
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,

    /// Print JSON: one object with all categories
    #[arg(long)]
    json: bool,
}

impl Categories {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.game)?;
        let player = registry.player(&self.player)?;
        let mut files = OutputFiles::default();
        files.plan(&self.output, FileKind::CATEGORIES_CSV)?;
        let is_timed = player.is_timed();
        let jobs = self.jobs.number(is_timed);
        let Categories { games, opening_plies, seed: SeedArg { seed }, .. } = *self;
        let study = CategoryStudy { start, player, games, opening_plies, seed, jobs };
        let summary = self.study(registry, &study)?;
        let output = Output::either(self.json, "treegraft.categories/1", &summary, || {
            to_text(&summary, &self.notes(&summary, &study.player))
        });
        // A file names the command that repeats it, which an interrupted one would not.
        let path = self.output.as_ref().filter(|_| summary.complete);
        let output = output.with_file(path, self.json, "\nfile    PATH\n", |path| {
            files.put(path, FileKind::CATEGORIES_CSV, summary.csv())
        });
        Ok(output.complete(summary.complete))
    }

    fn study(&self, registry: &Registry, study: &CategoryStudy) -> Result<CategorySummary> {
        let counter = Counter::new(study.games.into(), "games", self.json);
        let watch = |done: u64| counter.show(done);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        let summary = study_categories(registry, study, watch).map_err(|error| match error {
            CategoryError::Games(error) => CliError::from(error),
            CategoryError::NoCategories { .. } => {
                CliError::of(error).hint(with_categories(registry))
            }
            error => CliError::of(error),
        })?;
        if summary.games == 0 {
            return Err(CliError::ended_before("a game was over"));
        }
        Ok(summary)
    }

    fn notes(&self, summary: &CategorySummary, player: &Player) -> Vec<String> {
        let mut notes = Vec::new();
        if !summary.complete {
            let cause = interrupt::cause();
            let done = summary.games;
            let file = if self.output.is_some() { "; the file was not written" } else { "" };
            notes.push(format!("ended by {cause} after {done} of {} games{file}", self.games));
        }
        if player.is_timed() {
            notes.push(TIMED.to_owned());
        }
        notes
    }
}

/// The games that have categories of moves, as a hint.
fn with_categories(registry: &Registry) -> String {
    use treegraft::Game;
    let has_some = |name: &&str| {
        registry
            .start(name)
            .is_ok_and(|start| !start.board().knowledge().move_categories().is_empty())
    };
    let games: Vec<&str> = registry.games().map(|info| info.name).filter(has_some).collect();
    match games.as_slice() {
        [] => "a game of your own with `move_categories`".to_owned(),
        games => games.join(", "),
    }
}

/// Categories that are seen in fewer positions say little.
const FEW: u64 = 100;
const SHOWN: usize = 12;

fn to_text(summary: &CategorySummary, notes: &[String]) -> Output {
    let CategorySummary { games, positions, opening_plies, seed, categories, .. } = summary;
    let seen = categories.iter().filter(|category| category.available > 0).count();
    let head = labelled(&[
        ("game", summary.game.clone()),
        ("player", wrap(&summary.player)),
        (
            "games",
            format!(
                "{} games, {} positions; {opening_plies} random moves first, seed {seed}",
                grouped(u64::from(*games)),
                grouped(*positions)
            ),
        ),
        ("seen", format!("{seen} of {} categories", categories.len())),
    ]);
    let mut often: Vec<&Category> =
        categories.iter().filter(|category| category.available >= FEW).collect();
    often.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let half = SHOWN.min(often.len() / 2);
    let shown = [("Likeliest", &often[..half]), ("Least likely", &often[often.len() - half..])];
    let mut text = head;
    for (title, categories) in shown.into_iter().filter(|(_, categories)| !categories.is_empty()) {
        let row = |category: &&Category| {
            [
                category.name.clone(),
                grouped(category.played),
                grouped(category.available),
                format!("{:.2} %", 100.0 * category.probability),
            ]
        };
        let header = ["category", "played", "available", "probability"];
        let rows = table(header, categories.iter().map(row), &[1, 2, 3]);
        text.push_str(&format!("\n{title} where available in at least {FEW} positions\n\n{rows}"));
    }
    notes.iter().for_each(|note| add_note(&mut text, note));
    Output::text(text)
}
