//! The papers, their experiments and the values that they published, as the program carries them.

use std::time::Duration;

use serde::Deserialize;
use toml::{Table, Value};
use treegraft_players::nearest;

use crate::distinct;
use crate::published::Published;
use crate::scale::{BudgetMode, Scale};
use crate::study::{SpeedStudy, TrapStudies, TreeSizes};
use crate::task::TaskError;

/// Folder, name and text of every file about a paper.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// All papers.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The papers in the order of their years; what they leave open comes last.
    pub papers: Vec<Paper>,
}

/// A paper, with its experiments and its published values.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its short name: that of its folder.
    pub id: String,
    /// What it is.
    pub about: About,
    /// What was measured to compare with it.
    pub entries: Vec<Entry>,
    /// What it published.
    pub published: Vec<Published>,
    /// What its results mean, in Markdown.
    pub reading: String,
}

/// What a paper is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Its place among the papers.
    order: u32,
    /// Its title.
    pub title: String,
    /// Its authors, as they are cited.
    pub authors: String,
    /// When and where it was published.
    pub published: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// Its games: positions to show, each with what it is called.
    #[serde(default)]
    pub boards: Vec<[String; 2]>,
    /// Searches whose strategies are shown: game, player and what the picture is called.
    #[serde(default)]
    pub searches: Vec<[String; 3]>,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    /// The paper's short name.
    #[serde(skip)]
    pub paper: String,
    /// Its name in the paper's folder.
    pub id: String,
    /// Where in the paper its results stand.
    pub source: String,
    /// What is compared.
    pub what: String,
    /// The experiment file, if games are played; by default called like the experiment.
    file: Option<String>,
    /// The text of that file.
    #[serde(skip)]
    pub text: String,
    /// Games that are looked at for traps.
    traps: Option<TrapStudies>,
    /// Trees that are searched.
    trees: Option<TreeSizes>,
    /// Players whose speed is measured.
    speeds: Option<SpeedStudy>,
    /// How it differs from its file at the scale `quick`; `false`: it has the scale `paper` alone.
    #[serde(default)]
    quick: Scaled,
    /// How it differs from its file at the scale `paper`.
    #[serde(default)]
    paper_scale: Size,
    /// Processor seconds at the scale `long`, measured.
    #[serde(default)]
    pub seconds: f64,
    /// The time of a move at the scale `long`, in milliseconds, where all players have the same
    /// time.
    #[serde(default = "usual_time")]
    time_ms: f64,
    /// Whether only its own budgets make sense: it compares budgets, or work of another kind.
    #[serde(default)]
    pub one_budget: bool,
    /// Whether totals count wins alone, as the paper does, and not draws as half of them.
    #[serde(default)]
    pub wins_only: bool,
    /// Why results differ from the paper's, or what was tried.
    #[serde(default)]
    pub why: String,
}

fn usual_time() -> f64 {
    10.0
}

/// Whether an experiment has a scale, and how it differs from its file there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Scaled {
    Whether(bool),
    Size(Size),
}

impl Default for Scaled {
    fn default() -> Scaled {
        Scaled::Size(Size::default())
    }
}

/// How an experiment differs from its file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Games a pairing or a study, or trees of a height.
    pub games: Option<u32>,
    /// What budgets are multiplied by.
    pub budget: Option<f64>,
    /// Other values of a sweep's parameters.
    #[serde(default)]
    pub grid: Table,
}

