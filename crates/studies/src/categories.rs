//! How likely a player chooses a move of each of the game's categories, where it can.
//!
//! These are the transition probabilities of Tsuruoka, Yokoyama & Chikayama (2002), which Winands,
//! Björnsson & Saito (2010) draw the moves of playouts by: the number of positions in which a move of
//! the category was played, divided by the number of those in which there was one. One position is
//! added to both, so that what never happened is not taken for impossible: a category that was never
//! seen is as likely as all of them are on average.
//!
//! ```
//! use treegraft_studies::Watch;
//! use treegraft_studies::categories::{CategoryStudy, study_categories};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let (start, player) = (registry.start("loa")?, registry.player("ab@50nodes")?);
//! let study = CategoryStudy { start, player, games: 2, opening_plies: 4, seed: 1, jobs: 1 };
//! let found = study_categories(&registry, &study, Watch::default())?;
//! assert_eq!(found.categories.iter().map(|category| category.played).sum::<u64>(), found.positions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use treegraft_players::{DEFAULT_BUDGET, Player, Registry, Start};

use treegraft::{Game, Knowledge, derive_seed};
use treegraft_lab::{Opening, OpeningProblem, PairGames, ThreadsError};
use treegraft_pictures::csv::{field, record};
use treegraft_pictures::{grouped, on_one_line};

use crate::self_play::{self, GamesError};
use crate::watch::{Watch, is_set};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct CategoryStudy {
    /// Where every game begins.
    pub start: Start,
    /// Who plays both sides.
    pub player: Player,
    /// How many games.
    pub games: u32,
    /// Random moves at the beginning of each game, which lead to another position in each and are not
    /// counted; 0: every game begins at the start.
    pub opening_plies: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games played at once; 0: one per processor.
    pub jobs: usize,
}

/// What a study found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CategorySummary {
    /// The canonical text of the game.
    pub game: String,
    /// Who played both sides.
    pub player: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Random moves at the beginning of each game.
    pub opening_plies: u32,
    /// Games that were played to their end.
    pub games: u32,
    /// Whether these are all that were requested.
    pub complete: bool,
    /// Positions in which the player chose a move.
    pub positions: u64,
    /// The categories, in the order of the game.
    pub categories: Vec<Category>,
}

