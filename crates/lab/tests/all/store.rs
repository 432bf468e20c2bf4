//! The store keeps what it acknowledged, says when it is damaged, and gives back what is intact.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use crate::store_common::{Directory, made_up_pair};
use treegraft::Rng;
use treegraft_lab::store::{Session, StoredGame, salvage};
use treegraft_lab::{FinishedPair, GameRow, Store, StoreError};

/// What the searches of a session did.
const SIGNATURE: &str = "{\"hex:5\":{\"mcts-solver\":\"0123456789abcdef\"}}";

/// A closed store with `pairs` made-up pairs, and its games.
fn filled(path: &Path, pairs: u64) -> Vec<StoredGame> {
    let mut store = Store::open_or_create(path, "game = \"hex:5\"").expect("a new store");
    store
        .begin_session(&Session::here(2, "game = \"hex:5\"", SIGNATURE.to_owned()))
        .expect("a session");
    let pairs: Vec<FinishedPair> = (0..pairs).map(made_up_pair).collect();
    for batch in pairs.chunks(7) {
        store.append(batch).expect("room on the disk");
    }
    store.games().expect("an intact store")
}

#[test]
fn what_was_written_is_read() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let written: Vec<GameRow> = (0..20).flat_map(|number| made_up_pair(number).rows).collect();
    let games = filled(&path, 20);
    assert_eq!(
        games.iter().map(|game| &game.row).collect::<Vec<_>>(),
        written.iter().collect::<Vec<_>>()
    );

    // Again, and once more what is there already.
    let mut store = Store::open_or_create(&path, "another text").expect("the same store");
    assert_eq!(store.rows().expect("rows"), written);
    let second =
        store.begin_session(&Session::here(4, "changed", SIGNATURE.to_owned())).expect("a session");
    store.append(&[made_up_pair(3), made_up_pair(20)]).expect("room");
    let games = store.games().expect("rows");
    assert_eq!(games.len(), 42, "a pair that is there is not written twice");
    assert_eq!(games[6].session, 1);
    assert_eq!(games[40].session, second);
    let done: HashSet<_> = (0..21).map(|number| made_up_pair(number).rows[0].pair).collect();
    assert_eq!(store.pairs_done().expect("pairs"), done);
    let sessions = store.sessions().expect("sessions");
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[1].1.jobs, 4);
    assert_eq!(sessions[1].1.signature, SIGNATURE);
    assert_eq!(store.experiment().expect("text"), "game = \"hex:5\"");
    let report = store.check();
    assert!(report.is_intact(), "{:?}", report.problems);
    assert_eq!(report.games, 42);
}

#[test]
fn the_second_run_refuses_and_readers_do_not_mind() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let mut store = Store::open_or_create(&path, "").expect("a new store");
    store.begin_session(&Session::here(1, "", SIGNATURE.to_owned())).expect("a session");
    let refused = Store::open_or_create(&path, "").unwrap_err();
    let message = refused.to_string();
    assert!(matches!(refused, StoreError::InUse { .. }), "{message}");
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    let reader = Store::open_read_only(&path).expect("readers are welcome");
    store.append(&[made_up_pair(1)]).expect("room");
    assert_eq!(reader.rows().expect("rows").len(), 2, "a reader sees what was acknowledged");
    drop(store);
    Store::open_or_create(&path, "").expect("nobody writes any more");
}

