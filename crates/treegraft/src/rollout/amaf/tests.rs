//! RAVE, GRAVE and MAST do what their papers say, and not something like it.

use std::collections::{BTreeSet, HashMap};

use super::*;
use crate::bits::Portable;
use crate::rollout::embed::tests::after;
use crate::rollout::tests::{Count, start};
use crate::rollout::tree::{MEAN, Needs, ROOT, Tree};
use crate::rollout::ucb::Formula;
use crate::rollout::{Config, Expand, Rave, Rollout, Select, Solver, Step};
use crate::{Budget, Request, Searcher};

const RAVE: Rave = Rave { k: 20.0, bias: None, reference: 0, untried: false };

fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (solver, expand) in [(Solver::Off, Expand::One), (Solver::Wins, Expand::All)] {
        for (reference, untried) in [(0, false), (0, true), (7, false), (30, true)] {
            let rave = Some(Rave { reference, untried, ..RAVE });
            let plain = Config { solver, expand, rave, c: 0.5, ..Config::default() };
            configs.push(plain);
            configs.push(Config { select: Select::Ucb1Tuned, mast: Some(0.2), ..plain });
        }
    }
    configs
}

fn begin<'a>(root: &'a Count, config: Config) -> Worker<'a, Count> {
    let slots = root.speed().move_slots();
    let needs = Needs {
        squares: config.select.needs_variance(),
        slots: config.rave.map_or(0, |_| slots as u32),
        both: config.rave.is_some_and(|rave| rave.reference > 0),
        ..Needs::default()
    };
    let mut tree = Tree::new(1 << 30, needs);
    tree.plant(0);
    tree.untried_differ = true;
    let mut search = Worker::new(config, None, root, tree, 3);
    search.amaf = Amaf::new(search.shared, slots);
    search.trace = Some(Trace::new(slots));
    search.expand_root();
    search
}

/// Counts and sums by node, side and slot.
type Counts = HashMap<(Id, Side, usize), (f32, f32)>;

/// Every move once.
fn played(steps: &[(Side, usize)], playout: &Trace) -> Vec<(Side, usize)> {
    let mut all = Vec::new();
    for side in [Side::First, Side::Second] {
        let own = steps.iter().filter(|step| step.0 == side).map(|step| step.1);
        let slots: BTreeSet<usize> = own.chain(playout.slots(side)).collect();
        all.extend(slots.into_iter().map(|slot| (side, slot)));
    }
    all
}

/// Simulates, and counts the moves of every simulation at every node on its path, from that node on.
fn recounted(search: &mut Worker<'_, Count>, simulations: u32) -> Counts {
    let mut counts = Counts::new();
    for _ in 0..simulations {
        if search.tree.bounds(ROOT as usize).is_exact() {
            break;
        }
        search.simulate(Portable);
        let (steps, playout, reward) = search.amaf.log.last().expect("it was logged").clone();
        for (place, &Step { node, .. }) in search.path.iter().enumerate() {
            if search.tree.rows[node as usize].count == 0 {
                continue;
            }
            for (side, slot) in played(&steps[place..], &playout) {
                let entry = counts.entry((node, side, slot)).or_default();
                *entry = (entry.0 + 1.0, entry.1 + reward as f32);
            }
        }
    }
    counts
}

