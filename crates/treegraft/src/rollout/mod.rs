//! Rollout search: one loop, `descend` → value → `back_up`, over a tree in memory.
//!
//! [`Rollout`] is UCT (Kocsis & Szepesvári 2006) with UCB1 or UCB1-Tuned, MCTS-Solver (Winands,
//! Björnsson & Saito 2008), score-bounded MCTS (Cazenave & Saffidine 2010), the MCTS-minimax
//! hybrids of Baier & Winands without evaluations (2015) and with them (2014), implicit minimax
//! backups (Lanctot, Winands, Pepels & Sturtevant 2014), and MCTS-αβ (Baier 2018): [`Config`] says
//! which, and [`presets`](crate::presets) has the papers' settings. [`prove`] has the rollouts that
//! prune.
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
//! use treegraft::rollout::{Config, Embed, Rollout, Solver};
//! use treegraft::{Budget, Request, Searcher};
//!
//! // Take one, two or three; whoever takes the last one wins.
//! let nim = Nim { heap: 50, mover: Side::First };
//!
//! // MCTS-Solver whose playouts look one ply ahead (MCTS-MR-1), and which keeps its tree.
//! let embed = Embed { mr: Some(1), ..Embed::default() };
//! let config = Config { solver: Solver::Wins, embed, reuse: true, ..Config::default() };
//! let mut search = Rollout::new(config)?;
//! let report = search.search(&nim, Request::new(Budget::iterations(1000), 7));
//! println!("{:?}, value {:.2}, line {:?}", report.best_move, report.value, report.pv);
//! assert_eq!(report.work.iterations, 1000);
//!
//! // The top of the tree, for people to look at.
//! let tree = search.tree(1, 3).expect("a search was made");
//! assert_eq!((tree.visits, tree.children.len()), (1000, 3));
//!
//! // Options that are not compatible are an error.
//! let error = Config { embed, mast: Some(0.4), ..config }.check().unwrap_err();
//! assert!(error.to_string().starts_with("mast, mr and ir all choose the moves of playouts"));
//! # Ok::<(), treegraft::ConfigError>(())
//! ```
//!
//! # Complexity
//!
//! A simulation compares at most all children of each node on its path, generates the moves of one
//! node, and plays one playout: O(b d + l) steps for a path of d plies in a tree with b moves per
//! position, and a playout of l moves. With MR, every move of the playout costs a search.
//!
//! A node takes its memory when its parent is expanded; in most searches of games with more than 48
//! moves, only when it is first tried. Once the tree fills the budget's memory, no nodes are added.
//!
//! # Files
//!
//! One file per phase; what a paper adds is a folder that the phases call at named places.
//!
//! | file or folder | |
//! |---|---|
//! | `select`, `ucb` | down the tree; the formulas |
//! | `expand`, `first_play` | a leaf gets its children; the order in which they are tried |
//! | `playout` | the value of a new leaf |
//! | `back_up` | rewards and proofs on the way back; the solver |
//! | `final_move`, `report` | the answer |
//! | `embed` | minimax inside the phases: MR in playouts and at new leaves, MS in selection, MB in backing up |
//! | `informed` | evaluations: IR for playout moves, IC for cutoffs, IP for priors |
//! | `channels` | a second value of every node: implicit minimax backups |
//! | `amaf` | moves wherever they are played: RAVE and GRAVE in selection, MAST in playouts |
//! | `alpha_beta` | MCTS-αβ: the regime of a step, its intervals and its bonus |
//! | `switch` | strategy switching: a bandit that chooses how playouts are made |
//! | `shared` | what a search reads and never writes |
//! | `observe` | `see_…`: what an observer is told; without one, nothing |
//! | `tree` | the table: columns, untried children, the merge of values, reuse |

mod alpha_beta;
mod amaf;
mod back_up;
mod channels;
mod check;
mod config;
mod embed;
mod expand;
mod final_move;
#[cfg(test)]
mod final_move_tests;
mod first_play;
#[cfg(test)]
mod first_play_tests;
#[cfg(test)]
mod guided_tests;
mod informed;
mod observe;
mod playout;
#[cfg(test)]
mod playout_tests;
pub mod prove;
mod report;
mod select;
mod shared;
mod switch;
#[cfg(test)]
mod tests;
mod tree;
mod ucb;

pub use alpha_beta::{AlphaBeta, BonusScore, CountNodes, RegimeRule, RootBonus};
pub use channels::{Channel, ChannelWords};
pub use config::{
    AtVisits, Config, Embed, Expand, FinalMove, FirstPlay, Implicit, Informed, Mercy, Mixture,
    MrTree, PlayoutFrom, Playouts, Prior, Rave, Solver, Switch, Ties, WeightBy,
};
pub use switch::{Arm, Strategy};
pub use ucb::Select;

