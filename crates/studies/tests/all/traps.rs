//! Traps against brute force, and studies of traps that can be repeated, resumed and worked out by
//! hand.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::{Game, Outcome, Playthrough, Rng, Side, Speed};
use treegraft_games::{AnyGame, Visitor};
use treegraft_players::{ExplainedTrap, TrapMove, TrapSearch, explain_traps};
use treegraft_studies::traps::{
    Levels, TrapError, TrapFile, TrapGame, TrapStudy, TrapSummary, study_traps, trap_plots,
    trap_tables,
};
use treegraft_studies::{GamesError, Watch};

use crate::common::{player, registry, start};

// -------------------------------------------------------------------- brute force

fn children<G: Game>(position: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let after = |mv: G::Move| {
        let mut child = position.clone();
        child.play(mv);
        (mv, child)
    };
    moves.into_iter().map(after).collect()
}

/// Plies until `loser` has lost: as long as the loser can make it last, as short as the other side
/// can; `None` if that is more than `max`, or does not happen.
fn plies_to_loss<G: Game>(position: &G, loser: Side, max: u32) -> Option<u32> {
    if let Some(outcome) = position.outcome() {
        return (outcome == Outcome::Win(loser.other())).then_some(0);
    }
    let left = max.checked_sub(1)?;
    let all = children(position).into_iter().map(|(_, child)| plies_to_loss(&child, loser, left));
    let all: Vec<Option<u32>> = all.collect();
    let plies = match position.to_move() == loser {
        // One move that does not lose is enough.
        true => all.into_iter().collect::<Option<Vec<u32>>>()?.into_iter().max(),
        false => all.into_iter().flatten().min(),
    };
    plies.map(|plies| plies + 1)
}

/// Looks at positions of random games, of their last `endings` plies only.
struct Compare {
    games: u64,
    endings: usize,
    max_level: u32,
}

impl Visitor for Compare {
    /// Positions and traps.
    type Output = (usize, usize);

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> (usize, usize) {
        let mut search = TrapSearch::new(None);
        let (mut positions, mut found) = (0, 0);
        for seed in 0..self.games {
            let mut rng = Rng::new(seed);
            let mut game = Playthrough::new(start.clone());
            let mut all = Vec::new();
            while game.ending().is_none() {
                all.push(game.position().clone());
                let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
                game.play(mv);
            }
            for at in &all[all.len().saturating_sub(self.endings)..] {
                let mover = at.to_move();
                let level = |child: &G| plies_to_loss(child, mover, self.max_level);
                let expected: Vec<_> = children(at)
                    .iter()
                    .filter_map(|(mv, child)| Some(TrapMove { mv: *mv, level: level(child)? }))
                    .collect();
                let traps = search.find(at, self.max_level);
                assert_eq!(traps, expected, "{at:?}");
                traps.iter().for_each(|&trap| is_refuted(&mut search, at, trap));
                positions += 1;
                found += traps.len();
            }
        }
        (positions, found)
    }
}

/// The refutation is a line of legal moves, as long as the level says, in which the winner's moves
/// keep winning in time and the loser's last as long as possible.
fn is_refuted<G: Game>(
    search: &mut TrapSearch<'_, G::Move>,
    position: &G,
    trap: TrapMove<G::Move>,
) {
    let loser = position.to_move();
    let line = search.refutation(position, trap);
    assert_eq!(line.len(), trap.level as usize, "{position:?} {trap:?}: {line:?}");
    let mut at = position.clone();
    at.play(trap.mv);
    for (mv, left) in line.into_iter().zip((0..trap.level).rev()) {
        let next = children(&at).into_iter().find(|&(legal, _)| legal == mv);
        at = next.expect("a legal move").1;
        assert_eq!(plies_to_loss(&at, loser, left), Some(left), "{position:?} {trap:?}");
    }
    assert_eq!(at.outcome(), Some(Outcome::Win(loser.other())));
}

