//! The options of a depth-first search, as data.

use serde::{Deserialize, Serialize};

use super::MAX_DEPTH;
use super::window::WIN;
use crate::config_error::MANY;
use crate::{ConfigError, Exactness, Game, Limit, Outcome, Spends};

/// How a depth-first search works. The default is iterative deepening alpha-beta with a table and
/// move ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What calls the recursion, and with which windows.
    pub driver: Driver,
    /// The deepest iteration in plies; `None`: until the game is decided.
    pub depth: Option<u32>,
    /// Search depth 1, 2, 3, …; otherwise the full depth at once.
    pub deepening: bool,
    /// After the iteration of this depth, leap to the last one: a solver looks for short wins
    /// first, and then searches everything.
    pub leap: Option<u32>,
    /// How a finished game is scored.
    pub scores: Scores,
    /// Look only at the first k moves of every node, after ordering.
    pub k: Option<u32>,
    /// Order moves by the game's hints.
    pub hints: bool,
    /// Order moves by the weights of the game's improved playouts
    /// ([`playout_weight`](crate::Knowledge::playout_weight)) instead: the static move ordering of Lanctot
    /// et al. (2014). Does nothing in games without them.
    pub weights: bool,
    /// Try moves first that caused cutoffs at the same ply elsewhere (Akl & Newborn 1977).
    pub killers: bool,
    /// Order moves by how often they caused cutoffs anywhere (Schaeffer 1983).
    pub history: bool,
    /// Try moves that the ordering leaves equal in random order, drawn once per position.
    pub shuffle: bool,
    /// Keep a transposition table, of the size of the budget's memory. All drivers but
    /// [`Driver::AlphaBeta`] need one.
    pub table: bool,
    /// Look up all children in the table before searching any (enhanced transposition cutoffs,
    /// Plaat et al. 1996).
    pub etc: bool,
    /// Search all moves but the first with a null window (principal variation search, Marsland &
    /// Campbell 1982).
    pub pvs: bool,
    /// Null-move pruning: let the other side move twice and search this many plies shallower; trust
    /// a cutoff.
    pub null_move: Option<u32>,
    /// Multi-cut (Björnsson & Marsland 2001): trust a cutoff if several moves cause one in a
    /// shallower search.
    pub multi_cut: bool,
    /// At the horizon, go on with loud moves (captures) until the position is quiet.
    pub quiescence: bool,
    /// Use what a game knows at a glance ([`foregone`](crate::Exactness::foregone),
    /// [`candidate_moves`](crate::Exactness::candidate_moves)). These are about outcomes: not for
    /// [`Scores::Margin`].
    pub glance: bool,
    /// What engines leave out, or look at less deeply, because it hardly ever matters.
    pub selective: Selective,
}

