//! Score-bounded rollouts prove the exact margin, by brute force.

use treegraft::rollout::{Config, Expand, Rollout, Select, Solver};
use treegraft::{Budget, Exactness, Game, Request, Searcher, Side, Speed};
use treegraft_games::othello::Empties;
use treegraft_games::tree::{Leaves, SyntheticTree};
use treegraft_games::{Kalah, Othello};

fn minimax<G: Game>(position: &G) -> i64 {
    if let Some(margin) = position.exactness().margin() {
        return margin;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv);
        minimax(&next)
    });
    match position.to_move() {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
    .expect("a move")
}

fn check<G: Game>(position: &G) {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    if moves.len() < 2 {
        // Nothing to choose: the search stops before it has proven anything.
        return;
    }
    let margin = minimax(position);
    for expand in [Expand::One, Expand::All] {
        for select in [Select::Ucb1, Select::Ucb1Tuned] {
            let config = Config { solver: Solver::Margins, expand, select, ..Config::default() };
            let budget = Budget { memory: Some(8 << 20), ..Budget::iterations(200_000) };
            let report = Rollout::new(config).unwrap().search(position, Request::new(budget, 1));
            assert_eq!(report.margin, Some(margin), "{position:?} {config:?}");
            let end = report.pv.iter().fold(position.clone(), |mut at, &mv| {
                at.play(mv);
                at
            });
            assert_eq!(end.exactness().margin(), Some(margin), "{:?}", report.pv);
        }
    }
}

#[test]
fn margins_of_random_trees_are_proven() {
    for seed in 0..150 {
        let tree = SyntheticTree::new(3, 5, Leaves::Range(-9, 9), seed).expect("a tree");
        check(&tree);
        check(&tree.irregular());
        check(&SyntheticTree::new(2, 6, Leaves::UNIFORM, seed).expect("a tree"));
    }
}

#[test]
fn margins_of_small_boards_are_proven() {
    for (houses, stones) in [(1, 3), (2, 1), (2, 2), (3, 1)] {
        check(&Kalah::new(houses, stones, true).expect("a board"));
    }
    // The last moves of random games.
    let mut rng = treegraft::Rng::new(5);
    for _ in 0..30 {
        let mut game = treegraft::Playthrough::new(Othello::new(8).expect("a board"));
        while game.position().outcome().is_none() {
            let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
            game.play(mv);
        }
        for _ in 0..6 {
            game.undo();
        }
        check(game.position());
        check(&game.position().with_empties(Empties::Winner));
    }
}
