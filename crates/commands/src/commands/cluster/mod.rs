//! `treegraft cluster`: experiments on many machines.

mod script;
mod slurm;

use clap::Subcommand;

use crate::prelude::*;

/// Run an experiment on a cluster
///
/// Every task of the cluster plays a shard of the plan (`treegraft run --shard`) into a store of its
/// own; at the end `treegraft merge` puts the parts together. docs/clusters.md explains how.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft cluster slurm examples/quick.toml --tasks 8 --output quick.slurm
  treegraft cluster slurm examples/sprt.toml --tasks 4 --first 40 --output sprt.slurm --json")]
pub(crate) struct Cluster {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Slurm(slurm::Slurm),
}

impl Cluster {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        match &self.kind {
            Kind::Slurm(args) => args.run(registry),
        }
    }
}
