//! Experiments whose pairs are played by other processes: what the driver and they need.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treegraft_lab::store::Session;
use treegraft_lab::{
    Driver, FinishedPair, LoadedExperiment, Pair, PairId, PairPlayer, Record, Signatures, Store,
};
use treegraft_players::{Player, Registry};

use crate::arena::{Opened, run_error, standings_json, store_error};
use crate::attend::{Place, Trouble, attended_quietly};
use crate::json::to_python;
use crate::registry::value_error;

/// The built-in games and players, which are all that a worker knows.
pub(crate) fn built_in() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard)
}

/// The only writer of a store whose pairs are played by others.
#[pyclass(frozen, name = "_Driver", module = "treegraft._treegraft")]
pub(crate) struct _Driver {
    driver: Mutex<Driver>,
    /// What the searches do here; absent if those of the workers may differ.
    signatures: Option<Signatures>,
    /// A pair of every game with every two players.
    cast: Vec<u8>,
    store: PathBuf,
    /// Whether results depend on the machine: a player is limited by time, or is an engine.
    #[pyo3(get)]
    is_timed: bool,
}

impl _Driver {
    /// A driver for an experiment that has been read.
    pub(crate) fn of(
        py: Python<'_>,
        registry: &Registry,
        loaded: LoadedExperiment,
        store: PathBuf,
        mix_versions: bool,
    ) -> PyResult<_Driver> {
        let players = loaded.experiment.plan.pairings.iter().flat_map(|pairing| &pairing.players);
        let is_timed = !players.clone().all(Player::is_repeatable);
        let mut seen = HashSet::new();
        let pairs = loaded.pairs.iter().map(|planned| &planned.pair);
        let cast: Vec<Pair> =
            pairs.filter(|pair| seen.insert((&pair.game, &pair.players))).cloned().collect();
        if let Some((pair, error)) = cast
            .iter()
            .find_map(|pair| built_in().start(&pair.game).err().map(|error| (pair, error)))
        {
            return Err(value_error(format!(
                "workers have the built-in games, and {} is not one of them: {error}",
                pair.game
            )));
        }
        let json = serde_json::to_vec(&cast).map_err(value_error)?;
        let opened = Store::open_or_create(&store, &loaded.text);
        let opened = opened.map_err(|error| store_error(&error))?;
        // Games and evaluations in Python are called here too, so that the GIL must be free.
        let (driver, signatures) = py.detach(|| {
            let signatures = (!mix_versions).then(|| Signatures::of_pairs(registry, cast.iter()));
            (Driver::new(registry, loaded, opened, mix_versions), signatures)
        });
        let driver = Mutex::new(driver.map_err(run_error)?);
        Ok(_Driver { driver, signatures, cast: json, store, is_timed })
    }

    fn driver(&self) -> MutexGuard<'_, Driver> {
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl _Driver {
    #[new]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        store: Option<PathBuf>,
        mix_versions: bool,
    ) -> PyResult<_Driver> {
        let Opened { registry, loaded, store, .. } = Opened::new(&path, store)?;
        _Driver::of(py, &registry, loaded, store, mix_versions)
    }

    /// The text of the experiment.
    #[getter]
    fn text(&self) -> String {
        self.driver().experiment().text.clone()
    }

    /// Where the games are.
    #[getter]
    fn store(&self) -> String {
        self.store.display().to_string()
    }

    /// Whether what players think is to be kept.
    #[getter]
    fn record(&self) -> bool {
        self.driver().experiment().experiment.record == Record::Thinking
    }

