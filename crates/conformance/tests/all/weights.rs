//! What tic-tac-toe says about its moves for playouts and priors, right but for the faults.

use treegraft::{EVAL_ONE, Game, Ipp, PlayoutWeight, Rng, Side};

use super::faults::Fault;
use super::faulty::Faulty;

impl Faulty {
    /// Lines to complete are urgent, and so are those to stop; the centre and the corners weigh more.
    pub(super) fn weigh(&self, cell: u8, ipp: Ipp) -> Option<PlayoutWeight> {
        let urgency = if self.completes(cell, self.board.mover) {
            2
        } else {
            u8::from(self.completes(cell, self.board.mover.other()))
        };
        let weight = match ipp {
            Ipp::Program => [2, 1, 2, 1, 4, 1, 2, 1, 2][usize::from(cell)],
            Ipp::Printed => 1 + 2 * u32::from(cell == 4),
        };
        let weight = match self.fault {
            Fault::WeightZero if self.plies() == 3 => 0,
            Fault::WeightTooLarge if self.plies() == 3 => u32::MAX,
            Fault::WeightOfSomePositions if self.plies() == 4 => return None,
            Fault::WeightOfSomeMoves if cell == 4 => return None,
            Fault::WeightOfLaterMoves if cell != 4 => return None,
            Fault::WeightOfOneKind if ipp == Ipp::Printed => return None,
            Fault::WeightPanics if self.plies() == 3 => panic!("no weight"),
            Fault::WeightOfHistory => weight + (self.history % 10) as u32,
            _ => weight,
        };
        Some(PlayoutWeight { urgency, weight })
    }

    /// Whether a side completes a line here.
    fn completes(&self, cell: u8, side: Side) -> bool {
        let mut board = self.board;
        board.mover = side;
        board.play(cell);
        board.has_line(side)
    }

    pub(super) fn draw_by_weight(&self, ipp: Ipp, rng: &mut Rng, buffer: &[u8]) -> u8 {
        let kind = if self.is(Fault::WeightedAsOther) { Ipp::Program } else { ipp };
        let none = PlayoutWeight { urgency: 0, weight: 1 };
        let told = |cell| (cell, self.weigh(cell, kind).unwrap_or(none));
        let mut cells: Vec<(u8, PlayoutWeight)> =
            self.board.empty_cells().into_iter().map(told).collect();
        let highest = cells.iter().map(|(_, told)| told.urgency).max();
        if !(self.is(Fault::WeightedCalm) && self.plies() > 5) {
            cells.retain(|(_, told)| Some(told.urgency) == highest);
        }
        match self.fault {
            Fault::WeightedIllegal if self.plies() == 3 => return 77,
            Fault::WeightedPanics if self.plies() == 3 => panic!("no weighted move"),
            Fault::WeightedEvenly => return cells[rng.below(cells.len() as u32) as usize].0,
            Fault::WeightedFromBuffer => {
                let n = cells.len();
                cells.rotate_left(buffer.len() / 3 % n);
            }
            Fault::WeightedUnseeded => *rng = Rng::new(u64::from(self.count())),
            _ => {}
        }
        let total = cells.iter().map(|(_, told)| told.weight.clamp(1, PlayoutWeight::MOST)).sum();
        let mut left = rng.below(total);
        for (cell, told) in cells {
            match left.checked_sub(told.weight.clamp(1, PlayoutWeight::MOST)) {
                Some(rest) => left = rest,
                None => return cell,
            }
        }
        unreachable!("less than the sum is left")
    }

    /// The nearer to the centre, the better.
    pub(super) fn prior_of(&self, cell: u8) -> Option<f64> {
        match self.fault {
            Fault::PriorNegative if self.plies() == 3 => Some(-0.001),
            Fault::PriorAboveOne if self.plies() == 3 => Some(1.5),
            Fault::PriorNotANumber if self.plies() == 3 => Some(f64::NAN),
            Fault::PriorOfSomePositions if self.plies() == 4 => None,
            Fault::PriorOfSomeMoves if cell == 8 => None,
            Fault::PriorPanics if self.plies() == 3 => panic!("no prior"),
            Fault::PriorVaries => Some(f64::from(self.count() % 2)),
            _ => Some([0.75, 0.5, 0.75, 0.5, 1.0, 0.5, 0.75, 0.5, 0.75][usize::from(cell)]),
        }
    }

    /// What stops a line or completes one is played.
    pub(super) fn probability_of(&self, cell: u8) -> Option<f64> {
        let is_urgent = [Side::First, Side::Second].iter().any(|&side| self.completes(cell, side));
        let probability = if is_urgent { 1.0 } else { 0.25 };
        match self.fault {
            Fault::ProbabilityNegative if self.plies() == 3 => Some(-1.0),
            Fault::ProbabilityInfinite if self.plies() == 3 => Some(f64::INFINITY),
            Fault::ProbabilityNotANumber if self.plies() == 3 => Some(f64::NAN),
            Fault::ProbabilityOfSomePositions if self.plies() == 4 => None,
            Fault::ProbabilityOfSomeMoves if cell == 8 => None,
            Fault::ProbabilityPanics if self.plies() == 3 => panic!("no probability"),
            Fault::ProbabilityOfHistory => Some(probability / (1 + self.history % 10) as f64),
            _ => Some(probability),
        }
    }

    /// The move with the most open lines, for the mover.
    pub(super) fn greedy(&self, ipp: Option<Ipp>, rng: &mut Rng) -> u8 {
        let ipp = match self.fault {
            Fault::GreedyCalm => None,
            Fault::GreedyAlwaysUrgent => Some(Ipp::Printed),
            _ => ipp,
        };
        let sign = self.board.mover.sign() as i32;
        let value = |cell| {
            let mut next = self.clone();
            next.play(cell);
            let value = match next.outcome() {
                Some(outcome) if outcome.value() != 0 => match self.fault {
                    Fault::GreedyOverlooksWin => 0,
                    _ => outcome.value() as i32 * EVAL_ONE,
                },
                Some(_) => 0,
                None => next.lines(),
            };
            if self.is(Fault::GreedyForOther) { -sign * value } else { sign * value }
        };
        let urgency =
            |cell| ipp.and_then(|ipp| self.weigh(cell, ipp)).map_or(0, |told| told.urgency);
        let mut cells = self.board.empty_cells();
        let keys: Vec<(u8, i32)> = cells.iter().map(|&cell| (urgency(cell), value(cell))).collect();
        let best = keys.iter().max().copied();
        let mut keys = keys.into_iter();
        cells.retain(|_| keys.next() == best);
        match self.fault {
            Fault::GreedyIllegal if self.plies() == 3 => return 77,
            Fault::GreedyPanics if self.plies() == 3 => panic!("no greedy move"),
            Fault::GreedyPrefersFirst if rng.below(10) == 0 => cells.truncate(1),
            Fault::GreedyUnseeded => *rng = Rng::new(u64::from(self.count())),
            _ => {}
        }
        cells[rng.below(cells.len() as u32) as usize]
    }
}
