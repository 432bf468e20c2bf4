//! Ledgers: what is written is read, does not depend on how it was played, and damage is named.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use treegraft_lab::export::write_csv;
use treegraft_lab::ledger::LedgerError;
use treegraft_lab::store::{LEDGER_OMITS, Session, StoredGame};
use treegraft_lab::{
    GameFile, Ledger, Opening, Pair, Store, StoreError, VerifyOptions, VerifyReport, VerifyWatch,
    play_pair, verify,
};

use crate::common::registry;
use crate::store_common::{Directory, made_up_pair};

/// Everything that a plan can ask for: openings, random starts, margins, limits, clocks.
pub(crate) const EXPERIMENT: &str = r#"
title = "A bit of everything"
game = "connect4"
games = 8
players = ["mcts@5it", "greedy", "random"]
openings = { random = 2 }
"#;

pub(crate) fn session(experiment: &str) -> Session {
    let signature =
        r#"{"connect4":{"greedy":"0000000000000001","mcts":"0000000000000002"}}"#.to_owned();
    Session { revision: "abc".to_owned(), ..Session::here(2, experiment, signature) }
}

fn stored(pair: &Pair, session: i64) -> Vec<StoredGame> {
    let setup = serde_json::to_string(pair).expect("JSON");
    let rows = play_pair(registry(), pair, None).expect("a pair");
    rows.map(|row| StoredGame { session, setup: setup.clone(), row }).to_vec()
}

fn pair(game: &str, first: &str, opening: Opening, seed: u64) -> Pair {
    Pair {
        game: game.to_owned(),
        players: [first.to_owned(), "random".to_owned()],
        opening,
        seed,
        max_plies: (game == "lion").then_some(6),
    }
}

/// The pairs of [`EXPERIMENT`], in the order of the plan.
pub(crate) fn planned() -> Vec<StoredGame> {
    static GAMES: LazyLock<Vec<StoredGame>> = LazyLock::new(|| {
        let experiment = treegraft_lab::Experiment::parse(EXPERIMENT, "it.toml", registry());
        let plan = experiment.expect("an experiment").plan;
        plan.pairs().flat_map(|(_, _, pair)| stored(&pair, 1)).collect()
    });
    GAMES.clone()
}

/// Pairs that are in no plan.
fn others() -> Vec<StoredGame> {
    let random = Opening::Random { plies: 3, seed: u64::MAX };
    let moves = Opening::Moves("4 4 4".to_owned());
    let pairs = [
        pair("othello", "mcts@5it", Opening::None, 0),
        pair("lion", "greedy", random.clone(), 7),
        pair("connect4", "mcts@5it", moves, 8),
        pair("connect4", "mcts@5it", random, u64::MAX),
        pair("kalah:random-start=12345678901234", "greedy", Opening::None, 9),
        pair("kalah:random-start=18446744073709551615", "greedy", Opening::None, 10),
        pair("tree:branching=3,height=6", "random", Opening::None, 11),
        // Not repeatable.
        pair("connect4", "mcts@1ms", Opening::None, 12),
        pair("othello", "mcts@1ms", Opening::None, 13),
    ];
    pairs.iter().flat_map(|pair| stored(pair, 1)).collect()
}

pub(crate) fn ledger(sessions: Vec<(i64, Session)>, games: Vec<StoredGame>) -> Ledger {
    let experiment = EXPERIMENT.to_owned();
    Ledger::new(registry(), Path::new(""), experiment, sessions, games).expect("a ledger")
}

pub(crate) fn text(ledger: &Ledger) -> String {
    let mut text = Vec::new();
    ledger.write(&mut text).expect("memory");
    String::from_utf8(text).expect("text")
}

