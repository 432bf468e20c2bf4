//! Any text at all, thrown at every argument: an answer or an error, never a panic.

use clap::{CommandFactory, Parser};
use treegraft::Rng;
use treegraft_players::Registry;

use crate::Cli;

/// What the program would say, without leaving the process.
fn run(args: &[&str]) -> Result<String, String> {
    let cli = Cli::try_parse_from(std::iter::once("treegraft").chain(args.iter().copied()))
        .map_err(|error| error.to_string())?;
    let registry = std::sync::Arc::new(Registry::standard());
    cli.command.run(&registry).map(|output| output.text).map_err(|error| error.to_string())
}

#[test]
fn the_arguments_are_well_formed() {
    Cli::command().debug_assert();
}

/// Pieces of notation of all games, and characters that trip up parsers.
fn pieces() -> Vec<&'static str> {
    let words = "0 1 2 3 4 7 9 10 64 4294967296 +1 -1 a b c d e f h x X O p P w W B C a1 e2 b2b3 \
                 pass swap true false : , = - -- / * @ [ ] . \" ' ` é ß İ 🦁 ４ ٣ … \u{301} \u{202e}";
    words.split(' ').chain([" ", "  ", "\n", "\t", "\0"]).collect()
}

fn noise(rng: &mut Rng) -> String {
    let length = match rng.below(20) {
        0 => 2000,
        _ => rng.below(12),
    };
    let pieces = pieces();
    (0..length).filter_map(|_| rng.draw_from(&pieces).copied()).collect()
}

/// Some text with one character removed, doubled or replaced by noise.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<String> = text.chars().map(String::from).collect();
    let at = rng.below(characters.len() as u32 + 1) as usize;
    match characters.get_mut(at) {
        None => characters.push(noise(rng)),
        Some(character) => match rng.below(3) {
            0 => character.clear(),
            1 => *character = character.repeat(2),
            _ => *character = noise(rng),
        },
    }
    characters.concat()
}

/// An error is one, stays readable however long the input is, and names it.
fn assert_error_names(result: &Result<String, String>, input: &str) {
    let Err(error) = result else { return };
    assert!(error.starts_with("error: "), "{input:?}: {error}");
    // A parser may have trimmed the text before it refused it.
    let named = [input, input.trim()].into_iter().any(|text| {
        let beginning = format!("{:?}", text.chars().take(40).collect::<String>());
        error.contains(&beginning[..beginning.len() - 1])
    });
    // Of moves written without blanks it names the first one that is illegal.
    let illegal = error.strip_prefix("error: move \"").and_then(|rest| rest.split('"').next());
    let named = named || illegal.is_some_and(|mv| mv.len() > 1 && input.trim().starts_with(mv));
    assert!(named, "{input:?}: {error}");
    assert!(error.len() < 3000, "{input:?}: {error}");
}

/// The names of all games.
fn games() -> Vec<&'static str> {
    Registry::standard().games().map(|info| info.name).collect()
}

#[test]
fn any_text_as_game() {
    let games = games();
    let mut rng = Rng::new(1);
    for round in 0..400 {
        let known = games[round % games.len()];
        let text = match round % 4 {
            0 => noise(&mut rng),
            1 => damage(known, &mut rng),
            _ => format!("{known}:{}", noise(&mut rng)),
        };
        // `--` lets the text begin with a dash and still be a game.
        for command in ["show", "games"] {
            assert_error_names(&run(&[command, "--", &text]), &text);
        }
    }
}

#[test]
fn any_text_as_moves() {
    let mut rng = Rng::new(2);
    for game in games() {
        for _ in 0..200 {
            let text = noise(&mut rng);
            let moves = format!("--moves={text}");
            let first = text.split(|c: char| c.is_whitespace() || c == ',').find(|s| !s.is_empty());
            let result = run(&["show", game, &moves]);
            // Moves before the one that is refused have been played and are not named.
            let refused_at_once =
                result.as_ref().is_err_and(|error| error.contains("it is move 1:"));
            assert_error_names(&result, first.filter(|_| refused_at_once).unwrap_or_default());
            let _ = run(&["perft", game, "--depth", "1", "--moves", &text, &text]);
        }
    }
}

#[test]
fn any_text_as_position() {
    let mut rng = Rng::new(3);
    for game in games() {
        let shown = run(&["show", game, "--json"]).unwrap();
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let start = shown["position"].as_str().unwrap_or_default();
        for round in 0..400 {
            let text = if round % 4 == 0 { noise(&mut rng) } else { damage(start, &mut rng) };
            let position = format!("--position={text}");
            assert_error_names(&run(&["show", game, &position]), &text);
            let _ = run(&["perft", game, "--depth", "1", "--position", &text]);
        }
    }
}

#[test]
fn any_text_as_player() {
    let mut rng = Rng::new(5);
    for round in 0..400 {
        let known = [
            "mcts-solver(c=0.8)@91000it",
            "ab(k=10)@2500nodes",
            "mtd(f)@1s,64MiB",
            "engine(patience=5s):\"'my program' \\\"x\\\"\"@1s",
        ];
        let text = match round % 4 {
            0 => noise(&mut rng),
            _ => damage(known[round % known.len()], &mut rng),
        };
        assert_error_names(&run(&["players", "--", &text]), &text);
    }
}

#[test]
fn any_text_as_number() {
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let text = format!("{}x", noise(&mut rng));
        let result = run(&["perft", "connect4", "--depth", &text]);
        assert!(result.is_err_and(|error| error.starts_with("error: ")), "{text:?}");
    }
}
