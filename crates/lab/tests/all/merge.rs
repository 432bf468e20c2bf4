//! Merging: the parts of an experiment in one store, whatever their order, and what is refused.

use std::path::{Path, PathBuf};

use treegraft_lab::store::{Session, Store};
use treegraft_lab::{
    Driver, FinishedPair, GameFile, Ledger, LoadedExperiment, MergeError, MergeOptions,
    MergeSummary, MergeWatch, Pair, PairPlayer, PlannedPair, Record, RunOptions, RunWatch, Shard,
    Signatures, merge, run,
};

use treegraft_players::signature::digest;

use crate::common::{player, registry, start};
use crate::store_common::{Directory, dump};

const EXPERIMENT: &str = r#"
game = "connect4:4x4"
games = 20
seed = 1
players = ["mcts@10it", "ab(depth=2)", "random"]
openings = { random = 2 }
record = "thinking"
"#;

fn loaded(text: &str) -> LoadedExperiment {
    LoadedExperiment::parse(text.to_owned(), "it.toml", registry()).expect("an experiment")
}

/// Plays a shard of an experiment, such as 1/3, into a store.
fn play(path: &Path, text: &str, shard: &str) {
    let loaded = loaded(text);
    let shard: Shard = shard.parse().expect("a shard");
    let mut store = Store::open_or_create(path, text).expect("a store");
    let record = loaded.experiment.record == Record::Thinking;
    let options = RunOptions { jobs: 1, record, experiment: text, ..RunOptions::default() };
    let pairs = loaded.part(Some(shard), None);
    run(registry(), &pairs, &mut store, options, RunWatch::default()).expect("a run");
}

fn merged(out: &Path, parts: &[PathBuf]) -> Result<MergeSummary, MergeError> {
    merge(registry(), out, parts, MergeOptions::default(), MergeWatch::default())
}

fn games(path: &Path) -> String {
    dump(&GameFile::open(path).expect("a file").games().expect("games"))
}

/// The bytes of the ledger of a file, which depend on no clock and on no machine.
fn ledger(path: &Path) -> Vec<u8> {
    let file = GameFile::open(path).expect("a file");
    let experiment = file.experiment();
    let (sessions, games) = (file.sessions().expect("sessions"), file.games().expect("games"));
    let folder = Path::new("");
    let ledger = Ledger::new(registry(), folder, experiment.expect("a text"), sessions, games);
    let mut bytes = Vec::new();
    ledger.expect("a ledger").write(&mut bytes).expect("memory can be written");
    bytes
}

fn session(signature: &str) -> Session {
    Session::here(1, EXPERIMENT, signature.to_owned())
}

/// A store with these pairs, played by players of these signatures.
fn store_of(path: &Path, signature: &str, pairs: &[FinishedPair]) {
    let mut store = Store::open_or_create(path, EXPERIMENT).expect("a store");
    store.begin_session(&session(signature)).expect("a session");
    store.append(pairs).expect("they are written");
}

fn some_pairs(text: &str, count: usize) -> Vec<FinishedPair> {
    let pairs = &loaded(text).pairs[..count];
    let play =
        |it: &PlannedPair| PairPlayer::new(registry()).play(&it.pair, false, None).expect("a pair");
    pairs.iter().map(play).collect()
}