fn csv(games: &[StoredGame]) -> Vec<String> {
    let mut csv = Vec::new();
    write_csv(games, &mut csv).expect("memory");
    let text = String::from_utf8(csv).expect("text");
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn what_is_written_is_read() {
    let mut games = planned();
    games.extend(others());
    let written = text(&ledger(vec![(1, session(EXPERIMENT))], games.clone()));
    let read = Ledger::read(written.as_bytes()).expect("a ledger");
    assert_eq!(text(&read), written);
    assert_eq!(read.experiment, EXPERIMENT);
    assert_eq!(read.sessions.len(), 1);
    assert_eq!(read.games.len(), games.len());
    let again = ledger(read.sessions.clone(), read.games.clone());
    assert_eq!(text(&again), written, "a ledger of a ledger is the same");
    let known = csv(&games);
    let mut whole = 0;
    for (game, line) in read.games.iter().zip(csv(&read.games)) {
        let same = |stored: &&StoredGame| {
            (stored.row.pair, stored.row.number) == (game.row.pair, game.row.number)
        };
        let stored = games.iter().find(same).expect("the game");
        if game.row.is_digest_only() {
            assert!(game.row.moves.is_empty());
            let mut kept = game.clone();
            // What is left out, and nothing else, is not what it was.
            kept.row.moves.clone_from(&stored.row.moves);
            (kept.row.started_ms, kept.row.seconds) = (stored.row.started_ms, stored.row.seconds);
            for (side, was) in kept.row.sides.iter_mut().zip(&stored.row.sides) {
                (side.capped_playouts, side.transitions) = (was.capped_playouts, was.transitions);
                (side.memory, side.seconds, side.slowest) = (was.memory, was.seconds, was.slowest);
            }
            assert_eq!(&kept, stored);
            assert!(line.contains(",,,,,"), "unknown is empty: {line}");
        } else {
            whole += 1;
            assert!(stored.setup.contains("@1ms"));
            assert!(known.contains(&line), "{line}");
        }
    }
    assert_eq!(whole, 4);
    assert_eq!(LEDGER_OMITS.len(), 13);
}

#[test]
fn the_order_of_playing_leaves_no_trace() {
    let games = planned();
    let once = text(&ledger(vec![(1, session(EXPERIMENT))], games.clone()));
    let mut shuffled: Vec<StoredGame> = games.chunks(2).rev().flatten().cloned().collect();
    // As if it had been interrupted and continued, elsewhere.
    shuffled[6..].iter_mut().for_each(|game| game.session = 4);
    shuffled.iter_mut().for_each(|game| game.row.seconds += 1.0);
    let signature = r#"{"connect4":{"mcts":"0000000000000002"}}"#.to_owned();
    let elsewhere = Session { cpu: "other".to_owned(), signature, ..session(EXPERIMENT) };
    let sessions = vec![(1, session(EXPERIMENT)), (3, session("unused")), (4, elsewhere.clone())];
    assert_eq!(text(&ledger(sessions, shuffled.clone())), once);
    // Pairings, and the pairs of each, as planned.
    let read = Ledger::read(once.as_bytes()).expect("a ledger").games;
    let expected = (0..3).flat_map(|pairing| games.chunks(2).skip(pairing).step_by(3));
    let expected: Vec<_> = expected.map(|games| games[0].row.pair).collect();
    assert_eq!(read.iter().step_by(2).map(|game| game.row.pair).collect::<Vec<_>>(), expected);
    // Another program is another session.
    let signature = r#"{"connect4":{"mcts":"0000000000000003"}}"#.to_owned();
    let changed = Session { signature, ..elsewhere };
    let both = ledger(vec![(1, session(EXPERIMENT)), (4, changed)], shuffled);
    assert_eq!(both.sessions.len(), 2);
    assert!(both.games.iter().any(|game| game.session == 2));
}

#[test]
fn small_and_readable() {
    let written = text(&ledger(vec![(1, session(EXPERIMENT))], planned()));
    let pairs = written.lines().filter(|line| line.split('\t').count() == 5);
    let bytes: usize = pairs.clone().map(|line| line.len() + 1).sum();
    let games = 2 * pairs.count();
    assert_eq!(games, 24);
    assert!(bytes / games <= 60, "{bytes} bytes for {games} games");
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("treegraft ledger 1"));
    assert!(lines.next().is_some_and(|line| line.starts_with("experiment:\t\"\\ntitle = ")));
    let session = lines.next().expect("a session");
    assert!(session.starts_with("session:\t{\"number\":1,\"version\":"), "{session}");
    assert!(session.contains("\"signatures\":{\"connect4\":{\"greedy\":\"0000000000000001\","));
    assert!(!session.contains("machine"), "{session}");
    let pairing =
        "pairing:\t{\"session\":1,\"game\":\"connect4\",\"players\":[\"mcts@5it\",\"greedy\"]";
    assert!(lines.next().is_some_and(|line| line.starts_with(pairing)));
    assert!(written.lines().last().is_some_and(|line| line.starts_with("end:\t12\t")));
}

