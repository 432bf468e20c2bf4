//! What players think is kept beside their games, if an experiment records it, and changes nothing
//! else.

use std::fs;
use std::path::Path;

use treegraft_engine::{BEST_MOVES, LINE_MOVES, Proof, Thought};
use treegraft_lab::export::write_json_lines;
use treegraft_lab::store::{Session, Thoughts, salvage};
use treegraft_lab::{
    Experiment, FinishedPair, Pair, PairError, PairPlayer, PlannedPair, Record, RunOptions,
    RunWatch, Store, VerifyOptions, VerifyWatch, play_pair, run, verify,
};

use crate::common::{registry, start};
use crate::store_common::{Directory, dump, made_up_pair, quick_plan};

fn play(path: &Path, plan: &[PlannedPair], record: bool) -> Store {
    let mut store = Store::open_or_create(path, "").expect("a store");
    let options = RunOptions { jobs: 2, record, ..RunOptions::default() };
    run(registry(), plan, &mut store, options, RunWatch::default()).expect("a run");
    store
}

/// The definitions of the tables.
fn has_table(path: &Path) -> bool {
    let bytes = fs::read(path).expect("a store");
    bytes.windows(21).any(|window| window == b"CREATE TABLE thinking")
}

#[test]
fn thinking_changes_nothing_else() {
    let directory = Directory::new();
    let plan = quick_plan(10);
    let paths = ["plain.db", "thinking.db"].map(|name| directory.file(name));
    let plain = play(&paths[0], &plan, false);
    let thinking = play(&paths[1], &plan, true);
    let games = thinking.games().expect("rows");
    assert_eq!(dump(&plain.games().expect("rows")), dump(&games));
    assert!(plain.thoughts().expect("none").is_empty());
    assert!(plain.check().is_intact() && thinking.check().is_intact());
    let thoughts = thinking.thoughts().expect("thoughts");
    assert_eq!(thoughts.len(), 20);
    drop((plain, thinking));
    assert_eq!(paths.each_ref().map(|path| has_table(path)), [false, true]);

    for game in &games {
        let place = (game.row.pair, game.row.number);
        let thoughts = &thoughts[&place];
        let asked: u64 = game.row.sides.iter().map(|side| side.moves).sum();
        assert_eq!(thoughts.len() as u64, asked);
        let plies: Vec<u32> = thoughts.iter().map(|thought| thought.ply).collect();
        assert_eq!(plies, (game.row.opening_plies..game.row.plies).collect::<Vec<_>>());
        // The sums of the game's row are the sums of its moves.
        let total = |of: fn(&Thought) -> u64| thoughts.iter().map(of).sum::<u64>();
        let sides = &game.row.sides;
        assert_eq!(total(|it| it.nodes), sides[0].nodes + sides[1].nodes);
        assert_eq!(total(|it| it.iterations), sides[0].iterations + sides[1].iterations);
        assert_eq!(total(|it| it.evaluations), sides[0].evaluations + sides[1].evaluations);
        // Every line begins with the move that was played, and can be played.
        let mut board = start(&game.row.game).playthrough();
        for (ply, mv) in game.row.moves.split(' ').enumerate() {
            if let Some(thought) = thoughts.iter().find(|it| it.ply as usize == ply) {
                assert_eq!(thought.line.split(' ').next(), Some(mv));
                assert!(thought.line.split(' ').count() <= LINE_MOVES);
                board.clone().play_text(&thought.line).expect("legal moves");
                assert!(thought.moves.len() <= BEST_MOVES);
                let first = thought.moves.first().map_or(mv, |it| it.text.as_str());
                assert_eq!(first, mv, "the move that was played comes first");
                let values = thought.moves.iter().filter_map(|it| it.value).chain(thought.value);
                assert!(values.into_iter().all(|value| (-1.0..=1.0).contains(&value)));
            }
            board.play_text(mv).expect("a legal move");
        }
        // The winner saw it before the last move.
        let last = thoughts.last().expect("a move");
        if game.row.sides[usize::from(last.ply % 2 == 1)].player.starts_with("mcts-solver") {
            assert_eq!((last.proof, last.value), (Some(Proof::Win), Some(1.0)));
        }
    }

    // Everything that reads stores reads this one.
    let store = Store::open_read_only(&paths[1]).expect("a store");
    let sessions = store.sessions().expect("sessions");
    let options = VerifyOptions { sessions: &sessions, ..VerifyOptions::default() };
    let report = verify(registry(), &games, options, VerifyWatch::default());
    assert!(report.is_clean() && report.played_again == 10, "{report:?}");
    for (index, game) in games.iter().enumerate() {
        assert_eq!(store.game(index + 1).expect("a row").as_ref(), Some(game));
        let place = (game.row.pair, game.row.number);
        assert_eq!(store.thoughts_of(place).expect("a row").as_ref(), thoughts.get(&place));
    }
    assert_eq!((store.game(0).expect("none"), store.game(21).expect("none")), (None, None));
}

