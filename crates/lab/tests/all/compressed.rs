//! Compressed ledgers: they are read as their text is, and damage is named.

use std::io::Read;

use flate2::Compression;
use flate2::bufread::GzEncoder;
use treegraft_lab::ledger::{LedgerError, is_ledger};
use treegraft_lab::{GameFile, Ledger, Store, StoreError};

use crate::ledger::{EXPERIMENT, ledger, planned, session, text};
use crate::store_common::Directory;

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::best()).read_to_end(&mut packed).expect("memory");
    packed
}

#[test]
fn compressed_ledgers_are_read() {
    let directory = Directory::new();
    let path = directory.file("a.ledger");
    let written = text(&ledger(vec![(1, session(EXPERIMENT))], planned()));
    let packed = compressed(written.as_bytes());
    assert!(packed.len() < written.len());
    std::fs::write(&path, &packed).expect("a file");
    assert!(is_ledger(&path));
    let GameFile::Ledger(read) = GameFile::open(&path).expect("a ledger") else {
        panic!("a ledger")
    };
    assert_eq!(text(&read), written);
    let refused = Store::open_or_create(&path, "").expect_err("a ledger");
    assert!(matches!(refused, StoreError::IsLedger { .. }), "{refused}");
    assert!(Ledger::read(&packed[..]).is_ok());

    // What is wrong with the text is named by its line, as without compression.
    let cut = compressed(&written.as_bytes()[..written.len() / 2]);
    assert!(matches!(Ledger::read(&cut[..]), Err(LedgerError::Damaged { .. })));
    // The head of the file has bytes without a meaning: a flag, a time, the system.
    for at in (0..packed.len()).filter(|at| !(3..10).contains(at)) {
        let mut flipped = packed.clone();
        flipped[at] ^= 1;
        assert!(Ledger::read(&flipped[..]).is_err(), "byte {at}");
        assert!(Ledger::read(&packed[..at]).is_err(), "cut off after {at}");
    }
    std::fs::write(&path, &packed[..packed.len() - 9]).expect("a file");
    let error = GameFile::open(&path).expect_err("a part of a file").to_string();
    let lines = written.lines().count() + 1;
    let expected = format!("{} is damaged in line {lines}: it cannot be de", path.display());
    assert!(error.starts_with(&expected), "{error}");
    assert!(Ledger::read(&[&packed[..], b"more"].concat()[..]).is_err());

    let other = directory.file("b.ledger");
    std::fs::write(&other, compressed(b"treegraft weights")).expect("a file");
    assert!(!is_ledger(&other));
}

#[test]
fn a_short_compressed_file_does_not_fill_the_memory() {
    let text = [b"treegraft ledger 1\n", &vec![b'x'; 4 << 20][..]].concat();
    let bomb = compressed(&text);
    assert!(bomb.len() < 10_000);
    let error = Ledger::read(&bomb[..]).expect_err("too long").to_string();
    assert!(error.contains("it becomes longer than "), "{error}");
}
