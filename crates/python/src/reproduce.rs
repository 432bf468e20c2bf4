//! The experiments of papers, for a driver whose pairs are played by others.

use std::path::PathBuf;

use pyo3::prelude::*;
use treegraft_papers::{
    BudgetMode, Catalogue, Entry, Folder, Place as Files, Scale, StudyWatch, Task,
};

use crate::attend::{Place, Trouble, attended_quietly};
use crate::cluster::{_Driver, built_in};
use crate::json::to_python;
use crate::registry::value_error;

/// The names of the experiments that have a scale and budgets of a kind, and how many have not.
#[pyfunction]
pub(crate) fn _papers(
    ids: Vec<String>,
    scale: &str,
    budget: &str,
) -> PyResult<(Vec<String>, usize)> {
    let catalogue = Catalogue::new().map_err(value_error)?;
    let (scale, mode) = sizes(scale, budget)?;
    let named = catalogue.entries(&ids).map_err(value_error)?;
    let chosen = Catalogue::chosen(&named, scale, mode).map_err(value_error)?;
    let left = named.len() - chosen.len();
    Ok((chosen.into_iter().map(Entry::name).collect(), left))
}

fn sizes(scale: &str, budget: &str) -> PyResult<(Scale, BudgetMode)> {
    Ok((scale.parse().map_err(value_error)?, budget.parse().map_err(value_error)?))
}

/// An experiment of a paper at a scale.
#[pyclass(frozen, name = "_Paper", module = "treegraft._treegraft")]
pub(crate) struct _Paper {
    catalogue: Catalogue,
    name: String,
    scale: Scale,
    mode: BudgetMode,
    task: Task,
    place: Files,
}

impl _Paper {
    fn entry(&self) -> PyResult<&Entry> {
        let found = self.catalogue.find(&self.name).ok().and_then(|found| found.first().copied());
        found.ok_or_else(|| value_error(format!("there is no experiment {:?}", self.name)))
    }
}

#[pymethods]
impl _Paper {
    /// The experiment with this name, whose results are in a folder.
    #[new]
    fn new(name: String, scale: &str, budget: &str, folder: PathBuf) -> PyResult<_Paper> {
        let catalogue = Catalogue::new().map_err(value_error)?;
        let (scale, mode) = sizes(scale, budget)?;
        let found = catalogue.entries(std::slice::from_ref(&name)).map_err(value_error)?;
        let [entry] = found[..] else {
            return Err(value_error(format!("{name} is not one experiment")));
        };
        let task = Task::new(entry, scale, mode, built_in(), 0).map_err(value_error)?;
        let place = Folder::new(folder).place(entry, scale, mode);
        place.create().map_err(value_error)?;
        Ok(_Paper { catalogue, name, scale, mode, task, place })
    }

    /// Whether pairs of games are played, and not something else studied.
    #[getter]
    fn is_games(&self) -> bool {
        matches!(self.task, Task::Games(_))
    }

    /// A driver for the pairs that no file has; None if there are none.
    fn driver(&self, py: Python<'_>, mix_versions: bool) -> PyResult<Option<_Driver>> {
        let left = self.task.left(&self.place).map_err(value_error)?;
        let driver = |loaded| _Driver::of(py, built_in(), loaded, self.place.store(), mix_versions);
        left.map(driver).transpose()
    }

    /// Makes a study on this machine.
    fn study(&self, py: Python<'_>) -> PyResult<()> {
        let trouble = Trouble::new();
        let done = attended_quietly(py, Place::Thread, &trouble, |_| {
            let watch = StudyWatch { progress: &|_, _| (), cancel: trouble.cancel() };
            self.task.run_study(built_in(), &self.place, watch)
        })?;
        done.map(drop).map_err(value_error)
    }

    /// What the experiment has come to, as a dict.
    fn outcome<'py>(&self, py: Python<'py>, seconds: f64) -> PyResult<Bound<'py, PyAny>> {
        let entry = self.entry()?;
        let paper = self.catalogue.paper(&entry.paper);
        let published: Vec<_> =
            paper.map(|paper| paper.published_of(entry).collect()).unwrap_or_default();
        let outcome = self.task.outcome(entry, &published, &self.place).map_err(value_error)?;
        let json = outcome.to_json(entry, self.scale, self.mode, seconds);
        to_python(py, &json)
    }
}
