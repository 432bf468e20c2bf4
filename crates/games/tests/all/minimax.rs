//! Every exact search against brute force, on small boards of every game.

use std::collections::HashMap;

use treegraft::depth_first::{self, DepthFirst, Driver, Scores, Shallow, solver_config};
use treegraft::rollout::{self, AtVisits, Embed, Expand, Informed, Prior, Rollout, Select, Solver};
use treegraft::{
    Budget, Exactness, Game, Knowledge, Outcome, Report, Request, Rng, Searcher, Side, Speed, Stop,
    TreeNode,
};
use treegraft_games::{Breakthrough, Connect4, Hex, Kalah, Lion, Othello};

const DRIVERS: [Driver; 6] = [
    Driver::AlphaBeta,
    Driver::MtdF,
    Driver::MtdPlus,
    Driver::MtdMinus,
    Driver::SssStar,
    Driver::DualStar,
];

/// Exact values in the first player's view, by looking at everything once: margins where the game
/// has them, otherwise 1, 0 and -1. (A margin under best play has the sign of the outcome.)
struct Truth<G>(HashMap<G, i64>);

impl<G: Game> Truth<G> {
    fn new() -> Truth<G> {
        Truth(HashMap::new())
    }

    fn value(&mut self, position: &G) -> i64 {
        if let Some(outcome) = position.outcome() {
            return position.exactness().margin().unwrap_or(outcome.value());
        }
        if let Some(&value) = self.0.get(position) {
            return value;
        }
        let children = children(position);
        let values: Vec<i64> = children.iter().map(|(_, child)| self.value(child)).collect();
        let value = best(position.to_move(), values);
        self.0.insert(position.clone(), value);
        value
    }

    fn outcome(&mut self, position: &G) -> Outcome {
        Outcome::from_margin(self.value(position))
    }
}

fn best(side: Side, values: impl IntoIterator<Item = i64>) -> i64 {
    let values = values.into_iter().map(|value| side.sign() * value);
    side.sign() * values.max().expect("a move")
}

fn children<G: Game>(position: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let child = |&mv: &G::Move| {
        let mut child = position.clone();
        child.play(mv);
        (mv, child)
    };
    moves.iter().map(child).collect()
}

/// Different unfinished positions of random games, from `from` plies on.
fn random_positions<G: Game>(start: &G, from: usize, count: usize) -> Vec<G> {
    let mut positions = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for seed in 0..20 * count as u64 {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        let mut plies = 0;
        while position.outcome().is_none() && plies < 60 {
            if plies >= from && seen.insert(position.clone()) {
                positions.push(position.clone());
                if positions.len() == count {
                    return positions;
                }
            }
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
            plies += 1;
        }
    }
    positions
}

/// Small tables and trees: quickly cleared, and full now and then.
fn request<'a, M>(budget: Budget, seed: u64) -> Request<'a, M> {
    Request::new(Budget { memory: Some(256 << 10), ..budget }, seed)
}

/// What a report says is true: outcomes of the position and of its moves, and the best line.
fn check_report<G: Game>(
    position: &G,
    report: &Report<G::Move>,
    truth: &mut Truth<G>,
    search: &dyn std::fmt::Debug,
) {
    let value = truth.value(position);
    let children = children(position);
    assert_eq!(report.moves.len(), children.len(), "{position:?} {search:?}");
    for (about, (mv, child)) in report.moves.iter().zip(&children) {
        assert_eq!(about.mv, *mv, "{position:?} {search:?}");
        if let Some(proof) = about.proof {
            assert_eq!(proof, truth.outcome(child), "{mv:?} in {position:?} {search:?}");
        }
    }
    if let Some(margin) = report.margin {
        assert_eq!(margin, value, "{position:?} {search:?}");
    }
    assert_eq!(report.pv.first().copied(), report.best_move, "{position:?} {search:?}");
    let mut at = position.clone();
    for &mv in &report.pv {
        assert_eq!(at.outcome(), None, "{position:?} {search:?}");
        let mut legal = Vec::new();
        at.moves(&mut legal);
        assert!(legal.contains(&mv), "{position:?} {search:?}: {:?}", report.pv);
        at.play(mv);
        if report.margin.is_some() {
            assert_eq!(truth.value(&at), value, "{position:?} {search:?}: {:?}", report.pv);
        } else if let Some(proof) = report.proof {
            assert_eq!(truth.outcome(&at), proof, "{position:?} {search:?}: {:?}", report.pv);
        }
    }
    if let Some(proof) = report.proof {
        assert_eq!(proof, Outcome::from_margin(value), "{position:?} {search:?}");
    }
}

