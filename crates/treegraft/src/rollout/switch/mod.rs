//! Strategy switching: a bandit chooses how the next playout is made (Mańdziuk & Walczak, Monte Carlo
//! Tree Search with Metaheuristics).
//!
//! A strategy is a way to choose playout moves. UCB1 tries each of them once and then prefers those whose
//! playouts bring the player at the root high rewards; the chosen one makes a whole playout, for both
//! sides.

mod bandit;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use bandit::Arm;
use bandit::Bandit;

use super::informed::Judge;
use super::playout::PlayoutKind;
use super::{Config, Informed, Playouts, RolloutSearch};
use crate::observe::Observer;
use crate::{Evaluator, Game, Side, Speed, StrategyReport};

/// A way to choose playout moves.
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// Its name in reports.
    pub name: Cow<'static, str>,
    /// The default policy.
    pub playouts: Playouts,
    /// Moves are those with the best value by this evaluation, or with this probability any by the
    /// default policy.
    pub greedy: Option<(f64, Evaluator<G>)>,
    /// Moves are MAST's, or with this probability any by the default policy. MAST learns from all
    /// simulations.
    pub mast: Option<f64>,
}

impl<G: Game> Strategy<G> {
    /// Random moves.
    #[must_use]
    pub fn random() -> Strategy<G> {
        Strategy { name: "random".into(), playouts: Playouts::Random, greedy: None, mast: None }
    }

    /// The moves with the best value by an evaluation, ties at random.
    #[must_use]
    pub fn greedy(evaluator: Evaluator<G>) -> Strategy<G> {
        let name = evaluator.name.clone();
        Strategy { name, greedy: Some((0.0, evaluator)), ..Strategy::random() }
    }
}

/// A strategy in the hand of a search: what it puts in the place of the search's own playouts.
#[derive(Debug)]
struct Hand<G: Game> {
    name: Cow<'static, str>,
    playouts: Playouts,
    ir: Option<f64>,
    mast: Option<f64>,
    kind: PlayoutKind,
    judge: Judge<G>,
}

/// The strategies of a search, and what they have brought so far.
#[derive(Debug)]
pub(super) struct Switching<G: Game> {
    hands: Vec<Hand<G>>,
    /// By side, if sides have their own, and band.
    bandits: Vec<[Bandit; 2]>,
    /// What was chosen for the present playout, by side.
    chosen: Option<(usize, [usize; 2])>,
    course: Course,
    /// What was remembered when the search began.
    before: Vec<Arm>,
}

/// How often each strategy was chosen, and what it brought, after some numbers of playouts.
#[derive(Debug, Default)]
struct Course {
    playouts: u64,
    /// Playouts between two entries.
    step: u64,
    entries: Vec<Vec<Arm>>,
}

impl Course {
    /// With twice as many entries, every other one is dropped.
    const ENTRIES: usize = 32;

    fn add(&mut self, arms: impl FnOnce() -> Vec<Arm>) {
        self.playouts += 1;
        self.step = self.step.max(1);
        if self.playouts.is_multiple_of(self.step) {
            self.entries.push(arms());
        }
        if self.entries.len() == 2 * Self::ENTRIES {
            self.step *= 2;
            let mut is_kept = false;
            self.entries.retain(|_| {
                is_kept = !is_kept;
                !is_kept
            });
        }
    }
}

impl<G: Game> Switching<G> {
    pub(super) fn new(config: &Config, strategies: Vec<Strategy<G>>) -> Option<Switching<G>> {
        config.switch?;
        let hand = |strategy: Strategy<G>| {
            let Strategy { name, playouts, greedy, mast } = strategy;
            let (ir, evaluator) = greedy.unzip();
            let informed = Informed { ir, ..config.informed };
            let config = Config { playouts, informed, mast, ..*config };
            let (kind, judge) = (PlayoutKind::of(&config), Judge::new(&config, evaluator));
            Hand { name, playouts, ir, mast, kind, judge }
        };
        let hands: Vec<Hand<G>> = strategies.into_iter().map(hand).collect();
        (!hands.is_empty()).then(|| Switching {
            hands,
            bandits: Vec::new(),
            chosen: None,
            course: Course::default(),
            before: Vec::new(),
        })
    }

    /// Whether a strategy asks for MAST's statistics.
    pub(super) fn asks_mast(&self) -> bool {
        self.hands.iter().any(|hand| hand.mast.is_some())
    }

    /// Forgets what the strategies have brought.
    pub(super) fn forget(&mut self) {
        self.bandits.clear();
    }

    /// A new search begins, which reports on its own playouts.
    pub(super) fn begin(&mut self, config: &Config) {
        let Some(switch) = config.switch else { return };
        if !switch.keep {
            self.forget();
        }
        self.chosen = None;
        self.course = Course::default();
        self.before = self.all_arms(switch.sides);
    }

    /// The strategies of all bandits together in this search, by strategy; each side's own, if it has.
    fn arms(&self, sides: bool) -> Vec<Arm> {
        let mut arms = self.all_arms(sides);
        arms.iter_mut().zip(&self.before).for_each(|(arm, before)| arm.part(before));
        arms
    }

