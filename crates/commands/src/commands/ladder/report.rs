//! `treegraft ladder report`: the page of all results.

use std::path::{Path, PathBuf};

use treegraft_ladder::{Page, page};

use super::Where;
use crate::prelude::*;

/// Make the page of all ladders and of the atlas
///
/// Reads the ledgers and the atlas in the folder of --dir, and prints the page in Markdown. With --page
/// it writes the page and, in a folder img beside it, its pictures.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft ladder report
  treegraft ladder report --dir ladder/results --page docs/strength.md")]
pub(crate) struct Report {
    #[command(flatten)]
    place: Where,

    /// Write the page to this file
    #[arg(long, value_name = "FILE.md")]
    page: Option<PathBuf>,
}

impl Report {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let dir = &self.place.dir;
        if !dir.is_dir() {
            return Err(CliError::new(format!("there are no results in {}", dir.display()))
                .hint("`treegraft ladder connect4` makes some, or --dir DIR"));
        }
        let mut files = OutputFiles::default();
        files.plan(&self.page, FileKind::STRENGTH_PAGE)?;
        let Page { text, pictures } =
            page(registry, dir).map_err(|error| CliError::of(error).code(NO_SUCCESS))?;
        let Some(path) = &self.page else { return Ok(Output::data(text)) };
        let folder = path.parent().unwrap_or(Path::new("")).join("img");
        // Only the folder of the pictures: another one that is not there is a slip of the pen.
        if !folder.is_dir() {
            std::fs::create_dir(&folder)
                .map_err(CliError::about(format!("cannot make the folder {}", folder.display())))
                .map_err(|error| error.code(NO_SUCCESS))?;
        }
        files.put(path, FileKind::STRENGTH_PAGE, &text)?;
        for (name, svg) in &pictures {
            files.put(&folder.join(name), FileKind::SVG, svg)?;
        }
        Ok(Output::text(format!("page  {}\n", path.display())))
    }
}
