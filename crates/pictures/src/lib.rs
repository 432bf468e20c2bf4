//! Results to look at: plots, boards and search trees as SVG or PNG, tables as text, Markdown, LaTeX,
//! CSV or JSON. All are pure functions of their data; nothing here reads or writes files, or knows
//! how results are made.

pub mod csv;
mod lines;
pub mod plot;
mod printable;
pub mod svg;
pub mod table;

pub use lines::{grouped, wrapped};
pub use printable::{on_one_line, printable};
