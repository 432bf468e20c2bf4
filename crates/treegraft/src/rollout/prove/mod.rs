//! Rollouts that prune: exact search as the proving regime of rollout search.
//!
//! Every node keeps bounds on its value. A rollout goes down to a leaf that still matters, and the
//! leaf's value comes back up as narrower bounds, until those of the root meet. The methods differ
//! only in the child that they select, in `select`: alpha-beta and MT-SSS* as rollouts (Huang
//! 2015), FSSS-Minimax (Weinstein, Littman & Goschin 2012). The recursions they are equal to, and
//! MTD(+∞) (Plaat, Schaeffer, Pijls & de Bruin 1996), work on the same tree, in `recursive`.
//!
//! The search is anytime: stopped early, it answers with the move that has the best guaranteed
//! bound, and with everything that its bounds prove.
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
//! use treegraft::rollout::prove::{Config, Method, Prover};
//! use treegraft::{Bounds, Budget, Request, Searcher};
//!
//! // Take one, two or three; whoever takes the last one wins.
//! let nim = Nim { heap: 10, mover: Side::First };
//! let mut fsss = Prover::new(Config { method: Method::Fsss, ..Config::default() }, None)?;
//!
//! // Stopped after three rollouts, it knows no bounds yet.
//! let report = fsss.search(&nim, Request::new(Budget::iterations(3), 1));
//! assert_eq!((report.proof, fsss.root_bounds()), (None, Some(Bounds::MARGIN)));
//!
//! // Without a limit, it proves the win.
//! let report = fsss.search(&nim, Request::default());
//! assert_eq!((report.proof, report.best_move), (Some(Outcome::Win(Side::First)), Some(2)));
//! # Ok::<(), treegraft::ConfigError>(())
//! ```
//!
//! # Complexity
//!
//! Rollouts to the leftmost child visit the leaves of alpha-beta in its order: O(b^d) at worst,
//! O(b^(d/2)) with the best moves first, in a tree with b moves per position and d plies. FSSS
//! visits no leaf that alpha-beta leaves out. A rollout of d plies compares the bounds of O(b d)
//! children, or only of those below the node at which it restarts ([`Config::restart`]).
//!
//! The tree is kept whole: 24 bytes and a move for every child of an expanded node.

mod arena;
mod back_up;
mod config;
mod descend;
mod expand;
mod observe;
mod recursive;
mod report;
pub(in crate::rollout) mod select;
#[cfg(test)]
mod tests;
mod view;

pub use config::{Config, Method};

use crate::depth_first::MAX_DEPTH;
use crate::observe::{Event, Observer, Unobserved, Watcher};
use crate::{
    Alarm, Bounds, ConfigError, Evaluator, Game, Guarantee, Limit, Meter, Pause, Report, Request,
    Rng, Searcher, Side, Spends, Stop, TreeNode, Work,
};
use arena::{Arena, Id, ROOT};
use expand::Knowledge;
use report::IterationResult;
use select::Policy;
use view::Reading;

/// A search that proves the value of a position, or as much about it as its budget allows.
///
/// The same request gives the same report, whatever was searched before: only allocated memory is
/// kept between searches.
///
/// The tree must fit into the memory of the budget, at 24 bytes per node besides the move: a full
/// tree ends the search ([`Limit::Memory`]).
#[derive(Debug)]
pub struct Prover<G: Game> {
    shared: Shared<G>,
    arena: Option<Arena<G::Move>>,
    /// The position at the root of the tree, unless the game was over.
    root: Option<G>,
    /// What the last search has found.
    found: Option<IterationResult<G::Move>>,
}

/// What a search reads and never writes.
#[derive(Debug)]
struct Shared<G: Game> {
    config: Config,
    evaluator: Option<Evaluator<G>>,
}

impl<G: Game> Prover<G> {
    /// A search that works as `config` says. Without an evaluation, unfinished positions at the
    /// horizon have the value 0.
    ///
    /// # Errors
    ///
    /// If the configuration makes no sense.
    pub fn new(config: Config, evaluator: Option<Evaluator<G>>) -> Result<Prover<G>, ConfigError> {
        config.check()?;
        Ok(Prover { shared: Shared { config, evaluator }, arena: None, root: None, found: None })
    }

    /// Like [`search`](Searcher::search), but calls `leaf` with every leaf that is expanded, in
    /// order: the ends of games, and the positions at the horizon. It is called once per leaf, or
    /// with deepening once per leaf and iteration.
    pub fn search_watched(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        leaf: &mut dyn FnMut(&G),
    ) -> Report<G::Move> {
        self.search_with(position, request, leaf, Unobserved)
    }

