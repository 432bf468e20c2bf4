//! Plots as files.

use std::path::{Path, PathBuf};

use treegraft_pictures::plot::Plot;

use crate::error::{CliError, Result};
use crate::output::NO_SUCCESS;
use crate::output_file::{FileKind, OutputFiles};

/// How the names of plots can end, and what is in the files.
const FORMATS: [(&str, FileKind); 2] = [("svg", FileKind::SVG), ("png", FileKind::PNG)];

/// The format that the argument of `--plot` selects.
pub(crate) fn plot_format(path: &Path) -> Result<(&'static str, FileKind)> {
    let ending = path.extension();
    FORMATS.into_iter().find(|(known, _)| ending.is_some_and(|it| it == *known)).ok_or_else(|| {
        CliError::new(format!("--plot {path:?}: expected a name that ends with .svg or .png"))
    })
}

/// Where the plot of this name goes, if there are several.
pub(crate) fn plot_beside(path: &Path, name: &str) -> PathBuf {
    let mut file = path.file_stem().unwrap_or_default().to_owned();
    file.push(format!("-{name}."));
    file.push(path.extension().unwrap_or_default());
    path.with_file_name(file)
}

/// Announces plots.
pub(crate) fn plan_plots(
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
    files: &mut OutputFiles,
) -> Result<()> {
    paths.into_iter().try_for_each(|path| {
        let (_, kind) = plot_format(path.as_ref())?;
        files.plan([path], kind)
    })
}

/// Writes one plot.
pub(crate) fn write_plot(path: &Path, plot: &Plot, files: &mut OutputFiles) -> Result<()> {
    const SCALE: f64 = 2.0;
    let (_, kind) = plot_format(path)?;
    let content = match kind {
        FileKind::PNG => plot.png(SCALE).map_err(|error| {
            CliError::new(format!("cannot draw {}: {error}", path.display())).code(NO_SUCCESS)
        })?,
        _ => plot.svg().into_bytes(),
    };
    files.put(path, kind, content)
}

/// Writes one file per plot; returns their paths.
pub(crate) fn write_plots_beside(
    path: &Path,
    plots: &[(String, Plot)],
    files: &mut OutputFiles,
) -> Result<Vec<PathBuf>> {
    let write = |(name, plot): &(String, Plot)| {
        let path = plot_beside(path, name);
        write_plot(&path, plot, files).map(|()| path)
    };
    plots.iter().map(write).collect()
}
