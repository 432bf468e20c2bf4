//! Random text thrown at every parser: an error or a value, never a panic.

use crate::starts::shown;
use proptest::prelude::*;
use treegraft::{Charset, Game, Notation, Playthrough};
use treegraft_games::{AnyGame, GAMES, Visitor};

/// One text for every shape of game, so that every parser is reached.
const TEXTS: &[&str] = &[
    "connect4",
    "connect4:10x5",
    "breakthrough:6x6",
    "breakthrough:18x6",
    "othello",
    "othello:6",
    "othello:4,empties=winner",
    "lion",
    "hex:5",
    "hex:swap=true",
    "hex:19",
    "kalah",
    "kalah:3,3,capture-empty=false",
    "loa",
    "tree:((3 5) (2 -9 4))",
    "tree:branching=3,height=4,irregular=true",
    "tree:branching=4,height=12,traps=0.1,trap-depth=3,ones=0.4,seed=7",
];

/// Parses a text as position and as moves; draws whatever comes out.
struct Throw<'a>(&'a str);

impl Visitor for Throw<'_> {
    type Output = ();

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) {
        if let Ok(position) = start.notation().parse_position(self.0) {
            // What a parser lets through must be a position to live with.
            let again = position
                .notation()
                .position_text()
                .map(|text| start.notation().parse_position(&text));
            assert_eq!(again, Some(Ok(position.clone())), "{:?}", self.0);
            assert!(position.notation().diagram(Charset::Ascii).is_ascii());
            if position.outcome().is_none() {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                assert!(!moves.is_empty());
                moves.into_iter().for_each(|mv| position.clone().play(mv));
            }
        }
        let mut game = Playthrough::new(start);
        if let Err(error) = game.play_text(self.0) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A text, and the same with a few characters changed, cut or doubled.
fn near(texts: Vec<String>) -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<char>());
    (prop::sample::select(texts), prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, c) in edits {
            if chars.is_empty() {
                break;
            }
            let at = at.index(chars.len());
            match kind {
                0 => chars[at] = c,
                1 => drop(chars.remove(at)),
                2 => chars.insert(at, chars[at]),
                _ => chars.truncate(at),
            }
        }
        chars.into_iter().collect()
    })
}

/// The start of every game as position text, and some moves in every notation.
fn sample_texts() -> Vec<String> {
    struct Text;
    impl Visitor for Text {
        type Output = String;
        fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> String {
            start.notation().position_text().expect("every game here has a notation for positions")
        }
    }
    let positions = TEXTS.iter().map(|text| AnyGame::parse(text).unwrap().visit(Text));
    let moves =
        ["4453", "f5d6c3", "a1 b2 c3", "e2e3 e7e6", "C@b2", "c1xa3", "b2b3+", "1 2 3", "swap"];
    positions.chain(moves.map(str::to_owned)).collect()
}

/// What a parsed game text must be good for.
fn check_game_text(text: &str) {
    if let Ok(game) = AnyGame::parse(text) {
        assert_eq!(shown(game.canonical()), shown(text), "{text}");
    }
}

#[test]
fn canonical_texts_parse_back() {
    for text in TEXTS {
        let game = AnyGame::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.canonical(), *text);
    }
    for info in GAMES {
        let game = AnyGame::parse(info.name).expect("every game has defaults");
        assert_eq!(shown(game.canonical()), shown(info.name));
    }
}

#[test]
fn bad_game_texts_are_errors_that_name_them() {
    for (text, named) in [
        ("", "no such game"),
        ("chess", "no such game"),
        ("Connect4", "no such game"),
        ("connect4:0x4", "\"0\""),
        ("connect4:7", "WIDTHxHEIGHT"),
        ("connect4:9x9", "does not fit"),
        ("connect4:7x6x5", "6x5"),
        ("connect4:7x6,gravity=off", "gravity"),
        ("connect4:", "empty"),
        ("breakthrough:19x4", "19"),
        ("breakthrough:18x18", "128"),
        ("breakthrough:6x3", "3"),
        ("othello:5", "5"),
        ("othello:10", "10"),
        ("othello:empties=loser", "loser"),
        ("othello:empties=winner,6", "6"),
        ("othello:6,empties=winner,empties=nobody", "twice"),
        ("lion:3x4", "3x4"),
        ("hex:1", "1"),
        ("hex:20", "20"),
        ("hex:11,swap=maybe", "maybe"),
        ("hex:11,swap=true,swap=false", "twice"),
        ("kalah:6,4,capture-empty=perhaps", "perhaps"),
        ("kalah:0,4", "0"),
        ("loa:simultaneous=both", "both"),
        ("loa:8", "8"),
        ("tree:((3 5) (2", "inside 2 open brackets"),
        ("tree:(-9223372036854775808 1)", "2^53"),
        ("tree:(9223372036854775807 1)", "2^53"),
        ("tree:(9007199254740993 1)", "2^53"),
        ("tree:height=400", "400"),
        ("tree:leaves=9..1", "9"),
        ("tree:branching=-1", "-1"),
        ("tree:traps=1.5", "traps is a probability"),
        ("tree:traps=0.1,trap-depth=0", "trap-depth 0"),
        ("tree:traps=0.1,irregular=true", "irregular"),
        ("tree:trap-depth=3", "trap-depth"),
    ] {
        let error = AnyGame::parse(text).expect_err(text).to_string();
        assert!(error.contains(&format!("{text:?}")), "{error}");
        assert!(error.contains(named), "{error} does not say {named}");
        assert!(error.contains("expected"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_game_or_an_error(text in any::<String>()) {
        check_game_text(&text);
        for info in GAMES {
            check_game_text(&format!("{}:{text}", info.name));
        }
    }

    #[test]
    fn nearly_right_game_texts(text in near(TEXTS.iter().map(|t| (*t).to_owned()).collect())) {
        check_game_text(&text);
    }

    #[test]
    fn any_text_as_position_and_moves(text in any::<String>()) {
        TEXTS.iter().for_each(|game| AnyGame::parse(game).unwrap().visit(Throw(&text)));
    }

    #[test]
    fn nearly_right_positions_and_moves(text in near(sample_texts())) {
        TEXTS.iter().for_each(|game| AnyGame::parse(game).unwrap().visit(Throw(&text)));
    }
}
