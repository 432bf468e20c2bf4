//! What tic-tac-toe provides for searches and viewers, right but for the faults.

use treegraft::picture::{Cell, Colour, Kind, Shape, Tint};
use treegraft::{EVAL_ONE, Evaluator, Game, Outcome, Part, Picture, Side};

use super::board::cell_text;
use super::faults::Fault;
use super::faulty::Faulty;

impl Faulty {
    pub(super) fn list_evaluators(&self) -> Vec<Evaluator<Faulty>> {
        let lines = Evaluator::plain("lines", "lines that are not blocked", Faulty::lines)
            .with_parts(Faulty::lines_parts);
        let lines = match self.fault {
            // The best move by values that vary is not to be had.
            Fault::EvaluationVaries => lines,
            Fault::GreedyOfSomePositions if self.plies() == 4 => lines,
            _ => lines.with_greedy(Faulty::greedy),
        };
        let lines = if self.is_guided() { lines.with_playouts(Faulty::guided) } else { lines };
        let flat = |name: &'static str| Evaluator::plain(name, "nothing", |_: &Faulty| 0);
        match self.fault {
            Fault::EvaluatorTwice => vec![lines.clone(), lines],
            Fault::EvaluatorUnnamed => vec![lines, flat("")],
            Fault::EvaluatorCalledNone => vec![lines, flat("none")],
            Fault::EvaluatorWithBlank => vec![lines, flat("all lines")],
            Fault::EvaluatorsChange if self.plies() == 4 => vec![lines, flat("flat")],
            Fault::SlopeNegative => vec![lines.with_slope(-1.0)],
            Fault::SlopeNotANumber => vec![lines.with_slope(f64::NAN)],
            Fault::EvaluatorsPanic if self.plies() == 2 => panic!("no evaluations"),
            _ => vec![lines],
        }
    }

    pub(super) fn lines(&self) -> i32 {
        let [first, second] = [Side::First, Side::Second].map(|side| self.board.open_lines(side));
        let value = (first - second) * EVAL_ONE / 100;
        match self.fault {
            Fault::EvaluationTooLarge if self.plies() == 4 => EVAL_ONE,
            Fault::EvaluationTooSmall if self.plies() == 5 => -EVAL_ONE,
            Fault::EvaluationOverflows if self.plies() == 5 => i32::MIN,
            Fault::EvaluationPanics if self.plies() == 3 => panic!("no value"),
            Fault::EvaluationOfMover => value * self.board.mover.sign() as i32,
            // Parts call it too, so that every other call is one for the value.
            Fault::EvaluationVaries => value + self.count() as i32 / 2 % 2,
            Fault::EvaluationOfHistory => value + (self.history % 10) as i32,
            _ => value,
        }
    }

    /// Lines and centre, which together are what the evaluation says, right or wrong.
    fn lines_parts(&self) -> Vec<Part> {
        let has_centre = |side: Side| self.board.stones[side.index()] >> 4 & 1;
        let centre = [Side::First, Side::Second].map(has_centre);
        let mut lead = f64::from(self.lines()) - f64::from(centre[0]) + f64::from(centre[1]);
        if self.is(Fault::PartsOfMover) {
            lead *= self.board.mover.sign() as f64;
        }
        let mut lines = Part::new("open lines", [lead.max(0.0), (-lead).max(0.0)], 1.0);
        let mut centre = Part::new("centre", centre, 1.0);
        match self.fault {
            Fault::PartTwice => centre.name = lines.name.clone(),
            Fault::PartUnnamed => centre.name = "".into(),
            Fault::PartNotFinite if self.plies() == 3 => centre.amounts[1] = f64::NAN,
            Fault::PartTooLarge => (centre.amounts[0], centre.weight) = (1e200, 1e200),
            Fault::PartsChange if self.plies() == 4 => return vec![centre],
            Fault::PartsPanic if self.plies() == 3 => panic!("no parts"),
            Fault::PartOfOneSide => lines.amounts[1] = 0.0,
            Fault::PartMissing => return vec![centre],
            Fault::PartsVary => lines.amounts = lines.amounts.map(|x| x + self.count() as f64),
            _ => {}
        }
        vec![lines, centre]
    }