/// What an experiment does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// Plays games between players.
    Games,
    /// Looks for traps in games.
    Traps(&'a TrapStudies),
    /// Searches trees.
    Trees(&'a TreeSizes),
    /// Measures speeds.
    Speeds(&'a SpeedStudy),
}

/// What is wrong with the catalogue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct CatalogueError {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaperFile {
    paper: About,
    experiment: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFile {
    result: Vec<Published>,
}

impl Catalogue {
    /// The catalogue that the program carries.
    ///
    /// # Errors
    ///
    /// If a file of it is wrong, which a test rules out.
    pub fn new() -> Result<Catalogue, CatalogueError> {
        let mut papers = Vec::new();
        for (folder, _, text) in FILES.iter().filter(|(_, name, _)| *name == "paper.toml") {
            papers.push(paper(folder, text)?);
        }
        papers.sort_by_key(|paper| paper.about.order);
        Ok(Catalogue { papers })
    }

    /// The paper with this short name.
    #[must_use]
    pub fn paper(&self, id: &str) -> Option<&Paper> {
        self.papers.iter().find(|paper| paper.id == id)
    }

    /// The experiments that a text names: `all`, a paper, or `PAPER/EXPERIMENT`.
    ///
    /// # Errors
    ///
    /// The names that could have been meant.
    pub fn find(&self, text: &str) -> Result<Vec<&Entry>, Vec<String>> {
        let all = || self.papers.iter().flat_map(|paper| &paper.entries);
        let found: Vec<&Entry> = match text {
            "all" => all().collect(),
            text => all().filter(|entry| entry.paper == text || entry.name() == text).collect(),
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let papers = self.papers.iter().map(|paper| paper.id.clone());
        // Without the paper's name the experiment's may say enough.
        let same = all().filter(|entry| entry.id == text).map(Entry::name).collect::<Vec<_>>();
        match same.is_empty() {
            true => Err(papers.chain(all().map(Entry::name)).collect()),
            false => Err(same),
        }
    }

    /// The experiments that several texts name, each once.
    ///
    /// # Errors
    ///
    /// If a text names none: which, and what could have been meant.
    pub fn entries(&self, texts: &[String]) -> Result<Vec<&Entry>, TaskError> {
        let named = texts.iter().map(|text| {
            self.find(text).map_err(|names| {
                let meant = nearest(text, names.iter().map(String::as_str));
                // Those of this name in some papers.
                let few = || names.first().map(String::as_str).filter(|_| names.len() <= FEW);
                let meant = meant.or_else(few).map(|name| format!(" (did you mean {name}?)"));
                let meant = meant.unwrap_or_default();
                TaskError::new(format!("there is no experiment or paper {text:?}{meant}"))
            })
        });
        Ok(distinct(named.collect::<Result<Vec<_>, _>>()?.concat()))
    }

    /// Those of several experiments that have a scale and budgets of a kind. One alone is not left out:
    /// its caller should learn why it cannot be run.
    ///
    /// # Errors
    ///
    /// If none has.
    pub fn chosen<'a>(
        named: &[&'a Entry],
        scale: Scale,
        mode: BudgetMode,
    ) -> Result<Vec<&'a Entry>, TaskError> {
        let is_asked =
            |entry: &&&Entry| named.len() == 1 || (entry.has(scale) && entry.allows(mode));
        let chosen: Vec<&Entry> = named.iter().filter(is_asked).copied().collect();
        match chosen.is_empty() {
            false => Ok(chosen),
            true => Err(TaskError::new(format!(
                "no experiment of these has the scale {scale} and budgets {mode}"
            ))),
        }
    }
}

/// Maximum number of names for which the first one is shown.
const FEW: usize = 6;

fn file_of(folder: &str, name: &str) -> Option<&'static str> {
    FILES.iter().find(|(f, n, _)| *f == folder && *n == name).map(|(.., text)| *text)
}

fn paper(folder: &str, text: &str) -> Result<Paper, CatalogueError> {
    let at =
        |file: &str, problem: String| CatalogueError { file: format!("{folder}/{file}"), problem };
    let file: PaperFile =
        toml::from_str(text).map_err(|error| at("paper.toml", error.to_string()))?;
    let mut entries = file.experiment;
    for entry in &mut entries {
        entry.paper = folder.to_owned();
        if entry.kind() == Kind::Games {
            let name = format!("{}.toml", entry.file.as_ref().unwrap_or(&entry.id));
            let text = file_of(folder, &name);
            entry.text = text.ok_or_else(|| at(&name, "is missing".to_owned()))?.to_owned();
        }
    }
    let published = match file_of(folder, "published.toml") {
        None => Vec::new(),
        Some(text) => {
            let read: Result<PublishedFile, _> = toml::from_str(text);
            read.map_err(|error| at("published.toml", error.to_string()))?.result
        }
    };
    for value in &published {
        if let Some(experiment) = &value.experiment
            && entries.iter().all(|entry| entry.id != *experiment)
        {
            return Err(at("published.toml", format!("there is no experiment {experiment:?}")));
        }
    }
    let reading = file_of(folder, "reading.md").unwrap_or_default().to_owned();
    Ok(Paper { id: folder.to_owned(), about: file.paper, entries, published, reading })
}

impl Paper {
    /// The published values that an experiment is compared with.
    pub fn published_of<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = &'a Published> {
        self.published.iter().filter(|value| value.experiment.as_ref() == Some(&entry.id))
    }
}

