//! Every quantitative result of five papers as an experiment, and the published numbers beside what
//! is measured.
//!
//! The [`Catalogue`] lists the experiments of each paper and the values that it published. An
//! experiment has three sizes ([`Scale`]) and is run by the code that users' own experiments use:
//! [`Task`] is what it comes to. Its results lie in a [`Folder`]; [`Outcome`] is what they say, and
//! [`report`] puts paper and measurement side by side.
//!
//! ```
//! use treegraft_papers::{Catalogue, Scale};
//!
//! let catalogue = Catalogue::new()?;
//! let paper = catalogue.paper("weinstein-2012").expect("it is one of the five");
//! assert!(paper.published.len() > 40);
//! assert!(paper.entries.iter().all(|entry| entry.has(Scale::Paper)));
//! # Ok::<(), treegraft_papers::CatalogueError>(())
//! ```

mod catalogue;
mod compare;
mod folder;
mod outcome;
mod published;
pub mod report;
mod scale;
mod study;
mod task;

pub use catalogue::{Catalogue, CatalogueError, Entry, Kind, Paper, Size};
pub use compare::{Comparison, Verdict};
pub use folder::{Folder, Place};
pub use outcome::{Measurement, Outcome};
pub use published::{Metric, Published};
pub use scale::{BudgetMode, Scale, scaled};
pub use study::{SpeedStudy, StudyResult, StudyWatch, TrapStudies, TreeSizes};
pub use task::{Task, TaskError};

/// Each once, in the order in which they come first.
fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