/// A move counts for the side that played it, from the node on, once. Adding 3 gives another turn, so
/// that sides do not alternate.
#[test]
fn counts_are_those_of_a_slow_recount() {
    let root = start(40);
    let mut compared = 0;
    for config in configs() {
        let mut search = begin(&root, config);
        let counts = recounted(&mut search, 600);
        let both = config.rave.is_some_and(|rave| rave.reference > 0);
        let mut movers: HashMap<Id, Side> = HashMap::new();
        let mut open = vec![(ROOT, root)];
        while let Some((node, position)) = open.pop() {
            movers.insert(node, position.to_move());
            for child in search.tree.tried(node) {
                open.push((child as Id, after(&position, search.tree.moves[child])));
            }
        }
        for (&node, &mover) in &movers {
            let table = search.tree.side.tables[node as usize];
            let sides = if both { vec![mover, mover.other()] } else { vec![mover] };
            for side in sides {
                for mv in 1..=3 {
                    let slot = root.speed().move_slot(mv);
                    let cell = search.tree.amaf.cell(table, side, slot);
                    let expected = counts.get(&(node, side, slot)).copied();
                    assert_eq!((cell.count, cell.sum), expected.unwrap_or_default(), "{config:?}");
                    compared += u32::from(cell.count > 0.0);
                }
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// The value that selection sees of a child with this mean, AMAF mean and number of visits.
fn mixed(rave: Rave, mean: f32, amaf: f32, visits: f64) -> f32 {
    let hot = vec![[mean, 1.0 / visits.sqrt() as f32]; 9];
    let cells = vec![[12.0, 12.0 * amaf]; 9];
    let bias = rave.bias.map(|bias| bias as f32);
    let values = AmafValues { cells: &cells, k: rave.k as f32, bias };
    UpperConfidenceBounds::without_width(&hot, 1).with_amaf(values).at(0)
}

#[test]
fn both_means_count_the_same_at_k_visits() {
    for k in [1.0, 20.0, 1000.0] {
        let rave = Rave { k, ..RAVE };
        assert!((mixed(rave, 0.5, -0.25, k) - 0.125).abs() < 1e-5);
        for visits in [1.0, 7.0, 300.0] {
            let beta = (k / (3.0 * visits + k)).sqrt();
            let right = (1.0 - beta) * 0.5 - beta * 0.25;
            assert!((f64::from(mixed(rave, 0.5, -0.25, visits)) - right).abs() < 1e-5);
        }
        assert!(mixed(rave, f32::NEG_INFINITY, 0.9, 5.0) == f32::NEG_INFINITY);
    }
    let biased = Rave { bias: Some(0.01), ..RAVE };
    let beta = 12.0 / (12.0 + 4.0 + 0.48);
    assert!((mixed(biased, 0.5, -0.25, 4.0) - (0.5 - beta * 0.75)).abs() < 1e-5);
}

/// The printed formula: AMAF in the exploitation term alone.
#[test]
fn selection_follows_the_formula() {
    let root = start(40);
    let (mut checked, mut differs) = (0, 0);
    for config in configs().into_iter().filter(|config| config.select == Select::Ucb1) {
        let rave = config.rave.expect("rave");
        let mut search = begin(&root, config);
        recounted(&mut search, 500);
        let mut open = vec![(ROOT, root, vec![ROOT])];
        while let Some((node, position, path)) = open.pop() {
            let row = search.tree.rows[node as usize];
            for child in search.tree.tried(node) {
                let below = [&path[..], &[child as Id]].concat();
                open.push((child as Id, after(&position, search.tree.moves[child]), below));
            }
            if row.tried < row.count || row.count == 0 {
                continue;
            }
            let enough = |&&at: &&Id| search.tree.rows[at as usize].visits >= rave.reference;
            let reference = *path.iter().rev().find(enough).unwrap_or(&ROOT);
            let reference = search.tree.side.tables[reference as usize];
            let (mover, sign) = (position.to_move(), position.to_move().sign() as f64);
            search.path = path.iter().map(|&node| Step { node, mover }).collect();
            let value = |child: usize, has_amaf: bool| {
                let row = &search.tree.rows[child];
                let n = f64::from(row.visits);
                if row.visits == 0 || !search.tree.hot[child][MEAN].is_finite() {
                    return None;
                }
                let mut q = row.sum / n;
                let slot = position.speed().move_slot(search.tree.moves[child]);
                let cell = search.tree.amaf.cell(reference, mover, slot);
                if cell.count > 0.0 && has_amaf {
                    let beta = (rave.k / (3.0 * n + rave.k)).sqrt();
                    q = beta * f64::from(cell.sum / cell.count) + (1.0 - beta) * q;
                }
                let parent = f64::from(search.tree.rows[node as usize].visits);
                Some(sign * q + 2.0 * config.c * (parent.ln() / n).sqrt())
            };
            let children = search.tree.children(node);
            let values: Option<Vec<f64>> = children.clone().map(|it| value(it, true)).collect();
            let Some(values) = values else { continue };
            let plain: Vec<f64> = children.filter_map(|it| value(it, false)).collect();
            let (place, highest) = best_by_amaf(&mut search, node, row, &position);
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((f64::from(highest) - best).abs() < 1e-4, "{values:?} {highest} {config:?}");
            assert!(best - values[place] < 1e-4);
            checked += 1;
            differs += u32::from(plain[place] < plain.iter().copied().fold(-9.0, f64::max) - 1e-3);
        }
    }
    assert!(checked > 300 && differs > 30, "{checked} {differs}");
}

fn digest(config: Config) -> u64 {
    let mut search = Rollout::<Count>::new(config).unwrap();
    search.search(&start(40), Request::new(Budget::iterations(2000), 5)).digest
}

/// The formulas as they are printed, for rewards from -1 to 1.
#[test]
fn untried_children_are_as_wide_as_if_visited_once() {
    for parent in [1.0_f64, 1.05, 3.0, 500.0] {
        let (ln, c) = (parent.ln(), 0.6);
        for (select, expected) in [
            (Select::Ucb1, 2.0 * c * ln.sqrt()),
            (Select::Ucb1Tuned, 2.0 * c * (ln * (2.0 * ln).sqrt().min(0.25)).sqrt()),
        ] {
            let config = Config { select, c, ..Config::default() };
            let width = f64::from(Formula::of(&config).width_after_one(ln.sqrt() as f32));
            assert!((width - expected).abs() < 1e-5, "{select:?} {parent}: {width} {expected}");
        }
    }
}

#[test]
fn without_weight_the_choices_are_those_of_plain_search() {
    for config in configs() {
        let rave = config.rave.expect("rave");
        let (untried, mast) = (false, None);
        let of = |k: f64| Some(Rave { k, untried, ..rave });
        let plain = digest(Config { rave: None, mast, ..config });
        assert_eq!(digest(Config { rave: of(0.0), mast, ..config }), plain, "{config:?}");
        assert_ne!(digest(Config { rave: of(500.0), mast, ..config }), plain, "{config:?}");
        assert_ne!(digest(Config { rave: None, mast: Some(0.2), ..config }), plain, "{config:?}");
    }
}

/// RAVE's own statistics, and those of the root everywhere.
#[test]
fn grave_refers_to_an_ancestor() {
    let of = |reference| {
        digest(Config { rave: Some(Rave { reference, ..RAVE }), c: 0.5, ..Config::default() })
    };
    let all = [0, 1, 20, 100, u32::MAX].map(of);
    assert_eq!(all[0], all[1], "every node that has children was visited");
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 4);
}

/// Only where untried children compete is a child visited again before all were.
#[test]
fn untried_children_compete_if_they_may() {
    for untried in [false, true] {
        let rave = Some(Rave { untried, k: 500.0, ..RAVE });
        let config = Config { rave, c: 0.2, ..Config::default() };
        let root = start(40);
        let mut search = begin(&root, config);
        recounted(&mut search, 1500);
        let tree = &search.tree;
        let is_early = |node: usize| {
            let row = &tree.rows[node];
            row.tried < row.count && tree.tried(node as Id).any(|child| tree.rows[child].visits > 1)
        };
        assert_eq!((0..tree.used).any(is_early), untried);
    }
}

#[test]
fn mast_plays_the_moves_with_the_best_mean() {
    let root = start(40);
    let config = Config { mast: Some(0.5), ..Config::default() };
    let mut search = begin(&root, config);
    let mut counts: HashMap<(Side, usize), (f32, f32)> = HashMap::new();
    for _ in 0..300 {
        for count in [0, 5, 17, 38] {
            let position = Count { count, ..root };
            let value = |mv: u8| {
                let cell = counts.get(&(Side::First, position.speed().move_slot(mv)));
                cell.map_or(1.0, |cell| cell.1 / cell.0)
            };
            let moves = crate::legal_moves(&position);
            let best = moves.iter().map(|&mv| value(mv)).fold(-2.0, f32::max);
            let mv = search.best_by_mast(&search.shared.playouts, &position);
            assert_eq!(value(mv), best);
        }
        search.simulate(Portable);
        let (steps, playout, reward) = search.amaf.log.last().expect("it was logged");
        for (side, slot) in played(steps, playout) {
            let entry = counts.entry((side, slot)).or_default();
            *entry = (entry.0 + 1.0, entry.1 + *reward as f32);
        }
    }
    assert!(counts.len() == 6);
}

/// Rows and tables share the memory, and use most of it.
#[test]
fn rows_and_tables_share_the_memory() {
    for reference in [0, 9] {
        for memory in [8 << 10, 64 << 10, 256 << 10] {
            let rave = Some(Rave { reference, ..RAVE });
            let mut search =
                Rollout::<Count>::new(Config { rave, c: 0.5, ..Config::default() }).unwrap();
            let budget = Budget { memory: Some(memory), ..Budget::iterations(20_000) };
            let far = Count { count: 14, ..start(200) };
            let used = search.search(&far, Request::new(budget, 5)).work.memory;
            assert!(used <= memory && 4 * used > 3 * memory, "{used} of {memory}");
        }
    }
}

/// Statistics go with the part of the tree that is kept.
#[test]
fn a_kept_tree_keeps_its_counts() {
    for reference in [0, 9] {
        let rave = Some(Rave { reference, ..RAVE });
        let config = Config { rave, reuse: true, ..Config::default() };
        let mut search = Rollout::<Count>::new(config).unwrap();
        let root = start(40);
        search.search(&root, Request::new(Budget::iterations(3000), 5));
        let tables = |search: &Rollout<Count>, from: Id| {
            let tree = search.tree.as_ref().expect("a tree");
            let (mut all, mut open) = (Vec::new(), vec![from]);
            while let Some(node) = open.pop() {
                let table = tree.side.tables[node as usize];
                let sides = [Side::First, Side::Second];
                let cells = sides.map(|side| {
                    [1, 2, 3].map(|mv| tree.amaf.cell(table, side, root.speed().move_slot(mv)))
                });
                all.push((tree.rows[node as usize].visits, cells));
                open.extend(tree.tried(node).map(|child| child as Id));
            }
            all
        };
        let tree = search.tree.as_ref().expect("a tree");
        let child = tree.tried(ROOT).max_by_key(|&child| tree.rows[child].visits).expect("one");
        let (mv, before) = (tree.moves[child], tables(&search, child as Id));
        search.search(&after(&root, mv), Request::new(Budget::iterations(0), 5));
        let tree = search.tree.as_ref().expect("a tree");
        assert!(tree.rows[ROOT as usize].visits as usize > 100);
        // A search makes one simulation at least, which touches a path.
        let now = tables(&search, ROOT);
        let same = before.iter().filter(|it| now.contains(it)).count();
        assert!(same > before.len() * 9 / 10, "{same} of {}", before.len());
        let tables = now.iter().filter(|(_, cells)| cells.concat().iter().any(|it| it.count > 0.0));
        let bytes = tables.count() * root.speed().move_slots() * if reference > 0 { 16 } else { 8 };
        assert_eq!(tree.amaf.bytes(), bytes as u64, "other tables are dropped");
    }
}
