//! From the text of a ledger to its games.

use std::collections::HashMap;
use std::io::{BufRead, Read};

use sha2::{Digest, Sha256};

use super::write::of_program;
use super::{FORMAT, Ledger, LedgerError, MAGIC, Machine, Pairing, Program, check, hexadecimal};
use crate::ledger::line;
use crate::row::PairId;
use crate::signatures::Signatures;
use crate::store::{Session, StoredGame};

/// Maximum length of a line in bytes. Texts of experiments and lists of signatures are far shorter.
const LONGEST_LINE: usize = 4 << 20;

/// Maximum memory of the games in bytes: a base, and a part for each byte of the ledger. A short file
/// must not fill the memory.
const MEMORY: [u64; 2] = [64 << 20, 128];

/// Reads a ledger.
pub(super) fn read(input: impl BufRead) -> Result<Ledger, LedgerError> {
    let mut reader = Reader::new(input);
    reader.begin()?;
    let experiment = reader.required("experiment:")?;
    let experiment = reader.json(&experiment)?;
    let mut parts = Parts::default();
    loop {
        let line = reader.next()?;
        if let Some(end) = line.strip_prefix("end:\t") {
            parts.end_pairing().map_err(|problem| reader.damaged(problem))?;
            reader.end(end, parts.games.len() / 2)?;
            let Parts { sessions, games, .. } = parts;
            return Ok(Ledger { experiment, sessions, games });
        }
        let line = reader.checked(&line)?;
        let number = reader.number;
        let taken = if let Some(text) = line.strip_prefix("session:\t") {
            let program = reader.json(text)?;
            parts.add_session(program)
        } else if let Some(text) = line.strip_prefix("pairing:\t") {
            let pairing = reader.json(text)?;
            parts.begin_pairing(pairing)
        } else {
            reader.make_room(parts.weight(line))?;
            parts.add_pair(line, number)
        };
        taken.map_err(|problem| reader.damaged(problem))?;
    }
}

/// What has been read.
#[derive(Default)]
struct Parts {
    sessions: Vec<(i64, Session)>,
    /// The pairing of the lines that follow, and how many games there were before it.
    pairing: Option<(Pairing, usize)>,
    games: Vec<StoredGame>,
    /// The line of each pair.
    lines: HashMap<PairId, usize>,
}

impl Parts {
    fn add_session(&mut self, program: Program) -> Result<(), String> {
        let expected = self.sessions.len() as i64 + 1;
        if self.pairing.is_some() {
            return Err("a session follows a pairing".to_owned());
        }
        if program.number != expected {
            return Err(format!("session {} stands in the place of {expected}", program.number));
        }
        let signature = match (program.signatures, program.signature) {
            (Some(each), None) => Signatures::Each(each).to_string(),
            (None, Some(whole)) => whole,
            _ => return Err("expected either signatures or signature".to_owned()),
        };
        let session = of_program(program.version, program.revision, signature);
        let session = match program.machine {
            None => session,
            Some(Machine { started_ms, process, cpu, cores, os, arch, jobs }) => {
                Session { started_ms, process, cpu, cores, os, arch, jobs, ..session }
            }
        };
        self.sessions.push((program.number, session));
        Ok(())
    }

    fn begin_pairing(&mut self, pairing: Pairing) -> Result<(), String> {
        self.end_pairing()?;
        if !self.sessions.iter().any(|(number, _)| *number == pairing.session) {
            return Err(format!("there is no session {}", pairing.session));
        }
        self.pairing = Some((pairing, self.games.len()));
        Ok(())
    }

