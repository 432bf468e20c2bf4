//! Ledgers: results of experiments in some tens of bytes a game, as text for a repository.
//!
//! Games of players without clocks follow from their seeds, so a ledger keeps what reports are made
//! of and a digest of the positions instead of the moves: [`verify`](crate::verify()) plays the games
//! again and compares. Games with a limit on time, or of engines, cannot be played again and keep
//! everything.
//!
//! A ledger is lines of UTF-8, fields separated by tabs:
//!
//! ```text
//! treegraft ledger 1
//! experiment:  TEXT-OF-THE-FILE  CHECK
//! session:     {"number":1,"version":"0.2.0","revision":"…","signatures":{…}}  CHECK
//! pairing:     {"session":1,"game":"lion","players":["…","…"],"max_plies":null}  CHECK
//! SEED  OPENING  GAME  GAME  CHECK
//! SEED  OPENING  GAME  GAME  CHECK
//! end:  PAIRS  CHECKSUM
//! ```
//!
//! Texts are JSON; seeds, digests and counts are numbers in base 64 (digits `0`–`9`, `A`–`Z`,
//! `a`–`z`, `-`, `_`). `pairing:` says what the pairs in the lines below it have in common. The
//! module `line` explains these. The pairings, and the pairs of each, stand in the order of the
//! plan, and nothing in the file of seeded games comes from a clock or a machine: it does not
//! depend on the order of playing, or on how often the run was interrupted.
//!
//! Every line ends with four characters that show whether it is intact, the last one with half of a
//! SHA-256 over all before it.
//!
//! The file may be compressed by gzip.

mod line;
mod number;
mod read;
mod write;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use treegraft_players::Registry;

use crate::experiment::Experiment;
use crate::row::PairId;
use crate::run::PlannedPair;
use crate::store::{Session, StoreError, StoredGame, last_experiment};

/// How every ledger begins, before the number of its format.
const MAGIC: &str = "treegraft ledger ";

/// The version of the lines. It changes when a reader would have to.
const FORMAT: i64 = 1;

/// How files compressed by gzip begin.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The text of a compressed ledger may have this many bytes, and more for each byte of the file: a
/// short file must not fill the memory. Real ledgers become five times as long.
const MAX_TEXT: [u64; 2] = [64 << 10, 16];

/// What a ledger says.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The text of the experiment.
    pub experiment: String,
    /// The programs that played, with their numbers. What is known of their machines is kept where
    /// games depend on it.
    pub sessions: Vec<(i64, Session)>,
    /// The games, those of a pair beside each other.
    pub games: Vec<StoredGame>,
}

/// Why a text is not a ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A line is not as it was written.
    #[error("line {line}: {problem}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It was written by a later version.
    #[error("the format is {found}; this version reads format {FORMAT}")]
    Format {
        /// The format.
        found: i64,
    },
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Ledger {
    /// The ledger of the games of a store.
    ///
    /// `folder` is where files of openings that the experiment names are looked for: the order of
    /// the plan depends on them. Pairs that are not in the plan follow in the order of their names.
    ///
    /// # Errors
    ///
    /// If a pair is incomplete or contradicts itself, in words.
    pub fn new(
        registry: &Registry,
        folder: &Path,
        experiment: String,
        sessions: Vec<(i64, Session)>,
        games: Vec<StoredGame>,
    ) -> Result<Ledger, String> {
        let experiment = last_experiment(&sessions).unwrap_or(experiment);
        let places = plan(registry, folder, &experiment);
        write::collect(registry, &places, experiment, sessions, games)
    }

    /// Reads a ledger, compressed or not.
    ///
    /// # Errors
    ///
    /// If it is damaged, which names the line, or cannot be read.
    pub fn read(input: impl Read) -> Result<Ledger, LedgerError> {
        let mut input = BufReader::new(input);
        if !input.fill_buf()?.starts_with(GZIP) {
            return read::read(input);
        }
        let mut packed = Vec::new();
        input.read_to_end(&mut packed)?;
        read::read(&*decompress(&packed)?)
    }

    /// Reads the ledger at `path`.
    ///
    /// # Errors
    ///
    /// If it is damaged or cannot be read.
    pub fn open(path: &Path) -> Result<Ledger, StoreError> {
        let failed = |source| StoreError::File { path: path.to_owned(), doing: "read", source };
        Ledger::read(File::open(path).map_err(failed)?).map_err(|error| match error {
            LedgerError::Damaged { line, problem } => {
                StoreError::DamagedLedger { path: path.to_owned(), line, problem }
            }
            LedgerError::Format { found } => {
                StoreError::Format { path: path.to_owned(), found, expected: FORMAT }
            }
            LedgerError::Io(source) => failed(source),
        })
    }
}