/// The line that is said to be damaged.
fn damaged_line(bytes: &[u8]) -> usize {
    match Ledger::read(bytes) {
        Err(LedgerError::Damaged { line, .. }) => line,
        // A one that has become a two, or the like.
        Err(LedgerError::Format { .. }) => 1,
        other => panic!("{other:?}: {}", String::from_utf8_lossy(bytes)),
    }
}

#[test]
fn damage_is_found_and_its_line_named() {
    let mut games = planned();
    games.truncate(8);
    games.extend(others().into_iter().rev().take(2));
    let intact = text(&ledger(vec![(1, session(EXPERIMENT))], games));
    let bytes = intact.as_bytes();
    let line_of = |at: usize| 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
    let last = intact.lines().count();
    for at in 0..bytes.len() {
        for bit in [1, 128] {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= bit;
            assert_eq!(damaged_line(&flipped), line_of(at), "byte {at}");
        }
        assert_eq!(damaged_line(&bytes[..at]), line_of(at), "cut off after {at}");
    }
    let lines: Vec<&str> = intact.split_inclusive('\n').collect();
    for at in 0..lines.len() {
        let with = |lines: Vec<&str>| damaged_line(lines.concat().as_bytes());
        let mut twice = lines.clone();
        twice.insert(at, lines[at]);
        assert_eq!(with(twice), at + 2, "line {} twice", at + 1);
        let mut gone = lines.clone();
        gone.remove(at);
        assert!((at + 1..=last).contains(&with(gone)), "line {} gone", at + 1);
        let mut swapped = lines.clone();
        swapped.swap(at, (at + 1) % lines.len());
        with(swapped);
    }
    let mut more = intact.clone();
    more.push_str("more\n");
    assert_eq!(damaged_line(more.as_bytes()), last + 1);
    let miscounted = intact.replace("end:\t5\t", "end:\t6\t");
    let error = Ledger::read(miscounted.as_bytes()).expect_err("a wrong count").to_string();
    assert_eq!(error, format!("line {last}: it says \"6\" pairs, but there are 5"));
    let later = intact.replacen("ledger 1\n", "ledger 2\n", 1);
    let error = Ledger::read(later.as_bytes()).expect_err("a later format").to_string();
    assert_eq!(error, "the format is 2; this version reads format 1");
}

/// A line with the right check.
fn checked(line: &str) -> String {
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    let hash = Sha256::digest(line);
    let number = u32::from_be_bytes([0, hash[0], hash[1], hash[2]]);
    let check = [18, 12, 6, 0].map(|shift| digits[(number >> shift & 63) as usize]);
    format!("{line}\t{}\n", String::from_utf8_lossy(&check))
}

/// A ledger with other lines, all of whose checks are right.
fn forged(change: impl Fn(&str) -> String) -> Vec<u8> {
    static INTACT: LazyLock<String> =
        LazyLock::new(|| text(&ledger(vec![(1, session(EXPERIMENT))], planned())));
    let mut forged = String::new();
    for line in INTACT.lines() {
        forged.push_str(&match line.rsplit_once('\t') {
            Some((line, _)) if !line.starts_with("end:") => checked(&change(line)),
            Some((end, _)) => {
                let hash = Sha256::digest(&forged);
                let hash: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{end}\t{hash}\n")
            }
            None => format!("{line}\n"),
        });
    }
    forged.into_bytes()
}