use crate::MAX_SLOTS;
use crate::bits::Simd;
use crate::observe::{Observer, Unobserved, What};
use crate::report::fold;
use crate::{
    Alarm, Budget, ConfigError, Evaluator, Game, Limit, Meter, Outcome, Pause, Report, Request,
    Rng, Searcher, Side, Speed, Spends, Stop, Trace, TreeNode, Work,
};
use alpha_beta::{Coins, Regime};
use amaf::{Amaf, back_up_amaf};
use embed::Searches;
use informed::Judge;
use select::descend_with_amaf;
use shared::Shared;
use switch::{Bandit, Switching};
use tree::{DrawnChild, Id, Merge, Needs, ROOT, Tree};

/// A search that grows a tree in memory, one simulation after another.
#[derive(Debug)]
pub struct Rollout<G: Game> {
    shared: Shared<G>,
    tree: Option<Tree<G::Move>>,
    /// The position at the root of the tree, unless a new game has begun since.
    root: Option<G>,
    /// The rewards of strategies, if they are remembered.
    bandits: Vec<[Bandit; 2]>,
    /// What the last search has requested of embedded searches and evaluations.
    #[cfg(test)]
    minimax: Searches<G::Move>,
    #[cfg(test)]
    informed: Judge<G>,
}

/// A node on the way of the current simulation, and whose turn it is there.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: Id,
    mover: Side,
}

impl<G: Game> Rollout<G> {
    /// A search that works as `config` says, without an evaluation.
    ///
    /// # Errors
    ///
    /// If options are not compatible, or one of them needs an evaluation or strategies.
    pub fn new(config: Config) -> Result<Rollout<G>, ConfigError> {
        Rollout::with_evaluator(config, None)
    }

    /// The same with an evaluation, if there is one.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Rollout::new).
    pub fn with_evaluator(
        config: Config,
        evaluator: Option<Evaluator<G>>,
    ) -> Result<Rollout<G>, ConfigError> {
        Rollout::with_strategies(config, evaluator, Vec::new())
    }

    /// The same with strategies for [`Config::switch`].
    ///
    /// # Errors
    ///
    /// Those of [`new`](Rollout::new), and if strategies are there without [`Config::switch`] or the other
    /// way around.
    pub fn with_strategies(
        config: Config,
        evaluator: Option<Evaluator<G>>,
        strategies: Vec<Strategy<G>>,
    ) -> Result<Rollout<G>, ConfigError> {
        let shared = Shared::new(config, evaluator, strategies)?;
        Ok(Rollout {
            #[cfg(test)]
            minimax: Searches::new(&config),
            #[cfg(test)]
            informed: Judge::new(&shared),
            shared,
            tree: None,
            root: None,
            bandits: Vec::new(),
        })
    }

    fn search_with<O: Observer<G::Move>>(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        observer: O,
    ) -> Report<G::Move> {
        let (seed, memory) = (request.seed, request.budget.memory_bytes());
        let lines = request.lines as usize;
        let mut meter = Meter::start(request).of_rollouts();
        let moves = crate::legal_moves(position);
        let Some(&any_move) = moves.first() else {
            self.tree = None;
            return Report::finished(position, meter.elapsed());
        };
        let Shared { config, schedule, .. } = &self.shared;
        let has_priors = config.informed.ip.is_some() || config.informed.np.is_some();
        let untried_differ =
            config.expand == Expand::All || schedule.proves_untried() || has_priors;
        let depths = alpha_beta::depths(config);
        let slots = position.speed().move_slots().min(MAX_SLOTS);
        // Large families, and an arena that holds many of them.
        let is_wide = moves.len() > Tree::<G::Move>::SHORT && memory / 1024 > moves.len() as u64;
        let needs = Needs {
            squares: config.select.needs_variance(),
            margins: config.solver == Solver::Margins,
            searched: schedule.back_up.is_some(),
            priors: has_priors,
            channels: Channel::ALL.map(|it| it.is_on(config)),
            biases: config.progressive_bias.is_some(),
            slots: config.rave.map_or(0, |_| slots as u32),
            both: config.rave.is_some_and(|rave| rave.reference > 0),
            depths,
            pool: is_wide && !untried_differ && depths == 0,
        };
        let mut alarm = meter.alarm();
        let mut kept = self.tree.take().filter(|tree| tree.fits(memory, needs));
        let is_found = config.reuse
            && kept.as_mut().is_some_and(|tree| self.find_root(tree, position, &mut alarm));
        kept = kept.filter(|tree| is_found || tree.needs == needs);
        let mut tree = kept.unwrap_or_else(|| Tree::new(memory, needs));
        if !is_found {
            tree.plant(any_move);
        }
        tree.untried_differ = untried_differ;
        tree.is_ordered = config.first_play != FirstPlay::Random || schedule.expand.is_some();
        tree.merge = Merge::of(config);
        let count = self.shared.strategies.len();
        let switching = config.switch.map(|it| Switching::new(it, count, &mut self.bandits));
        let amaf = Amaf::new(&self.shared, slots);
        let mut worker = Worker {
            alarm,
            switching,
            trace: amaf.is_on.then(|| Trace::new(slots)),
            amaf,
            lines,
            ..Worker::observed_by(observer, &self.shared, position, tree, seed)
        };
        let stop = grow(&mut worker, &mut meter);
        worker.work.time = meter.elapsed();
        let report = worker.report(stop);
        self.tree = Some(worker.tree);
        #[cfg(test)]
        {
            self.minimax = worker.minimax;
            self.informed = worker.informed;
        }
        self.root = Some(position.clone());
        report
    }
}

