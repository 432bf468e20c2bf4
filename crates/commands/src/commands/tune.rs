//! `treegraft tune`: weights of an evaluation, fitted to the results of games.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use treegraft::linear::Quality;
use treegraft_lab::{GameFile, GameRow};
use treegraft_studies::tune::{
    Generation, GenerationSummary, Stage, TuneError, TuneWatch, Tuned, Tuning, tune,
};

use crate::prelude::*;

/// Fit the weights of an evaluation to the results of games
///
/// A player plays games against itself, and logistic regression finds the weights that best predict
/// from a position who won. The weights are those of the features of an evaluation, or of the parts
/// that `treegraft eval` shows, and one more for the turn. Every tenth game is held out: nothing is
/// fitted to it, and the table says how well its result is predicted by the weights, by the
/// existing evaluations, each under the logistic curve that suits it best, and by a constant.
///
/// Games begin with a random number of random moves. Use many: players that make no mistakes do not
/// show what a mistake costs.
///
/// A file can have several generations: later ones play with the weights fitted to the earlier
/// ones, as eval=fitted. The same file or seed gives the same weights, for any --jobs, unless a
/// budget limits time.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft tune <GAME|FILE.toml> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft tune breakthrough:6x6 --eval efMS --games 400
  treegraft tune othello --eval wpc --games 1000 --player 'ab(shuffle)@200nodes' --json
  treegraft tune connect4 --from games.db --out connect4.weights
  treegraft tune tune/breakthrough.toml --out breakthrough.weights

Exit codes: 0 on success, 1 if a file could not be written or an engine failed, 2 if the input is
wrong, 130 after Ctrl-C, without weights.")]
pub(crate) struct Tune {
    /// The game, such as othello; or a file that sets everything but --jobs and --out
    game: String,

    /// The evaluation whose features get weights [default: tuned if the game has it, else the first
    /// that reports its features or parts]
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,

    /// Number of games [default: 1000, or 0 with --from]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=10_000_000u32))]
    games: Option<u32>,

    /// The player of both sides [default: ab(shuffle,quiescence,glance)@400nodes]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// Begin every game with 0 to N random moves [default: 20]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=10_000u32))]
    opening_plies: Option<u32>,

    /// Fit to the games of a store or a ledger too; may be given several times
    #[arg(long, value_name = "FILE.db")]
    from: Vec<PathBuf>,

    /// Penalty on large weights (L2): the higher, the smaller they become [default: 30]
    #[arg(long, value_name = "NUMBER", value_parser = not_negative)]
    l2: Option<f64>,

    /// Seed of all random choices, any number from 0 to 2^64-1 [default: 0]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    seed: Option<u64>,

    #[command(flatten)]
    jobs: JobsArg,

    /// Write the weights to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON: one object with the quality of the fit
    #[arg(long)]
    json: bool,
}

/// The player of both sides, if none is given.
const PLAYER: &str = "ab(shuffle,quiescence,glance)@400nodes";

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number from 0 on".to_owned())
}

