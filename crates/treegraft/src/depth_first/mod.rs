//! Depth-first search: one fail-soft alpha-beta recursion over integer scores, and drivers above it.
//!
//! `search` is the recursion, in numbered steps; `driver` calls it: iterative deepening, MTD(f),
//! SSS* and DUAL* as sequences of null windows (Plaat, Schaeffer, Pijls & de Bruin 1996).

mod config;
mod driver;
mod inside;
mod order;
mod quiescence;
mod report;
mod search;
mod shallow;
mod table;
mod win_loss;
mod window;

pub use config::{Config, Driver, Scores};
pub use inside::Inside;
pub use shallow::{Evaluated, Shallow};
pub use win_loss::{Unknown, WinLoss, WinLossQuestion};

use crate::{Evaluator, Game, Meter, Report, Request, Searcher, Stop, Work};
use driver::Iteration;
use order::{History, Ranked};
use table::Table;
pub(crate) use window::WIN;
use window::{INFINITY, Window};

/// The deepest search in plies; also what stands for "to the end of the game".
pub(crate) const MAX_DEPTH: u32 = 1000;

/// The best configuration known for deciding `position` exactly: short wins first, then everything
/// at once; deeper and deeper where a game can go on for ever.
#[must_use]
pub fn solver_config<G: Game>(position: &G) -> Config {
    /// Looking this deep first costs 2 % where it does not help (Connect-4).
    const SHORT: u32 = 12;
    let is_endless = position.repetition_limit().is_some() || position.max_plies().is_some();
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
/// The same request gives the same report whatever was searched before: nothing but memory is kept
/// between searches.
#[derive(Debug)]
pub struct DepthFirst<G: Game> {
    config: Config,
    evaluator: Option<Evaluator<G>>,
    table: Option<Table>,
    scratch: Scratch<G::Move>,
}

/// Memory that is kept between searches, so that nothing is allocated within one.
#[derive(Debug)]
struct Scratch<M> {
    stack: Vec<Ranked<M>>,
    buffer: Vec<M>,
    quiet_stack: Vec<M>,
    killers: Vec<[Option<M>; 2]>,
    history: History,
    pv: Vec<Vec<M>>,
}

impl<G: Game> DepthFirst<G> {
    /// A search that works as `config` says. Without an evaluation, unfinished positions at the
    /// horizon are worth 0.
    #[must_use]
    pub fn new(config: Config, evaluator: Option<Evaluator<G>>) -> DepthFirst<G> {
        let scratch = Scratch {
            stack: Vec::new(),
            buffer: Vec::new(),
            quiet_stack: Vec::new(),
            killers: Vec::new(),
            history: History::default(),
            pv: Vec::new(),
        };
        DepthFirst { config, evaluator, table: None, scratch }
    }

    /// An empty table for a request, if the search has one.
    fn take_table(&mut self, request: &Request<'_>) -> Option<Table> {
        if !self.config.needs_table() {
            return None;
        }
        let bytes = request.budget.memory_bytes();
        let kept = self.table.take().filter(|table| table.fits(bytes));
        let mut table = kept.unwrap_or_else(|| Table::new(bytes));
        table.clear();
        Some(table)
    }
}

impl<G: Game> Searcher<G> for DepthFirst<G> {
    fn search(&mut self, position: &G, request: Request<'_>) -> Report<G::Move> {
        let (seed, budget) = (request.seed, request.budget);
        let table = self.take_table(&request);
        let meter = Meter::start(request);
        if position.outcome().is_some() {
            self.table = table;
            return report::finished(position, meter.elapsed());
        }
        let scratch = &mut self.scratch;
        scratch.buffer.clear();
        position.moves(&mut scratch.buffer);
        scratch.killers.clear();
        scratch.killers.resize(MAX_DEPTH as usize + 2, [None; 2]);
        scratch.history.clear(if self.config.history { position.move_slots() } else { 0 });
        scratch.pv.resize_with(MAX_DEPTH as usize + 2, Vec::new);
        let config = self.config;
        let by_outcome = config.scores == Scores::Outcome;
        let mut search = DepthFirstSearch {
            config,
            glance: config.glance && by_outcome,
            two_bounds: config.has_two_bounds(),
            ceiling: if by_outcome { WIN } else { INFINITY },
            proves_by_value: by_outcome && !config.is_selective(),
            root: position,
            seed,
            evaluator: self.evaluator.as_ref(),
            table,
            meter,
            work: Work::default(),
            stop: None,
            unproven: 0,
            has_margins: false,
            digest: 0,
            root_moves: scratch.buffer.iter().map(|&mv| RootMove::new(mv)).collect(),
            root_best: None,
            done: None,
            stack: std::mem::take(&mut scratch.stack),
            buffer: std::mem::take(&mut scratch.buffer),
            quiet_stack: std::mem::take(&mut scratch.quiet_stack),
            killers: std::mem::take(&mut scratch.killers),
            history: std::mem::take(&mut scratch.history),
            pv: std::mem::take(&mut scratch.pv),
        };
        // With one move, and a budget that a game's other moves could use, there is nothing to find
        // out but a value for the move.
        let is_forced = search.root_moves.len() == 1 && !budget.is_unlimited();
        let stop = search.drive(is_forced && config.depth.is_none());
        let (report, search) = search.report(stop);
        self.table = search.table;
        self.scratch = Scratch {
            stack: search.stack,
            buffer: search.buffer,
            quiet_stack: search.quiet_stack,
            killers: search.killers,
            history: search.history,
            pv: search.pv,
        };
        report
    }
}

/// One search of one position.
struct DepthFirstSearch<'a, 'r, G: Game> {
    config: Config,
    glance: bool,
    two_bounds: bool,
    /// No value is larger, and none is smaller than its negative.
    ceiling: i64,
    /// Whether the value of a won game can only come from a won game.
    proves_by_value: bool,
    root: &'a G,
    seed: u64,
    evaluator: Option<&'a Evaluator<G>>,
    table: Option<Table>,
    meter: Meter<'r>,
    work: Work,
    stop: Option<Stop>,
    /// Counts what makes results depend on the depth or on luck: horizons, pruning on suspicion,
    /// and table entries that rest on either. A result during which it stands still is a proof.
    unproven: u64,
    /// Whether some finished game had a margin.
    has_margins: bool,
    digest: u64,
    root_moves: Vec<RootMove<G::Move>>,
    /// The number of the move that raised the root's value last in this iteration.
    root_best: Option<u32>,
    done: Option<Iteration<G::Move>>,
    /// The moves of all nodes from the root to here.
    stack: Vec<Ranked<G::Move>>,
    buffer: Vec<G::Move>,
    quiet_stack: Vec<G::Move>,
    /// Two moves a ply.
    killers: Vec<[Option<G::Move>; 2]>,
    history: History,
    /// The best line from every ply of the current path; entry 0 is the root's.
    pv: Vec<Vec<G::Move>>,
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
