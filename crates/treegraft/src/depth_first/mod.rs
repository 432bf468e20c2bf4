//! Depth-first search: one fail-soft alpha-beta recursion over integer scores, and drivers above
//! it.
//!
//! `search` is the recursion, in numbered steps; `driver` calls it: iterative deepening, and
//! MTD(f), SSS* and DUAL* as sequences of null windows (Plaat, Schaeffer, Pijls & de Bruin 1996).
//! [`DepthFirst`] is the search, [`Config`] its options. [`WinLoss`] and [`Shallow`] are plain
//! alpha-beta for use inside other searches.
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
//! use treegraft::depth_first::{Config, DepthFirst, Driver};
//! use treegraft::{EVAL_ONE, Evaluator, Request, Searcher};
//!
//! // Take one, two or three; whoever takes the last one wins. Multiples of four are lost.
//! let nim = Nim { heap: 50, mover: Side::First };
//! let fours = Evaluator::plain("fours", "what is left over from fours", |nim: &Nim| {
//!     let good_for = if nim.heap % 4 == 0 { nim.mover.other() } else { nim.mover };
//!     good_for.sign() as i32 * EVAL_ONE / 2
//! });
//!
//! // Six plies of alpha-beta with the usual enhancements, then of MTD(f).
//! for driver in [Driver::AlphaBeta, Driver::MtdF] {
//!     let config = Config { driver, depth: Some(6), ..Config::default() };
//!     let report = DepthFirst::new(config, Some(fours.clone()))?.search(&nim, Request::default());
//!     assert_eq!((report.best_move, report.value, report.depth), (Some(2), 0.5, 6));
//! }
//! # Ok::<(), treegraft::ConfigError>(())
//! ```
//!
//! # Complexity
//!
//! In a uniform tree with b moves per position, a search of d plies visits O(b^d) positions at
//! worst. With the best move first everywhere it visits O(b^(d/2)): b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves
//! (Knuth & Moore 1975). Iterative deepening repeats the shallower searches, and orders moves by
//! what they found.
//!
//! MTD and SSS* call the recursion several times, each time with a null window. MTD(f) needs two
//! calls if its first guess is right. Every call of MTD(+∞) and SSS* but the last lowers the upper
//! bound, so there is at most one call more than there are different values. The table carries what
//! one call has found to the next; where it is too small, positions are searched again.
//!
//! Besides the table, memory is O(b d): the moves of the nodes on the current path.

mod config;
mod cutoffs;
mod driver;
mod embedded;
mod ending;
mod observe;
mod order;
mod quiescence;
mod report;
mod search;
mod selective;
mod shallow;
mod table;
mod win_loss;
mod window;

pub use config::{Config, Driver, Scores, Selective};
pub use embedded::Embedded;
pub use shallow::{Evaluated, Shallow};
pub use win_loss::{Unknown, WinLoss, WinLossQuestion};

use crate::MAX_SLOTS;
use crate::observe::{Event, Observer, Unobserved, Watcher};
use crate::{
    ConfigError, Evaluator, Game, Meter, Pause, Report, Request, Searcher, Speed, Spends, Stop,
    Work,
};
use driver::{Iteration, WithLines};
use order::{Countermoves, History, Ranked};
use table::Table;
pub(crate) use window::WIN;
use window::{INFINITY, Window};

/// The deepest search in plies; also what stands for "to the end of the game".
pub(crate) const MAX_DEPTH: u32 = 1000;

/// The best configuration known for deciding `position` exactly: it looks for short wins first, and
/// then searches to the end of the game at once. Where a game can go on for ever, it deepens ply by
/// ply.
#[must_use]
pub fn solver_config<G: Game>(position: &G) -> Config {
    /// Looking this deep first costs 2 % where it does not help (measured in Connect-4).
    const SHORT: u32 = 12;
    let is_endless = position.limits().repetitions.is_some() || position.limits().plies.is_some();
    Config {
        leap: (!is_endless).then_some(SHORT),
        killers: false,
        history: false,
        etc: true,
        glance: true,
        ..Config::default()
    }
}

