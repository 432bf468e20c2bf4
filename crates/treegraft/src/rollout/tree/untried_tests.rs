//! Laws of young families, on a game with many moves.

use super::Id;
use crate::bits::mix;
use crate::rollout::*;
use crate::{Alarm, Bounds, Budget};

/// Four moves in turn, each one of 150, 149, 148 and 147 numbers; a hash of them decides who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Wide {
    moves: [u8; 4],
    plies: u8,
}

const START: Wide = Wide { moves: [0; 4], plies: 0 };

impl Game for Wide {
    type Move = u8;

    fn to_move(&self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..150 - self.plies);
    }

    fn play(&mut self, mv: u8) {
        self.moves[usize::from(self.plies)] = mv;
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let hash = mix(u64::from(u32::from_le_bytes(self.moves)));
        match self.plies {
            // Some branches end early, so that there is something to prove, but not everything.
            2 if hash.is_multiple_of(400) => Some(Outcome::Win(Side::Second)),
            3 if hash.is_multiple_of(5) => Some(Outcome::Win(Side::Second)),
            3 if hash % 300 == 1 => Some(Outcome::Win(Side::First)),
            4 => {
                Some(if hash.is_multiple_of(2) { Outcome::Win(Side::First) } else { Outcome::Draw })
            }
            _ => None,
        }
    }
}

fn request(iterations: u64, memory: u64) -> Request<'static, u8> {
    Request::new(Budget { memory: Some(memory), ..Budget::iterations(iterations) }, 7)
}

/// A tree grown from the start, in which large families are young at first or are not.
fn grown(config: Config, pool: bool, iterations: u64) -> Tree<u8> {
    let squares = config.select.needs_variance();
    let margins = config.solver == Solver::Margins;
    let mut tree = Tree::new(1 << 28, Needs { squares, margins, pool, ..Needs::default() });
    tree.plant(0);
    let mut search = Worker::new(config, None, &START, tree, 7);
    grow(&mut search, &mut Meter::start(request(iterations, 1 << 28)));
    search.tree
}

/// All that people can see of a tree.
fn seen(tree: &Tree<u8>, node: Id, position: &Wide) -> String {
    let mut view = tree.view(node, position, 9, usize::MAX);
    view.mv = None;
    format!("{view:?}")
}

fn configs() -> Vec<Config> {
    let plain = Config::default();
    vec![
        plain,
        Config { select: Select::Ucb1Tuned, solver: Solver::Margins, ..plain },
        Config { solver: Solver::Wins, expand_at: 3, ..plain },
        Config { solver: Solver::Draws, ..plain },
    ]
}

#[test]
fn young_families_change_nothing_but_the_memory() {
    for config in configs() {
        for iterations in [10, 1_000, 30_000] {
            let [young, full] = [true, false].map(|pool| grown(config, pool, iterations));
            assert_eq!(seen(&young, ROOT, &START), seen(&full, ROOT, &START), "{config:?}");
            check_tree(&young);
            check_tree(&full);
            if iterations == 30_000 && config.expand_at == 1 {
                assert!(young.memory() * 3 < full.memory(), "{config:?}");
                let families = young.rows[..young.used].iter().filter(|row| row.count > 0);
                assert!(families.clone().any(|row| row.is_young() && row.tried > 8), "{config:?}");
                assert!(families.clone().any(|row| !row.is_young()), "{config:?}");
            }
        }
    }
}

