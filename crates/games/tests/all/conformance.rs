//! Every game keeps the contract.

use treegraft::Game;
use treegraft_conformance::{Options, check};
use treegraft_games::{AnyGame, Visitor};

struct Check(Options);

impl Visitor for Check {
    type Output = String;

    /// The report if something failed, else nothing.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> String {
        let report = check(&start, &self.0);
        if report.passed() { String::new() } else { report.to_string() }
    }
}

fn conforms(texts: &[&str]) {
    for text in texts {
        let game = AnyGame::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let failures = game.visit(Check(Options { walks: 50, ..Options::default() }));
        assert!(failures.is_empty(), "{text}\n{failures}");
    }
}

#[test]
fn connect4() {
    conforms(&["connect4", "connect4:4x4", "connect4:12x4", "connect4:1x1", "connect4:8x7"]);
}

#[test]
fn breakthrough() {
    conforms(&["breakthrough", "breakthrough:6x6", "breakthrough:2x4", "breakthrough:18x6"]);
}

#[test]
fn othello() {
    conforms(&["othello", "othello:6", "othello:4"]);
    conforms(&["othello:empties=winner", "othello:6,empties=winner", "othello:4,empties=winner"]);
}

#[test]
fn lion() {
    conforms(&["lion", "lion:max-plies=20"]);
}

#[test]
fn hex() {
    conforms(&["hex:2", "hex:5", "hex:7,swap=true", "hex:11"]);
}

#[test]
fn hex_on_a_large_board() {
    conforms(&["hex:14,swap=true"]);
}

#[test]
fn kalah() {
    conforms(&["kalah", "kalah:6,4,capture-empty=false", "kalah:2,3", "kalah:6,4,random-start=7"]);
}

#[test]
fn loa() {
    conforms(&["loa", "loa:simultaneous=mover,no-move=loss,repetition=off"]);
}

#[test]
fn tree() {
    conforms(&["tree:((3 5) (2 -9 4))", "tree", "tree:branching=3,height=5,irregular=true,seed=4"]);
    conforms(&["tree:traps=0.1", "tree:branching=4,height=12,traps=0.2,trap-depth=3,seed=2"]);
}
