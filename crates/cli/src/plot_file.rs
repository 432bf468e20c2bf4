//! Plots as files.

use std::path::{Path, PathBuf};

use treegraft_lab::plot::Plot;

use crate::error::CliError;
use crate::output::NO_SUCCESS;

/// Where plots go, and as what.
pub(crate) struct PlotFile<'a> {
    path: &'a Path,
    is_png: bool,
}

impl PlotFile<'_> {
    pub(crate) fn new(path: &Path) -> Result<PlotFile<'_>, CliError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(PlotFile { path, is_png: false }),
            Some("png") => Ok(PlotFile { path, is_png: true }),
            _ => {
                let message =
                    format!("--plot {path:?}: expected a name that ends with .svg or .png");
                Err(CliError::new(message))
            }
        }
    }

    /// Writes a file for each plot, and says which.
    pub(crate) fn write(&self, plots: &[(String, Plot)]) -> Result<Vec<PathBuf>, CliError> {
        const SCALE: f64 = 2.0;
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut written = Vec::new();
        for (name, plot) in plots {
            let extension = if self.is_png { "png" } else { "svg" };
            let path = self.path.with_file_name(format!("{stem}-{name}.{extension}"));
            let failed = |problem: &str| {
                CliError::new(format!("cannot write {path:?}: {problem}")).code(NO_SUCCESS)
            };
            let bytes = match self.is_png {
                true => plot.png(SCALE).map_err(|error| failed(&error.to_string()))?,
                false => plot.svg().into_bytes(),
            };
            std::fs::write(&path, bytes).map_err(|error| failed(&error.to_string()))?;
            written.push(path);
        }
        Ok(written)
    }
}