    /// The centre, corners and edges.
    pub(super) fn name_categories(&self) -> Vec<String> {
        let names = match self.fault {
            Fault::CategoryWithoutName => ["centre", "corner", ""],
            Fault::CategoriesShareName => ["centre", "corner", "corner"],
            Fault::CategoriesChange if self.plies() == 4 => ["centre", "edge", "corner"],
            _ => ["centre", "corner", "edge"],
        };
        names.map(str::to_owned).into()
    }

    pub(super) fn category_of(&self, cell: u8) -> Option<u32> {
        match self.fault {
            Fault::CategoryTooLarge if self.plies() == 4 => Some(3),
            Fault::CategoryOfSomeOnly if self.plies() == 4 => None,
            Fault::CategoryPanics if self.plies() == 3 => panic!("no category"),
            Fault::CategoryOfHistory => Some((self.history % 2) as u32),
            _ if cell == 4 => Some(0),
            _ => Some(1 + u32::from(cell) % 2),
        }
    }

    pub(super) fn passed(&self) -> Option<Faulty> {
        let mut passed = self.clone();
        if !self.is(Fault::NullKeepsTurn) {
            passed.board.mover = passed.board.mover.other();
        }
        match self.fault {
            Fault::NullIsOver if self.plies() == 4 => passed.board.stones = [0o007, 0o110],
            // Only here are there no moves though the game goes on.
            Fault::NullIsStuck if self.plies() == 4 => passed.fault = Fault::NoMoves,
            Fault::NullPanics if self.plies() == 3 => panic!("no pass"),
            _ => {}
        }
        Some(passed)
    }

    /// Cells that complete a line.
    pub(super) fn push_loud(&self, moves: &mut Vec<u8>) {
        if self.is(Fault::LoudCleared) {
            moves.clear();
        }
        let mut loud = self.winning_cells();
        match self.fault {
            Fault::LoudIllegal if self.plies() == 4 => loud.push(77),
            Fault::LoudTwice => loud.extend(loud.first().copied()),
            Fault::LoudPanics if self.plies() == 3 => panic!("no loud moves"),
            Fault::LoudOfHistory if self.history % 2 == 1 => loud.clear(),
            _ => {}
        }
        moves.extend(loud);
    }

    /// A completed line wins, and nothing is ever lost. Only given where that goes wrong: broken lists of
    /// loud moves would break its law, too.
    pub(super) fn exchange_of(&self, cell: u8) -> Option<i32> {
        let is_loud = self.winning_cells().contains(&cell);
        let told = is_loud.then_some(100);
        match self.fault {
            Fault::ExchangeOfQuiet if self.plies() == 3 && !is_loud => Some(0),
            Fault::ExchangeOfSomeMoves if self.winning_cells().first() == Some(&cell) => None,
            Fault::ExchangePanics if self.plies() == 3 => panic!("no exchange"),
            Fault::ExchangeOfHistory if self.history % 2 == 1 && !is_loud => Some(-1),
            Fault::ExchangeOfQuiet
            | Fault::ExchangeOfSomeMoves
            | Fault::ExchangePanics
            | Fault::ExchangeOfHistory => told,
            _ => None,
        }
    }

    /// The cells in which the other side threatens to complete a line.
    fn threats(&self) -> Vec<u8> {
        let mut other = self.clone();
        other.board.mover = self.board.mover.other();
        other.winning_cells()
    }

    /// What looking at all moves finds, near the end. Not given where something else goes wrong:
    /// broken rules would break its law, too.
    pub(super) fn solve(&self, least: i64) -> Option<bool> {
        if self.plies() < 4 {
            return None;
        }
        let is_so = |least| self.worth() >= least;
        match self.fault {
            Fault::EndingWinsDraws => Some(is_so(0)),
            Fault::EndingOfLoser => Some(!is_so(least)),
            Fault::EndingPanics if self.plies() == 7 => panic!("no ending"),
            Fault::EndingPanics | Fault::None => Some(is_so(least)),
            _ => None,
        }
    }

