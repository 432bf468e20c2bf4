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

/// More pieces win more games, even at random: whoever counts them tells more than a constant.
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
