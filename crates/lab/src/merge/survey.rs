//! Whether files fit together: their plans, and what their players did.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use treegraft_players::Registry;

use super::part::Looked;
use super::plans::PlanOf;
use super::{MergeError, MergeOptions};
use crate::pair::Pair;
use crate::signatures::{Changed, Live, Signatures};
use crate::store::{Session, StoredGame};

/// What all files have in common.
pub(super) struct Survey<'a> {
    registry: &'a Registry,
    live: Live<'a>,
    /// The different experiments, with a file that has each.
    pub(super) plans: Vec<(PathBuf, PlanOf)>,
    /// What each player did in each game, and a file in which it did.
    known: HashMap<(String, String), (String, PathBuf)>,
}

/// What is left of a file that was taken note of.
pub(super) struct Surveyed {
    /// The number of its plan.
    pub(super) plan: usize,
    pub(super) games: Vec<StoredGame>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(registry: &'a Registry) -> Survey<'a> {
        let live = Live::new(registry);
        Survey { registry, live, plans: Vec::new(), known: HashMap::new() }
    }

    /// Takes note of a file.
    pub(super) fn add(
        &mut self,
        looked: Looked,
        path: &Path,
        options: MergeOptions,
    ) -> Result<Surveyed, MergeError> {
        let Looked { text, sessions, casts, games, .. } = looked;
        let known = self.plans.iter().position(|(_, plan)| plan.text == text);
        let plan = known.unwrap_or_else(|| {
            let folder = path.parent().unwrap_or(Path::new(""));
            let first = self.plans.first().and_then(|(path, _)| path.parent());
            let folders: Vec<&Path> = [Some(folder), first].into_iter().flatten().collect();
            self.plans.push((path.to_owned(), PlanOf::read(self.registry, text, &folders)));
            self.plans.len() - 1
        });
        if !options.mix_versions {
            let read = |(id, session): &(i64, Session)| (*id, Signatures::read(&session.signature));
            let signatures: HashMap<i64, Signatures> = sessions.iter().map(read).collect();
            for (session, game, players) in casts {
                let Some(then) = signatures.get(&session) else { continue };
                for (game, player, number) in self.live.recorded(then, &game, &players) {
                    self.compare(path, game, player, number)?;
                }
            }
        }
        Ok(Surveyed { plan, games })
    }

    fn compare(
        &mut self,
        part: &Path,
        game: String,
        player: String,
        now: String,
    ) -> Result<(), MergeError> {
        let known = self.known.entry((game.clone(), player.clone()));
        let (then, other) = known.or_insert_with(|| (now.clone(), part.to_owned()));
        if self.live.is_same(&game, &player, then, &now) {
            return Ok(());
        }
        let changed = Box::new(Changed { game, player, then: then.clone(), now });
        let (part, other) = (part.to_owned(), other.clone());
        Err(MergeError::OtherSignature { part, other, changed })
    }

    /// The number of the plan that has all pairs of the others.
    pub(super) fn largest(&self) -> Result<usize, MergeError> {
        let mut largest = 0;
        for number in 1..self.plans.len() {
            if self.plans[number].1.is_within(&self.plans[largest].1).is_err() {
                largest = number;
            }
        }
        for (part, plan) in &self.plans {
            let (other, of_largest) = &self.plans[largest];
            if let Err(differences) = plan.is_within(of_largest) {
                let (part, other) = (part.clone(), other.clone());
                return Err(MergeError::OtherPlan { part, other, differences });
            }
        }
        Ok(largest)
    }
}

/// Which games need not be the same wherever they are played.
pub(super) struct MayDiffer<'a> {
    registry: &'a Registry,
    all: bool,
    /// By the players.
    known: HashMap<[String; 2], bool>,
}

impl<'a> MayDiffer<'a> {
    pub(super) fn new(registry: &'a Registry, all: bool) -> MayDiffer<'a> {
        MayDiffer { registry, all, known: HashMap::new() }
    }

    pub(super) fn is_true_of(&mut self, game: &StoredGame) -> bool {
        if self.all {
            return true;
        }
        let Ok(pair) = serde_json::from_str::<Pair>(&game.setup) else { return true };
        let known = self.known.entry(pair.players.clone());
        *known.or_insert_with(|| !pair.is_repeatable(self.registry))
    }
}
