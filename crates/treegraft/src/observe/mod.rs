//! What a search does, event by event: for people who want to see it think.
//!
//! [`DepthFirst`](crate::depth_first::DepthFirst), [`Rollout`](crate::rollout::Rollout) and
//! [`Prover`](crate::rollout::prove::Prover) have a method `search_observed` beside `search`: the
//! same search, which hands out an [`Event`] whenever something happens. A search without an
//! observer is compiled without any of this.
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
//! use treegraft::depth_first::{Config, DepthFirst};
//! use treegraft::observe::{Cut, Event, What};
//! use treegraft::{Request, Searcher};
//!
//! // Take one, two or three; whoever takes the last one wins.
//! let nim = Nim { heap: 5, mover: Side::First };
//! let mut alpha_beta = DepthFirst::new(Config::default(), None)?;
//! let (mut nodes, mut cuts) = (0, 0);
//! let report = alpha_beta.search_observed(&nim, Request::default(), &mut |event: Event<u8>| {
//!     match event.what {
//!         What::Enter { .. } => nodes += 1,
//!         What::Cut { why: Cut::Window, .. } => cuts += 1,
//!         _ => {}
//!     }
//! });
//! let plain = DepthFirst::new(Config::default(), None)?.search(&nim, Request::default());
//! assert_eq!(report.digest, plain.digest);
//! # Ok::<(), treegraft::ConfigError>(())
//! ```

mod observer;

use serde::Serialize;

use crate::rollout::Channel;
use crate::{Bounds, Outcome, Side};

pub(crate) use observer::{Observer, Unobserved, Watcher};

/// Something that a search did.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<M> {
    /// The moves from the root to the node that it is about.
    pub path: Vec<M>,
    /// What happened there.
    pub what: What<M>,
}

