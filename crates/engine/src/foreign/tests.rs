use std::fs;

use treegraft::{Notation, Playthrough, Rng, Speed};
use treegraft_players::Registry;

use super::*;

fn start(text: &str) -> Start {
    Registry::standard().start(text).unwrap()
}

/// A random game, move by move: `each` is called with every position and the move made there.
fn random_game(text: &str, seed: u64, each: &mut dyn FnMut(&Board, MoveIndex)) {
    let (mut game, mut rng) = (start(text).playthrough(), Rng::new(seed));
    while game.ending().is_none() {
        let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
        each(game.position(), mv);
        game.play(mv);
    }
}

/// Every legal move of random games, there and back again.
fn check_notation(game: &str, notation: Writing) -> Vec<String> {
    let mut texts = Vec::new();
    for seed in 0..20 {
        random_game(game, seed, &mut |position, _| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let here: Vec<String> = moves.iter().map(|&mv| notation.write(position, mv)).collect();
            for (text, &mv) in here.iter().zip(&moves) {
                assert_eq!(notation.read(position, text), Ok(mv), "{game}: {text}");
                assert_eq!(notation.read(position, &text.to_uppercase()).is_ok(), {
                    // Squares have small letters in our own notation.
                    notation != Writing::Promotions && notation != Writing::Own
                        || position.notation().parse_move(&text.to_uppercase()).is_ok()
                });
            }
            texts.extend(here);
        });
    }
    texts
}

#[test]
fn every_move_of_random_games_is_translated_there_and_back() {
    for game in ["breakthrough", "breakthrough:5x6", "breakthrough:12x10", "lion"] {
        let texts = check_notation(game, uci_game(&start(game)).unwrap().notation);
        assert!(texts.len() > 1000, "{game}");
        let promotions = texts.iter().filter(|text| text.ends_with('+')).count();
        assert_eq!(promotions > 10, game == "lion", "{game}");
    }
    for game in ["othello", "othello:6", "hex:5", "connect4", "connect4:9x6", "breakthrough:4x7"] {
        let texts = check_notation(game, gtp_game(&start(game)).unwrap().notation);
        assert!(texts.len() > 1000, "{game}");
        let passes = texts.iter().filter(|text| *text == "pass").count();
        assert_eq!(passes > 0, game.starts_with("othello"), "{game}");
        let captures = texts.iter().filter(|text| text.ends_with('*')).count();
        assert_eq!(captures > 10, game.starts_with("breakthrough"), "{game}");
    }
}

/// Games that others have played and written: Fairy-Stockfish writes `+`, and so do we.
#[test]
fn promotions_are_written_as_fairy_stockfish_writes_them() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/testdata/random-games.txt");
    let games = fs::read_to_string(games).unwrap();
    let mut promotions = 0;
    for line in games.lines().filter(|line| line.starts_with("lion |")) {
        let mut position = start("lion").board().clone();
        for text in line.split('|').nth(1).unwrap().split_whitespace() {
            let mv = Writing::Promotions.read(&position, text).unwrap();
            assert_eq!(Writing::Promotions.write(&position, mv), text, "{line}");
            promotions += usize::from(text.ends_with('+'));
            position.play(mv);
        }
    }
    assert!(promotions > 0);
}

#[test]
fn games_are_told_as_openspiel_writes_them() {
    let told = |game: &str, moves: &str| {
        let start = start(game);
        let notation = gtp_game(&start).unwrap().notation;
        let mut playthrough = Playthrough::new(start.board().clone());
        let texts: Vec<String> = moves
            .split_whitespace()
            .map(|text| {
                let mv = playthrough.position().notation().parse_move(text).unwrap();
                let written = notation.write(playthrough.position(), mv);
                playthrough.play(mv);
                written
            })
            .collect();
        texts.join(" ")
    };
    assert_eq!(told("connect4", "4 4 1 7"), "x3 o3 x0 o6");
    assert_eq!(
        told("breakthrough", "a2b3 h7g6 b3b4 c7c6 b4b5 c6b5"),
        "a7b6 h2g3 b6b5 c2c3 b5b4 c3b4*"
    );
    assert_eq!(told("othello", "d3 c3 c4"), "d3 c3 c4");
    assert_eq!(told("hex:5", "c3 a5"), "c3 a5");
}

