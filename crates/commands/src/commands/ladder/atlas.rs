//! `treegraft ladder atlas`: the accuracy of every search in every game with solved positions.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use treegraft_ladder::{Atlas, AtlasRow, atlas_study, set_games};
use treegraft_studies::Watch;
use treegraft_studies::accuracy::measure;

use super::Where;
use crate::commands::run::duration;
use crate::prelude::*;

/// Measure the accuracy of every search, in every game that has solved positions
///
/// Every label searches each position of the sets that the program carries, with 1,000 and with
/// 10,000 iterations or nodes. The results are kept in DIR/atlas.txt game by game: the same command
/// continues, and runs only searches that are new or have changed. `treegraft ladder report` shows
/// it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft ladder atlas
  treegraft ladder atlas --games connect4 hex:5
  treegraft ladder atlas --again --dir ladder/results")]
pub(crate) struct AtlasArgs {
    /// Only these games [default: all that have a set]
    #[arg(long, value_name = "GAME", num_args = 1..)]
    games: Vec<String>,

    /// Only the first N positions of each set, for a quick look [default: all]
    #[arg(long, value_name = "N", value_parser = whole_number(1usize..=100_000))]
    positions: Option<usize>,

    /// Also measure again what has already been measured
    #[arg(long)]
    again: bool,

    #[command(flatten)]
    place: Where,

    #[command(flatten)]
    jobs: JobsArg,

    /// Print JSON lines: one for each game when it is done
    #[arg(long)]
    json: bool,
}

impl AtlasArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let path = self.place.create()?.join("atlas.txt");
        let mut atlas = read(&path)?;
        let games = match self.games.as_slice() {
            [] => set_games().map(str::to_owned).collect(),
            games => games.to_vec(),
        };
        for (number, game) in games.iter().enumerate() {
            let start = parse_game(registry, game)?;
            let jobs = self.jobs.number(false);
            let all = atlas_study(registry, &start, self.positions, jobs).ok_or_else(|| {
                let known = set_games().collect::<Vec<_>>().join(", ");
                CliError::new(format!("there are no solved positions of {game}"))
                    .hint(format!("one of {known}"))
            })?;
            let begun = Instant::now();
            let todo = if self.again { all.clone() } else { atlas.missing(all.clone()) };
            if !todo.entries.is_empty() {
                let study = &todo.study;
                let steps = (study.players.len() * study.set.positions.len()) as u64;
                let bar = progress(steps, "moves", self.json);
                let watch = |done: u64| {
                    let (done_text, all) = (grouped(done), grouped(steps));
                    let of = format!("game {} of {}", number + 1, games.len());
                    bar.set_message(format!("{game}, {of}: {done_text} of {all} moves"));
                    bar.set_position(done);
                };
                let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
                let choices = measure(registry, study, watch).map_err(CliError::of)?;
                if choices.iter().any(|choices| choices.len() < study.set.positions.len()) {
                    let text = format!(
                        "stopped by {}; the games that were finished are kept, and the same command \
                         continues\n",
                        interrupt::cause()
                    );
                    let output = if self.json { Output::nothing() } else { Output::data(text) };
                    return Ok(output.complete(false));
                }
                atlas.put(&all, &todo.rows(&choices));
                OutputFiles::default().put(&path, FileKind::ATLAS, atlas.to_string())?;
            }
            self.tell(&atlas, start.text(), begun.elapsed().as_secs_f64());
        }
        Ok(match self.json {
            true => Output::nothing(),
            false => Output::text(format!("atlas  {}\n", path.display())),
        })
    }

    /// Says that a game is done. The results are in the file, so the work goes on even if the pipe is
    /// closed.
    fn tell(&self, atlas: &Atlas, game: &str, seconds: f64) {
        let rows: Vec<&AtlasRow> = atlas.rows.iter().filter(|row| row.game == game).collect();
        let kept = |row: &AtlasRow| row.kept.iter().filter(|&&kept| kept).count();
        let line = if self.json {
            let row = |row: &&AtlasRow| {
                json!({
                    "label": row.entry.label,
                    "budget": (row.entry.budget > 0).then_some(row.entry.budget),
                    "positions": row.kept.len(),
                    "kept": kept(row),
                })
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            let value = json!({ "game": game, "seconds": seconds, "rows": rows });
            with_schema("treegraft.atlas/1", &value).to_string()
        } else {
            let best = rows.iter().max_by_key(|row| kept(row));
            let best = best.map_or(String::new(), |row| {
                let (kept, all) = (kept(row), row.kept.len());
                format!(", best {} with {kept} of {all}", row.entry.label)
            });
            format!("{game}: {} rows{best}, {}", rows.len(), duration(seconds))
        };
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}

/// The atlas in a file; an empty one if there is no file.
fn read(path: &Path) -> Result<Atlas> {
    if !path.exists() {
        return Ok(Atlas::default());
    }
    let at = |problem: String| CliError::new(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| at(error.to_string()))?;
    Atlas::parse(&text).map_err(|error| at(error.to_string()).code(NO_SUCCESS))
}
