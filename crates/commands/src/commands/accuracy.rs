//! `treegraft accuracy`: how often players choose moves that keep the value of a position.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use treegraft::Budget;
use treegraft::depth_first::Scores;
use treegraft_ladder::solved_set;
use treegraft_pictures::table::Format;
use treegraft_players::{DEFAULT_BUDGET, Player, Start};
use treegraft_studies::Watch;
use treegraft_studies::accuracy::{
    AccuracyError, AccuracyStudy, AccuracySummary, Drawing, SolvedSet, accuracy_plot,
    accuracy_tables, draw_positions, measure,
};

use crate::plot_file::{plan_plots, write_plot};
use crate::prelude::*;

/// Measure how often players keep the value of positions that are solved
///
/// Every player chooses a move in the same positions, each with a new search. The table says how
/// often the move kept the value of the position under best play: a win stays a win, a draw a draw.
/// Only positions with moves of different values count, so that a mistake is possible.
///
/// The program carries solved positions of some games. For other games, or with --seed, it draws
/// positions from random games and keeps those whose moves it can all solve; --save writes them to
/// a file. The same seed gives the same positions and, without limits on time, the same moves, for
/// any --jobs.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft accuracy <GAME> <PLAYER>... [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft accuracy connect4 mcts-solver@1000it mcts-ms-2-visit-1@1000it ab@1000nodes
  treegraft accuracy connect4:5x4 uct mcts-solver --budgets 100it,1000it,10000it --plot c4.svg
  treegraft accuracy othello 'ab(eval=wpc)@10ms' mcts-solver@10ms --positions 50
  treegraft accuracy kalah mcts-sb@1000it random --margin --seed 1 --save kalah.txt
  treegraft accuracy kalah --from kalah.txt --check

Exit codes: 0 on success, 1 if no position could be solved, a value is wrong (--check) or a file
could not be written, 2 if the input is wrong, 130 after Ctrl-C, with the results so far.")]
pub(crate) struct Accuracy {
    /// The game, such as connect4 or connect4:8x7; `treegraft games` lists them all
    game: String,

    /// The players, each with a budget, or without one and with --budgets
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,

    /// Budgets for the players without one, joined by commas: 100it,1000it,10000it
    #[arg(long, value_name = "BUDGETS")]
    budgets: Option<String>,

    /// Number of positions [default: all in the set, or 100 new ones]
    #[arg(long, value_name = "N", value_parser = whole_number(1usize..=100_000))]
    positions: Option<usize>,

    /// Draw new positions with this seed, any number from 0 to 2^64-1
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    seed: Option<u64>,

    /// Draw new positions whose values are margins, not outcomes, in games that have margins
    #[arg(long)]
    margin: bool,

    /// Maximum number of nodes to solve a move of a new position [default: 200000]
    #[arg(long, value_name = "NODES", value_parser = whole_number(1..=1_000_000_000_000u64))]
    limit: Option<u64>,

    /// Leave out new positions that the side to move wins within PLIES plies [default: 3]
    #[arg(long, value_name = "PLIES", value_parser = whole_number(0..=20u32))]
    beyond: Option<u32>,

