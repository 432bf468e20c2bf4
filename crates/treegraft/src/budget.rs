//! What a search may spend, and the meter that reports when it is spent.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::alarm::{Alarm, Pace};
use crate::{Limit, Report, Request, TreeNode, Work};

/// What a search may spend. Limits combine: the first one reached ends the search.
///
/// As text: `1s`, `250ms`, `1000it`, `2500nodes`, `1e6evals`, `8plies`, `64MiB`, several joined by
/// commas. A search spends some of these units; [`Spends`](crate::Spends) says which.
///
/// ```
/// use std::time::Duration;
/// use treegraft::{Budget, BudgetError};
///
/// let budget: Budget = "1e3it, 0.25s".parse()?;
/// assert_eq!((budget.iterations, budget.time), (Some(1000), Some(Duration::from_millis(250))));
/// assert_eq!(budget.to_string(), "250ms,1000it");
///
/// // What ends by the clock cannot be repeated exactly; what ends by a count can.
/// assert!(!budget.is_repeatable());
/// assert!(Budget { memory: Some(64 << 20), ..Budget::iterations(1000) }.is_repeatable());
///
/// let error = "5parsecs".parse::<Budget>().unwrap_err();
/// assert_eq!(error.problem, "there is no unit \"parsecs\"");
/// # Ok::<(), BudgetError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Rollouts, or passes of a recursion that keeps its tree.
    pub iterations: Option<u64>,
    /// Positions visited (alpha-beta) or added to the tree (rollouts). The limit also counts as
    /// reached after that many rollouts in a row that add none, because the tree is complete or the
    /// memory full.
    pub nodes: Option<u64>,
    /// Static evaluations and playouts. The limit also counts as reached after that many rollouts in a
    /// row that make none, because all of them end with the game.
    pub evaluations: Option<u64>,
    /// The depth in plies to which iterative deepening goes.
    pub plies: Option<u64>,
    /// Wall-clock time. A search that it ends cannot be repeated exactly.
    pub time: Option<Duration>,
    /// Bytes for the tree or table. Only ends a search that can do nothing without more of them. A
    /// search that the system gives less takes that; `treegraft_engine::check_memory` refuses what a
    /// machine cannot give.
    pub memory: Option<u64>,
}

/// The memory in bytes that a search may use if its budget does not say.
pub const DEFAULT_MEMORY: u64 = 256 << 20;

impl Budget {
    /// At most `iterations` iterations.
    #[must_use]
    pub fn iterations(iterations: u64) -> Budget {
        Budget { iterations: Some(iterations), ..Budget::default() }
    }

    /// At most `nodes` nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// At most `time`.
    #[must_use]
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// Whether a search with this budget goes on until it is done.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.iterations.is_none()
            && self.nodes.is_none()
            && self.evaluations.is_none()
            && self.plies.is_none()
            && self.time.is_none()
    }

    /// Whether it has this limit.
    #[must_use]
    pub fn has(&self, limit: Limit) -> bool {
        match limit {
            Limit::Iterations => self.iterations.is_some(),
            Limit::Nodes => self.nodes.is_some(),
            Limit::Evaluations => self.evaluations.is_some(),
            Limit::Plies => self.plies.is_some(),
            Limit::Time => self.time.is_some(),
            Limit::Memory => self.memory.is_some(),
        }
    }

    /// The same without this limit.
    #[must_use]
    pub fn without(mut self, limit: Limit) -> Budget {
        match limit {
            Limit::Iterations => self.iterations = None,
            Limit::Nodes => self.nodes = None,
            Limit::Evaluations => self.evaluations = None,
            Limit::Plies => self.plies = None,
            Limit::Time => self.time = None,
            Limit::Memory => self.memory = None,
        }
        self
    }

    /// Whether the same seed gives the same search: no limit on time.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.time.is_none()
    }

    /// Bytes for the tree or table.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(time) = self.time {
            let us = time.as_micros();
            parts.push(match (us % 1_000_000, us % 1_000) {
                (0, _) => format!("{}s", us / 1_000_000),
                (_, 0) => format!("{}ms", us / 1_000),
                _ => format!("{us}us"),
            });
        }
        parts.extend(self.iterations.map(|n| format!("{n}it")));
        parts.extend(self.nodes.map(|n| format!("{n}nodes")));
        parts.extend(self.evaluations.map(|n| format!("{n}evals")));
        parts.extend(self.plies.map(|n| format!("{n}plies")));
        parts.extend(self.memory.map(|n| match (n % (1 << 20), n % (1 << 10)) {
            (0, _) => format!("{}MiB", n >> 20),
            (_, 0) => format!("{}KiB", n >> 10),
            _ => format!("{n}B"),
        }));
        f.write_str(&parts.join(","))
    }
}

/// Numbers are read as floating point, `1e6`, in which larger whole numbers are not exact.
const LARGEST: f64 = (1u64 << 53) as f64;

