//! Traps: moves after which the opponent can force a win within a few plies.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use treegraft::depth_first::{WinLoss, WinLossQuestion};
use treegraft::{Alarm, Game, Meter, Notation, Outcome, Request, Rng, Side, legal_moves, played};

/// A move after which the opponent can force a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrapMove<M> {
    /// The move.
    pub mv: M,
    /// Plies until the game is lost, the opponent's reply being the first: 0 if the move itself
    /// loses the game. A trap of one level is one of all higher levels too.
    pub level: u32,
}

/// The searches for traps, with their scratch memory: plain win-loss searches for losses
/// only, deeper and deeper.
#[derive(Debug)]
pub struct TrapSearch<'a, M> {
    search: WinLoss<M>,
    alarm: Alarm<'a>,
}

impl<'a, M: Copy> TrapSearch<'a, M> {
    /// Searches that give up when the flag is set. What they find from then on means nothing.
    #[must_use]
    pub fn new(cancel: Option<&'a AtomicBool>) -> TrapSearch<'a, M> {
        let request = Request { cancel, ..Request::default() };
        TrapSearch { search: WinLoss::default(), alarm: Meter::<()>::start(request).alarm() }
    }

    /// The traps that a position holds for the side to move, up to this level, in the order of the
    /// game's moves.
    pub fn find<G: Game<Move = M>>(&mut self, position: &G, max_level: u32) -> Vec<TrapMove<M>> {
        let mover = position.to_move();
        let levels = children(position)
            .into_iter()
            .map(|(mv, child)| (mv, self.plies_to_loss(&child, mover, max_level)));
        levels.filter_map(|(mv, level)| level.map(|level| TrapMove { mv, level })).collect()
    }

    /// How the opponent wins after the trap, with the quickest wins and the longest defence: moves
    /// in turn, the opponent's reply first.
    pub fn refutation<G: Game<Move = M>>(&mut self, position: &G, trap: TrapMove<M>) -> Vec<M> {
        let loser = position.to_move();
        let mut line = Vec::new();
        let mut at = played(position, trap.mv);
        let mut left = trap.level;
        while at.outcome().is_none() && left > 0 {
            let is_defended = at.to_move() == loser;
            let replies = children(&at).into_iter().filter_map(|(mv, child)| {
                self.plies_to_loss(&child, loser, left - 1).map(|plies| (mv, child, plies))
            });
            // The first of the best: `max_by_key` would take the last.
            let key = |plies: u32| if is_defended { u32::MAX - plies } else { plies };
            let Some((mv, child, plies)) = replies.min_by_key(|&(_, _, plies)| key(plies)) else {
                break;
            };
            line.push(mv);
            (at, left) = (child, plies);
        }
        line
    }

    /// The smallest number of plies within which `loser` has lost whatever they do, if it is at
    /// most `max`. Every number is tried: sides need not take turns, so that none can be
    /// skipped.
    fn plies_to_loss<G: Game<Move = M>>(
        &mut self,
        position: &G,
        loser: Side,
        max: u32,
    ) -> Option<u32> {
        if self.alarm.rings_before(1) {
            return None;
        }
        if let Some(outcome) = position.outcome() {
            return (outcome == Outcome::Win(loser.other())).then_some(0);
        }
        let mut is_lost = |plies: u32| {
            let question = WinLossQuestion::IsLost;
            self.search.value_until(position, plies, loser, question, &mut self.alarm) == Some(-1)
        };
        (1..=max).find(|&plies| is_lost(plies))
    }
}

/// Every move with the position after it.
fn children<G: Game>(position: &G) -> Vec<(G::Move, G)> {
    legal_moves(position).into_iter().map(|mv| (mv, played(position, mv))).collect()
}

/// How many of `playouts` random playouts after the trap its victim does not lose.
fn misled<G: Game>(
    position: &G,
    trap: TrapMove<G::Move>,
    playouts: u32,
    rng: &mut Rng,
    cancel: Option<&AtomicBool>,
) -> u32 {
    if trap.level == 0 {
        return 0;
    }
    let mut buffer = Vec::new();
    let goes_on = |_: &u32| cancel.is_none_or(|flag| !flag.load(Ordering::Relaxed));
    let lost = Outcome::Win(position.to_move().other());
    let after = played(position, trap.mv);
    let max_plies = after.limits().playout_plies;
    let is_misled = |_: &u32| {
        treegraft::playout(&mut after.clone(), rng, &mut buffer, max_plies, None).outcome != lost
    };
    (0..playouts).take_while(goes_on).filter(is_misled).count() as u32
}

/// The traps of a position up to a level, each with its level and how many of `playouts` random
/// playouts after it its victim does not lose.
pub(crate) fn find_and_try<G: Game>(
    position: &G,
    max_level: u32,
    playouts: u32,
    rng: &mut Rng,
    cancel: Option<&AtomicBool>,
) -> Vec<(G::Move, u32, u32)> {
    let found = TrapSearch::new(cancel).find(position, max_level);
    let mut misled = |trap| misled(position, trap, playouts, rng, cancel);
    found.into_iter().map(|trap| (trap.mv, trap.level, misled(trap))).collect()
}

/// A trap in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedTrap {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The level of the trap.
    pub level: u32,
    /// Share of the playouts after it that its victim did not lose; `None` without playouts.
    pub difficulty: Option<f64>,
    /// How the opponent wins, the reply to the move first.
    pub refutation: Vec<String>,
}

/// The traps of a position up to a level, each with the opponent's win; the quickest losses first.
///
/// If `cancel` is set before it is done, the answer means nothing.
#[must_use]
pub fn explain_traps<G: Game>(
    position: &G,
    max_level: u32,
    playouts: u32,
    seed: u64,
    cancel: Option<&AtomicBool>,
) -> Vec<ExplainedTrap> {
    let mut search = TrapSearch::new(cancel);
    let mut rng = Rng::new(seed);
    let mut traps = search.find(position, max_level);
    traps.sort_by_key(|trap| trap.level);
    let explain = |trap: TrapMove<G::Move>| {
        let misled = misled(position, trap, playouts, &mut rng, cancel);
        let mut at = played(position, trap.mv);
        let play = |mv: G::Move| {
            let text = at.notation().move_text(mv);
            at.play(mv);
            text
        };
        ExplainedTrap {
            mv: position.notation().move_text(trap.mv),
            level: trap.level,
            difficulty: (playouts > 0).then(|| f64::from(misled) / f64::from(playouts)),
            refutation: search.refutation(position, trap).into_iter().map(play).collect(),
        }
    };
    traps.into_iter().map(explain).collect()
}
