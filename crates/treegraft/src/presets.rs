//! The searches of the papers under their names: one function per label, which returns the
//! configuration of one of this crate's searches.
//!
//! | functions | search |
//! |---|---|
//! | [`uct`] to [`mcts_sb`] | [`rollout::Rollout`] |
//! | [`alpha_beta()`] to [`dual`] | [`depth_first::DepthFirst`] |
//! | [`fsss`] to [`mt_inf`] | [`prove::Prover`] |
//!
//! A function sets what its paper does; change anything else in the configuration that it returns.
//! Three things depend on the game or its evaluation, and no preset knows them: the exploration
//! constant ([`Constants::c`]), the best depths of MR, MS and MB ([`Constants`]), and the slope of
//! rewards ([`Evaluator::slope`](crate::Evaluator::slope)).
//!
//! ```
//! # use treegraft::{Game, Outcome, Side};
//! # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! # struct Nim { heap: u8, mover: Side }
//! # impl Game for Nim {
//! #     type Move = u8;
//! #     fn to_move(&self) -> Side { self.mover }
//! #     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
//! #     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
//! #     fn outcome(&self) -> Option<Outcome> {
//! #         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
//! #     }
//! # }
//! use treegraft::rollout::{self, Rollout};
//! use treegraft::{Budget, Request, Searcher, presets};
//!
//! // Take one, two or three; whoever takes the last one wins.
//! let nim = Nim { heap: 9, mover: Side::First };
//!
//! // MCTS-MS-2-Visit-2 with less exploration.
//! let config = rollout::Config { c: 0.7, ..presets::mcts_ms(2, 2) };
//! let report = Rollout::new(config)?.search(&nim, Request::new(Budget::iterations(1000), 1));
//! assert_eq!(report.best_move, Some(1));
//! assert_eq!(report.proof, Some(Outcome::Win(Side::First)));
//! # Ok::<(), treegraft::ConfigError>(())
//! ```

use crate::depth_first::{self, Driver};
use crate::rollout::prove::{self, Method};
use crate::rollout::{
    self, AlphaBeta, AtVisits, Embed, Expand, Informed, Mercy, Playouts, Prior, Select, Solver,
};
use crate::{Constants, Ipp};

/// The probability of a random playout move in [`mcts_ir_e`].
pub const PLAYOUT_EPSILON: f64 = 0.1;
/// Plies of a playout before [`mcts_ic_e`] cuts it off.
pub const CUTOFF_PLIES: u32 = 3;
/// The virtual visits of [`mcts_ip_e`].
pub const PRIOR: Prior = Prior { visits: 1, weight: 10 };
/// When playouts of [`mcts_bl`] end early.
pub const MERCY: Mercy = Mercy { bound: 0.5, every: 5 };
/// Plies of a playout before [`mcts_bl2`] cuts it off.
pub const TERMINATION_PLIES: u32 = 20;
/// The virtual visits of [`mcts_bl2`]: for a second per move. With five seconds they are 50.
pub const NODE_PRIOR: u16 = 10;
/// The weight of progressive bias in [`mcts_loa_pb`].
pub const PROGRESSIVE_BIAS: f64 = 2.0;
/// The weight of implicit minimax values that Lanctot et al. (2014) use most.
pub const IMPLICIT_ALPHA: f64 = 0.4;
/// The visits at which RAVE's two means count the same: Mańdziuk & Walczak do not state theirs.
pub const RAVE_K: f64 = 1000.0;
/// The visits of a node whose own statistics GRAVE uses (Cazenave 2015).
pub const GRAVE_REFERENCE: u32 = 50;
/// The probability of another move in MAST's playouts (Tak, Winands & Björnsson 2012).
pub const MAST_EPSILON: f64 = 0.4;
/// The probability of a Monte Carlo rollout in [`mcts_ab`].
pub const MONTE_CARLO_SHARE: f64 = 0.95;

// ---------------------------------------------------------------- a tree grown by simulations

