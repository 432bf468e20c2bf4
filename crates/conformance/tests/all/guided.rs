//! The playouts that tic-tac-toe's evaluation makes, right but for the faults.

use treegraft::{Game, Guide, GuidedEnd, GuidedPlayout, Ipp, Outcome, Rng, Speed};

use super::faults::Fault;
use super::faulty::Faulty;

impl Faulty {
    /// Whether there are any. They pass positions at which other faults show, so games with those
    /// have none.
    pub(super) fn is_guided(&self) -> bool {
        match self.fault {
            Fault::GuidedOfSomePositions => self.plies() != 4,
            Fault::None => true,
            _ => format!("{:?}", self.fault).starts_with("Guided"),
        }
    }

    /// A playout. Nothing is made of moves that are never greedy.
    pub(super) fn guided(&mut self, guide: &Guide, rng: &mut Rng) -> Option<GuidedPlayout> {
        let is_over = self.outcome().is_some();
        if guide.greedy == Some(1.0) {
            match self.fault {
                Fault::GuidedRefusalPlays if !is_over => self.play(self.board.empty_cells()[0]),
                Fault::GuidedRefusalDraws => drop(rng.next_u64()),
                _ => {}
            }
            return None;
        }
        match self.fault {
            Fault::GuidedPanics if self.plies() == 3 => panic!("no playout"),
            Fault::GuidedNowAndThen if rng.clone().below(4) == 0 => return None,
            Fault::GuidedUnseeded => *rng = Rng::new(u64::from(self.count())),
            _ => {}
        }
        let (mut plies, mut evaluations) = (0, 0);
        let mut end = loop {
            if let Some(end) = self.guided_end(guide, plies, &mut evaluations) {
                break end;
            }
            let cell = self.guided_cell(guide, rng);
            self.play(cell);
            plies += 1;
        };
        let is_long = plies > 2 && guide.mercy.is_none();
        match (self.fault, &mut end) {
            (Fault::GuidedReportsLoser, GuidedEnd::Over(Outcome::Win(side)))
            | (Fault::GuidedMercyForOther, GuidedEnd::Mercy(side)) => *side = side.other(),
            (Fault::GuidedOverlooksEnd, GuidedEnd::Over(_)) if plies == guide.max_plies => {
                end = GuidedEnd::Capped;
            }
            (Fault::GuidedCutForMover, GuidedEnd::Cut(value)) => {
                *value *= self.board.mover.sign() as i32;
            }
            (Fault::GuidedForgetsTurn, GuidedEnd::Capped) if plies > 0 => {
                self.board.mover = self.board.mover.other();
            }
            (Fault::GuidedUncounted, GuidedEnd::Over(_)) => evaluations = 0,
            (Fault::GuidedPliesMiscounted, GuidedEnd::Over(_)) if is_long => plies -= 1,
            _ => {}
        }
        Some(GuidedPlayout { end, plies, evaluations })
    }

    /// Whether a playout ends here.
    fn guided_end(&self, guide: &Guide, plies: u32, evaluations: &mut u32) -> Option<GuidedEnd> {
        if let Some(outcome) = self.outcome() {
            return Some(GuidedEnd::Over(outcome));
        }
        let mut guide = *guide;
        match self.fault {
            Fault::GuidedOverruns if guide.max_plies == 4 => guide.max_plies = 5,
            Fault::GuidedCappedTooSoon if guide.max_plies == 4 => guide.max_plies = 3,
            Fault::GuidedCutLate => guide.cut = guide.cut.map(|cut| cut + 1),
            Fault::GuidedCutIsLimit if guide.cut == Some(plies) => return Some(GuidedEnd::Capped),
            Fault::GuidedMercyTooOften => guide.mercy = guide.mercy.map(|(_, bound)| (1, bound)),
            _ => {}
        }
        let (end, valued) = guide.look(self, plies, Faulty::lines);
        *evaluations += valued;
        let is_mercy = matches!(end, Some(GuidedEnd::Mercy(_)));
        end.filter(|_| !(self.is(Fault::GuidedWithoutMercy) && is_mercy && plies < guide.max_plies))
    }

    fn guided_cell(&self, guide: &Guide, rng: &mut Rng) -> u8 {
        let ipp = match self.fault {
            Fault::GuidedEvenly => None,
            Fault::GuidedAsOther => guide.ipp.map(|_| Ipp::Program),
            _ => guide.ipp,
        };
        let greedy = match self.fault {
            Fault::GuidedNeverGreedy => None,
            Fault::GuidedAlwaysGreedy => guide.greedy.map(|_| 0.0),
            _ => guide.greedy,
        };
        if greedy.is_some_and(|epsilon| rng.unit() >= epsilon) {
            return self.greedy(ipp, rng);
        }
        match ipp {
            Some(ipp) => self.draw_by_weight(ipp, rng, &[]),
            None => self.speed().random_move(rng, &mut Vec::new()),
        }
    }
}
