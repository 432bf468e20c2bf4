//! From games to a ledger, and from a ledger to its text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use sha2::{Digest, Sha256};
use treegraft_engine::FaultKind;
use treegraft_players::Registry;

use super::line::{self, json, split_seed};
use super::{FORMAT, Ledger, MAGIC, Machine, Pairing, Program, check, hexadecimal};
use crate::pair::Pair;
use crate::row::{GameRow, PairId};
use crate::signatures::Signatures;
use crate::store::{COLUMNS, Record, Session, StoredGame, pair_problem};

/// A pair with what its line needs.
struct Entry {
    pair: Pair,
    pairing: Pairing,
    games: [StoredGame; 2],
}

/// The ledger of games; `places` says where in the plan each pair stands.
pub(super) fn collect(
    registry: &Registry,
    places: &HashMap<PairId, (usize, usize)>,
    experiment: String,
    sessions: Vec<(i64, Session)>,
    games: Vec<StoredGame>,
) -> Result<Ledger, String> {
    let mut by_pair: BTreeMap<PairId, Vec<StoredGame>> = BTreeMap::new();
    for game in games {
        by_pair.entry(game.row.pair).or_default().push(game);
    }
    let mut entries = Vec::with_capacity(by_pair.len());
    let mut known = HashMap::new();
    for (id, mut games) in by_pair {
        games.sort_by_key(|game| game.row.number);
        if let Some(problem) = pair_problem(id, &games) {
            return Err(problem);
        }
        let pair: Pair = serde_json::from_str(&games[0].setup)
            .map_err(|error| format!("pair {id}: its setup cannot be understood: {error}"))?;
        let is_repeatable =
            *known.entry(pair.players.clone()).or_insert_with(|| pair.is_repeatable(registry));
        if is_repeatable && !games.iter().any(|game| FaultKind::is_name(&game.row.end)) {
            games.iter_mut().for_each(|game| strip(&mut game.row));
        }
        let games = <[StoredGame; 2]>::try_from(games).map_err(|_| format!("pair {id}: two"))?;
        let (game, _) = split_seed(&pair.game);
        let (players, max_plies) = (pair.players.clone(), pair.max_plies);
        let pairing = Pairing { session: games[0].session, game, players, max_plies };
        entries.push(Entry { pair, pairing, games });
    }
    let (sessions, numbers) = merge(sessions, &entries)?;
    for entry in &mut entries {
        let number = numbers[&entry.pairing.session];
        entry.pairing.session = number;
        entry.games.iter_mut().for_each(|game| game.session = number);
        entry.must_read_the_same()?;
    }
    entries.sort_by_cached_key(|entry| {
        let id = entry.games[0].row.pair;
        // What is not in the plan comes last.
        let (pairing, number) = places.get(&id).copied().unwrap_or((usize::MAX, 0));
        let Pairing { session, game, players, max_plies } = entry.pairing.clone();
        (pairing, session, game, players, max_plies, number, id)
    });
    let games = entries.into_iter().flat_map(|entry| entry.games).collect();
    Ok(Ledger { experiment, sessions, games })
}

