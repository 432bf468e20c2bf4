//! The conformance kit passes a right game, and finds every fault in a broken one.

mod common;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use common::{Board, cell_text};
use treegraft::bits::mix;
use treegraft::conformance::{Options, Report, check, check_with_progress};
use treegraft::{Charset, Game, NotationError, Outcome, Playout, Rng, Side};

/// A mistake in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    NoMoves,
    MoveTwice,
    MovesCleared,
    MovesOnlyIntoEmpty,
    PlayPanics,
    OutcomePanics,
    PlayVaries,
    ClonesShare,
    AskingChanges,
    AskingPanics,
    EqualButOtherMoves,
    EqualButOtherHash,
    EqualButOtherKey,
    ReadWithOtherKey,
    KeyWithoutNoughts,
    MarginBeforeEnd,
    MarginOfMover,
    MarginOfWinsOnly,
    SlotTooLarge,
    SlotsShrink,
    NeverEnds,
    TextWithBlank,
    TextWithComma,
    TextEmpty,
    TextOfTwo,
    TextPanics,
    ReadsOtherMove,
    RefusesMove,
    ReadsTakenCell,
    ReadsNonsense,
    ParserSlicesBytes,
    MovesAreNoPosition,
    PositionWithoutMover,
    PositionOfSomeOnly,
    PositionOfNonsense,
    PositionNotChecked,
    DiagramEmpty,
    DiagramNotAscii,
    RandomIllegal,
    RandomBiased,
    RandomFromBuffer,
    RandomUnseeded,
    PlayoutFromBuffer,
    NothingPlays,
    NothingNotCut,
    OneForgetsTurn,
    ReportsLoser,
    ReportsNoCut,
    ReportsCutAtEnd,
    Overruns,
    OutcomesSwapped,
    PliesMiscounted,
    MarginsTooLarge,
}

/// Every fault, and the one law it breaks.
const FAULTS: [(Fault, &str); 53] = [
    (Fault::NoMoves, "moves"),
    (Fault::MoveTwice, "moves"),
    (Fault::MovesCleared, "moves-append"),
    (Fault::MovesOnlyIntoEmpty, "moves-append"),
    (Fault::PlayPanics, "play"),
    (Fault::OutcomePanics, "play"),
    (Fault::PlayVaries, "play-repeats"),
    (Fault::ClonesShare, "clones"),
    (Fault::AskingChanges, "asking"),
    (Fault::AskingPanics, "asking"),
    (Fault::EqualButOtherMoves, "equal-answers"),
    (Fault::EqualButOtherHash, "equal-keys"),
    (Fault::EqualButOtherKey, "equal-keys"),
    (Fault::ReadWithOtherKey, "equal-keys"),
    (Fault::KeyWithoutNoughts, "different-keys"),
    (Fault::MarginBeforeEnd, "margin"),
    (Fault::MarginOfMover, "margin"),
    (Fault::MarginOfWinsOnly, "margin"),
    (Fault::SlotTooLarge, "slots"),
    (Fault::SlotsShrink, "slots"),
    (Fault::NeverEnds, "ends"),
    (Fault::TextWithBlank, "move-text"),
    (Fault::TextWithComma, "move-text"),
    (Fault::TextEmpty, "move-text"),
    (Fault::TextOfTwo, "move-text"),
    (Fault::TextPanics, "move-text"),
    (Fault::ReadsOtherMove, "parse-move"),
    (Fault::RefusesMove, "parse-move"),
    (Fault::ReadsTakenCell, "parse-nonsense"),
    (Fault::ReadsNonsense, "parse-nonsense"),
    (Fault::ParserSlicesBytes, "parse-nonsense"),
    (Fault::MovesAreNoPosition, "replay"),
    (Fault::PositionWithoutMover, "position-text"),
    (Fault::PositionOfSomeOnly, "position-text"),
    (Fault::PositionOfNonsense, "position-nonsense"),
    (Fault::PositionNotChecked, "position-nonsense"),
    (Fault::DiagramEmpty, "diagram"),
    (Fault::DiagramNotAscii, "diagram"),
    (Fault::RandomIllegal, "random-move"),
    (Fault::RandomBiased, "random-uniform"),
    (Fault::RandomFromBuffer, "seeded"),
    (Fault::RandomUnseeded, "seeded"),
    (Fault::PlayoutFromBuffer, "seeded"),
    (Fault::NothingPlays, "playout-nothing"),
    (Fault::NothingNotCut, "playout-nothing"),
    (Fault::OneForgetsTurn, "playout-one"),
    (Fault::ReportsLoser, "playout-report"),
    (Fault::ReportsNoCut, "playout-report"),
    (Fault::ReportsCutAtEnd, "playout-report"),
    (Fault::Overruns, "playout-report"),
    (Fault::OutcomesSwapped, "playout-outcomes"),
    (Fault::PliesMiscounted, "playout-plies"),
    (Fault::MarginsTooLarge, "playout-margins"),
];

/// Tic-tac-toe with a fault.
#[derive(Clone, Debug)]
struct Faulty {
    board: Board,
    fault: Fault,
    /// The cells in the order in which they were taken, as digits: not part of the position.
    history: u64,
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

fn game(fault: Fault) -> Faulty {
    let (shared, asked) = (Rc::new(Cell::new(0)), Cell::new(0));
    Faulty { board: Board::EMPTY, fault, history: 0, noise: 0, shared, asked }
}

impl Faulty {
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn plies(&self) -> u32 {
        self.board.occupied().count_ones()
    }

    fn count(&self) -> u32 {
        self.shared.set(self.shared.get() + 1);
        self.shared.get()
    }

