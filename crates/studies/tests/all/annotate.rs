//! Nothing is called proven that is not, and what can be proven is found.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use treegraft::depth_first::solver_config;
use treegraft::{Budget, Game, Outcome, Playthrough, Request, Rng, Side, legal_moves};
use treegraft_engine::Proof;
use treegraft_lab::{Pair, PairPlayer};
use treegraft_players::{Analyst, Board, DepthFirstOptions, Eval, Player, Search, Start};
use treegraft_studies::annotate::{
    Annotate, AnnotateError, AnnotateWatch, Annotation, BLUNDER, Decision, Mark, Source, annotate,
};

use crate::common::{player, registry, start};

/// Games that can be solved from the start.
const SMALL: [&str; 6] =
    ["connect4:5x4", "breakthrough:4x5", "hex:4", "othello:4", "kalah:3,2", "breakthrough:5x4"];

/// The truth about positions, by plain minimax where that is quick and by the solver elsewhere.
struct Truth {
    solver: Analyst,
    known: HashMap<Board, i64>,
}

impl Truth {
    fn new(start: &Start) -> Truth {
        let config = solver_config(start.board());
        let search = Search::DepthFirst(DepthFirstOptions { config, eval: Eval::Nothing });
        let player = Player { search, budget: Budget::default() };
        let solver = registry().searcher(start, &player).expect("a solver");
        Truth { solver, known: HashMap::new() }
    }

    /// The outcome with best play.
    fn of(&mut self, position: &Board) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let request = Request::new(Budget::default(), 0);
        let proof = self.solver.search(position, request).proof.expect("small games are solved");
        if let Some(value) = self.minimax(position, &mut 5000) {
            assert_eq!(value, proof.value(), "{position:?}");
        }
        proof
    }

    /// The value by plain minimax, if so few positions are enough.
    fn minimax(&mut self, position: &Board, left: &mut u32) -> Option<i64> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.value());
        }
        if let Some(&value) = self.known.get(position) {
            return Some(value);
        }
        *left = left.checked_sub(1)?;
        let sign = position.to_move().sign();
        let mut best = -1;
        for mv in legal_moves(position) {
            let mut child = position.clone();
            child.play(mv);
            best = best.max(sign * self.minimax(&child, left)?);
        }
        self.known.insert(position.clone(), sign * best);
        Some(sign * best)
    }
}

fn random_game(start: &Start, seed: u64) -> Playthrough<Board> {
    let mut rng = Rng::new(seed);
    let mut game = start.playthrough();
    while let Some(&mv) = rng.draw_from(&game.legal_moves()) {
        game.play(mv);
    }
    game
}

fn positions(game: &Playthrough<Board>) -> Vec<Board> {
    let mut all = vec![game.start().clone()];
    for &mv in game.moves() {
        let mut next = all[all.len() - 1].clone();
        next.play(mv);
        all.push(next);
    }
    all
}

/// What decided a game whose positions are known.
fn true_decision(truth: &[Outcome], movers: &[Side]) -> Decision {
    let Some(winner) = truth[truth.len() - 1].winner() else { return Decision::NoLoser };
    let lost = |at: usize| truth[at] == Outcome::Win(winner);
    let plies = (0..movers.len()).rev();
    match plies.into_iter().find(|&at| movers[at] != winner && !lost(at)) {
        Some(ply) => Decision::Move { ply, is_proven: true },
        None => Decision::FromTheStart { is_proven: true },
    }
}

