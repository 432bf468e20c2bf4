//! Rollout search: one loop, `descend` → value → `back_up`, one file per phase.
//!
//! UCT (Kocsis & Szepesvári 2006) with UCB1 or UCB1-Tuned, MCTS-Solver (Winands, Björnsson & Saito
//! 2008), score-bounded MCTS (Cazenave & Saffidine 2010) and the MCTS-minimax hybrids of Baier &
//! Winands: without evaluations (2015) and with them (2014), and Baier's MCTS-αβ (2018).
//!
//! | file or folder | |
//! |---|---|
//! | `select`, `ucb` | down the tree; the formulas |
//! | `expand`, `first_play` | a leaf gets its children; the order in which they are tried |
//! | `playout` | the value of a new leaf |
//! | `back_up` | rewards and proofs on the way back; the solver |
//! | `final_move`, `report` | the answer |
//! | `embed` | minimax inside the phases: MR in playouts, MS in selection, MB in back-up |
//! | `informed` | evaluations: IR for playout moves, IC for cut-offs, IP for priors |
//! | `alpha_beta` | MCTS-αβ: the regime of a step, its intervals and its bonus |
//! | `tree` | the table: columns, untried children, the merge of values, reuse |

mod alpha_beta;
mod back_up;
mod config;
mod embed;
mod expand;
mod final_move;
mod first_play;
#[cfg(test)]
mod first_play_tests;
mod informed;
mod playout;
#[cfg(test)]
mod playout_tests;
pub mod prove;
mod report;
mod select;
#[cfg(test)]
mod tests;
mod tree;
mod ucb;

pub use alpha_beta::{AlphaBeta, BonusScore, CountNodes, RegimeRule, RootBonus};
pub use config::{
    AtVisits, Config, Embed, Expand, FinalMove, FirstPlay, Informed, Playouts, Prior, Solver,
};
pub use ucb::Select;

use crate::bits::Simd;
use crate::report::fold;
use crate::{
    Alarm, Evaluator, Game, Limit, Meter, Outcome, Report, Request, Rng, Searcher, Side, Stop,
    TreeNode, Work,
};
use alpha_beta::{Coins, Regime};
use embed::Minimax;
use informed::Judge;
use playout::PlayoutKind;
use tree::{DrawnChild, Id, Merge, Needs, ROOT, Tree};
use ucb::SqrtLn;

/// A search that grows a tree in memory, a simulation at a time.
#[derive(Debug)]
pub struct Rollout<G: Game> {
    config: Config,
    tree: Option<Tree<G::Move>>,
    /// The position at the root of the tree, for tree reuse.
    root: Option<G>,
    sqrt_ln: SqrtLn,
    path: Vec<Step>,
    buffer: Vec<G::Move>,
    minimax: Minimax<G::Move>,
    informed: Judge<G>,
}

/// A node on the way of the current simulation, and whose turn it is there.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: Id,
    mover: Side,
}

impl<G: Game> Rollout<G> {
    /// A search that works as `config` says, without an evaluation: where the configuration asks for
    /// one ([`Informed`]), unfinished positions are worth 0.
    #[must_use]
    pub fn new(config: Config) -> Rollout<G> {
        Rollout::with_evaluator(config, None)
    }

    /// A search that works as `config` says, with an evaluation.
    #[must_use]
    pub fn with_evaluator(mut config: Config, evaluator: Option<Evaluator<G>>) -> Rollout<G> {
        if config.alpha_beta.is_some() {
            (config.expand, config.reuse) = (Expand::One, false);
        }
        Rollout {
            config,
            tree: None,
            root: None,
            sqrt_ln: SqrtLn::new(),
            path: Vec::new(),
            buffer: Vec::new(),
            minimax: Minimax::new(&config),
            informed: Judge::new(&config, evaluator),
        }
    }
}