/// Selective search: how to look deeper along the lines that matter, at the price of sometimes
/// overlooking something. Everything is off by default.
///
/// What is pruned here never counts as a proof: wins and losses that are reported as proven are. Margins
/// are in thousandths of a won game, so they depend on the scale of the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selective {
    /// Late-move reductions: search moves that come late in the order less deeply, and again at full
    /// depth if they turn out to be good. Larger numbers reduce more: they are per cent of the product of
    /// the logarithms of depth and number.
    pub lmr: Option<u32>,
    /// Late-move pruning: near the horizon, leave out quiet moves that come very late in the order.
    pub late_pruning: bool,
    /// Futility pruning (Heinz 1998): near the horizon, leave out quiet moves where the evaluation plus
    /// this margin per ply does not reach the window.
    pub futility: Option<u32>,
    /// Reverse futility pruning: near the horizon, trust a cutoff where the evaluation minus this margin
    /// per ply still exceeds the window.
    pub reverse_futility: Option<u32>,
    /// Razoring (Birmingham & Kent 1977): near the horizon, look only at loud moves where the evaluation
    /// plus this margin per ply does not reach the window.
    pub razoring: Option<u32>,
    /// Aspiration windows: begin an iteration with a window of this half-width around the last value.
    pub aspiration: Option<u32>,
    /// Order moves by what they win or lose in an exchange ([`exchange`](crate::Knowledge::exchange)), quiet
    /// moves by killers and history before hints; and leave losing captures out of quiescence.
    pub exchange: bool,
    /// Try the move first that last refuted the opponent's move elsewhere (Uiterwijk 1992).
    pub countermoves: bool,
    /// Moves that were tried in vain before a cutoff lose history; what counts is recent.
    pub malus: bool,
    /// Search a position less deeply by one ply if the table knows no move for it: the next iteration
    /// will.
    pub unknown_reduction: bool,
    /// Fastest first: try moves first that leave the opponent few replies
    /// ([`replies`](crate::Speed::replies)), so that trees are small.
    pub replies: bool,
    /// After an iteration that ends at most this many plies before the game does
    /// ([`plies_left`](crate::Knowledge::plies_left)), search to the end of the game at once; and leave the
    /// last moves to the game's own solver ([`ending`](crate::Exactness::ending)). Does nothing in games
    /// without these. Not for [`Scores::Margin`].
    pub ending: Option<u32>,
    /// Go on beyond the horizon, and prune nothing, where passing would lose at a glance
    /// ([`null_move`](crate::Knowledge::null_move), [`foregone`](crate::Exactness::foregone)).
    pub threats: bool,
    /// If time runs out within an iteration, answer with the best move that it has found so far. Null
    /// windows alone find no best move on the way: only for [`Driver::AlphaBeta`].
    pub partial: bool,
    /// Keep table and history from move to move. What the search answers then depends on what it has
    /// searched before.
    pub reuse: bool,
}

