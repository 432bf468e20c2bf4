//! What was written is where it is looked for: files that are removed, renamed, replaced or linked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use treegraft_lab::store::Session;
use treegraft_lab::{RunError, RunOptions, RunWatch, Store, StoreError, run};

use crate::common::registry;
use crate::store_common::{Directory, made_up_pair, quick_plan};

/// A store with a pair in it, open for writing.
fn open(path: &Path) -> Store {
    let mut store = Store::open_or_create(path, "").expect("a store");
    store.begin_session(&Session::here(1, "", String::new())).expect("a session");
    store.append(&[made_up_pair(1)]).expect("room");
    store
}

#[test]
fn a_store_that_is_gone_is_noticed_at_the_next_pair() {
    let directory = Directory::new();
    let folder = directory.file("folder");
    let path = folder.join("a.db");
    let aside = directory.file("aside");
    let log = folder.join("a.db-wal");
    let rename = |from: &Path, to: &Path| fs::rename(from, to).expect("a file");
    type Deed<'a> = &'a dyn Fn();
    let deeds: [(&str, Deed<'_>); 6] = [
        ("its folder renamed", &|| rename(&folder, &directory.file("elsewhere"))),
        ("its folder removed", &|| fs::remove_dir_all(&folder).expect("a folder")),
        ("renamed", &|| rename(&path, &aside)),
        ("replaced", &|| {
            rename(&path, &aside);
            fs::copy(&aside, &path).expect("a copy");
        }),
        ("its log renamed", &|| rename(&log, &aside)),
        ("removed", &|| fs::remove_file(&path).expect("a file")),
    ];
    for (name, deed) in deeds {
        fs::create_dir_all(&folder).expect("a folder");
        let mut store = open(&path);
        deed();
        let error = store.append(&[made_up_pair(2)]).expect_err(name);
        assert!(matches!(error, StoreError::Gone { .. }), "{name}: {error}");
        assert!(store.confirm(0).is_err(), "{name}");
        drop(store);
        let _ = fs::remove_dir_all(&folder);
        let _ = fs::remove_file(&aside);
    }
}

#[test]
fn a_store_that_is_moved_back_has_everything() {
    let directory = Directory::new();
    let (path, aside) = (directory.file("a.db"), directory.file("b.db"));
    let mut store = open(&path);
    fs::rename(&path, &aside).expect("a file");
    store.append(&[made_up_pair(2)]).expect_err("it is not there");
    drop(store);
    let error = Store::open_or_create(&path, "").expect_err("its log is there");
    assert!(matches!(error, StoreError::LeftOver { .. }), "{error}");
    fs::rename(&aside, &path).expect("a file");
    let store = Store::open_or_create(&path, "").expect("the store");
    assert!(store.check().is_intact());
    assert_eq!(store.rows().expect("rows").len(), 4);
}

#[test]
fn a_run_ends_if_its_games_are_gone() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    for remove_rows in [true, false] {
        let mut store = Store::open_or_create(&path, "").expect("a store");
        let mut written = 0;
        let mut deed = |progress: &treegraft_lab::RunProgress<'_>| {
            written += progress.written.len();
            if written == 12 && remove_rows {
                // This is not allowed, but then the run must not report success.
                let other = rusqlite::Connection::open(&path).expect("the store");
                other.execute("DELETE FROM games WHERE id < 3", []).expect("rows");
            } else if written >= 6 && path.exists() && !remove_rows {
                fs::remove_file(&path).expect("the store");
            }
        };
        let watch = RunWatch { progress: Some(&mut deed), cancel: None };
        let options = RunOptions { jobs: 1, ..RunOptions::default() };
        let error = run(registry(), &quick_plan(12), &mut store, options, watch);
        match error.expect_err("games are gone") {
            RunError::Store(StoreError::Incomplete { found: 22, expected: 24, .. }) => {
                assert!(remove_rows);
            }
            RunError::Store(StoreError::Gone { .. }) => assert!(!remove_rows),
            error => panic!("{error}"),
        }
        drop(store);
        for file in ["a.db", "a.db-wal", "a.db-shm"] {
            let _ = fs::remove_file(directory.file(file));
        }
    }
}

#[test]
fn links_to_nothing_are_refused() {
    let directory = Directory::new();
    let link = directory.file("link.db");
    symlink("nowhere.db", &link).expect("a link");
    let opened = [Store::open_or_create(&link, ""), Store::open_read_only(&link)]
        .map(|it| it.expect_err(""));
    for error in opened {
        assert!(matches!(error, StoreError::Dangling { .. }), "{error}");
        assert!(error.to_string().contains("nowhere.db"), "{error}");
    }
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert!(!directory.file("nowhere.db").exists());
    // A link to a store is another name for it.
    drop(open(&directory.file("real.db")));
    fs::remove_file(&link).expect("the link");
    symlink("real.db", &link).expect("a link");
    let store = Store::open_or_create(&link, "").expect("the store");
    let second = Store::open_or_create(&directory.file("real.db"), "").expect_err("one run");
    assert!(matches!(second, StoreError::InUse { .. }), "{second}");
    assert_eq!(store.rows().expect("rows").len(), 2);
}

#[test]
fn a_store_has_one_name() {
    let directory = Directory::new();
    let [a, b] = ["a.db", "b.db"].map(|name| directory.file(name));
    let mut store = open(&a);
    fs::hard_link(&a, &b).expect("a link");
    let second = Store::open_or_create(&b, "").expect_err("one run");
    assert!(matches!(second, StoreError::SeveralNames { .. }), "{second}");
    assert!(!directory.file("b.db.lock").exists());
    // The run that is there first does not mind.
    store.append(&[made_up_pair(2)]).expect("room");
    store.confirm(4).expect("four games");
    drop(store);
    fs::remove_file(&b).expect("the other name");
    assert_eq!(open(&a).rows().expect("rows").len(), 4);
    let folder = Store::open_or_create(&directory.file("."), "").expect_err("a folder");
    assert!(matches!(folder, StoreError::NotAStore { .. }), "{folder}");
}