    /// Like [`search`](Searcher::search), but passes `observer` everything that happens.
    pub fn search_observed(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        observer: &mut dyn FnMut(Event<G::Move>),
    ) -> Report<G::Move> {
        self.search_with(position, request, &mut |_| (), Watcher::new(observer))
    }

    fn search_with<O: Observer<G::Move>>(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        leaf: &mut dyn FnMut(&G),
        observer: O,
    ) -> Report<G::Move> {
        let (seed, memory) = (request.seed, request.budget.memory_bytes());
        let lines = request.lines as usize;
        let meter = Meter::start(request);
        (self.found, self.root) = (None, None);
        let moves = crate::legal_moves(position);
        let Some(&any_move) = moves.first() else {
            return Report::finished(position, meter.elapsed());
        };
        let config = &self.shared.config;
        let knowledge = expand::knowledge(config, position);
        let kept = self.arena.take().filter(|arena| arena.fits(memory));
        let mut worker = Worker {
            shared: &self.shared,
            policy: policy(config.method, position.to_move()),
            scale: config.scale(),
            knowledge,
            root: position,
            moves: &moves,
            lines,
            any_move,
            seed,
            arena: kept.unwrap_or_else(|| Arena::new(memory)),
            rng: Rng::new(seed),
            alarm: meter.alarm(),
            meter,
            work: Work::default(),
            stop: None,
            done: None,
            leaf,
            depth: 0,
            met_horizon: false,
            has_margins: matches!(knowledge, Knowledge::Game { .. }),
            path: Vec::new(),
            buffer: Vec::new(),
            ranked: Vec::new(),
            root_move: 0,
            leaves: Vec::new(),
            deepest: 0,
            digest: 0,
            observer,
        };
        let (stop, found) = worker.drive();
        worker.work.time = worker.meter.elapsed();
        worker.work.memory = worker.arena.memory();
        let report = worker.report(stop, &found);
        self.arena = Some(worker.arena);
        (self.found, self.root) = (Some(found), Some(position.clone()));
        report
    }

    /// What the last search knows of its position: the value lies between these bounds, both
    /// included, in the first player's view. Ends that are not known are those of
    /// [`Bounds::MARGIN`]. `None` before the first search, and after one of a finished game.
    ///
    /// Values are margins, or for [`Scores::Outcome`](crate::depth_first::Scores::Outcome)
    /// evaluations on the scale of [`EVAL_ONE`](crate::EVAL_ONE), where a won game scores 1.1 times
    /// as much. After a search with deepening that was stopped, these are the bounds of its last
    /// completed iteration.
    #[must_use]
    pub fn root_bounds(&self) -> Option<Bounds> {
        self.found.as_ref().map(|found| found.bounds)
    }
}

impl<G: Game> Searcher<G> for Prover<G> {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        self.search_watched(position, request, &mut |_| ())
    }

    fn guarantee(&self) -> Option<Guarantee<G::Move>> {
        let found = self.found.as_ref()?;
        let moves = found.moves.iter().map(|about| (about.mv, about.bounds)).collect();
        let horizon = found.is_unproven.then_some(found.depth);
        Some(Guarantee { bounds: found.bounds, moves, horizon })
    }

    fn spends(&self) -> Spends {
        self.shared.config.spends()
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        let (arena, root) = (self.arena.as_ref()?, self.root.as_ref()?);
        Some(Reading { arena, config: &self.shared.config }.view(ROOT, root, depth, width))
    }
}

/// How the rollouts of a method select. SSS* and MTD(+∞) go by what the side to move at the root
/// may hope for.
fn policy(method: Method, mover: Side) -> Policy {
    match method {
        Method::AlphaBeta | Method::AlphaBeta2 => Policy::Leftmost,
        Method::Sss | Method::Mtd | Method::MtSss => Policy::Promising(mover),
        Method::Random => Policy::Random,
        Method::Fsss => Policy::Fsss,
    }
}

/// One search of one position, by one thread: what it writes, beside what it only reads.
struct Worker<'a, 'r, G: Game, O> {
    shared: &'a Shared<G>,
    policy: Policy,
    /// Values in the tree are multiplied by this: FSSS needs room between them.
    scale: i64,
    knowledge: Knowledge,
    root: &'a G,
    /// Its moves in the game's order.
    moves: &'a [G::Move],
    /// How many of them are to have a line.
    lines: usize,
    any_move: G::Move,
    seed: u64,
    arena: Arena<G::Move>,
    rng: Rng,
    meter: Meter<'r, G::Move>,
    /// Rings when a rollout must be abandoned.
    alarm: Alarm<'r>,
    work: Work,
    stop: Option<Stop>,
    /// What the last completed iteration has found.
    done: Option<IterationResult<G::Move>>,
    /// Called with every leaf.
    leaf: &'a mut dyn FnMut(&G),
    /// The horizon of this iteration.
    depth: u32,
    /// Whether this iteration has met it.
    met_horizon: bool,
    /// Whether the game has margins, as far as was seen.
    has_margins: bool,
    /// From the root to where the next rollout begins, or the last one ended.
    path: Vec<Step<G>>,
    buffer: Vec<G::Move>,
    ranked: Vec<(i32, G::Move)>,
    /// The place of the root's child below which the search is, and how many leaves have been
    /// expanded below each of them, in all iterations.
    root_move: usize,
    leaves: Vec<u64>,
    deepest: u32,
    digest: u64,
    observer: O,
}

