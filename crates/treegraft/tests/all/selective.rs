//! Selective searches against brute-force minimax: what they prove is so, and what they play keeps it.

use treegraft::bits::mix;
use treegraft::depth_first::{Config, DepthFirst, Driver, Scores, Selective};
use treegraft::{Budget, Game, MoveReport, Outcome, Report, Request, Searcher, legal_moves};

use crate::agreement::{
    DRIVERS, HASHED, RandomGame, Rules, WIN, keeps, memory, minimax, options, rules, sensible,
};

/// Each option on or off, with margins from next to nothing to everything.
fn selective(bits: u64) -> Selective {
    let is_on = |n: u64| bits >> n & 1 == 1;
    let number = |n: u64, most: u64| is_on(n).then(|| 1 + ((bits >> (20 + n)) % most) as u32);
    Selective {
        lmr: number(0, 300),
        late_pruning: is_on(1),
        futility: number(2, 1000),
        reverse_futility: number(3, 1000),
        razoring: number(4, 1000),
        aspiration: number(5, 1000),
        exchange: is_on(6),
        countermoves: is_on(7),
        malus: is_on(8),
        unknown_reduction: is_on(9),
        replies: is_on(13),
        ending: number(14, 4),
        threats: is_on(10),
        partial: is_on(11),
        reuse: is_on(12),
    }
}

#[test]
fn selective_searches_play_legal_moves_and_prove_nothing_false() {
    let mut proofs = 0;
    for seed in 0..4_000u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 6, ..rules(seed) });
        let bits = mix(seed);
        let config = Config {
            driver: DRIVERS[(seed % 6) as usize],
            k: [None, Some(1), Some(2)][(seed / 6 % 3) as usize],
            null_move: [None, Some(0), Some(2)][(seed / 18 % 3) as usize],
            multi_cut: seed / 54 % 2 == 0,
            quiescence: seed / 108 % 2 == 0,
            depth: Some(5),
            selective: selective(mix(bits)),
            ..options(bits)
        };
        let request = Request::new(Budget { nodes: Some(2_000_000), ..memory(bits) }, seed);
        let report =
            DepthFirst::new(sensible(config), Some(HASHED)).unwrap().search(&start, request);
        let mut moves = Vec::new();
        start.moves(&mut moves);
        assert_eq!(report.stop, treegraft::Stop::Done, "{start:?} {config:?} {:?}", report.work);
        assert!(moves.contains(&report.best_move.unwrap()), "{start:?} {config:?}");
        if let Some(outcome) = report.proof {
            let truth = minimax(&start, 99, Scores::Outcome, false);
            assert_eq!(outcome.value() * WIN, truth, "{start:?} {config:?}");
            assert!(keeps(&start, report.best_move, truth), "{start:?} {config:?} {report:?}");
            proofs += 1;
        }
    }
    assert!(proofs > 100, "{proofs}");
}

#[test]
fn searches_that_leave_endings_to_the_game_prove_what_is_true() {
    let mut outcomes = [0; 3];
    for seed in 0..6_000u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 6, ..rules(seed) });
        let bits = mix(seed);
        let selective = Selective {
            replies: seed % 2 == 0,
            ending: Some(1 + (seed / 12 % 5) as u32),
            lmr: (seed / 60 % 2 == 0).then_some(100),
            aspiration: (seed / 120 % 2 == 0).then_some(30),
            ..Selective::default()
        };
        let driver = DRIVERS[(seed / 2 % 6) as usize];
        let config = Config { driver, depth: None, selective, ..options(bits) };
        let config = Config { k: None, scores: Scores::Outcome, ..config };
        let report = DepthFirst::new(sensible(config), Some(HASHED))
            .unwrap()
            .search(&start, Request::new(memory(bits), seed));
        let truth = minimax(&start, 99, Scores::Outcome, false);
        let proof = report.proof.map(|outcome| outcome.value() * WIN);
        assert_eq!(proof, Some(truth), "{start:?} {config:?}");
        assert!(keeps(&start, report.best_move, truth), "{start:?} {config:?}");
        outcomes[(truth.signum() + 1) as usize] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 300), "{outcomes:?}");
}

