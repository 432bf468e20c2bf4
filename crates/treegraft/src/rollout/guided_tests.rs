//! Playouts that an evaluation makes: when they are requested, how they are counted, and what their
//! rewards are.

use std::cell::Cell;

use super::tests::{Count, start};
use super::tree::{Needs, Tree};
use super::*;
use crate::bits::Portable;
use crate::weights::most_urgent_first;
use crate::{Guide, GuidedEnd, GuidedPlayout, Ipp, Limits, legal_moves};

/// [`Count`] with short playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Short(Count);

const PLIES: u32 = 12;

impl Game for Short {
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

    fn limits(&self) -> Limits {
        Limits { playout_plies: PLIES, ..Limits::default() }
    }
}

/// The bound 0.000249 is one of these values, and a million times that is less.
fn evaluate(at: &Short) -> i32 {
    (i32::from(at.0.count) % 7 - 3) * 83
}

fn greedy(at: &Short, ipp: Option<Ipp>, _: &mut Rng) -> u8 {
    let mut moves = legal_moves(at);
    let urgent = ipp.map_or(moves.len(), |ipp| most_urgent_first(at, ipp, &mut moves));
    let value = |&&mv: &&u8| {
        let mut next = *at;
        next.play(mv);
        at.to_move().sign() as i32 * evaluate(&next)
    };
    *moves[..urgent].iter().max_by_key(value).expect("a move")
}

/// What a search does, in one function.
fn playouts(at: &mut Short, guide: &Guide, rng: &mut Rng) -> Option<GuidedPlayout> {
    GUIDE.set(Some(*guide));
    let (mut plies, mut evaluations, mut buffer) = (0, 0, Vec::new());
    let end = loop {
        if let Some(outcome) = at.outcome() {
            break GuidedEnd::Over(outcome);
        }
        let (end, valued) = guide.look(at, plies, evaluate);
        evaluations += valued;
        if let Some(end) = end {
            break end;
        }
        let is_greedy = guide.greedy.is_some_and(|epsilon| rng.unit() >= epsilon);
        at.play(match guide.ipp {
            _ if is_greedy => greedy(at, guide.ipp, rng),
            Some(ipp) => at.speed().guided_move(Some(ipp), rng, &mut buffer),
            None => at.speed().random_move(rng, &mut buffer),
        });
        plies += 1;
    };
    Some(GuidedPlayout { end, plies, evaluations })
}

thread_local! {
    /// The guide of the last playout.
    static GUIDE: Cell<Option<Guide>> = const { Cell::new(None) };
}

fn evaluator() -> Evaluator<Short> {
    Evaluator::plain("test", "a test", evaluate)
}

/// What a search of `simulations` simulations has done.
fn search(config: Config, evaluator: Evaluator<Short>, simulations: u32) -> (u64, Work) {
    let root = Short(start(40));
    let squares = config.select.needs_variance();
    let mut tree = Tree::new(1 << 20, Needs { squares, ..Needs::default() });
    tree.plant(0);
    let mut search = Worker::new(config, Some(evaluator), &root, tree, 3);
    search.expand_root();
    for _ in 0..simulations {
        search.simulate(Portable);
    }
    (search.digest, search.work)
}

fn mercy(bound: f64, every: u32) -> Option<Mercy> {
    Some(Mercy { bound, every })
}

/// Settings whose playouts an evaluation can make, and the guides of these.
fn guided() -> Vec<(Config, Guide)> {
    let plain = Config::default();
    let none = Guide { ipp: None, greedy: None, cut: None, mercy: None, max_plies: PLIES };
    let improved = Config { playouts: Playouts::Improved(Ipp::Printed), ..plain };
    let ic = Informed { ic: Some(4), ..Informed::default() };
    let sloped = Informed { slope: 40.0, ..ic };
    let det = Informed { det: mercy(0.000_249, 3), ..Informed::default() };
    let ir = Informed { ir: Some(0.5), ..Informed::default() };
    let all = Informed { ic: Some(8), det: mercy(0.000_166, 2), ..ir };
    let guide_of_all = Guide { greedy: Some(0.5), cut: Some(8), mercy: Some((2, 166)), ..none };
    vec![
        (Config { informed: ic, ..plain }, Guide { cut: Some(4), ..none }),
        (Config { informed: sloped, ..plain }, Guide { cut: Some(4), ..none }),
        (Config { informed: det, ..plain }, Guide { mercy: Some((3, 249)), ..none }),
        (Config { informed: ir, ..plain }, Guide { greedy: Some(0.5), ..none }),
        (improved, Guide { ipp: Some(Ipp::Printed), ..none }),
        (Config { informed: all, ..plain }, guide_of_all),
        (Config { informed: all, ..improved }, Guide { ipp: Some(Ipp::Printed), ..guide_of_all }),
    ]
}

