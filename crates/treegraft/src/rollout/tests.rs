//! Laws of the tree, on a game small enough to know everything about it.

use std::collections::HashMap;

use super::embed::tests::sensible;
use super::tree::{Id, NEVER_VISITED, ROOT};
use super::*;
use crate::bits::Portable;
use crate::{Bounds, Budget, Knowledge};

impl<'a, G: Game> Worker<'a, G> {
    /// A search that has not begun, without an observer.
    /// What it reads is kept for the rest of the test program.
    pub(super) fn new(
        config: Config,
        evaluator: Option<Evaluator<G>>,
        root: &'a G,
        tree: Tree<G::Move>,
        seed: u64,
    ) -> Worker<'a, G> {
        let shared = Shared::new(config, evaluator, Vec::new()).unwrap();
        Worker::observed_by(Unobserved, Box::leak(Box::new(shared)), root, tree, seed)
    }
}

/// Two players add one, two or three to a count; whoever reaches `goal` wins, exactly 13 is a draw,
/// and adding 3 gives another turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Count {
    pub(super) count: u8,
    pub(super) goal: u8,
    pub(super) mover: Side,
}

impl Game for Count {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=3.min(self.goal - self.count));
    }

    fn play(&mut self, add: u8) {
        self.count += add;
        if add != 3 {
            self.mover = self.mover.other();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.count {
            13 => Some(Outcome::Draw),
            n if n == self.goal => Some(Outcome::Win(self.mover)),
            _ => None,
        }
    }

    crate::brings!(Knowledge);
}

impl Knowledge for Count {
    fn order_hint(&self, add: u8) -> i32 {
        i32::from(add)
    }
}

/// The exact value, by brute force with memoisation.
pub(super) fn minimax(position: &Count) -> i64 {
    fn value(position: &Count, known: &mut HashMap<Count, i64>) -> i64 {
        if let Some(outcome) = position.outcome() {
            return outcome.value();
        }
        if let Some(&value) = known.get(position) {
            return value;
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let values = moves.into_iter().map(|mv| {
            let mut next = *position;
            next.play(mv);
            value(&next, known)
        });
        let best = match position.to_move() {
            Side::First => values.max(),
            Side::Second => values.min(),
        };
        let best = best.expect("a move");
        known.insert(*position, best);
        best
    }
    value(position, &mut HashMap::new())
}

pub(super) fn start(goal: u8) -> Count {
    Count { count: 0, goal, mover: Side::First }
}

/// A rough evaluation: larger counts are better for the first player, but not always.
pub(super) fn evaluator() -> Option<crate::Evaluator<Count>> {
    let evaluate = |at: &Count| (i32::from(at.count) * 7 % 19 - 9) * 50_000 + i32::from(at.count);
    Some(crate::Evaluator::plain("test", "a test", evaluate))
}

/// An evaluation that sees no difference, like none at all.
pub(super) fn blind() -> Option<crate::Evaluator<Count>> {
    Some(crate::Evaluator::plain("blind", "a test", |_| 0))
}

fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for select in [Select::Ucb1, Select::Ucb1Tuned] {
        for expand in [Expand::One, Expand::All] {
            for solver in [Solver::Off, Solver::Wins, Solver::Draws, Solver::Margins] {
                for expand_at in [1, 5] {
                    let plain = Config { select, expand, solver, expand_at, ..Config::default() };
                    let ms = |depth, visits| Some(AtVisits { depth, visits });
                    let embed = |mr, ms, mb| Embed { mr, ms, mb, ..Embed::default() };
                    configs.push(plain);
                    configs.push(Config { first_play: FirstPlay::Hint, ..plain });
                    configs.push(Config { embed: embed(Some(1), ms(2, 0), Some(2)), ..plain });
                    configs.push(Config { embed: embed(None, ms(4, 3), Some(3)), ..plain });
                    let embed = |mr_tree| Embed { mr_tree, ..embed(Some(3), ms(2, 1), Some(2)) };
                    configs.push(Config { embed: embed(MrTree::Expand), ..plain });
                    configs.push(Config { embed: embed(MrTree::Prove), ..plain });
                    let prior = |visits, weight| Some(Prior { visits, weight });
                    let informed = Informed { ip: prior(2, 5), ..Informed::default() };
                    configs.push(Config { informed, ..plain });
                    let ic = Some(2);
                    let informed =
                        Informed { ir: Some(0.2), ic, ic_depth: 1, ip: prior(0, 3), ..informed };
                    let embed = Embed { mr: Some(1), ..embed(MrTree::Prove) };
                    configs.push(Config { informed, embed, ..plain });
                    let first_play = FirstPlay::Value;
                    let embed = Embed { mr_tree: MrTree::Expand, ..embed };
                    configs.push(Config { first_play, informed, embed, ..plain });
                    // These have tests of their own, too.
                    if expand_at == 1 {
                        let rave = Some(Rave { k: 20.0, ..Rave::default() });
                        configs.push(Config { rave, mast: Some(0.3), ..plain });
                        let rave = rave.map(|rave| Rave { reference: 9, untried: true, ..rave });
                        configs.push(Config { rave, ..plain });
                        let ms = embed.ms;
                        let embed = Embed { ms, mb: Some(2), ..Embed::default() };
                        configs.push(Config { rave, embed, ..plain });
                    }
                    let mixtures = [
                        (Mixture::Minimax, PlayoutFrom::Child),
                        (Mixture::Constant, PlayoutFrom::Node),
                        (Mixture::Progressive, PlayoutFrom::Node),
                    ];
                    for (mixture, playout_from) in mixtures.into_iter().filter(|_| expand_at == 1) {
                        let implicit = Some(Implicit::constant(0.4, mixture));
                        let max_backpropagation = Some(20);
                        let config = Config { implicit, playout_from, ..plain };
                        configs.push(config);
                        configs.push(Config { informed, embed, max_backpropagation, ..config });
                    }
                }
            }
        }
    }
    configs.into_iter().map(sensible).collect()
}

