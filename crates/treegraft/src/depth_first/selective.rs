//! Selective search: what is left out, or looked at less deeply, because it hardly ever matters.
//!
//! Nothing here makes a proof of what is none: the value of a pruned position is below that of a won
//! game and above that of a lost one, and a move that is left out leaves a mark on the result.

use std::sync::LazyLock;

use super::order::{Kind, Ranked};
use super::window::{INFINITY, WIN, Window};
use super::{Config, MAX_DEPTH, Selective, Worker};
use crate::observe::Observer;
use crate::{EVAL_ONE, Exactness, Game, Knowledge, Outcome, Speed};

/// How near the horizon a position must be, in plies.
const REVERSE_FUTILITY_DEPTH: u32 = 7;
const RAZORING_DEPTH: u32 = 2;
const FUTILITY_DEPTH: u32 = 6;
const LATE_PRUNING_DEPTH: u32 = 6;
const LOSING_DEPTH: u32 = 3;
/// The largest depth that needs an evaluation; a ply may be taken off after it was computed.
const STAND_DEPTH: u32 = 7;
const _: () = assert!(
    STAND_DEPTH >= REVERSE_FUTILITY_DEPTH
        && STAND_DEPTH >= RAZORING_DEPTH
        && STAND_DEPTH > FUTILITY_DEPTH
);

/// How many times as deep extensions beyond the horizon may make a line.
const MAX_EXTENSION: usize = 2;

/// A margin, from thousandths of a won game.
#[inline(always)]
fn margin(thousandths: u32) -> i64 {
    i64::from(thousandths) * i64::from(EVAL_ONE / 1000)
}

impl Config {
    /// How far from the horizon the evaluation of inner nodes counts: null moves need it everywhere.
    pub(super) fn stand_depth(&self) -> u32 {
        if self.null_move.is_some() { u32::MAX } else { STAND_DEPTH }
    }
}

impl Selective {
    /// Whether anything depends on the evaluation of inner nodes.
    pub(super) fn asks_for_stand(&self) -> bool {
        self.futility.or(self.reverse_futility).or(self.razoring).is_some()
    }

    /// Whether single moves may be left out.
    #[inline(always)]
    pub(super) fn prunes_moves(&self) -> bool {
        self.late_pruning || self.futility.is_some()
    }

    /// Whether a move can be left out: the move with this number (from 0) at a node with a null window
    /// above `alpha`, whose evaluation is `stand`.
    #[inline(always)]
    pub(super) fn is_futile(
        &self,
        kind: Kind,
        number: usize,
        depth: u32,
        alpha: i64,
        stand: Option<i64>,
    ) -> bool {
        // Whether a game is won is no matter of evaluations.
        if kind == Kind::Loud || alpha >= i64::from(EVAL_ONE) {
            return false;
        }
        if self.late_pruning {
            if depth <= LATE_PRUNING_DEPTH && number >= (4 + depth * depth) as usize {
                return true;
            }
            if kind == Kind::Losing && depth <= LOSING_DEPTH {
                return true;
            }
        }
        match (self.futility, stand) {
            (Some(per_ply), Some(stand)) => {
                depth <= FUTILITY_DEPTH && stand + margin(per_ply) * i64::from(depth) <= alpha
            }
            (None, _) | (_, None) => false,
        }
    }
}

/// Whether the side to move would lose at a glance if it passed.
#[inline(always)]
pub(super) fn is_threatened<G: Game>(position: &G) -> bool {
    let lost = Outcome::Win(position.to_move().other());
    position
        .knowledge()
        .null_move()
        .is_some_and(|passed| passed.exactness().foregone() == Some(lost))
}

/// A window that a value has fallen out of, below or above, made wider.
pub(super) fn widened(window: Window, is_low: bool, all: Window) -> Window {
    // Twice as wide every time, and soon all.
    let width = 2 * (window.hi - window.lo);
    let wider = if is_low {
        Window { lo: window.lo - width, hi: window.hi }
    } else {
        Window { lo: window.lo, hi: window.hi + width }
    };
    Window {
        lo: if wider.lo < -i64::from(EVAL_ONE) { all.lo } else { wider.lo },
        hi: if wider.hi > i64::from(EVAL_ONE) { all.hi } else { wider.hi },
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// The window to begin an iteration with, in the view of the side with this sign.
    pub(super) fn aspiration(&self, sign: i64, all: Window) -> Window {
        match (self.shared.config.selective.aspiration, &self.done) {
            (Some(half), Some(done)) if done.depth >= 3 && self.found.is_empty() => {
                let (value, half) = (sign * done.value, margin(half));
                let window = Window { lo: value - half, hi: value + half };
                Window { lo: window.lo.max(all.lo), hi: window.hi.min(all.hi) }
            }
            _ => all,
        }
    }

    /// Whether a line may become still longer by extensions.
    #[inline(always)]
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        let depth = self.done.as_ref().map_or(1, |done| done.depth as usize + 1);
        ply <= (MAX_EXTENSION * depth).min(MAX_DEPTH as usize)
    }

    /// The answer for a position that the evaluation alone can prune, in the view of the side to move.
    #[inline(always)]
    pub(super) fn prune_by_stand(
        &mut self,
        position: &G,
        depth: u32,
        window: Window,
        stand: i64,
    ) -> Option<Window> {
        let selective = &self.shared.config.selective;
        if let Some(per_ply) = selective.reverse_futility
            && depth <= REVERSE_FUTILITY_DEPTH
            && window.hi > -i64::from(EVAL_ONE)
            && stand - margin(per_ply) * i64::from(depth) >= window.hi
        {
            self.unproven += 1;
            // Below every win, as all evaluations are.
            let value = stand - margin(per_ply) * i64::from(depth);
            return Some(Window { lo: value, hi: INFINITY });
        }
        if let Some(per_ply) = selective.razoring
            && depth <= RAZORING_DEPTH
            && window.lo < WIN - 1
            && stand + margin(per_ply) * i64::from(depth) <= window.lo
        {
            let answer = self.horizon(position, window);
            if answer.hi <= window.lo && self.stop.is_none() {
                self.unproven += 1;
                return Some(Window { lo: -INFINITY, hi: answer.hi.max(1 - WIN) });
            }
        }
        None
    }

    /// By how many plies to look at a late move less deeply.
    #[inline(always)]
    pub(super) fn reduction(
        &self,
        position: &G,
        entry: Ranked<G::Move>,
        number: usize,
        depth: u32,
        strength: u32,
        rest: Window,
    ) -> u32 {
        if entry.kind == Kind::Loud {
            return 0;
        }
        let log = |n: usize| LOGS[n.min(LOGS.len() - 1)];
        let product = log(depth as usize) * log(number + 1);
        // In 10,000ths of a ply: the logarithms are in hundredths, the strength in per cent.
        let mut plies = i64::from(product) * i64::from(strength) / 100;
        if self.shared.config.selective.malus {
            let slot = position.speed().move_slot(entry.mv);
            plies -= i64::from(self.history.get(position.to_move(), slot));
        }
        if rest.is_open() {
            plies -= 10_000;
        }
        if entry.kind == Kind::Losing {
            plies += 10_000;
        }
        (plies.max(0) / 10_000).min(i64::from(depth) - 2) as u32
    }
}

/// Natural logarithms in hundredths.
static LOGS: LazyLock<[u32; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| (100.0 * libm::log(n.max(1) as f64)) as u32));
