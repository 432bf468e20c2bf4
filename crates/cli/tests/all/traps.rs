//! `treegraft traps`, as users meet it.

use std::path::{Path, PathBuf};

use crate::common::{command, finish, json, ok, refused};
use serde_json::Value;

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-traps-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

const QUICK: [&str; 8] =
    ["traps", "connect4:5x4", "--games", "6", "--player", "mcts-solver@20it", "--playouts", "50"];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(more).copied().collect()
}

#[test]
fn the_traps_of_a_position_are_named_with_their_refutations() {
    let text = ok(&["traps", "connect4", "--moves", "445"]);
    for words in [
        "turn   O, the second player\n",
        "traps  5 of 7 moves are traps of level 7 or lower\n",
        "move  level  difficulty  refutation\n",
        " %  6 1 3\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let found = json(&["traps", "connect4", "--moves", "445", "--levels", "3", "--json"]);
    let moves = |found: &Value| -> Vec<String> {
        let traps = found["traps"].as_array().unwrap().iter();
        traps.map(|trap| trap["move"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(moves(&found), ["1", "2", "4", "5", "7"]);
    assert_eq!((&found["moves"], &found["max_level"]), (&7.into(), &3.into()));
    let trap = &found["traps"][1];
    assert_eq!(
        (&trap["level"], &trap["refutation"]),
        (&3.into(), &serde_json::json!(["6", "1", "3"]))
    );
    let share = trap["difficulty"].as_f64().unwrap();
    assert!(0.2 < share && share < 0.5, "{share}");
    let none = json(&["traps", "connect4", "--moves", "445", "--levels", "2", "--json"]);
    assert!(moves(&none).is_empty());
    let text = ok(&["traps", "connect4", "--moves", "445", "--levels", "0..2"]);
    assert!(text.contains("0 of 7 moves are traps of level 2 or lower"), "{text}");
}

#[test]
fn games_are_summed_up() {
    let text = ok(&quick(&[]));
    for words in [
        "game    connect4:5x4\n",
        "player  mcts-solver@20it\n",
        "traps   levels 3..7, 50 playouts a trap, seed 0\n",
        "\nGames\n",
        "\nTraps up to each level\n",
        "\nPositions with a trap of level 3\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let found = json(&quick(&["--json", "--jobs", "1"]));
    assert_eq!(found, json(&quick(&["--json", "--jobs", "2"])));
    assert_ne!(found, json(&quick(&["--json", "--seed", "1"])));
    assert_eq!((&found["games"], &found["levels"]), (&6.into(), &"3..7".into()));
    let levels = found["levels_found"].as_array().unwrap();
    assert_eq!(levels.len(), 5);
    let numbers: Vec<f64> =
        levels.iter().map(|level| level["number"]["mean"].as_f64().unwrap()).collect();
    assert!(numbers.is_sorted() && numbers[4] > 0.0, "{numbers:?}");
    // All positions are those of the plies.
    let plies = found["plies"].as_array().unwrap();
    let positions: u64 = plies.iter().map(|ply| ply["positions"].as_u64().unwrap()).sum();
    assert_eq!(Some(positions), found["positions"].as_u64());
}

#[test]
fn stores_are_gone_on_with_and_shown_beside_one_another() {
    let store = temporary("store.jsonl");
    let name = store.to_str().unwrap();
    let expected = json(&quick(&["--json"]));
    let first = json(
        &[
            &quick(&["--json", "--store", name])[..3],
            &["2"],
            &quick(&["--json", "--store", name])[4..],
        ]
        .concat(),
    );
    assert_eq!(first["games"], 2);
    let text = std::fs::read_to_string(&store).unwrap();
    assert_eq!(text.lines().count(), 3);
    std::fs::write(&store, &text[..text.len() - 10]).unwrap();
    assert_eq!(json(&quick(&["--json", "--store", name])), expected);
    assert_eq!(std::fs::read_to_string(&store).unwrap().lines().count(), 7);
    let error = refused(&quick(&["--store", name, "--seed", "3"]));
    assert!(error.contains("seed 0, not 3") && error.contains(name), "{error}");
    let both = json(&quick(&["--json", "--seed", "1", "--beside", name]));
    assert_eq!(both[1], expected);
    assert_eq!(both[0]["seed"], 1);
    std::fs::remove_file(&store).unwrap();
    let error = refused(&quick(&["--beside", name]));
    assert!(error.contains(name), "{error}");
}

#[test]
fn plots_are_written() {
    let svg = temporary("plots.svg");
    let text = ok(&quick(&["--plot", svg.to_str().unwrap()]));
    for name in ["density", "number", "difficulty"] {
        let path = svg.with_file_name(format!("cli-traps-plots-{name}.svg"));
        assert!(text.contains(&format!("plot    {}\n", path.display())), "{text}");
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("<svg "));
        std::fs::remove_file(path).unwrap();
    }
    let png = temporary("plots.png");
    json(&quick(&["--json", "--plot", png.to_str().unwrap()]));
    let path = png.with_file_name("cli-traps-plots-density.png");
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    for name in ["density", "number", "difficulty"] {
        std::fs::remove_file(png.with_file_name(format!("cli-traps-plots-{name}.png"))).unwrap();
    }
    let nowhere = finish(command(&quick(&["--plot", "no-such-folder/x.svg"])));
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.err.contains("no-such-folder"), "{}", nowhere.err);
}

#[test]
fn bad_input_is_named() {
    for (args, words) in [
        (&["traps", "chess"][..], "chess"),
        (&["traps", "connect4", "--levels", "7..3"], "7..3"),
        (&["traps", "connect4", "--levels", "3..31"], "3..31"),
        (&["traps", "connect4", "--games", "0"], "from 1 to"),
        (&["traps", "connect4", "--player", "nobody"], "nobody"),
        (&["traps", "connect4", "--plot", "plot.gif"], "plot.gif"),
        (&["traps", "connect4", "--games", "5", "--moves", "4"], "cannot be used with"),
        (&["traps", "connect4", "--store", "x.jsonl", "--moves", "4"], "--store goes with games"),
        (&["traps", "connect4", "--moves", "8"], "\"8\""),
        (&["traps", "connect4:4x4", "--position", "1212121"], "the game is over"),
        (&["traps", "hex:3", "--games", "1", "--player", "mcts(eval=no)"], "eval"),
    ] {
        let error = refused(args);
        assert!(error.contains(words), "{words}: {error}");
    }
}