/// A text that is not a budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "budget {text:?}: {problem}; expected limits such as 1000it, 2500nodes, 1e6evals, 8plies, 1s, \
     250ms, 64MiB, joined by commas"
)]
pub struct BudgetError {
    /// The text, shortened if it is long.
    pub text: String,
    /// Why it is refused.
    pub problem: String,
}

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Budget, BudgetError> {
        let mut budget = Budget::default();
        for part in text.split(',').map(str::trim) {
            let error =
                |problem: String| BudgetError { text: crate::notation::shorten(text, 80), problem };
            // "1e6it": the unit begins at the last letter run, and `e` may belong to the number.
            let unit_at = part
                .rfind(|c: char| c.is_ascii_digit() || c == '.')
                .map_or(0, |last_digit| last_digit + 1);
            let (number, unit) = part.split_at(unit_at);
            let number: f64 = number
                .parse()
                .ok()
                .filter(|n: &f64| n.is_finite() && *n > 0.0 && *n <= 1e18)
                .ok_or_else(|| error(format!("{part:?} does not begin with a positive number")))?;
            let in_range = |n: f64, least: f64, problem: &str| {
                let fits = (least..=LARGEST).contains(&n);
                fits.then_some(n as u64).ok_or_else(|| error(format!("{part:?} is {problem}")))
            };
            let whole = || {
                let whole = if number.fract() == 0.0 { number } else { f64::NAN };
                in_range(whole, 1.0, "not a whole number up to 2^53")
            };
            let once = |is_second: bool| match is_second {
                false => Ok(()),
                true => Err(error(format!("{part:?} is the second limit of its kind"))),
            };
            let count = |slot: &mut Option<u64>| once(slot.replace(whole()?).is_some());
            let mut time = |unit: f64| {
                let micros =
                    in_range((number * unit).round(), 1.0, "out of range for a time limit")?;
                once(budget.time.replace(Duration::from_micros(micros)).is_some())
            };
            let mut memory = |unit: f64| {
                let bytes =
                    in_range((number * unit).round(), 1024.0, "out of range for a memory limit")?;
                once(budget.memory.replace(bytes).is_some())
            };
            match unit {
                "it" | "its" | "iterations" | "sims" => count(&mut budget.iterations)?,
                "n" | "nodes" => count(&mut budget.nodes)?,
                "ev" | "evals" | "evaluations" => count(&mut budget.evaluations)?,
                "plies" | "ply" => count(&mut budget.plies)?,
                "B" => memory(1.0)?,
                "KiB" => memory(1024.0)?,
                "MiB" => memory(1048576.0)?,
                "GiB" => memory(1073741824.0)?,
                "us" => time(1.0)?,
                "ms" => time(1e3)?,
                "s" => time(1e6)?,
                "min" => time(60e6)?,
                "h" => time(3600e6)?,
                "" => return Err(error(format!("{part:?} has no unit"))),
                _ => return Err(error(format!("there is no unit {unit:?}"))),
            }
        }
        Ok(budget)
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// It was done: the position is decided, there is only one move, or the depth was reached.
    Done,
    /// It reached this limit of its budget.
    Spent(Limit),
    /// It was cancelled.
    Cancelled,
    /// It has not stopped: reported on the way ([`Request::progress`]).
    NotYet,
}

/// Watches over a search: compares its work with the budget, looks at the clock now and then,
/// reports progress, and notices when another thread cancels it.
#[derive(Debug)]
pub struct Meter<'a, M> {
    request: Request<'a, M>,
    start: Instant,
    last_report: Instant,
    /// How long showing the tree has taken so far.
    showing: Duration,
    pace: Pace,
}

/// Why a search is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It must stop.
    Stop(Stop),
    /// A report on its progress is due: [`Meter::tell`] it, and go on.
    Tell,
}

impl<'a, M: Copy> Meter<'a, M> {
    /// Starts the clock.
    #[must_use]
    pub fn start(request: Request<'a, M>) -> Meter<'a, M> {
        let start = Instant::now();
        Meter {
            request,
            start,
            last_report: start,
            showing: Duration::ZERO,
            pace: Pace::from(start),
        }
    }

    /// The same for a search that is checked once per rollout. One with a playout may cost a hundred
    /// times as much as those before it that ended in decided positions.
    pub(crate) fn of_rollouts(mut self) -> Meter<'a, M> {
        self.pace.most = 64;
        self
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What the search may spend.
    pub(crate) fn budget(&self) -> &Budget {
        &self.request.budget
    }

    /// An alarm for parts of a search that take long by themselves, so that they know when to give
    /// up.
    #[must_use]
    pub fn alarm(&self) -> Alarm<'a> {
        // A time that the clock cannot represent never comes.
        let at = self.request.budget.time.and_then(|time| self.start.checked_add(time));
        Alarm::new(self.start, at, self.request.cancel)
    }

    /// Why a search must stop whose alarm has rung.
    pub(crate) fn why_it_rang(&mut self, work: &Work) -> Stop {
        self.pace.hurry();
        // The flag may have been taken back by now, but the search has given up already.
        self.check(work).unwrap_or(Stop::Cancelled)
    }

    /// Counts work beside the step that every [`check`](Meter::check) stands for, so that the next
    /// look at the clock comes sooner: a step for every move that is about to be looked at.
    #[inline(always)]
    pub fn charge(&mut self, steps: usize) {
        self.pace.charge(steps as u32);
    }