#[test]
fn what_is_no_move_is_named() {
    let refused = |game: &str, text: &str| {
        let start = start(game);
        gtp_game(&start).unwrap().notation.read(start.board(), text).unwrap_err()
    };
    for (game, text, said) in [
        ("connect4", "x7", "\"x7\" here is move \"8\": "),
        ("connect4", "o3", "move \"o3\": "),
        ("connect4", "x", "move \"x\": no number of a column; expected x0, x1, …"),
        ("connect4", "x4294967295", "no number of a column"),
        ("connect4", "", "move \"\": "),
        ("breakthrough", "a2a3", "\"a2a3\" here is move \"a7a6\": there is no piece of the side"),
        ("breakthrough", "a9a8", "move \"a9a8\": not two squares"),
        ("breakthrough", "a7*", "not two squares"),
        ("breakthrough", "é7é6", "not two squares"),
        ("breakthrough", "aaaa", "not two squares"),
        ("othello", "a1", "move \"a1\": no disc is turned there"),
        ("othello", "pass", "move \"pass\": a disc can be placed"),
    ] {
        let error = refused(game, text);
        assert!(error.contains(said), "{game} {text}: {error}");
    }
}

#[test]
fn games_that_a_protocol_does_not_have_are_refused() {
    for (game, problem, expected) in [
        ("othello", "othello cannot be played over UCI", "breakthrough or lion"),
        ("breakthrough:16x8", "boards of 16x8 are too large for UCI", "at most 12x10"),
        ("breakthrough:6x12", "boards of 6x12 are too large for UCI", "at most 12x10"),
    ] {
        let refusal = uci_game(&start(game)).unwrap_err();
        assert_eq!(refusal.problem, problem);
        assert!(refusal.expected.contains(expected), "{refusal:?}");
    }
    for (game, problem, expected) in [
        ("kalah", "kalah cannot be played over GTP", "othello, hex, connect4 or breakthrough"),
        ("hex:5,swap=true", "hex cannot be played over GTP with the swap", "hex without swap=true"),
    ] {
        let refusal = gtp_game(&start(game)).unwrap_err();
        assert_eq!((refusal.problem.as_str(), refusal.expected.as_str()), (problem, expected));
    }
}

#[test]
fn boards_have_the_sizes_of_their_texts() {
    let size = |text: &str| {
        let game = gtp_game(&start(text)).unwrap();
        (game.size, game.is_usual)
    };
    assert_eq!(size("othello"), ("8".to_owned(), false));
    assert_eq!(size("othello:6"), ("6".to_owned(), false));
    assert_eq!(size("hex"), ("11".to_owned(), false));
    assert_eq!(size("hex:5"), ("5".to_owned(), false));
    assert_eq!(size("connect4"), ("7 6".to_owned(), true));
    assert_eq!(size("connect4:6x7"), ("6 7".to_owned(), false));
    assert_eq!(size("breakthrough"), ("8".to_owned(), true));
    assert_eq!(size("breakthrough:5x6"), ("5 6".to_owned(), false));
    let file = uci_game(&start("breakthrough:5x6")).unwrap().file.unwrap();
    for line in [
        "[treegraft-breakthrough-5x6:breakthrough]",
        "maxFile = 5",
        "maxRank = 6",
        "startFen = ppppp/ppppp/5/5/PPPPP/PPPPP w 0 1",
        "whiteFlag = *6",
    ] {
        assert!(file.lines().any(|known| known == line), "{line} in {file}");
    }
    assert_eq!(uci_game(&start("breakthrough:8x8")).unwrap().file, None);
}
