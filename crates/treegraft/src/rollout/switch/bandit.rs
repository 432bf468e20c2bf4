//! UCB1 over strategies.

/// How often a strategy was chosen, and its rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// How often.
    pub times: u64,
    /// The sum of rewards from -1 to 1.
    pub sum: f64,
}

impl Arm {
    /// The mean reward from -1 to 1, if the strategy was ever chosen.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.times > 0).then(|| self.sum / self.times as f64)
    }

    /// Takes an earlier part away.
    pub(super) fn part(&mut self, earlier: &Arm) {
        self.times -= earlier.times;
        self.sum -= earlier.sum;
    }

    pub(super) fn join(&mut self, other: &Arm) {
        self.times += other.times;
        self.sum += other.sum;
    }
}

#[derive(Clone, Debug)]
pub(in crate::rollout) struct Bandit {
    pub(super) arms: Vec<Arm>,
    times: u64,
}

impl Bandit {
    pub(super) fn new(arms: usize) -> Bandit {
        Bandit { arms: vec![Arm::default(); arms], times: 0 }
    }

    /// The first arm that was never chosen; then the one with the highest Q + b sqrt(ln n / T), for
    /// rewards from 0 to 1: of equal ones the first.
    pub(super) fn choose(&self, b: f64) -> usize {
        let ln = libm::log(self.times.max(1) as f64);
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (i, arm) in self.arms.iter().enumerate() {
            let Some(mean) = arm.mean() else { return i };
            // Rewards are kept from -1 to 1: hence twice b.
            let bound = mean + 2.0 * b * (ln / arm.times as f64).sqrt();
            if bound > highest {
                (best, highest) = (i, bound);
            }
        }
        best
    }

    pub(super) fn pay(&mut self, arm: usize, reward: f64) {
        self.times += 1;
        self.arms[arm].times += 1;
        self.arms[arm].sum += reward;
    }
}