    /// The fast playout: honest but for the faults.
    fn run(&mut self, rng: &mut Rng, offset: u32, max_plies: u32) -> Playout {
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
            self.play(moves[((rng.below(n) + offset) % n) as usize]);
            plies += 1;
        }
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
        if self.is(Fault::SlotsShrink) { 9 - self.plies() as usize } else { 9 }
    }

    fn move_slot(&self, cell: u8) -> usize {
        match self.fault {
            Fault::SlotTooLarge => cell as usize + 1,
            Fault::SlotsShrink => 0,
            _ => cell as usize,
        }
    }

    fn order_hint(&self, cell: u8) -> i32 {
        self.asked.set(self.asked.get() + 1);
        i32::from(cell == 4)
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

    fn playout(&mut self, rng: &mut Rng, buffer: &mut Vec<u8>, max_plies: u32) -> Playout {
        let offset = match self.fault {
            Fault::PlayoutFromBuffer => buffer.len() as u32 / 3,
            _ => 0,
        };
        let limit = match self.fault {
            Fault::NothingPlays if max_plies == 0 => 1,
            Fault::Overruns if max_plies == 3 => 4,
            _ => max_plies,
        };
        let mut playout = self.run(rng, offset, limit);
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

    fn playout_plies(&self) -> u32 {
        if self.is(Fault::NeverEnds) { 4 } else { 20 }
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
            _ => legal.into_iter().find(|&m| self.move_text(m) == text).ok_or_else(refuse),
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
}

fn broken_laws(report: &Report) -> Vec<&'static str> {
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.name).collect()
}

#[test]
fn a_right_game_passes_with_any_seed() {
    for seed in 0..5 {
        let report = check(&game(Fault::None), &Options { seed, ..Options::default() });
        assert!(report.passed(), "{report}");
        assert!(report.laws.iter().all(|law| law.checked > 0), "{report}");
        assert_eq!((report.walks, report.cut_off), (200, 0));
    }
}

/// Nothing but the four methods, and moves that are pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bare(Board);

impl Game for Bare {
    type Move = (u8, u8);

    fn to_move(&self) -> Side {
        self.0.mover
    }

    fn moves(&self, moves: &mut Vec<(u8, u8)>) {
        moves.extend(self.0.empty_cells().into_iter().map(|cell| (cell % 3, cell / 3)));
    }

    fn play(&mut self, (column, row): (u8, u8)) {
        self.0.play(column + 3 * row);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}

#[test]
fn the_defaults_are_right() {
    let report = check(&Bare(Board::EMPTY), &Options::default());
    assert!(report.passed(), "{report}");
}

#[test]
fn every_fault_breaks_its_law_and_no_other() {
    for (fault, law) in FAULTS {
        // Only what is a matter of statistics needs many samples.
        let statistics = law == "random-uniform" || law.starts_with("playout");
        let samples = if statistics { Options::default().samples } else { 500 };
        let report = check(&game(fault), &Options { samples, ..Options::default() });
        assert_eq!(broken_laws(&report), [law], "{fault:?}\n{report}");
        let failure = report.laws.iter().find_map(|law| law.failure.as_ref()).unwrap();
        assert!(!failure.problem.is_empty());
        if law != "move-text" {
            // The moves named are moves of the right game, where they lead to the place.
            let mut board = treegraft::Playthrough::new(game(Fault::None));
            board.play_text(&failure.moves.join(" ")).unwrap();
        }
    }
}

#[test]
fn every_law_has_a_fault() {
    let laws = check(&game(Fault::None), &Options { walks: 1, seed: 1, samples: 1 }).laws;
    let laws: BTreeSet<&str> = laws.iter().map(|law| law.name).collect();
    let broken: BTreeSet<&str> = FAULTS.iter().map(|(_, law)| *law).collect();
    assert_eq!(laws, broken);
}

#[test]
fn failures_name_the_shortest_moves_found() {
    let moves = |fault| {
        let report = check(&game(fault), &Options::default());
        report.laws.into_iter().find_map(|law| law.failure).unwrap().moves
    };
    assert_eq!(moves(Fault::SlotTooLarge), ["c3"]);
    assert_eq!(moves(Fault::MovesCleared), [""; 0]);
    assert_eq!(moves(Fault::MarginBeforeEnd).len(), 4);
    let centre = moves(Fault::PlayPanics);
    assert_eq!((centre.len(), &*centre[2]), (3, "b2"));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    for fault in [Fault::None, Fault::RandomBiased, Fault::PlayPanics] {
        let run = |seed| check(&game(fault), &Options { seed, ..Options::default() });
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}

#[test]
fn progress_rises_to_one() {
    let mut parts = Vec::new();
    let options = Options { walks: 10, seed: 1, samples: 100 };
    let report = check_with_progress(&game(Fault::None), &options, &mut |part| parts.push(part));
    assert!(report.passed(), "{report}");
    assert!(parts.is_sorted() && parts.len() > 10);
    assert_eq!((parts.first(), parts.last()), (Some(&0.0), Some(&1.0)));
}

#[test]
fn nothing_to_check_is_no_failure() {
    let none = Options { walks: 0, seed: 1, samples: 0 };
    assert!(check(&game(Fault::None), &none).passed());
    let over = Faulty { board: Board::parse("XXXOO.... O").unwrap(), ..game(Fault::None) };
    let report = check(&over, &Options::default());
    assert!(report.passed(), "{report}");
}

#[test]
fn a_report_is_one_line_a_law_and_then_the_failures() {
    let report = check(&game(Fault::SlotTooLarge), &Options::default());
    let text = report.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("200 walks, "), "{text}");
    assert!(lines[1].starts_with("ok   moves "), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("FAIL slots ")), "{text}");
    let failure = &lines[1 + report.laws.len()..];
    assert_eq!(
        failure,
        ["", "slots: the last move has slot 9, and there are 9", "  after c3"],
        "{text}"
    );
}