#[test]
fn traps_are_those_of_brute_force() {
    // (game, random games, plies from the end, level)
    let cases = [
        ("connect4", 60, 6, 4),
        ("connect4:5x4", 60, 20, 5),
        ("breakthrough:4x5", 60, 20, 3),
        ("breakthrough:6x6", 20, 5, 3),
        ("breakthrough:3x4", 60, 12, 5),
        ("othello:4", 100, 9, 7),
        ("othello", 40, 6, 5),
        ("lion", 100, 8, 3),
        ("kalah:3,2", 100, 12, 5),
        ("kalah", 40, 8, 4),
        ("hex:3", 50, 8, 5),
        ("tree:branching=3,height=8,traps=0.1", 100, 8, 5),
        ("tree:branching=3,height=8,traps=0.1,trap-depth=3", 100, 8, 5),
    ];
    let mut all = 0;
    for (text, games, endings, max_level) in cases {
        let game = AnyGame::parse(text).unwrap();
        let found = game.visit(Compare { games, endings, max_level });
        assert!(found.0 >= 100 && found.1 >= 150, "{text}: {found:?}");
        all += found.0;
    }
    assert!(all > 7000, "{all}");
}

// -------------------------------------------------------------------- by hand

struct Explain {
    moves: &'static str,
    max_level: u32,
}

impl Visitor for Explain {
    /// `move/level/refutation`.
    type Output = Vec<String>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<String> {
        let mut game = Playthrough::new(start);
        game.play_text(self.moves).unwrap();
        let traps = explain_traps(game.position(), self.max_level, 10, 0, None);
        traps.iter().map(in_words).collect()
    }
}

fn explained(game: &str, moves: &'static str, max_level: u32) -> Vec<String> {
    let traps = AnyGame::parse(game).unwrap().visit(Explain { moves, max_level });
    // A board says the same.
    let mut game = start(game).playthrough();
    game.play_text(moves).unwrap();
    let of_board = game.position().explain_traps(max_level, 10, 0, None);
    assert_eq!(of_board.iter().map(in_words).collect::<Vec<_>>(), traps);
    traps
}

/// `move/level/refutation`.
fn in_words(trap: &ExplainedTrap) -> String {
    format!("{}/{}/{}", trap.mv, trap.level, trap.refutation.join(" "))
}

/// X has columns 4 and 5 of the lowest row. With 3 or 6 she has three in a row with both ends open,
/// unless O takes one of these two first: 3 and 6 are the only moves that are no traps.
#[test]
fn connect4_by_hand() {
    let traps = explained("connect4", "445", 3);
    assert_eq!(traps, ["1/3/3 1 2", "2/3/6 1 3", "4/3/3 1 2", "5/3/3 1 2", "7/3/3 1 2"]);
    assert_eq!(explained("connect4", "445", 2), [""; 0]);
    // X has 3, 4 and 5: whatever O does, X wins at once.
    let lost = explained("connect4", "44553", 7);
    assert_eq!(lost.len(), 7);
    assert!(lost.iter().all(|trap| trap.contains("/1/")), "{lost:?}");
}

/// Losses by one's own move, at the root and behind the opponent's reply: the even levels.
#[test]
fn trees_by_hand() {
    assert_eq!(explained("tree:((-1 5) (3 4))", "", 7), ["1/1/1"]);
    assert_eq!(explained("tree:((-1 5) (3 4))", "2", 7), ["1/0/", "2/0/"]);
    assert_eq!(explained("tree:(((-1 -2) 7) 0)", "", 1), [""; 0]);
    assert_eq!(explained("tree:(((-1 -2) 7) 0)", "", 2), ["1/2/1 1"]);
    // A way out, or a draw, is no loss.
    assert_eq!(explained("tree:(((-1 0) 7) 0)", "", 7), [""; 0]);
}

fn study(game: &str, by: &str, games: u32, levels: &str) -> TrapStudy {
    TrapStudy {
        start: start(game),
        player: player(by),
        games,
        seed: 7,
        jobs: 1,
        levels: levels.parse().unwrap(),
        playouts: 100,
    }
}

fn games_of(study: &TrapStudy) -> Vec<TrapGame> {
    study_traps(registry(), study, None, Watch::default()).unwrap()
}