#[test]
fn forged_lines_are_errors() {
    assert!(Ledger::read(&forged(str::to_owned)[..]).is_ok());
    let pairing =
        "pairing:\t{\"session\":1,\"game\":\"connect4\",\"players\":[\"mcts@5it\",\"greedy\"]";
    let is_pair = |line: &str| line.split('\t').count() == 4;
    let first_pair = |line: &str, from: &str, to: &str| {
        if is_pair(line) { line.replacen(from, to, 1) } else { line.to_owned() }
    };
    for (line, forged) in [
        (3, forged(|line| line.replace("\"number\":1", "\"number\":2"))),
        (3, forged(|line| line.replace("\"version\"", "\"verzion\""))),
        (3, forged(|line| line.replace("session:", "sezzion:"))),
        (4, forged(|line| line.replace("\"session\":1", "\"session\":2"))),
        (4, forged(|line| line.replace(pairing, "pairing:\t{\"session\":1"))),
        (5, forged(|line| line.replace("connect4\",\"players\"", "connect4=*\",\"players\""))),
        (5, forged(|line| first_pair(line, "\t", "*1\t"))),
        (5, forged(|line| first_pair(line, "\t", "!\t"))),
        (5, forged(|line| first_pair(line, "\t", "\t\t"))),
        (5, forged(|line| first_pair(line, "2:", "99999999999:"))),
        (5, forged(|line| first_pair(line, "2:", "60:"))),
        (5, forged(|line| first_pair(line, "2:", "2;"))),
        (5, forged(|line| first_pair(line, ",", "over,"))),
        (5, forged(|line| first_pair(line, ",", ",0"))),
        (5, forged(|line| if is_pair(line) { format!("{line},5,5") } else { line.to_owned() })),
    ] {
        assert_eq!(damaged_line(&forged), line, "{}", String::from_utf8_lossy(&forged));
    }
}

/// A store would keep another number than the ledger.
#[test]
fn counts_that_a_store_cannot_hold_are_refused() {
    /// A ledger in which the first player of a game is said to have visited so many nodes.
    fn with_nodes(nodes: &str) -> Vec<u8> {
        forged(|line| {
            let mut fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if let [_, _, game, _] = &mut fields[..] {
                let mut parts: Vec<&str> = game.split(',').collect();
                parts[5] = nodes;
                *game = parts.join(",");
            }
            fields.join("\t")
        })
    }
    let read = Ledger::read(&with_nodes("7__________")[..]).expect("the largest that fits");
    assert_eq!(read.games[0].row.sides[0].nodes, i64::MAX as u64);
    for larger in ["80000000000", "F__________"] {
        assert_eq!(damaged_line(&with_nodes(larger)), 5, "{larger}");
    }
}

#[test]
fn a_short_file_does_not_fill_the_memory() {
    // A long text, and then many short lines that each have all of it.
    let long = "x".repeat(1 << 16);
    let bomb = forged(|line| line.replace("greedy", &long));
    assert!(Ledger::read(&bomb[..]).is_ok(), "a few may");
    let mut text = String::from_utf8(bomb).expect("text");
    let pair = text.lines().nth(4).expect("a pair").to_owned();
    let end = text.find("end:").expect("the end");
    text.truncate(end);
    let (_, rest) = pair.split_once('\t').expect("a seed");
    let (rest, _) = rest.rsplit_once('\t').expect("a check");
    let section = text.lines().nth(3).expect("a pairing").to_owned();
    text.push_str(&section);
    text.push('\n');
    for number in 0..400 {
        text.push_str(&checked(&format!("1{number:03}\t{rest}")));
    }
    let Err(LedgerError::Damaged { problem, .. }) = Ledger::read(text.as_bytes()) else {
        panic!("it was read")
    };
    assert_eq!(problem, "its games would take too much memory for a file of this size");
    // A line without an end is not read for ever.
    let endless =
        std::io::Read::chain(&b"treegraft ledger 1\nexperiment:\t\""[..], std::io::repeat(b'x'));
    let error = Ledger::read(endless).expect_err("too long").to_string();
    assert_eq!(error, "line 2: the line has more than 4194304 bytes");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever stands in a line, reading it ends with a ledger or an error.
    #[test]
    fn no_line_is_a_panic(junk in ".{0,40}", at in 1usize..12, place in 0usize..60) {
        let forged = forged_at(at, |line| {
            let place = (0..=place.min(line.len())).rev().find(|&at| line.is_char_boundary(at));
            let (before, after) = line.split_at(place.unwrap_or(0));
            let rest: String = after.chars().skip(junk.chars().count() / 2).collect();
            format!("{before}{junk}{rest}").replace('\n', " ")
        });
        let _ = Ledger::read(&forged[..]);
        let _ = Ledger::read(junk.as_bytes());
    }
}

