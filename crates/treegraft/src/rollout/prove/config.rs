//! The choices a proving search leaves open, as data.

use serde::{Deserialize, Serialize};

use crate::depth_first::Scores;

/// How a proving search works. The default is FSSS-Minimax to the end of the game, in the game's
/// order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where the next rollout goes.
    pub method: Method,
    /// The horizon in plies; `None`: the end of the game.
    pub depth: Option<u32>,
    /// Search depth 1, 2, 3, …, each with a new tree; otherwise the full depth at once.
    pub deepening: bool,
    /// What a finished game is worth. With [`Scores::Outcome`] the evaluation counts at the horizon.
    pub scores: Scores,
    /// Look at the first k moves of every node only (after ordering).
    pub k: Option<u32>,
    /// Order moves by the game's hints.
    pub hints: bool,
    /// Moves that the ordering leaves equal are tried in random order, drawn once per position.
    pub shuffle: bool,
    /// Begin a rollout at the deepest node of the last one whose bounds did not change, and not at
    /// the root: the leaves and their order are the same. Random rollouts always begin at the root.
    pub restart: bool,
    /// Stop when the best move at the root is decided, though its value may not be.
    pub decide: bool,
    /// Begin with the bounds that the game gives ([`margin_bounds`](crate::Game::margin_bounds)), and
    /// for [`Scores::Outcome`] at least with those that every outcome keeps.
    pub bounds: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            method: Method::Fsss,
            depth: None,
            deepening: false,
            scores: Scores::Outcome,
            k: None,
            hints: false,
            shuffle: false,
            restart: true,
            decide: false,
            bounds: false,
        }
    }
}

/// How a proving search goes through the tree. Every method finds the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Rollouts to the leftmost child that matters: the leaves of alpha-beta, in its order (Huang
    /// 2015).
    AlphaBeta,
    /// Rollouts to the leftmost of the children that promise most to the side to move at the root:
    /// the leaves of [`Method::MtSss`], in its order (Huang 2015).
    Sss,
    /// Rollouts to any child that matters.
    Random,
    /// FSSS-Minimax (Weinstein, Littman & Goschin 2012): never a leaf that alpha-beta leaves out.
    Fsss,
    /// Recursive alpha-beta that stores both bounds, called once with the full window (Huang 2015).
    AlphaBeta2,
    /// MTD(+∞): null windows from above, every call stores one bound (Plaat, Schaeffer, Pijls & de
    /// Bruin 1996).
    Mtd,
    /// MT-SSS*: the same null windows for [`Method::AlphaBeta2`], which stores both bounds.
    MtSss,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 7] = [
        Method::AlphaBeta,
        Method::Sss,
        Method::Random,
        Method::Fsss,
        Method::AlphaBeta2,
        Method::Mtd,
        Method::MtSss,
    ];
}
