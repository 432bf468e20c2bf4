//! The value of a node: what rewards, priors, bonuses and evaluations add up to, and what selection
//! reads of it.

use super::columns::{Column, HAS_PRIOR, PRIMED};
use super::{Id, MEAN, NEVER_VISITED, RARITY, Tree};
use crate::Side;
use crate::rollout::{Channel, Config, Mixture, WeightBy};

/// What the value of a node depends on besides what is in the table.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rollout) struct Merge {
    /// As many visits as a prior stands for (MCTS-IP).
    pub(in crate::rollout) prior_weight: u32,
    /// Whether a node's value is the mean of its rewards: no priors, bonuses, implicit values or
    /// biases.
    is_mean: bool,
    /// Whether selection sees anything else than the mean.
    is_mixed: bool,
    /// The weight of the implicit value, and whether it fades with the visits.
    alpha: f32,
    fades: bool,
    /// What the weight falls with, and how fast.
    by: WeightBy,
    rate: f32,
}

impl Merge {
    pub(in crate::rollout) fn of(config: &Config) -> Merge {
        let ip = config.informed.ip.map(|ip| ip.weight);
        let prior_weight = ip.or(config.informed.np).map_or(0, u32::from);
        let is_mixed = config.implicit.is_some() || config.progressive_bias.is_some();
        Merge {
            prior_weight,
            is_mean: prior_weight == 0 && !is_mixed && config.alpha_beta.is_none(),
            is_mixed,
            alpha: config.implicit.map_or(0.0, |implicit| implicit.alpha as f32),
            fades: config.implicit.is_some_and(|it| it.mixture == Mixture::Progressive),
            by: config.implicit.map_or(WeightBy::Nothing, |it| it.by),
            rate: config.implicit.map_or(0.0, |it| it.rate as f32),
        }
    }
}

impl<M: Copy> Tree<M> {
    /// What is known of a node's value in the first player's view: proven, or its mean reward, with
    /// that of virtual visits.
    pub(in crate::rollout) fn value(&self, node: usize) -> Option<f64> {
        let row = &self.rows[node];
        match self.bounds(node).outcome() {
            Some(outcome) => Some(outcome.value() as f64),
            None => {
                let n = self.weighted_visits(node);
                (n > 0).then(|| row.sum / f64::from(n))
            }
        }
    }

    /// Whether the search has any channel.
    #[inline(always)]
    pub(in crate::rollout) fn has_channels(&self) -> bool {
        self.side.channels.iter().any(Column::is_present)
    }

    /// The column of a channel.
    #[inline(always)]
    pub(in crate::rollout) fn channel(&self, channel: Channel) -> &Column<f32> {
        &self.side.channels[channel as usize]
    }

    /// Sets the value of a node in a channel that the search has, and returns the old one.
    #[inline(always)]
    pub(in crate::rollout) fn set_channel(
        &mut self,
        channel: Channel,
        node: usize,
        value: f32,
    ) -> f32 {
        std::mem::replace(&mut self.side.channels[channel as usize][node], value)
    }

    /// Counts a simulation with this reward (first player's view, from -1 to 1) at a node `depth` plies
    /// from the root.
    #[inline(always)]
    pub(in crate::rollout) fn add_reward(&mut self, node: Id, depth: usize, reward: f64) {
        let node = node as usize;
        let row = &mut self.rows[node];
        row.visits += 1;
        row.sum += reward;
        if self.side.squares.is_present() {
            self.side.squares[node] += reward * reward;
        }
        self.refresh(node, depth);
    }

    /// Gives a child, `depth` plies from the root, virtual visits: wins and losses, whose mean is `value`
    /// (first player's view, from -1 to 1).
    pub(in crate::rollout) fn add_prior(&mut self, node: usize, depth: usize, value: f64) {
        let row = &mut self.rows[node];
        row.sum += f64::from(self.merge.prior_weight) * value;
        self.side.priors[node] |= HAS_PRIOR;
        if self.side.squares.is_present() {
            self.side.squares[node] += f64::from(self.merge.prior_weight);
        }
        self.refresh(node, depth);
    }

    /// Visits, with the virtual ones of a prior but without bonuses.
    #[inline(always)]
    pub(in crate::rollout) fn weighted_visits(&self, node: usize) -> u32 {
        self.rows[node].visits
            + if self.has_prior_mark(node, HAS_PRIOR) { self.merge.prior_weight } else { 0 }
    }