impl<G: Game> Searcher<G> for Rollout<G> {
    fn search(&mut self, position: &G, request: Request<'_>) -> Report<G::Move> {
        let (seed, memory) = (request.seed, request.budget.memory_bytes());
        let mut meter = Meter::start(request);
        self.buffer.clear();
        if position.outcome().is_none() {
            position.moves(&mut self.buffer);
        }
        let Some(&any_move) = self.buffer.first() else {
            self.tree = None;
            return report::finished(position, meter.elapsed());
        };
        let untried_differ = self.config.expand == Expand::All
            || self.minimax.proves()
            || self.config.informed.ip.is_some();
        let depths = alpha_beta::depths(&self.config);
        // Large families, and an arena that holds many of them.
        let is_wide =
            self.buffer.len() > Tree::<G::Move>::SHORT && memory / 1024 > self.buffer.len() as u64;
        let needs = Needs {
            squares: self.config.select.needs_variance(),
            margins: self.config.solver == Solver::Margins,
            searched: self.minimax.back_up.is_some(),
            priors: self.informed.prior_at != u32::MAX,
            depths,
            pool: is_wide && !untried_differ && depths == 0,
        };
        let mut kept = self.tree.take().filter(|tree| tree.fits(memory, needs));
        let is_found =
            self.config.reuse && kept.as_mut().is_some_and(|tree| self.find_root(tree, position));
        kept = kept.filter(|tree| is_found || tree.needs == needs);
        let mut tree = kept.unwrap_or_else(|| Tree::new(memory, needs));
        if !is_found {
            tree.plant(any_move);
        }
        tree.untried_differ = untried_differ;
        tree.first_play = self.config.first_play;
        tree.merge = Merge::of(&self.config);
        let mut search = RolloutSearch {
            path: std::mem::take(&mut self.path),
            buffer: std::mem::take(&mut self.buffer),
            minimax: std::mem::replace(&mut self.minimax, Minimax::new(&self.config)),
            informed: std::mem::replace(&mut self.informed, Judge::new(&self.config, None)),
            alarm: meter.alarm(),
            ..RolloutSearch::new(self.config, position, tree, seed, &self.sqrt_ln)
        };
        search.minimax.gave_up = false;
        let stop = grow(&mut search, &mut meter);
        search.work.time = meter.elapsed();
        search.work.transitions += search.minimax.take_transitions();
        search.work.memory = search.tree.memory();
        let report = search.report(stop);
        self.path = search.path;
        self.buffer = search.buffer;
        self.minimax = search.minimax;
        self.informed = search.informed;
        self.tree = Some(search.tree);
        self.root = self.config.reuse.then(|| position.clone());
        report
    }

    fn new_game(&mut self) {
        self.root = None;
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        self.tree.as_ref().map(|tree| tree.view(ROOT, depth, width))
    }
}

/// One search of one position.
struct RolloutSearch<'a, G: Game> {
    config: Config,
    root: &'a G,
    tree: Tree<G::Move>,
    rng: Rng,
    work: Work,
    sqrt_ln: &'a SqrtLn,
    path: Vec<Step>,
    buffer: Vec<G::Move>,
    playouts: PlayoutKind,
    /// Where playouts leave their moves, if anybody asks for them and takes them after each.
    trace: Option<Vec<G::Move>>,
    /// The searches inside the simulations.
    minimax: Minimax<G::Move>,
    /// The evaluations inside the simulations.
    informed: Judge<G>,
    /// Which rollouts are alpha-beta's.
    coins: Coins,
    /// What alpha-beta has found at the root, when it last completed a depth.
    alpha_beta_value: Option<i64>,
    /// What the parent of the new leaf tries next: settled after the playout, so that nothing
    /// waits for its moves to come from memory.
    drawn: Option<DrawnChild>,
    /// Tells searches inside when to give up.
    alarm: Alarm<'a>,
    deepest: usize,
    /// Over where every simulation ended and how: equal for equal trees.
    digest: u64,
    /// The highest place on the path at which something was proven on the way down.
    news: usize,
    /// Whether bounds are on margins: asked for, and the game has them.
    has_margins: bool,
}

/// Nothing was proven on the way down.
const NO_NEWS: usize = usize::MAX;

crate::dispatch! {
    fn grow<G: Game>(search: &mut RolloutSearch<'_, G>, meter: &mut Meter<'_>) -> Stop = grow_on;
}