#[test]
fn pairs_do_not_depend_on_what_is_recorded() {
    let text = |record: &str| {
        let text = "game = \"connect4\"\ngames = 4\nplayers = [\"random\", \"mcts@9it\"]\n";
        let read = Experiment::parse(&format!("{text}{record}"), "test.toml", registry());
        read.unwrap_or_else(|error| panic!("{error}"))
    };
    let [plain, none, thinking] = ["", "record = \"none\"", "record = \"thinking\""].map(text);
    assert_eq!(
        [plain.record, none.record, thinking.record],
        [Record::None, Record::None, Record::Thinking]
    );
    assert_eq!((&plain.plan, &plain.plan), (&none.plan, &thinking.plan));
}

#[test]
fn a_store_may_be_continued_with_records_and_without() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let plan = quick_plan(6);
    drop(play(&path, &plan[..2], false));
    drop(play(&path, &plan[..4], true));
    let store = play(&path, &plan, false);
    assert!(store.check().is_intact());
    let (games, thoughts) = (store.games().expect("rows"), store.thoughts().expect("thoughts"));
    let known: Vec<bool> = plan
        .iter()
        .flat_map(|planned| {
            [0, 1].map(|number| thoughts.contains_key(&(planned.pair.id(), number)))
        })
        .collect();
    assert_eq!(known, [[false; 4], [true; 4], [false; 4]].concat());
    // As JSON, where there is something to report.
    let mut lines = Vec::new();
    write_json_lines(&games, &thoughts, &mut lines).expect("memory");
    for (line, game) in String::from_utf8(lines).expect("text").lines().zip(&games) {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let own = thoughts.get(&(game.row.pair, game.row.number));
        assert_eq!(
            json.get("thinking").map(|it| it.as_array().map(Vec::len)),
            own.map(|it| Some(it.len()))
        );
    }
}

/// A game that is there already keeps what was thought in it, which is nothing.
#[test]
fn thoughts_belong_to_the_game_that_is_there() {
    let directory = Directory::new();
    let mut store = Store::open_or_create(&directory.file("a.db"), "").expect("a store");
    store.begin_session(&Session::here(1, "", "{}".to_owned())).expect("a session");
    let thought = Thought::of_work(3, &treegraft::Work { nodes: 7, ..Default::default() });
    let with = |number: u64| FinishedPair {
        thoughts: Some([vec![thought.clone()], Vec::new()]),
        ..made_up_pair(number)
    };
    store.append(&[made_up_pair(1)]).expect("room");
    store.append(&[with(1), with(2)]).expect("room");
    let pair = made_up_pair(2).rows[0].pair;
    let expected = Thoughts::from([((pair, 0), vec![thought.clone()]), ((pair, 1), Vec::new())]);
    assert_eq!(store.thoughts().expect("thoughts"), expected);
    assert!(store.check().is_intact());
}

#[test]
fn damage_is_found_and_the_rest_is_saved() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let thoughts = play(&path, &quick_plan(8), true).thoughts().expect("thoughts");
    let intact = fs::read(&path).expect("a store");
    assert_eq!(salvage(&path).expect("a store").thoughts, thoughts);
    // Somewhere in the text of a thought: only the checksum shows it.
    let places: Vec<usize> = (0..intact.len() - 5)
        .filter(|&at| intact[at..].starts_with(b"\"ply\":"))
        .step_by(29)
        .collect();
    let mut damaged = 0;
    for at in places {
        let mut bytes = intact.clone();
        bytes[at + 6] ^= 1;
        fs::write(&path, bytes).expect("a store");
        let store = Store::open_read_only(&path).expect("its structure is intact");
        let report = store.check();
        if report.is_intact() {
            // What SQLite has moved elsewhere is left behind on its old page.
            assert_eq!(store.thoughts().expect("thoughts"), thoughts);
            continue;
        }
        damaged += 1;
        assert!(report.problems[0].starts_with("thinking, row"), "{:?}", report.problems);
        assert_eq!(report.games, 16, "the games are intact");
        assert!(store.thoughts().is_err());
        drop(store);
        let saved = salvage(&path).expect("a store");
        assert_eq!((saved.games.len(), saved.thoughts.len()), (16, 15));
        assert!(saved.thoughts.iter().all(|(place, own)| thoughts[place] == *own));
    }
    assert!(damaged > 1, "{damaged}");
}

#[test]
fn a_pair_is_the_same_with_and_without_thinking() {
    let [PlannedPair { pair, .. }, ..] = &quick_plan(1)[..] else { panic!("a pair") };
    let plain = play_pair(registry(), pair, None).expect("a pair");
    let finish = |pair: &Pair| PairPlayer::new(registry()).play(pair, true, None);
    let thinking = finish(pair).expect("a pair");
    let thoughts = thinking.thoughts.expect("they were asked for");
    for ((plain, row), thoughts) in plain.iter().zip(&thinking.rows).zip(&thoughts) {
        assert_eq!((plain.digest, &plain.moves), (row.digest, &row.moves));
        assert!(!thoughts.is_empty());
    }
    let wrong = Pair { game: "chess".to_owned(), ..pair.clone() };
    assert!(matches!(finish(&wrong), Err(PairError::Game(_))));
}