#[test]
fn parts_in_any_order_make_the_whole() {
    let folder = Directory::new();
    let one = folder.file("one.db");
    play(&one, EXPERIMENT, "1/1");
    let part = |number: usize| folder.file(&format!("part-{number}.db"));
    for number in 1..=5 {
        play(&part(number), EXPERIMENT, &format!("{number}/5"));
    }
    // An overlapping part of another split.
    play(&folder.file("half.db"), EXPERIMENT, "2/2");
    let out = folder.file("out.db");
    let first = merged(&out, &[part(4), part(1), part(4)]).expect("a merge");
    let new: Vec<usize> = first.parts.iter().map(|part| part.new).collect();
    assert_eq!(new, [12, 12, 0]);
    assert_eq!((first.games, first.plan.map(|plan| plan.done)), (24, Some(12)));
    let rest = [folder.file("half.db"), part(5), part(2), part(1), part(3), out.clone()];
    let second = merged(&out, &rest).expect("a merge");
    assert_eq!(second.parts.len(), 5, "OUT itself is passed over");
    let plan = second.plan.expect("a plan");
    assert_eq!((plan.planned, plan.done, plan.outside, second.games), (30, 30, 0, 60));
    assert_eq!(games(&out), games(&one));
    assert_eq!(ledger(&out), ledger(&one));
    let [merged_store, one] = [&out, &one].map(|path| GameFile::open(path).expect("a store"));
    assert!(merged_store.check().is_intact(), "{:?}", merged_store.check());
    // What the players thought came along.
    let places = |file: &GameFile| {
        let mut places: Vec<_> = file.thoughts().expect("thoughts").into_keys().collect();
        places.sort_unstable();
        places
    };
    assert_eq!(places(&merged_store), places(&one));
    assert_eq!(places(&one).len(), 60);
    // A merge that adds nothing changes nothing.
    let sessions = merged_store.sessions().expect("sessions");
    assert_eq!(sessions.len(), 6);
    let third = merged(&out, &rest).expect("a merge");
    assert!(third.parts.iter().all(|part| part.new == 0 && part.differing == 0), "{third:?}");
    assert_eq!(merged_store.sessions().expect("sessions"), sessions);
}

#[test]
fn a_part_that_grows_is_merged_again() {
    let folder = Directory::new();
    let (part, out) = (folder.file("part.db"), folder.file("out.db"));
    let pairs = some_pairs(EXPERIMENT, 3);
    let mut store = Store::open_or_create(&part, EXPERIMENT).expect("a store");
    store.begin_session(&session("{}")).expect("a session");
    // The run goes on while others read.
    for done in 1..=3 {
        store.append(&pairs[done - 1..done]).expect("it is written");
        let summary = merged(&out, std::slice::from_ref(&part)).expect("a merge");
        assert_eq!((summary.parts[0].new, summary.games), (2, 2 * done));
    }
    let sessions = GameFile::open(&out).expect("a store").sessions().expect("sessions");
    assert_eq!(sessions.len(), 1, "it is the same session");
}

#[test]
fn thoughts_are_added_to_games_without() {
    let folder = Directory::new();
    let (with, without) = (folder.file("with.db"), folder.file("without.db"));
    play(&with, EXPERIMENT, "1/1");
    let text = EXPERIMENT.replace("record = \"thinking\"", "");
    play(&without, &text, "1/1");
    let out = folder.file("out.db");
    merged(&out, &[without]).expect("a merge");
    let thoughts = || GameFile::open(&out).expect("a store").thoughts().expect("thoughts").len();
    assert_eq!(thoughts(), 0);
    let summary = merged(&out, &[with]).expect("a merge");
    assert_eq!((summary.parts[0].new, thoughts()), (0, 60));
    assert!(GameFile::open(&out).expect("a store").check().is_intact());
}

