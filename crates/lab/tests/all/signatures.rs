//! Stored games are continued and played again as long as their own players do what they did.

use std::collections::BTreeMap;

use treegraft::{Game, Report, Request, Searcher};
use treegraft_lab::store::Session;
use treegraft_lab::{
    Changed, FinishedPair, PlannedPair, RunError, RunOptions, RunSummary, RunWatch, Signatures,
    Store, VerifyOptions, VerifyReport, VerifyWatch, play_pair, run, verify,
};
use treegraft_players::signature::{Signer, digest};
use treegraft_players::{Registry, SearchEntry};

use crate::common::{player, registry, start};
use crate::store_common::{Directory, quick_plan};

const GAME: &str = "breakthrough:5x5";
/// The number over all searches that sessions had before each search had its own.
const WHOLE: &str = "f51538caf1e29996";

type Numbers = BTreeMap<String, BTreeMap<String, String>>;

/// What the players of [`quick_plan`] do now.
fn numbers() -> Numbers {
    let signer = Signer::new(&start(GAME));
    numbers_by(|text| {
        signer.sign(registry(), &player(text)).expect("a search").expect("a number").to_string()
    })
}

/// The same as older sessions recorded it.
fn old_numbers() -> Numbers {
    numbers_by(|text| {
        let number = digest(registry(), &start(GAME), &player(text));
        format!("{:016x}", number.expect("a search").expect("a number"))
    })
}

fn numbers_by(number: impl Fn(&str) -> String) -> Numbers {
    let players = ["mcts-solver", "greedy", "random"].map(|text| (text.to_owned(), number(text)));
    BTreeMap::from([(GAME.to_owned(), BTreeMap::from(players))])
}

/// The same with another number for one search.
fn with(mut numbers: Numbers, game: &str, player: &str) -> Numbers {
    let of_game = numbers.entry(game.to_owned()).or_default();
    of_game.insert(player.to_owned(), "2:0123456789abcdef".to_owned());
    numbers
}

/// A store with some pairs of a session that had this signature.
fn begun(directory: &Directory, signature: String, pairs: &[PlannedPair]) -> Store {
    let mut store = Store::open_or_create(&directory.file("a.db"), "").expect("a store");
    store.begin_session(&Session::here(1, "", signature)).expect("a session");
    let finished: Vec<FinishedPair> = pairs
        .iter()
        .map(|PlannedPair { pair, .. }| FinishedPair {
            setup: serde_json::to_string(pair).expect("JSON"),
            rows: play_pair(registry(), pair, None).expect("a pair"),
            thoughts: None,
        })
        .collect();
    store.append(&finished).expect("room");
    store
}

/// Goes on with a plan in a store that holds its first pairs.
fn continued(signature: String, done: usize, plan: &[PlannedPair]) -> Result<RunSummary, RunError> {
    let directory = Directory::new();
    let mut store = begun(&directory, signature, &plan[..done]);
    run(registry(), plan, &mut store, RunOptions::default(), RunWatch::default())
}

/// What verifying the pairs of a plan says that were played in a session with this signature.
fn verified(signature: String, plan: &[PlannedPair]) -> VerifyReport {
    let directory = Directory::new();
    let store = begun(&directory, signature, plan);
    let sessions = store.sessions().expect("sessions");
    let options = VerifyOptions { sessions: &sessions, ..VerifyOptions::default() };
    let report = verify(registry(), &store.games().expect("rows"), options, VerifyWatch::default());
    assert!(report.is_clean(), "{:?}", report.differences);
    assert_eq!(report.replayed, 2 * plan.len());
    report
}

fn text(numbers: Numbers) -> String {
    Signatures::Each(numbers).to_string()
}

#[test]
fn a_session_has_the_numbers_of_its_own_players() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let mut store = Store::open_or_create(&path, "").expect("a store");
    run(registry(), &quick_plan(2), &mut store, RunOptions::default(), RunWatch::default())
        .expect("a run");
    let sessions = store.sessions().expect("sessions");
    assert_eq!(sessions.len(), 1);
    let found = Signatures::read(&sessions[0].1.signature);
    assert_eq!(found, Signatures::Each(numbers()));
    assert_eq!(found.to_string(), sessions[0].1.signature);
    let whole = Signatures::read(WHOLE);
    assert_eq!(whole, Signatures::Whole(WHOLE.to_owned()));
    assert_eq!(whole.to_string(), WHOLE);
}

#[test]
fn games_of_a_player_that_has_changed_are_not_continued() {
    let plan = quick_plan(4);
    for changed in ["mcts-solver", "greedy"] {
        let refused = continued(text(with(numbers(), GAME, changed)), 2, &plan).unwrap_err();
        let message = refused.to_string();
        let now = numbers()[GAME][changed].clone();
        let said =
            format!("{changed} in {GAME} had signature 2:0123456789abcdef, and has {now} now");
        assert!(message.contains(&said), "{message}");
        let RunError::OtherVersion { changed: found, .. } = refused else { panic!("{refused}") };
        let expected = Changed {
            game: GAME.to_owned(),
            player: changed.to_owned(),
            then: "2:0123456789abcdef".to_owned(),
            now,
        };
        assert_eq!(*found, expected);
    }
}