/// Every row has one parent at most, visits add up, and what is proven is true of the children.
fn check_tree(tree: &Tree<u8>) {
    let mut has_parent = vec![false; tree.used];
    let mut open = vec![(ROOT, START)];
    while let Some((node, position)) = open.pop() {
        let row = &tree.rows[node as usize];
        if row.count == 0 {
            continue;
        }
        let tried = tree.tried(node);
        let below: u32 = tried.clone().map(|child| tree.rows[child].visits).sum();
        assert!(below <= row.visits, "{below} visits below {}", row.visits);
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut found: Vec<u8> = if row.is_young() {
            let first = tree.young[row.first as usize].moves as usize;
            tree.pool[first..first + usize::from(row.count)].to_vec()
        } else {
            tree.children(node).map(|child| tree.moves[child]).collect()
        };
        assert_eq!(found[..tried.len()], tree.moves[tried.clone()]);
        assert!(tried.len() == found.len() || found[tried.len()] == row.next);
        found.sort_unstable();
        assert_eq!(found, moves, "every move once");
        let mut bounds: Option<Bounds> = None;
        for child in tried.clone() {
            assert!(!std::mem::replace(&mut has_parent[child], true), "{child} has two parents");
            let mut next = position;
            next.play(tree.moves[child]);
            assert_eq!(tree.rows[child].finished(), next.outcome().is_some());
            let (so_far, new) = (bounds.unwrap_or(tree.bounds(child)), tree.bounds(child));
            bounds = Some(so_far.or(new, position.to_move()));
            open.push((child as Id, next));
        }
        if tried.len() < usize::from(row.count) {
            let so_far = bounds.unwrap_or(tree.no_bounds());
            bounds = Some(so_far.or(tree.no_bounds(), position.to_move()));
        }
        assert_eq!(bounds, Some(tree.bounds(node as usize)), "{position:?}");
    }
}

#[test]
fn a_full_arena_of_young_families_keeps_searching() {
    for config in configs() {
        for memory in [20_000, 160_000, 1_000_000] {
            let mut search = Rollout::new(config).unwrap();
            let report = search.search(&START, request(60_000, memory));
            let tree = search.tree.as_ref().expect("a search was made");
            check_tree(tree);
            assert_eq!((report.proof, report.work.iterations), (None, 60_000), "{config:?}");
            assert!(report.work.memory <= memory, "{} of {memory}", report.work.memory);
            assert!(report.work.memory > memory / 2, "{} of {memory}", report.work.memory);
            let visits: u64 = report.moves.iter().map(|report| report.visits).sum();
            assert_eq!((report.moves.len(), visits), (150, report.work.iterations));
        }
    }
}

/// A tree that cannot be kept in time is planted again: the search owes a move, and has one.
#[test]
fn a_tree_that_is_not_kept_in_time_is_gone() {
    for config in configs() {
        let mut search = Rollout::new(Config { reuse: true, ..config }).unwrap();
        let best = search.search(&START, request(20_000, 1 << 20)).best_move.expect("a move");
        let mut position = START;
        position.play(best);
        let cancel = std::sync::atomic::AtomicBool::new(true);
        let Request { budget, seed, .. } = request(20_000, 1 << 20);
        let cancelled = Request { budget, seed, cancel: Some(&cancel), ..Request::default() };
        let report = search.search(&position, cancelled);
        assert_eq!((report.stop, report.work.iterations), (Stop::Cancelled, 1), "{config:?}");
        assert!(report.best_move.is_some());
        let visits: u64 = report.moves.iter().map(|report| report.visits).sum();
        assert_eq!(visits, 1);
        // It is the root of what comes next.
        let report = search.search(&position, request(2_000, 1 << 20));
        let visits: u64 = report.moves.iter().map(|report| report.visits).sum();
        assert_eq!(visits, 2_001, "{config:?}");
    }
}

#[test]
fn a_kept_tree_keeps_its_young_families() {
    for config in configs() {
        for memory in [300_000, 1 << 24] {
            let mut search = Rollout::new(Config { reuse: true, ..config }).unwrap();
            let report = search.search(&START, request(40_000, memory));
            let tree = search.tree.as_ref().expect("a search was made");
            let best = report.best_move.expect("a move");
            let children = tree.children(ROOT);
            let child = children.clone().find(|&child| tree.moves[child] == best).expect("a child");
            let mut position = START;
            position.play(best);
            let (before, known) = (seen(tree, child as Id, &position), tree.rows[child].visits);
            assert!(search.root.is_some());
            let mut kept = search.tree.take().expect("a search was made");
            assert!(search.find_root(&mut kept, &position, &mut Alarm::default()));
            assert_eq!(seen(&kept, ROOT, &position), before, "{config:?}");
            (search.tree, search.root) = (Some(kept), Some(position));
            let report = search.search(&position, request(5_000, memory));
            let visits: u64 = report.moves.iter().map(|report| report.visits).sum();
            assert!(report.proof.is_some() || visits + 1 >= u64::from(known) + 5_000 - 3);
            assert_eq!(report.moves.len(), 149);
        }
    }
}