/// Every proof anywhere in the tree is true. Returns how many there are.
fn check_proofs<G: Game>(position: &G, node: &TreeNode<G::Move>, truth: &mut Truth<G>) -> usize {
    if let Some(proof) = node.proof {
        assert_eq!(proof, truth.outcome(position), "{position:?}");
    }
    let mut proofs = usize::from(node.proof.is_some());
    for child in &node.children {
        let mut next = position.clone();
        next.play(child.mv.expect("only the root has no move"));
        proofs += check_proofs(&next, child, truth);
    }
    proofs
}

/// MCTS-MR, MCTS-MS and MCTS-MB and all of them together, at several depths; some of them with
/// MCTS-IR, MCTS-IC and MCTS-IP.
fn hybrids() -> Vec<rollout::Config> {
    let ms = |depth, visits| Some(AtVisits { depth, visits });
    let embed = |mr, ms, mb| Embed { mr, ms, mb, ..Embed::default() };
    let embeds = [
        embed(None, ms(2, 0), None),
        embed(None, ms(2, 1), None),
        embed(None, ms(4, 2), None),
        embed(None, ms(3, 10), None),
        embed(None, None, Some(1)),
        embed(None, None, Some(2)),
        embed(None, None, Some(4)),
        embed(Some(1), ms(2, 2), Some(2)),
        embed(Some(2), ms(4, 0), Some(3)),
        Embed { k: Some(2), ..embed(Some(3), ms(4, 1), Some(4)) },
        Embed { order: true, ..embed(Some(4), ms(4, 3), Some(5)) },
    ];
    let none = Informed::default();
    let prior = |visits, weight| Some(Prior { visits, weight });
    let informed = [
        Informed { ip: prior(1, 10), ..none },
        Informed { ic: Some(2), ip: prior(3, 100), ip_depth: 2, slope: 8.0, ..none },
        Informed { ir: Some(0.1), ir_depth: 2, ic: Some(1), ic_depth: 3, ..none },
        Informed { ir: Some(0.0), ip: prior(0, 1), ip_depth: 1, ..none },
    ];
    let solvers = [Solver::Wins, Solver::Wins, Solver::Draws, Solver::Margins];
    let config = |(i, embed)| rollout::Config {
        embed,
        informed: if i < 44 { none } else { informed[i / 4 % 4] },
        solver: solvers[i % 4],
        expand: if i % 3 == 0 { Expand::All } else { Expand::One },
        select: Select::Ucb1Tuned,
        ..Default::default()
    };
    (0..66).map(|i| config((i, embeds[i % 11]))).collect()
}

/// A search to the end: sure of the value, with a line that leads there.
fn check_exact<G: Game>(
    position: &G,
    searcher: &mut DepthFirst<G>,
    config: depth_first::Config,
    truth: &mut Truth<G>,
) {
    let report = searcher.search(position, request(Budget::default(), 1));
    check_report(position, &report, truth, &config);
    assert_eq!(report.stop, Stop::Done, "{position:?} {config:?}");
    assert_eq!(report.proof, Some(truth.outcome(position)), "{position:?} {config:?}");
    let mut end = position.clone();
    for &mv in &report.pv {
        end.play(mv);
    }
    assert_eq!(end.outcome(), report.proof, "{position:?} {config:?}: {:?}", report.pv);
    if config.scores == Scores::Margin {
        assert_eq!(
            report.margin,
            end.exactness().margin(),
            "{position:?} {config:?}: {:?}",
            report.pv
        );
    }
}

