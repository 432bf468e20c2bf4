//! The course keeps its promises: every command in it works, and draws the pictures that it shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use treegraft::{Game, Notation, Request};
use treegraft_players::Registry;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/course")
}

/// Words as a shell has them, with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn every_command_works_and_draws_what_is_shown() {
    let place = std::env::temp_dir().join(format!("treegraft-course-{}", std::process::id()));
    let folder = place.join("docs/course");
    fs::create_dir_all(folder.join("img")).expect("a folder");
    fs::copy(docs().join("small.toml"), folder.join("small.toml")).expect("a file");
    let mut lessons: Vec<PathBuf> = fs::read_dir(docs())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    lessons.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    lessons.sort();
    let mut commands = 0;
    let mut pictures = 0;
    for lesson in lessons {
        let text = fs::read_to_string(&lesson).expect("text");
        for line in text.lines().filter(|line| line.starts_with("treegraft ")) {
            let words = words(line);
            let output = Command::new(env!("CARGO_BIN_EXE_treegraft"))
                .args(&words[1..])
                .current_dir(&place)
                .output()
                .expect("the program");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {line}: {said}", lesson.display());
            commands += 1;
            for name in words.iter().filter(|word| word.ends_with(".svg")) {
                let drawn = fs::read(place.join(name)).expect("a picture");
                let shown = fs::read(docs().join("../..").join(name)).unwrap_or_default();
                assert!(drawn == shown, "{line}: {name} is another picture today");
                pictures += 1;
            }
        }
    }
    assert!(commands >= 12 && pictures >= 7, "{commands} commands, {pictures} pictures");
    fs::remove_dir_all(&place).expect("a folder");
}

/// How often each player of the tables in lesson 5 finds the move, with the seeds 1 to 20.
#[test]
fn the_tables_of_the_papers_are_right() {
    let registry = Registry::standard();
    let text = fs::read_to_string(docs().join("5-five-papers.md")).expect("a lesson");
    let mut rows = 0;
    for section in text.split("\n## ") {
        let Some(wanted) = section.lines().find_map(|line| line.strip_prefix("| player | finds "))
        else {
            continue;
        };
        let wanted = wanted.trim_end_matches(" |");
        let command = section.lines().find(|line| line.starts_with("treegraft analyze "));
        let words = words(command.expect("a command"));
        let (_, budget) = words[3].rsplit_once('@').expect("a budget");
        let moves = words.iter().position(|word| word == "--moves").expect("moves");
        let start = registry.start(&words[2]).expect("a game");
        let mut game = start.playthrough();
        game.play_text(&words[moves + 1..].join(" ")).expect("moves");
        for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
            let (player, count) = row.split_once("` | ").expect("a row");
            let count: usize =
                count.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
            let player = registry.player(&format!("{player}@{budget}")).expect("a player");
            let finds = |&seed: &u64| {
                let mut analyst = registry.searcher(&start, &player).expect("a searcher");
                let report = analyst.search(game.position(), Request::new(player.budget, seed));
                report.best_move.map(|mv| game.position().notation().move_text(mv)).as_deref()
                    == Some(wanted)
            };
            assert_eq!((1..=20).filter(finds).count(), count, "{player} in {}", start.text());
            rows += 1;
        }
    }
    assert_eq!(rows, 22);
}
