//! The best player, and the same made weaker on purpose.

use treegraft::{Budget, Game, GameInfo, Notation, Outcome, Request, Rng, Side, Speed};
use treegraft_players::{Best, GameEntry, Registry};

use crate::common::{Nim, analyst, board, player, start, with_own_games};

/// What it knows of wins that are far away does not keep it from one at hand.
#[test]
fn a_win_at_hand_is_taken() {
    let registry = with_own_games(9, Side::First);
    for game in ["connect4", "breakthrough:6x6", "othello:6", "lion", "hex:5", "kalah:4,3", "loa"] {
        let start = board(game);
        let mut at_hand = 0;
        for seed in 0..40 {
            let mut player = analyst(&registry, game, "best");
            let mut rng = Rng::new(seed);
            let mut position = start.clone();
            let me = if seed % 2 == 0 { Side::First } else { Side::Second };
            while position.outcome().is_none() {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let mut mv = moves[rng.below(moves.len() as u32) as usize];
                // The opponent moves at random, so that there is something to win.
                if position.to_move() == me {
                    let wins = |mv| {
                        let mut after = position.clone();
                        after.play(mv);
                        after.outcome() == Some(Outcome::Win(me))
                    };
                    let report = player.search(&position, Request::new(Budget::nodes(400), seed));
                    mv = report.best_move.expect("a move");
                    if moves.iter().any(|&mv| wins(mv)) {
                        at_hand += 1;
                        assert!(
                            wins(mv),
                            "{game}: {}",
                            position.notation().diagram(treegraft::Charset::Ascii)
                        );
                    }
                }
                position.play(mv);
            }
        }
        assert!(at_hand > 0, "{game}");
    }
}

#[test]
fn no_level_is_weaker_than_the_one_below() {
    let registry = with_own_games(9, Side::First);
    for game in registry.entries() {
        let name = game.info().name;
        for pair in game.best().levels.windows(2) {
            let (below, above) = (pair[0], pair[1]);
            assert!(above.nodes >= below.nodes, "{name} {pair:?}");
            assert!(above.random <= below.random, "{name} {pair:?}");
            assert_ne!(above, below, "{name}");
        }
    }
}

#[test]
fn a_level_visits_no_more_nodes_than_it_may() {
    let registry = with_own_games(9, Side::First);
    for game in ["connect4", "othello", "kalah"] {
        let start = start(&registry, game);
        for level in [1, 3, 6] {
            let limit = start.best().levels[level - 1].nodes;
            let mut player = analyst(&registry, game, &format!("best(level={level},random=0)"));
            let ask = |budget| Request::new(budget, 1);
            let report = player.search(start.board(), ask(Budget::default()));
            assert_eq!(report.work.nodes, limit, "{game}, level {level}");
            // The smaller limit counts.
            player.new_game();
            let report = player.search(start.board(), ask(Budget::nodes(10)));
            assert_eq!(report.work.nodes, 10, "{game}, level {level}");
        }
    }
}

#[test]
fn so_many_moves_are_drawn_at_random() {
    let registry = with_own_games(9, Side::First);
    let start = start(&registry, "connect4");
    for (text, random) in [
        ("best(random=1000)", 1000..=1000),
        ("best(random=250)", 200..=300),
        ("best(random=0)", 0..=0),
        ("best", 0..=0),
        ("best(level=10)", 0..=0),
        ("best(level=10,random=500)", 440..=560),
    ] {
        let mut player = analyst(&registry, "connect4", text);
        let searched = (0..1000).filter(|&seed| {
            let report = player.search(start.board(), Request::new(Budget::nodes(20), seed));
            report.work.nodes > 0
        });
        let drawn = 1000 - searched.count();
        assert!(random.contains(&drawn), "{text}: {drawn}");
    }
}

/// Trees and guarantees are about the position of the last search, also where that has none.
#[test]
fn what_is_shown_is_about_the_last_search() {
    let registry = with_own_games(9, Side::First);
    for game in ["connect4:4x4", "tree:((3 5) (2 9))", "breakthrough:5x5", "nim"] {
        let start = start(&registry, game);
        let ask = |seed| Request::new(Budget::nodes(200), seed);
        let mut finished = start.board().clone();
        let mut rng = Rng::new(1);
        while finished.outcome().is_none() {
            let mv = finished.speed().random_move(&mut rng, &mut Vec::new());
            finished.play(mv);
        }
        for label in registry.players() {
            let Ok(player) = registry.player(label.label) else { continue };
            let Ok(mut analyst) = registry.searcher(&start, &player) else { continue };
            analyst.search(start.board(), ask(1));
            let report = analyst.search(&finished, ask(2));
            let name = label.label;
            assert!(report.best_move.is_none(), "{game}: {name}");
            assert!(analyst.guarantee().is_none(), "{game}: {name}");
            assert!(analyst.tree(3, 3).is_none_or(|it| it.children.is_empty()), "{game}: {name}");
        }
        // Without a level of its own, the best player of a game is one that grows a tree.
        let mut analyst = analyst(&registry, game, "best(random=500)");
        let (mut drawn, mut shown) = (0, 0);
        for seed in 0..20 {
            let is_drawn = analyst.search(start.board(), ask(seed)).work.nodes == 0;
            drawn += u32::from(is_drawn);
            shown += u32::from(analyst.tree(1, 1).is_some());
            assert!(!is_drawn || analyst.tree(1, 1).is_none(), "{game}: {seed}");
        }
        assert!(drawn > 0 && (shown > 0 || game != "nim"), "{game}: {drawn} {shown}");
    }
}

/// Games say it when they are registered: own ones as the built-in ones.
#[test]
fn a_game_says_what_best_stands_for() {
    let mut registry = Registry::standard();
    for game in registry.entries() {
        let Best { player: best, otherwise, .. } = *game.best();
        let is_own = best != Best::USUAL.player;
        assert_eq!(is_own, game.info().name != "tree", "{}", game.info().name);
        let _ = [best, otherwise].map(|text| player(&registry, text));
    }
    let nim = GameInfo::new("nim", "Take one, two or three.");
    let best = Best::new("ab(eval=nobody)", "ab(depth=3)").with_levels([(7, 0); 10]);
    let entry = GameEntry::new(nim, Nim { heap: 9, mover: Side::First });
    registry.add_game(entry.with_best(best)).expect("a new name");
    let nodes = |text| {
        let start = start(&registry, "nim");
        let mut analyst = analyst(&registry, "nim", text);
        analyst.search(start.board(), Request::default()).work.nodes
    };
    assert_eq!(nodes("best"), nodes("ab(depth=3)"));
    assert_eq!(nodes("best(level=1)"), 7);
}
