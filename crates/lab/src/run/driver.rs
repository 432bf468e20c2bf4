//! A driver: runs a plan whose pairs are played by others, on this machine or elsewhere.

use std::collections::{HashMap, HashSet, VecDeque};

use treegraft_players::Registry;
use treegraft_stats::Evidence;

use super::{Known, RunError, Standing};
use crate::loaded::LoadedExperiment;
use crate::pair::{FinishedPair, Pair};
use crate::row::PairId;
use crate::signatures::Live;
use crate::store::{Session, Store, StoreError};

/// The only writer of a store whose pairs are played by others.
///
/// It hands out pairs in the order of the plan, writes what comes back, and hands out again what was
/// lost. Sequential tests are decided here: pairs behind a decision are not handed out. A driver that
/// dies is replaced by a new one with the same store.
///
/// ```
/// use treegraft_lab::store::{Session, Store};
/// use treegraft_lab::{Driver, LoadedExperiment, PairPlayer};
/// use treegraft_players::Registry;
///
/// let registry = Registry::standard();
/// let text = "game = \"connect4:4x4\"\ngames = 4\nplayers = [\"mcts@10it\", \"random\"]\n";
/// let loaded = LoadedExperiment::parse(text.to_owned(), "it.toml", &registry)?;
/// # let folder = std::env::temp_dir().join(format!("driver-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let store = Store::open_or_create(&folder.join("it.db"), text)?;
/// let mut driver = Driver::new(&registry, loaded, store, false)?;
/// // Each machine that plays is a session.
/// let machine = driver.begin_session(&Session::here(1, text, String::new()))?;
/// let mut player = PairPlayer::new(&registry);
/// while let Some(pair) = driver.next_pair() {
///     // Any machine that gets the pair, as JSON for example, can do this.
///     let played = player.play(&pair, false, None)?;
///     driver.write(machine, &[played])?;
/// }
/// assert!(driver.is_over());
/// assert_eq!(driver.standings()[0].tally.games(), 4);
/// # drop(driver);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Driver {
    loaded: LoadedExperiment,
    store: Store,
    known: Known,
    /// The number in the plan of the next pair that was never handed out.
    next: usize,
    /// Numbers of pairs that were lost.
    lost: VecDeque<usize>,
    /// The numbers of pairs that others have.
    out: HashMap<PairId, usize>,
    /// Pairs that were in the store before.
    found: usize,
}

impl Driver {
    /// A driver for all pairs that are not in the store.
    ///
    /// # Errors
    ///
    /// If the store is damaged, or has games of other versions of the searches and `mix_versions`
    /// does not allow that.
    pub fn new(
        registry: &Registry,
        loaded: LoadedExperiment,
        store: Store,
        mix_versions: bool,
    ) -> Result<Driver, RunError> {
        let live = Live::new(registry);
        let stop = |_: usize, pairs: &Evidence| loaded.is_decided(pairs);
        let known = Known::read(
            &store,
            &loaded.pairs,
            loaded.sprt.is_some().then_some(&stop),
            (!mix_versions).then_some(&live),
        )?;
        let found = known.found.len();
        let (lost, out) = (VecDeque::new(), HashMap::new());
        Ok(Driver { loaded, store, known, next: 0, lost, out, found })
    }

    /// The next pair to play; `None` if all that count are played or handed out.
    pub fn next_pair(&mut self) -> Option<Pair> {
        loop {
            let number = self.lost.pop_front().or_else(|| {
                self.next += 1;
                (self.next <= self.known.ids.len()).then_some(self.next - 1)
            });
            let Some(number) = number else {
                // Called again, it must not run away.
                self.next = self.known.ids.len();
                return None;
            };
            let id = self.known.ids[number];
            if self.known.is_open(&id) && !self.out.contains_key(&id) {
                self.out.insert(id, number);
                return Some(self.loaded.pairs[number].pair.clone());
            }
        }
    }

    /// A pair that was handed out will not come back: it is handed out again, before all others.
    pub fn give_up(&mut self, pair: PairId) {
        self.lost.extend(self.out.remove(&pair));
    }

    /// Takes note of a machine that plays; returns the number of its session.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn begin_session(&mut self, session: &Session) -> Result<i64, StoreError> {
        self.store.begin_session(session)
    }

    /// The sessions that the store has, with their numbers.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<(i64, Session)>, StoreError> {
        self.store.sessions()
    }

    /// Writes pairs that a session has played, all of them or none, and returns when they are on the
    /// disk. A pair that is there, or is not in the plan, changes nothing.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn write(&mut self, session: i64, pairs: &[FinishedPair]) -> Result<(), StoreError> {
        let is_new = |pair: &&FinishedPair| {
            let id = &pair.rows[0].pair;
            self.known.places.contains_key(id) && !self.known.found.contains(id)
        };
        let mut seen = HashSet::new();
        let new: Vec<FinishedPair> = pairs
            .iter()
            .filter(is_new)
            .filter(|pair| seen.insert(pair.rows[0].pair))
            .cloned()
            .collect();
        if !new.is_empty() {
            self.store.append_as(session, &new)?;
        }
        let stop = |_: usize, pairs: &Evidence| self.loaded.is_decided(pairs);
        for pair in &new {
            self.known.add(pair, self.loaded.sprt.is_some().then_some(&stop));
            self.out.remove(&pair.rows[0].pair);
        }
        Ok(())
    }

    /// Whether everything that counts is written.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.known.ids.iter().any(|id| self.known.is_open(id))
    }

    /// How each pairing stands.
    #[must_use]
    pub fn standings(&self) -> &[Standing] {
        &self.known.standings.all
    }

    /// Pairs of the plan.
    #[must_use]
    pub fn planned(&self) -> usize {
        self.known.places.len()
    }

    /// Pairs of the plan that are in the store.
    #[must_use]
    pub fn done(&self) -> usize {
        self.known.found.len()
    }

    /// How many of those this driver has written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.known.found.len() - self.found
    }

    /// Pairs that are handed out and not back yet.
    #[must_use]
    pub fn handed_out(&self) -> usize {
        self.out.len()
    }

    /// The experiment.
    #[must_use]
    pub fn experiment(&self) -> &LoadedExperiment {
        &self.loaded
    }
}
