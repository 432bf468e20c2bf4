//! `treegraft eval`: what evaluations say of a position, and what they are made of.

use serde_json::Value;

use crate::common::{game_names, json, ok, refused};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn values_and_parts_are_those_of_the_paper() {
    let said = json(&["eval", "breakthrough", "--moves", "e2e3", "--json"]);
    assert_eq!((&said["to_move"], &said["side"]), (&"second".into(), &"Black".into()));
    let [pieces, ms, lh, _tuned] = &said["evaluations"].as_array().unwrap()[..] else {
        panic!("{said}")
    };
    assert_eq!((&pieces["name"], &pieces["slope"]), (&"pieces".into(), &40.0.into()));
    // 2.5 points for a row, by tanh(Δ/60), in the views of White and of Black.
    assert_eq!((&ms["name"], &ms["points"]), (&"efMS".into(), &2.5.into()));
    assert_eq!((number(&ms["value_first"]), number(&ms["value"])), (0.041_643, -0.041_643));
    assert_eq!(ms["reward"], ms["value"]);
    let row = serde_json::json!(
        {"name": "furthest row", "first": 2.0, "second": 1.0, "weight": 2.5, "points": 2.5}
    );
    assert_eq!(ms["parts"][1], row);
    // A piece left a square of 3 for one of 6.
    assert_eq!((&lh["points"], number(&lh["value_first"])), (&3.0.into(), 0.029_991));
    // The paper's curve: a piece of 16 more, by the logistic curve with slope 40.
    let taken = "ppp5/8/8/8/8/8/8/PPPP4 w";
    let said = json(&["eval", "breakthrough", "--position", taken, "--json"]);
    let ahead = &said["evaluations"][0];
    assert_eq!((number(&ahead["value"]), number(&ahead["points"])), (0.0625, 1.0));
    assert_eq!(number(&said["evaluations"][1]["points"]), 10.0);
    assert!((number(&ahead["reward"]) - (2.0 / (1.0 + (-1.25f64).exp()) - 1.0)).abs() < 1e-12);
}

#[test]
fn text_stands_in_columns() {
    let text = ok(&["eval", "breakthrough", "--moves", "e2e3"]);
    for line in [
        "turn  Black, the second player",
        "evaluation   White   Black  Black in %  reward  points",
        "efMS        +0.042  -0.042      47.9 %  -0.042    +2.5",
        "  reward by the logistic curve with slope 40",
        "part          White  Black  lead  weight  points",
        "furthest row      2      1    +1     2.5    +2.5",
        "sum                                         +2.5",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    let one = ok(&["eval", "loa", "efWB", "--ascii"]);
    assert!(one.contains("\nside to move        1      0    +1      30     +30\n"), "{one}");
    assert!(one.is_ascii() && !one.contains("after Winands"), "{one}");
}

#[test]
fn every_evaluation_of_every_game_tells_its_parts() {
    for game in game_names().iter().filter(|game| *game != "tree") {
        let said = json(&["eval", game, "--json"]);
        let evaluations = said["evaluations"].as_array().unwrap();
        assert!(!evaluations.is_empty(), "{game}");
        for evaluation in evaluations {
            let parts = evaluation["parts"].as_array().unwrap();
            let sum: f64 = parts.iter().map(|part| number(&part["points"])).sum();
            assert!((sum - number(&evaluation["points"])).abs() < 1e-6, "{game}: {evaluation}");
            assert!(!parts.is_empty(), "{game}: {evaluation}");
        }
        let text = ok(&["eval", game]);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    for (args, said) in [
        (&["eval", "tree"][..], &["tree has no evaluations", "try: `treegraft analyze tree"][..]),
        (
            &["eval", "breakthrough", "efMs"],
            &["breakthrough has no evaluation \"efMs\" (did you mean efMS?)", "try: pieces, efMS"],
        ),
        (&["eval", "breakthrough:6x6", "efLH"], &["no evaluation \"efLH\"", "try: pieces, efMS"]),
        (&["eval", "connect4", "--moves", "4152637"], &["the game is over: X wins", "fewer moves"]),
        (&["eval", "conect4"], &["\"conect4\"", "try: connect4"]),
        (&["eval", "connect4", "--moves", "8"], &["\"8\""]),
        (&["eval"], &["<GAME>"]),
    ] {
        let complaint = refused(args);
        assert!(said.iter().all(|part| complaint.contains(part)), "{args:?}: {complaint}");
    }
}
