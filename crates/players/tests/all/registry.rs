//! What is registered is found by its name, and what could not be found is refused.

use treegraft::depth_first::{self, DepthFirst};
use treegraft::{
    Budget, EVAL_ONE, Evaluate, Evaluator, Game, GameInfo, Knowledge, Notation, Params, Part,
    Report, Request, Searcher, Side,
};
use treegraft_conformance::{self as conformance, Options};
use treegraft_games::{Connect4, Kalah};
use treegraft_players::{
    Analyst, Board, GameEntry, OwnOption, Registry, RegistryError, SearchEntry, Setup, Values,
    bridge, signature,
};

use crate::common::{Nim, analyst, player, start, with_own_games};

const LONG: &str = "a-name-that-is-longer-than-forty-characters-are";
const ODD: [&str; 7] = ["", "two words", "a:b", "a,b", "a(b)", "a@b", LONG];

fn nim(name: &'static str) -> GameEntry {
    GameEntry::new(GameInfo::new(name, "Nim."), Nim { heap: 9, mover: Side::First })
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

fn stubborn(label: &'static str, options: Vec<OwnOption>) -> SearchEntry {
    SearchEntry::new(label, "plays the first move", options, |_| Ok(Box::new(Stubborn(0))))
}

fn option(name: &'static str, values: Values, default: &'static str) -> OwnOption {
    OwnOption { name, values, default, meaning: "something" }
}

fn refused(result: Result<(), RegistryError>, what: &str, name: &str, why: &str) {
    let error = result.expect_err(name);
    assert_eq!((error.what, error.name.as_str()), (what, name));
    assert!(error.problem.contains(why) && error.problem.contains("expected"), "{error}");
    assert!(error.to_string().starts_with(&format!("{what} {name:?} cannot be registered: ")));
}

const TAKEN: &str = "the name is taken";
const FORM: &str = "expected a name of up to 40 letters";

#[test]
fn names_of_games_are_new_and_can_be_read() {
    let mut registry = Registry::standard();
    let before = registry.games().len();
    for name in ["connect4", "tree"] {
        refused(registry.add_game(nim(name)), "game", name, TAKEN);
    }
    for name in ODD {
        refused(registry.add_game(nim(name)), "game", name, FORM);
    }
    assert_eq!(registry.games().len(), before);
    registry.add_game(nim("nim")).unwrap();
    refused(registry.add_game(nim("nim")), "game", "nim", TAKEN);
    assert_eq!(registry.games().last().map(|info| info.name), Some("nim"));
    let error = registry.start("nimm").unwrap_err().to_string();
    assert!(error.contains("there is no such game; expected one of connect4"), "{error}");
    assert!(error.ends_with("nim"), "{error}");
    assert!(registry.start("nim:3").is_err(), "it has no parameters");
    assert_eq!(Registry::default().games().len(), 0);
}

#[test]
fn a_game_with_parameters_reads_its_own_text() {
    let info = GameInfo { syntax: "nim or nim:N", ..GameInfo::new("nim", "Nim.") };
    let entry = GameEntry::with(info, move |text| {
        let mut params = Params::new(text, info.syntax)?;
        let heap = params.number("the heap", 9, 1..=100)?;
        params.finish()?;
        let text = if heap == 9 { "nim".to_owned() } else { format!("nim:{heap}") };
        Ok((text, Board::new(Nim { heap: heap as u8, mover: Side::First })))
    });
    let mut registry = Registry::standard();
    registry.add_game(entry).unwrap();
    for (text, canonical, heap) in
        [("nim", "nim", 9), ("nim:9", "nim", 9), ("nim:020", "nim:20", 20)]
    {
        let start = start(&registry, text);
        assert_eq!((start.text(), start.info().name), (canonical, "nim"));
        assert_eq!(start.board().downcast(), Some(&Nim { heap, mover: Side::First }));
        assert_eq!((start.rules().as_str(), start.is_random()), (canonical, false));
    }
    let error = registry.start("nim:101").unwrap_err().to_string();
    assert!(error.contains("expected nim or nim:N"), "{error}");
}

#[test]
fn labels_are_new_and_can_be_read() {
    let mut registry = Registry::standard();
    let before = registry.players().len();
    // Also what a label means with a number after it, and other spellings.
    for label in ["mcts", "random", "engine", "mcts-mr-3", "mcts-ms-2-visit-1", "sss*", "mcts-αβ"]
    {
        refused(registry.add_search(stubborn(label, vec![])), "search", label, TAKEN);
    }
    for label in ODD {
        refused(registry.add_search(stubborn(label, vec![])), "search", label, FORM);
    }
    assert_eq!(registry.players().len(), before);
    registry.add_search(stubborn("stubborn", vec![])).unwrap();
    refused(registry.add_search(stubborn("stubborn", vec![])), "search", "stubborn", TAKEN);
    assert_eq!(registry.players().last().map(|info| info.label), Some("stubborn"));
    let error = registry.player("stubbron").unwrap_err().to_string();
    assert!(error.contains("did you mean stubborn?"), "{error}");
    let error = registry.player("stubborn(x=1)").unwrap_err().to_string();
    assert!(error.contains("stubborn has no option \"x\""), "{error}");
}

#[test]
fn options_are_new_and_can_have_their_defaults() {
    let add = |options: Vec<OwnOption>| {
        let mut registry = Registry::standard();
        let added = registry.add_search(stubborn("stubborn", options));
        assert_eq!(registry.player("stubborn").is_ok(), added.is_ok(), "all or nothing");
        added
    };
    let flag = |name| option(name, Values::FLAG, "false");
    assert_eq!(add(vec![flag("a"), flag("b")]), Ok(()));
    refused(add(vec![flag("a"), flag("b"), flag("a")]), "option", "a", TAKEN);
    for name in ODD.into_iter().chain(["a=b"]) {
        refused(add(vec![flag(name)]), "option", name, FORM);
    }
    let whole = Values::whole(2, 9);
    let number = Values::number(0.0, 1.0);
    let words = Values::words(&["fast", "slow"]);
    for (values, good, bad) in [
        (Values::FLAG, &["true", "false"][..], &["", "maybe", "True"][..]),
        (whole, &["2", "9"], &["1", "10", "", "+3", "3.0", "03"]),
        (number, &["0", "0.5", "1"], &["-0.1", "1.1", "", "0.50", "nan"]),
        (words, &["fast", "slow"], &["", "Fast", "faster"]),
        (Values::EVAL, &["auto", "none", "wpc"], &["", "a b", "größe"]),
    ] {
        for default in good {
            assert_eq!(add(vec![option("o", values, default)]), Ok(()), "{default:?}");
        }
        for default in bad {
            let why = format!("its default is {default:?}; expected ");
            refused(add(vec![option("o", values, default)]), "option", "o", &why);
        }
    }
    // Words that no text could hold.
    for words in [&["a", "a,b"][..], &["a", ""], &["a", "b)"], &["a", "b@c"], &["a", " b"]] {
        let values = Values::words(words);
        refused(add(vec![option("o", values, "a")]), "option", "o", "cannot be read back");
    }
}

/// A registry with a search that has options of every kind; it is alpha-beta in Connect-4.
fn with_every_option() -> Registry {
    let options = vec![
        option("quick", Values::FLAG, "false"),
        option("careful", Values::FLAG, "true"),
        option("depth", Values::whole(1, 20), "3"),
        option("share", Values::number(0.0, 1.0), "0.5"),
        option("mood", Values::words(&["calm", "angry"]), "calm"),
        option("eval", Values::EVAL, "auto"),
    ];
    let make = |setup: &Setup<'_>| -> Result<Analyst, String> {
        let values = (setup.flag("quick"), setup.flag("careful"), setup.number("share"));
        assert!((0.0..=1.0).contains(&values.2) && ["calm", "angry"].contains(&setup.word("mood")));
        let Some(start) = setup.position::<Connect4>() else {
            return Err(format!("mine plays connect4 only, not {:?}", setup.board()));
        };
        let depth = Some(setup.whole("depth"));
        let config = depth_first::Config { depth, ..depth_first::Config::default() };
        Ok(bridge::<Connect4, _>(DepthFirst::new(config, setup.evaluator("eval", start)?).unwrap()))
    };
    let mut registry = Registry::standard();
    let entry = SearchEntry::new("mine", "alpha-beta of a given depth", options, make);
    registry.add_search(entry.that_ends_by_itself()).expect("a new name");
    registry
}