/// UCT (Kocsis & Szepesvári 2006): UCB1 in the tree, random playouts.
#[must_use]
pub fn uct() -> rollout::Config {
    let select = Select::Ucb1;
    rollout::Config { select, c: Constants::USUAL.c(select), ..rollout::Config::default() }
}

/// UCT with UCB1-Tuned (Auer, Cesa-Bianchi & Fischer 2002), as the hybrids of Baier & Winands use
/// it.
#[must_use]
pub fn mcts() -> rollout::Config {
    let select = Select::Ucb1Tuned;
    rollout::Config { select, c: Constants::USUAL.c(select), ..uct() }
}

/// MCTS-Solver (Winands, Björnsson & Saito 2008): [`mcts`] that proves wins and losses.
#[must_use]
pub fn mcts_solver() -> rollout::Config {
    rollout::Config { solver: Solver::Wins, ..mcts() }
}

/// MCTS-MR (Baier & Winands 2015): [`mcts_solver`] with a minimax search of `depth` plies for every
/// move of a playout. A win that the first of them finds proves the new leaf, which the paper leaves
/// open ([`rollout::MrTree`]).
#[must_use]
pub fn mcts_mr(depth: u32) -> rollout::Config {
    rollout::Config { embed: Embed { mr: Some(depth), ..Embed::default() }, ..mcts_solver() }
}

/// MCTS-MS-`depth`-Visit-`visits` (Baier & Winands 2015): [`mcts_solver`] with a minimax search of
/// `depth` plies for lost moves, at every node of the tree once it has `visits` visits.
#[must_use]
pub fn mcts_ms(depth: u32, visits: u32) -> rollout::Config {
    let ms = Some(AtVisits { depth, visits });
    rollout::Config { embed: Embed { ms, ..Embed::default() }, ..mcts_solver() }
}

/// MCTS-MB (Baier & Winands 2015): [`mcts_solver`] with a minimax search of `depth` plies where a
/// loss is backed up.
#[must_use]
pub fn mcts_mb(depth: u32) -> rollout::Config {
    rollout::Config { embed: Embed { mb: Some(depth), ..Embed::default() }, ..mcts_solver() }
}

/// The baseline player of Lanctot et al. (2014) in Breakthrough, bl: UCB1 and a solver, all children
/// at once, improved playouts that take the best move by the evaluation nine times of ten (ege0.1)
/// and end when the evaluation is beyond 0.5 (det0.5). The evaluation is efMS.
#[must_use]
pub fn mcts_bl() -> rollout::Config {
    let informed = Informed { ir: Some(PLAYOUT_EPSILON), det: Some(MERCY), ..Informed::default() };
    rollout::Config { informed, ..improved() }
}

/// The alternative baseline of Lanctot et al. (2014), bl': improved playouts that are cut off after
/// [`TERMINATION_PLIES`] (fet20), and node priors. The evaluation is efLH.
#[must_use]
pub fn mcts_bl2() -> rollout::Config {
    let informed =
        Informed { ic: Some(TERMINATION_PLIES), np: Some(NODE_PRIOR), ..Informed::default() };
    rollout::Config { informed, ..improved() }
}

/// The first player of Lanctot et al. (2014) in Lines of Action: UCT and a solver, playouts by the
/// categories of moves, which end when the evaluation, computed every three plies, is beyond 0.9 (700
/// points of efWB).
#[must_use]
pub fn mcts_loa() -> rollout::Config {
    let mercy = Mercy { bound: 0.9, every: 3 };
    let informed = Informed { det: Some(mercy), ..Informed::default() };
    let playouts = Playouts::Improved(Ipp::Program);
    rollout::Config { solver: Solver::Wins, playouts, informed, ..uct() }
}