impl Entry {
    /// Its name in the program: `PAPER/EXPERIMENT`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.paper, self.id)
    }

    /// What it does.
    #[must_use]
    pub fn kind(&self) -> Kind<'_> {
        match (&self.traps, &self.trees, &self.speeds) {
            (Some(traps), ..) => Kind::Traps(traps),
            (None, Some(trees), _) => Kind::Trees(trees),
            (None, None, Some(speeds)) => Kind::Speeds(speeds),
            (None, None, None) => Kind::Games,
        }
    }

    /// Whether it has a scale.
    #[must_use]
    pub fn has(&self, scale: Scale) -> bool {
        let is_more = matches!(scale, Scale::Quick | Scale::Long);
        !is_more || !matches!(self.quick, Scaled::Whether(false))
    }

    /// Whether players can have budgets of this kind.
    #[must_use]
    pub fn allows(&self, mode: BudgetMode) -> bool {
        mode == BudgetMode::Emulated || (self.kind() == Kind::Games && !self.one_budget)
    }

    /// How it differs from its file at a scale.
    #[must_use]
    pub fn size(&self, scale: Scale) -> Size {
        match (scale, &self.quick) {
            (Scale::Smoke, _) => Size { games: Some(2), ..Size::default() },
            (Scale::Quick, Scaled::Size(size)) => size.clone(),
            (Scale::Quick, Scaled::Whether(_)) | (Scale::Long, _) => Size::default(),
            (Scale::Paper, _) => self.paper_scale.clone(),
        }
    }

    /// The time of a move at a scale, where all players have the same time.
    #[must_use]
    pub fn time(&self, scale: Scale) -> Duration {
        let long = Duration::from_secs_f64(self.time_ms / 1000.0);
        match scale {
            Scale::Smoke => Duration::from_millis(1),
            scale => long.mul_f64(self.size(scale).budget.unwrap_or(1.0)),
        }
    }

    /// About how many processor seconds it takes at a scale.
    #[must_use]
    pub fn estimate(&self, scale: Scale) -> f64 {
        let size = self.size(scale);
        let sizes = size.grid.values().filter_map(Value::as_array).map(Vec::len);
        let points = sizes.fold(1.0, |all, len| all * len as f64 / self.points_of_file() as f64);
        let games = size.games.map_or(1.0, |games| f64::from(games) / self.games_of_file());
        match scale {
            // Pairings of two games with a few simulations; starting takes longest.
            Scale::Smoke => (self.seconds * 0.002).clamp(0.1, 5.0),
            _ => self.seconds * games * size.budget.unwrap_or(1.0) * points,
        }
    }

    /// The games that are played; none for trees.
    #[must_use]
    pub fn games(&self) -> Vec<String> {
        match self.kind() {
            Kind::Games => {
                let file = self.text.parse::<Table>().unwrap_or_default();
                match file.get("game") {
                    Some(Value::String(game)) => vec![game.clone()],
                    Some(Value::Array(games)) => {
                        games.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                    }
                    _ => Vec::new(),
                }
            }
            Kind::Traps(traps) => traps.studies.iter().map(|[game, _]| game.clone()).collect(),
            Kind::Trees(_) => Vec::new(),
            Kind::Speeds(speeds) => vec![speeds.game.clone()],
        }
    }

    /// At the scale `quick`: games of a pairing or a study, trees of a height, or the milliseconds of
    /// a move.
    #[must_use]
    pub fn units(&self) -> u64 {
        match self.kind() {
            Kind::Speeds(speeds) => speeds.milliseconds,
            _ => self.size(Scale::Quick).games.map_or(self.games_of_file() as u64, u64::from),
        }
    }

    /// Games a pairing in the file, or in a study.
    fn games_of_file(&self) -> f64 {
        let games = match self.kind() {
            Kind::Games => self.text.parse::<Table>().ok().and_then(|file| {
                file.get("games").and_then(Value::as_integer).map(|games| games as f64)
            }),
            Kind::Traps(traps) => Some(f64::from(traps.games)),
            Kind::Trees(trees) => Some(f64::from(trees.trees)),
            Kind::Speeds(_) => None,
        };
        games.unwrap_or(1.0)
    }

    /// Values of the first parameter of the file's sweep.
    fn points_of_file(&self) -> usize {
        let points = || {
            let file: Table = self.text.parse().ok()?;
            let grid = file.get("sweep")?.get("grid")?.as_table()?;
            grid.values().next()?.as_array().map(Vec::len)
        };
        points().unwrap_or(1).max(1)
    }
}