/// Walks the whole tree and checks what must hold at every node.
pub(super) fn check_tree(search: &Rollout<Count>, root: Count) {
    let tree = search.tree.as_ref().expect("a search was made");
    let mut seen = vec![false; tree.used];
    seen[ROOT as usize] = true;
    let mut open = vec![(ROOT, root)];
    while let Some((node, position)) = open.pop() {
        let row = &tree.rows[node as usize];
        let bounds = tree.bounds(node as usize);
        assert!(bounds.lo <= bounds.hi);
        let value = minimax(&position);
        assert!((bounds.lo..=bounds.hi).contains(&value), "{position:?}: {value} in {bounds:?}");
        assert!(row.sum.abs() <= f64::from(tree.weighted_visits(node as usize)) + 1e-9);
        assert_eq!(
            row.finished(),
            row.visits > 0 && position.outcome().is_some() || row.finished()
        );
        assert!(row.tried <= row.count);
        let below: u32 = tree.known(node).map(|child| tree.rows[child].visits).sum();
        assert!(below <= row.visits, "{below} visits below {}", row.visits);
        for child in tree.children(node) {
            assert!(!seen[child], "row {child} has two parents");
            seen[child] = true;
            assert!(child > node as usize, "a family stands behind its parent");
            let mut next = position;
            next.play(tree.moves[child]);
            // The rows of the others mean nothing.
            if tree.known(node).contains(&child) {
                open.push((child as Id, next));
            }
        }
    }
    assert!(seen.into_iter().all(|seen| seen), "every row is in the tree");
}

#[test]
fn every_configuration_keeps_the_laws_of_the_tree() {
    for config in configs() {
        for goal in 4..20 {
            let root = start(goal);
            let mut search = Rollout::with_evaluator(config, evaluator()).unwrap();
            let report =
                search.search(&root, Request::new(Budget::iterations(300), u64::from(goal)));
            check_tree(&search, root);
            assert_eq!(report.moves.len(), 3);
            let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
            // A search of the root that decides it ends the last simulation there.
            let searches_root = config.embed.ms.is_some() || config.informed.ip.is_some();
            let at_root = u64::from(searches_root && report.proof.is_some());
            let below = report.work.iterations - at_root..=report.work.iterations;
            assert!(below.contains(&visits), "{config:?}");
            if let Some(proof) = report.proof {
                assert_eq!(proof.value(), minimax(&root), "{config:?} {goal}");
            }
        }
    }
}