/// A search without a tree in memory: alpha-beta and its relatives.
///
/// The same request gives the same report, whatever was searched before: only allocated memory is
/// kept between searches, unless [`Selective::reuse`] is on.
#[derive(Debug)]
pub struct DepthFirst<G: Game> {
    shared: Shared<G>,
    table: Option<Table>,
    history: Option<History>,
}

/// What a search reads and never writes: its configuration, and what follows from that.
#[derive(Debug)]
struct Shared<G: Game> {
    config: Config,
    evaluator: Option<Evaluator<G>>,
    /// Whether the evaluation of inner nodes counts, too.
    stands: bool,
    /// Deeper than this, it does not.
    stand_depth: u32,
    two_bounds: bool,
    /// No value is larger, and none is smaller than its negative.
    ceiling: i64,
    /// Whether the value of a won game can only come from a won game.
    proves_by_value: bool,
}

impl<G: Game> DepthFirst<G> {
    /// A search that works as `config` says. Without an evaluation, unfinished positions at the
    /// horizon have the value 0.
    ///
    /// # Errors
    ///
    /// If options are not compatible.
    pub fn new(
        config: Config,
        evaluator: Option<Evaluator<G>>,
    ) -> Result<DepthFirst<G>, ConfigError> {
        config.check()?;
        let by_outcome = config.scores == Scores::Outcome;
        let shared = Shared {
            stands: config.selective.asks_for_stand() && evaluator.is_some(),
            stand_depth: config.stand_depth(),
            two_bounds: config.has_two_bounds(),
            ceiling: if by_outcome { WIN } else { INFINITY },
            proves_by_value: by_outcome && !config.is_selective(),
            config,
            evaluator,
        };
        Ok(DepthFirst { shared, table: None, history: None })
    }

    /// Like [`search`](Searcher::search), but passes `observer` everything that happens.
    pub fn search_observed(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        observer: &mut dyn FnMut(Event<G::Move>),
    ) -> Report<G::Move> {
        self.search_with(position, request, Watcher::new(observer))
    }

    /// An empty table for a request, if the search has one.
    fn take_table(&mut self, request: &Request<'_, G::Move>) -> Option<Table> {
        if !self.shared.config.table {
            return None;
        }
        let bytes = request.budget.memory_bytes();
        let kept = self.table.take().filter(|table| table.fits(bytes));
        let mut table = kept.unwrap_or_else(|| Table::new(bytes));
        if self.shared.config.selective.reuse {
            table.age();
        } else {
            table.clear();
        }
        Some(table)
    }

    /// The history to begin with.
    fn take_history(&mut self, slots: usize) -> History {
        let config = &self.shared.config;
        let slots = if config.history { slots } else { 0 };
        match self.history.take().filter(|_| config.selective.reuse) {
            Some(mut history) => {
                history.age(slots);
                history
            }
            None => History::new(slots),
        }
    }

    fn search_with<O: Observer<G::Move>>(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        observer: O,
    ) -> Report<G::Move> {
        let (seed, budget, lines) = (request.seed, request.budget, request.lines);
        let table = self.take_table(&request);
        let meter = Meter::start(request);
        if position.outcome().is_some() {
            self.table = table;
            return Report::finished(position, meter.elapsed());
        }
        let slots = position.speed().move_slots().min(MAX_SLOTS);
        let history = self.take_history(slots);
        let shared = &self.shared;
        let moves = crate::legal_moves(position);
        let plies = MAX_DEPTH as usize + 2;
        let mut worker = Worker {
            shared,
            root: position,
            seed,
            table,
            meter,
            work: Work::default(),
            stop: None,
            unproven: 0,
            has_margins: false,
            digest: 0,
            root_moves: moves.into_iter().map(RootMove::new).collect(),
            near_wins: Vec::new(),
            root_best: None,
            lines: lines as usize,
            found: Vec::new(),
            pvs: Vec::new(),
            with_lines: None,
            done: None,
            stack: Vec::new(),
            buffer: Vec::new(),
            quiet_stack: Vec::new(),
            killers: vec![[None; 2]; plies],
            history,
            countermoves: Countermoves::new(match shared.config.selective.countermoves {
                true => slots,
                false => 0,
            }),
            pv: vec![Vec::new(); plies],
            observer,
        };
        // With one legal move there is only its value to find out: the budget is better spent
        // elsewhere in the game.
        let is_forced = worker.root_moves.len() == 1 && !budget.is_unlimited();
        worker.find_near_wins();
        let stop = worker.drive(is_forced && shared.config.depth.is_none());
        if stop == Stop::Done {
            worker.complete_line();
        }
        worker.work.time = worker.meter.elapsed();
        let report = worker.report(stop);
        (self.table, self.history) = (worker.table, Some(worker.history));
        report
    }
}