/// What a game knows at a glance is true, and a best move is among the candidates.
fn check_glance<G: Game>(position: &G, truth: &mut Truth<G>) {
    let outcome = truth.outcome(position);
    if let Some(foregone) = position.exactness().foregone() {
        assert_eq!(foregone, outcome, "{position:?}");
        return;
    }
    let mut candidates = Vec::new();
    position.exactness().candidate_moves(&mut candidates);
    let children = children(position);
    let candidates = children.iter().filter(|(mv, _)| candidates.contains(mv));
    let values: Vec<i64> = candidates.map(|(_, child)| truth.outcome(child).value()).collect();
    assert_eq!(best(position.to_move(), values), outcome.value(), "{position:?}");
}

/// All exact searches on some positions.
fn check<G: Game>(positions: &[G], truth: &mut Truth<G>) {
    let solver = solver_config(&positions[0]);
    let mut configs = Vec::new();
    for driver in DRIVERS {
        for glance in [false, true] {
            configs.push(depth_first::Config { driver, glance, ..Default::default() });
            configs.push(depth_first::Config { driver, glance, ..solver });
        }
        for base in [depth_first::Config::default(), solver] {
            configs.push(depth_first::Config {
                driver,
                scores: Scores::Margin,
                glance: false,
                ..base
            });
        }
    }
    configs.push(depth_first::Config { table: false, ..Default::default() });
    configs.push(depth_first::Config { etc: true, shuffle: true, ..Default::default() });
    configs.push(depth_first::Config { hints: false, pvs: false, ..Default::default() });
    let usual = || positions.first()?.knowledge().evaluators().into_iter().next();
    let mut searchers: Vec<(depth_first::Config, DepthFirst<G>)> = configs
        .into_iter()
        .enumerate()
        // An evaluation changes the way of a search, never a proof.
        .map(|(i, config)| {
            (config, DepthFirst::new(config, usual().filter(|_| i % 2 == 0)).unwrap())
        })
        .collect();
    let rollout = |solver, select, expand| {
        let config = rollout::Config { solver, select, expand, ..Default::default() };
        (config, Rollout::<G>::new(config).unwrap())
    };
    let mut rollouts = [
        rollout(Solver::Wins, Select::Ucb1Tuned, Expand::One),
        rollout(Solver::Draws, Select::Ucb1, Expand::All),
        rollout(Solver::Draws, Select::Ucb1Tuned, Expand::One),
        rollout(Solver::Wins, Select::Ucb1, Expand::All),
    ];
    let mut hybrids: Vec<(rollout::Config, Rollout<G>)> =
        hybrids().into_iter().map(|c| (c, Rollout::with_evaluator(c, usual()).unwrap())).collect();
    let mut hybrid_proofs = 0;
    let (mut proofs, n) = (0, searchers.len());
    for (i, position) in positions.iter().enumerate() {
        check_glance(position, truth);
        // A few on every position, so that all have had a turn after a few positions.
        for j in 0..5 {
            let (config, searcher) = &mut searchers[(5 * i + j) % n];
            check_exact(position, searcher, *config, truth);
        }
        let (config, searcher) = &mut rollouts[i % 4];
        let report = searcher.search(position, request(Budget::iterations(300), i as u64));
        check_report(position, &report, truth, config);
        proofs += usize::from(report.proof.is_some());
        let at = i % hybrids.len();
        let (config, searcher) = &mut hybrids[at];
        // Few simulations: the searches inside have to prove it.
        let report = searcher.search(position, request(Budget::iterations(60), i as u64));
        check_report(position, &report, truth, config);
        let tree = searcher.tree(100, 1000).expect("a tree");
        hybrid_proofs += check_proofs(position, &tree, truth);
    }
    assert!(hybrid_proofs > 2 * positions.len(), "{hybrid_proofs} of {}", positions.len());
    assert!(positions.len() >= 100, "{}", positions.len());
    assert!(proofs * 4 > positions.len(), "{proofs} of {}", positions.len());
}

#[test]
fn connect4() {
    let start = Connect4::new(4, 4).expect("a board");
    check(&random_positions(&start, 1, 1_000), &mut Truth::new());
}