/// What distinguishes the three solvers: MCTS-Solver proves wins and losses but never a draw;
/// the score-bounded one proves draws too; plain UCT proves nothing.
#[test]
fn solvers_prove_what_they_promise() {
    let (mut wins, mut draws) = (0, 0);
    for goal in 4..20 {
        let root = start(goal);
        let value = minimax(&root);
        let proof = |solver, expand| {
            let config = Config { solver, expand, ..Config::default() };
            Rollout::new(config)
                .unwrap()
                .search(&root, Request::new(Budget::iterations(20_000), 1))
                .proof
        };
        let exact = Some(Outcome::from_margin(value));
        for expand in [Expand::One, Expand::All] {
            assert_eq!(proof(Solver::Off, expand), None);
            assert_eq!(proof(Solver::Draws, expand), exact);
            assert_eq!(proof(Solver::Margins, expand), exact);
            let won = exact.filter(|&outcome| outcome != Outcome::Draw);
            assert_eq!(proof(Solver::Wins, expand), won, "{expand:?} {goal}");
        }
        wins += u32::from(value != 0);
        draws += u32::from(value == 0);
    }
    assert!(wins > 0 && draws > 0, "{wins} {draws}");
}

#[test]
fn the_best_move_keeps_a_proven_value() {
    for goal in 4..20 {
        let root = start(goal);
        let config = Config { solver: Solver::Draws, ..Config::default() };
        let report =
            Rollout::new(config).unwrap().search(&root, Request::new(Budget::default(), 3));
        let mut position = root;
        for mv in &report.pv {
            position.play(*mv);
        }
        assert_eq!(report.pv.first(), report.best_move.as_ref());
        let mut after = root;
        after.play(report.best_move.expect("a move"));
        assert_eq!(minimax(&after), minimax(&root));
        assert_eq!(position.outcome().map(Outcome::value), Some(minimax(&root)), "{report:?}");
    }
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    for config in configs() {
        let digest = |seed| {
            let request = Request::new(Budget::iterations(500), seed);
            Rollout::with_evaluator(config, evaluator()).unwrap().search(&start(40), request).digest
        };
        assert_eq!(digest(1), digest(1));
        assert_ne!(digest(1), digest(2));
    }
}

#[test]
fn a_full_arena_keeps_searching() {
    let budget = Budget { memory: Some(2000), ..Budget::iterations(5000) };
    let mut search = Rollout::new(Config::default()).unwrap();
    let report = search.search(&start(60), Request::new(budget, 1));
    assert_eq!(report.work.iterations, 5000);
    assert!(report.work.memory <= 2000);
    assert!(report.work.memory > 1500, "{}", report.work.memory);
    check_tree(&search, start(60));
}

#[test]
fn a_kept_tree_is_the_part_below_the_moves_played() {
    for config in configs() {
        let config = Config { reuse: true, ..config };
        let mut search = Rollout::with_evaluator(config, blind()).unwrap();
        let mut position = start(30);
        let mut kept = 0;
        while position.outcome().is_none() {
            let report = search.search(&position, Request::new(Budget::iterations(400), 9));
            check_tree(&search, position);
            let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
            kept += visits.saturating_sub(report.work.iterations);
            position.play(report.best_move.expect("a move"));
            // The opponent's move is not searched: the tree is found two plies further down.
            if position.outcome().is_none() {
                position.play(1);
            }
        }
        assert!(kept > 0, "{config:?} kept nothing");
        search.new_game();
        let fresh = search.search(&start(30), Request::new(Budget::iterations(100), 1));
        assert_eq!(fresh.moves.iter().map(|m| m.visits).sum::<u64>(), 100);
    }
}

#[test]
fn there_is_a_move_however_little_time_there_is() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    for config in configs() {
        let request = Request { cancel: Some(&flag), ..Request::default() };
        let report = Rollout::with_evaluator(config, blind()).unwrap().search(&start(20), request);
        assert!(report.best_move.is_some(), "{config:?}");
    }
}