/// At the root, move 1 is a trap of level 1, from which a random reply escapes half the time; after
/// it Min loses with one of two moves, after move 2 with both.
#[test]
fn a_study_by_hand() {
    let study = study("tree:((-1 5) (3 4))", "random", 40, "0..1");
    let games = games_of(&study);
    let after_1 = games.iter().filter(|game| game.moves.starts_with('1')).count() as f64;
    assert!((8.0..=32.0).contains(&after_1), "{after_1}");
    let (all, after_2) = (40.0, 40.0 - after_1);
    let summary = TrapSummary::new(registry(), study.header(), &games).unwrap();
    assert_eq!((summary.games, summary.positions, summary.sides), (40, 80, ["Max", "Min"]));
    assert_eq!((summary.length.mean, summary.length.error), (2.0, Some(0.0)));
    assert_eq!(summary.branching.mean, 2.0);
    let wins = games.iter().filter(|game| game.moves != "1 1").count();
    assert_eq!(summary.outcomes.wins as usize, wins);
    let [suicides, level_1] = &summary.levels_found[..] else { panic!("two levels") };
    let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
    close(suicides.number.mean, (after_1 + 2.0 * after_2) / 80.0);
    close(suicides.density.mean, 0.5);
    assert_eq!(suicides.traps as f64, after_1 + 2.0 * after_2);
    assert_eq!(suicides.difficulty.map(|difficulty| difficulty.mean), Some(0.0));
    close(level_1.number.mean, (all + after_1 + 2.0 * after_2) / 80.0);
    close(level_1.density.mean, 1.0);
    // 40 traps with 100 playouts each, all others with a difficulty of 0: within five standard
    // errors.
    let difficulty = level_1.difficulty.unwrap().mean * level_1.traps as f64 / all;
    assert!((difficulty - 0.5).abs() < 5.0 * (0.25f64 / 4000.0).sqrt(), "{difficulty}");
    // The density is that of the lowest level.
    let plies: Vec<_> =
        summary.plies.iter().map(|p| (p.ply, p.side, p.positions, p.trapped)).collect();
    assert_eq!(plies, [(1, 0, 40, 0), (2, 1, 40, 40)]);
    // The interval of the number of suicides is that of a mean over games: 1 or 2 in 2 positions.
    let p = after_2 / all;
    let error = suicides.number.error.unwrap();
    let expected = 2.0227 * (p * (1.0 - p) / 39.0).sqrt() / 2.0;
    // There are four different games, and not all were played equally often.
    assert!((2.0..=4.0).contains(&summary.worth), "{}", summary.worth);
    let expected = expected * (all / summary.worth).sqrt();
    assert!((error - expected).abs() < 1e-4, "{error} {expected}");
}

#[test]
fn extra_turns_count_for_whoever_moves() {
    let study = study("kalah:3,2", "random", 20, "0..4");
    let games = games_of(&study);
    let twice = |game: &TrapGame| game.positions.windows(2).any(|two| two[0].side == two[1].side);
    assert!(games.iter().any(twice), "nobody moved twice");
    let summary = TrapSummary::new(registry(), study.header(), &games).unwrap();
    let both = |ply: u32| summary.plies.iter().filter(|at| at.ply == ply).count() == 2;
    assert!((2..8).any(both), "{:?}", summary.plies);
    assert_eq!(trap_tables(std::slice::from_ref(&summary)).len(), 3);
    assert_eq!(trap_plots(&[summary.clone(), summary]).len(), 4);
}

// -------------------------------------------------------------------- the file

/// A file that is gone when the test is over.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traps-{name}.jsonl"));
        let _ = std::fs::remove_file(&path);
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn quick() -> TrapStudy {
    study("connect4:5x4", "mcts-solver@20it", 12, "1..5")
}

#[test]
fn the_result_does_not_depend_on_the_jobs() {
    let one = games_of(&quick());
    assert_eq!(one.len(), 12);
    assert_eq!(games_of(&TrapStudy { jobs: 2, ..quick() }), one);
    assert_ne!(games_of(&TrapStudy { seed: 8, ..quick() }), one);
    // Games are numbered: more of them are the same and some more.
    assert_eq!(games_of(&TrapStudy { games: 5, ..quick() }), one[..5]);
}

