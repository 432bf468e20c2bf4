//! The options of a proving search, as data.

use serde::{Deserialize, Serialize};

use crate::config_error::MANY;
use crate::depth_first::{MAX_DEPTH, Scores};
use crate::{ConfigError, Limit, Spends};

/// How a proving search works. The default is FSSS-Minimax to the end of the game, in the game's
/// order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How the search goes through the tree.
    pub method: Method,
    /// The horizon in plies; `None`: the end of the game.
    pub depth: Option<u32>,
    /// Search depth 1, 2, 3, …, each with a new tree; otherwise the full depth at once.
    pub deepening: bool,
    /// How a finished game is scored. Only with [`Scores::Outcome`], the evaluation counts at the
    /// horizon.
    pub scores: Scores,
    /// Look only at the first k moves of every node, after ordering.
    pub k: Option<u32>,
    /// Order moves by the game's hints.
    pub hints: bool,
    /// Try moves that the ordering leaves equal in random order, drawn once per position.
    pub shuffle: bool,
    /// Begin a rollout not at the root, but at the deepest node of the last one whose bounds did
    /// not change: the leaves and their order are the same. Random rollouts always begin at the
    /// root, and recursions know no rollouts.
    pub restart: bool,
    /// Stop when the best move at the root is certain, even if its value is not.
    pub decide: bool,
    /// Begin with the bounds that the game gives ([`margin_bounds`](crate::Exactness::margin_bounds));
    /// for [`Scores::Outcome`], at least with the values of a lost and a won game.
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
    /// Rollouts to the child that promises most to the side to move at the root, the leftmost of
    /// several: the leaves of [`Method::MtSss`], in its order (Huang 2015).
    Sss,
    /// Rollouts to any child that matters, at random (Huang 2015).
    Random,
    /// FSSS-Minimax (Weinstein, Littman & Goschin 2012), which expands no leaf that alpha-beta
    /// leaves out.
    Fsss,
    /// Recursive alpha-beta that stores both bounds, called once with the full window (Huang 2015).
    AlphaBeta2,
    /// MTD(+∞): null windows from above, where every visit stores one bound (Plaat, Schaeffer,
    /// Pijls & de Bruin 1996).
    Mtd,
    /// MT-SSS*: the same null windows for [`Method::AlphaBeta2`], which stores both bounds (Huang
    /// 2015).
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

impl Config {
    /// Whether the options make sense.
    ///
    /// [`Config::restart`] is no error with methods that have nothing to restart: their labels have it on.
    ///
    /// # Errors
    ///
    /// The first reason why they do not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let whole = |number: Option<u32>| number.map(f64::from);
        let depth = ("depth", whole(self.depth), 1.0, f64::from(MAX_DEPTH));
        ConfigError::check(&[depth, ("k", whole(self.k), 1.0, MANY)], &[])
    }

    /// Which limits of a budget a search spends. Every leaf counts as an evaluation.
    #[must_use]
    pub fn spends(&self) -> Spends {
        let whole_tree = match self.method {
            Method::AlphaBeta2 => Some("an iteration of alpha-beta searches the whole tree"),
            Method::Mtd | Method::MtSss => Some("an iteration of mtd searches the whole tree"),
            Method::AlphaBeta | Method::Sss | Method::Random | Method::Fsss => None,
        };
        let at_once = (!self.deepening).then_some("this search does not deepen ply by ply");
        Spends::ALL.but(Limit::Iterations, whole_tree).but(Limit::Plies, at_once)
    }

    /// Values in the tree are multiplied by this: FSSS needs room between them.
    pub(super) fn scale(&self) -> i64 {
        if self.method == Method::Fsss { 2 } else { 1 }
    }
}