#[test]
fn one_move_needs_no_search() {
    let root = Count { count: 19, goal: 20, mover: Side::Second };
    let report =
        Rollout::new(Config::default()).unwrap().search(&root, Request::new(Budget::default(), 1));
    assert_eq!((report.best_move, report.work.iterations, report.stop), (Some(1), 1, Stop::Done));
    let over = Count { count: 20, goal: 20, mover: Side::Second };
    let report =
        Rollout::new(Config::default()).unwrap().search(&over, Request::new(Budget::default(), 1));
    assert_eq!((report.best_move, report.proof), (None, Some(Outcome::Win(Side::Second))));
}

/// Selection against the formulas as the papers print them, in double precision and on rewards from
/// 0 to 1.
#[test]
fn selection_follows_the_formulas() {
    let mut rng = Rng::new(11);
    for select in [Select::Ucb1, Select::Ucb1Tuned] {
        let config = Config { select, c: 0.8, ..Config::default() };
        for round in 0..200 {
            let mut tree = Tree::<u8>::new(1 << 20, Needs { squares: true, ..Needs::default() });
            tree.plant(0);
            let moves: Vec<u8> = (0..2 + rng.below(60) as u8).collect();
            tree.add_children(ROOT, &moves);
            // Each child's rewards from 0 to 1 for the first player: wins and draws.
            let mut counts = vec![[0u32; 3]; moves.len()];
            for (child, counts) in counts.iter_mut().enumerate() {
                for _ in 0..1 + rng.below(30) {
                    let reward = rng.below(3);
                    counts[reward as usize] += 1;
                    tree.add_reward(1 + child as Id, 0, f64::from(reward) - 1.0);
                    tree.add_reward(ROOT, 0, f64::from(reward) - 1.0);
                }
            }
            let n_p = f64::from(tree.rows[0].visits);
            let root = start(20);
            let side = if round % 2 == 0 { Side::First } else { Side::Second };
            let ucb = |&[lost, drawn, won]: &[u32; 3]| {
                let n = f64::from(lost + drawn + won);
                let wins = f64::from(if side == Side::First { won } else { lost });
                let q = (wins + 0.5 * f64::from(drawn)) / n;
                let ratio = n_p.ln() / n;
                match select {
                    Select::Ucb1 => q + 0.8 * ratio.sqrt(),
                    Select::Ucb1Tuned => {
                        let squares = (wins + 0.25 * f64::from(drawn)) / n;
                        let v = squares - q * q + (2.0 * ratio).sqrt();
                        q + 0.8 * (ratio * v.min(0.25)).sqrt()
                    }
                }
            };
            let values: Vec<f64> = counts.iter().map(ucb).collect();
            let largest = values.iter().copied().fold(f64::MIN, f64::max);
            let search = Worker::new(config, None, &root, tree, 1);
            let selected = search.best_child(Portable, ROOT, &search.tree.rows[0], side);
            assert!(
                (values[selected] - largest).abs() < 1e-5,
                "{select:?}: {selected} of {values:?}"
            );
        }
    }
}

/// A child that is proven lost for the side to move is excluded: it is never selected again.
#[test]
fn proven_losses_are_excluded() {
    let mut tree = Tree::<u8>::new(1 << 20, Needs::default());
    tree.plant(0);
    tree.add_children(ROOT, &[1, 2, 3]);
    for child in 1..=3 {
        tree.add_reward(child, 0, 1.0);
        tree.add_reward(ROOT, 0, 1.0);
    }
    tree.rows[0].tried = 3;
    let root = start(20);
    let mut search =
        Worker::new(Config { solver: Solver::Wins, ..Config::default() }, None, &root, tree, 1);
    search.tree.set_bounds(1, Bounds::exactly(-1));
    search.tree.set_bounds(2, Bounds::exactly(-1));
    search.update_bounds(ROOT, Side::First);
    search.tree.add_reward(1, 0, 1.0);
    assert_eq!(search.best_child(Portable, ROOT, &search.tree.rows[0], Side::First), 2);
    assert_eq!(search.tree.bounds(0), Bounds::OUTCOME);
    search.tree.set_bounds(3, Bounds::exactly(-1));
    search.update_bounds(ROOT, Side::First);
    assert_eq!(search.tree.bounds(0), Bounds::exactly(-1));
}