#[test]
fn changes_of_others_do_not_matter() {
    let plan = quick_plan(4);
    let is_continued = |numbers: Numbers, plan: &[PlannedPair]| {
        let done = plan.len() / 2;
        let summary = continued(text(numbers), done, plan).expect("a run");
        assert_eq!((summary.found, summary.played), (done, plan.len() - done));
    };
    is_continued(numbers(), &plan);
    // A player who was there, but is not in this plan; the same player in another game.
    is_continued(with(numbers(), GAME, "ab"), &plan);
    is_continued(with(numbers(), "connect4", "greedy"), &plan);
    is_continued(with(numbers(), "breakthrough:6x6", "greedy"), &plan);
    let random_only: Vec<PlannedPair> =
        quick_plan(8).into_iter().filter(|planned| planned.pairing == 1).collect();
    is_continued(with(numbers(), GAME, "greedy"), &random_only);
}

#[test]
fn pairs_of_players_that_have_changed_are_not_played_again() {
    let plan = quick_plan(6);
    let counts = |signature: String| {
        let report = verified(signature, &plan);
        (report.played_again, report.other_version)
    };
    assert_eq!(counts(text(numbers())), (6, 0));
    // Three of the six pairs are greedy's.
    assert_eq!(counts(text(with(numbers(), GAME, "greedy"))), (3, 3));
    assert_eq!(counts(text(with(numbers(), GAME, "mcts-solver"))), (0, 6));
    assert_eq!(counts(text(with(numbers(), GAME, "ab"))), (6, 0));
    assert_eq!(counts(text(with(numbers(), "othello", "greedy"))), (6, 0));
}

/// Numbers of version 1 are compared with numbers of version 1.
#[test]
fn sessions_of_before_are_compared_by_their_own_numbers() {
    let plan = quick_plan(6);
    let counts = |numbers: Numbers| {
        let report = verified(text(numbers), &plan);
        (report.played_again, report.other_version)
    };
    assert!(numbers()[GAME].values().all(|number| number.starts_with("2:")));
    assert!(old_numbers()[GAME].values().all(|number| number.len() == 16));
    assert_eq!(counts(old_numbers()), (6, 0));
    assert_eq!(continued(text(old_numbers()), 2, &plan).expect("a run").played, 4);
    let mut changed = old_numbers();
    changed.get_mut(GAME).expect("the game").insert("greedy".to_owned(), WHOLE.to_owned());
    assert_eq!(counts(changed), (3, 3));
    // The number of one version is none of the other.
    let mut mixed = numbers();
    let stripped = mixed[GAME]["greedy"].trim_start_matches("2:").to_owned();
    mixed.get_mut(GAME).expect("the game").insert("greedy".to_owned(), stripped);
    assert_eq!(counts(mixed), (3, 3));
}

/// Sessions of before had one number for everything, and something has changed since.
#[test]
fn games_of_one_number_over_everything_are_not_played_again() {
    let plan = quick_plan(4);
    for unknown in [WHOLE, ""] {
        let message = continued(unknown.to_owned(), 2, &plan).unwrap_err().to_string();
        let said = format!("in breakthrough had signature {unknown}, and has another one now");
        assert!(message.contains(&said), "{message}");
        let report = verified(unknown.to_owned(), &plan);
        assert_eq!((report.played_again, report.other_version), (0, 4));
    }
}

/// Plays the legal move with this number, or the last one.
struct Stubborn(usize);

impl<G: Game> Searcher<G> for Stubborn {
    fn search(&mut self, position: &G, _: Request<'_, G::Move>) -> Report<G::Move> {
        let mut moves = Vec::new();
        if position.outcome().is_none() {
            position.moves(&mut moves);
        }
        Report::of_move(position, moves.get(self.0).or(moves.last()).copied())
    }
}

#[test]
fn an_own_search_that_has_changed_is_noticed() {
    let with_stubborn = |number: usize| {
        let mut registry = Registry::standard();
        let make = move |_: &treegraft_players::Setup<'_>| {
            Ok(Box::new(Stubborn(number)) as treegraft_players::Analyst)
        };
        let entry = SearchEntry::new("stubborn", "plays the same number", Vec::new(), make);
        registry.add_search(entry.that_ends_by_itself()).expect("a new name");
        registry
    };
    let mut plan = quick_plan(4);
    plan.iter_mut().for_each(|planned| planned.pair.players[0] = "stubborn".to_owned());
    let directory = Directory::new();
    let mut store = Store::open_or_create(&directory.file("a.db"), "").expect("a store");
    let mut play = |number: usize, pairs: usize| {
        let watch = RunWatch::default();
        run(&with_stubborn(number), &plan[..pairs], &mut store, RunOptions::default(), watch)
    };
    assert_eq!(play(0, 2).expect("a run").played, 2);
    let message = play(1, 4).unwrap_err().to_string();
    assert!(message.contains(&format!("stubborn in {GAME} had signature ")), "{message}");
    assert_eq!(play(0, 4).expect("a run").played, 2);
}
