//! Merging: the games of several files in one store.
//!
//! A pair is named by a hash of everything that it depends on, so files can be merged in any order,
//! and it does not matter whether they overlap, are incomplete or come twice. Three things do matter
//! and are looked at in every file before anything is written: whether it is intact, whether its
//! plan is the same, and whether its players did the same as those of the same name elsewhere.

mod intake;
mod part;
mod plans;
mod survey;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use treegraft_players::Registry;

use crate::files::FilePlace;
use crate::game_file::GameFile;
use crate::missing::Missing;
use crate::row::PairId;
use crate::run::PlannedPair;
use crate::signatures::Changed;
use crate::store::{Store, StoreError, StoredGame};
use intake::{Intake, Taken};
use part::{Contents, Looked, in_parallel, is_damage, readers};
use survey::{MayDiffer, Survey, Surveyed};

/// How files are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// Whether to leave out files that are damaged, instead of merging nothing.
    pub skip_damaged: bool,
    /// Whether games of different versions of the searches may be in one store.
    pub mix_versions: bool,
}

/// How to watch a merge, and how to end it early.
#[derive(Default)]
pub struct MergeWatch<'a> {
    /// Called with how many steps are done, and how many there are: every file is looked at, and then
    /// taken in.
    pub progress: Option<&'a mut dyn FnMut(usize, usize)>,
    /// Set from another thread to end the merge after the file in hand.
    pub cancel: Option<&'a AtomicBool>,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedPart {
    /// The file.
    pub path: PathBuf,
    /// Games in it.
    pub games: usize,
    /// Games that were not in the store yet.
    pub new: usize,
    /// Games that were in the store and played differently there, as clocks and engines may: the
    /// store keeps its own.
    pub differing: usize,
    /// Why it was left out, if it was.
    pub damage: Option<String>,
}

/// The result of a merge.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeSummary {
    /// All files in the order in which they were given. Those that a cancelled merge did not get to
    /// are missing.
    pub parts: Vec<MergedPart>,
    /// Games in the store now.
    pub games: usize,
    /// How much of the plan is there; `None` if this program cannot read the experiment.
    pub plan: Option<PlanShare>,
    /// Whether it was cancelled before all files were merged.
    pub cancelled: bool,
    /// Seconds that it took.
    pub seconds: f64,
}

/// How much of a plan is in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanShare {
    /// Pairs of the plan.
    pub planned: usize,
    /// Pairs of the plan that are there.
    pub done: usize,
    /// Pairs that are there and not in the plan.
    pub outside: usize,
    /// Which pairs of the plan are not there, and which shards if the parts, or most of them, say
    /// how many there are. That a sequential test may need no more of them is not considered.
    pub missing: Missing,
}

/// Why files are not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Something is wrong with the store that everything goes into.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A part is damaged. Nothing was written.
    #[error("{source}")]
    Damaged {
        /// The part.
        part: PathBuf,
        /// What is wrong with it.
        source: Box<StoreError>,
    },
    /// A part cannot be found or read. Nothing was written.
    #[error(transparent)]
    Part(StoreError),
    /// Two files are of different experiments. Nothing was written.
    #[error("{part} is of another plan than {other}: {}", differences.join("; "))]
    OtherPlan {
        /// One file.
        part: PathBuf,
        /// The other.
        other: PathBuf,
        /// What differs, in words.
        differences: Vec<String>,
    },
    /// A player did something else in another file. Nothing was written.
    #[error(
        "{part} was played by other searches than {other}: {} in {} has signature {} there, and {} \
         in the other",
        changed.player, changed.game, changed.now, changed.then
    )]
    OtherSignature {
        /// One file.
        part: PathBuf,
        /// The other.
        other: PathBuf,
        /// The player, with its signature in the other file (then) and in this one (now).
        changed: Box<Changed>,
    },
    /// A game that follows from its seed was played in two ways. The part was not merged.
    #[error(
        "{part} contradicts {out}: game {} of pair {pair} follows from its seed, but {what}",
        number + 1
    )]
    Contradiction {
        /// The part.
        part: PathBuf,
        /// The store.
        out: PathBuf,
        /// The pair.
        pair: PairId,
        /// The game, 0 or 1.
        number: u8,
        /// What differs, in words: first in the store, then in the part.
        what: String,
    },
}