impl Tune {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let tuning = self.tuning(registry)?;
        let mut files = OutputFiles::default();
        files.plan(&self.out, FileKind::WEIGHTS)?;
        let tuned = self.tune(registry, &tuning)?;
        let output = Output::either(self.json, "treegraft.tune/1", &tuned, || to_text(&tuned));
        Ok(output.with_file(self.out.as_ref(), self.json, "\nfile    PATH\n", |path| {
            files.put(path, FileKind::WEIGHTS, tuned.weights.to_bytes())
        }))
    }

    fn tuning(&self, registry: &Registry) -> Result<Tuning> {
        let jobs = self.jobs.number(false);
        let path = Path::new(&self.game);
        if path.extension().is_some_and(|extension| extension == "toml") {
            if let Some(option) = self.option_of_file() {
                let message = format!("{option} cannot be given with {}", self.game);
                return Err(CliError::new(message)
                    .hint(format!("without {option}: the file says this, and can be changed")));
            }
            let text = std::fs::read_to_string(path)
                .map_err(CliError::about(format!("cannot read {}", self.game)))?;
            let tuning = Tuning::parse(registry, &self.game, &text);
            let tuning = tuning.map_err(CliError::of)?;
            return Ok(Tuning { jobs, ..tuning });
        }
        if self.games == Some(0) && self.from.is_empty() {
            let message = "--games 0 leaves no games to fit to";
            return Err(CliError::new(message).hint("more games, or --from FILE.db"));
        }
        let usual = Tuning::new(registry, parse_game(registry, &self.game)?);
        let mut from = Vec::new();
        for path in &self.from {
            let rows = GameFile::open(path).and_then(|file| file.rows());
            let rows = rows?;
            check_rows(&rows, usual.start.text(), path)?;
            from.extend(rows);
        }
        let games = self.games.unwrap_or(if self.from.is_empty() { 1000 } else { 0 });
        let player = self.player.clone().unwrap_or_else(|| PLAYER.to_owned());
        let (opening_plies, random) = (self.opening_plies.unwrap_or(20), 0.0);
        let generation = Generation { player, games, opening_plies, random };
        let generations = if games == 0 { Vec::new() } else { vec![generation] };
        let l2 = self.l2.unwrap_or(usual.l2);
        let eval = self.eval.clone().unwrap_or_else(|| usual.eval.clone());
        let seed = self.seed.unwrap_or(0);
        Ok(Tuning { eval, generations, from, l2, seed, jobs, ..usual })
    }

    /// The first option that was given although a file says everything.
    fn option_of_file(&self) -> Option<&'static str> {
        let given = [
            ("--eval", self.eval.is_some()),
            ("--games", self.games.is_some()),
            ("--player", self.player.is_some()),
            ("--opening-plies", self.opening_plies.is_some()),
            ("--from", !self.from.is_empty()),
            ("--l2", self.l2.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    fn tune(&self, registry: &Registry, tuning: &Tuning) -> Result<Tuned> {
        let bar = progress(1, "games", self.json);
        let watch = |stage: Stage, done: u64, all: u64| {
            let what = match stage {
                Stage::Games => "games",
                Stage::Passes => "passes of the fit",
            };
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(format!("{done} of {all} {what}"));
        };
        let watch = TuneWatch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        tune(registry, tuning, watch).map_err(|error| match error {
            TuneError::Games(error) => CliError::from(error),
            TuneError::Cancelled => {
                let message = format!("ended by {}: nothing was fitted", interrupt::cause());
                CliError::new(message).code(INTERRUPTED)
            }
            error => CliError::of(error),
        })
    }
}

/// Refuses the games of a file if none of them can be used.
fn check_rows(rows: &[GameRow], game: &str, path: &Path) -> Result<()> {
    let mut of_game = rows.iter().filter(|row| row.game == game).peekable();
    let path = path.display();
    if of_game.peek().is_none() {
        let others: BTreeSet<&str> = rows.iter().map(|row| row.game.as_str()).collect();
        let others = match others.is_empty() {
            true => "no games at all".to_owned(),
            false => format!("games of {}", others.into_iter().collect::<Vec<_>>().join(", ")),
        };
        return Err(CliError::new(format!("{path} has no games of {game}: it has {others}")));
    }
    if of_game.all(GameRow::is_digest_only) {
        let message = format!("{path} has the results of games of {game}, but not their moves");
        return Err(CliError::new(message).hint("a store, or `treegraft verify` plays them again"));
    }
    Ok(())
}

fn to_text(tuned: &Tuned) -> Output {
    let Tuned { game, eval, seed, features, used, training, held_out, bytes, digest, .. } = tuned;
    let mut lines = vec![("game", game.clone()), ("eval", eval.clone())];
    for GenerationSummary { player, games, log_loss } in &tuned.generations {
        let who = player.as_deref().unwrap_or("games of files");
        let games = grouped(u64::from(*games));
        lines.push(("games", wrap(&format!("{games} by {who}; log loss {log_loss:.4}"))));
    }
    let count = |games: u32, positions: usize| {
        let (games, positions) = (grouped(u64::from(games)), grouped(positions as u64));
        format!("{games} games, {positions} positions")
    };
    let (features, used) = (grouped(*features as u64), grouped(*used as u64));
    let fitted = tuned.training_quality.log_loss;
    lines.extend([
        ("fitted", format!("{}; log loss {fitted:.4}", count(training.games, training.positions))),
        ("held out", count(held_out.games, held_out.positions)),
        ("weights", format!("{used} of {features} features, {} bytes", grouped(*bytes as u64))),
        ("digest", format!("{digest}, seed {seed}")),
    ]);
    let row = |quality: &Quality| {
        let Quality { name, log_loss, accuracy } = quality;
        [name.clone(), format!("{log_loss:.4}"), format!("{:.1} %", 100.0 * accuracy)]
    };
    let rows =
        table(["held-out games", "log loss", "right"], tuned.quality.iter().map(row), &[1, 2]);
    Output::text(format!("{}\n{rows}", labelled(&lines)))
}
