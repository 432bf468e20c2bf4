//! Playouts by the game's hints play the moves with the highest hint, wherever any move would do.
//! And the traces of playouts.

use crate::Knowledge;
use std::collections::{BTreeMap, BTreeSet};

use super::informed::Event;
use super::tests::{Count, start};
use super::*;
use crate::Budget;

/// [`Count`] with hints that often see no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Vague(Count);

impl Game for Vague {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        self.0.moves(moves);
    }

    fn play(&mut self, add: u8) {
        self.0.play(add);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    crate::brings!(Knowledge);
}

impl Knowledge for Vague {
    /// Two of the three moves look better; which ones depends on the position.
    fn order_hint(&self, add: u8) -> i32 {
        -i32::from((self.0.count + add).is_multiple_of(3))
    }
}

fn vague(goal: u8) -> Vague {
    Vague(start(goal))
}

fn after(at: &Vague, mv: u8) -> Vague {
    let mut next = *at;
    next.play(mv);
    next
}

fn moves(at: &Vague) -> Vec<u8> {
    let mut moves = Vec::new();
    at.moves(&mut moves);
    moves
}

/// Of these moves, those with the highest hint.
fn best(at: &Vague, among: &[u8]) -> BTreeSet<u8> {
    let highest = among.iter().map(|&mv| at.order_hint(mv)).max();
    among.iter().copied().filter(|&mv| Some(at.order_hint(mv)) == highest).collect()
}

/// Win, loss or neither for `me` within some plies, by brute force.
fn win_loss(at: &Vague, depth: u32, me: Side) -> i64 {
    match at.outcome() {
        Some(outcome) => me.sign() * outcome.value(),
        None if depth == 0 => 0,
        None => {
            let values = moves(at).into_iter().map(|mv| win_loss(&after(at, mv), depth - 1, me));
            if at.to_move() == me { values.max() } else { values.min() }.expect("a move")
        }
    }
}

fn evaluator() -> Evaluator<Vague> {
    let evaluate = |at: &Vague| i32::from(at.0.count) % 5 * 100_000;
    Evaluator::plain("test", "a test", evaluate)
}

fn search(config: Config) -> (Rollout<Vague>, Report<u8>) {
    let config = Config { playouts: Playouts::Hints, ..config };
    let mut search = Rollout::with_evaluator(config, Some(evaluator())).unwrap();
    let report = search.search(&vague(40), Request::new(Budget::iterations(3000), 5));
    (search, report)
}

/// How often each move was played at each position, other than by its value.
fn counts(search: &Rollout<Vague>) -> Vec<(Vague, BTreeMap<u8, u32>)> {
    let mut counts: Vec<(Vague, BTreeMap<u8, u32>)> = Vec::new();
    for event in &search.informed.log {
        let Event::Playout(at, mv, false) = event else { continue };
        let place = counts.iter().position(|(known, _)| known == at).unwrap_or_else(|| {
            counts.push((*at, BTreeMap::new()));
            counts.len() - 1
        });
        *counts[place].1.entry(*mv).or_default() += 1;
    }
    counts
}

fn assert_uniform(at: &Vague, counts: &BTreeMap<u8, u32>, right: &BTreeSet<u8>) {
    assert!(counts.keys().all(|mv| right.contains(mv)), "{at:?} {counts:?} {right:?}");
    let share = f64::from(counts.values().sum::<u32>()) / right.len() as f64;
    for mv in right {
        let n = f64::from(counts.get(mv).copied().unwrap_or(0));
        assert!((n - share).abs() < 5.0 * share.sqrt() + 1.0, "{at:?} {counts:?} {right:?}");
    }
}

#[test]
fn every_playout_move_has_the_highest_hint() {
    let (search, report) = search(Config::default());
    let (mut plies, mut choices) = (0, 0);
    for (at, counts) in counts(&search) {
        let right = best(&at, &moves(&at));
        assert_uniform(&at, &counts, &right);
        plies += counts.values().map(|&n| u64::from(n)).sum::<u64>();
        choices += usize::from(right.len() > 1 && right.len() < moves(&at).len());
    }
    assert_eq!(plies, report.work.playout_plies);
    let starts = search.informed.log.iter().filter(|event| matches!(event, Event::Start(_)));
    assert_eq!(report.work.evaluations, starts.count() as u64);
    assert!(choices > 10, "{choices}");
}