impl<G: Game> Searcher<G> for DepthFirst<G> {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        self.search_with(position, request, Unobserved)
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.history = None;
    }

    fn spends(&self) -> Spends {
        self.shared.config.spends(self.shared.evaluator.is_some())
    }
}

/// One search of one position, by one thread: what it writes, beside what it only reads.
struct Worker<'a, 'r, G: Game, O> {
    shared: &'a Shared<G>,
    root: &'a G,
    seed: u64,
    table: Option<Table>,
    meter: Meter<'r, G::Move>,
    work: Work,
    stop: Option<Stop>,
    /// Counts whatever keeps a result from being a proof: horizons, pruning that may be wrong, and
    /// table entries that rest on either. A result is a proof if the count did not change.
    unproven: u64,
    /// Whether some finished game had a margin.
    has_margins: bool,
    digest: u64,
    root_moves: Vec<RootMove<G::Move>>,
    /// The moves of the root that win at a glance, the fastest first: see [`Self::find_near_wins`].
    near_wins: Vec<u32>,
    /// The number of the move that raised the root's value last in this iteration.
    root_best: Option<u32>,
    /// How many moves of the root are to have an exact value.
    lines: usize,
    /// The numbers of those that this iteration has found: the rest of it is about the others.
    found: Vec<u32>,
    /// Their lines, by number; empty where there is none.
    pvs: Vec<Vec<G::Move>>,
    /// What an iteration that is stopped among its lines falls back to.
    with_lines: Option<WithLines<G::Move>>,
    done: Option<Iteration<G::Move>>,
    /// The moves of all nodes from the root to here.
    stack: Vec<Ranked<G::Move>>,
    buffer: Vec<G::Move>,
    quiet_stack: Vec<G::Move>,
    /// Two moves per ply.
    killers: Vec<[Option<G::Move>; 2]>,
    history: History,
    countermoves: Countermoves<G::Move>,
    /// The best line from every ply of the current path; entry 0 is the root's.
    pv: Vec<Vec<G::Move>>,
    observer: O,
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Whether the search must stop now; reports its progress when that is due.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        match self.meter.pause(&self.work) {
            None => false,
            Some(pause) => self.is_stopped_by(pause),
        }
    }

    #[cold]
    fn is_stopped_by(&mut self, pause: Pause) -> bool {
        match pause {
            Pause::Stop(stop) => self.stop = Some(stop),
            Pause::Tell => {
                let report = self.report(Stop::NotYet);
                self.meter.tell(report);
            }
        }
        self.stop.is_some()
    }
}

/// What is known of a move at the root. Bounds are in the view of the side to move there.
#[derive(Clone, Copy, Debug)]
struct RootMove<M> {
    mv: M,
    nodes: u64,
    /// In this iteration.
    bounds: Window,
    /// In the last completed one.
    last: Window,
    /// At any depth.
    proven: Window,
}

impl<M> RootMove<M> {
    fn new(mv: M) -> RootMove<M> {
        let all = Window::ALL;
        RootMove { mv, nodes: 0, bounds: all, last: all, proven: all }
    }
}
