//! The files that the program carries, and the committed page.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use treegraft_lab::{GameFile, Signatures};
use treegraft_ladder::{
    Atlas, AtlasRow, AtlasStudy, BUDGETS, Ladder, LadderError, LadderOptions, Program, atlas_study,
    page, set_games, solved_set,
};
use treegraft_players::{Registry, Start};
use treegraft_studies::Watch;
use treegraft_studies::accuracy::{SolvedSet, measure};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn registry() -> Registry {
    Registry::standard()
}

fn start(game: &str) -> Start {
    registry().start(game).unwrap()
}

fn options(players: &[&str]) -> LadderOptions {
    let players = players.iter().map(|&text| text.to_owned()).collect();
    LadderOptions { time: Duration::from_millis(100), games: None, players }
}

/// Every set is read, is what it says of itself, and its first positions are solved again.
/// `treegraft accuracy GAME --check` solves all.
#[test]
fn sets_are_right() {
    let registry = registry();
    let games: Vec<&str> = set_games().collect();
    assert_eq!(games.len(), 8, "{games:?}");
    for game in games {
        let set = solved_set(&registry, game).unwrap_or_else(|| panic!("{game}"));
        assert_eq!(set.drawn.kept as usize, set.positions.len(), "{game}");
        assert!(set.positions.len() >= 60 && set.positions.iter().all(|it| it.is_a_choice()));
        let few = SolvedSet { positions: set.positions[..2].to_vec(), ..set };
        let wrong = few.check(&registry, &start(game), 2, Watch::default()).unwrap();
        assert_eq!(wrong, [], "{game}");
    }
    assert!(solved_set(&registry, "connect4:5x4").is_none());
}

/// All ladders can be played, with our players alone.
#[test]
fn ladders_are_experiments() {
    let registry = registry();
    let mut names: Vec<&str> = Ladder::files().collect();
    names.retain(|&name| name != "any.toml");
    assert_eq!(names.len(), 7, "{names:?}");
    for name in names {
        let start = start(name.strip_suffix(".toml").unwrap());
        let mut ladder = Ladder::of(&start).unwrap();
        ladder.programs.clear();
        let setup = ladder.setup(&options(&[]), &registry).unwrap();
        let plan = &setup.loaded.experiment.plan;
        assert!(plan.pairings.len() >= 10, "{name}");
        assert!(setup.loaded.text.contains("random = 2"), "{name}");
        assert!(plan.pairings.iter().all(|it| it.game == start.text()));
    }
    // Other boards and other games have ladders too.
    for game in ["hex:5", "tree:height=9"] {
        let ladder = Ladder::of(&start(game)).unwrap();
        assert_eq!((ladder.game.as_str(), ladder.programs.len()), (game, 0));
        ladder.setup(&options(&[]), &registry).unwrap();
    }
    let programs = |game: &str| Ladder::of(&start(game)).unwrap().programs.len();
    assert_eq!(
        [programs("breakthrough:6x6"), programs("othello:6"), programs("othello")],
        [1, 0, 2]
    );
}

#[test]
fn players_can_be_chosen() {
    let (registry, othello) = (registry(), start("othello"));
    let mut ladder = Ladder::of(&othello).unwrap();
    let setup = ladder.setup(&options(&["mcts@10it", "random"]), &registry).unwrap();
    let plan = &setup.loaded.experiment.plan;
    assert_eq!((plan.pairings.len(), plan.pairs_each), (1, 5));
    assert_eq!(plan.pairings[0].names, ["mcts@10it", "random"]);
    let error = ladder.setup(&options(&["mcts@10it", "nobody"]), &registry).unwrap_err();
    assert!(matches!(error, LadderError::Experiment(_)), "{error}");
    // A program that is not there is named with its package.
    let program = Program {
        name: "The Oracle".to_owned(),
        player: "engine:\"no-such-program\"".to_owned(),
        program: "no-such-program".to_owned(),
        any_size: false,
        slow: false,
    };
    ladder.programs = vec![program];
    let setup = ladder.setup(&options(&[]), &registry).unwrap();
    assert_eq!(setup.missing.len(), 1);
    let words = "The Oracle: no-such-program is not installed";
    assert_eq!(setup.missing[0].missing().as_deref(), Some(words));
    let error = ladder.setup(&options(&["The Oracle", "random"]), &registry).unwrap_err();
    assert_eq!(error.to_string(), words);
    // One that is there joins; a slow one only if it is asked for.
    ladder.programs[0].program = "sh".to_owned();
    let joins = |ladder: &Ladder, players: &[&str]| {
        let setup = ladder.setup(&options(players), &registry).unwrap();
        assert!(setup.missing.is_empty());
        let pairings = &setup.loaded.experiment.plan.pairings;
        pairings.iter().any(|pairing| pairing.names.contains(&"The Oracle".to_owned()))
    };
    assert!(joins(&ladder, &[]));
    ladder.programs[0].slow = true;
    assert!(!joins(&ladder, &[]) && joins(&ladder, &["random", "The Oracle"]));
}

