//! `docs/unsafe.md` lists all unsafe code: as much of it, in the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How often a file has `unsafe`, and the permission for it.
type Counts = [usize; 2];

/// The words of a program, without comments and literals.
fn words(source: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let is_raw = ["r", "br", "cr"].contains(&&*word);
        words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        rest = &rest[skipped(rest, is_raw)..];
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The length of the comment or literal at the beginning of a text, or of the one character there.
fn skipped(text: &str, is_raw: bool) -> usize {
    let to = |end: &str, from: usize| {
        text[from..].find(end).map_or(text.len(), |at| from + at + end.len())
    };
    let hashes = text.len() - text.trim_start_matches('#').len();
    match text.as_bytes() {
        [b'/', b'/', ..] => to("\n", 2),
        [b'/', b'*', ..] => to("*/", 2),
        [b'"' | b'#', ..] if is_raw && text[hashes..].starts_with('"') => {
            to(&format!("\"{}", "#".repeat(hashes)), hashes + 1)
        }
        [b'"', ..] => {
            let mut is_escaped = false;
            let end = text[1..].find(|c| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            end.map_or(text.len(), |at| at + 2)
        }
        // The two quotes that are characters; lifetimes have only one.
        [b'\'', b'\\', ..] => to("'", 3.min(text.len())),
        [b'\'', b'"', b'\'', ..] => 3,
        _ => text.chars().next().map_or(0, char::len_utf8),
    }
}

fn counts(source: &str) -> Counts {
    let words = words(source);
    let code = words.iter().filter(|word| *word == "unsafe").count();
    let is_allowed = |pair: &[String]| {
        ["allow", "expect", "warn"].contains(&&*pair[0]) && pair[1] == "unsafe_code"
    };
    [code, words.windows(2).filter(|pair| is_allowed(pair)).count()]
}

/// The counts of all Rust files below a folder that have any.
fn found(folder: &Path, prefix: &str, counted: &mut BTreeMap<String, Counts>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (path, inside) = (entry.path(), format!("{prefix}{name}"));
        if path.is_dir() && ![".git", "target", "node_modules"].contains(&&*name) {
            found(&path, &format!("{inside}/"), counted);
        } else if name.ends_with(".rs") {
            let counts = counts(&fs::read_to_string(&path).expect("a text"));
            if counts != [0, 0] {
                counted.insert(inside, counts);
            }
        }
    }
}

/// The first table of the document: a file and its counts in every row.
fn listed(document: &str) -> BTreeMap<String, Counts> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, code, allowed] = cells[..] else { return None };
        let file = file.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        Some((file, [code.parse().ok()?, allowed.parse().ok()?]))
    };
    document.lines().filter_map(row).collect()
}

#[test]
fn the_document_lists_all_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut counted = BTreeMap::new();
    found(&root, "", &mut counted);
    let document = fs::read_to_string(root.join("docs/unsafe.md")).expect("the document");
    assert_eq!(counted, listed(&document), "left: the sources, right: docs/unsafe.md");
}

/// Every function with unsafe code is named in the document.
#[test]
fn the_document_names_every_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("docs/unsafe.md")).expect("the document");
    for file in listed(&document).keys() {
        let words = words(&fs::read_to_string(root.join(file)).expect("a source"));
        for at in (0..words.len()).filter(|&at| words[at] == "unsafe") {
            let before = words[..at].windows(2).rev();
            let place = before.map(|pair| (&*pair[0], &*pair[1])).find_map(|pair| match pair {
                ("fn" | "macro_rules", name) if name != "v3" && name != "portable" => Some(name),
                _ => None,
            });
            let place = place.expect("a function");
            // In the macro, the function that it defines has no name of its own.
            let place = if place == "name" { "dispatch!" } else { place };
            let is_named = document.contains(&format!("`{place}`"))
                || document.contains(&format!("::{place}`"));
            assert!(is_named, "{file}: {place} is missing in docs/unsafe.md");
        }
    }
}

#[test]
fn unsafe_code_is_counted_and_nothing_else() {
    for (source, expected) in [
        ("fn f() { unsafe { g() } }", [1, 0]),
        ("#[allow(unsafe_code)]\nunsafe fn f() {}", [1, 1]),
        ("#![allow(unsafe_code, dead_code)]", [0, 1]),
        ("#![expect(unsafe_code)]", [0, 1]),
        ("#![deny(unsafe_code)]", [0, 0]),
        ("// unsafe\n/* unsafe */ /// unsafe\nunsafe impl Send for T {}", [1, 0]),
        ("let a = \"unsafe \\\" unsafe\"; unsafe {}", [1, 0]),
        ("let a = r#\"unsafe \" unsafe\"#; unsafe {}", [1, 0]),
        ("let a = '\"'; unsafe {} let b = '\"';", [1, 0]),
        ("let a = '\\''; unsafe {} let b: &'static str = \"\";", [1, 0]),
        ("fn not_unsafe() { undocumented_unsafe_blocks() }", [0, 0]),
    ] {
        assert_eq!(counts(source), expected, "{source}");
    }
    assert_eq!(listed("| `a.rs` | 1 | 2 |\n| a | b | c |"), [("a.rs".to_owned(), [1, 2])].into());
}
