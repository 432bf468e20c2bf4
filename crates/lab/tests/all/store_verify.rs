//! Stored games are verified against their moves and their seeds, and exported whole.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use treegraft_engine::FaultKind;
use treegraft_lab::export::{write_csv, write_json_lines};
use treegraft_lab::store::{COLUMNS, Session, StoredGame, Thoughts};
use treegraft_lab::{
    Opening, Pair, RunOptions, RunWatch, Store, VerifyOptions, VerifyReport, VerifyWatch,
    play_pair, run, verify,
};

use crate::common::registry;
use crate::store_common::{Directory, made_up_pair, quick_plan};

fn played(path: &Path, pairs: usize) -> Vec<StoredGame> {
    let mut store = Store::open_or_create(path, "").expect("a store");
    let plan = quick_plan(pairs);
    run(registry(), &plan, &mut store, RunOptions::default(), RunWatch::default()).expect("a run");
    store.games().expect("rows")
}

fn verified(games: &[StoredGame]) -> VerifyReport {
    verify(registry(), games, VerifyOptions::default(), VerifyWatch::default())
}

/// A pair as it would be stored.
fn stored(pair: &Pair) -> Vec<StoredGame> {
    let setup = serde_json::to_string(pair).expect("JSON");
    let rows = play_pair(registry(), pair, None).expect("a pair");
    rows.map(|row| StoredGame { session: 1, setup: setup.clone(), row }).to_vec()
}

#[test]
fn true_games_are_clean() {
    let directory = Directory::new();
    let games = played(&directory.file("a.db"), 10);
    let mut calls = 0;
    let mut progress = |_done: usize, all: usize| {
        assert_eq!(all, 10);
        calls += 1;
    };
    let watch = VerifyWatch { progress: Some(&mut progress), cancel: None };
    let report = verify(registry(), &games, VerifyOptions::default(), watch);
    assert_eq!(report, VerifyReport { replayed: 20, played_again: 10, ..VerifyReport::default() });
    assert_eq!(calls, 10);

    let none = VerifyOptions { replay_share: 0.0, ..VerifyOptions::default() };
    assert_eq!(verify(registry(), &games, none, VerifyWatch::default()).played_again, 0);
    let some = VerifyOptions { replay_share: 0.5, ..VerifyOptions::default() };
    let report = verify(registry(), &games, some, VerifyWatch::default());
    assert!((1..10).contains(&report.played_again), "{}", report.played_again);
    // Searches that have changed are not expected to do the same.
    let session = Session::here(1, "", "0".to_owned());
    let sessions = [(games[0].session, session)];
    let other = VerifyOptions { sessions: &sessions, ..VerifyOptions::default() };
    let report = verify(registry(), &games, other, VerifyWatch::default());
    assert_eq!((report.played_again, report.other_version), (0, 10));
    let cancel = AtomicBool::new(true);
    let watch = VerifyWatch { progress: None, cancel: Some(&cancel) };
    assert!(verify(registry(), &games, VerifyOptions::default(), watch).cancelled);
}

#[test]
fn every_kind_of_game_and_end_is_clean() {
    let pair = |game: &str, players: [&str; 2], opening, max_plies| Pair {
        game: game.to_owned(),
        players: players.map(str::to_owned),
        opening,
        seed: 5,
        max_plies,
    };
    let random = Opening::Random { plies: 3, seed: 9 };
    for (game, opening, max_plies) in [
        ("connect4", Opening::Moves("4 4 4".to_owned()), None),
        ("othello", Opening::None, None),
        ("lion", random.clone(), Some(30)),
        ("hex:5", random.clone(), Some(6)),
        ("kalah", random, None),
        ("loa", Opening::None, Some(40)),
        ("tree:branching=3,height=6", Opening::None, None),
    ] {
        let pair = pair(game, ["mcts@5it", "random"], opening, max_plies);
        let report = verified(&stored(&pair));
        assert!(report.is_clean(), "{game}: {:?}", report.differences);
        assert_eq!((report.replayed, report.played_again), (2, 1));
    }
    let timed = pair("connect4", ["mcts@1ms", "random"], Opening::None, None);
    let report = verified(&stored(&timed));
    assert!(report.is_clean(), "{:?}", report.differences);
    assert_eq!((report.played_again, report.unrepeatable), (0, 1));
}