    /// The same with what is remembered of earlier searches.
    fn all_arms(&self, sides: bool) -> Vec<Arm> {
        let sides = if sides { 2 } else { 1 };
        let mut arms = vec![Arm::default(); sides * self.hands.len()];
        for bandits in &self.bandits {
            for (side, bandit) in bandits[..sides].iter().enumerate() {
                for (i, arm) in bandit.arms().iter().enumerate() {
                    arms[side * self.hands.len() + i].join(arm);
                }
            }
        }
        arms
    }

    /// What the report tells.
    pub(super) fn report(&self, config: &Config) -> Vec<StrategyReport> {
        let sides = config.switch.is_some_and(|switch| switch.sides);
        let arms = self.arms(sides);
        let count = self.hands.len();
        // What was played since the last entry.
        let is_open = !self.course.playouts.is_multiple_of(self.course.step.max(1));
        let last = |i: usize| is_open.then_some(arms[i]);
        let of = |(i, arm): (usize, &Arm)| {
            let side = sides.then_some(if i < count { Side::First } else { Side::Second });
            StrategyReport {
                name: self.hands[i % count].name.clone(),
                side,
                playouts: arm.times,
                mean: arm.mean(),
                course: self.course.entries.iter().map(|entry| entry[i]).chain(last(i)).collect(),
            }
        };
        arms.iter().enumerate().map(of).collect()
    }
}

impl<G: Game, O: Observer<G::Move>> RolloutSearch<'_, G, O> {
    /// A playout by the strategies that the bandits choose.
    #[inline(never)]
    pub(super) fn switched_playout(&mut self, position: &mut G) -> f64 {
        let depth = self.path.len() - 1;
        let Some(switch) = self.config.switch else { return 0.0 };
        let Some(mut switching) = self.switching.take() else { return 0.0 };
        let band = switch.band.map_or(0, |plies| depth / plies as usize);
        let count = switching.hands.len();
        while switching.bandits.len() <= band {
            switching.bandits.push([Bandit::new(count), Bandit::new(count)]);
        }
        let [first, second] = &switching.bandits[band];
        let both = first.choose(switch.b);
        let chosen = [both, if switch.sides { second.choose(switch.b) } else { both }];
        switching.chosen = Some((band, chosen));
        let sides = if switch.sides { &chosen[..] } else { &chosen[..1] };
        self.see_strategies(sides.iter().map(|&hand| &*switching.hands[hand].name));
        let reward = if switch.sides && count > 1 {
            self.playout_by_sides(position, &mut switching, chosen)
        } else {
            let hand = &mut switching.hands[chosen[0]];
            self.exchange(hand);
            let reward = self.playout(position);
            self.exchange(hand);
            reward
        };
        self.switching = Some(switching);
        reward
    }

    /// Puts a strategy in the place of the search's own playouts, or back.
    fn exchange(&mut self, hand: &mut Hand<G>) {
        std::mem::swap(&mut self.config.playouts, &mut hand.playouts);
        std::mem::swap(&mut self.config.informed.ir, &mut hand.ir);
        std::mem::swap(&mut self.config.mast, &mut hand.mast);
        std::mem::swap(&mut self.playouts, &mut hand.kind);
        std::mem::swap(&mut self.informed, &mut hand.judge);
    }

    /// A playout in which each side has a strategy of its own.
    fn playout_by_sides(
        &mut self,
        position: &mut G,
        switching: &mut Switching<G>,
        chosen: [usize; 2],
    ) -> f64 {
        let limit = position.limits().playout_plies;
        let mut plies = 0;
        let reward = loop {
            if let Some(outcome) = position.outcome() {
                break outcome.value() as f64;
            }
            if plies == limit {
                self.work.capped_playouts += 1;
                break 0.0;
            }
            let side = position.to_move();
            let hand = &mut switching.hands[chosen[side.index()]];
            self.exchange(hand);
            let mv = if self.alarm.rings_before(1) {
                position.speed().random_move(&mut self.rng, &mut self.buffer)
            } else {
                self.playout_move(position)
            };
            self.exchange(hand);
            if let Some(trace) = &mut self.trace {
                trace.add_move(position, mv);
            }
            position.play(mv);
            plies += 1;
        };
        self.work.evaluations += 1;
        self.work.playout_plies += u64::from(plies);
        reward
    }

    /// Tells the bandits what the playout that they chose for has brought; nothing if there was none.
    pub(super) fn pay_strategies(&mut self, reward: f64) {
        let Some(switch) = self.config.switch else { return };
        let Some(switching) = &mut self.switching else { return };
        let Some((band, chosen)) = switching.chosen.take() else { return };
        let bandits = &mut switching.bandits[band];
        if switch.sides {
            for side in [Side::First, Side::Second] {
                let i = side.index();
                bandits[i].pay(chosen[i], side.sign() as f64 * reward);
            }
        } else {
            bandits[0].pay(chosen[0], self.root.to_move().sign() as f64 * reward);
        }
        let mut course = std::mem::take(&mut switching.course);
        course.add(|| switching.arms(switch.sides));
        switching.course = course;
    }
}