/// What holds of every report, whenever the search is stopped.
fn check_choice(
    start: &RandomGame,
    config: &Config,
    report: &Report<u8>,
    label: &dyn Fn() -> String,
) {
    let best = report.best_move.unwrap();
    assert_eq!(report.pv.first(), Some(&best), "move and line: {}", label());
    let own = |outcome: Outcome| outcome.value() * start.to_move().sign();
    let is_won = |proof: Option<Outcome>| proof.is_some_and(|proof| own(proof) > 0);
    let is_lost = |proof: Option<Outcome>| proof.is_some_and(|proof| own(proof) < 0);
    let about = report.moves.iter().find(|about| about.mv == best).unwrap();
    // What is proven of a move is played, or avoided, unless the last iteration alone counts.
    let is_partial = config.selective.partial && config.driver == Driver::AlphaBeta;
    if is_partial && report.moves.iter().any(|about| is_won(about.proof)) {
        assert!(is_won(about.proof) && is_won(report.proof), "{}", label());
    }
    if is_partial && is_lost(about.proof) {
        let is_choice = |about: &MoveReport<u8>| about.visits > 0 && !is_lost(about.proof);
        assert!(!report.moves.iter().any(is_choice), "{}", label());
    }
    for about in &report.moves {
        let mut after = *start;
        after.play(about.mv);
        let truth = minimax(&after, 99, Scores::Outcome, false);
        let said = about.proof.map_or(truth, |proof| proof.value() * WIN);
        assert_eq!(said, truth, "{}", label());
    }
    if let Some(proof) = report.proof {
        let truth = minimax(start, 99, Scores::Outcome, false);
        assert_eq!(proof.value() * WIN, truth, "{}", label());
        assert!(keeps(start, report.best_move, truth), "{}", label());
    }
}

/// However early a search is stopped, and whatever it leaves out: its move, its line, its value and what it
/// has proven belong together, and it uses no more nodes than it may.
#[test]
fn moves_lines_and_proofs_belong_together() {
    let (mut unfinished, mut avoided) = (0, 0);
    for seed in 0..1_500u64 {
        let start = RandomGame::new(seed, Rules { branching: 5, plies: 6, ..rules(seed) });
        let bits = mix(seed ^ 0xbe57);
        let on = if seed % 3 == 0 { Selective::default() } else { selective(mix(bits)) };
        let config = Config {
            driver: DRIVERS[(seed / 2 % 6) as usize],
            depth: Some(5),
            scores: Scores::Outcome,
            selective: Selective { partial: seed % 2 == 0, ..on },
            ..options(bits)
        };
        for step in 0..12 {
            let nodes = 1 + step * step * 3;
            let lines = [1, 3][(seed / 12 % 2) as usize];
            let budget = Budget { nodes: Some(nodes), ..memory(bits) };
            let request = Request { lines, ..Request::new(budget, seed) };
            let report =
                DepthFirst::new(sensible(config), Some(HASHED)).unwrap().search(&start, request);
            let label = || format!("{start:?} {nodes} nodes {config:?} {report:?}");
            check_choice(&start, &config, &report, &label);
            assert!(report.work.nodes <= nodes, "{}", label());
            unfinished += u32::from(report.stop != treegraft::Stop::Done);
            let lost = Some(Outcome::Win(start.to_move().other()));
            avoided += u32::from(report.moves.iter().any(|about| about.proof == lost));
        }
    }
    assert!(unfinished > 5_000 && avoided > 1_000, "{unfinished} {avoided}");
}

/// A searcher that keeps its table through many positions still proves nothing false.
#[test]
fn tables_that_are_kept_prove_nothing_false() {
    let mut proofs = 0;
    for seed in 0..300u64 {
        let rules = Rules { branching: 4, plies: 7, ..rules(seed) };
        let bits = mix(seed ^ 0x7ab1e);
        let selective = Selective { reuse: true, ..selective(mix(bits)) };
        let config = Config { selective, scores: Scores::Outcome, ..options(bits) };
        let config = Config { driver: DRIVERS[(seed % 6) as usize], k: None, ..config };
        let mut searcher = DepthFirst::new(sensible(config), Some(HASHED)).unwrap();
        let mut position = RandomGame::new(seed, rules);
        let mut ply = 0;
        while position.outcome().is_none() {
            let budget = Budget { nodes: Some(20 + mix(bits ^ ply) % 200), ..memory(bits) };
            let report = searcher.search(&position, Request::new(budget, seed));
            let label = || format!("{position:?} {config:?} {report:?}");
            check_choice(&position, &config, &report, &label);
            proofs += u32::from(report.proof.is_some());
            // Not always the best move, so that lines are left.
            let moves = legal_moves(&position);
            let any = moves[mix(seed ^ ply) as usize % moves.len()];
            position.play(if ply % 2 == 0 { report.best_move.unwrap() } else { any });
            ply += 1;
        }
    }
    assert!(proofs > 500, "{proofs}");
}