/// Simulates until the root is decided, there is nothing to decide, or the budget is spent.
#[inline(always)]
fn grow_on<C: Simd, G: Game>(
    cpu: C,
    search: &mut RolloutSearch<'_, G>,
    meter: &mut Meter<'_>,
) -> Stop {
    search.expand_root();
    // Nothing to decide: one simulation gives the move a value, unless a kept tree has it.
    let is_only_move = search.tree.rows[ROOT as usize].count == 1;
    // A move is owed, however little time there is.
    let mut is_owed = true;
    // Where the tree can grow no more, a limit on nodes would never be reached.
    let most_barren = meter.node_limit().unwrap_or(u64::MAX);
    let mut barren = 0;
    loop {
        if search.tree.bounds(ROOT as usize).is_exact() {
            return Stop::Done;
        }
        if !is_owed {
            if is_only_move {
                return Stop::Done;
            }
            if barren >= most_barren {
                return Stop::Spent(Limit::Nodes);
            }
            if search.minimax.gave_up {
                meter.hurry();
            }
            if let Some(stop) = meter.check(&search.work) {
                return stop;
            }
            if search.tree.rows[ROOT as usize].visits == u32::MAX {
                // Visits cannot be counted any further: half an hour of the fastest game.
                return Stop::Spent(Limit::Iterations);
            }
        }
        let nodes = search.work.nodes;
        // The only call: this is most of the program, and it is compiled into this loop.
        search.simulate(cpu);
        barren = if search.work.nodes == nodes && !is_owed { barren + 1 } else { 0 };
        is_owed = false;
    }
}

impl<'a, G: Game> RolloutSearch<'a, G> {
    /// A search that has not begun.
    fn new(
        config: Config,
        root: &'a G,
        tree: Tree<G::Move>,
        seed: u64,
        sqrt_ln: &'a SqrtLn,
    ) -> RolloutSearch<'a, G> {
        RolloutSearch {
            config,
            root,
            tree,
            rng: Rng::new(seed),
            work: Work::default(),
            sqrt_ln,
            path: Vec::new(),
            buffer: Vec::new(),
            playouts: PlayoutKind::of(&config),
            trace: None,
            minimax: Minimax::new(&config),
            informed: Judge::new(&config, None),
            coins: Coins::new(seed),
            alpha_beta_value: None,
            drawn: None,
            alarm: Alarm::default(),
            deepest: 0,
            digest: 0,
            news: NO_NEWS,
            has_margins: false,
        }
    }

    /// One simulation: down the tree, a playout, and back up.
    #[inline(always)]
    fn simulate<C: Simd>(&mut self, cpu: C) {
        self.path.clear();
        if self.regime(ROOT, ROOT) == Regime::Prove && self.prove_from_root() {
            return;
        }
        let mut position = self.root.clone();
        let leaf = self.descend(cpu, &mut position);
        let reward = match leaf {
            Leaf::Finished(outcome) => outcome.value() as f64,
            Leaf::Open => self.playout(&mut position),
            Leaf::Valued { reward, .. } => reward,
        };
        self.settle_drawn();
        self.work.iterations += 1;
        let end = self.path.last().map_or(0, |step| u64::from(step.node));
        self.digest = fold(self.digest, end << 2 ^ (reward + 1.0) as u64);
        if self.config.informed.ic.is_some() || matches!(leaf, Leaf::Valued { .. }) {
            self.digest = fold(self.digest, reward.to_bits());
        }
        self.deepest = self.deepest.max(self.path.len());
        self.work.transitions += self.path.len() as u64 - 1;
        self.coins.pay(reward);
        if matches!(leaf, Leaf::Valued { is_backed_up: false, .. }) {
            return;
        }
        self.back_up(cpu, reward, matches!(leaf, Leaf::Finished(_)));
    }
}

/// Where a descent ended.
enum Leaf {
    /// At the end of the game.
    Finished(Outcome),
    /// At a node to be valued.
    Open,
    /// Where alpha-beta has gone on from the last node on the path, or from the one after it.
    Valued { reward: f64, is_backed_up: bool },
}