/// Their second: [`mcts_loa`] with alpha-beta playouts (Winands & Björnsson 2011), two plies of the
/// seven likeliest moves.
#[must_use]
pub fn mcts_loa_ab() -> rollout::Config {
    let mut config = mcts_loa();
    (config.informed.ir, config.informed.ir_depth) = (Some(0.0), 2);
    config.embed.k = Some(7);
    config
}

/// Their third: [`mcts_loa_ab`] with progressive bias (Chaslot et al. 2008).
#[must_use]
pub fn mcts_loa_pb() -> rollout::Config {
    rollout::Config { progressive_bias: Some(PROGRESSIVE_BIAS), ..mcts_loa_ab() }
}

/// What the players of Lanctot et al. (2014) have in common in Breakthrough.
fn improved() -> rollout::Config {
    rollout::Config {
        solver: Solver::Wins,
        expand: Expand::All,
        playouts: Playouts::Improved(Ipp::Program),
        ..uct()
    }
}

/// MCTS-IR-E (Baier & Winands 2014): [`mcts_solver`] whose playouts play the move with the best
/// evaluation, and one move in ten at random, like the greedy playouts of Lanctot et al. (2014).
#[must_use]
pub fn mcts_ir_e() -> rollout::Config {
    informed(Informed { ir: Some(PLAYOUT_EPSILON), ..Informed::default() })
}

/// MCTS-IR-M (Baier & Winands 2014): [`mcts_ir_e`] with alpha-beta of two plies for every move.
#[must_use]
pub fn mcts_ir_m() -> rollout::Config {
    informed(Informed { ir_depth: 2, ..mcts_ir_e().informed })
}

/// MCTS-IC-E (Baier & Winands 2014): [`mcts_solver`] whose playouts are cut off after three plies,
/// as in Baier (2018), where the evaluation is the reward.
#[must_use]
pub fn mcts_ic_e() -> rollout::Config {
    informed(Informed { ic: Some(CUTOFF_PLIES), ..Informed::default() })
}

/// MCTS-IC-M (Baier & Winands 2014): [`mcts_ic_e`] with alpha-beta of one ply at the cutoff.
#[must_use]
pub fn mcts_ic_m() -> rollout::Config {
    informed(Informed { ic_depth: 1, ..mcts_ic_e().informed })
}

/// MCTS-IP-E (Baier & Winands 2014): [`mcts_solver`] whose new children begin with ten virtual
/// visits, won and lost as their evaluation says. Lanctot et al. (2014) use this weight.
#[must_use]
pub fn mcts_ip_e() -> rollout::Config {
    informed(Informed { ip: Some(PRIOR), ..Informed::default() })
}

/// MCTS-IP-M (Baier & Winands 2014): [`mcts_ip_e`] with alpha-beta of one ply at the new children.
#[must_use]
pub fn mcts_ip_m() -> rollout::Config {
    informed(Informed { ip_depth: 1, ..mcts_ip_e().informed })
}

/// MCTS-αβ with informed playouts (Baier 2018): [`mcts_solver`] with playouts by the game's hints,
/// in which a rollout goes on as alpha-beta's at one node in twenty. The default of [`AlphaBeta`]
/// has the other numbers.
#[must_use]
pub fn mcts_ab() -> rollout::Config {
    let alpha_beta = Some(AlphaBeta { p: MONTE_CARLO_SHARE, ..AlphaBeta::default() });
    rollout::Config { alpha_beta, playouts: Playouts::Hints, ..mcts_solver() }
}

/// MCTS-αβ with cut-off playouts (Baier 2018): [`mcts_ic_e`] in which a rollout goes on as
/// alpha-beta's at seven nodes in ten.
#[must_use]
pub fn mcts_ab_ic() -> rollout::Config {
    let alpha_beta = Some(AlphaBeta { p: 0.3, ..AlphaBeta::default() });
    rollout::Config { alpha_beta, ..mcts_ic_e() }
}

/// Score-bounded MCTS (Cazenave & Saffidine 2010): [`mcts`] with bounds on outcomes, which prove
/// draws too.
#[must_use]
pub fn mcts_sb() -> rollout::Config {
    rollout::Config { solver: Solver::Draws, ..mcts() }
}