#[test]
fn own_players_have_a_canonical_text() {
    let registry = with_every_option();
    for (text, canonical) in [
        ("mine", "mine"),
        (" mine ( ) ", "mine"),
        ("mine(quick)", "mine(quick)"),
        ("mine(quick=true,careful=true)", "mine(quick)"),
        ("mine(careful=false)", "mine(careful=false)"),
        ("mine(depth=007)", "mine(depth=7)"),
        ("mine(depth=3,share=0.50,mood=calm,eval=auto)", "mine"),
        ("mine(share=1e-1, mood = angry)", "mine(share=0.1,mood=angry)"),
        ("mine(share=-0)", "mine(share=0)"),
        ("mine(eval=none,mood=angry,quick)@1e3nodes", "mine(quick,mood=angry,eval=none)@1000nodes"),
    ] {
        let read = player(&registry, text);
        assert_eq!(read.to_string(), canonical, "{text}");
        let again = player(&registry, canonical);
        assert_eq!((&again, again.to_string().as_str()), (&read, canonical));
    }
    assert_ne!(player(&registry, "mine(depth=4)"), player(&registry, "mine"));
    let ends = player(&registry, "mine").budget_or(Budget::iterations(5));
    assert_eq!(ends, Budget::default(), "it ends by itself");
    assert!(Registry::standard().player("mine").is_err(), "others have not heard of it");
    let listed = registry.players().pop().expect("labels");
    assert_eq!((listed.label, listed.options.len()), ("mine", 6));
    for info in &listed.options {
        let text = format!("mine({}={})", info.name, info.default);
        assert_eq!(player(&registry, &text), player(&registry, "mine"), "{text}");
    }
}