/// What happened at a node. `M` is the type of moves.
///
/// All values are in the first player's view. Scores are integers: margins, or evaluations on the
/// scale of [`EVAL_ONE`](crate::EVAL_ONE), where a won game scores 1.1 times as much; ends that are
/// not known are those of [`Bounds::MARGIN`]. Rewards are from -1 to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum What<M> {
    /// An iteration of deepening begins.
    Deepen {
        /// Its horizon in plies.
        depth: u32,
    },
    /// The recursion begins at the root: once with a full window, or again with a null window (MTD,
    /// SSS*, DUAL*).
    Pass {
        /// The window. Its ends are α and β.
        window: Bounds,
    },
    /// The recursion comes to a node.
    Enter {
        /// The values that it has to distinguish there. Its ends are α and β.
        window: Bounds,
        /// Plies to the horizon.
        depth: u32,
    },
    /// The move to a node is tried with a null window: is it better than the best so far?
    NullWindow {
        /// The window.
        window: Bounds,
    },
    /// It may be better, so it is searched again.
    Again {
        /// The window.
        window: Bounds,
    },
    /// The table knows the node.
    Table {
        /// Its value.
        bounds: Bounds,
        /// Whether that is enough; otherwise it makes the window smaller.
        is_enough: bool,
    },
    /// A leaf: its value is known.
    Leaf {
        /// What kind of leaf.
        end: LeafEnd,
        /// The value.
        value: i64,
    },
    /// Moves at a node are not looked at, or no longer.
    Cut {
        /// The reason.
        why: Cut,
        /// The moves.
        moves: Vec<M>,
    },
    /// The recursion leaves a node.
    Exit {
        /// What it has found out about its value.
        bounds: Bounds,
    },
    /// The table is searched to complete the line of best play; what it does not know is searched.
    Line,
    /// A rollout that prunes begins, at the root or where the last one has changed nothing.
    Rollout {
        /// Its number, from 1.
        number: u64,
    },
    /// A simulation begins.
    Simulation {
        /// Its number, from 1.
        number: u64,
    },
    /// A move is selected at a node of the tree.
    Select {
        /// The move.
        mv: M,
        /// By what.
        by: By,
    },
    /// A node gets its children.
    Expand {
        /// The moves to them.
        moves: Vec<M>,
    },
    /// What is known of a node's value has changed.
    Narrow {
        /// The value.
        bounds: Bounds,
        /// MCTS-αβ: the depth in plies for which it is known.
        depth: Option<u32>,
    },
    /// A simulation ends at a node that is decided: there the game is over, or something has proven
    /// it.
    Decided {
        /// The outcome.
        outcome: Outcome,
    },
    /// A game was played from a node.
    Playout {
        /// Its reward.
        reward: f64,
        /// Moves played.
        plies: u32,
        /// These, where the search has chosen them and not the game itself.
        moves: Vec<M>,
        /// The plies that the searches for these moves looked ahead, if they were searched for
        /// (MCTS-MR).
        depth: Option<u32>,
        /// The strategies that made it, if the search switches them: for both sides, or for each.
        strategies: Vec<String>,
    },
    /// A node on the path of a simulation gets its reward.
    Reward {
        /// The reward.
        reward: f64,
        /// The node's visits, this one included.
        visits: u64,
        /// The mean of their rewards.
        mean: f64,
    },
    /// A minimax search inside a simulation, with what it has found: MCTS-MR, MCTS-MS, MCTS-MB.
    Minimax {
        /// Where it was made.
        phase: Phase,
        /// Its depth in plies, the moves included.
        depth: u32,
        /// The moves that it has searched.
        asked: Vec<M>,
        /// Those that it has decided.
        found: Vec<(M, Outcome)>,
    },
    /// The children of a node get virtual visits (MCTS-IP, node priors).
    Priors {
        /// The means of these visits.
        values: Vec<(M, f64)>,
    },
    /// The value of a node in a channel is set.
    Channel {
        /// The channel.
        channel: Channel,
        /// The value.
        value: f64,
    },
    /// MCTS-αβ: the rollout goes on as alpha-beta's from here.
    AlphaBeta {
        /// The horizon in plies.
        depth: u32,
        /// What is known of the node at this depth.
        bounds: Bounds,
    },
    /// MCTS-αβ: a depth is completed at a node, which is searched deeper next time.
    Complete {
        /// The depth in plies.
        depth: u32,
        /// The value.
        value: i64,
    },
    /// MCTS-αβ: a node gives a move virtual wins; those that it gave before are taken back.
    Bonus {
        /// The move.
        mv: M,
        /// How many.
        visits: f64,
        /// Who has won them.
        winner: Side,
    },
}

/// What kind of leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeafEnd {
    /// The game is over.
    Finished,
    /// The game knows how it ends.
    Foregone,
    /// It is at the horizon.
    Horizon,
}

/// Why moves are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Their values do not matter in the window.
    Window,
    /// The best possible value is found.
    Best,
    /// The table knows a move that is good enough (enhanced transposition cutoffs).
    KnownChild,
    /// Even passing is good enough (null-move pruning).
    NullMove,
    /// Several moves were good enough in a shallower search (multi-cut).
    MultiCut,
    /// Only the first k moves count.
    Width,
    /// The game says that no other moves can matter.
    Glance,
    /// They are proven to be no better than what is certain already.
    Proof,
}

/// By what a move was selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    /// It can still matter: a rollout that prunes goes there, with this window.
    Window {
        /// The window. Its ends are α and β.
        window: Bounds,
        /// Whether they are doubled: FSSS needs room between two values.
        is_doubled: bool,
    },
    /// It has not been tried yet.
    Untried,
    /// It has the highest upper confidence bound.
    Confidence {
        /// Its visits.
        visits: u64,
        /// The mean of their rewards; `None` if it has none.
        mean: Option<f64>,
    },
}

/// Where a minimax search inside a simulation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// In selection: are there lost moves? (MCTS-MS)
    Selection,
    /// When a node gets its children: in which order are they tried? (MCTS-MR)
    Expansion,
    /// At a new leaf: is it won? (MCTS-MR)
    Leaf,
    /// When a proven loss is backed up: are there wins and losses among the other moves? (MCTS-MB)
    BackUp,
}