fn informed(informed: Informed) -> rollout::Config {
    rollout::Config { informed, ..mcts_solver() }
}

// ---------------------------------------------------------------- no tree in memory

/// Plain alpha-beta (Knuth & Moore 1975) with iterative deepening: moves in the game's order, no
/// table, no null windows.
#[must_use]
pub fn alpha_beta() -> depth_first::Config {
    depth_first::Config {
        hints: false,
        killers: false,
        history: false,
        table: false,
        pvs: false,
        ..ab()
    }
}

/// The alpha-beta player of Baier (2018): [`alpha_beta()`] on the first `k` moves of a node by the
/// game's hints, equal ones in random order.
#[must_use]
pub fn k_best(k: u32) -> depth_first::Config {
    depth_first::Config { k: Some(k), hints: true, shuffle: true, ..alpha_beta() }
}

/// Alpha-beta with the usual enhancements: move ordering by hints, killers (Akl & Newborn 1977) and
/// history (Schaeffer 1983), a table, and null windows (Marsland & Campbell 1982).
#[must_use]
pub fn ab() -> depth_first::Config {
    depth_first::Config::default()
}

/// MTD(f) (Plaat, Schaeffer, Pijls & de Bruin 1996): [`ab`] with null windows only, beginning at
/// the value of the last iteration. MTD(+∞) and MTD(-∞), which begin at an end of the scale, are
/// other drivers ([`Driver`]).
#[must_use]
pub fn mtd() -> depth_first::Config {
    depth_first::Config { driver: Driver::MtdF, ..ab() }
}

/// SSS* (Stockman 1979) as MTD(+∞) with a table that keeps both bounds (Plaat, Schaeffer, Pijls &
/// de Bruin 1996).
#[must_use]
pub fn sss() -> depth_first::Config {
    depth_first::Config { driver: Driver::SssStar, ..ab() }
}

/// DUAL* (Marsland, Reinefeld & Schaeffer 1987) as MTD(-∞) with a table that keeps both bounds
/// (Plaat, Schaeffer, Pijls & de Bruin 1996).
#[must_use]
pub fn dual() -> depth_first::Config {
    depth_first::Config { driver: Driver::DualStar, ..ab() }
}

// ---------------------------------------------------------------- rollouts that prune

/// FSSS-Minimax (Weinstein, Littman & Goschin 2012). Like all searches below, it has iterative
/// deepening, and moves ordered by the game's hints.
#[must_use]
pub fn fsss() -> prove::Config {
    proving(Method::Fsss)
}

/// Alpha-beta as rollouts to the leftmost child that matters (Huang 2015).
#[must_use]
pub fn rollout_ab() -> prove::Config {
    proving(Method::AlphaBeta)
}

/// SSS* as rollouts to the child with the best upper bound (Huang 2015).
#[must_use]
pub fn rollout_sss() -> prove::Config {
    proving(Method::Sss)
}

/// Rollouts to any child that matters (Huang 2015).
#[must_use]
pub fn rollout_random() -> prove::Config {
    proving(Method::Random)
}

/// Alpha-beta that keeps its tree, with two bounds per node (Huang 2015).
#[must_use]
pub fn alphabeta2() -> prove::Config {
    proving(Method::AlphaBeta2)
}

/// MT-SSS*: null windows from above for [`alphabeta2`] (Huang 2015).
#[must_use]
pub fn mt_sss() -> prove::Config {
    proving(Method::MtSss)
}

/// MTD(+∞) that keeps its tree, with one bound per visit (Plaat, Schaeffer, Pijls & de Bruin 1996).
#[must_use]
pub fn mt_inf() -> prove::Config {
    proving(Method::Mtd)
}

fn proving(method: Method) -> prove::Config {
    prove::Config { method, deepening: true, hints: true, ..prove::Config::default() }
}