#[test]
fn what_is_no_store_is_refused() {
    let directory = Directory::new();
    let missing = Store::open_read_only(&directory.file("none.db")).unwrap_err();
    assert!(matches!(missing, StoreError::Missing { .. }), "{missing}");
    assert!(!directory.file("none.db").exists());
    for (name, bytes) in [("empty.db", b"".as_slice()), ("text.db", &[b'x'; 5000])] {
        let path = directory.file(name);
        fs::write(&path, bytes).expect("a file");
        let read = Store::open_read_only(&path).unwrap_err();
        assert!(matches!(read, StoreError::NotAStore { .. }), "{read}");
        let run = Store::open_or_create(&path, "").unwrap_err();
        assert!(matches!(run, StoreError::NotAStore { .. }), "{run}");
        assert_eq!(fs::read(&path).expect("the file"), bytes, "it must not be touched");
    }
    let nowhere = Store::open_or_create(&directory.file("no/such/directory.db"), "").unwrap_err();
    assert!(nowhere.to_string().contains("directory.db"), "{nowhere}");
    // A log without its store would be mistaken for that of the next one.
    let path = directory.file("gone.db");
    fs::write(directory.file("gone.db-wal"), b"log").expect("a file");
    let left_over = Store::open_or_create(&path, "").unwrap_err();
    assert!(matches!(left_over, StoreError::LeftOver { .. }), "{left_over}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let inner = directory.file("inner");
    fs::create_dir(&inner).expect("a directory");
    let path = inner.join("a b%20?.db");
    let games = filled(&path, 3);
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    set(&path, 0o444);
    set(&inner, 0o555);
    // As root this cannot be tested.
    let is_bound = fs::write(inner.join("probe"), b"").is_err();
    if is_bound {
        let error = Store::open_or_create(&path, "").unwrap_err();
        assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
    }
    let read = Store::open_read_only(&path).expect("a store").games().expect("rows");
    set(&inner, 0o755);
    set(&path, 0o444);
    if is_bound {
        let error = Store::open_or_create(&path, "").unwrap_err();
        assert!(error.to_string().contains("readonly"), "{error}");
    }
    assert_eq!(read, games);
}

/// Damage to a file, and how much of it must be saved at least.
struct Damage {
    name: String,
    bytes: Vec<u8>,
    share: f64,
}

fn damages(intact: &[u8], count: usize) -> impl Iterator<Item = Damage> {
    let mut rng = Rng::new(7);
    let size = intact.len();
    let mut place = move |below: usize| rng.below(below as u32) as usize;
    (0..count).map(move |number| {
        let mut bytes = intact.to_vec();
        let at = place(size);
        match number % 4 {
            0 | 1 => {
                // The header and the tables' definitions are small but matter most.
                let at = if number % 8 == 0 { place(3 * 4096) } else { at };
                let bit = place(8);
                bytes[at] ^= 1 << bit;
                Damage { name: format!("bit {bit} of byte {at}"), bytes, share: 0.97 }
            }
            2 => {
                bytes.truncate(at);
                // Pages fill up in order, but large rows and the index lie between.
                let share = (at as f64 / size as f64 - 0.1).max(0.0);
                Damage { name: format!("cut at {at}"), bytes, share }
            }
            _ => {
                let end = (at + 1 + place(6000)).min(size);
                bytes[at..end].fill(0);
                Damage { name: format!("zeros from {at} to {end}"), bytes, share: 0.9 }
            }
        }
    })
}

#[test]
fn damage_is_reported_and_the_rest_is_saved() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let games = filled(&path, 150);
    let (sessions, experiment) = {
        let store = Store::open_read_only(&path).expect("a store");
        (store.sessions().expect("sessions"), store.experiment().expect("text"))
    };
    let intact = fs::read(&path).expect("the file");
    assert!(!directory.file("a.db-wal").exists(), "a closed store is one file");
    assert_eq!(salvage(&path).expect("a file").games, games);
    assert_eq!(salvage(&path).expect("a file").problems, Vec::<String>::new());

    let by_name: HashMap<_, _> =
        games.iter().map(|game| ((game.row.pair, game.row.number), game)).collect();
    let damaged = directory.file("b.db");
    let mut unnoticed = 0;
    for Damage { name, bytes, share } in damages(&intact, 600) {
        fs::write(&damaged, &bytes).expect("a file");
        let reported = match Store::open_read_only(&damaged) {
            Err(_) => true,
            Ok(store) if !store.check().is_intact() => true,
            Ok(store) => {
                // Not all bytes of a file are in use: nothing that was written has changed.
                assert_eq!(store.games().expect("rows"), games, "{name}");
                assert_eq!(store.sessions().expect("sessions"), sessions, "{name}");
                assert_eq!(store.experiment().expect("text"), experiment, "{name}");
                false
            }
        };
        unnoticed += usize::from(!reported);
        let saved = salvage(&damaged).expect("a file").games;
        let is_true =
            |game: &StoredGame| by_name.get(&(game.row.pair, game.row.number)) == Some(&game);
        assert!(saved.iter().all(is_true), "{name}: a game that was not played");
        let names: HashSet<_> = saved.iter().map(|game| (game.row.pair, game.row.number)).collect();
        assert_eq!(names.len(), saved.len(), "{name}: a game twice");
        let found = saved.len() as f64 / games.len() as f64;
        assert!(found >= share, "{name}: {found} is saved of {share}");
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(directory.file(&format!("b.db{suffix}")));
        }
    }
    // Free space is a small part of the file.
    assert!(unnoticed < 200, "{unnoticed} of 600 damages had no effect");
}

#[test]
fn the_log_of_a_killed_run_is_saved_too() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let mut store = Store::open_or_create(&path, "").expect("a new store");
    store.begin_session(&Session::here(1, "", SIGNATURE.to_owned())).expect("a session");
    let pairs: Vec<FinishedPair> = (0..200).map(made_up_pair).collect();
    for batch in pairs.chunks(5) {
        store.append(batch).expect("room on the disk");
    }
    let games = store.games().expect("rows");
    // What a kill would leave now: more in the log than in the file.
    let copy = directory.file("b.db");
    fs::copy(&path, &copy).expect("a copy");
    let log = fs::read(directory.file("a.db-wal")).expect("a log");
    let mut rng = Rng::new(3);
    let saved = |log: &[u8]| {
        fs::write(directory.file("b.db-wal"), log).expect("a copy");
        salvage(&copy).expect("a file").games
    };
    assert_eq!(saved(&log), games);
    for _ in 0..50 {
        let mut log = log.clone();
        let place = rng.below(log.len() as u32) as usize;
        log[place] ^= 1 << rng.below(8);
        let found = saved(&log);
        assert!(found.iter().all(|game| games.contains(game)), "a game that was not played");
        assert!(found.len() as f64 >= 0.97 * games.len() as f64, "{} games", found.len());
    }
}
