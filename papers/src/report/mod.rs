//! Papers and measurements side by side.

mod figures;
mod html;
mod markdown;
mod pictures;
mod prediction;
mod reading;
mod rows;

use treegraft_players::Registry;

use crate::catalogue::{Catalogue, Entry, Paper};
use crate::compare::{Comparison, Verdict};
use crate::folder::Folder;
use crate::outcome::{Measurement, Outcome};
use crate::published::Published;
use crate::scale::{BudgetMode, Scale};
use crate::task::{Task, TaskError};

pub use html::html;
pub use markdown::{Document, Picture, documents};
pub use rows::table;

/// All papers beside what is in a folder.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// A report for each paper.
    pub papers: Vec<PaperReport<'a>>,
}

/// A paper beside what was measured.
#[derive(Clone, Debug)]
pub struct PaperReport<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its experiments.
    pub sections: Vec<Section<'a>>,
}

/// An experiment beside what the paper says.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The experiment.
    pub entry: &'a Entry,
    /// The scale at which it was run; `None`: it was not.
    pub scale: Option<Scale>,
    /// What was measured.
    pub outcome: Option<Outcome>,
    /// The rows: what was measured, each with what the paper says of it, then what it says of rows
    /// that were not measured.
    pub rows: Vec<Row<'a>>,
}

/// A row of a section.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// What it is called.
    pub names: Vec<String>,
    /// Whether its names are those of two players who meet.
    pub is_pairing: bool,
    /// What was measured.
    pub measured: Option<Measurement>,
    /// What the paper says of it.
    pub comparison: Option<Comparison<'a>>,
}

/// How often each verdict was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By the place of the verdict in [`Verdict::ALL`].
    pub verdicts: [usize; 7],
    /// Scores that lie at least 5 points from 50 in the paper and were measured.
    pub clear: usize,
    /// Those of them that lie on the same side of 50.
    pub same_sign: usize,
    /// Published values that are compared with nothing.
    pub unmapped: usize,
}

impl Counts {
    /// How often a verdict was given.
    #[must_use]
    pub fn of(&self, verdict: Verdict) -> usize {
        self.verdicts[verdict as usize]
    }

    /// How many published values were compared with a measurement.
    #[must_use]
    pub fn compared(&self) -> usize {
        let others = [Verdict::NotCompared, Verdict::NotMeasured];
        self.verdicts.iter().sum::<usize>() - others.map(|it| self.of(it)).iter().sum::<usize>()
    }

    fn add(&mut self, comparison: &Comparison<'_>) {
        self.verdicts[comparison.verdict as usize] += 1;
        if let Some(same) = comparison.same_sign() {
            self.clear += 1;
            self.same_sign += usize::from(same);
        }
    }
}

impl<'a> Report<'a> {
    /// Reads what is in a folder: of each experiment the largest scale that has been begun, or the
    /// requested scale, with the games of other scales that belong to it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn new(
        catalogue: &'a Catalogue,
        registry: &Registry,
        folder: &Folder,
        scale: Option<Scale>,
        mode: BudgetMode,
    ) -> Result<Report<'a>, TaskError> {
        let mut papers = Vec::new();
        for paper in &catalogue.papers {
            let mut sections = Vec::new();
            for entry in &paper.entries {
                sections.push(Section::new(paper, entry, registry, folder, scale, mode)?);
            }
            papers.push(PaperReport { paper, sections });
        }
        Ok(Report { papers })
    }
}

impl<'a> PaperReport<'a> {
    /// How often each verdict was given.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let unmapped = self.paper.published.iter().filter(|value| value.experiment.is_none());
        let mut counts = Counts { unmapped: unmapped.count(), ..Counts::default() };
        let comparisons = self.sections.iter().flat_map(Section::comparisons);
        comparisons.for_each(|comparison| counts.add(comparison));
        counts
    }

    /// Rows that differ and are not explained.
    pub fn unexplained(&self) -> impl Iterator<Item = (&Section<'a>, &Comparison<'a>)> {
        self.sections.iter().flat_map(|section| {
            let all = section.comparisons().map(move |comparison| (section, comparison));
            all.filter(|(section, it)| {
                it.verdict.needs_reason() && section.why(it.published).is_empty()
            })
        })
    }
}

impl<'a> Section<'a> {
    fn new(
        paper: &'a Paper,
        entry: &'a Entry,
        registry: &Registry,
        folder: &Folder,
        scale: Option<Scale>,
        mode: BudgetMode,
    ) -> Result<Section<'a>, TaskError> {
        let published: Vec<&Published> = paper.published_of(entry).collect();
        let scale_is_free = scale.is_none();
        let scales = match scale {
            Some(scale) => vec![scale],
            None => vec![Scale::Paper, Scale::Long, Scale::Quick],
        };
        let mut found = None;
        for scale in scales.into_iter().filter(|&scale| entry.has(scale) && entry.allows(mode)) {
            let place = folder.place(entry, scale, mode);
            if scale_is_free && !place.is_begun() {
                continue;
            }
            let task = Task::new(entry, scale, mode, registry, 1)?;
            let outcome = task.outcome(entry, &published, &place)?;
            if outcome.done > 0 {
                found = Some((scale, outcome));
                break;
            }
        }
        let (scale, outcome) = found.unzip();
        let rows = rows::rows(outcome.as_ref(), &published);
        Ok(Section { entry, scale, outcome, rows })
    }

    /// The published values, each beside what was measured.
    pub fn comparisons(&self) -> impl Iterator<Item = &Comparison<'a>> {
        self.rows.iter().filter_map(|row| row.comparison.as_ref())
    }

    /// Why a value differs, or what was tried.
    #[must_use]
    pub fn why(&self, published: &'a Published) -> &'a str {
        match published.why.as_str() {
            "" => &self.entry.why,
            why => why,
        }
    }
}