#[test]
fn breakthrough() {
    for (width, height, from) in [(2, 5, 0), (4, 4, 0), (3, 5, 0), (5, 4, 11), (3, 6, 18)] {
        let start = Breakthrough::<u64>::new(width, height).expect("a board");
        check(&random_positions(&start, from, 400), &mut Truth::new());
    }
}

#[test]
fn othello() {
    let start = Othello::new(4).expect("a board");
    check(&random_positions(&start, 0, 1_000), &mut Truth::new());
    let start = Othello::new(6).expect("a board");
    check(&random_positions(&start, 25, 200), &mut Truth::new());
}

#[test]
fn hex() {
    for (size, from) in [(2, 0), (3, 0), (4, 7)] {
        for swap in [false, true] {
            let start = Hex::<u64>::new(size, swap).expect("a board");
            let positions = random_positions(&start, from, 400);
            if size == 2 {
                // Too few to try all searches on.
                let mut truth = Truth::new();
                positions.iter().for_each(|position| check_glance(position, &mut truth));
            } else {
                check(&positions, &mut Truth::new());
            }
        }
    }
}

#[test]
fn kalah() {
    for (houses, stones) in [(2, 2), (2, 3), (3, 2), (3, 3)] {
        for capture_empty in [false, true] {
            let start = Kalah::new(houses, stones, capture_empty).expect("a board");
            let mut rng = Rng::new(7);
            let mut positions = random_positions(&start, 0, 200);
            while positions.len() < 300 {
                let random = Kalah::random_start(houses, stones, capture_empty, &mut rng);
                positions.push(random.expect("a board"));
            }
            check(&positions, &mut Truth::new());
        }
    }
}

/// The value of the game's usual evaluation some plies deep, by looking at everything.
fn horizon_value<G: Game>(position: &G, depth: u32) -> i64 {
    match position.outcome() {
        Some(outcome) => Shallow::<G>::WIN * outcome.value(),
        None if depth == 0 => i64::from(position.knowledge().evaluators()[0].evaluate(position)),
        None => {
            let children = children(position);
            let values = children.iter().map(|(_, child)| horizon_value(child, depth - 1));
            best(position.to_move(), values)
        }
    }
}

fn check_shallow<G: Game>(positions: &[G]) {
    let mut search = Shallow::new(positions[0].knowledge().evaluators().into_iter().next());
    for (i, position) in positions.iter().enumerate() {
        search.order = i % 2 == 0;
        for depth in 0..4 {
            let (me, truth) = (position.to_move(), horizon_value(position, depth));
            assert_eq!(search.value(position, depth, me), me.sign() * truth, "{position:?}");
            assert_eq!(search.value(position, depth, Side::First), truth, "{position:?} {depth}");
        }
    }
}

/// The search with evaluations inside rollouts, also where turns do not alternate.
#[test]
fn shallow_searches_are_minimax() {
    check_shallow(&random_positions(&Kalah::new(4, 3, true).expect("a board"), 0, 100));
    check_shallow(&random_positions(&Breakthrough::<u64>::new(4, 5).expect("a board"), 0, 100));
    check_shallow(&random_positions(&Othello::new(6).expect("a board"), 10, 50));
    check_shallow(&random_positions(&Lion::new(400).expect("a game"), 0, 20));
}

/// Win, loss or unknown within some plies, by looking at everything.
fn win_loss<G: Game>(position: &G, depth: u32) -> i64 {
    match position.outcome() {
        Some(outcome) => outcome.value(),
        None if depth == 0 => 0,
        None => {
            let children = children(position);
            best(position.to_move(), children.iter().map(|(_, child)| win_loss(child, depth - 1)))
        }
    }
}