#[test]
fn another_plan_is_refused_with_what_differs() {
    let folder = Directory::new();
    let (one, out) = (folder.file("one.db"), folder.file("out.db"));
    play(&one, EXPERIMENT, "1/10");
    for (number, (from, to, what)) in [
        ("seed = 1", "seed = 2", "the seed is"),
        ("random = 2", "random = 3", "the openings differ"),
        ("\"random\"", "\"greedy\"", "connect4:4x4: ab(depth=2) against"),
        ("seed = 1", "seed = 1\nadjudicate = { max-plies = 9 }", "max-plies is"),
    ]
    .into_iter()
    .enumerate()
    {
        let other = folder.file(&format!("other-{number}.db"));
        play(&other, &EXPERIMENT.replace(from, to), "1/10");
        for parts in [[one.clone(), other.clone()], [other, one.clone()]] {
            let error = merged(&out, &parts).expect_err("another plan");
            assert!(matches!(error, MergeError::OtherPlan { .. }), "{error}");
            assert!(error.to_string().contains(what), "{error}");
            assert!(!out.exists(), "nothing is written");
        }
    }
    // Neither has all of the other.
    let (more, wider) = (folder.file("more.db"), folder.file("wider.db"));
    play(&more, &EXPERIMENT.replace("games = 20", "games = 22"), "1/10");
    play(&wider, &EXPERIMENT.replace("\"random\"]", "\"random\", \"greedy\"]"), "1/10");
    let error = merged(&out, &[more.clone(), wider.clone()]).expect_err("another plan").to_string();
    assert!(error.contains("games is") || error.contains("is not in the other plan"), "{error}");
    // But each continues the first, in either order. Titles do not matter.
    let titled = folder.file("titled.db");
    play(&titled, &format!("title = \"Another\"\n{EXPERIMENT}"), "2/10");
    for larger in [more, wider] {
        let out = folder.file(&format!("with-{}", larger.file_name().unwrap().display()));
        let parts = [larger.clone(), one.clone(), titled.clone()];
        let summary = merged(&out, &parts).expect("a larger plan continues a smaller one");
        let plan = summary.plan.expect("a plan");
        assert!(plan.planned > 30 && plan.outside == 0, "{plan:?}");
        // The largest is what the store is said to be played for.
        let last = GameFile::open(&out).unwrap().sessions().unwrap().pop().unwrap().1.experiment;
        let expected = GameFile::open(&larger).unwrap().experiment().unwrap();
        assert_eq!(last, expected);
    }
}

#[test]
fn another_signature_of_the_players_concerned_is_refused() {
    let folder = Directory::new();
    let [right, wrong, beside, out] = ["a.db", "b.db", "c.db", "out.db"].map(|it| folder.file(it));
    // The first pair is that of mcts and ab.
    let pairs = some_pairs(EXPERIMENT, 2);
    let planned = loaded(EXPERIMENT).pairs;
    let signature = Signatures::of_pairs(registry(), planned.iter().map(|it| &it.pair)).to_string();
    let Signatures::Each(each) = Signatures::read(&signature) else { panic!("{signature}") };
    let changed = |player: &str| {
        let mut each = each.clone();
        let players = each.get_mut("connect4:4x4").expect("the game");
        *players.get_mut(player).expect("the player") = "0123456789abcdef".to_owned();
        Signatures::Each(each).to_string()
    };
    store_of(&right, &signature, &pairs[..1]);
    store_of(&wrong, &changed("mcts"), &pairs[1..]);
    store_of(&beside, &changed("random"), &pairs[..1]);
    let parts = [right.clone(), wrong];
    let error = merged(&out, &parts).expect_err("another signature");
    let MergeError::OtherSignature { changed, .. } = &error else { panic!("{error}") };
    assert_eq!((changed.player.as_str(), changed.now.as_str()), ("mcts", "0123456789abcdef"));
    assert!(error.to_string().contains("b.db was played by other searches than"), "{error}");
    assert!(!out.exists(), "nothing is written");
    let options = MergeOptions { mix_versions: true, ..MergeOptions::default() };
    let mixed = merge(registry(), &out, &parts, options, MergeWatch::default());
    assert_eq!(mixed.expect("asked for").games, 4);
    // No player named random has played in the third one.
    merged(&folder.file("other.db"), &[right, beside]).expect("the players concerned are the same");
}