    /// Read solved positions from this file, written by --save
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "margin", "limit", "beyond"])]
    from: Option<PathBuf>,

    /// Write the solved positions to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Solve the positions again, and compare the values
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    jobs: JobsArg,

    /// Draw the accuracies to this file, which ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// text, markdown, latex or csv (the accuracies alone)
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Print JSON: one object with everything
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Accuracy {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.game)?;
        let players = self.players(registry)?;
        for player in &players {
            treegraft_engine::check_seat(registry, &start, player)?;
        }
        let mut files = OutputFiles::default();
        if let Some(path) = &self.from {
            files.keep("the file of --from", path)?;
        }
        files.plan(&self.save, FileKind::SOLVED_POSITIONS)?;
        plan_plots(&self.plot, &mut files)?;
        if players.is_empty() && self.save.is_none() && !self.check {
            return Err(CliError::new("there is no player to measure").hint(
                "`treegraft accuracy connect4 mcts-solver@1000it`, or --save FILE to solve positions only",
            ));
        }
        let set = self.set(registry, &start)?;
        if let Some(path) = &self.save {
            let text = set.to_string();
            files.put(path, FileKind::SOLVED_POSITIONS, &text)?;
        }
        if self.check {
            self.check(registry, &start, &set)?;
        }
        if players.is_empty() {
            return Ok(match self.json {
                true => Output::json("treegraft.accuracy/1", &AccuracySummary::of_set(set)),
                false => Output::text(self.about(registry, &start, &set)),
            });
        }
        let is_timed = players.iter().any(Player::is_timed);
        let jobs = self.jobs.number(is_timed);
        let study = AccuracyStudy { start, set, players, seed: self.seed.unwrap_or(0), jobs };
        let summary = self.measure(registry, &study)?;
        let drawn = match &self.plot {
            Some(path) => write_plot(path, &accuracy_plot(&study, &summary), &mut files),
            None => Ok(()),
        };
        let output = Output::either(self.json, "treegraft.accuracy/1", &summary, || {
            self.rendered(registry, &study, &summary, is_timed)
        });
        Ok(output.complete(summary.complete).unless_failed(drawn))
    }

    /// The players, each with a budget.
    fn players(&self, registry: &Registry) -> Result<Vec<Player>> {
        let budgets = self.budgets.as_deref().map(budgets).transpose()?.unwrap_or_default();
        let (mut players, mut is_used) = (Vec::new(), false);
        for text in &self.players {
            let player = registry.player(text)?;
            let needs_one = player.budget_or(DEFAULT_BUDGET) != player.budget;
            if !needs_one || budgets.is_empty() {
                players.push(player);
                continue;
            }
            for &budget in &budgets {
                if budget.is_unlimited() {
                    let message = format!("--budgets {budget}: memory alone ends no search");
                    return Err(
                        CliError::new(message).hint("--budgets with nodes, it, evals or time")
                    );
                }
                players.push(player.with_budget_or(budget));
                is_used = true;
            }
        }
        if !budgets.is_empty() && !is_used {
            let message = "--budgets is for players without a budget, and there is none here";
            return Err(CliError::new(message).hint("the players without @…, or no --budgets"));
        }
        Ok(players)
    }

    /// The positions: from a file, from the program, or new ones.
    fn set(&self, registry: &Registry, start: &Start) -> Result<SolvedSet> {
        let mut set = match &self.from {
            Some(path) => read(path, registry, start)?,
            None => match self.carried(registry, start) {
                Some(set) if self.positions.unwrap_or(0) <= set.positions.len() => set,
                _ => self.draw(registry, start)?,
            },
        };
        if let Some(count) = self.positions {
            set.positions.truncate(count);
        }
        if !set.positions.is_empty() {
            return Ok(set);
        }
        if interrupt::flag().load(Ordering::Relaxed) {
            return Err(CliError::ended_before("a position was solved"));
        }
        let drawn = grouped(set.drawn.all());
        let message = format!("none of {drawn} random positions of {} can be used", set.game);
        let hint = "a greater --limit, a smaller board, or --from FILE";
        Err(CliError::new(message).hint(hint).code(NO_SUCCESS))
    }

    /// The set that the program carries, unless new positions are requested.
    fn carried(&self, registry: &Registry, start: &Start) -> Option<SolvedSet> {
        let asks_for_new =
            self.seed.is_some() || self.margin || self.limit.is_some() || self.beyond.is_some();
        solved_set(registry, start.text()).filter(|_| !asks_for_new)
    }

    fn draw(&self, registry: &Registry, start: &Start) -> Result<SolvedSet> {
        let drawing = Drawing::new(start.clone());
        let drawing = Drawing {
            scores: if self.margin { Scores::Margin } else { Scores::Outcome },
            positions: self.positions.unwrap_or(drawing.positions),
            limit: self.limit.unwrap_or(Drawing::LIMIT),
            beyond: self.beyond.unwrap_or(Drawing::BEYOND),
            seed: self.seed.unwrap_or(0),
            jobs: self.jobs.number(false),
            ..drawing
        };
        let counter = Counter::new(drawing.positions as u64, "positions solved", self.json);
        let watch = |done: u64| counter.show(done);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        draw_positions(registry, &drawing, watch).map_err(CliError::of)
    }

    fn check(&self, registry: &Registry, start: &Start, set: &SolvedSet) -> Result<()> {
        let steps = set.positions.len() as u64;
        let counter = Counter::new(steps, "positions checked", self.json);
        let watch = |done: u64| counter.show_of(done, steps);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        let wrong = set.check(registry, start, self.jobs.number(false), watch);
        let wrong = wrong.map_err(CliError::of)?;
        match wrong.first() {
            None => Ok(()),
            Some(first) => {
                Err(CliError::new(format!("{} positions are wrong; {first}", wrong.len()))
                    .code(NO_SUCCESS))
            }
        }
    }

    fn measure(&self, registry: &Registry, study: &AccuracyStudy) -> Result<AccuracySummary> {
        let steps = (study.players.len() * study.set.positions.len()) as u64;
        let counter = Counter::new(steps, "moves", self.json);
        let watch = |done: u64| counter.show(done);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        let choices = measure(registry, study, watch).map_err(|error| match error {
            AccuracyError::Player(error) => CliError::from(error),
            AccuracyError::Fault { .. } => CliError::of(error).code(NO_SUCCESS),
            error => CliError::of(error),
        })?;
        if choices.iter().all(Vec::is_empty) {
            return Err(CliError::ended_before("a position was done"));
        }
        Ok(AccuracySummary::new(study, &choices))
    }

    /// What positions there are, in words.
    fn about(&self, registry: &Registry, start: &Start, set: &SolvedSet) -> String {
        let of = match &self.from {
            Some(path) => format!("of {}", path.display()),
            None => format!("drawn at random with seed {}, and solved", set.seed),
        };
        let mut entries = vec![
            ("game", set.game.clone()),
            ("positions", format!("{}, {of}", set.positions.len())),
        ];
        let carried = self.carried(registry, start).filter(|_| self.from.is_none());
        let carried = carried.map_or(usize::MAX, |set| set.positions.len());
        if let Some(asked) = self.positions.filter(|&asked| asked > carried) {
            entries.push(("", wrap(&format!(
                "the program carries {carried} positions of this game, fewer than {asked}: these are \
                 new ones"
            ))));
        }
        if self.check {
            entries.push(("checked", "every move of every position".to_owned()));
        }
        if let Some(path) = &self.save {
            entries.push(("saved", path.display().to_string()));
        }
        labelled(&entries)
    }

    fn rendered(
        &self,
        registry: &Registry,
        study: &AccuracyStudy,
        summary: &AccuracySummary,
        is_timed: bool,
    ) -> Output {
        let all = accuracy_tables(summary);
        match self.format {
            Format::Text => {}
            Format::Csv => return Output::data(all[0].render(Format::Csv)),
            Format::Json => return Output::json("treegraft.accuracy/1", summary),
            format => return Output::data(tables(&all, format)),
        }
        let mut text = format!(
            "{}\n{}",
            self.about(registry, &study.start, &study.set),
            tables(&all, Format::Text)
        );
        if !summary.complete {
            let (done, all) = (summary.positions, study.set.positions.len());
            add_note(
                &mut text,
                &format!("ended by {} after {done} of {all} positions", interrupt::cause()),
            );
        }
        if is_timed {
            add_note(&mut text, TIMED);
        }
        if let Some(path) = &self.plot {
            text.push_str(&format!("\nplot  {}\n", path.display()));
        }
        Output::text(text)
    }
}

/// Budgets that are joined by commas.
fn budgets(text: &str) -> Result<Vec<Budget>> {
    let read = |item: &str| {
        item.trim().parse::<Budget>().map_err(CliError::about(format!("--budgets {text:?}")))
    };
    text.split(',').map(read).collect()
}

/// The positions of a file, which must be of this game.
fn read(path: &Path, registry: &Registry, start: &Start) -> Result<SolvedSet> {
    let at = |problem: String| CliError::new(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|error| at(format!("cannot be read: {error}")).code(NO_SUCCESS))?;
    let (found, set) = SolvedSet::parse(&text, registry).map_err(|error| {
        at(error.to_string()).hint("a file that `treegraft accuracy … --save FILE` has written")
    })?;
    if found.text() != start.text() {
        return Err(at(format!("its positions are of {}, not of {}", found.text(), start.text())));
    }
    Ok(set)
}
