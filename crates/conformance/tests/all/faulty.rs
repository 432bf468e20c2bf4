//! Tic-tac-toe with one of many mistakes in it.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use treegraft::bits::mix;
use treegraft::{
    Charset, Evaluator, Exactness, Game, Ipp, Knowledge, Limits, Notation, NotationError, Outcome,
    Picture, Playout, PlayoutWeight, Rng, Side, Speed, Trace,
};

use super::board::{Board, cell_text};
use super::faults::Fault;

/// Tic-tac-toe with a fault.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    pub(super) board: Board,
    pub(super) fault: Fault,
    /// The cells in the order in which they were taken, as digits: not part of the position.
    pub(super) history: u64,
    /// Part of the position, though it should not be there.
    noise: u32,
    /// What all clones have in common.
    shared: Rc<Cell<u32>>,
    asked: Cell<u32>,
}

impl PartialEq for Faulty {
    fn eq(&self, other: &Faulty) -> bool {
        self.board == other.board && self.noise == other.noise
    }
}

impl Eq for Faulty {}

impl Hash for Faulty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
        if self.fault == Fault::EqualButOtherHash {
            self.history.hash(state);
        }
    }
}

pub(crate) fn game(fault: Fault) -> Faulty {
    let (shared, asked) = (Rc::new(Cell::new(0)), Cell::new(0));
    Faulty { board: Board::EMPTY, fault, history: 0, noise: 0, shared, asked }
}

impl Faulty {
    pub(super) fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    pub(super) fn winning_cells(&self) -> Vec<u8> {
        let wins = |&cell: &u8| {
            let mut board = self.board;
            board.play(cell);
            board.has_line(self.board.mover)
        };
        self.board.empty_cells().into_iter().filter(wins).collect()
    }

    pub(super) fn plies(&self) -> u32 {
        self.board.occupied().count_ones()
    }

    pub(super) fn count(&self) -> u32 {
        self.shared.set(self.shared.get() + 1);
        self.shared.get()
    }

    /// The fast playout: honest but for the faults.
    fn play_fast(&mut self, rng: &mut Rng, max_plies: u32) -> Playout {
        let mut plies = 0;
        loop {
            if let Some(outcome) = self.board.outcome() {
                return Playout { outcome, plies, capped: false };
            }
            if plies >= max_plies {
                return Playout { outcome: Outcome::Draw, plies, capped: true };
            }
            let mut moves = Vec::new();
            self.moves(&mut moves);
            let n = moves.len() as u32;
            self.play(moves[rng.below(n) as usize]);
            plies += 1;
        }
    }

    fn untraced_playout(&mut self, rng: &mut Rng, max_plies: u32) -> Playout {
        let limit = match self.fault {
            Fault::NothingPlays if max_plies == 0 => 1,
            Fault::Overruns if max_plies == 3 => 4,
            _ => max_plies,
        };
        let mut playout = self.play_fast(rng, limit);
        // In whole games only, where no single move shows it.
        let whole = max_plies > 9;
        match self.fault {
            Fault::NothingNotCut if max_plies == 0 => playout.capped = false,
            Fault::OneForgetsTurn if playout.capped && max_plies > 0 => {
                self.board.mover = self.board.mover.other();
            }
            Fault::ReportsLoser if max_plies > 0 => {
                if let Outcome::Win(side) = playout.outcome {
                    playout.outcome = Outcome::Win(side.other());
                }
            }
            Fault::ReportsNoCut if max_plies == 2 => playout.capped = false,
            Fault::ReportsCutAtEnd if max_plies > 0 => playout.capped |= playout.plies == max_plies,
            Fault::OutcomesSwapped if whole && rng.below(4) == 0 => {
                self.board.stones.swap(0, 1);
                if let Outcome::Win(side) = playout.outcome {
                    playout.outcome = Outcome::Win(side.other());
                }
            }
            Fault::PliesMiscounted if whole => {
                playout.plies = playout.plies.saturating_sub(u32::from(rng.below(10) == 0));
            }
            Fault::MarginsTooLarge if whole && playout.outcome == Outcome::Win(Side::First) => {
                self.board.stones[1] &= self.board.stones[1] - 1;
            }
            _ => {}
        }
        playout
    }