/// Numbers of different versions agree if both are what this program finds.
#[test]
fn sessions_of_both_versions_fit_together() {
    let folder = Directory::new();
    let [old, new, other, out] = ["a.db", "b.db", "c.db", "out.db"].map(|it| folder.file(it));
    let pairs = some_pairs(EXPERIMENT, 2);
    let planned = loaded(EXPERIMENT).pairs;
    let signatures = Signatures::of_pairs(registry(), planned.iter().map(|it| &it.pair));
    let Signatures::Each(mut each) = signatures.clone() else { panic!("{signatures}") };
    for (game, players) in &mut each {
        for (text, number) in players {
            let found = digest(registry(), &start(game), &player(text)).expect("a search");
            *number = format!("{:016x}", found.expect("a number"));
        }
    }
    store_of(&new, &signatures.to_string(), &pairs[1..]);
    store_of(&old, &Signatures::Each(each.clone()).to_string(), &pairs[..1]);
    merged(&out, &[old, new.clone()]).expect("the same searches");
    *each.get_mut("connect4:4x4").and_then(|it| it.get_mut("mcts")).expect("the player") =
        "0123456789abcdef".to_owned();
    store_of(&other, &Signatures::Each(each).to_string(), &pairs[..1]);
    let error = merged(&folder.file("not.db"), &[other, new]).expect_err("another search");
    assert!(error.to_string().contains("was played by other searches than"), "{error}");
}

#[test]
fn a_store_with_one_number_for_everything_is_of_another_version() {
    let folder = Directory::new();
    let [old, new, out] = ["old.db", "new.db", "out.db"].map(|it| folder.file(it));
    let pairs = some_pairs(EXPERIMENT, 2);
    store_of(&old, "89abcdef01234567", &pairs[..1]);
    store_of(&new, "{}", &pairs[1..]);
    let error = merged(&out, &[old.clone(), new]).expect_err("another version").to_string();
    assert!(error.contains("some player in connect4"), "{error}");
    merged(&out, &[old.clone(), old]).expect("the same as itself");
}

#[test]
fn games_that_contradict_their_seeds_are_refused() {
    let folder = Directory::new();
    let [right, wrong, out] = ["right.db", "wrong.db", "out.db"].map(|it| folder.file(it));
    let pairs = some_pairs(EXPERIMENT, 2);
    store_of(&right, "{}", &pairs[..1]);
    let mut forged = pairs.clone();
    forged[0].rows[1].outcome = if pairs[0].rows[1].outcome == 1 { -1 } else { 1 };
    store_of(&wrong, "{}", &forged);
    let error = merged(&out, &[right, wrong]).expect_err("a contradiction");
    assert!(matches!(error, MergeError::Contradiction { number: 1, .. }), "{error}");
    assert!(error.to_string().contains("outcome is"), "{error}");
    assert_eq!(GameFile::open(&out).unwrap().games().unwrap().len(), 2, "all of a part or nothing");
}

#[test]
fn games_by_the_clock_may_differ_and_the_first_is_kept() {
    let folder = Directory::new();
    let [a, b, out] = ["a.db", "b.db", "out.db"].map(|it| folder.file(it));
    let text = EXPERIMENT.replace("mcts@10it", "mcts@1ms");
    let pairs = some_pairs(&text, 1);
    let mut others = pairs.clone();
    others[0].rows[0].plies += 1;
    let write = |path: &Path, pairs: &[FinishedPair]| {
        let mut store = Store::open_or_create(path, &text).expect("a store");
        store.begin_session(&Session::here(1, &text, "{}".to_owned())).expect("a session");
        store.append(pairs).expect("they are written");
    };
    write(&a, &pairs);
    write(&b, &others);
    let summary = merged(&out, &[b.clone(), a]).expect("a merge");
    let differing: Vec<usize> = summary.parts.iter().map(|part| part.differing).collect();
    assert_eq!(differing, [0, 1]);
    assert_eq!(games(&out), games(&b));
}

