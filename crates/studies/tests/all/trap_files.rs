//! What was written is where it is looked for: files of traps that are removed, replaced or linked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use treegraft_studies::Watch;
use treegraft_studies::traps::{
    Levels, TrapError, TrapFile, TrapFileError, TrapGame, TrapHeader, TrapStudy, study_traps,
};

use crate::common::{player, registry, start};
use crate::store_common::Directory;

fn header() -> TrapHeader {
    TrapHeader {
        traps: 1,
        version: "1.0.0".to_owned(),
        game: "connect4".to_owned(),
        player: "random".to_owned(),
        levels: Levels::default(),
        playouts: 0,
        seed: 0,
    }
}

fn trap_game(number: u32) -> TrapGame {
    TrapGame { number, outcome: 1, moves: String::new(), positions: Vec::new() }
}

#[test]
fn a_file_of_traps_that_is_gone_is_noticed() {
    let directory = Directory::new();
    let path = directory.file("traps.jsonl");
    let (mut file, _) = TrapFile::open(&path, &header()).expect("a file");
    file.append(&trap_game(0)).expect("room");
    file.confirm(&[trap_game(0)]).expect("it is there");
    let missing = file.confirm(&[trap_game(0), trap_game(1)]).expect_err("it is not there");
    assert!(matches!(missing, TrapFileError::Gone { missing: 1, .. }), "{missing}");
    fs::rename(&path, directory.file("aside.jsonl")).expect("a file");
    let error = file.append(&trap_game(1)).expect_err("the file is gone");
    assert!(matches!(error, TrapFileError::Gone { .. }), "{error}");
    fs::write(&path, "").expect("another file");
    assert!(file.append(&trap_game(2)).is_err(), "another file has its name");
    // What is not kept is said, even if the system has no objection.
    let study = TrapStudy {
        start: start("connect4:4x4"),
        player: player("random"),
        games: 2,
        seed: 0,
        jobs: 1,
        levels: Levels::default(),
        playouts: 0,
    };
    let null = Some(Path::new("/dev/null"));
    let lost = study_traps(registry(), &study, null, Watch::default()).expect_err("no file");
    assert!(matches!(lost, TrapError::File(_)), "{lost}");
    let nobody = TrapStudy { player: player("engine:\"./no-such-program\""), ..study };
    let fault = study_traps(registry(), &nobody, None, Watch::default()).expect_err("no games");
    assert!(fault.to_string().contains("cannot be started"), "{fault}");
}

#[test]
fn a_file_of_traps_that_links_to_nothing_is_refused() {
    let directory = Directory::new();
    let link = directory.file("link.jsonl");
    symlink("nowhere.jsonl", &link).expect("a link");
    let error = TrapFile::open(&link, &header()).expect_err("a link to nothing");
    assert!(matches!(error, TrapFileError::Dangling { .. }), "{error}");
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert!(!directory.file("nowhere.jsonl").exists());
}