    fn traced_playout(&mut self, rng: &mut Rng, max_plies: u32, trace: &mut Trace) -> Playout {
        if self.is(Fault::TraceCleared) {
            trace.clear();
        }
        let whole = max_plies > 9;
        let mut plies = 0;
        let mut without_last = trace.clone();
        let mut cells = self.board.empty_cells();
        rng.shuffle(&mut cells);
        if self.is(Fault::TracedBiased) && whole && rng.below(4) == 0 {
            cells.sort_unstable();
        }
        while let (None, true, Some(cell)) = (self.outcome(), plies < max_plies, cells.pop()) {
            let told = if self.is(Fault::TraceOfOther) { cells.last().copied() } else { None };
            without_last.clone_from(trace);
            trace.add(self.to_move(), self.speed().move_slot(told.unwrap_or(cell)));
            self.play(cell);
            plies += 1;
        }
        if self.is(Fault::TraceMissesLast) && plies > 2 {
            *trace = without_last;
        }
        let outcome = self.outcome();
        Playout { outcome: outcome.unwrap_or(Outcome::Draw), plies, capped: outcome.is_none() }
    }

    /// The centre, else any.
    fn hinted_move(&self, rng: &mut Rng, buffer: &mut [u8]) -> u8 {
        let mut moves = self.board.empty_cells();
        if moves.contains(&4) && !(self.is(Fault::OverlooksHint) && self.plies() > 2) {
            return 4;
        }
        let n = moves.len() as u32;
        match self.fault {
            // The first move 1.4 times as often as any other.
            Fault::PrefersFirstHint if rng.below(20) == 0 => moves.truncate(1),
            Fault::HintedFromBuffer => moves.rotate_left((buffer.len() as u32 / 3 % n) as usize),
            _ => {}
        }
        moves[rng.below(moves.len() as u32) as usize]
    }
}

impl Game for Faulty {
    type Move = u8;

    fn to_move(&self) -> Side {
        let flips = match self.fault {
            Fault::ClonesShare => self.shared.get(),
            Fault::AskingChanges => self.asked.get(),
            _ => 0,
        };
        if flips.is_multiple_of(2) { self.board.mover } else { self.board.mover.other() }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        match self.fault {
            Fault::NoMoves if self.plies() == 4 => return,
            Fault::MovesCleared => moves.clear(),
            Fault::MovesOnlyIntoEmpty if !moves.is_empty() => return,
            _ => {}
        }
        let mut cells = self.board.empty_cells();
        match self.fault {
            Fault::MoveTwice if self.plies() == 3 => cells.push(cells[0]),
            Fault::EqualButOtherMoves if self.history % 2 == 1 => {
                cells.reverse();
            }
            _ => {}
        }
        moves.extend(cells);
    }