#[test]
fn damaged_parts_are_named_and_skipped_if_asked() {
    let folder = Directory::new();
    let good = folder.file("good.db");
    play(&good, EXPERIMENT, "1/2");
    let bytes = std::fs::read(&good).expect("a store");
    let flipped = {
        // The name of a player, somewhere in the rows.
        let at = bytes.windows(9).rposition(|it| it == b"mcts@10it").expect("a player");
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let text = ledger(&good);
    let damaged: [(&str, &[u8]); 5] = [
        ("flipped.db", &flipped),
        ("cut.db", &bytes[..bytes.len() / 2]),
        ("empty.db", b""),
        ("other.db", b"something else, and long enough not to be taken for an empty file"),
        ("cut.ledger", &text[..text.len() - 3]),
    ];
    for (name, bytes) in damaged {
        let (part, out) = (folder.file(name), folder.file(&format!("out-of-{name}.db")));
        std::fs::write(&part, bytes).expect("a file");
        let parts = [part, good.clone()];
        let error = merged(&out, &parts).expect_err(name);
        assert!(matches!(error, MergeError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
        assert!(!out.exists(), "nothing is written");
        let options = MergeOptions { skip_damaged: true, ..MergeOptions::default() };
        let summary = merge(registry(), &out, &parts, options, MergeWatch::default());
        let summary = summary.expect("the other one");
        assert!(summary.parts[0].damage.is_some() && summary.parts[1].damage.is_none());
        assert_eq!(games(&out), games(&good));
    }
    let missing = [good, folder.file("missing.db")];
    let options = MergeOptions { skip_damaged: true, ..MergeOptions::default() };
    let error = merge(registry(), &folder.file("x.db"), &missing, options, MergeWatch::default());
    assert!(matches!(error, Err(MergeError::Part(_))), "what is not there is not damaged");
}

#[test]
fn ledgers_are_merged_too() {
    let folder = Directory::new();
    let [half, other, text, out] =
        ["half.db", "other.db", "half.ledger", "out.db"].map(|it| folder.file(it));
    play(&half, EXPERIMENT, "1/2");
    play(&other, EXPERIMENT, "2/2");
    std::fs::write(&text, ledger(&half)).expect("a file");
    merged(&out, &[text.clone(), other.clone()]).expect("a merge");
    let one = folder.file("one.db");
    play(&one, EXPERIMENT, "1/1");
    assert_eq!(ledger(&out), ledger(&one));
    let file = GameFile::open(&out).expect("a store");
    assert!(file.check().is_intact(), "{:?}", file.check());
    let known = |file: &GameFile| {
        let rows = file.rows().expect("rows");
        rows.iter().filter(|row| !row.is_digest_only()).count()
    };
    assert_eq!(known(&file), 30, "a ledger has no moves to merge");
    // What a store has is more, so it comes first.
    let all = folder.file("all.db");
    merged(&all, &[text, half, other]).expect("a merge");
    assert_eq!(known(&GameFile::open(&all).expect("a store")), 60);
    assert_eq!(games(&all), games(&one));
}

#[test]
fn a_driver_writes_what_others_have_played() {
    let folder = Directory::new();
    let (path, one) = (folder.file("driver.db"), folder.file("one.db"));
    play(&one, EXPERIMENT, "1/1");
    let mut store = Store::open_or_create(&path, EXPERIMENT).expect("a store");
    let machines: Vec<i64> = ["a", "b"]
        .map(|cpu| Session { cpu: cpu.to_owned(), ..session("{}") })
        .iter()
        .map(|session| store.begin_session(session).expect("a session"))
        .collect();
    for (number, planned) in loaded(EXPERIMENT).pairs.iter().enumerate() {
        let played = PairPlayer::new(registry()).play(&planned.pair, true, None).expect("a pair");
        // It may have come over a network.
        let text = serde_json::to_string(&played).expect("JSON");
        let played: FinishedPair = serde_json::from_str(&text).expect("JSON");
        store.append_as(machines[number % 2], &[played]).expect("it is written");
    }
    drop(store);
    assert_eq!(games(&path), games(&one));
    let games = GameFile::open(&path).expect("a store").games().expect("games");
    assert_eq!(games.iter().filter(|game| game.session == machines[1]).count(), 30);
}

/// A driver with workers that lose pairs, answer late and twice; it is replaced in the middle.
#[test]
fn a_driver_loses_nothing_and_plays_nothing_twice() {
    let folder = Directory::new();
    let (path, one) = (folder.file("driver.db"), folder.file("one.db"));
    play(&one, EXPERIMENT, "1/1");
    let driver = || {
        let store = Store::open_or_create(&path, EXPERIMENT).expect("a store");
        Driver::new(registry(), loaded(EXPERIMENT), store, false).expect("a driver")
    };
    let finish = |pair: &Pair| PairPlayer::new(registry()).play(pair, true, None).expect("a pair");
    let mut first = driver();
    let session = first.begin_session(&session("{}")).expect("a session");
    let [a, b, c] = [(); 3].map(|()| first.next_pair().expect("a pair"));
    assert_eq!((first.handed_out(), first.done(), first.planned()), (3, 0, 30));
    first.write(session, &[finish(&b), finish(&b)]).expect("it is written");
    // Lost, and yet it comes back after it was handed out again.
    first.give_up(a.id());
    assert_eq!(first.next_pair().map(|pair| pair.id()), Some(a.id()), "lost pairs come first");
    first.write(session, &[finish(&a)]).expect("it is written");
    first.write(session, &[finish(&a)]).expect("nothing happens");
    first.give_up(a.id());
    assert_eq!((first.handed_out(), first.written(), first.is_over()), (1, 2, false));
    drop(first);
    // The third pair was on its way when the driver died.
    let mut second = driver();
    let mut played = Vec::new();
    while let Some(pair) = second.next_pair() {
        played.push(pair.id());
        second.write(1, &[finish(&pair)]).expect("it is written");
    }
    assert_eq!((played.len(), played[0]), (28, c.id()));
    assert!(second.is_over() && second.next_pair().is_none());
    drop(second);
    assert_eq!(games(&path), games(&one));
}

#[test]
fn a_driver_decides_sequential_tests() {
    let folder = Directory::new();
    let text = "game = \"connect4:4x4\"\ngames = 200\nplayers = [\"mcts@50it\", \"random\"]\n\
                stop = { sprt = { elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05 } }\n";
    let store = Store::open_or_create(&folder.file("it.db"), text).expect("a store");
    let mut driver = Driver::new(registry(), loaded(text), store, false).expect("a driver");
    let session = driver.begin_session(&Session::here(1, text, "{}".to_owned())).expect("it");
    // Ten workers, of which the first is always the last to answer.
    let mut out = Vec::new();
    loop {
        out.extend(std::iter::from_fn(|| driver.next_pair()).take(10 - out.len()));
        let Some(pair) = out.pop() else { break };
        let played = PairPlayer::new(registry()).play(&pair, false, None).expect("a pair");
        driver.write(session, &[played]).expect("it is written");
        if out.len() > 1 && driver.done().is_multiple_of(5) {
            let late = out.remove(0);
            let played = PairPlayer::new(registry()).play(&late, false, None).expect("a pair");
            driver.write(session, &[played]).expect("it is written");
        }
    }
    let decided = driver.standings()[0].decided.expect("mcts is better");
    assert!(driver.is_over() && driver.done() < 100, "{} of 100 pairs", driver.done());
    assert!(driver.done() >= decided);
}

#[test]
fn a_pair_of_two_pairings_is_handed_out_once() {
    let folder = Directory::new();
    let text = "game = \"connect4:4x4\"\ngames = 6\nplayers = [\"mcts@10it\", \"random\"]\n";
    let mut loaded = loaded(text);
    let again = |it: PlannedPair| [it.clone(), PlannedPair { pairing: 1, ..it }];
    loaded.pairs = loaded.pairs.into_iter().flat_map(again).collect();
    let store = Store::open_or_create(&folder.file("it.db"), text).expect("a store");
    let mut driver = Driver::new(registry(), loaded, store, false).expect("a driver");
    let pairs: Vec<Pair> = std::iter::from_fn(|| driver.next_pair()).collect();
    assert_eq!((pairs.len(), driver.planned()), (3, 3));
}