impl<G: Game> Searcher<G> for Rollout<G> {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        self.search_with(position, request, Unobserved)
    }

    fn new_game(&mut self) {
        self.root = None;
        self.bandits.clear();
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        let (tree, root) = (self.tree.as_ref()?, self.root.as_ref()?);
        Some(tree.view(ROOT, root, depth, width))
    }

    fn spends(&self) -> Spends {
        Config::SPENDS
    }
}

/// One search of one position, by one thread: what it writes, beside what it only reads.
struct Worker<'a, G: Game, O = Unobserved> {
    shared: &'a Shared<G>,
    root: &'a G,
    tree: Tree<G::Move>,
    rng: Rng,
    work: Work,
    path: Vec<Step>,
    buffer: Vec<G::Move>,
    /// Where playouts leave their moves, if they are used; taken after each playout.
    trace: Option<Trace>,
    /// The minimax searches inside the simulations.
    minimax: Searches<G::Move>,
    /// The evaluations inside the simulations.
    informed: Judge<G>,
    /// The rewards of the strategies for playouts.
    switching: Option<Switching<'a>>,
    /// The moves of the simulations.
    amaf: Amaf,
    /// Which rollouts are alpha-beta's.
    coins: Coins,
    /// What alpha-beta has found at the root, when it last completed a depth.
    alpha_beta_value: Option<i64>,
    /// The child that the parent of the new leaf tries next. It is settled after the playout, so
    /// that nothing waits for its moves to arrive from memory.
    drawn: Option<DrawnChild>,
    /// Stops whatever takes long inside a simulation when the time is over.
    alarm: Alarm<'a>,
    deepest: usize,
    /// A digest of where and how every simulation ended: equal for equal trees.
    digest: u64,
    /// The highest place on the path at which something was proven on the way down.
    news: usize,
    /// The highest place on the path at which the values of channels are new.
    channel_news: usize,
    /// Whether bounds are on margins: configured, and the game has them.
    has_margins: bool,
    /// How many moves of the root are to have a line.
    lines: usize,
    observer: O,
}

/// Nothing has changed on the way down.
const NO_NEWS: usize = usize::MAX;

crate::dispatch! {
    fn grow<G: Game, O: Observer<G::Move>>(
        worker: &mut Worker<'_, G, O>,
        meter: &mut Meter<'_, G::Move>,
    ) -> Stop = grow_on;
}