    fn play(&mut self, cell: u8) {
        assert!(!(self.is(Fault::PlayPanics) && self.plies() == 2 && cell == 4), "no centre");
        self.board.play(cell);
        self.history = self.history * 10 + u64::from(cell);
        match self.fault {
            Fault::ClonesShare => drop(self.count()),
            Fault::PlayVaries if self.plies() > 2 => self.noise = self.count(),
            _ => {}
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        assert!(!(self.is(Fault::OutcomePanics) && self.plies() == 5), "five stones");
        self.board.outcome()
    }

    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        Some(match trace {
            None => self.untraced_playout(rng, max_plies),
            Some(trace) => self.traced_playout(rng, max_plies, trace),
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            playout_plies: match self.fault {
                Fault::NeverEnds => 4,
                Fault::PlayoutLimitZero => 0,
                Fault::LimitPanics => panic!("no limit"),
                _ => 20,
            },
            repetitions: Some(if self.is(Fault::RepetitionOfOne) { 1 } else { 3 }),
            plies: match self.fault {
                Fault::MaxPliesZero => Some(0),
                Fault::LimitVaries if self.plies() == 4 => None,
                _ => Some(9),
            },
        }
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for Faulty {
    fn key(&self) -> u64 {
        assert!(!(self.is(Fault::AskingPanics) && self.plies() == 3), "three stones");
        let [first, second] = self.board.stones.map(u64::from);
        let extra = match self.fault {
            Fault::EqualButOtherKey => self.history % 10,
            Fault::ReadWithOtherKey => u64::from(self.history > 0),
            _ => 0,
        };
        let second = if self.is(Fault::KeyWithoutNoughts) { 0 } else { second };
        mix(first | second << 16 | extra << 32) ^ u64::from(self.noise)
    }

    fn move_slots(&self) -> usize {
        match self.fault {
            Fault::SlotsShrink => 9 - self.plies() as usize,
            Fault::SlotsTooMany => usize::MAX,
            _ => 9,
        }
    }

    fn move_slot(&self, cell: u8) -> usize {
        match self.fault {
            Fault::SlotTooLarge => cell as usize + 1,
            Fault::SlotsShrink => 0,
            Fault::SlotPanics if self.plies() == 3 => panic!("no slot"),
            _ => cell as usize,
        }
    }

    fn random_move(&self, rng: &mut Rng, buffer: &mut Vec<u8>) -> u8 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let n = moves.len() as u32;
        let index = match self.fault {
            Fault::RandomIllegal if self.plies() == 3 && rng.below(4) == 0 => return 77,
            // The first half of the moves 1.2 times as often as the second half.
            Fault::RandomBiased if n.is_multiple_of(2) => {
                rng.below(n / 2) + if rng.below(22) < 12 { 0 } else { n / 2 }
            }
            Fault::RandomFromBuffer => (rng.below(n) + buffer.len() as u32 / 3) % n,
            Fault::RandomUnseeded => Rng::new(u64::from(self.count())).below(n),
            _ => rng.below(n),
        };
        moves[index as usize]
    }

    fn guided_move(&self, ipp: Option<Ipp>, rng: &mut Rng, buffer: &mut Vec<u8>) -> u8 {
        match ipp {
            Some(ipp) => self.draw_by_weight(ipp, rng, buffer),
            None => self.hinted_move(rng, buffer),
        }
    }

    fn minimax_move(&self, plies: u32, rng: &mut Rng) -> Option<u8> {
        let (mut wins, all) = (self.winning_cells(), self.board.empty_cells());
        match self.fault {
            Fault::MinimaxPanics if self.plies() == 4 => panic!("no move"),
            Fault::LosesAtOnce if wins.len() == 1 && self.plies() > 5 => wins.clear(),
            Fault::PrefersFirstWin => wins.extend(wins.first().copied()),
            _ => {}
        }
        let cells = if wins.is_empty() { all } else { wins };
        if plies == 1 { rng.draw_from(&cells).copied() } else { None }
    }
}

impl Knowledge for Faulty {
    fn move_categories(&self) -> Vec<String> {
        self.name_categories()
    }

    fn move_category(&self, cell: u8) -> Option<u32> {
        self.category_of(cell)
    }

    fn order_hint(&self, cell: u8) -> i32 {
        self.asked.set(self.asked.get() + 1);
        match self.fault {
            Fault::HintPanics if self.plies() == 2 => panic!("no hint"),
            // Only beside a higher one, which no fault changes.
            Fault::HintVaries if cell == 2 && self.board.occupied() >> 4 & 1 == 0 => {
                -(self.count() as i32 % 2)
            }
            _ => i32::from(cell == 4),
        }
    }

    fn playout_weight(&self, cell: u8, ipp: Ipp) -> Option<PlayoutWeight> {
        self.weigh(cell, ipp)
    }

    fn node_prior(&self, cell: u8) -> Option<f64> {
        self.prior_of(cell)
    }

    fn transition_probability(&self, cell: u8) -> Option<f64> {
        self.probability_of(cell)
    }

    fn evaluators(&self) -> Vec<Evaluator<Faulty>> {
        self.list_evaluators()
    }

    fn null_move(&self) -> Option<Faulty> {
        self.passed()
    }

    fn loud_moves(&self, moves: &mut Vec<u8>) {
        self.push_loud(moves);
    }

    fn exchange(&self, cell: u8) -> Option<i32> {
        self.exchange_of(cell)
    }
}

impl Exactness for Faulty {
    fn margin(&self) -> Option<i64> {
        let margin = self.board.margin();
        match self.fault {
            Fault::MarginBeforeEnd if self.plies() == 4 => Some(0),
            Fault::MarginOfMover => margin.map(|m| m * self.board.mover.sign()),
            Fault::MarginOfWinsOnly => margin.filter(|&m| m != 0),
            Fault::OutcomesSwapped => None,
            _ => margin,
        }
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        match self.fault {
            Fault::MarginOfWinsOnly | Fault::OutcomesSwapped => None,
            Fault::BoundsTooNarrow if self.plies() == 3 => Some((-1, 0)),
            Fault::BoundsOfSomeOnly if self.plies() == 4 => None,
            Fault::BoundsReversed if self.plies() == 2 => Some((9, -9)),
            Fault::BoundsPanic if self.plies() == 3 => panic!("no bounds"),
            Fault::BoundsOfRead if self.history == 0 => Some((-8, 8)),
            _ => Some((-9, 9)),
        }
    }

    fn ending(&self, _: u32, least: i64, _: &mut u64) -> Option<bool> {
        self.solve(least)
    }

    fn foregone(&self) -> Option<Outcome> {
        self.foresee()
    }

    fn candidate_moves(&self, moves: &mut Vec<u8>) {
        self.push_candidates(moves);
    }

    /// One ply: a line to complete, or none.
    fn win_loss(&self, plies: u32) -> Option<i64> {
        let wins = self.winning_cells();
        match self.fault {
            Fault::WinsOverlooked if wins == [4] => Some(0),
            Fault::WinLossPanics if self.plies() == 4 => panic!("no answer"),
            Fault::LossOfDraw if self.plies() == 8 && wins.is_empty() => Some(-1),
            _ => (plies == 1).then_some(i64::from(!wins.is_empty())),
        }
    }
}

impl Notation for Faulty {
    fn counts(&self) -> Option<[i64; 2]> {
        let margin = self.board.margin().unwrap_or(0);
        let counts = [margin.max(0), (-margin).max(0)];
        match self.fault {
            Fault::MarginOfMover | Fault::MarginBeforeEnd => None,
            Fault::CountsOfSomeOnly if self.plies() == 4 => None,
            Fault::CountsSwapped => Some([counts[1], counts[0]]),
            _ => Some(counts),
        }
    }

    fn side_name(&self, side: Side) -> &'static str {
        match (self.fault, side) {
            (Fault::SidesShareName, _) => "X",
            (Fault::SideNameEmpty, Side::Second) => " ",
            (Fault::SideNameChanges, Side::Second) if self.plies() > 3 => "Nought",
            (_, Side::First) => "X",
            (_, Side::Second) => "O",
        }
    }

    fn move_text(&self, cell: u8) -> String {
        match self.fault {
            Fault::TextWithBlank if cell == 4 => "the centre".to_owned(),
            Fault::TextWithComma if cell == 4 => "b,2".to_owned(),
            Fault::TextEmpty if cell == 4 => String::new(),
            Fault::TextOfTwo if cell == 4 => cell_text(5),
            Fault::TextPanics if self.plies() == 2 => panic!("no text"),
            _ => cell_text(cell),
        }
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let legal = if self.outcome().is_none() { self.board.empty_cells() } else { Vec::new() };
        let refuse = || NotationError::of_move(text, "not legal here", "an empty cell");
        match self.fault {
            Fault::ReadsOtherMove if text == "b2" => legal.first().copied().ok_or_else(refuse),
            Fault::RefusesMove if text == "b2" => Err(refuse()),
            Fault::ReadsTakenCell => (0..9).find(|&m| cell_text(m) == text).ok_or_else(refuse),
            Fault::ReadsNonsense if text == "?" => Ok(0),
            Fault::ParserSlicesBytes if !text.is_empty() && text[..1] == *"?" => Err(refuse()),
            _ => {
                legal.into_iter().find(|&m| self.notation().move_text(m) == text).ok_or_else(refuse)
            }
        }
    }

    fn position_text(&self) -> Option<String> {
        (!self.is(Fault::PositionOfSomeOnly) || self.plies() < 4).then(|| self.board.text())
    }

    fn parse_position(&self, text: &str) -> Result<Faulty, NotationError> {
        let odd = |c: char| !"XO. ".contains(c);
        let mut board = match self.fault {
            Fault::PositionOfNonsense => Board::parse(text).unwrap_or(Board::EMPTY),
            Fault::PositionNotChecked => Board::parse(&text.replace(odd, "."))?,
            _ => Board::parse(text)?,
        };
        if self.is(Fault::PositionWithoutMover) {
            board.mover = Side::First;
        }
        let noise = u32::from(self.is(Fault::PositionNotChecked) && text.contains(odd));
        Ok(Faulty { board, history: 0, noise, ..self.clone() })
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        self.is(Fault::MovesAreNoPosition).then_some(" ")
    }

    fn diagram(&self, charset: Charset) -> String {
        let text = self.board.text();
        match (self.fault, charset) {
            (Fault::DiagramEmpty, Charset::Unicode) if self.plies() == 0 => "\n".to_owned(),
            (Fault::DiagramNotAscii, _) | (_, Charset::Unicode) => text.replace('X', "×"),
            (_, Charset::Ascii) => text,
        }
    }

    fn picture(&self) -> Option<Picture> {
        self.draw()
    }

    fn move_cells(&self, cell: u8) -> Vec<usize> {
        vec![usize::from(cell) + usize::from(self.is(Fault::MoveOffPicture))]
    }
}