/// Whether a file begins as ledgers do, compressed or not.
#[must_use]
pub fn is_ledger(path: &Path) -> bool {
    // Opening what is not a file may wait for ever.
    path.is_file() && beginning(path).is_ok_and(|beginning| beginning == MAGIC.as_bytes())
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut beginning = Vec::new();
    let length = MAGIC.len() as u64;
    if file.fill_buf()?.starts_with(GZIP) {
        MultiGzDecoder::new(file).take(length).read_to_end(&mut beginning)?;
    } else {
        file.take(length).read_to_end(&mut beginning)?;
    }
    Ok(beginning)
}

/// The text of a compressed ledger.
fn decompress(packed: &[u8]) -> Result<Vec<u8>, LedgerError> {
    let [base, each] = MAX_TEXT;
    let limit = base + each * packed.len() as u64;
    let mut text = Vec::new();
    let problem = match MultiGzDecoder::new(packed).take(limit + 1).read_to_end(&mut text) {
        Ok(length) if length as u64 <= limit => return Ok(text),
        Ok(_) => format!("it becomes longer than {limit} bytes"),
        Err(error) => error.to_string(),
    };
    let line = 1 + text.iter().filter(|&&byte| byte == b'\n').count();
    Err(LedgerError::Damaged { line, problem: format!("it cannot be decompressed: {problem}") })
}

/// Where in the plan of an experiment each pair stands: the number of the pairing, and of the pair.
/// Empty if this program cannot read the experiment.
fn plan(registry: &Registry, folder: &Path, experiment: &str) -> HashMap<PairId, (usize, usize)> {
    let file = folder.join("experiment.toml");
    let Ok(experiment) = Experiment::parse(experiment, &file.to_string_lossy(), registry) else {
        return HashMap::new();
    };
    let pairs = PlannedPair::all(&experiment.plan).into_iter().enumerate();
    let mut places = HashMap::new();
    for (number, PlannedPair { pairing, pair }) in pairs {
        places.entry(pair.id()).or_insert((pairing, number));
    }
    places
}

/// What the pairs of a part of the ledger have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairing {
    session: i64,
    /// If each pair has a random start of its own, a `*` stands for its seed.
    game: String,
    players: [String; 2],
    max_plies: Option<u32>,
}

/// A session as a ledger keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    number: i64,
    version: String,
    revision: String,
    /// The numbers of its players, or one for everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signatures: Option<BTreeMap<String, BTreeMap<String, String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// Where games depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<Machine>,
}

/// The machine of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Machine {
    started_ms: u64,
    process: u32,
    cpu: String,
    cores: u32,
    os: String,
    arch: String,
    jobs: u32,
}

/// Four characters that show whether a line is intact.
fn check(line: &str) -> String {
    let bytes = Sha256::digest(line.as_bytes());
    let number = bytes.iter().take(3).fold(0, |number, &byte| number << 8 | u64::from(byte));
    format!("{:0>4}", number::write(number))
}

/// The end of a checksum: half of a SHA-256, in hexadecimal digits.
fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
