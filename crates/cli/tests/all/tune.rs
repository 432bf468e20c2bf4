//! `treegraft tune`, as users meet it.

use std::path::{Path, PathBuf};

use treegraft::linear::Weights;

use crate::common::{json, ok, refused};

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-tune-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

/// Two generations, of which the second plays with the weights of the first.
const FILE: &str = r#"
game = "breakthrough:5x5"
eval = "efMS"
seed = 7

[[generation]]
player = "ab(shuffle)@30nodes"
games = 60
opening-plies = 6

[[generation]]
player = "ab(eval=fitted,shuffle)@30nodes"
games = 60
opening-plies = 6
random = 0.1
"#;

#[test]
fn a_file_gives_the_same_weights_with_any_number_of_jobs() {
    let file = temporary("small.toml");
    std::fs::write(&file, FILE).unwrap();
    let weights = |jobs: &str| {
        let out = temporary(&format!("jobs-{jobs}"));
        let text =
            ok(&["tune", file.to_str().unwrap(), "--jobs", jobs, "--out", out.to_str().unwrap()]);
        assert!(text.contains("60 by ab(eval=fitted,shuffle)@30nodes"), "{text}");
        assert!(text.ends_with(&format!("\nfile    {}\n", out.display())), "{text}");
        std::fs::read(out).unwrap()
    };
    let one = weights("1");
    assert_eq!(one, weights("3"));
    let weights = Weights::from_bytes(&one).unwrap();
    assert_eq!(weights.features, "parts-of-efMS");
    // The pieces, the furthest row and the turn: having more pieces is good.
    assert_eq!(weights.units.len(), 3);
    assert!(weights.units[0] > 0, "{weights:?}");
}

/// More pieces win more games, even at random: counting them predicts more than a constant.
#[test]
fn held_out_games_are_told() {
    let found =
        json(&["tune", "breakthrough:5x5", "--player", "random", "--games", "400", "--json"]);
    assert_eq!(found["eval"], "pieces");
    let games = |part: &str| found[part]["games"].as_u64().unwrap();
    assert_eq!(games("training") + games("held_out"), 400);
    let quality = found["quality"].as_array().unwrap();
    let loss = |name: &str| {
        let of = quality.iter().find(|of| of["name"] == name).unwrap();
        of["log_loss"].as_f64().unwrap()
    };
    assert!(loss("fitted") < loss("constant") - 0.02, "{quality:?}");
}

#[test]
fn wrong_input_is_named() {
    let error = refused(&["tune", "othello", "--eval", "nothing"]);
    assert!(error.contains("no evaluation \"nothing\""), "{error}");
    let error = refused(&["tune", "tree:height=5"]);
    assert!(error.contains("no evaluation"), "{error}");
    refused(&["tune", "connect4", "--player", "nobody"]);
    refused(&["tune", "connect4", "--l2", "-1"]);
    refused(&["tune", "connect4", "--from", "nowhere.db"]);
    let error = refused(&["tune", "connect4", "--player", "random", "--games", "1"]);
    assert!(error.contains("expected at least one of each"), "{error}");
    let file = temporary("wrong.toml");
    std::fs::write(&file, FILE.replace("games", "gmes")).unwrap();
    let error = refused(&["tune", file.to_str().unwrap()]);
    assert!(error.contains("unknown field `gmes`"), "{error}");
}

#[test]
fn options_that_the_file_decides_are_refused() {
    let file = temporary("options.toml");
    std::fs::write(&file, FILE).unwrap();
    let file = file.to_str().unwrap();
    for (option, value) in [
        ("--games", "3"),
        ("--seed", "9"),
        ("--eval", "pieces"),
        ("--player", "random"),
        ("--opening-plies", "2"),
        ("--l2", "1"),
        ("--from", "it.db"),
    ] {
        let error = refused(&["tune", file, option, value]);
        assert!(error.contains(&format!("{option} cannot be given with")), "{error}");
        assert!(error.contains("the file says this"), "{error}");
    }
}

#[test]
fn a_fit_without_games_is_refused() {
    let out = temporary("nothing.weights");
    let path = out.to_str().unwrap();
    let error = refused(&["tune", "connect4:4x4", "--games", "0", "--out", path]);
    assert!(error.contains("--games 0 leaves no games") && !out.exists(), "{error}");
    let experiment = temporary("other.toml");
    let text = "game = \"connect4:5x4\"\ngames = 2\nplayers = [\"random\", \"ab(depth=1)\"]\n";
    std::fs::write(&experiment, text).unwrap();
    let store = temporary("other.db");
    let store = store.to_str().unwrap();
    ok(&["run", experiment.to_str().unwrap(), "--store", store, "--no-plot"]);
    let error = refused(&["tune", "connect4", "--from", store]);
    let words = "has no games of connect4: it has games of connect4:5x4";
    assert!(error.contains(words), "{error}");
}

#[test]
fn wrong_numbers_in_a_file_are_named() {
    let file = temporary("numbers.toml");
    for (old, new, words) in [
        ("seed = 7", "passes = 999999999999", "passes is 999999999999; expected at most 1000000"),
        ("seed = 7", "held-out = 2.0", "held-out is 2; expected a part from 0 to 1"),
        ("random = 0.1", "random = 1.5", "random of generation 2 is 1.5; expected a part"),
        ("games = 60", "games = 99999999999", "games of generation 1 is 99999999999; expected at"),
    ] {
        std::fs::write(&file, FILE.replace(old, new)).unwrap();
        let error = refused(&["tune", file.to_str().unwrap()]);
        assert!(error.contains(words), "{new}: {error}");
    }
}
