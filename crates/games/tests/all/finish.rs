//! The search to the end of the game (`finish`), in Connect-4.

use treegraft::depth_first::{Config, DepthFirst, Selective, solver_config};
use treegraft::{Budget, Game, Outcome, Report, Request, Rng, Searcher};
use treegraft_games::connect4::Connect4;

/// Unfinished positions of random games on a small board.
fn positions(games: u32) -> Vec<Connect4> {
    let (mut positions, mut rng) = (Vec::new(), Rng::new(5));
    for _ in 0..games {
        let mut position = Connect4::new(5, 4).expect("a board");
        while position.outcome().is_none() {
            positions.push(position);
            let mv = position.random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
    }
    positions
}

fn search(position: &Connect4, finish: Option<u32>, nodes: u64) -> Report<u8> {
    let selective =
        Selective { lmr: Some(60), unknown_reduction: true, finish, ..Selective::default() };
    let config = Config { glance: true, selective, ..Config::default() };
    let evaluator = position.evaluators().swap_remove(0);
    let request = Request::new(Budget::nodes(nodes), 0);
    DepthFirst::new(config, Some(evaluator)).search(position, request)
}

#[test]
fn no_game_takes_more_plies_than_are_left() {
    let mut is_full = false;
    for position in positions(300) {
        let left = position.plies_left().expect("Connect-4 tells it");
        let (mut end, mut plies) = (position, 0);
        let mut rng = Rng::new(u64::from(left));
        while end.outcome().is_none() {
            let mv = end.random_move(&mut rng, &mut Vec::new());
            end.play(mv);
            plies += 1;
        }
        assert!(plies <= left, "{position:?}");
        is_full |= plies == left && plies > 5;
    }
    assert!(is_full, "some games fill the board");
}

/// Stopped or not, what it has proven is so, and it plays no move that it has proven to be lost while
/// there are others; and it proves more than iterations do.
#[test]
fn a_search_to_the_end_proves_what_is_so_and_plays_what_it_has_not_refuted() {
    let (mut proven, mut proven_without, mut refuted) = (0, 0, 0);
    for (position, i) in positions(60).iter().zip(0..) {
        let nodes = [100, 300, 1000, 2000][i % 4];
        let report = search(position, Some(30), nodes);
        proven_without += u32::from(search(position, None, nodes).proof.is_some());
        let mover = position.to_move();
        let lost = Some(Outcome::Win(mover.other()));
        let loses = |mv| report.moves.iter().any(|it| it.mv == mv && it.proof == lost);
        let is_lost = report.moves.iter().all(|it| it.proof == lost);
        if let Some(best) = report.best_move {
            assert!(!loses(best) || is_lost || report.proof == lost, "{position:?} {report:?}");
        }
        refuted += u32::from(report.proof.is_none() && report.moves.iter().any(|it| loses(it.mv)));
        if let Some(outcome) = report.proof {
            let solved =
                DepthFirst::new(solver_config(position), None).search(position, Request::default());
            assert_eq!(Some(outcome), solved.proof, "{position:?}");
            proven += 1;
        }
    }
    assert!(proven > proven_without + 10, "{proven} {proven_without}");
    assert!(refuted > 20, "{refuted}");
}