fn forged_at(at: usize, change: impl Fn(&str) -> String) -> Vec<u8> {
    let number = std::cell::Cell::new(0);
    forged(|line| {
        number.set(number.get() + 1);
        if number.get() == at { change(line) } else { line.to_owned() }
    })
}

fn verified(ledger: &Ledger, options: VerifyOptions<'_>) -> VerifyReport {
    let options = VerifyOptions { sessions: &ledger.sessions, ..options };
    verify(registry(), &ledger.games, options, VerifyWatch::default())
}

#[test]
fn games_are_played_again_and_compared() {
    let whole = |signature: &str| {
        let mut games = planned();
        games.extend(others());
        let session = Session { signature: signature.to_owned(), ..session(EXPERIMENT) };
        let written = text(&ledger(vec![(1, session)], games));
        Ledger::read(written.as_bytes()).expect("a ledger")
    };
    let intact = whole("{}");
    let report = verified(&intact, VerifyOptions::default());
    let clean = VerifyReport { played_again: 19, unrepeatable: 2, ..VerifyReport::default() };
    assert_eq!(report, VerifyReport { replayed: 4, ..clean.clone() });

    let some = VerifyOptions { sample: Some(5), ..VerifyOptions::default() };
    let sampled = VerifyReport { played_again: 5, not_sampled: 14, unchecked: 14, ..clean };
    assert_eq!(verified(&intact, some), VerifyReport { replayed: 4, ..sampled });
    let none = VerifyOptions { replay_share: 0.0, ..VerifyOptions::default() };
    assert_eq!(verified(&intact, none).unchecked, 19);

    type Change = (&'static str, fn(&mut StoredGame));
    let changes: [Change; 7] = [
        ("outcome is", |game| game.row.outcome = if game.row.outcome == 0 { 1 } else { 0 }),
        ("ended_by is", |game| game.row.end = "repetition".to_owned()),
        ("digest is", |game| game.row.digest ^= 1 << 63),
        ("plies is", |game| game.row.plies += 1),
        ("margin is", |game| game.row.margin = Some(-7)),
        ("first_nodes is", |game| game.row.sides[0].nodes += 1),
        ("second_playout_plies is", |game| game.row.sides[1].playout_plies += 1),
    ];
    for (what, change) in changes {
        let mut changed = intact.clone();
        changed.games.truncate(4);
        change(&mut changed.games[3]);
        let changed = Ledger::read(text(&changed).as_bytes()).expect("a ledger");
        let report = verified(&changed, VerifyOptions::default());
        assert!(report.differences[0].what.starts_with(what), "{:?}", report.differences);
        assert_eq!(report.differences[0].pair, intact.games[3].row.pair);
        assert_eq!(report.differences[0].number, Some(1));
    }
    // Games that cannot be played again are replayed.
    let timed = intact.games.iter().position(|game| !game.row.is_digest_only()).expect("one");
    let mut changed = intact.clone();
    changed.games[timed].row.outcome = if changed.games[timed].row.outcome == 0 { 1 } else { 0 };
    assert_eq!(verified(&changed, none).differences.len(), 1);
    let mut moveless = intact.clone();
    for game in &mut moveless.games[timed..timed + 2] {
        (game.row.moves, game.row.seconds) = (String::new(), f64::NAN);
    }
    let differences = verified(&moveless, none).differences;
    assert_eq!(differences[0].what, "its moves are not kept, though it cannot be played again");
}

#[test]
fn changed_players_are_named_and_no_difference() {
    let then = r#"{"connect4":{"greedy":"0123456789abcdef","mcts":"fedcba9876543210"}}"#;
    let session = Session { signature: then.to_owned(), ..session(EXPERIMENT) };
    let mut lied = ledger(vec![(1, session)], planned());
    // It cannot be checked: greedy and mcts do something else now.
    lied.games[0].row.digest ^= 1;
    let report = verified(&lied, VerifyOptions::default());
    assert!(report.is_clean(), "{:?}", report.differences);
    assert_eq!((report.played_again, report.other_version, report.unchecked), (0, 12, 12));
    let players: Vec<&str> = report.changed.iter().map(|changed| &*changed.player).collect();
    assert_eq!(players, ["greedy", "mcts"]);
    assert_eq!(report.changed[0].then, "0123456789abcdef");
    // Those of others are played.
    let then = r#"{"connect4":{"greedy":"0123456789abcdef"}}"#;
    let session = Session { signature: then.to_owned(), ..lied.sessions[0].1.clone() };
    let report = verified(&ledger(vec![(1, session)], planned()), VerifyOptions::default());
    assert_eq!((report.played_again, report.other_version, report.changed.len()), (4, 8, 1));
}

#[test]
fn files_are_told_by_their_content() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let written = text(&ledger(vec![(1, session(EXPERIMENT))], planned()));
    std::fs::write(&path, &written).expect("a file");
    let GameFile::Ledger(read) = GameFile::open(&path).expect("a ledger") else {
        panic!("a ledger")
    };
    assert_eq!(text(&read), written);
    let refused = Store::open_or_create(&path, "").expect_err("a ledger").to_string();
    assert!(refused.contains("is a ledger, which is read and verified but not played into"));
    assert_eq!(std::fs::read_to_string(&path).expect("text"), written);
    std::fs::write(&path, &written[..written.len() / 2]).expect("a file");
    let error = GameFile::open(&path).expect_err("half of a ledger");
    assert!(matches!(error, StoreError::DamagedLedger { .. }), "{error}");
    assert!(error.to_string().contains("is damaged in line "), "{error}");

    let store = directory.file("b.ledger");
    drop(Store::open_or_create(&store, "x").expect("a store"));
    assert!(matches!(GameFile::open(&store).expect("a store"), GameFile::Store(_)));
    let missing = GameFile::open(&directory.file("c.ledger")).expect_err("nothing");
    assert!(matches!(missing, StoreError::Missing { .. }), "{missing}");
}

