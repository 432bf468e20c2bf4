//! What every command has at hand: arguments, errors, output, files, and what ends it early.

pub(crate) use clap::Args;
pub(crate) use treegraft_players::Registry;

pub(crate) use crate::error::{CliError, Result};
pub(crate) use crate::input::*;
pub(crate) use crate::interrupt;
pub(crate) use crate::output::*;
pub(crate) use crate::output_file::*;
