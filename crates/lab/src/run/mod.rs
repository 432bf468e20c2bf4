//! Running a plan: every pair that is not in the store is played and written.
//!
//! Threads take the pairs in the order of the plan; the calling thread writes the finished ones,
//! each time all that have accumulated since it last waited for the disk. What is played and what
//! counts depends on the plan and the stop rule alone, not on the number of threads.

mod driver;
mod standing;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use treegraft_players::Registry;

use crate::experiment::Plan;
use crate::pair::{FinishedPair, Pair, PairError, PairPlayer};
use crate::row::PairId;
use crate::signatures::{Changed, Live, Signatures};
use crate::store::{Session, Store, StoreError};
use crate::workers::{ThreadsError, Workers, processors};
pub use driver::Driver;
pub use standing::{CountedPair, Standing, StopWhen, counted, standings};
use standing::{Standings, ids, places};

/// A pair of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPair {
    /// The number of the pairing that it belongs to, which is a row of the results.
    pub pairing: usize,
    /// What is played.
    pub pair: Pair,
}

impl PlannedPair {
    /// All pairs of a plan, in the order in which they should be played.
    #[must_use]
    pub fn all(plan: &Plan) -> Vec<PlannedPair> {
        plan.pairs().map(|(pairing, _, pair)| PlannedPair { pairing, pair }).collect()
    }
}

/// How a plan is run.
#[derive(Clone, Copy, Default)]
pub struct RunOptions<'a> {
    /// Pairs played at once; 0: one per processor.
    pub jobs: usize,
    /// When a pairing is decided before its last pair; `None`: never.
    pub stop: Option<StopWhen<'a>>,
    /// Whether the store may already hold games of other versions of the searches.
    pub mix_versions: bool,
    /// Whether to keep what the players think, beside the games that this run plays.
    pub record: bool,
    /// The text of the experiment, for the record.
    pub experiment: &'a str,
    /// The revision of the program's source, for the record; empty if it is not known.
    pub revision: &'a str,
}

/// How to watch a run, and how to end it early.
#[derive(Default)]
pub struct RunWatch<'a> {
    /// Called at the beginning and whenever pairs have been written, from the thread that called.
    pub progress: Option<&'a mut dyn FnMut(&RunProgress<'_>)>,
    /// Set from another thread to end the run soon: pairs that are not over are dropped.
    pub cancel: Option<&'a AtomicBool>,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress<'a> {
    /// Pairs of the plan.
    pub planned: usize,
    /// Pairs of the plan that are in the store.
    pub done: usize,
    /// Pairs that this run has played and written.
    pub played: usize,
    /// Seconds since this run began.
    pub seconds: f64,
    /// The pairs that have been written since the last call: safe from now on.
    pub written: &'a [PairId],
    /// How each pairing stands.
    pub standings: &'a [Standing],
}

impl RunProgress<'_> {
    /// Games that this run has played per second.
    #[must_use]
    pub fn games_per_second(&self) -> f64 {
        if self.seconds > 0.0 { 2.0 * self.played as f64 / self.seconds } else { 0.0 }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Pairs of the plan.
    pub planned: usize,
    /// Pairs of the plan that were in the store before.
    pub found: usize,
    /// Pairs that were played and written.
    pub played: usize,
    /// All games in the store at the end, those outside the plan included.
    pub games: usize,
    /// Whether the run was cancelled before everything was played.
    pub cancelled: bool,
    /// Seconds that it took.
    pub seconds: f64,
    /// How each pairing stands.
    pub standings: Vec<Standing>,
}

