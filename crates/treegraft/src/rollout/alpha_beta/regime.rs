//! The regime of a step: whether a rollout goes on as Monte Carlo's or as alpha-beta's (Baier
//! 2018).

use crate::bits::mix;
use crate::observe::Observer;
use crate::rollout::tree::Id;
use crate::rollout::{AlphaBeta, RegimeRule, Worker};
use crate::{Game, Outcome, Rng};

/// How a rollout goes on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rollout) enum Regime {
    /// As Monte Carlo's: by upper confidence bounds to a leaf, where a playout begins.
    Sample,
    /// As alpha-beta's: to the first child that can still matter, down to a horizon.
    Prove,
}

/// What decides about regimes.
#[derive(Debug)]
pub(in crate::rollout) struct Coins {
    /// Separate from the other random numbers, so that these do not depend on p.
    rng: Rng,
    pub(super) seed: u64,
    /// No room for more: all rollouts are Monte Carlo's from now on.
    pub(super) is_full: bool,
    /// [`RegimeRule::Bandit`]: how useful both regimes were, by ply.
    arms: Vec<[Arm; 2]>,
    /// The arms that the present rollout has pulled: ply, regime, and the mean of the node.
    pulled: Vec<(usize, Regime, f64)>,
    /// The bonuses given, for tests: the node's block (its row may still change), child, depth,
    /// bonus.
    #[cfg(test)]
    pub(in crate::rollout) log: Vec<(Option<usize>, usize, u32, f64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    pulls: f64,
    payoff: f64,
}

impl Coins {
    pub(in crate::rollout) fn new(seed: u64) -> Coins {
        Coins {
            rng: Rng::new(mix(seed ^ 0x616c_7068_6162_6574)),
            seed,
            is_full: false,
            arms: Vec::new(),
            pulled: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// UCB1 with two arms, those of this ply.
    fn pull(&mut self, ply: usize) -> Regime {
        if self.arms.len() <= ply {
            self.arms.resize(ply + 1, Default::default());
        }
        let arms = &self.arms[ply];
        let total = arms[0].pulls + arms[1].pulls;
        let bound = |arm: &Arm| {
            let explore = (libm::log(total.max(1.0)) / arm.pulls).sqrt();
            if arm.pulls == 0.0 { f64::INFINITY } else { arm.payoff / arm.pulls + explore }
        };
        let [sample, prove] = [Regime::Sample, Regime::Prove].map(|it| bound(&arms[it as usize]));
        if prove >= sample { Regime::Prove } else { Regime::Sample }
    }

    /// The rollout is over, with this reward.
    #[inline(always)]
    pub(in crate::rollout) fn pay(&mut self, reward: f64) {
        if !self.pulled.is_empty() {
            self.pay_arms(reward);
        }
    }

    fn pay_arms(&mut self, reward: f64) {
        for (ply, regime, mean) in self.pulled.drain(..) {
            let arm = &mut self.arms[ply][regime as usize];
            arm.pulls += 1.0;
            arm.payoff += (reward - mean).abs() / 2.0;
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The regime from this node on, to which a rollout has come from `parent`.
    #[inline(always)]
    pub(in crate::rollout) fn regime(&mut self, node: Id, parent: Id) -> Regime {
        match &self.shared.config.alpha_beta {
            None => Regime::Sample,
            Some(_) if self.tree.rows[node as usize].finished() => Regime::Sample,
            &Some(config) => self.mixed_regime(&config, node, parent),
        }
    }

    #[inline]
    fn mixed_regime(&mut self, config: &AlphaBeta, node: Id, parent: Id) -> Regime {
        if self.coins.is_full || self.tree.side.intervals.depth(node as usize) > config.l {
            return Regime::Sample;
        }
        let proves = match config.regime {
            RegimeRule::Coin => config.p < 1.0 && self.coins.rng.unit() >= config.p,
            RegimeRule::Traps => {
                config.p < 1.0 && self.has_trap(parent) && self.coins.rng.unit() >= config.p
            }
            RegimeRule::Bandit => {
                let ply = self.path.len();
                let regime = self.coins.pull(ply);
                let mean = self.tree.value(node as usize).unwrap_or(0.0);
                self.coins.pulled.push((ply, regime, mean));
                return regime;
            }
        };
        if proves { Regime::Prove } else { Regime::Sample }
    }

    /// Whether a move at this open node has been proven lost; a proven win would have decided it.
    pub(in crate::rollout) fn has_trap(&self, node: Id) -> bool {
        let mut tried = self.tree.tried(node);
        tried.any(|child| self.tree.bounds(child).outcome().and_then(Outcome::winner).is_some())
    }
}