#[test]
fn errors_of_own_players_name_the_option() {
    let registry = with_every_option();
    for (text, said) in [
        (
            "mine(dept=3)",
            "mine has no option \"dept\" (did you mean depth?); expected one of quick",
        ),
        ("mine(depth=0)", "depth is \"0\"; expected a whole number from 1 to 20 (something)"),
        ("mine(depth=+3)", "depth is \"+3\""),
        ("mine(depth)", "depth has no value; expected depth=a whole number from 1 to 20"),
        ("mine(share=2)", "share is \"2\"; expected a number from 0 to 1"),
        ("mine(share=nan)", "share is \"nan\""),
        ("mine(mood=angri)", "mood is \"angri\" (did you mean angry?); expected calm or angry"),
        ("mine(quick=maybe)", "quick is \"maybe\"; expected true or false"),
        ("mine(eval=a b)", "eval is \"a b\"; expected the name of an evaluation"),
        ("mine(depth=3,depth=4)", "depth is given twice"),
        ("mine(depth=3", "the bracket is not closed"),
        ("mine:x", "\"mine:x\" has a colon after its label"),
        ("mine@fast", "budget \"fast\""),
    ] {
        let error = registry.player(text).expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
        assert!(error.starts_with(&format!("player {text:?}: ")), "{error}");
    }
    let made = |game: &str, text: &str| {
        registry.searcher(&start(&registry, game), &player(&registry, text)).map(|_| ())
    };
    let error = made("kalah", "mine").unwrap_err().to_string();
    assert!(error.starts_with("player \"mine\": mine plays connect4 only, not "), "{error}");
    let error = made("connect4", "mine(eval=wisdom)").unwrap_err().to_string();
    assert!(error.contains("eval is \"wisdom\", which connect4 does not have"), "{error}");
    assert_eq!(made("connect4", "mine(eval=none)"), Ok(()));
}