#[test]
fn searches_are_the_same_whoever_makes_the_playouts() {
    let (mut capped, mut plies) = (0, 0);
    for (config, guide) in guided() {
        GUIDE.set(None);
        let slow = search(config, evaluator().with_greedy(greedy), 500);
        assert_eq!(GUIDE.take(), None);
        let fast = search(config, evaluator().with_greedy(greedy).with_playouts(playouts), 500);
        assert_eq!(GUIDE.take(), Some(guide));
        assert_eq!(fast, slow, "{guide:?}");
        (capped, plies) = (capped + fast.1.capped_playouts, plies + fast.1.playout_plies);
    }
    assert!(capped > 100 && plies > 5000, "{capped} {plies}");
}

type GuidedPlayouts = fn(&mut Short, &Guide, &mut Rng) -> Option<GuidedPlayout>;

/// Whatever a guide cannot say is done move by move.
#[test]
fn playouts_that_no_guide_describes_are_not_asked_for() {
    let never: GuidedPlayouts = |_, guide, _| panic!("asked for {guide:?}");
    let evaluator = || evaluator().with_greedy(greedy);
    let (plain, none) = (Config::default(), Informed::default());
    let of = |informed| Config { informed, ..plain };
    let (ir, ic) = (Informed { ir: Some(0.5), ..none }, Informed { ic: Some(4), ..none });
    let with = |embed| Config { embed, ..of(ic) };
    let configs = [
        plain,
        of(Informed { ir_depth: 2, ..ir }),
        of(Informed { ic_depth: 1, ..ic }),
        of(Informed { det: mercy(0.5, 3), slope: 40.0, ..none }),
        Config { playouts: Playouts::Hints, ..of(ic) },
        with(Embed { mr: Some(2), ..Embed::default() }),
        Config { embed: Embed { k: Some(2), ..Embed::default() }, ..of(ir) },
    ];
    for config in configs {
        assert_eq!(
            search(config, evaluator().with_playouts(never), 200),
            search(config, evaluator(), 200)
        );
    }
    // Numbers that make no sense are refused.
    for informed in [
        Informed { ir: Some(f64::NAN), ..none },
        Informed { det: mercy(-0.5, 3), ..none },
        Informed { det: mercy(f64::NAN, 3), ..none },
    ] {
        assert!(of(informed).check().is_err(), "{informed:?}");
    }
    // Greedy playouts need the greedy moves of the same evaluation.
    search(of(ir), Evaluator::plain("test", "a test", evaluate).with_playouts(never), 200);
    // And what it makes nothing of is made move by move.
    let nothing: GuidedPlayouts = |_, _, _| None;
    for (config, _) in guided() {
        let made = search(config, evaluator().with_playouts(nothing), 200);
        assert_eq!(made, search(config, evaluator(), 200));
    }
}

/// Plies, evaluations and capped playouts, and the reward.
#[test]
fn every_end_is_counted_and_has_its_reward() {
    fn made(end: GuidedEnd, plies: u32, evaluations: u32) -> Option<GuidedPlayout> {
        Some(GuidedPlayout { end, plies, evaluations })
    }
    let cases: [(GuidedPlayouts, [u64; 3], f64); 9] = [
        (|_, _, _| made(GuidedEnd::Over(Outcome::Win(Side::First)), 3, 2), [3, 3, 0], 1.0),
        (|_, _, _| made(GuidedEnd::Over(Outcome::Win(Side::Second)), 3, 2), [3, 3, 0], -1.0),
        (|_, _, _| made(GuidedEnd::Over(Outcome::Draw), 1, 0), [1, 1, 0], 0.0),
        (|_, _, _| made(GuidedEnd::Cut(250_000), 4, 1), [4, 1, 0], 0.25),
        (|_, _, _| made(GuidedEnd::Cut(1_050_000), 4, 1), [4, 1, 0], 0.999_999),
        (|_, _, _| made(GuidedEnd::Cut(i32::MIN), 4, 1), [4, 1, 0], -0.999_999),
        (|_, _, _| made(GuidedEnd::Mercy(Side::First), 5, 5), [5, 5, 0], 1.0),
        (|_, _, _| made(GuidedEnd::Mercy(Side::Second), 5, 5), [5, 5, 0], -1.0),
        (|_, _, _| made(GuidedEnd::Capped, 7, 4), [7, 5, 1], 0.0),
    ];
    let root = Short(start(40));
    let informed = Informed { ic: Some(4), ..Informed::default() };
    let config = Config { informed, ..Config::default() };
    for (playouts, counted, reward) in cases {
        let tree = Tree::new(1 << 20, Needs::default());
        let evaluator = evaluator().with_playouts(playouts);
        let mut search = Worker::new(config, Some(evaluator), &root, tree, 3);
        let policy = &search.shared.playouts;
        assert_eq!(search.playout(policy, &mut root.clone()), reward);
        let Work { playout_plies, evaluations, capped_playouts, .. } = search.work;
        assert_eq!([playout_plies, evaluations, capped_playouts], counted);
    }
}
