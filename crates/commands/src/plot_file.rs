//! Plots as files.

use std::path::{Path, PathBuf};

use treegraft_pictures::plot::{Plot, PlotError};

use crate::error::{CliError, Result};
use crate::output::NO_SUCCESS;
use crate::output_file::{FileKind, OutputFiles};

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

    /// The same of the argument of `--plot`.
    pub(crate) fn of_plot(path: &Path) -> Result<PlotFormat> {
        PlotFormat::of(path).ok_or_else(|| {
            CliError::new(format!("--plot {path:?}: expected a name that ends with .svg or .png"))
        })
    }

    pub(crate) fn ending(self) -> &'static str {
        match self {
            PlotFormat::Svg => "svg",
            PlotFormat::Png => "png",
        }
    }

    pub(crate) fn kind(self) -> FileKind {
        match self {
            PlotFormat::Svg => FileKind::Svg,
            PlotFormat::Png => FileKind::Png,
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
    pub(crate) fn new(path: &Path) -> Result<PlotFile<'_>> {
        Ok(PlotFile { path, format: PlotFormat::of_plot(path)? })
    }

    /// Announces the plots with these names.
    pub(crate) fn plan(&self, names: &[&str], files: &mut OutputFiles) -> Result<()> {
        names.iter().try_for_each(|name| files.plan(&self.named(name), self.format.kind()))
    }

    /// Writes one file per plot; returns their paths.
    pub(crate) fn write(
        &self,
        plots: &[(String, Plot)],
        files: &mut OutputFiles,
    ) -> Result<Vec<PathBuf>> {
        let write = |(name, plot): &(String, Plot)| {
            let path = self.named(name);
            write_plot(&path, plot, files)?;
            Ok(path)
        };
        plots.iter().map(write).collect()
    }

    fn named(&self, name: &str) -> PathBuf {
        let mut file = self.path.file_stem().unwrap_or_default().to_owned();
        file.push(format!("-{name}.{}", self.format.ending()));
        self.path.with_file_name(file)
    }
}

/// Announces one plot.
pub(crate) fn plan_plot(path: &Path, files: &mut OutputFiles) -> Result<()> {
    files.plan(path, PlotFormat::of_plot(path)?.kind())
}

/// Writes one plot.
pub(crate) fn write_plot(path: &Path, plot: &Plot, files: &mut OutputFiles) -> Result<()> {
    let format = PlotFormat::of_plot(path)?;
    let content = format.draw(plot).map_err(|error| {
        CliError::new(format!("cannot draw {}: {error}", path.display())).code(NO_SUCCESS)
    })?;
    files.put(path, format.kind(), content)
}