/// Why a run ended early. What was written stays.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something is wrong with the store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A pair went wrong.
    #[error("pair {id}: {error}")]
    Pair {
        /// Its name.
        id: PairId,
        /// What went wrong.
        error: PairError,
    },
    /// A search has changed since the store was begun.
    #[error(
        "games in {path} were played by other searches: {changed}; choose another store, or allow \
         games of several versions in one"
    )]
    OtherVersion {
        /// The store.
        path: String,
        /// The search that has changed.
        changed: Box<Changed>,
    },
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Plays and writes every pair of the plan that is not in the store, except those that come after
/// the decision of their pairing.
///
/// # Errors
///
/// If the store is damaged, cannot be written, is removed meanwhile, or has games of other searches,
/// or a pair cannot be played. Pairs that were finished by then are in the store.
pub fn run(
    registry: &Registry,
    plan: &[PlannedPair],
    store: &mut Store,
    options: RunOptions<'_>,
    watch: RunWatch<'_>,
) -> Result<RunSummary, RunError> {
    let begun = Instant::now();
    let live = Live::new(registry);
    let known = Known::read(store, plan, options.stop, (!options.mix_versions).then_some(&live))?;
    let mut pending = HashSet::new();
    let todo: Vec<(PairId, &Pair)> = plan
        .iter()
        .zip(&known.ids)
        .map(|(planned, id)| (*id, &planned.pair))
        .filter(|(id, _)| !known.found.contains(id) && pending.insert(*id))
        .collect();
    let (found, stop, halt) = (known.found.len(), options.stop, AtomicBool::new(false));
    let mut run = Run { begun, known, found, stop, store, watch, halt };
    run.show(&[]);
    if todo.iter().any(|(id, _)| run.known.is_open(id)) {
        let jobs = if options.jobs == 0 { processors() } else { options.jobs };
        let signatures = live.of_pairs(todo.iter().map(|&(_, pair)| pair));
        let session = Session::here(jobs, options.experiment, signatures.to_string());
        let revision = options.revision.to_owned();
        run.store.begin_session(&Session { revision, ..session })?;
        run.play(registry, &todo, jobs, options.record)?;
    }
    let played = run.known.found.len() - found;
    let games = run.known.games + 2 * played;
    run.store.confirm(games)?;
    let cancelled =
        run.halt.load(Ordering::Relaxed) && todo.iter().any(|(id, _)| run.known.is_open(id));
    Ok(RunSummary {
        planned: run.known.places.len(),
        found,
        played,
        games,
        cancelled,
        seconds: begun.elapsed().as_secs_f64(),
        standings: run.known.standings.all,
    })
}

/// What is known of a plan and its store.
struct Known {
    /// The names of its pairs.
    ids: Vec<PairId>,
    /// Where in the plan each pair stands.
    places: HashMap<PairId, Vec<standing::Place>>,
    standings: Standings,
    /// Pairs of the plan that are in the store.
    found: HashSet<PairId>,
    /// All games that were in the store before.
    games: usize,
}

impl Known {
    /// Reads a store, which must be intact and, if `live` is given, played by the same searches.
    fn read(
        store: &Store,
        plan: &[PlannedPair],
        stop: Option<StopWhen<'_>>,
        live: Option<&Live<'_>>,
    ) -> Result<Known, RunError> {
        if let Some(problem) = store.check().problems.into_iter().next() {
            return Err(StoreError::Damaged { path: store.path.clone(), problem }.into());
        }
        let ids = ids(plan);
        let places = places(plan, &ids);
        let mut standings = Standings::new(plan);
        let mut found = HashSet::new();
        let games = store.games()?;
        for games in games.chunk_by(|a, b| a.row.pair == b.row.pair) {
            let [first, second] = games else { continue };
            let id = first.row.pair;
            if let Some(places) = places.get(&id) {
                standings.add(places, [&first.row, &second.row], stop);
                found.insert(id);
            }
        }
        if let Some(live) = live {
            let mut played_in: HashMap<i64, HashSet<PairId>> = HashMap::new();
            for game in games.iter().filter(|game| found.contains(&game.row.pair)) {
                played_in.entry(game.session).or_default().insert(game.row.pair);
            }
            refuse_other_versions(store, &played_in, plan, &ids, live)?;
        }
        Ok(Known { ids, places, standings, found, games: games.len() })
    }

    /// Takes note of a pair that has been written.
    fn add(&mut self, pair: &FinishedPair, stop: Option<StopWhen<'_>>) {
        let [first, second] = &pair.rows;
        self.standings.add(&self.places[&first.pair], [first, second], stop);
        self.found.insert(first.pair);
    }

    /// Whether a pair is not in the store, and could count.
    fn is_open(&self, id: &PairId) -> bool {
        !self.found.contains(id) && self.standings.is_open(&self.places[id])
    }
}