/// Puts the games of all parts, stores and ledgers, into the store `out`, which is created if it is
/// not there. Parts that are the same file as `out`, and files that SQLite keeps beside a store, are
/// passed over: `*.db*` means them all.
///
/// Each part is written whole or not at all. Parts that a run is still writing to give what they
/// have.
///
/// # Errors
///
/// If a part is missing, or damaged and not to be skipped; the plans or the signatures of players do
/// not fit together; or the store cannot be written. Only the last, and a contradiction, can come up
/// after parts have been written, which stay: the same merge can be tried again.
pub fn merge(
    registry: &Registry,
    out: &Path,
    parts: &[PathBuf],
    options: MergeOptions,
    mut watch: MergeWatch<'_>,
) -> Result<MergeSummary, MergeError> {
    let begun = Instant::now();
    let place = FilePlace::of(out).ok();
    let is_out = |part: &Path| match (&place, FilePlace::of(part)) {
        (Some(out), Ok(part)) => out.is_same(&part),
        _ => false,
    };
    let parts = parts.iter().map(PathBuf::as_path);
    let parts: Vec<&Path> = parts.filter(|part| !is_out(part) && !is_beside_store(part)).collect();
    let steps = 2 * parts.len();
    let mut show = |done: usize| {
        if let Some(progress) = &mut watch.progress {
            progress(done, steps);
        }
    };
    let is_cancelled = || watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
    show(0);

    // Everything is looked at before anything is written.
    let mut survey = Survey::new(registry);
    let mut divisions: BTreeMap<u32, usize> = BTreeMap::new();
    let mut merged: BTreeMap<usize, MergedPart> = BTreeMap::new();
    let mut intact = Vec::new();
    // The games of small parts stay in memory, so that they are read once.
    let mut kept: HashMap<usize, Vec<StoredGame>> = HashMap::new();
    let mut cancelled = false;
    // Opened for writing from the beginning: no other process writes to it until all is done.
    let there = match out.exists() {
        true => {
            let store = Store::open_or_create(out, "")?;
            let looked = Looked::at(&GameFile::open(&store.path)?, &store.path)?;
            let games = survey.add(looked, out, options)?.games;
            Some((store, games))
        }
        false => None,
    };
    let indices: Vec<usize> = (0..parts.len()).collect();
    'survey: for chunk in indices.chunks(readers()) {
        let looked = in_parallel(chunk, |&index| {
            GameFile::open(parts[index]).and_then(|file| Looked::at(&file, parts[index]))
        });
        for (&index, looked) in chunk.iter().zip(looked) {
            if is_cancelled() {
                cancelled = true;
                break 'survey;
            }
            let part = parts[index];
            match looked {
                Ok(looked) => {
                    let is_ledger = looked.is_ledger;
                    looked.shards.into_iter().for_each(|it| *divisions.entry(it).or_default() += 1);
                    let Surveyed { plan, games } = survey.add(looked, part, options)?;
                    intact.push((is_ledger, plan, index));
                    if kept.values().map(Vec::len).sum::<usize>() + games.len() <= MAX_KEPT {
                        kept.insert(index, games);
                    }
                }
                Err(error) if !is_damage(&error) => return Err(MergeError::Part(error)),
                Err(source) if !options.skip_damaged => {
                    let (part, source) = (part.to_owned(), Box::new(source));
                    return Err(MergeError::Damaged { part, source });
                }
                Err(error) => {
                    let (path, damage) = (part.to_owned(), Some(error.to_string()));
                    let part = MergedPart { path, games: 0, new: 0, differing: 0, damage };
                    merged.insert(index, part);
                }
            }
            show(index + 1);
        }
    }
    let largest = survey.largest()?;
    // A game has more in a store than in a ledger. The largest plan comes last: it is what the store
    // is said to have been played for.
    intact.sort_by_key(|&(is_ledger, plan, index)| (is_ledger, plan == largest, index));

    let (mut store, mut there) = match there {
        Some(there) => there,
        None => {
            let text = survey.plans.get(largest).map_or("", |(_, plan)| plan.text.as_str());
            (Store::open_or_create(out, text)?, Vec::new())
        }
    };
    there.truncate(MAX_KEPT);
    let mut intake = Intake::new(&mut store, there)?;
    let mut may_differ = MayDiffer::new(registry, options.mix_versions);
    let indices: Vec<usize> = intact.iter().map(|&(_, _, index)| index).collect();
    let mut done = parts.len() + merged.len();
    'merge: for chunk in indices.chunks(readers()) {
        if cancelled {
            break;
        }
        let chunk: Vec<_> = chunk.iter().map(|index| (*index, kept.remove(index))).collect();
        let read =
            in_parallel(&chunk, |(index, kept)| Contents::read(parts[*index], kept.is_some()));
        for ((index, kept), contents) in chunk.into_iter().zip(read) {
            if is_cancelled() {
                cancelled = true;
                break 'merge;
            }
            let mut contents = contents.map_err(MergeError::Part)?;
            contents.games = kept.unwrap_or(contents.games);
            let games = contents.games.len();
            let may_differ = &mut |game: &StoredGame| may_differ.is_true_of(game);
            let Taken { new, differing } = intake.take(parts[index], contents, may_differ)?;
            let path = parts[index].to_owned();
            merged.insert(index, MergedPart { path, games, new, differing, damage: None });
            done += 1;
            show(done);
        }
    }
    let done = intake.store.pairs_done()?;
    let games = 2 * done.len();
    // As most parts say.
    if let Some((&shards, _)) = divisions.iter().max_by_key(|(_, parts)| **parts) {
        store.record_shards(shards)?;
    }
    store.confirm(games)?;
    let shards = store.shards()?;
    let plan = survey.plans.get(largest).and_then(|(_, plan)| plan.experiment.as_ref());
    let plan = plan.map(|experiment| {
        let pairs = PlannedPair::all(&experiment.plan);
        let planned: HashSet<PairId> = pairs.iter().map(|planned| planned.pair.id()).collect();
        let there = planned.iter().filter(|id| done.contains(*id)).count();
        let missing = Missing::of(&pairs, &done, shards, |_, _| true);
        PlanShare { planned: planned.len(), done: there, outside: done.len() - there, missing }
    });
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MergeSummary { parts: merged.into_values().collect(), games, plan, cancelled, seconds })
}

/// Whether a file is no part but belongs to the store beside it.
fn is_beside_store(path: &Path) -> bool {
    let name = path.as_os_str().to_string_lossy();
    let of_store =
        ["-wal", "-shm", "-journal", ".lock"].iter().find_map(|it| name.strip_suffix(it));
    of_store.is_some_and(|store| Path::new(store).exists())
}

/// Games of all parts that stay in memory between looking at them and writing them, and as many of
/// those that were in the store: some 200 MB each.
const MAX_KEPT: usize = 100_000;