    /// A pair of every game with every two players, as JSON.
    #[getter]
    fn cast<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.cast)
    }

    /// The names of up to `most` pairs to play next, and the pairs as JSON; None if all that count
    /// are played or handed out.
    fn next_batch<'py>(
        &self,
        py: Python<'py>,
        most: usize,
    ) -> PyResult<Option<(Vec<String>, Bound<'py, PyBytes>)>> {
        let mut driver = self.driver();
        let pairs: Vec<Pair> = (0..most).map_while(|_| driver.next_pair()).collect();
        if pairs.is_empty() {
            return Ok(None);
        }
        let names = pairs.iter().map(|pair| pair.id().to_string()).collect();
        let json = serde_json::to_vec(&pairs).map_err(value_error)?;
        Ok(Some((names, PyBytes::new(py, &json))))
    }

    /// Pairs that were handed out will not come back: they are handed out again.
    fn give_up(&self, names: Vec<String>) -> PyResult<()> {
        let mut driver = self.driver();
        for name in names {
            driver.give_up(name.parse::<PairId>().map_err(value_error)?);
        }
        Ok(())
    }

    /// Takes note of a machine, whose session is JSON; returns the number of the session. A machine
    /// whose searches are others than ours is refused.
    fn begin_session(&self, session: &[u8]) -> PyResult<i64> {
        let session: Session = serde_json::from_slice(session).map_err(value_error)?;
        if let Some(ours) = &self.signatures
            && *ours != Signatures::read(&session.signature)
        {
            return Err(value_error(format!(
                "a worker's searches are not ours: it has version {} of treegraft with signatures \
                 {}, and here they are {ours}; install one version everywhere, or allow games of \
                 several versions in one store",
                session.version, session.signature
            )));
        }
        self.driver().begin_session(&session).map_err(|error| store_error(&error))
    }

    /// All sessions of the store, as dicts.
    fn sessions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sessions = self.driver().sessions().map_err(|error| store_error(&error))?;
        let sessions: Vec<Session> = sessions.into_iter().map(|(_, session)| session).collect();
        to_python(py, &sessions)
    }

    /// Writes what a session has played: lists of finished pairs as JSON. Returns when they are on
    /// the disk.
    fn write(&self, py: Python<'_>, session: i64, played: Vec<Vec<u8>>) -> PyResult<()> {
        py.detach(|| {
            let mut pairs: Vec<FinishedPair> = Vec::new();
            for json in &played {
                pairs.append(&mut serde_json::from_slice(json).map_err(value_error)?);
            }
            self.driver().write(session, &pairs).map_err(|error| store_error(&error))
        })
    }

    /// Whether everything that counts is written.
    fn is_over(&self) -> bool {
        self.driver().is_over()
    }

    /// Pairs of the plan, those in the store, those written by this driver, and those handed out.
    fn counts(&self) -> (usize, usize, usize, usize) {
        let driver = self.driver();
        (driver.planned(), driver.done(), driver.written(), driver.handed_out())
    }

    /// How each pairing stands, as dicts.
    fn standings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let driver = self.driver();
        to_python(py, &standings_json(driver.experiment(), driver.standings()))
    }
}

/// Plays pairs, which are JSON, one after the other and without the GIL; returns them finished, as
/// JSON.
#[pyfunction]
pub(crate) fn _play_pairs<'py>(
    py: Python<'py>,
    pairs: &[u8],
    record: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let pairs: Vec<Pair> = serde_json::from_slice(pairs).map_err(value_error)?;
    let trouble = Trouble::new();
    let played = attended_quietly(py, Place::Thread, &trouble, |_| {
        let mut player = PairPlayer::new(built_in());
        let play = |pair: &Pair| {
            let played = player.play(pair, record, Some(trouble.cancel()));
            played.map_err(|error| format!("pair {}: {error}", pair.id()))
        };
        let played = pairs.iter().map(play).collect::<Result<Vec<FinishedPair>, String>>()?;
        serde_json::to_vec(&played).map_err(|error| error.to_string())
    })?;
    Ok(PyBytes::new(py, &played.map_err(PyRuntimeError::new_err)?))
}

/// The session of this process on this machine, as JSON. `cast` has a pair of all players who will
/// play.
#[pyfunction]
pub(crate) fn _session<'py>(
    py: Python<'py>,
    cast: &[u8],
    text: &str,
    jobs: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let cast: Vec<Pair> = serde_json::from_slice(cast).map_err(value_error)?;
    let session = py.detach(|| {
        let signatures = Signatures::of_pairs(built_in(), cast.iter());
        Session::here(jobs, text, signatures.to_string())
    });
    Ok(PyBytes::new(py, &serde_json::to_vec(&session).map_err(value_error)?))
}