    /// The value of the position for the side to move.
    fn worth(&self) -> i64 {
        if let Some(outcome) = self.outcome() {
            return outcome.value() * self.to_move().sign();
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let after = |mv| {
            let mut child = self.clone();
            child.play(mv);
            -child.worth()
        };
        moves.into_iter().map(after).max().expect("a move")
    }

    /// A line to complete, or two to stop.
    pub(super) fn foresee(&self) -> Option<Outcome> {
        let mover = self.board.mover;
        let threats = self.threats().len();
        match self.fault {
            Fault::ForegoneDraw if self.plies() == 6 => Some(Outcome::Draw),
            Fault::ForegoneTooSoon if threats == 1 => Some(Outcome::Win(mover.other())),
            Fault::ForegonePanics if self.plies() == 3 => panic!("nothing is certain"),
            Fault::ForegoneOfLoser if !self.winning_cells().is_empty() => {
                Some(Outcome::Win(mover.other()))
            }
            _ if !self.winning_cells().is_empty() => Some(Outcome::Win(mover)),
            _ => (threats > 1).then_some(Outcome::Win(mover.other())),
        }
    }

    /// The threat that must be stopped, else all.
    pub(super) fn push_candidates(&self, moves: &mut Vec<u8>) {
        if self.is(Fault::CandidatesCleared) {
            moves.clear();
        }
        let (mut cells, all) = (self.threats(), self.board.empty_cells());
        if cells.is_empty() {
            cells.clone_from(&all);
        }
        match self.fault {
            Fault::CandidateIllegal if self.plies() == 4 => cells.push(77),
            Fault::CandidateTwice if self.plies() == 3 => cells.push(cells[0]),
            Fault::NoCandidates if self.plies() == 4 => cells.clear(),
            Fault::CandidatesPanic if self.plies() == 3 => panic!("no candidates"),
            Fault::CandidatesMissBest if cells.len() < all.len() => {
                cells = all.into_iter().filter(|cell| !cells.contains(cell)).collect();
            }
            Fault::CandidatesMissOnlyDraw if cells.len() > 2 && self.plies() == 6 => {
                cells.truncate(1);
            }
            _ => {}
        }
        moves.extend(cells);
    }

    pub(super) fn draw(&self) -> Option<Picture> {
        let size = if self.is(Fault::PictureTooSmall) { 2.9 } else { 3.0 };
        let mut picture = Picture::new(size, size, [Colour::Blue, Colour::Orange]);
        for cell in 0..9 {
            let (x, y) = (f64::from(cell % 3) + 0.5, f64::from(cell / 3) + 0.5);
            let name = cell_text(if self.is(Fault::CellsShareName) { cell / 3 } else { cell });
            let (shape, tint) = (Shape::Square, Tint::Plain);
            picture.cells.push(Cell { name, x, y, width: 1.0, height: 1.0, shape, tint });
        }
        for side in [Side::First, Side::Second] {
            let stones = self.board.stones[side.index()];
            for cell in (0..9).filter(|cell| stones >> cell & 1 == 1) {
                picture.put(cell, side, Kind::Disc);
            }
        }
        match self.fault {
            Fault::PictureOfSomeOnly if self.plies() == 3 => return None,
            Fault::PieceNowhere if self.plies() == 3 => picture.put(9, Side::First, Kind::Disc),
            Fault::TwoPiecesOnCell if self.plies() == 3 => {
                let cell = picture.pieces[0].cell;
                picture.put(cell, Side::First, Kind::Disc);
            }
            Fault::PicturePanics if self.plies() == 3 => panic!("no picture"),
            _ => {}
        }
        Some(picture)
    }
}