impl Entry {
    /// Fails if the line of the pair would say something else than its games.
    fn must_read_the_same(&self) -> Result<(), String> {
        let rows = self.games.each_ref().map(|game| &game.row);
        let wrong = |what: String| format!("pair {}: {what}", rows[0].pair);
        let read = line::read(&self.pairing, &line::write(&self.pair, rows)).map_err(wrong)?;
        for (game, read) in self.games.iter().zip(&read) {
            let differing = COLUMNS.iter().zip(game.values().into_iter().zip(read.values()));
            for ((name, _), (is, follows)) in differing {
                if is != follows {
                    return Err(wrong(format!(
                        "{name} of game {} is {is:?}, but {follows:?} follows from the rest",
                        game.row.number + 1
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Leaves what a ledger keeps of a game that follows from its seed.
fn strip(row: &mut GameRow) {
    row.moves.clear();
    row.fault.clear();
    (row.started_ms, row.seconds) = (0, f64::NAN);
    for side in &mut row.sides {
        (side.capped_playouts, side.transitions, side.memory) = (0, 0, 0);
        (side.seconds, side.slowest) = (f64::NAN, f64::NAN);
    }
}

/// The sessions that played, renumbered, with the number that each old one has become. Sessions of
/// the same program become one, unless games depend on their machines.
#[expect(clippy::type_complexity, reason = "it is used once")]
fn merge(
    sessions: Vec<(i64, Session)>,
    entries: &[Entry],
) -> Result<(Vec<(i64, Session)>, HashMap<i64, i64>), String> {
    let played: HashSet<i64> = entries.iter().map(|entry| entry.pairing.session).collect();
    let by_clock = |entry: &&Entry| !entry.games[0].row.is_digest_only();
    let timed: HashSet<i64> =
        entries.iter().filter(by_clock).map(|entry| entry.pairing.session).collect();
    let mut merged: Vec<Session> = Vec::new();
    let mut numbers = HashMap::new();
    for (id, session) in sessions.into_iter().filter(|(id, _)| played.contains(id)) {
        let experiment = String::new();
        let session = if timed.contains(&id) {
            Session { experiment, ..session }
        } else {
            let Session { version, revision, signature, .. } = session;
            of_program(version, revision, signature)
        };
        let same = merged.iter_mut().enumerate().find_map(|(index, known)| {
            let signature = joined(&known.signature, &session.signature)?;
            let [known_as, new] = [&*known, &session]
                .map(|session| Session { signature: signature.clone(), ..session.clone() });
            (known_as == new).then(|| {
                *known = new;
                index
            })
        });
        let index = same.unwrap_or_else(|| {
            merged.push(session);
            merged.len() - 1
        });
        numbers.insert(id, index as i64 + 1);
    }
    if let Some(missing) = played.iter().find(|id| !numbers.contains_key(id)) {
        return Err(format!("there is no session {missing}"));
    }
    Ok(((1..).zip(merged).collect(), numbers))
}

/// A session of which only the program matters.
pub(super) fn of_program(version: String, revision: String, signature: String) -> Session {
    Session { version, revision, signature, ..Session::default() }
}

/// The signatures of two sessions of one program; `None` if they contradict each other.
fn joined(a: &str, b: &str) -> Option<String> {
    match (Signatures::read(a), Signatures::read(b)) {
        (Signatures::Each(mut all), Signatures::Each(more)) => {
            for (game, players) in more {
                let known = all.entry(game).or_default();
                for (player, number) in players {
                    if *known.entry(player).or_insert_with(|| number.clone()) != number {
                        return None;
                    }
                }
            }
            Some(Signatures::Each(all).to_string())
        }
        (a, b) => (a == b).then(|| a.to_string()),
    }
}

impl Ledger {
    /// Writes the ledger.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut hash = Sha256::new();
        let mut put = |line: &str| {
            let line = format!("{line}\n");
            hash.update(&line);
            out.write_all(line.as_bytes())
        };
        let checked = |line: String| format!("{line}\t{}", check(&line));
        put(&format!("{MAGIC}{FORMAT}"))?;
        put(&checked(format!("experiment:\t{}", json(&self.experiment))))?;
        for (number, session) in &self.sessions {
            put(&checked(format!("session:\t{}", json(&program(*number, session)))))?;
        }
        let mut current = None;
        let mut pairs = 0;
        for games in self.games.chunks_exact(2) {
            let pair: Pair = serde_json::from_str(&games[0].setup)?;
            let (game, _) = split_seed(&pair.game);
            let (players, max_plies) = (pair.players.clone(), pair.max_plies);
            let pairing = Pairing { session: games[0].session, game, players, max_plies };
            if current.as_ref() != Some(&pairing) {
                put(&checked(format!("pairing:\t{}", json(&pairing))))?;
                current = Some(pairing);
            }
            put(&checked(line::write(&pair, [&games[0].row, &games[1].row])))?;
            pairs += 1;
        }
        let checksum = hexadecimal(hash);
        writeln!(out, "end:\t{pairs}\t{checksum}")
    }
}

fn program(number: i64, session: &Session) -> Program {
    let Session { version, revision, signature, .. } = session.clone();
    let Session { started_ms, process, cpu, cores, os, arch, jobs, .. } = session.clone();
    let machine = Machine { started_ms, process, cpu, cores, os, arch, jobs };
    let (signatures, signature) = match Signatures::read(&signature) {
        Signatures::Each(each) => (Some(each), None),
        Signatures::Whole(text) => (None, Some(text)),
    };
    let machine = (started_ms > 0).then_some(machine);
    Program { number, version, revision, signatures, signature, machine }
}