impl Config {
    /// Checks that the options are compatible. An option that would have no effect is an error, too.
    ///
    /// [`Config::pvs`] is on by default, and no error where all windows are null windows anyway.
    ///
    /// # Errors
    ///
    /// The first reason why they are not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Selective { aspiration, ending, threats, partial, malus, reuse, .. } = self.selective;
        let is_ab = self.driver == Driver::AlphaBeta;
        let by_margin = self.scores == Scores::Margin;
        let needs_table = match self.driver {
            Driver::AlphaBeta => "table is false, but etc needs a table",
            Driver::MtdF | Driver::MtdPlus | Driver::MtdMinus => {
                "table is false, but mtd needs a table"
            }
            Driver::SssStar => "table is false, but sss needs a table",
            Driver::DualStar => "table is false, but dual needs a table",
        };
        let depth = |depth: Option<u32>| depth.map(f64::from);
        let deepest = f64::from(MAX_DEPTH);
        ConfigError::check(
            &[
                ("depth", depth(self.depth), 1.0, deepest),
                ("leap", depth(self.leap), 1.0, deepest),
                ("k", depth(self.k), 1.0, MANY),
                ("aspiration", depth(aspiration), 1.0, MANY),
            ],
            &[
                (
                    self.glance && by_margin,
                    "glance finds who wins, but scores is \"margin\"",
                    "glance or scores=margin, not both",
                ),
                (!self.table && (self.etc || !is_ab), needs_table, "table=true"),
                (
                    by_margin && (ending.is_some() || threats),
                    "ending and threats are about who wins, but scores is \"margin\"",
                    "scores=outcome with them",
                ),
                (
                    by_margin && (self.selective.asks_for_stand() || self.quiescence),
                    "quiescence, futility, reverse-futility and razoring use the evaluation, but scores \
                     is \"margin\"",
                    "scores=outcome with them",
                ),
                (
                    !self.deepening && (self.leap.is_some() || aspiration.is_some()),
                    "leap and aspiration follow an iteration, but deepening is false",
                    "deepening=true with them",
                ),
                (
                    !is_ab && (aspiration.is_some() || partial),
                    "aspiration and partial need open windows, but mtd, sss and dual have none",
                    "ab with them",
                ),
                (
                    malus && !self.history,
                    "malus lets moves lose history, but history is false",
                    "history=true",
                ),
                (
                    reuse && !self.table && !self.history,
                    "reuse keeps table and history, but both are false",
                    "table=true or history=true",
                ),
            ],
        )
    }

    /// Checks that there is an evaluation if an option needs one: for players that switch it off. A game
    /// without evaluations is no error of the configuration, so constructors accept it.
    ///
    /// # Errors
    ///
    /// If one is needed, and none `is_given`.
    pub fn check_evaluation(&self, is_given: bool) -> Result<(), ConfigError> {
        let is_missing = !is_given && (self.selective.asks_for_stand() || self.quiescence);
        let expected = "the name of an evaluation: quiescence, futility, reverse-futility and razoring \
                        need one";
        ConfigError::check(&[], &[(is_missing, "eval is \"none\"", expected)])
    }

    /// Which limits of a budget a search spends, with an evaluation or without.
    #[must_use]
    pub fn spends(&self, has_evaluation: bool) -> Spends {
        let by_depth = match self.deepening {
            true => "this search deepens ply by ply",
            false => "this search has one iteration",
        };
        let no_evaluations = match self.scores {
            Scores::Margin => Some("a search for margins (scores=margin) makes no evaluations"),
            Scores::Outcome if !has_evaluation => Some("this search has no evaluation to make"),
            Scores::Outcome if !self.deepening && self.depth.is_none() => {
                Some("this search goes to the end of the game at once, and makes no evaluations")
            }
            Scores::Outcome => None,
        };
        let at_once = (!self.deepening).then_some("this search does not deepen ply by ply");
        Spends::ALL
            .but(Limit::Iterations, Some(by_depth))
            .but(Limit::Evaluations, no_evaluations)
            .but(Limit::Plies, at_once)
    }

    /// Whether moves that matter may be left out, so that a result is no proof by itself.
    pub(super) fn is_selective(&self) -> bool {
        self.k.is_some() || self.null_move.is_some() || self.multi_cut
    }

    /// Whether every visit stores both bounds.
    pub(super) fn has_two_bounds(&self) -> bool {
        matches!(self.driver, Driver::SssStar | Driver::DualStar)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            driver: Driver::AlphaBeta,
            depth: None,
            deepening: true,
            leap: None,
            scores: Scores::Outcome,
            k: None,
            hints: true,
            weights: false,
            killers: true,
            history: true,
            shuffle: false,
            table: true,
            etc: false,
            pvs: true,
            null_move: None,
            multi_cut: false,
            quiescence: false,
            glance: false,
            selective: Selective::default(),
        }
    }
}

/// What calls the recursion (Plaat, Schaeffer, Pijls & de Bruin 1996).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// One call with the full window.
    AlphaBeta,
    /// MTD(f): null windows around the last iteration's value.
    MtdF,
    /// MTD(+∞): null windows from above.
    MtdPlus,
    /// MTD(-∞): null windows from below.
    MtdMinus,
    /// SSS*: MTD(+∞) in which every visit stores both bounds.
    SssStar,
    /// DUAL*: MTD(-∞) in which every visit stores both bounds.
    DualStar,
}

/// How a depth-first search scores a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scores {
    /// Its outcome: every win has the same value, a little more than any evaluation.
    Outcome,
    /// Its margin, where the game has one. Margins and evaluations have no common scale, so
    /// positions at the horizon have the value 0, whatever the evaluation says.
    Margin,
}

impl Scores {
    /// The value of a finished game in the first player's view, and whether it is a margin.
    #[inline]
    pub(crate) fn of<G: Game>(self, position: &G, outcome: Outcome) -> (i64, bool) {
        match self {
            Scores::Outcome => (outcome.value() * WIN, false),
            Scores::Margin => match position.exactness().margin() {
                Some(margin) => (margin, true),
                None => (outcome.value(), false),
            },
        }
    }
}
