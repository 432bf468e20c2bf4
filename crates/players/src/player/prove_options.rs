//! The options of every proving search: those of the depth-first searches that it can have, and its own.

use treegraft::depth_first::Scores;
use treegraft::rollout::prove::{Config, Method};

use super::labels::{flag, number_of};
use super::options::{Choice, Form, Kind, Opt};
use super::{Eval, ProvePlayer};

/// A method under the conditions of a game: deeper and deeper, with ordered moves.
pub(super) fn proving(method: Method) -> ProvePlayer {
    let config = Config { method, deepening: true, hints: true, ..Config::default() };
    ProvePlayer { config, eval: Eval::Usual }
}

const SCORES: [Scores; 2] = [Scores::Outcome, Scores::Margin];

pub(super) static PROVE: &[Opt<ProvePlayer>] = &[
    Opt {
        name: "depth",
        kind: Kind::Limit { field: |p| &mut p.config.depth, min: 1, max: 1000, alone: None },
        meaning: "the horizon in plies; off: the end of the game",
        source: "Shannon 1950",
    },
    flag(
        "deepening",
        |p| &mut p.config.deepening,
        "search depth 1, 2, 3, …, each with a new tree; otherwise the full depth at once",
        "Slate & Atkin 1977",
    ),
    Opt {
        name: "k",
        kind: Kind::Limit { field: |p| &mut p.config.k, min: 1, max: 10_000, alone: None },
        meaning: "look at the first k moves of a node only",
        source: "Baier 2018",
    },
    Opt {
        name: "eval",
        kind: Kind::Eval(|p| &mut p.eval),
        meaning: "evaluation at the horizon; auto: the game's first, none: won games only",
        source: "Shannon 1950",
    },
    Opt {
        name: "scores",
        kind: Kind::Choice(Choice {
            words: &["outcome", "margin"],
            also: &[],
            get: |p| number_of(&SCORES, &p.config.scores),
            set: |p, n| p.config.scores = SCORES[n],
            form: Form::Named,
        }),
        meaning: "what a finished game is worth: who won, or by how much",
        source: "",
    },
    flag(
        "hints",
        |p| &mut p.config.hints,
        "order moves by the game's hints",
        "Slagle & Dixon 1969",
    ),
    flag(
        "shuffle",
        |p| &mut p.config.shuffle,
        "try moves in random order that the ordering leaves equal",
        "",
    ),
    flag(
        "restart",
        |p| &mut p.config.restart,
        "begin a rollout at the deepest node whose bounds did not change, not at the root",
        "Weinstein, Littman & Goschin 2012",
    ),
    flag(
        "decide",
        |p| &mut p.config.decide,
        "stop when the best move is decided, though its value is not",
        "Weinstein, Littman & Goschin 2012",
    ),
    flag(
        "bounds",
        |p| &mut p.config.bounds,
        "begin with bounds on the value that the game gives",
        "Weinstein, Littman & Goschin 2012",
    ),
];
