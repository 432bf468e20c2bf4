//! Players in unknown games: evaluations, endless games, turns that do not
//! alternate.

use treegraft::{Budget, Game, Knowledge, Notation, Outcome, Request, Side};

use treegraft_players::Registry;

use crate::common::{analyst, player, start, with_own_games};

#[test]
fn greedy_goes_by_its_evaluation_for_either_side() {
    for mover in [Side::First, Side::Second] {
        for (heap, best) in [(5, "1"), (6, "2"), (7, "3"), (3, "3"), (2, "2")] {
            let registry = with_own_games(heap, mover);
            let nim = start(&registry, "nim");
            let nim = nim.board();
            let mut greedy = analyst(&registry, "nim", "greedy");
            for seed in 0..5 {
                let report = greedy.search(nim, Request::new(Budget::default(), seed));
                let best_move = report.best_move.expect("a move");
                assert_eq!(nim.notation().move_text(best_move), best, "{nim:?}");
                assert_eq!(report.pv, [best_move]);
                assert!(report.value * mover.sign() as f64 > 0.0, "{report:?}");
                assert_eq!(report.moves.len(), usize::from(heap.min(3)));
            }
        }
    }
}

#[test]
fn greedy_and_random_leave_nothing_out() {
    let registry = with_own_games(9, Side::First);
    let nim = start(&registry, "nim");
    for text in ["greedy(eval=flat)", "random"] {
        let mut searcher = analyst(&registry, "nim", text);
        let mut counts = [0; 3];
        for seed in 0..3000 {
            let report = searcher.search(nim.board(), Request::new(Budget::default(), seed));
            counts[report.best_move.unwrap().0 as usize] += 1;
        }
        // 1000 each, standard deviation 26.
        assert!(counts.iter().all(|&n| (870..1130).contains(&n)), "{text} {counts:?}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let registry = with_own_games(0, Side::Second);
    let over = start(&registry, "nim");
    for text in ["greedy", "random", "mcts@10it,1MiB"] {
        let mut searcher = analyst(&registry, "nim", text);
        let report = searcher.search(over.board(), Request::new(Budget::iterations(10), 0));
        assert_eq!(report.best_move, None, "{text}");
        assert_eq!(report.proof, Some(Outcome::Win(Side::First)), "{text}");
        assert_eq!(report.value, 1.0, "{text}");
    }
}

#[test]
fn an_evaluation_that_the_game_lacks_is_refused() {
    let registry = with_own_games(9, Side::First);
    let made = |game: &str, text: &str| {
        registry.searcher(&start(&registry, game), &player(&registry, text)).map(|_| ())
    };
    let refused = |game: &str, text: &str| made(game, text).expect_err(text).to_string();
    let error = refused("nim", "ab(eval=fuors)@1s");
    assert_eq!(
        error,
        "player \"ab(eval=fuors)@1s\": eval is \"fuors\", which nim does not have (did you mean \
         fours?); expected fours or flat"
    );
    assert!(refused("nim", "greedy(eval=wpc)").contains("expected fours or flat"));
    assert!(refused("nim", "mcts-ic-e(eval=wpc)").contains("expected fours or flat"));
    for text in ["ab(eval=flat)", "ab", "ab(eval=none)", "mtd(f,eval=fours)", "mcts(ip,eval=flat)"]
    {
        assert_eq!(made("nim", text), Ok(()), "{text}");
    }
    for text in ["greedy", "mcts-ir-e", "mcts-ic-m", "mcts(ip)"] {
        let error = refused("shuttle", text);
        assert!(error.contains("shuttle has no evaluation to"), "{error}");
    }
    assert_eq!(made("shuttle", "mcts(expand-at=2)"), Ok(()));
    // A game with parameters is called by its name.
    let error = refused("tree:((1 2) (3 4))", "ab(eval=pieces)");
    assert!(error.contains("eval is \"pieces\", which tree does not have"), "{error}");
}

/// Positions are valued by the evaluation that was chosen: a good one needs no luck.
#[test]
fn informed_searches_go_by_their_evaluation() {
    let registry = with_own_games(30, Side::Second);
    let nim = start(&registry, "nim");
    let two = nim.board().notation().parse_move("2").expect("a legal move");
    for text in ["mcts-ir-e(ir=0)", "mcts-ic-e(ic=0)", "mcts-ip-e", "mcts-ip-m"] {
        let right = |eval: &str| {
            let text = text.strip_suffix(')').map_or_else(
                || format!("{text}(eval={eval},solver=off)"),
                |open| format!("{open},eval={eval},solver=off)"),
            );
            let mut searcher = analyst(&registry, "nim", &text);
            let mut best = |seed| {
                let request = Request::new(Budget::iterations(20), seed);
                searcher.search(nim.board(), request).best_move
            };
            (0..100).filter(|&seed| best(seed) == Some(two)).count()
        };
        let (good, flat) = (right("fours"), right("flat"));
        assert!(good >= 95 && flat < 75, "{text}: {good} {flat}");
    }
}

/// With one strategy, switching is that strategy, in every game.
#[test]
fn one_strategy_is_that_strategy() {
    let registry = Registry::standard();
    let mut compared = 0;
    for game in ["connect4", "breakthrough:5x5", "othello:6", "lion", "hex:4", "kalah:4,3", "loa"] {
        let start = start(&registry, game);
        let digest = |text: &str| {
            let mut analyst = registry.searcher(&start, &player(&registry, text)).ok()?;
            Some(analyst.search(start.board(), Request::new(Budget::iterations(60), 3)).digest)
        };
        let evaluations = start.board().knowledge().evaluators();
        let guided =
            evaluations.iter().map(|it| (it.name.to_string(), format!("ir=0,eval={}", it.name)));
        let others = [("random", "reuse=false"), ("hints", "playouts=hints"), ("mast", "mast=0.4")];
        let others = others.map(|(name, alone)| (name.to_owned(), alone.to_owned()));
        for (name, alone) in guided.chain(others) {
            for solver in ["solver=off", "solver=wins"] {
                let expected = digest(&format!("uct({solver},{alone})"));
                for more in ["", ",switch-sides", ",switch-band=2"] {
                    let text = format!("uct({solver},switch={name}{more})");
                    assert_eq!(digest(&text), expected, "{game} {text}");
                    compared += u32::from(expected.is_some());
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Sets of strategies are those that the board has; and a bandit explores, with RAVE too.
#[test]
fn sets_of_strategies_fit_the_board() {
    let registry = Registry::standard();
    for (game, strategies) in [("othello", 5), ("othello:6", 4), ("othello:4", 4), ("hex:7", 5)] {
        for text in ["uct(switch=all)", "uct(switch=all,rave)", "uct(switch=top3,grave)"] {
            let mut analyst = analyst(&registry, game, text);
            let start = start(&registry, game);
            let report = analyst.search(start.board(), Request::new(Budget::iterations(400), 3));
            let count = report.strategies.len();
            let expected = if text.contains("all") { strategies } else { count };
            assert!(count == expected && count >= 2, "{game} {text} {count}");
            let most = report.strategies.iter().map(|it| it.playouts).max();
            assert!(most < Some(398 - count as u64), "{game} {text} {most:?}");
        }
    }
}