fn look(game: &Playthrough<Board>, start: &Start, with: &Annotate) -> Annotation {
    annotate(registry(), start, game, with, AnnotateWatch::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Compares everything that is called proven with the truth.
fn check_proofs(annotation: &Annotation, truth: &[Outcome], all: &[Board]) {
    let movers: Vec<Side> = all[..all.len() - 1].iter().map(Game::to_move).collect();
    for mv in &annotation.moves {
        let [before, after] = [mv.ply, mv.ply + 1].map(|at| Proof::of(truth[at], mv.side));
        assert!(mv.proof_before.is_none_or(|proof| proof == before), "{mv:?}");
        assert!(mv.proof_after.is_none_or(|proof| proof == after), "{mv:?}");
        if mv.is_proven() {
            let value = |proof| [1.0, 0.5, 0.0][proof as usize];
            assert_eq!(mv.loss, value(before) - value(after), "{mv:?}");
            assert_eq!(mv.mark.is_some(), mv.loss > 0.0);
            assert!(mv.mark.is_none_or(|mark| mark == Mark::Blunder), "half a point at least");
        }
        if let Some(trap) = &mv.trap {
            assert_eq!(after, Proof::Loss, "{mv:?}");
            let mut game = Playthrough::new(all[mv.ply + 1].clone());
            game.play_text(&trap.refutation.join(" ")).expect("legal moves");
            assert_eq!(game.position().outcome(), Some(Outcome::Win(mv.side.other())), "{mv:?}");
            assert_eq!(trap.refutation.len(), trap.level as usize);
        }
        assert!(mv.loss >= 0.0 && mv.loss <= 1.0);
        assert_eq!(Mark::of(mv.loss), mv.mark);
    }
    let expected = true_decision(truth, &movers);
    match annotation.decision {
        Decision::Move { is_proven: true, .. } | Decision::FromTheStart { is_proven: true } => {
            assert_eq!(annotation.decision, expected);
        }
        Decision::NoLoser => assert_eq!(expected, Decision::NoLoser),
        _ => assert_ne!(expected, Decision::NoLoser),
    }
}

#[test]
fn nothing_is_called_proven_that_is_not() {
    let mut decided = 0;
    for (index, name) in SMALL.into_iter().enumerate() {
        let start = start(name);
        let mut truth = Truth::new(&start);
        for seed in 0..6 {
            let game = random_game(&start, 100 * index as u64 + seed);
            if game.ending().is_none_or(|ending| game.position().outcome() != Some(ending.outcome))
            {
                continue;
            }
            let all = positions(&game);
            let outcomes: Vec<Outcome> = all.iter().map(|position| truth.of(position)).collect();
            let movers: Vec<Side> = all[..all.len() - 1].iter().map(Game::to_move).collect();
            for (text, solve_nodes) in [
                ("mcts-solver@60it", 0),
                ("mcts-solver@300it", 200),
                ("ab@300nodes", 0),
                ("mcts@50it", 2000),
                ("fsss@500nodes", 0),
                ("mcts-mr-2@40it", 0),
                // Everything can be solved.
                ("mcts@20it", 100_000_000),
            ] {
                let with = Annotate { seed, solve_nodes, ..Annotate::new(player(text)) };
                let annotation = look(&game, &start, &with);
                assert!(annotation.is_complete && annotation.moves.len() == game.moves().len());
                check_proofs(&annotation, &outcomes, &all);
                if solve_nodes == 100_000_000 {
                    let open = annotation.moves.iter().find(|mv| !mv.is_proven());
                    assert_eq!(open, None, "{name} {seed} {:?}", game.move_texts());
                    assert_eq!(annotation.decision, true_decision(&outcomes, &movers), "{name}");
                    decided += usize::from(matches!(annotation.decision, Decision::Move { .. }));
                }
            }
        }
    }
    assert!(decided > 20, "{decided}");
}

/// Without an exact search, without proofs and without traps nothing but the last move is proven.
#[test]
fn judgement_is_called_judgement() {
    let start = start("connect4");
    let game = random_game(&start, 3);
    let nothing = Annotate { trap_level: 0, solve_nodes: 0, ..Annotate::new(player("uct@200it")) };
    let annotation = look(&game, &start, &nothing);
    // The last move wins, and so does the side that is about to play it.
    let unproven = &annotation.moves[..annotation.moves.len() - 1];
    assert!(unproven.iter().all(|mv| mv.proof_before.is_none()));
    assert_eq!(annotation.moves.last().map(|mv| mv.proof_after), Some(Some(Proof::Win)));
    assert!(matches!(
        annotation.decision,
        Decision::Move { is_proven: false, .. } | Decision::FromTheStart { is_proven: false }
    ));
}

#[test]
fn known_mistakes_are_marked() {
    let start = start("connect4:5x4");
    let mut game = start.playthrough();
    // O lets X have three in a row with both ends open, and then answers one of them.
    game.play_text("3 3 2 2 4 1 5").unwrap();
    assert!(game.ending().is_some());
    for text in ["mcts-solver@2000it", "ab@20000nodes", "mcts-solver@2000it"] {
        let annotation = look(&game, &start, &Annotate::new(player(text)));
        let mistake = &annotation.moves[3];
        assert_eq!((mistake.text.as_str(), mistake.mark), ("2", Some(Mark::Blunder)), "{text}");
        assert!(mistake.loss >= BLUNDER && mistake.best_move != "2");
        let trap = mistake.trap.as_ref().expect("a trap");
        assert_eq!((trap.level, trap.refutation.len()), (3, 3));
        // What comes after it was lost anyway.
        assert_eq!((annotation.moves[5].mark, &annotation.moves[5].trap), (None, &None));
        assert_eq!(annotation.decision, Decision::Move { ply: 3, is_proven: true });
        assert_eq!(annotation.deciding_move().map(|mv| mv.ply), Some(3));
        let [x, o] = annotation.sides;
        assert_eq!((x.moves, o.moves, o.blunders, o.traps), (4, 3, 1, 1), "{text}");
        assert!(o.mean_loss > x.mean_loss);
        // The same moves as an opening count for neither side.
        let with = Annotate { opening_plies: 4, ..Annotate::new(player(text)) };
        let annotation = look(&game, &start, &with);
        assert_eq!((annotation.sides[1].moves, annotation.sides[1].blunders), (1, 0));
        assert!(annotation.moves[3].is_opening && annotation.moves[3].mark.is_some());
    }
}

/// Where the values of moves come from, and that they agree as far as they must.
#[test]
fn values_come_from_where_they_are_known_best() {
    let start = start("connect4");
    let mut seen: HashMap<Source, usize> = HashMap::new();
    for (text, seed) in
        [("mcts@3000it", 1), ("ab@3000nodes", 2), ("uct@500it", 3), ("ab@3000nodes", 4)]
    {
        let game = random_game(&start, seed);
        let annotation =
            look(&game, &start, &Annotate { solve_nodes: 0, ..Annotate::new(player(text)) });
        for mv in &annotation.moves {
            *seen.entry(mv.source).or_default() += 1;
            assert!((-1.0..=1.0).contains(&mv.before) && (-1.0..=1.0).contains(&mv.after));
            assert_eq!(mv.source == Source::Proof, mv.proof_after.is_some());
            if mv.source == Source::Best {
                assert_eq!(mv.loss, 0.0);
            }
        }
    }
    for source in [Source::Best, Source::Proof, Source::Own, Source::Search] {
        assert!(seen.get(&source).is_some_and(|&count| count > 0), "{source:?}: {seen:?}");
    }
}

/// The value of a move is near that of the position after it as the opponent sees that, and on the
/// same side of a draw. Alpha-beta's exact values of one search are never above that of the best move.
#[test]
fn values_are_seen_from_the_right_side() {
    let start = start("connect4");
    let games = || (0..12).map(|seed| random_game(&start, seed));
    let plain = |text| Annotate { solve_nodes: 0, trap_level: 0, ..Annotate::new(player(text)) };
    // How far apart they are, and how far they would be with one of them upside down.
    let mut apart: HashMap<Source, [f64; 2]> = HashMap::new();
    for game in games() {
        for two in look(&game, &start, &plain("mcts@2000it")).moves.windows(2) {
            let [after, before] = [two[0].after, two[1].before];
            let sums = apart.entry(two[0].source).or_default();
            sums[0] += (after + before).abs();
            sums[1] += (after - before).abs();
        }
    }
    for source in [Source::Own, Source::Search] {
        let [right, wrong] = apart[&source];
        assert!(right < 0.6 * wrong, "{source:?}: {right} and {wrong}");
    }
    let mut seen = [0; 2];
    for game in games() {
        let moves = look(&game, &start, &plain("ab@3000nodes")).moves;
        for mv in moves.iter().filter(|mv| mv.source == Source::Own) {
            assert!(mv.after <= mv.before, "{mv:?}");
            seen[mv.side.index()] += usize::from(mv.after < mv.before - 0.1);
        }
    }
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
}

#[test]
fn what_was_found_before_the_end_is_kept() {
    let start = start("connect4");
    let game = random_game(&start, 5);
    let cancel = AtomicBool::new(false);
    let after = game.moves().len() + 1 + 6;
    let mut steps = Vec::new();
    let mut progress = |done: usize, all: usize| {
        steps.push((done, all));
        if done == after {
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let watch = AnnotateWatch { progress: Some(&mut progress), cancel: Some(&cancel) };
    let with = Annotate { solve_nodes: 10, ..Annotate::new(player("mcts-solver@50it")) };
    let annotation = annotate(registry(), &start, &game, &with, watch).expect("a part of it");
    assert!(!annotation.is_complete);
    assert!((4..=6).contains(&annotation.moves.len()), "{}", annotation.moves.len());
    let all = 2 * (game.moves().len() + 1);
    assert_eq!(steps, (1..=all).map(|done| (done, all)).collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_annotated_is_refused() {
    let start = start("connect4");
    let game = random_game(&start, 1);
    let refused = |game: &Playthrough<Board>, text: &str| {
        let with = Annotate::new(player(text));
        annotate(registry(), &start, game, &with, AnnotateWatch::default()).unwrap_err()
    };
    assert!(matches!(refused(&game, "random"), AnnotateError::NoValues { .. }));
    assert!(matches!(refused(&game, "greedy"), AnnotateError::NoValues { .. }));
    assert!(matches!(refused(&game, "engine:\"x\""), AnnotateError::Player(_)));
    assert_eq!(refused(&start.playthrough(), "mcts@9it"), AnnotateError::NoMoves);
    // A game that is not over has no loser; its last position is looked at too.
    let mut short = start.playthrough();
    short.play_text("4 4 3").unwrap();
    let annotation = look(&short, &start, &Annotate::new(player("mcts@50it")));
    assert_eq!((annotation.decision, annotation.moves.len()), (Decision::NoLoser, 3));
    assert!(annotation.last_value.is_some() && annotation.is_complete);
}

#[test]
fn the_curve_has_the_values_of_everybody() {
    let pair = Pair {
        game: "connect4".to_owned(),
        players: ["mcts@50it", "mcts-solver@40it"].map(str::to_owned),
        opening: treegraft_lab::Opening::None,
        seed: 1,
        max_plies: None,
    };
    let played = PairPlayer::new(registry()).play(&pair, true, None).expect("a pair");
    let ([row, _], [thoughts, _]) = (played.rows, played.thoughts.expect("thoughts"));
    let start = start("connect4");
    let mut game = start.playthrough();
    game.play_text(&row.moves).unwrap();
    let annotation = look(&game, &start, &Annotate::new(player("mcts-solver@100it")));
    let plot = annotation.plot("a game", &thoughts);
    assert_eq!(plot.series[0].points.len(), game.moves().len() + 1);
    assert_eq!(plot.series[1].points.len() + plot.series[2].points.len(), thoughts.len());
    let inside = |series: &treegraft_pictures::plot::Series| {
        series.points.iter().all(|point| (0.0..=1.0).contains(&point.y))
    };
    assert!(plot.series.iter().all(inside));
    // The last point is the result.
    let result = 0.5 * (f64::from(row.outcome) + 1.0);
    assert_eq!(plot.series[0].points.last().map(|point| point.y), Some(result));
    let json = annotation.json();
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(game.moves().len()));
}