#[test]
fn a_file_that_was_cut_off_anywhere_is_gone_on_with() {
    let file = Temporary::new("cut");
    let kept = |study: &TrapStudy| {
        study_traps(registry(), study, Some(&file.0), Watch::default()).unwrap()
    };
    let expected = games_of(&quick());
    assert_eq!(kept(&quick()), expected);
    let whole = std::fs::read(&file.0).unwrap();
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 13);
    // The games are there: nothing is played or written.
    assert_eq!(kept(&quick()), expected);
    assert_eq!(std::fs::read(&file.0).unwrap(), whole);
    let (header, games) = TrapFile::read(&file.0).unwrap();
    assert_eq!((header, games), (quick().header(), expected.clone()));
    for part in 0..24 {
        std::fs::write(&file.0, &whole[..whole.len() * part / 24]).unwrap();
        assert_eq!(kept(&quick()), expected, "{part}");
        assert_eq!(std::fs::read(&file.0).unwrap(), whole, "{part}");
    }
    assert_eq!(kept(&TrapStudy { games: 3, ..quick() }), expected[..3]);
}

#[test]
fn a_study_that_was_cancelled_is_gone_on_with() {
    let file = Temporary::new("cancel");
    // More than can be over while a slow disk is waited for.
    let quick = || TrapStudy { games: 40, ..quick() };
    let expected = games_of(&quick());
    let cancel = AtomicBool::new(false);
    let stop = |done: u64| cancel.store(done >= 3, Ordering::Relaxed);
    let watch = Watch { progress: Some(&stop), cancel: Some(&cancel) };
    let some = study_traps(registry(), &quick(), Some(&file.0), watch).unwrap();
    // Perhaps some more were over by then.
    assert!((3..40).contains(&some.len()), "{}", some.len());
    assert_eq!(some, expected[..some.len()]);
    assert_eq!(
        study_traps(registry(), &quick(), Some(&file.0), Watch::default()).unwrap(),
        expected
    );
}

#[test]
fn files_of_something_else_are_refused_and_left_alone() {
    let file = Temporary::new("other");
    let refused = |study: &TrapStudy| {
        let before = std::fs::read(&file.0).unwrap();
        let error = study_traps(registry(), study, Some(&file.0), Watch::default()).unwrap_err();
        assert!(matches!(error, TrapError::File(_)), "{error}");
        assert_eq!(std::fs::read(&file.0).unwrap(), before);
        error.to_string()
    };
    for text in ["A diary", "A diary\n", "{\"traps\":1}\n", "\n", "caf\u{e9}"] {
        std::fs::write(&file.0, text).unwrap();
        assert!(refused(&quick()).contains("line 1"), "{text}");
    }
    std::fs::remove_file(&file.0).unwrap();
    study_traps(registry(), &quick(), Some(&file.0), Watch::default()).unwrap();
    for (other, words) in [
        (TrapStudy { seed: 8, ..quick() }, "seed 7, not 8"),
        (TrapStudy { playouts: 99, ..quick() }, "playouts 100, not 99"),
        (TrapStudy { levels: Levels::default(), ..quick() }, "levels 1..5, not 3..7"),
        (TrapStudy { player: player("random"), ..quick() }, "not random"),
        (TrapStudy { start: start("connect4"), ..quick() }, "not connect4;"),
    ] {
        let error = refused(&other);
        assert!(error.contains(words), "{error}");
    }
    let text = std::fs::read_to_string(&file.0).unwrap();
    std::fs::write(&file.0, text.replacen("\"outcome\"", "\"outcrop\"", 3)).unwrap();
    assert!(refused(&quick()).contains("line 2"));
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder/traps.jsonl");
    let error = study_traps(registry(), &quick(), Some(&nowhere), Watch::default()).unwrap_err();
    assert!(error.to_string().contains("no-such-folder"), "{error}");
}

/// A player that the game cannot serve, before anything is played or written.
#[test]
fn players_without_an_evaluation_are_refused() {
    let file = Temporary::new("player");
    let greedy = study("tree:height=4", "greedy", 2, "3");
    let error = study_traps(registry(), &greedy, Some(&file.0), Watch::default()).unwrap_err();
    assert!(matches!(error, TrapError::Games(GamesError::Player(_))), "{error}");
    assert!(!file.0.exists());
    assert!(
        TrapSearch::new(None).find(&treegraft_games::Connect4::new(7, 6).unwrap(), 5).is_empty()
    );
}
