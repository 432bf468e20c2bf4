//! Plots as files.

use std::path::{Path, PathBuf};

use treegraft_lab::plot::{Plot, PlotError};

use crate::error::CliError;
use crate::output::NO_SUCCESS;

/// The file formats of plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlotFormat {
    Svg,
    Png,
}

impl PlotFormat {
    /// The format that the extension of a path stands for, if it is `.svg` or `.png`.
    pub(crate) fn of(path: &Path) -> Option<PlotFormat> {
        let ending = path.extension()?.to_str()?;
        [PlotFormat::Svg, PlotFormat::Png].into_iter().find(|format| format.ending() == ending)
    }

    pub(crate) fn ending(self) -> &'static str {
        match self {
            PlotFormat::Svg => "svg",
            PlotFormat::Png => "png",
        }
    }

    /// The content of the file.
    pub(crate) fn draw(self, plot: &Plot) -> Result<Vec<u8>, PlotError> {
        const SCALE: f64 = 2.0;
        match self {
            PlotFormat::Svg => Ok(plot.svg().into_bytes()),
            PlotFormat::Png => plot.png(SCALE),
        }
    }
}

/// The files that plots are written to.
pub(crate) struct PlotFile<'a> {
    path: &'a Path,
    format: PlotFormat,
}

impl PlotFile<'_> {
    pub(crate) fn new(path: &Path) -> Result<PlotFile<'_>, CliError> {
        let format = PlotFormat::of(path).ok_or_else(|| {
            CliError::new(format!("--plot {path:?}: expected a name that ends with .svg or .png"))
        })?;
        Ok(PlotFile { path, format })
    }

    /// Writes one file per plot; returns their paths.
    pub(crate) fn write(&self, plots: &[(String, Plot)]) -> Result<Vec<PathBuf>, CliError> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut written = Vec::new();
        for (name, plot) in plots {
            let path = self.path.with_file_name(format!("{stem}-{name}.{}", self.format.ending()));
            let failed = |problem: &str| {
                CliError::new(format!("cannot write {path:?}: {problem}")).code(NO_SUCCESS)
            };
            let content = self.format.draw(plot).map_err(|error| failed(&error.to_string()))?;
            std::fs::write(&path, content).map_err(|error| failed(&error.to_string()))?;
            written.push(path);
        }
        Ok(written)
    }
}