/// A node on the way of a rollout.
#[derive(Clone, Debug)]
struct Step<G> {
    node: Id,
    position: G,
    mover: Side,
    /// The values that the rollout has to distinguish from here on.
    window: Bounds,
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Searches deeper and deeper until the position is decided, the deepest iteration is done, or
    /// the budget is spent. Returns why it stopped, and what it knows.
    fn drive(&mut self) -> (Stop, IterationResult<G::Move>) {
        let own = self.shared.config.depth.unwrap_or(MAX_DEPTH);
        let plies = self.meter.budget().plies.filter(|_| self.shared.config.deepening);
        let limit = plies.map_or(own, |plies| own.min(u32::try_from(plies).unwrap_or(own)));
        self.depth = if self.shared.config.deepening { 1 } else { limit };
        loop {
            self.iterate();
            let mut found = self.result();
            self.keep_longest(&mut found, self.done.as_ref());
            let stop = self.stop.take().filter(|&stop| stop != Stop::Done);
            if let Some(stop) = stop
                && !found.bounds.is_exact()
            {
                return (stop, found.or_earlier(self.done.take()));
            }
            let is_over = found.proof.is_some() || found.is_won || found.is_lost;
            if is_over || !self.met_horizon || self.depth == own {
                return (Stop::Done, found);
            }
            let stop = stop.or((self.depth == limit).then_some(Stop::Spent(Limit::Plies)));
            if let Some(stop) = stop {
                return (stop, found);
            }
            self.done = Some(found);
            self.depth += 1;
        }
    }

    /// Searches to the current depth: until the root's bounds meet, or the search has to stop.
    fn iterate(&mut self) {
        self.met_horizon = false;
        self.see_iteration();
        self.arena.plant(self.knowledge.of_root(self.scale), self.any_move);
        self.work.nodes += 1;
        self.path.clear();
        let (position, mover) = (self.root.clone(), self.root.to_move());
        self.path.push(Step { node: ROOT, position, mover, window: Bounds::MARGIN });
        match self.shared.config.method {
            Method::AlphaBeta | Method::Sss | Method::Random | Method::Fsss => self.roll_out(),
            Method::AlphaBeta2 | Method::Mtd | Method::MtSss => self.recurse(),
        }
    }

    /// Whether the search must stop now: it has been stopped, or its budget is spent. The budget is
    /// not checked before the first leaf, because there must be a move however small it is; but where the
    /// way to that leaf takes too long, the first move will do.
    fn must_stop(&mut self) -> bool {
        if self.stop.is_none() {
            self.stop = match self.work.evaluations {
                _ if self.alarm.has_rung() => Some(self.meter.why_it_rang(&self.work)),
                0 => None,
                _ => match self.meter.pause(&self.work) {
                    Some(Pause::Stop(stop)) => Some(stop),
                    Some(Pause::Tell) => {
                        self.tell();
                        None
                    }
                    None => None,
                },
            };
        }
        self.stop.is_some()
    }

    /// Reports what the search has found to the listener, if there is one.
    #[cold]
    fn tell(&mut self) {
        let reading = Reading { arena: &self.arena, config: &self.shared.config };
        self.meter.show_tree(|depth, width| reading.view(ROOT, self.root, depth, width));
        let mut found = self.result();
        self.keep_longest(&mut found, self.done.as_ref());
        let report = self.report(Stop::NotYet, &found.or_earlier(self.done.clone()));
        self.meter.tell(report);
    }

    /// Whether a move is as good for certain as the others may be (Weinstein et al. 2012).
    fn is_decided(&self) -> bool {
        let children = self.arena.children(ROOT);
        let bounds = self.arena.all_bounds(&children);
        let mover = self.root.to_move();
        let Some(best) = report::best_guaranteed(bounds, mover) else { return false };
        let is_no_better =
            |(i, other): (usize, &Bounds)| i == best || other.is_useless_to(mover, bounds[best]);
        bounds.iter().enumerate().all(is_no_better)
    }

    /// The tree in the terms of reports.
    fn reading(&self) -> Reading<'_, G::Move> {
        Reading { arena: &self.arena, config: &self.shared.config }
    }
}
