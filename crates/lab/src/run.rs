//! Running a plan: every pair that is not in the store is played and written.
//!
//! Threads take the pairs in the order of the plan; the thread that called writes what they have
//! finished, as many pairs at a time as have come together since it last waited for the disk. What is
//! played and what counts depends on the plan and the stop rule alone, not on the number of threads.

mod standing;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use crate::store::{FinishedPair, Session};
use crate::{GameRow, Pair, PairError, PairId, Plan, Store, StoreError, play_pair};
pub use standing::{CountedPair, Standing, StopTest, counted};
use standing::{Standings, places};

/// A pair of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPair {
    /// Which two players meet, and in what: the number of the table's row that the pair belongs to.
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
    /// Pairs at a time; 0: as many as there are processors.
    pub jobs: usize,
    /// When a pairing is decided before its last pair; `None`: never.
    pub stop: Option<StopTest<'a>>,
    /// Games of searches that do something else may be in the store already.
    pub mix_versions: bool,
    /// The text of the experiment, for the record.
    pub experiment: &'a str,
}

/// How to look on, and how to end a run before its time.
#[derive(Default)]
pub struct RunWatch<'a> {
    /// Called at the beginning and whenever pairs have been written, from the thread that called.
    pub progress: Option<&'a mut dyn FnMut(&RunProgress<'_>)>,
    /// Set from another thread to end the run soon: pairs that are not over are dropped.
    pub cancel: Option<&'a AtomicBool>,
}

/// How far a run is.
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

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Pairs of the plan.
    pub planned: usize,
    /// Pairs of the plan that were in the store before.
    pub found: usize,
    /// Pairs that were played and written.
    pub played: usize,
    /// Whether the run was cancelled before everything was played.
    pub cancelled: bool,
    /// Seconds that it took.
    pub seconds: f64,
    /// How each pairing stands.
    pub standings: Vec<Standing>,
}

/// Why a run ended before its time. Whatever was written stays.
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
    /// The searches have changed since the store was begun.
    #[error(
        "the games in {path} were played by searches with signature {found}, and this program's is \
         {here}; choose another store, or allow games of several versions in one"
    )]
    OtherVersion {
        /// The store.
        path: String,
        /// The signature of the searches that played.
        found: String,
        /// The signature of this program's.
        here: String,
    },
    /// A thread could not be started.
    #[error("cannot start {jobs} threads: {problem}")]
    Threads {
        /// The number asked for.
        jobs: usize,
        /// What the system said.
        problem: String,
    },
}

/// Plays and writes every pair of the plan that is not in the store, except those that come after
/// the decision of their pairing.
///
/// # Errors
///
/// If the store is damaged, cannot be written, or has games of other searches, or a pair cannot be
/// played. Pairs that were finished by then are in the store.
pub fn run(
    plan: &[PlannedPair],
    store: &mut Store,
    options: RunOptions<'_>,
    watch: RunWatch<'_>,
) -> Result<RunSummary, RunError> {
    let begun = Instant::now();
    if let Some(problem) = store.check().problems.into_iter().next() {
        return Err(StoreError::Damaged { path: store.path().to_owned(), problem }.into());
    }
    let places = places(plan);
    let mut standings = Standings::new(plan, options.stop);
    let mut found = HashSet::new();
    let games = store.games()?;
    for games in games.chunk_by(|a, b| a.row.pair == b.row.pair) {
        let [first, second] = games else { continue };
        let id = first.row.pair;
        if let Some(places) = places.get(&id) {
            standings.add(places, [&first.row, &second.row]);
            found.insert(id);
        }
    }
    if !options.mix_versions {
        refuse_other_versions(store, &games.iter().map(|game| game.session).collect())?;
    }
    drop(games);
    let jobs = if options.jobs == 0 { processors() } else { options.jobs };
    let mut pending = HashSet::new();
    let todo: Vec<(PairId, &Pair)> = plan
        .iter()
        .map(|planned| (planned.pair.id(), &planned.pair))
        .filter(|(id, _)| !found.contains(id) && pending.insert(*id))
        .collect();
    let planned = places.len();
    let mut run = Run {
        begun,
        planned,
        found: found.len(),
        played: 0,
        places,
        standings,
        store,
        watch,
        halt: AtomicBool::new(false),
    };
    run.show(&[]);
    if todo.iter().any(|(id, _)| run.standings.is_open(&run.places[id])) {
        run.store.begin_session(&Session::here(jobs, options.experiment))?;
        run.play(&todo, jobs)?;
    }
    let is_open = |id| run.standings.is_open(&run.places[id]);
    let cancelled = run.halt.load(Ordering::Relaxed)
        && todo.iter().any(|(id, _)| !run.standings.has(&run.places[id]) && is_open(id));
    Ok(RunSummary {
        planned,
        found: run.found,
        played: run.played,
        cancelled,
        seconds: begun.elapsed().as_secs_f64(),
        standings: run.standings.all,
    })
}