/// A category of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Category {
    /// Its name in the game.
    pub name: String,
    /// Positions in which a move of this category was played.
    pub played: u64,
    /// Positions in which a move of this category was legal.
    pub available: u64,
    /// How likely it is chosen where it is available.
    pub probability: f64,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum CategoryError {
    /// The game has no categories.
    #[error("{game} has no categories of moves")]
    NoCategories {
        /// The text of the game.
        game: String,
    },
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningProblem),
    /// There are not as many openings as games.
    #[error(
        "only {found} different positions after {plies} random moves were found, and {games} games \
         were requested; choose fewer games or another number of random moves"
    )]
    FewOpenings {
        /// Random moves at the beginning.
        plies: u32,
        /// Requested games.
        games: u32,
        /// Different positions.
        found: usize,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// The category of a move that was played, and those of all legal moves.
type Choice = (Option<u32>, BTreeSet<u32>);

/// Plays games and counts the categories of the moves. Fewer games than requested are counted if the
/// study was cancelled.
///
/// Each game depends on the seed and its number only, so that players with a work budget give the
/// same result at any number of jobs.
///
/// # Errors
///
/// If the game has no categories or cannot serve the player, or a game goes wrong.
pub fn study_categories(
    registry: &Registry,
    study: &CategoryStudy,
    watch: Watch<'_>,
) -> Result<CategorySummary, CategoryError> {
    let CategoryStudy { start, player, games, opening_plies, seed, jobs } = study;
    let names = start.board().knowledge().move_categories();
    if names.is_empty() {
        return Err(CategoryError::NoCategories { game: start.text().to_owned() });
    }
    self_play::check(registry, start, player, *games, *jobs)?;
    let openings = study.openings(watch.cancel)?;
    let numbered: Vec<(u32, &Opening)> = (0..).zip(&openings).collect();
    let empty = |name| Category { name, played: 0, available: 0, probability: 0.0 };
    let mut categories: Vec<Category> = names.into_iter().map(empty).collect();
    let (mut finished, mut positions) = (0, 0);
    let look_at = |(): &mut (), &(number, opening): &(u32, &Opening)| {
        study.look_at(registry, number, opening, watch.cancel)
    };
    watch.run(
        *jobs,
        &numbered,
        || (),
        look_at,
        |choices| {
            finished += 1;
            positions += choices.len() as u64;
            for (played, legal) in choices {
                played.into_iter().for_each(|number| categories[number as usize].played += 1);
                legal.into_iter().for_each(|number| categories[number as usize].available += 1);
            }
            Ok(u64::from(finished))
        },
    )?;
    estimate(&mut categories);
    Ok(CategorySummary {
        game: start.text().to_owned(),
        player: player.with_budget_or(DEFAULT_BUDGET).to_string(),
        seed: *seed,
        opening_plies: *opening_plies,
        games: finished,
        complete: finished == *games,
        positions,
        categories,
    })
}

impl CategoryStudy {
    /// How the games begin: fewer than requested if the study is cancelled.
    fn openings(&self, cancel: Option<&AtomicBool>) -> Result<Vec<Opening>, CategoryError> {
        /// Repetitions in a row after which hardly any new position is left to find.
        const REPETITIONS: u64 = 10_000;
        let CategoryStudy { games, opening_plies: plies, seed, .. } = *self;
        if plies == 0 {
            return Ok(vec![Opening::None; games as usize]);
        }
        let begin = self.start.playthrough();
        let (mut seen, mut openings) = (HashSet::new(), Vec::new());
        let (mut attempt, mut last_new) = (0, 0);
        while openings.len() < games as usize {
            if is_set(cancel) {
                return Ok(openings);
            }
            let opening = Opening::Random { plies, seed: derive_seed(seed, attempt) };
            if seen.insert(opening.play(&begin)?.position().clone()) {
                openings.push(opening);
                last_new = attempt;
            }
            if attempt - last_new > REPETITIONS {
                return Err(CategoryError::FewOpenings { plies, games, found: openings.len() });
            }
            attempt += 1;
        }
        Ok(openings)
    }

    /// Plays a game and looks at its moves; `None` if that was cancelled.
    fn look_at(
        &self,
        registry: &Registry,
        number: u32,
        opening: &Opening,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Vec<Choice>>, CategoryError> {
        let games = PairGames {
            registry,
            start: &self.start,
            players: [&self.player, &self.player],
            opening,
            seed: derive_seed(self.seed, u64::from(number)),
            max_plies: None,
            record: false,
        };
        let played = self_play::finished(number, games.play(0, cancel))?;
        let Some(played) = played else { return Ok(None) };
        let (mut game, mut choices) = (self.start.playthrough(), Vec::new());
        for (ply, &mv) in played.moves.iter().enumerate() {
            if ply >= played.opening_plies {
                let category = |mv| game.position().knowledge().move_category(mv);
                let legal = game.legal_moves().into_iter().filter_map(category).collect();
                choices.push((category(mv), legal));
            }
            game.play(mv);
        }
        Ok(Some(choices))
    }
}

/// How likely each category is, from how often it was played and could have been.
fn estimate(categories: &mut [Category]) {
    let played: u64 = categories.iter().map(|category| category.played).sum();
    let available: u64 = categories.iter().map(|category| category.available).sum();
    // As many positions as it takes, on average, to see a category played once.
    let one_in = if played == 0 { 1.0 } else { available as f64 / played as f64 };
    for category in categories {
        category.probability =
            (category.played as f64 + 1.0) / (category.available as f64 + one_in);
    }
}

impl CategorySummary {
    /// The command that finds this.
    #[must_use]
    pub fn command(&self) -> String {
        let CategorySummary { games, opening_plies, seed, .. } = self;
        let (game, player) = (for_shell(&self.game), for_shell(&self.player));
        on_one_line(&format!(
            "treegraft categories {game} --player {player} --games {games} \
             --opening-plies {opening_plies} --seed {seed}"
        ))
    }

    /// Comma-separated values, with the command in the first line, and a line for each category.
    #[must_use]
    pub fn csv(&self) -> String {
        let (games, positions) = (grouped(u64::from(self.games)), grouped(self.positions));
        let mut text = format!(
            "# {}\n# {games} games, {positions} positions\nnumber,category,played,available,probability\n",
            self.command()
        );
        for (number, category) in self.categories.iter().enumerate() {
            let Category { name, played, available, probability } = category;
            let numbers = [number.to_string(), field(name), played.to_string()];
            let rest = [available.to_string(), format!("{probability:.6}")];
            text.push_str(&record(&[&numbers[..], &rest[..]].concat()));
            text.push('\n');
        }
        text
    }
}

/// A text as one word of a shell.
fn for_shell(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":=,.-_@".contains(c);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