#[test]
fn whatever_is_changed_is_found() {
    let games = stored(&quick_plan(1)[0].pair);
    // Without playing again: from the moves alone.
    let moves_only = VerifyOptions { replay_share: 0.0, ..VerifyOptions::default() };
    /// The column, what is done to a game, and whether its moves alone give it away.
    type Change = (&'static str, fn(&mut StoredGame), bool);
    let changes: [Change; 16] = [
        ("outcome", |game| game.row.outcome = -game.row.outcome, true),
        ("ended_by", |game| game.row.end = "repetition".to_owned(), true),
        ("ended_by", |game| game.row.end = FaultKind::Crash.name().to_owned(), true),
        ("margin", |game| game.row.margin = Some(3), true),
        ("digest", |game| game.row.digest ^= 1, true),
        ("plies", |game| game.row.plies += 1, true),
        ("opening_plies", |game| game.row.opening_plies += 1, true),
        ("seed", |game| game.row.seed ^= 1, true),
        ("first_player", |game| game.row.sides.swap(0, 1), true),
        ("game", |game| game.row.game = "connect4".to_owned(), true),
        ("moves", |game| game.row.moves.push_str(" a1a2"), true),
        ("end", |game| drop(game.row.moves.split_off(game.row.moves.len() - 5)), true),
        ("opening", |game| game.row.moves = game.row.moves[6..].to_owned(), true),
        ("setup", |game| game.setup = game.setup.replace("\"seed\":0", "\"seed\":1"), true),
        ("setup", |game| game.setup = "nonsense".to_owned(), true),
        ("first_nodes", |game| game.row.sides[0].nodes += 1, false),
    ];
    for (column, change, from_moves) in changes {
        let mut changed = games.clone();
        change(&mut changed[0]);
        let report = verify(registry(), &changed, moves_only, VerifyWatch::default());
        assert_eq!(!report.is_clean(), from_moves, "{column}: {:?}", report.differences);
        let report = verified(&changed);
        let named = |what: &str| what.contains(column) || what.contains("moves");
        assert!(report.differences.iter().any(|one| named(&one.what)), "{column}");
        assert!(report.differences.iter().all(|one| one.pair == games[0].row.pair));
    }
}

#[test]
fn exports_hold_everything() {
    let games: Vec<StoredGame> = (0..5)
        .flat_map(|number| {
            let pair = made_up_pair(number);
            let setup = pair.setup;
            pair.rows.map(|row| StoredGame { session: 1, setup: setup.clone(), row })
        })
        .collect();
    let mut csv = Vec::new();
    write_csv(&games, &mut csv).expect("memory");
    let records = parse_csv(&String::from_utf8(csv).expect("text"));
    assert_eq!(records.len(), 11);
    assert!(records[0].iter().eq(COLUMNS.iter().map(|(name, _)| name)));
    let mut lines = Vec::new();
    write_json_lines(&games, &Thoughts::new(), &mut lines).expect("memory");
    let lines = String::from_utf8(lines).expect("text");
    assert_eq!(lines.lines().count(), 10);
    for ((game, record), line) in games.iter().zip(&records[1..]).zip(lines.lines()) {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(json["schema"], "treegraft.stored-game/1");
        assert_eq!(json.as_object().expect("an object").len(), COLUMNS.len() + 1);
        for ((name, _), cell) in COLUMNS.iter().zip(record) {
            // The same in both, numbers and texts alike.
            let same = match &json[name] {
                serde_json::Value::Null => cell.is_empty(),
                serde_json::Value::String(text) => text == cell,
                // Reading JSON may be off in the last of 17 digits.
                number => {
                    let (a, b) = (cell.parse::<f64>().expect("a number"), number.as_f64());
                    b.is_some_and(|b| (a - b).abs() <= 1e-15 * b.abs())
                }
            };
            assert!(same, "{name}: {cell:?} and {}", json[name]);
        }
        let row = &game.row;
        assert_eq!(json["moves"], row.moves.as_str());
        assert_eq!(json["fault"], row.fault.as_str());
        assert_eq!(json["seed"], format!("{:016x}", row.seed));
        assert_eq!(record[33].parse(), Ok(row.sides[1].slowest));
        assert_eq!(json["margin"].as_i64(), row.margin);
    }
}

/// A reader by the book, to see what others will.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let record = records.last_mut().expect("never empty");
        let cell = record.last_mut().expect("never empty");
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(String::new()),
            '\n' if !quoted => records.push(vec![String::new()]),
            c => cell.push(c),
        }
    }
    records.pop();
    records
}