/// Fails if a player of the plan did something else in a session that played pairs of it.
fn refuse_other_versions(
    store: &Store,
    played_in: &HashMap<i64, HashSet<PairId>>,
    plan: &[PlannedPair],
    ids: &[PairId],
    live: &Live<'_>,
) -> Result<(), RunError> {
    for (id, session) in store.sessions()? {
        let Some(played) = played_in.get(&id) else { continue };
        let then = Signatures::read(&session.signature);
        let mut seen = HashSet::new();
        let played = plan.iter().zip(ids).filter(|(_, id)| played.contains(*id));
        for (PlannedPair { pair, .. }, _) in played {
            if !seen.insert((&pair.game, &pair.players)) {
                continue;
            }
            if let Some(changed) = live.changes(&then, pair).into_iter().next() {
                let (path, changed) = (store.path.display().to_string(), Box::new(changed));
                return Err(RunError::OtherVersion { path, changed });
            }
        }
    }
    Ok(())
}

/// A run in progress.
struct Run<'a, 'w> {
    begun: Instant,
    known: Known,
    /// Pairs of the plan that were in the store before.
    found: usize,
    stop: Option<StopWhen<'a>>,
    store: &'a mut Store,
    watch: RunWatch<'w>,
    /// Set to end all threads soon.
    halt: AtomicBool,
}

/// What a thread has to say about a pair; nothing if the pair cannot count any more.
type News = Option<(PairId, Result<FinishedPair, PairError>)>;

impl Run<'_, '_> {
    fn play(
        &mut self,
        registry: &Registry,
        todo: &[(PairId, &Pair)],
        jobs: usize,
        record: bool,
    ) -> Result<(), RunError> {
        let places = |id: &PairId| self.known.places[id].clone();
        let tasks: Vec<(PairId, &Pair, Vec<standing::Place>)> =
            todo.iter().map(|&(id, pair)| (id, pair, places(&id))).collect();
        let ends = self.known.standings.ends();
        let halt = std::mem::replace(&mut self.halt, AtomicBool::new(false));
        let cancel = self.watch.cancel;
        let mut failed = None;
        let result = Workers { jobs, cancel, halt: &halt }.run(
            &tasks,
            || PairPlayer::new(registry),
            |player, &(id, pair, ref places)| -> News {
                if !ends.is_open(places) {
                    return None;
                }
                let played = player.play(pair, record, Some(&halt));
                if matches!(&played, Err(error) if *error != PairError::Cancelled) {
                    halt.store(true, Ordering::Relaxed);
                }
                Some((id, played))
            },
            &mut |news| self.write(news, &ends, &mut failed),
        );
        self.halt = halt;
        result.and(failed.map_or(Ok(()), Err))
    }

    /// Writes what is finished.
    fn write(
        &mut self,
        news: Vec<News>,
        ends: &standing::Ends,
        failed: &mut Option<RunError>,
    ) -> Result<(), RunError> {
        let mut finished = Vec::new();
        for (id, result) in news.into_iter().flatten() {
            match result {
                Ok(pair) => finished.push(pair),
                Err(PairError::Cancelled) => {}
                // Pairs that others are about to finish are still written.
                Err(error) => {
                    failed.get_or_insert(RunError::Pair { id, error });
                }
            }
        }
        if !finished.is_empty() {
            self.store.append(&finished)?;
            self.count(&finished, ends);
        }
        Ok(())
    }

    /// Takes note of pairs that have been written.
    fn count(&mut self, finished: &[FinishedPair], ends: &standing::Ends) {
        finished.iter().for_each(|pair| self.known.add(pair, self.stop));
        ends.update(&self.known.standings);
        let written: Vec<PairId> = finished.iter().map(|pair| pair.rows[0].pair).collect();
        self.show(&written);
    }

    fn show(&mut self, written: &[PairId]) {
        if let Some(progress) = &mut self.watch.progress {
            progress(&RunProgress {
                planned: self.known.places.len(),
                done: self.known.found.len(),
                played: self.known.found.len() - self.found,
                seconds: self.begun.elapsed().as_secs_f64(),
                written,
                standings: &self.known.standings.all,
            });
        }
    }
}