    fn end_pairing(&mut self) -> Result<(), String> {
        match &self.pairing {
            Some((_, before)) if *before == self.games.len() => {
                Err("the pairing before it has no pairs".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Maximum memory that the games of a line take.
    fn weight(&self, line: &str) -> u64 {
        let pairing = self.pairing.as_ref().map_or(0, |(pairing, _)| {
            pairing.game.len() + pairing.players.iter().map(String::len).sum::<usize>()
        });
        // Two games with their texts, which stand in the setup once more, escaped at worst.
        (2 * size_of::<StoredGame>() + 8 * pairing + 8 * line.len()) as u64
    }

    fn add_pair(&mut self, text: &str, number: usize) -> Result<(), String> {
        let Some((pairing, _)) = &self.pairing else {
            return Err("a pair comes before the first pairing".to_owned());
        };
        let games = line::read(pairing, text)?;
        if let Some(before) = self.lines.insert(games[0].row.pair, number) {
            return Err(format!("it repeats the pair of line {before}"));
        }
        self.games.extend(games);
        Ok(())
    }
}

/// Lines that are taken one after the other.
struct Reader<R> {
    input: R,
    /// The number of the line that was read last, from 1.
    number: usize,
    bytes: u64,
    /// Memory that games take.
    memory: u64,
    hash: Sha256,
    /// The hash before the last line.
    before: Sha256,
}

impl<R: BufRead> Reader<R> {
    fn new(input: R) -> Reader<R> {
        let (hash, before) = (Sha256::new(), Sha256::new());
        Reader { input, number: 0, bytes: 0, memory: 0, hash, before }
    }

    fn damaged(&self, problem: impl Into<String>) -> LedgerError {
        LedgerError::Damaged { line: self.number, problem: problem.into() }
    }

    /// The next line, without its end.
    fn next(&mut self) -> Result<String, LedgerError> {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        self.input.by_ref().take(limit).read_until(b'\n', &mut line)?;
        self.number += 1;
        self.bytes += line.len() as u64;
        self.before = self.hash.clone();
        self.hash.update(&line);
        if line.pop_if(|byte| *byte == b'\n').is_none() {
            return Err(self.damaged(if line.len() >= LONGEST_LINE {
                format!("the line has more than {LONGEST_LINE} bytes")
            } else {
                "the ledger is cut off here: its last line, which begins with end:, is missing"
                    .to_owned()
            }));
        }
        String::from_utf8(line).map_err(|_| self.damaged("the line is not UTF-8"))
    }

    /// A line without its check, which must be right.
    fn checked<'l>(&self, line: &'l str) -> Result<&'l str, LedgerError> {
        match line.rsplit_once('\t') {
            Some((line, found)) if found == check(line) => Ok(line),
            _ => Err(self.damaged("the line is not as it was written: its check is wrong")),
        }
    }

    /// The first line.
    fn begin(&mut self) -> Result<(), LedgerError> {
        let line = self.next()?;
        let format = line.strip_prefix(MAGIC).and_then(|format| format.parse().ok());
        match format {
            Some(FORMAT) if line == format!("{MAGIC}{FORMAT}") => Ok(()),
            Some(found) if found > FORMAT => Err(LedgerError::Format { found }),
            _ => Err(self.damaged(format!("expected {MAGIC}{FORMAT}"))),
        }
    }

    /// What the next line has behind its name.
    fn required(&mut self, name: &str) -> Result<String, LedgerError> {
        let line = self.next()?;
        let text = self.checked(&line)?.strip_prefix(name);
        let text = text.and_then(|text| text.strip_prefix('\t'));
        text.map(str::to_owned).ok_or_else(|| self.damaged(format!("expected {name}")))
    }

    fn json<T: serde::de::DeserializeOwned>(&self, text: &str) -> Result<T, LedgerError> {
        serde_json::from_str(text).map_err(|error| self.damaged(error.to_string()))
    }

    fn make_room(&mut self, bytes: u64) -> Result<(), LedgerError> {
        self.memory = self.memory.saturating_add(bytes);
        let [base, each] = MEMORY;
        if self.memory > base + each * self.bytes {
            return Err(
                self.damaged("its games would take too much memory for a file of this size")
            );
        }
        Ok(())
    }

    /// The last line.
    fn end(&mut self, text: &str, pairs: usize) -> Result<(), LedgerError> {
        let (said, checksum) = text.split_once('\t').unwrap_or((text, ""));
        if said != pairs.to_string() {
            return Err(self.damaged(format!("it says {said:?} pairs, but there are {pairs}")));
        }
        if checksum != hexadecimal(self.before.clone()) {
            return Err(self.damaged(
                "its checksum is wrong: a line before it is not as it was written, or at another \
                 place",
            ));
        }
        let mut more = [0];
        if self.input.read(&mut more)? > 0 {
            self.number += 1;
            return Err(self.damaged("it follows the end of the ledger"));
        }
        Ok(())
    }
}
