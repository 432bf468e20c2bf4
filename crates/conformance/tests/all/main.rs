//! The conformance kit passes a right game, and finds every fault in a broken one.

mod board;
mod faults;
mod faulty;
mod guided;
mod hooks;
mod stories;
mod weights;

use std::collections::BTreeSet;

use board::Board;
use faults::{FAULTS, Fault};
use faulty::game;
use treegraft::{Game, Notation, Outcome, Playthrough, Side};
use treegraft_conformance::{Options, Report, check, check_with_evaluators};

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
    for &(fault, law) in FAULTS {
        // Only what is a matter of statistics needs much.
        let is_statistical = ["-uniform", "-frequency"].iter().any(|end| law.ends_with(end))
            || law.starts_with("playout")
            || law == "evaluation-view";
        let few = Options { walks: 60, samples: 500, ..Options::default() };
        let options = if is_statistical { Options::default() } else { few };
        let report = check(&game(fault), &options);
        assert_eq!(broken_laws(&report), [law], "{fault:?}\n{report}");
        let failure = report.laws.iter().find_map(|law| law.failure.as_ref()).unwrap();
        assert!(!failure.problem.is_empty());
        if law != "move-text" {
            // The moves named are moves of the right game, where they lead to the place.
            let mut board = Playthrough::new(game(Fault::None));
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
        let report = |seed| check(&game(fault), &Options { seed, ..Options::default() });
        assert_eq!(report(7), report(7));
        assert_ne!(report(7), report(8));
    }
}

#[test]
fn progress_rises_to_one() {
    let mut parts = Vec::new();
    let options = Options { walks: 10, seed: 1, samples: 100 };
    let report =
        check_with_evaluators(&game(Fault::None), &[], &options, &mut |part| parts.push(part));
    assert!(report.passed(), "{report}");
    assert!(parts.is_sorted() && parts.len() > 10);
    assert_eq!((parts.first(), parts.last()), (Some(&0.0), Some(&1.0)));
}

#[test]
fn nothing_to_check_is_no_failure() {
    let none = Options { walks: 0, seed: 1, samples: 0 };
    assert!(check(&game(Fault::None), &none).passed());
    let over = game(Fault::None).notation().parse_position("XXXOO.... O").unwrap();
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
