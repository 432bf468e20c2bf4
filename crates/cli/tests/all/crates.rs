//! The picture and the table of the crates in ARCHITECTURE.md are those of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Crates with those of the workspace that they use.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of all crates: the members of the workspace, and those that it excludes.
fn folders() -> Vec<String> {
    let text = read("Cargo.toml");
    let lines = text
        .lines()
        .filter(|line| ["members = [", "exclude = ["].iter().any(|it| line.starts_with(it)));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The name of a crate, and the crates of the workspace that it uses outside of its tests.
fn manifest(folder: &str) -> (String, BTreeSet<String>) {
    let text = read(&format!("{folder}/Cargo.toml"));
    let name = text.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
    let mut uses = BTreeSet::new();
    let mut is_about_uses = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_about_uses = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
        } else if is_about_uses && line.starts_with("treegraft") {
            uses.extend(line.split(['.', ' ']).next().map(str::to_owned));
        }
    }
    (name.trim_matches('"').to_owned(), uses)
}

/// What the picture says: a row per crate, with a mark for each row above it and one for itself.
fn picture(text: &str) -> Uses {
    let block =
        text.split("```text\n").skip(1).find(|block| block.contains('■')).expect("a picture");
    let mut names: Vec<String> = Vec::new();
    let mut uses = Uses::new();
    for row in block.lines().take_while(|line| *line != "```") {
        let mut words = row.split_whitespace();
        let name = words.next().expect("a name").to_owned();
        let marks: Vec<&str> = words.by_ref().take(names.len()).collect();
        assert_eq!(words.next(), Some("■"), "{name}: a mark for each row above, then its own");
        let marked = names.iter().zip(&marks).filter_map(|(above, mark)| match *mark {
            "●" => Some(above.clone()),
            "·" => None,
            mark => panic!("{name}: {mark:?} is no mark"),
        });
        uses.insert(name.clone(), marked.collect());
        names.push(name);
    }
    uses
}

#[test]
fn the_picture_of_the_crates_is_true() {
    let drawn = picture(&read("ARCHITECTURE.md"));
    let there: Uses = folders().iter().map(|folder| manifest(folder)).collect();
    for (name, uses) in &there {
        assert_eq!(drawn.get(name), Some(uses), "{name} (left: drawn, right: its Cargo.toml)");
    }
    assert_eq!(drawn.len(), there.len(), "the picture has a crate that is not there");
}

#[test]
fn the_table_of_the_crates_is_complete() {
    let text = read("ARCHITECTURE.md");
    let table = text.split("| crate | folder |").nth(1).expect("a table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| -> (String, String) {
        let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).skip(1);
        (cells.next().unwrap_or_default(), cells.next().unwrap_or_default())
    };
    let listed: BTreeSet<(String, String)> = rows.map(cells).collect();
    let there = folders().into_iter().map(|folder| (manifest(&folder).0, folder)).collect();
    assert_eq!(listed, there);
}