/// A game without end: what is decided within a few plies.
#[test]
fn lion() {
    let start = Lion::new(400).expect("a game");
    let mut decided = 0;
    for (i, position) in random_positions(&start, 10, 500).iter().enumerate() {
        let depth = 1 + i as u32 % 4;
        let value = win_loss(position, depth);
        let known = (value != 0).then(|| Outcome::from_margin(value));
        decided += usize::from(known.is_some());
        if let Some(foregone) = position.exactness().foregone() {
            assert_eq!(win_loss(position, 1), foregone.value(), "{position:?}");
        } else {
            assert_ne!(win_loss(position, 1), position.to_move().sign(), "{position:?}");
        }
        let depth = Some(depth);
        let plain = depth_first::Config { depth, table: false, ..Default::default() };
        let material = || position.knowledge().evaluators().into_iter().next();
        for evaluator in [None, material()] {
            let report = DepthFirst::new(plain, evaluator)
                .unwrap()
                .search(position, request(Budget::default(), 0));
            assert_eq!(report.proof, known, "{position:?} {plain:?}");
        }
        for driver in DRIVERS {
            let config =
                depth_first::Config { driver, depth, glance: i % 3 == 0, ..Default::default() };
            let report = DepthFirst::new(config, material())
                .unwrap()
                .search(position, request(Budget::default(), 0));
            // A table and a glance may see further, but not otherwise.
            if known.is_some() {
                assert_eq!(report.proof, known, "{position:?} {config:?}");
            }
        }
        let config = rollout::Config { solver: Solver::Wins, ..Default::default() };
        let report = Rollout::new(config)
            .unwrap()
            .search(position, request(Budget::iterations(300), i as u64));
        let agrees = report.proof.is_none() || known.is_none() || report.proof == known;
        assert!(agrees, "{position:?} {report:?}");
    }
    assert!(decided > 100, "{decided}");
}

/// Every proof in the tree follows from proofs below it, or from looking at everything within the
/// depth of the searches inside. Returns how many there are.
fn check_steps(position: &Lion, node: &TreeNode<<Lion as Game>::Move>, depth: u32) -> usize {
    let below: usize = node
        .children
        .iter()
        .map(|child| {
            let mut next = *position;
            next.play(child.mv.expect("only the root has no move"));
            check_steps(&next, child, depth)
        })
        .sum();
    let Some(proof) = node.proof else { return below };
    if position.outcome() == Some(proof) || win_loss(position, depth) == proof.value() {
        return below + 1;
    }
    let value = |(mv, next): &(<Lion as Game>::Move, Lion)| {
        let child = node.children.iter().find(|child| child.mv == Some(*mv));
        match child.and_then(|child| child.proof) {
            Some(proof) => proof.value(),
            None => win_loss(next, depth - 1),
        }
    };
    let value = best(position.to_move(), children(position).iter().map(value));
    assert_eq!(value, proof.value(), "{position:?} is said to be {proof:?}");
    below + 1
}

/// What the hybrids prove in a game without end.
#[test]
fn lion_hybrids() {
    let start = Lion::new(400).expect("a game");
    let configs: Vec<rollout::Config> =
        hybrids().into_iter().filter(|config| config.solver == Solver::Wins).collect();
    let (mut proofs, mut proven_by_hybrids) = (0, 0);
    for (i, position) in random_positions(&start, 6, 200).iter().enumerate() {
        let config = configs[i % configs.len()];
        let rollout::Embed { ms, mb, .. } = config.embed;
        let depth = ms.map_or(0, |ms| ms.depth).max(mb.unwrap_or(0));
        let evaluator = || start.knowledge().evaluators().into_iter().next();
        let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
        search.search(position, request(Budget::iterations(150), i as u64));
        let tree = search.tree(u32::MAX, usize::MAX).expect("a tree");
        let found = check_steps(position, &tree, depth);
        proofs += found;
        let plain = rollout::Config { embed: rollout::Embed::default(), ..config };
        let mut search = Rollout::with_evaluator(plain, evaluator()).unwrap();
        search.search(position, request(Budget::iterations(150), i as u64));
        let tree = search.tree(u32::MAX, usize::MAX).expect("a tree");
        proven_by_hybrids += usize::from(found > check_steps(position, &tree, 1));
    }
    assert!(proofs > 2000 && proven_by_hybrids > 70, "{proofs} proofs, {proven_by_hybrids} more");
}