/// The bound of a child that was never visited is as large as numbers get: exclusion has to win.
#[test]
fn a_child_that_was_never_visited_can_be_excluded() {
    for (side, children) in [(Side::First, [1, 2, 3]), (Side::Second, [3, 2, 1])] {
        let mut tree = Tree::<u8>::new(1 << 20, Needs::default());
        tree.plant(0);
        tree.add_children(ROOT, &children);
        tree.add_reward(2, 0, 0.5);
        (0..1000).for_each(|_| tree.add_reward(ROOT, 0, 0.5));
        tree.rows[0].tried = 3;
        for child in [1, 3] {
            tree.hot[child] = NEVER_VISITED;
            tree.exclude(child, side);
        }
        let root = start(20);
        let run = Worker::new(Config::default(), None, &root, tree, 1);
        assert_eq!(run.best_child(Portable, ROOT, &run.tree.rows[0], side), 1, "{side:?}");
    }
}

/// Every node of a view is the row that its moves lead to.
fn check_view(search: &Rollout<Count>, view: &TreeNode<u8>, node: Id, depth: u32, width: usize) {
    let tree = search.tree.as_ref().unwrap();
    let row = &tree.rows[node as usize];
    assert_eq!(view.visits, u64::from(row.visits));
    assert_eq!(view.proof, tree.bounds(node as usize).outcome());
    assert!(view.children.len() <= if depth == 0 { 0 } else { width });
    assert!(view.children.is_sorted_by(|a, b| a.visits >= b.visits));
    let known = tree.tried(node).filter(|&child| tree.value(child).is_some()).count();
    assert_eq!(view.children.len() + view.hidden, known);
    for child in &view.children {
        let at = tree.children(node).find(|&at| Some(tree.moves[at]) == child.mv).unwrap();
        check_view(search, child, at as Id, depth - 1, width);
    }
}

#[test]
fn the_view_is_the_top_of_the_tree() {
    for config in configs() {
        let mut search = Rollout::with_evaluator(config, blind()).unwrap();
        assert_eq!(search.tree(3, 3), None);
        search.search(&start(25), Request::new(Budget::iterations(300), 1));
        for (depth, width) in [(0, 5), (1, 1), (2, 2), (4, 100)] {
            let view = search.tree(depth, width).unwrap();
            assert_eq!(view.mv, None);
            check_view(&search, &view, ROOT, depth, width);
        }
        let over = Count { count: 13, ..start(25) };
        search.search(&over, Request::new(Budget::iterations(300), 1));
        assert_eq!(search.tree(3, 3), None);
    }
}

/// A tree that is complete or fills the memory does not keep a search from ending.
#[test]
fn a_limit_on_nodes_ends_a_search_that_adds_none() {
    // A search that would go on for ever ends, and the test fails.
    let nodes = |nodes| Budget { iterations: Some(1_000_000), ..Budget::nodes(nodes) };
    for config in [Config::default(), Config { select: Select::Ucb1Tuned, ..Config::default() }] {
        let mut search = Rollout::new(config).unwrap();
        // Without a proof, only the budget ends the search.
        let report = search.search(&start(5), Request::new(nodes(300), 1));
        assert_eq!(report.stop, Stop::Spent(Limit::Nodes));
        assert!(report.work.nodes < 300 && report.work.iterations < 1000, "{:?}", report.work);
        let budget = Budget { memory: Some(1024), ..nodes(2000) };
        let report = search.search(&start(60), Request::new(budget, 1));
        assert_eq!(report.stop, Stop::Spent(Limit::Nodes));
        assert!(report.work.nodes < 2000, "{:?}", report.work);
        // Simulations that only wait for a leaf to have its visits do not count.
        let mut search = Rollout::new(Config { expand_at: 8, ..config }).unwrap();
        let report = search.search(&start(60), Request::new(nodes(2000), 1));
        assert_eq!((report.stop, report.work.nodes), (Stop::Spent(Limit::Nodes), 2000));
        assert!(report.work.iterations > 4000, "{:?}", report.work);
    }
}