    /// Whether the search must stop now. Meant to be called often: it is nearly always cheap.
    /// Progress reports contain the work alone; a search that has more to report calls
    /// [`pause`](Meter::pause).
    #[inline]
    pub fn check(&mut self, work: &Work) -> Option<Stop> {
        match self.pause(work)? {
            Pause::Stop(stop) => Some(stop),
            Pause::Tell => {
                self.tell(Report::of_work(*work));
                None
            }
        }
    }

    /// Whether the search must stop now, or should report its progress.
    #[inline]
    pub fn pause(&mut self, work: &Work) -> Option<Pause> {
        let stop = |limit| Some(Pause::Stop(Stop::Spent(limit)));
        let reached = |limit: Option<u64>, done: u64| limit.is_some_and(|limit| done >= limit);
        let budget = &self.request.budget;
        if reached(budget.iterations, work.iterations) {
            return stop(Limit::Iterations);
        }
        if reached(budget.nodes, work.nodes) {
            return stop(Limit::Nodes);
        }
        if reached(budget.evaluations, work.evaluations) {
            return stop(Limit::Evaluations);
        }
        if self.pace.passes(1) { None } else { self.look() }
    }

    /// Passes a report on to the listener, if there is one, with the time that has passed.
    pub fn tell(&mut self, mut report: Report<M>) {
        report.work.time = self.elapsed();
        report.stop = Stop::NotYet;
        if let Some(progress) = &mut self.request.progress {
            progress(&report);
        }
    }

    /// Shows the top of the tree to the listener, if there is one: `view` is passed the number of
    /// plies and the number of children at each node. Does nothing while showing the tree has taken
    /// more than a fiftieth of the time.
    pub fn show_tree(&mut self, view: impl FnOnce(u32, usize) -> TreeNode<M>) {
        let now = Instant::now();
        if let Some(listener) = &mut self.request.tree
            && self.showing * 50 <= now - self.start
        {
            (listener.show)(view(listener.depth, listener.width));
            self.showing += now.elapsed();
        }
    }

    /// Looks at the clock and the flag.
    #[cold]
    fn look(&mut self) -> Option<Pause> {
        let now = self.pace.look();
        if self.request.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Pause::Stop(Stop::Cancelled));
        }
        if self.request.budget.time.is_some_and(|limit| now - self.start >= limit) {
            return Some(Pause::Stop(Stop::Spent(Limit::Time)));
        }
        let is_due = self.request.progress.is_some() && now - self.last_report >= REPORT_EVERY;
        is_due.then(|| {
            self.last_report = now;
            Pause::Tell
        })
    }
}

const REPORT_EVERY: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn budgets_read_and_write_the_same_text() {
        for text in ["1s", "250ms", "1500us", "1000it", "2500nodes", "7evals", "1s,1000000it,64MiB"]
        {
            assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
        }
        let budget: Budget = "1e6it, 0.25s, 1.5KiB".parse().unwrap();
        assert_eq!(budget.to_string(), "250ms,1000000it,1536B");
        assert_eq!("2min".parse::<Budget>().unwrap().time, Some(Duration::from_secs(120)));
    }

    #[test]
    fn bad_budgets_are_errors_that_name_them() {
        for (text, problem) in [
            ("", "positive number"),
            ("fast", "positive number"),
            ("100", "no unit"),
            ("-5it", "positive number"),
            ("0it", "positive number"),
            ("1.5it", "whole number"),
            ("5parsecs", "no unit \"parsecs\""),
            ("1s,2s", "second limit"),
            ("1e300s", "positive number"),
            ("nanit", "positive number"),
            ("1e17it", "up to 2^53"),
            ("0.1B", "a memory limit"),
            ("1e18GiB", "a memory limit"),
            ("1e17s", "a time limit"),
        ] {
            let error = text.parse::<Budget>().unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn the_first_limit_reached_ends_the_search() {
        let budget: Budget = "10it,5nodes".parse().unwrap();
        let mut meter = Meter::<()>::start(Request::new(budget, 0));
        let mut work = Work { iterations: 9, nodes: 4, ..Work::default() };
        assert_eq!(meter.check(&work), None);
        work.nodes = 5;
        assert_eq!(meter.check(&work), Some(Stop::Spent(Limit::Nodes)));
        work.iterations = 10;
        assert_eq!(meter.check(&work), Some(Stop::Spent(Limit::Iterations)));
    }

    #[test]
    fn time_and_cancelling_end_the_search() {
        let mut meter = Meter::<()>::start(Request::new(Budget::time(Duration::from_millis(2)), 0));
        let stop = loop {
            if let Some(stop) = meter.check(&Work::default()) {
                break stop;
            }
        };
        assert_eq!(stop, Stop::Spent(Limit::Time));
        assert!(meter.elapsed() >= Duration::from_millis(2));
        let flag = AtomicBool::new(true);
        let mut meter = Meter::<()>::start(Request { cancel: Some(&flag), ..Request::default() });
        assert_eq!(meter.check(&Work::default()), Some(Stop::Cancelled));
    }
}