/// Processors that the program may use.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Fails if games of these sessions were played by searches that do something else than this
/// program's.
fn refuse_other_versions(store: &Store, sessions: &HashSet<i64>) -> Result<(), RunError> {
    let here = Session::signature_here();
    let mut others = store.sessions()?;
    others.retain(|(id, session)| sessions.contains(id) && session.signature != here);
    match others.pop() {
        None => Ok(()),
        Some((_, session)) => Err(RunError::OtherVersion {
            path: store.path().display().to_string(),
            found: session.signature,
            here: here.to_owned(),
        }),
    }
}

/// A run in progress.
struct Run<'a, 'w> {
    begun: Instant,
    planned: usize,
    found: usize,
    played: usize,
    /// Where in the plan each pair stands.
    places: HashMap<PairId, Vec<standing::Place>>,
    standings: Standings<'a>,
    store: &'a mut Store,
    watch: RunWatch<'w>,
    /// Set to end all threads soon.
    halt: AtomicBool,
}

/// What a thread has to say about a pair.
type News = (PairId, Result<FinishedPair, PairError>);

impl Run<'_, '_> {
    fn play(&mut self, todo: &[(PairId, &Pair)], jobs: usize) -> Result<(), RunError> {
        // Depth-first searches recurse: as much stack as a main thread has.
        const STACK_BYTES: usize = 8 << 20;
        let places: Vec<Vec<standing::Place>> =
            todo.iter().map(|(id, _)| self.places[id].clone()).collect();
        let ends = self.standings.ends();
        let halt = std::mem::replace(&mut self.halt, AtomicBool::new(false));
        let next = AtomicUsize::new(0);
        let work = |news: &SyncSender<News>| {
            while !halt.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(id, pair)) = todo.get(index) else { break };
                if !ends.is_open(&places[index]) {
                    continue;
                }
                let finished = play_pair(pair, Some(&halt)).map(|rows| finish(pair, rows));
                if matches!(&finished, Err(error) if *error != PairError::Cancelled) {
                    halt.store(true, Ordering::Relaxed);
                }
                // Nobody listens any more once writing has failed.
                if news.send((id, finished)).is_err() {
                    break;
                }
            }
        };
        let result = thread::scope(|scope| {
            // Threads that are faster than the disk wait: what is not written is not safe.
            let (sender, receiver) = mpsc::sync_channel(16 + 4 * jobs);
            for _ in 0..jobs.min(todo.len()) {
                let sender = sender.clone();
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                let work = &work;
                if let Err(error) = thread.spawn_scoped(scope, move || work(&sender)) {
                    halt.store(true, Ordering::Relaxed);
                    return Err(RunError::Threads { jobs, problem: error.to_string() });
                }
            }
            drop(sender);
            let written = self.write(&receiver, &halt, &ends);
            // Whether or not it went well: nothing is left to wait for.
            if written.is_err() {
                halt.store(true, Ordering::Relaxed);
            }
            written
        });
        self.halt = halt;
        result
    }

    /// Writes what is finished until the threads are.
    fn write(
        &mut self,
        news: &Receiver<News>,
        halt: &AtomicBool,
        ends: &standing::Ends,
    ) -> Result<(), RunError> {
        /// How long a wish to end the run may go unnoticed.
        const GLANCE: Duration = Duration::from_millis(20);
        let mut failed = None;
        loop {
            if self.watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                halt.store(true, Ordering::Relaxed);
            }
            let first = match news.recv_timeout(GLANCE) {
                Ok(first) => first,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let mut finished = Vec::new();
            for (id, result) in std::iter::once(first).chain(news.try_iter()) {
                match result {
                    Ok(pair) => finished.push(pair),
                    Err(PairError::Cancelled) => {}
                    Err(error) => {
                        failed.get_or_insert(RunError::Pair { id, error });
                    }
                }
            }
            if !finished.is_empty() {
                self.store.append(&finished)?;
                self.count(&finished, ends);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Takes note of pairs that have been written.
    fn count(&mut self, finished: &[FinishedPair], ends: &standing::Ends) {
        let mut written = Vec::with_capacity(finished.len());
        for FinishedPair { rows: [first, second], .. } in finished {
            self.standings.add(&self.places[&first.pair], [first, second]);
            written.push(first.pair);
        }
        ends.update(&self.standings);
        self.played += written.len();
        self.show(&written);
    }

    fn show(&mut self, written: &[PairId]) {
        if let Some(progress) = &mut self.watch.progress {
            progress(&RunProgress {
                planned: self.planned,
                done: self.found + self.played,
                played: self.played,
                seconds: self.begun.elapsed().as_secs_f64(),
                written,
                standings: &self.standings.all,
            });
        }
    }
}

/// A pair as the store wants it.
fn finish(pair: &Pair, rows: [GameRow; 2]) -> FinishedPair {
    let setup = serde_json::to_string(pair).expect("texts and numbers always become JSON");
    FinishedPair { setup, rows }
}