/// Simulates until the root is decided, there is nothing to decide, or the budget is spent.
#[inline(always)]
fn grow_on<C: Simd, G: Game, O: Observer<G::Move>>(
    cpu: C,
    worker: &mut Worker<'_, G, O>,
    meter: &mut Meter<'_, G::Move>,
) -> Stop {
    worker.expand_root();
    // Nothing to decide: one simulation gives the move a value, unless a kept tree has it.
    let is_only_move = worker.tree.rows[ROOT as usize].count == 1;
    // There must be a move, however little time there is.
    let mut is_owed = true;
    // Where the tree can grow no more, or every rollout ends with the game, a limit on nodes or
    // evaluations would never be reached: it counts as reached after that many rollouts without any.
    let Budget { nodes, evaluations, .. } = *meter.budget();
    let most_barren = [nodes, evaluations].map(|limit| limit.unwrap_or(u64::MAX));
    let mut barren = [0; 2];
    loop {
        if worker.tree.bounds(ROOT as usize).is_exact() {
            return Stop::Done;
        }
        if !is_owed {
            if is_only_move {
                return Stop::Done;
            }
            if barren[0] >= most_barren[0] {
                return Stop::Spent(Limit::Nodes);
            }
            if barren[1] >= most_barren[1] {
                return Stop::Spent(Limit::Evaluations);
            }
            if worker.alarm.has_rung() {
                return meter.why_it_rang(&worker.work);
            }
            match meter.pause(&worker.work) {
                None => {}
                Some(Pause::Stop(stop)) => return stop,
                Some(Pause::Tell) => tell(worker, meter),
            }
            if worker.tree.rows[ROOT as usize].visits == u32::MAX {
                // Visits cannot be counted any further: half an hour of the fastest game.
                return Stop::Spent(Limit::Iterations);
            }
        }
        let Work { nodes, evaluations, .. } = worker.work;
        // The only call, so that the simulation is compiled into this loop.
        worker.simulate(cpu);
        let idle = [worker.work.nodes == nodes, worker.work.evaluations == evaluations];
        for (barren, is_idle) in barren.iter_mut().zip(idle) {
            *barren = if is_idle && !is_owed { *barren + 1 } else { 0 };
        }
        is_owed = false;
    }
}

/// Reports what the search has found to the listener, if there is one.
#[cold]
#[inline(never)]
fn tell<G: Game, O: Observer<G::Move>>(
    worker: &mut Worker<'_, G, O>,
    meter: &mut Meter<'_, G::Move>,
) {
    meter.show_tree(|depth, width| worker.tree.view(ROOT, worker.root, depth, width));
    meter.tell(worker.report(Stop::NotYet));
}

impl<'a, G: Game, O: Observer<G::Move>> Worker<'a, G, O> {
    /// A search that has not begun.
    fn observed_by(
        observer: O,
        shared: &'a Shared<G>,
        root: &'a G,
        tree: Tree<G::Move>,
        seed: u64,
    ) -> Worker<'a, G, O> {
        Worker {
            shared,
            root,
            tree,
            rng: Rng::new(seed),
            work: Work::default(),
            path: Vec::new(),
            buffer: Vec::new(),
            trace: None,
            minimax: Searches::new(&shared.config),
            informed: Judge::new(shared),
            switching: None,
            amaf: Amaf::default(),
            coins: Coins::new(seed),
            alpha_beta_value: None,
            drawn: None,
            alarm: Alarm::default(),
            deepest: 0,
            digest: 0,
            news: NO_NEWS,
            channel_news: NO_NEWS,
            has_margins: false,
            lines: 1,
            observer,
        }
    }

    /// One simulation: down the tree, a playout, and back up.
    #[inline(always)]
    fn simulate<C: Simd>(&mut self, cpu: C) {
        self.path.clear();
        self.see_at(ROOT, |it| What::Simulation { number: it.work.iterations + 1 });
        // MCTS-αβ; all other searches sample.
        if self.regime(ROOT, ROOT) == Regime::Prove && self.prove_from_root() {
            return;
        }
        let mut position = self.root.clone();
        let leaf = match self.amaf.is_on {
            true => descend_with_amaf(self, &mut position),
            false => self.descend::<C, false>(cpu, &mut position),
        };
        let reward = match leaf {
            Leaf::Finished(outcome) => {
                self.see_decided(outcome);
                outcome.value() as f64
            }
            Leaf::Open => {
                let plies = self.see_playout_begin();
                let reward = self.playout(&self.shared.playouts, &mut position);
                self.see_playout(plies, reward);
                reward
            }
            Leaf::Valued { reward, .. } => reward,
        };
        self.finish_draw();
        if self.switching.is_some() {
            self.pay_strategies(reward);
        }
        self.work.iterations += 1;
        let end = self.path.last().map_or(0, |step| u64::from(step.node));
        self.digest = fold(self.digest, end << 2 ^ (reward + 1.0) as u64);
        if self.shared.config.informed.ic.is_some() || matches!(leaf, Leaf::Valued { .. }) {
            self.digest = fold(self.digest, reward.to_bits());
        }
        self.deepest = self.deepest.max(self.path.len());
        self.work.transitions += self.path.len() as u64 - 1;
        // MCTS-αβ; else nothing.
        self.coins.pay(reward);
        if matches!(leaf, Leaf::Valued { is_backed_up: false, .. }) {
            return;
        }
        // It also selects the child that the next visit of each node takes, while they are at hand.
        let above = self.back_up(cpu, reward, matches!(leaf, Leaf::Finished(_)));
        if self.amaf.is_on {
            back_up_amaf(self, reward, above);
        }
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