    /// Whether the node has this mark of MCTS-IP. None has without it: then there is no such column.
    #[inline(always)]
    fn has_prior_mark(&self, node: usize, mark: u8) -> bool {
        self.side.priors.get(node).is_some_and(|marks| marks & mark != 0)
    }

    /// Whether the children of a node have been given priors.
    #[inline(always)]
    pub(in crate::rollout) fn is_primed(&self, node: usize) -> bool {
        self.has_prior_mark(node, PRIMED)
    }

    pub(in crate::rollout) fn set_primed(&mut self, node: usize) {
        self.side.priors[node] |= PRIMED;
    }

    /// The visits of a node that selection counts: its own, and the virtual ones of its children.
    #[inline(always)]
    pub(in crate::rollout) fn selection_visits(&self, node: usize) -> u32 {
        let row = &self.rows[node];
        let mut visits = row.visits;
        if self.is_primed(node) {
            visits = visits.saturating_add(self.merge.prior_weight * u32::from(row.count));
        }
        if self.side.bonuses.is_present() {
            visits = visits.saturating_add(self.bonus_given(node) as u32);
        }
        visits
    }

    /// Brings what selection reads up to date: the one place where rewards, priors, bonuses, implicit
    /// values and biases become a value and a number of visits. The node is `depth` plies from the root.
    #[inline(always)]
    pub(in crate::rollout) fn refresh(&mut self, node: usize, depth: usize) {
        let row = &self.rows[node];
        if self.merge.is_mean {
            let n = row.visits as f32;
            self.show(node, row.sum as f32 / n, n, 0.0);
            return;
        }
        let visits = self.weighted_visits(node);
        let (mut n, mut sum) = (visits as f32, row.sum as f32);
        let bonus = self.bonus(node);
        if bonus != 0.0 {
            n = (f64::from(visits) + bonus.abs()) as f32;
            sum = (row.sum + bonus) as f32;
        }
        if n == 0.0 {
            // Its bonus was taken back before it was ever visited.
            if self.hot[node][MEAN].is_finite() {
                self.hot[node] = NEVER_VISITED;
            }
            return;
        }
        let mean = sum / n;
        self.show(node, mean, n, bonus.abs());
        if self.merge.is_mixed && self.hot[node][MEAN].is_finite() {
            self.hot[node][MEAN] = self.mixture(node, depth, mean, n);
        }
    }

    /// Shows selection a mean and a number of visits, `bonus` of which are a bonus.
    #[inline(always)]
    fn show(&mut self, node: usize, mean: f32, n: f32, bonus: f64) {
        let hot = &mut self.hot[node];
        if hot[MEAN].is_finite() {
            hot[MEAN] = mean;
        }
        hot[RARITY] = 1.0 / n.sqrt();
        if self.side.squares.is_present() {
            let squares = (self.side.squares[node] + bonus) as f32;
            self.side.variance[node] = squares / n - mean * mean;
        }
    }

    /// What selection sees of a node with `n` visits in place of its mean reward.
    #[inline(always)]
    fn mixture(&self, node: usize, depth: usize, mean: f32, n: f32) -> f32 {
        let Merge { mut alpha, fades, .. } = self.merge;
        let mut seen = mean;
        if let Some(&value) = self.channel(Channel::Implicit).get(node) {
            let value = if fades { value / (n + 1.0) } else { value };
            debug_assert!(!value.is_nan(), "every node on a path is evaluated");
            let fallen = match self.merge.by {
                WeightBy::Nothing => 0.0,
                WeightBy::Visits => n / 1000.0,
                WeightBy::Depth => depth as f32,
                WeightBy::Disagreement => (mean - value).abs(),
            };
            alpha /= 1.0 + self.merge.rate * fallen;
            seen = (1.0 - alpha) * mean + alpha * value;
        }
        if let Some(&bias) = self.side.biases.get(node) {
            seen += bias / (n + 1.0);
        }
        seen
    }

    /// Excludes a child at a node where it is the turn of `mover`: it is never selected again.
    pub(in crate::rollout) fn exclude(&mut self, child: usize, mover: Side) {
        let hot = &mut self.hot[child];
        if *hot == NEVER_VISITED {
            // Infinities of both signs have no sum.
            hot[RARITY] = 0.0;
        }
        hot[MEAN] = -mover.sign() as f32 * f32::INFINITY;
    }
}
