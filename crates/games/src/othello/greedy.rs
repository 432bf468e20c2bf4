//! Greedy moves and playouts without lists of moves: the cells with the best value are a set.

use treegraft::bits::Cpu;
use treegraft::{Guide, GuidedEnd, GuidedPlayout, Ipp, Outcome, Rng};

use super::discs::{self, Steps};
use super::evaluate::{self, worth};
use super::{Othello, PASS, one_of};

/// By which evaluation a move is the best.
#[derive(Clone, Copy, Debug)]
enum By {
    Discs,
    Wpc,
    Mobility,
    OwnMobility,
}

/// Makes the functions of an evaluation: its greedy moves, and its playouts.
macro_rules! greedy {
    ($($by:ident: $moves:ident, $playouts:ident;)*) => {$(
        pub(super) fn $moves(position: &Othello, _: Option<Ipp>, rng: &mut Rng) -> u8 {
            greedy_move(position, By::$by, rng)
        }

        pub(super) fn $playouts(
            position: &mut Othello,
            guide: &Guide,
            rng: &mut Rng,
        ) -> Option<GuidedPlayout> {
            guide.ipp.is_none().then(|| guided(position, guide, By::$by, rng))
        }
    )*};
}

greedy! {
    Discs: by_discs, playouts_by_discs;
    Wpc: by_wpc, playouts_by_wpc;
    Mobility: by_mobility, playouts_by_mobility;
    OwnMobility: by_own_mobility, playouts_by_own_mobility;
}

impl By {
    /// The value for the side that has just moved, of which only the order and the sign count.
    #[inline(always)]
    fn value(self, position: &Othello, steps: Steps) -> i32 {
        let (own, opp) = (position.opp, position.own);
        let moves = |position: &Othello| position.placements_inlined(steps).count_ones() as i32;
        match self {
            By::Discs => own.count_ones() as i32 - opp.count_ones() as i32,
            By::Wpc => worth(own) - worth(opp),
            By::Mobility => moves(&position.passed()) - moves(position),
            By::OwnMobility => moves(&position.passed()),
        }
    }

    fn evaluate(self, position: &Othello) -> i32 {
        match self {
            By::Discs => evaluate::discs(position),
            By::Wpc => evaluate::wpc(position),
            By::Mobility => evaluate::mobility(position),
            By::OwnMobility => evaluate::own_mobility(position),
        }
    }
}

/// The placements with the best value. A won game is better than any value, a lost one worse; a draw
/// counts 0.
#[inline(always)]
fn best_placements(position: &Othello, by: By, steps: Steps) -> u64 {
    let free = position.empty_cells();
    let (cells, discs) = discs::closing_cells_and_discs(position.own, position.opp, free, steps);
    let may_end = discs::all_seen_from_one(cells, discs);
    let (mut best, mut highest) = (0, i32::MIN);
    let mut left = cells;
    while left != 0 {
        let cell = left & left.wrapping_neg();
        left ^= cell;
        let mut next = *position;
        next.place(cell.trailing_zeros());
        let is_over = may_end
            && next.placements_inlined(steps) == 0
            && next.passed().placements_inlined(steps) == 0;
        let value = if is_over {
            let lead = next.opp.count_ones() as i32 - next.own.count_ones() as i32;
            lead.signum() * (i32::MAX - 1)
        } else {
            by.value(&next, steps)
        };
        if value > highest {
            (best, highest) = (0, value);
        }
        if value == highest {
            best |= cell;
        }
    }
    best
}

treegraft::dispatch! {
    fn greedy_move(position: &Othello, by: By, rng: &mut Rng) -> u8
        = |cpu| one_of(cpu, best_placements(position, by, Steps::new()), rng);
}

treegraft::dispatch! {
    fn guided(position: &mut Othello, guide: &Guide, by: By, rng: &mut Rng) -> GuidedPlayout
        = guided_on;
}

#[inline(always)]
fn guided_on<C: Cpu>(
    cpu: C,
    start: &mut Othello,
    guide: &Guide,
    by: By,
    rng: &mut Rng,
) -> GuidedPlayout {
    let steps = Steps::new();
    let mut position = *start;
    let (mut plies, mut evaluations) = (0, 0);
    let mut look =
        if guide.cut == Some(0) || guide.max_plies == 0 { 0 } else { guide.next_look(0) };
    let end = loop {
        let cells = position.placements_inlined(steps);
        if cells == 0 && position.passed().placements_inlined(steps) == 0 {
            break GuidedEnd::Over(Outcome::from_margin(position.lead()));
        }
        if plies == look {
            let (end, valued) = guide.look(&position, plies, |position| by.evaluate(position));
            evaluations += valued;
            if let Some(end) = end {
                break end;
            }
            look = guide.next_look(plies);
        }
        let is_greedy = guide.greedy.is_some_and(|epsilon| rng.unit() >= epsilon);
        let cells = if is_greedy { best_placements(&position, by, steps) } else { cells };
        match one_of(cpu, cells, rng) {
            PASS => position = position.passed(),
            cell => position.place(u32::from(cell)),
        }
        plies += 1;
    };
    *start = position;
    GuidedPlayout { end, plies, evaluations }
}