#[test]
fn an_own_search_is_the_search_it_makes() {
    let registry = with_every_option();
    let position = start(&registry, "connect4");
    let ask = |text: &str| {
        let mut report = analyst(&registry, "connect4", text)
            .search(position.board(), Request::new(Budget::default(), 1));
        report.work.time = Default::default();
        format!("{report:?}")
    };
    assert_eq!(ask("mine(depth=5)"), ask("ab(depth=5)"));
    assert_ne!(ask("mine(depth=5)"), ask("mine"));
    assert_eq!(ask("mine(eval=none)"), ask("ab(depth=3,eval=none)"));
}

/// The value of a stone in each column of a board of seven.
struct Columns([i32; 7]);

impl Evaluate<Connect4> for Columns {
    fn evaluate(&self, position: &Connect4) -> i32 {
        // The mover likes to have many good columns to choose from.
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let texts = moves.into_iter().map(|mv| position.notation().move_text(mv));
        let columns = texts.filter_map(|text| text.parse::<usize>().ok());
        let worth: i32 = columns.filter_map(|column| self.0.get(column - 1)).sum();
        (position.to_move().sign() as i32 * worth).clamp(1 - EVAL_ONE, EVAL_ONE - 1)
    }
}

#[test]
fn an_own_evaluation_is_found_by_its_name() {
    let learned =
        |name: &'static str, weights| Evaluator::shared(name, "learned", Columns(weights));
    let mut registry = Registry::standard();
    registry.add_evaluation(learned("columns", [1, 2, 4, 8, 4, 2, 1].map(|n| 1000 * n))).unwrap();
    registry.add_evaluation(learned("edges", [8, 4, 2, 1, 2, 4, 8].map(|n| 1000 * n))).unwrap();
    let connect4 = start(&registry, "connect4");
    let digest = |text: &str| {
        let digest = signature::digest(&registry, &connect4, &player(&registry, text));
        digest.unwrap_or_else(|error| panic!("{error}")).expect("a search of this program")
    };
    let own = ["ab", "ab(eval=columns)", "ab(eval=edges)", "ab(eval=none)"].map(digest);
    for (i, one) in own.iter().enumerate() {
        assert!(own[..i].iter().all(|other| other != one), "{own:x?}");
    }
    assert_eq!(own[1], digest("ab(eval=columns)"));
    // What is registered comes after the game's own: auto stays what it was.
    let standard = Registry::standard();
    let usual = signature::digest(&standard, &connect4, &player(&standard, "ab"));
    assert_eq!(usual.unwrap(), Some(own[0]));
    for text in ["greedy(eval=columns)", "mcts-ic-e(eval=edges)", "fsss(eval=columns)"] {
        digest(text);
    }
}

#[test]
fn evaluations_are_listed_as_players_find_them_with_their_parts() {
    let mut registry = Registry::standard();
    let columns = || Columns([1, 2, 4, 8, 4, 2, 1].map(|n| 1000 * n));
    let told = |_: &Connect4| vec![Part::new("columns", [22, 0], 1000.0)];
    registry.add_evaluation(Evaluator::shared("lines", "hidden", columns())).unwrap();
    registry
        .add_evaluation(
            Evaluator::shared("columns", "", columns()).with_parts(told).with_slope(3.0),
        )
        .unwrap();
    let connect4 = start(&registry, "connect4");
    let evaluators = registry.evaluators(&connect4);
    let names: Vec<&str> = evaluators.iter().map(|evaluator| &*evaluator.name).collect();
    assert_eq!(names, ["lines", "tuned", "columns"]);
    assert_ne!(evaluators[0].about, "hidden");
    let (lines, columns) = (&evaluators[0], &evaluators[2]);
    assert_eq!(lines.parts(connect4.board()).len(), 3);
    assert_eq!(Part::sum(&columns.parts(connect4.board())), 22_000.0);
    assert_eq!((columns.evaluate(connect4.board()), columns.slope), (22_000, 3.0));
    assert_eq!(columns.reward(22_000), (0.75f64 * 0.022).tanh());
    assert_eq!(lines.reward(22_000), 0.022);
    // A board alone knows nothing of what is registered.
    assert_eq!(connect4.board().knowledge().evaluators().len(), 2);
}

