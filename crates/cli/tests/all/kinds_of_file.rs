//! Every command that reads games says what a file is that holds none, and what would be right.

use crate::experiments::Lab;

const TINY: &str = "game = \"connect4:4x4\"\ngames = 4\nplayers = [\"random\", \"greedy\"]\n";

/// What is given as a file of games, what is said of it, and what would be right.
const KINDS: [(&str, &str, &str); 12] = [
    ("other.toml", "is an experiment file, not a store or a ledger of games", "other.db"),
    ("it.svg", "is an SVG picture, not a store", "it.db, the store beside it"),
    ("plot.png", "is a PNG picture, not a store", "that it was made from"),
    ("games.csv", "is a CSV file of games, not a store", "is not read back"),
    ("games.jsonl", "is a JSON file, not a store", "is not read back"),
    ("any.json", "is a JSON file, not a store", "is not read back"),
    ("notes.txt", "is a text file, not a store", "begins with \"treegraft ledger\""),
    ("it.db-log", "is the log of an SQLite database", "the store that the log belongs to"),
    ("packed.gz", "is a compressed file, not a store", "another file"),
    ("empty.db", "is an empty file, not a store", "`treegraft run` makes a store"),
    ("folder", "is a folder, not a store", "a store or ledger in it"),
    ("bytes", "is not a store of games, or its beginning is damaged", "export --salvage"),
];

/// Commands that read games; FILE is the file.
const READERS: [&str; 9] = [
    "status it.toml --store FILE",
    "report it.toml --store FILE",
    "verify it.toml --store FILE",
    "export it.toml --store FILE",
    "export it.toml --store FILE --format ledger",
    "replay it.toml 1 --store FILE",
    "annotate it.toml 1 --store FILE",
    "tune connect4:4x4 --from FILE",
    "run it.toml --store FILE --no-plot",
];

fn lab_of_kinds(name: &str) -> Lab {
    let lab = Lab::new(name, TINY);
    lab.ok(&["run", "it.toml", "--quiet"]);
    lab.ok(&["report", "it.toml", "--plot", "plot.png"]);
    lab.ok(&["export", "it.db", "--output", "games.csv"]);
    lab.ok(&["export", "it.db", "--format", "jsonl", "--output", "games.jsonl"]);
    lab.ok(&["export", "it.db", "--format", "ledger", "--output", "it.ledger"]);
    let write = |name: &str, bytes: &[u8]| std::fs::write(lab.file(name), bytes).unwrap();
    write("other.toml", TINY.as_bytes());
    write("any.json", b"{ \"a\": [1, 2] }\n");
    write("notes.txt", "Spiele von gestern, ungezählt\n".as_bytes());
    write("it.db-log", b"\x37\x7f\x06\x82\x00\x2d\xe2\x18");
    write("packed.gz", b"\x1f\x8b\x08\x00\x00\x00");
    write("empty.db", b"");
    write("bytes", &[0xff, 0, 7].repeat(3000));
    std::fs::create_dir(lab.file("folder")).unwrap();
    lab
}

#[test]
fn every_reader_of_games_says_what_a_file_is() {
    let lab = lab_of_kinds("kinds");
    for reader in READERS {
        for (file, what, hint) in KINDS {
            let line = reader.replace("FILE", file);
            let error = lab.fails(2, &line.split_whitespace().collect::<Vec<_>>());
            assert!(error.contains(&format!("{file} {what}")), "{line}: {error}");
            assert!(error.contains(hint), "{line}: {error}");
        }
    }
    for file in ["it.db", "it.ledger"] {
        lab.ok(&["status", "it.toml", "--store", file]);
    }
}

#[test]
fn merging_says_what_a_part_is() {
    let lab = lab_of_kinds("merged-kinds");
    for (file, what, hint) in KINDS {
        // What may be left of a store can be skipped; other things should not have been named.
        let is_damage = ["notes.txt", "packed.gz", "empty.db", "bytes"].contains(&file);
        let error = lab.fails(if is_damage { 1 } else { 2 }, &["merge", "new.db", "it.db", file]);
        assert!(error.contains(&format!("{file} {what}")), "{error}");
        assert!(is_damage || (error.contains(hint) && !error.contains("salvage")), "{error}");
        assert!(!lab.file("new.db").exists());
        let error = lab.fails(2, &["merge", file, "it.db"]);
        assert!(error.contains(&format!("{file} {what}")), "{error}");
        assert!(error.contains("another name for OUT"), "{error}");
    }
}

#[test]
fn salvaging_is_for_what_may_have_been_a_store() {
    let lab = lab_of_kinds("salvaged-kinds");
    for (file, what, hint) in KINDS {
        let run = lab.run(&["export", file, "--salvage", "--store", file]);
        let is_left_over = ["notes.txt", "packed.gz", "empty.db", "bytes"].contains(&file);
        assert_eq!(run.code, Some(if is_left_over { 1 } else { 2 }), "{file}: {}", run.err);
        assert!(is_left_over || run.err.contains(what) && run.err.contains(hint), "{}", run.err);
    }
}

#[test]
fn experiments_are_not_confused_with_their_stores() {
    let lab = lab_of_kinds("experiment-kinds");
    for (file, what) in [
        ("it.db", "an SQLite database"),
        ("it.ledger", "a ledger of games"),
        ("it.svg", "an SVG picture"),
        ("plot.png", "a PNG picture"),
        ("any.json", "a JSON file"),
        ("empty.db", "an empty file"),
        ("folder", "a folder"),
    ] {
        for command in ["run", "status", "report"] {
            let error = lab.fails(2, &[command, file, "--store", "x.db"]);
            let expected = format!("{file}: it is {what}, not an experiment file (TOML)");
            assert!(error.contains(&expected), "{command}: {error}");
        }
    }
}