/// The programs that ladders name are those whose packages we know, and their players can be read.
#[test]
fn programs_come_from_packages() {
    let registry = registry();
    for (game, count) in [("othello", 2), ("breakthrough", 1), ("lion", 1)] {
        let programs = Ladder::of(&start(game)).unwrap().programs;
        assert_eq!(programs.len(), count, "{game}");
        for program in programs {
            assert!(program.packages().is_some(), "{}", program.program);
            assert!(program.player.contains(&program.program));
            registry.player(&program.player).unwrap();
        }
    }
}

fn committed() -> Atlas {
    Atlas::parse(&fs::read_to_string(root().join("results/atlas.txt")).unwrap()).unwrap()
}

fn study(game: &str) -> AtlasStudy {
    atlas_study(&registry(), &start(game), None, 2).unwrap()
}

/// The committed atlas has everything, and what it says of some searches is what they do.
#[test]
fn the_atlas_is_what_searches_do() {
    let (registry, atlas) = (registry(), committed());
    for game in set_games() {
        assert_eq!(
            atlas.missing(study(game)).entries,
            [],
            "{game}: run `treegraft ladder atlas --dir ladder/results`"
        );
    }
    let mut few = study("connect4");
    assert!(few.entries.len() > 50);
    few.retain(|entry| {
        ["mcts-solver", "best", "random"].contains(&entry.label.as_str())
            && entry.budget <= BUDGETS[0]
    });
    assert_eq!((few.entries.len(), few.study.players.len()), (3, 3));
    few.study.set.positions.truncate(20);
    let choices = measure(&registry, &few.study, Watch::default()).unwrap();
    for row in few.rows(&choices) {
        let stated =
            atlas.rows.iter().find(|it| (&it.game, &it.entry) == (&row.game, &row.entry)).unwrap();
        assert_eq!(stated.kept[..20], row.kept, "{}", row.entry.label);
    }
}

/// A ledger with signatures of version 1 is compared by version 1.
#[test]
fn a_ledger_of_before_is_unchanged() {
    let file = GameFile::open(&root().join("results/connect4-100ms.ledger")).unwrap();
    let sessions = file.sessions().unwrap();
    assert!(!sessions.is_empty());
    for (_, session) in sessions {
        let then = Signatures::read(&session.signature);
        let Signatures::Each(each) = &then else { panic!("{then}") };
        assert!(each.values().flat_map(|it| it.values()).all(|number| number.len() == 16));
        assert_eq!(then.changes(&registry()), []);
    }
}

/// A label that has come to stand for another search is asked again, and no other.
#[test]
fn the_atlas_knows_which_searches_have_changed() {
    let (mut atlas, all) = (committed(), study("hex:5"));
    let before = atlas.clone();
    let is_best = |row: &AtlasRow| row.game == "hex:5" && row.entry.label == "best";
    atlas
        .rows
        .iter_mut()
        .filter(|row| is_best(row))
        .for_each(|row| row.entry.signature.number ^= 1);
    let missing = atlas.missing(all.clone());
    let labels: Vec<&str> = missing.entries.iter().map(|entry| entry.label.as_str()).collect();
    assert_eq!(labels, ["best", "best"]);
    assert_eq!(missing.study.players.len(), 2);
    // What is measured takes the place of what the label was.
    let measured: Vec<AtlasRow> = before.rows.iter().filter(|row| is_best(row)).cloned().collect();
    atlas.put(&all, &measured);
    assert_eq!(atlas, before);
    // Other positions: nothing is known.
    let mut fewer = all.clone();
    fewer.study.set.positions.pop();
    assert_eq!(before.missing(fewer).entries, all.entries);
}

#[test]
fn an_atlas_is_a_text() {
    let atlas = committed();
    assert_eq!(Atlas::parse(&atlas.to_string()).unwrap(), atlas);
    assert_eq!(Atlas::parse("something").unwrap_err().line, 1);
    let damaged = atlas.to_string().replacen("++", "+?", 1);
    assert!(Atlas::parse(&damaged).is_err());
}

/// `treegraft ladder report --dir ladder/results --page docs/strength.md` changes nothing.
#[test]
fn the_page_is_what_the_results_give() {
    let how = "run `treegraft ladder report --dir ladder/results --page docs/strength.md`";
    let page = page(&registry(), &root().join("results")).unwrap();
    let docs = root().join("../docs");
    let is_same = |path: &Path, text: &str| fs::read_to_string(path).is_ok_and(|it| it == text);
    assert!(
        is_same(&docs.join("strength.md"), &page.text),
        "docs/strength.md is out of date: {how}"
    );
    for (name, svg) in &page.pictures {
        assert!(is_same(&docs.join("img").join(name), svg), "{name} is out of date: {how}");
    }
    assert!(!page.text.contains("{{"), "a place of the template is empty");
}