#[test]
fn own_games_and_evaluations_are_checked() {
    let check = |registry: &Registry| {
        let options = Options { walks: 40, samples: 200, ..Options::default() };
        registry.check(&start(registry, "nim"), &options, &mut |_| ())
    };
    let mut registry = with_own_games(13, Side::First);
    let report = check(&registry);
    assert!(report.passed(), "{report}");
    let count = |report: &conformance::Report, name: &str| {
        report.laws.iter().find(|law| law.name == name).map(|law| law.checked)
    };
    let before = count(&report, "evaluation");
    registry.add_evaluation(Evaluator::<Nim>::plain("none-at-all", "nothing", |_| 0)).unwrap();
    let report = check(&registry);
    assert!(report.passed() && count(&report, "evaluation") > before, "{report}");

    let huge = |nim: &Nim| if nim.heap == 3 { EVAL_ONE } else { 0 };
    registry.add_evaluation(Evaluator::<Nim>::plain("huge", "too much", huge)).unwrap();
    let report = check(&registry);
    let failed: Vec<_> = report.laws.iter().filter(|law| law.failure.is_some()).collect();
    let [law] = failed[..] else { panic!("{report}") };
    let problem = &law.failure.as_ref().unwrap().problem;
    assert_eq!(
        (law.name, &**problem),
        ("evaluation", "\"huge\" returns 1000000, but a won game is 1000000")
    );
}

#[test]
fn unknown_evaluations_list_the_registered_ones() {
    let flat = || Evaluator::<Nim>::plain("nothing", "nothing", |_| 0);
    let mut registry = with_own_games(9, Side::First);
    registry.add_evaluation(flat()).unwrap();
    let refused = |game: &str, text: &str| {
        let made = registry.searcher(&start(&registry, game), &player(&registry, text));
        made.map(|_| ()).expect_err(text).to_string()
    };
    let error = refused("nim", "ab(eval=nothink)");
    assert!(
        error.contains("(did you mean nothing?); expected one of fours, flat, nothing"),
        "{error}"
    );
    // Of this game only.
    let error = refused("shuttle", "ab(eval=nothing)");
    assert!(error.ends_with("expected no eval: shuttle has no evaluations"), "{error}");
    assert!(!refused("connect4", "ab(eval=wisdom)").contains("nothing"));
}

#[test]
fn names_of_evaluations_are_new_and_can_be_read() {
    let flat = |name: &'static str| Evaluator::<Kalah>::plain(name, "nothing", |_| 0);
    let mut registry = Registry::standard();
    for name in ["auto", "none"] {
        refused(registry.add_evaluation(flat(name)), "evaluation", name, TAKEN);
    }
    // What follows eval= has fewer letters than a label.
    for name in ODD.into_iter().chain(["größe", "best*"]) {
        refused(registry.add_evaluation(flat(name)), "evaluation", name, FORM);
    }
    registry.add_evaluation(flat("flat")).unwrap();
    refused(registry.add_evaluation(flat("flat")), "evaluation", "flat", TAKEN);
    // Another game may have one of the same name.
    registry.add_evaluation(Evaluator::<Connect4>::plain("flat", "nothing", |_| 0)).unwrap();
    analyst(&registry, "kalah", "ab(eval=flat)");
    analyst(&registry, "connect4", "ab(eval=flat)");
}
