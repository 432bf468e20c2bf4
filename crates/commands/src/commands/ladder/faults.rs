//! Programs that lose games of a ladder without being beaten.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use treegraft_engine::FaultKind;
use treegraft_engine::programs::{find_program, packages_of};
use treegraft_lab::report::results;
use treegraft_lab::{CountedPair, LoadedExperiment};
use treegraft_players::{Player, Search};

use crate::commands::matches::fault_note;
use crate::prelude::*;

/// The faults of one program, in all its games.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Faults {
    /// What tables call it.
    name: String,
    /// Its games that count.
    games: u32,
    /// Those that it lost by faults.
    lost: u32,
    /// These by the names of the faults.
    kinds: BTreeMap<String, u32>,
    /// What happened in the first of them, in words, if that is kept.
    first: Option<String>,
}

impl Faults {
    /// The faults of all programs that have some, by their names.
    pub(super) fn of(loaded: &LoadedExperiment, counted: &[CountedPair<'_>]) -> Vec<Faults> {
        let pairings = &loaded.experiment.plan.pairings;
        let mut all: BTreeMap<&str, Faults> = BTreeMap::new();
        for result in results(&loaded.experiment, counted) {
            for (name, kinds) in pairings[result.pairing].names.iter().zip(&result.faults) {
                let faults = all.entry(name).or_default();
                faults.games += result.tally.games();
                for (kind, number) in kinds {
                    *faults.kinds.entry(kind.clone()).or_default() += number;
                    faults.lost += number;
                }
            }
        }
        for (pair, row) in counted.iter().flat_map(|pair| pair.rows.map(|row| (pair, row))) {
            // Who is at fault loses.
            let name = &pairings[pair.pairing].names[usize::from(row.value_for_a() > 0)];
            if let Some(faults) = all.get_mut(name.as_str()).filter(|_| !row.fault.is_empty()) {
                faults.first.get_or_insert_with(|| row.fault.clone());
            }
        }
        let named =
            all.into_iter().map(|(name, faults)| Faults { name: name.to_owned(), ..faults });
        named.filter(|faults| faults.lost > 0).collect()
    }

    /// Whether it could not be started for a single game: its rating says nothing then.
    pub(super) fn never_started(&self) -> bool {
        self.kinds.get(FaultKind::NoStart.name()) == Some(&self.games)
    }

    /// How many games it lost by what, and the first of them.
    pub(super) fn note(&self) -> String {
        let note = fault_note(&self.name, &self.kinds, self.games).unwrap_or_default();
        match &self.first {
            Some(first) => format!("{note}; the first: {first}"),
            None => note,
        }
    }
}

/// The failure of a ladder in which programs were never started.
pub(super) fn unless_started(faults: &[Faults], store: &str) -> Result<()> {
    let names: Vec<&str> =
        faults.iter().filter(|it| it.never_started()).map(|it| it.name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let message = format!("could not be started for any game: {}", names.join(", "));
    let hint = format!(
        "the program alone, with the same arguments, to see what is wrong; without {store} its games \
         are played again"
    );
    Err(CliError::new(message).hint(hint).code(NO_SUCCESS))
}

/// Refuses programs that are nowhere to be found, before a game is played.
pub(super) fn refuse_missing(loaded: &LoadedExperiment) -> Result<()> {
    let players = loaded.experiment.plan.pairings.iter().flat_map(|pairing| &pairing.players);
    let missing: BTreeSet<&str> = players.filter_map(missing_program).collect();
    let Some(&first) = missing.first() else { return Ok(()) };
    let names: Vec<&str> = missing.iter().copied().collect();
    let message = format!("not installed, or not at this path: {}", names.join(", "));
    let hint = match packages_of(first) {
        Some(packages) => format!("Debian has {first} in {packages}; or --players without it"),
        None => "the right path of the program, or --players without it".to_owned(),
    };
    Err(CliError::new(message).hint(hint).code(NO_SUCCESS))
}

/// The program of a player, if there is none of this name.
fn missing_program(player: &Player) -> Option<&str> {
    match &player.search {
        Search::Engine(options) => {
            options.command.first().map(String::as_str).filter(|it| find_program(it).is_none())
        }
        _ => None,
    }
}
