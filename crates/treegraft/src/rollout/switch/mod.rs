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
pub(super) use bandit::Bandit;

use super::{Playouts, Switch, Worker};
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

/// The rewards of a search's strategies so far.
#[derive(Debug)]
pub(super) struct Switching<'a> {
    switch: Switch,
    /// How many strategies there are.
    count: usize,
    /// By side, if sides have their own, and band.
    bandits: &'a mut Vec<[Bandit; 2]>,
    /// What was chosen for the present playout, by side.
    chosen: Option<(usize, [usize; 2])>,
    course: Course,
    /// What was remembered when the search began.
    before: Vec<Arm>,
}

/// How often each strategy was chosen, and its rewards, after some numbers of playouts.
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

impl Switching<'_> {
    /// A new search begins, which reports on its own playouts.
    pub(super) fn new(
        switch: Switch,
        count: usize,
        bandits: &mut Vec<[Bandit; 2]>,
    ) -> Switching<'_> {
        if !switch.keep {
            bandits.clear();
        }
        let (chosen, course, before) = (None, Course::default(), Vec::new());
        let mut switching = Switching { switch, count, bandits, chosen, course, before };
        switching.before = switching.all_arms();
        switching
    }

    /// The strategies for the next playout, which begins `depth` plies from the root, by side.
    fn choose(&mut self, depth: usize) -> [usize; 2] {
        let Switch { b, band, sides, .. } = self.switch;
        let band = band.map_or(0, |plies| depth / plies as usize);
        while self.bandits.len() <= band {
            self.bandits.push([Bandit::new(self.count), Bandit::new(self.count)]);
        }
        let [first, second] = &self.bandits[band];
        let both = first.choose(b);
        let chosen = [both, if sides { second.choose(b) } else { both }];
        self.chosen = Some((band, chosen));
        chosen
    }

    /// The strategies of all bandits together in this search, by strategy; each side's own, if it has.
    fn arms(&self) -> Vec<Arm> {
        let mut arms = self.all_arms();
        arms.iter_mut().zip(&self.before).for_each(|(arm, before)| arm.part(before));
        arms
    }

    /// The same with what is remembered of earlier searches.
    fn all_arms(&self) -> Vec<Arm> {
        let sides = if self.switch.sides { 2 } else { 1 };
        let mut arms = vec![Arm::default(); sides * self.count];
        for bandits in &*self.bandits {
            for (side, bandit) in bandits[..sides].iter().enumerate() {
                for (i, arm) in bandit.arms.iter().enumerate() {
                    arms[side * self.count + i].join(arm);
                }
            }
        }
        arms
    }

    /// What the report contains.
    pub(super) fn report<P>(&self, strategies: &[(Cow<'static, str>, P)]) -> Vec<StrategyReport> {
        let (arms, count) = (self.arms(), self.count);
        // What was played since the last entry.
        let is_open = !self.course.playouts.is_multiple_of(self.course.step.max(1));
        let last = |i: usize| is_open.then_some(arms[i]);
        let of = |(i, arm): (usize, &Arm)| {
            let side =
                self.switch.sides.then_some(if i < count { Side::First } else { Side::Second });
            StrategyReport {
                name: strategies[i % count].0.clone(),
                side,
                playouts: arm.times,
                mean: arm.mean(),
                course: self.course.entries.iter().map(|entry| entry[i]).chain(last(i)).collect(),
            }
        };
        arms.iter().enumerate().map(of).collect()
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A playout by the strategies that the bandits choose.
    #[inline(never)]
    pub(super) fn switched_playout(&mut self, position: &mut G) -> f64 {
        let strategies = &self.shared.strategies;
        let Some(switching) = &mut self.switching else { return 0.0 };
        let (chosen, sides) = (switching.choose(self.path.len() - 1), switching.switch.sides);
        let named = if sides { &chosen[..] } else { &chosen[..1] };
        self.see_strategies(named.iter().map(|&number| &*strategies[number].0));
        if sides && strategies.len() > 1 {
            self.playout_by_sides(position, chosen)
        } else {
            self.playout(&strategies[chosen[0]].1, position)
        }
    }

    /// A playout in which each side has a strategy of its own.
    fn playout_by_sides(&mut self, position: &mut G, chosen: [usize; 2]) -> f64 {
        let strategies = &self.shared.strategies;
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
            let mv = if self.alarm.rings_before(1) {
                position.speed().random_move(&mut self.rng, &mut self.buffer)
            } else {
                self.playout_move(&strategies[chosen[side.index()]].1, position)
            };
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

    /// Updates the bandits with the reward of the playout that they chose for, if there was one.
    pub(super) fn pay_strategies(&mut self, reward: f64) {
        let Some(switching) = &mut self.switching else { return };
        let Some((band, chosen)) = switching.chosen.take() else { return };
        let bandits = &mut switching.bandits[band];
        if switching.switch.sides {
            for side in [Side::First, Side::Second] {
                let i = side.index();
                bandits[i].pay(chosen[i], side.sign() as f64 * reward);
            }
        } else {
            bandits[0].pay(chosen[0], self.root.to_move().sign() as f64 * reward);
        }
        let mut course = std::mem::take(&mut switching.course);
        course.add(|| switching.arms());
        switching.course = course;
    }
}