#[test]
fn games_that_contradict_themselves_are_refused() {
    let refused = |games: Vec<StoredGame>| {
        let sessions = vec![(1, session(EXPERIMENT))];
        let ledger = Ledger::new(registry(), Path::new(""), EXPERIMENT.to_owned(), sessions, games);
        ledger.expect_err("no ledger")
    };
    let games = stored(&pair("connect4", "greedy", Opening::None, 1), 1);
    assert!(refused(games[..1].to_vec()).contains("has the games [0]"));
    type Change = (&'static str, fn(&mut StoredGame));
    let changes: [Change; 6] = [
        ("first_player", |game| game.row.sides[0].player = "ab@5it".to_owned()),
        ("seed", |game| game.row.seed += 1),
        ("second_moves", |game| game.row.sides[1].moves += 1),
        ("opening_plies", |game| game.row.opening_plies += 1),
        ("game of game", |game| game.row.game = "othello".to_owned()),
        ("there is no session 2", |game| game.session = 2),
    ];
    for (what, change) in changes {
        let mut games = games.clone();
        change(&mut games[0]);
        let said = refused(games);
        assert!(said.contains(what), "{what}: {said}");
    }
    let made_up = made_up_pair(1);
    let setup = made_up.setup;
    let games = made_up.rows.map(|row| StoredGame { session: 1, setup: setup.clone(), row });
    assert!(refused(games.to_vec()).contains("its setup cannot be understood"));
}