/// A cutoff comes after exactly `ic` of these moves.
#[test]
fn cutoffs_count_hinted_plies() {
    let informed = Informed { ic: Some(3), ..Informed::default() };
    let (search, _) = search(Config { informed, ..Config::default() });
    let (mut at, mut plies, mut cuts) = (vague(40), 0, 0);
    for event in &search.informed.log {
        match event {
            Event::Start(new) => (at, plies) = (*new, 0),
            Event::Playout(from, mv, _) => {
                assert_eq!((*from, best(from, &moves(from)).contains(mv)), (at, true));
                (at, plies) = (after(&at, *mv), plies + 1);
            }
            Event::Cut(end, _) => {
                assert_eq!((*end, plies), (at, 3));
                cuts += 1;
            }
            Event::Mercy(..) | Event::Priors(..) => {}
        }
    }
    assert!(cuts > 1000, "{cuts}");
}

/// The random moves of MCTS-IR are hinted ones; the others are not.
#[test]
fn any_move_is_a_hinted_one() {
    let informed = Informed { ir: Some(0.5), ..Informed::default() };
    let (search, report) = search(Config { informed, ..Config::default() });
    let mut any = 0;
    for (at, counts) in counts(&search) {
        assert_uniform(&at, &counts, &best(&at, &moves(&at)));
        any += counts.values().sum::<u32>();
    }
    let share = f64::from(any) / report.work.playout_plies as f64;
    assert!((share - 0.5).abs() < 0.02, "{share}");
    let by_value = |event: &Event<Vague>| match event {
        Event::Playout(at, mv, true) => !best(at, &moves(at)).contains(mv),
        _ => false,
    };
    assert!(search.informed.log.iter().any(by_value));
}

/// MCTS-MR comes first: a win is played, else the move with the highest hint that it leaves.
#[test]
fn hints_pick_from_what_mr_leaves() {
    let embed = Embed { mr: Some(3), ..Embed::default() };
    let config = Config { embed, ..Config::default() };
    let (search, _) = search(config);
    let (mut wins, mut left_out) = (0, 0);
    // The positions of all nodes of the game, by their keys.
    let mut known = BTreeMap::new();
    let mut open = vec![vague(40)];
    while let Some(position) = open.pop() {
        if position.outcome().is_none() && known.insert(position.speed().key(), position).is_none()
        {
            open.extend(moves(&position).into_iter().map(|mv| after(&position, mv)));
        }
    }
    for event in &search.minimax.log {
        let super::embed::Event::Playout(key, mv) = event else { continue };
        let position = known[key];
        let value = |mv: u8| win_loss(&after(&position, mv), 2, position.to_move());
        let all = moves(&position);
        let highest = all.iter().map(|&mv| value(mv)).max();
        let among: Vec<u8> = all.iter().copied().filter(|&mv| Some(value(mv)) == highest).collect();
        if highest == Some(1) {
            assert_eq!(value(*mv), 1);
            wins += 1;
        } else {
            assert!(best(&position, &among).contains(mv), "{position:?} {mv}");
            left_out += usize::from(best(&position, &all) != best(&position, &among));
        }
    }
    assert!(wins > 100 && left_out > 100, "{wins} {left_out}");
}

/// A trace has the moves of the playout, however they are made. Without a trace, playouts are what they
/// were.
#[test]
fn a_trace_leads_from_the_leaf_to_the_reward() {
    let plain = Config { select: Select::Ucb1Tuned, ..Config::default() };
    let embed = Embed { mr: Some(2), ..Embed::default() };
    let informed = Informed { ic: Some(4), ..Informed::default() };
    let configs = [
        plain,
        Config { embed, ..plain },
        Config { playouts: Playouts::Hints, ..plain },
        Config { informed, ..plain },
    ];
    let root = start(40);
    for config in configs {
        let mut traced = super::embed::tests::begin_search(&root, config, super::tests::blind());
        let mut plain = super::embed::tests::begin_search(&root, config, super::tests::blind());
        let (mut played, mut without) = (0, 0);
        for _ in 0..500 {
            let before = traced.work.playout_plies;
            traced.trace = Some(Trace::new(root.speed().move_slots()));
            traced.simulate(crate::bits::Portable);
            plain.simulate(crate::bits::Portable);
            let plies = traced.work.playout_plies - before;
            let trace = traced.trace.take().expect("a trace");
            let sides = [Side::First, Side::Second];
            let slots = sides.map(|side| trace.slots(side).count() as u64).iter().sum::<u64>();
            let known: Vec<usize> = (1..=3).map(|mv| root.speed().move_slot(mv)).collect();
            assert!(sides.iter().all(|&side| trace.slots(side).all(|slot| known.contains(&slot))));
            assert!(slots <= plies && (slots == 0) == (plies == 0), "{slots} of {plies}");
            played += slots;
            without += u32::from(plies == 0);
        }
        // A game without a playout of its own draws the same moves either way.
        assert_eq!((traced.digest, traced.work), (plain.digest, plain.work));
        assert!(played > 500 && without > 5, "{played} {without}");
    }
}
