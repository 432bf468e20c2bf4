//! Connect-4: what the game says about its end, against brute force.

use std::collections::HashMap;

use treegraft::{Exactness, Game, Knowledge, Outcome, Rng};
use treegraft_games::Connect4;

/// Values for the side to move, by looking at everything once.
#[derive(Default)]
struct Truth(HashMap<Connect4, i64>);

impl Truth {
    fn value(&mut self, board: &Connect4) -> i64 {
        match board.outcome() {
            Some(Outcome::Draw) => return 0,
            Some(_) => return -1,
            None => {}
        }
        if let Some(&value) = self.0.get(board) {
            return value;
        }
        let value = moves(board)
            .into_iter()
            .map(|column| -self.value(&after(board, column)))
            .max()
            .expect("a move");
        self.0.insert(*board, value);
        value
    }
}

fn moves(board: &Connect4) -> Vec<u8> {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    moves
}

fn after(board: &Connect4, column: u8) -> Connect4 {
    let mut after = *board;
    after.play(column);
    after
}

/// Numbers of answers: by whether they were found without a search, by question and by answer.
#[derive(Default)]
struct Told([[[u32; 2]; 2]; 2]);

impl Told {
    /// Asks every question about an unfinished position.
    fn ask(&mut self, truth: &mut Truth, board: &Connect4) {
        let value = truth.value(board);
        for least in [0, 1] {
            for plies in [0, 4, u32::MAX] {
                for all in [0, 1, 20, u64::MAX] {
                    let mut nodes = all;
                    let Some(told) = board.exactness().ending(plies, least, &mut nodes) else {
                        continue;
                    };
                    assert_eq!(told, value >= least, "{board:?}: {least}, {plies}, {all}");
                    let without_search = usize::from(nodes == all);
                    self.0[without_search][least as usize][usize::from(told)] += 1;
                }
            }
        }
    }

    fn is_complete(&self, least: u32) -> bool {
        self.0.iter().flatten().flatten().all(|&count| count >= least)
    }
}

#[test]
fn endings_of_all_positions_of_a_small_board_are_told_truly() {
    let start = Connect4::new(4, 4).expect("a board");
    let (mut truth, mut told) = (Truth::default(), Told::default());
    truth.value(&start);
    let all: Vec<Connect4> = truth.0.keys().copied().collect();
    assert!(all.len() > 100_000);
    for board in all {
        told.ask(&mut truth, &board);
    }
    assert!(told.is_complete(100), "{:?}", told.0);
}

/// The last positions of random games: at most `most_empty` empty cells, and the game goes on.
fn late_positions(
    (width, height): (u32, u32),
    most_empty: u32,
    games: u64,
) -> impl Iterator<Item = Connect4> {
    let start = Connect4::new(width, height).expect("a board");
    (0..games).flat_map(move |seed| {
        let mut rng = Rng::new(seed);
        let (mut board, mut positions) = (start, Vec::new());
        while board.outcome().is_none() {
            if board.knowledge().plies_left().is_some_and(|plies| plies <= most_empty) {
                positions.push(board);
            }
            // Moves that do not end the game, so that many games come to a late position.
            let mut columns = moves(&board);
            columns.retain(|&column| after(&board, column).outcome().is_none());
            if columns.is_empty() {
                break;
            }
            board.play(columns[rng.below(columns.len() as u32) as usize]);
        }
        positions
    })
}

fn check_late_positions(most_empty: u32, games: u64, at_least: u32) {
    // Columns of even and odd heights, many of them and few.
    for size in [(7, 6), (8, 7), (6, 5), (4, 7), (9, 4), (12, 3), (5, 8)] {
        let (mut truth, mut told) = (Truth::default(), Told::default());
        for board in late_positions(size, most_empty, games) {
            told.ask(&mut truth, &board);
            if truth.0.len() > 4_000_000 {
                truth.0.clear();
            }
        }
        assert!(told.is_complete(at_least), "{size:?} {:?}", told.0);
    }
}

#[test]
fn endings_of_late_positions_are_told_truly() {
    check_late_positions(11, 200, 1);
}

#[test]
#[ignore = "minutes: cargo xtask test-long"]
fn endings_of_many_late_positions_are_told_truly() {
    check_late_positions(14, 1000, 20);
}
