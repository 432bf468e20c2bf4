//! The likelihood of Davidson's model and its maximum.
//!
//! In the logarithms θ = ln π and δ = ln ν the model is an exponential family: the log-likelihood
//! is concave, and its second derivatives are the Fisher information, so that Newton's method finds
//! the maximum and leaves the covariance behind.

/// The games of two players.
pub(super) struct PairingTally {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Won by the first; halves are virtual games.
    pub(super) wins: f64,
    pub(super) draws: f64,
    pub(super) losses: f64,
}

/// Where the likelihood is greatest.
pub(super) struct Fit {
    /// θ, with a mean of 0 in every group.
    pub(super) log_strengths: Vec<f64>,
    /// ν, 0 if no game was drawn.
    pub(super) ties: f64,
    /// The covariance of θ and, last, δ, if a game was drawn.
    pub(super) covariance: Vec<Vec<f64>>,
}

impl PairingTally {
    pub(super) fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }
}

/// θ of all players and, last, δ, which is missing if no game was drawn: ν = 0 is then best.
struct Model<'a> {
    pairings: &'a [PairingTally],
    groups: &'a [usize],
    with_draws: bool,
}

/// The gradient of the log-likelihood and the information at a point.
struct Point {
    gradient: Vec<f64>,
    information: Vec<Vec<f64>>,
}

/// The maximum; every group must be connected by wins in both directions, virtual ones included.
pub(super) fn maximise(pairings: &[PairingTally], groups: &[usize]) -> Fit {
    let players = groups.len();
    let with_draws = pairings.iter().any(|pairing| pairing.draws > 0.0);
    let model = Model { pairings, groups, with_draws };
    let mut at = vec![0.0; players + usize::from(with_draws)];
    let mut point = model.point(&at);
    for _ in 0..200 {
        let step = Cholesky::of(&point.information).solve(&point.gradient);
        let longest = step.iter().fold(0.0, |longest: f64, value| longest.max(value.abs()));
        // A longer step may lead so far beyond the maximum that the likelihood is flat there and no
        // way leads back.
        let share = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        at.iter_mut().zip(&step).for_each(|(at, step)| *at += share * step);
        point = model.point(&at);
        if longest < 1e-10 {
            break;
        }
    }
    let factor = Cholesky::of(&point.information);
    let mut size = vec![0.0; players];
    groups.iter().for_each(|&group| size[group] += 1.0);
    let unit = |i: usize| (0..at.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<_>>();
    let mut covariance: Vec<Vec<f64>> = (0..at.len()).map(|i| factor.solve(&unit(i))).collect();
    // Takes out again what `Model::point` puts in for the mean of the group.
    for (row, group) in covariance.iter_mut().zip(groups) {
        for (value, _) in row.iter_mut().zip(groups).filter(|(_, other)| *other == group) {
            *value -= 1.0 / (size[*group] * size[*group]);
        }
    }
    let ties = if with_draws { libm::exp(at[players]) } else { 0.0 };
    at.truncate(players);
    Fit { log_strengths: at, ties, covariance }
}

impl Model<'_> {
    fn point(&self, at: &[f64]) -> Point {
        let delta = self.with_draws.then_some(self.groups.len());
        let mut gradient = vec![0.0; at.len()];
        let mut information = vec![vec![0.0; at.len()]; at.len()];
        for pairing in self.pairings {
            let &PairingTally { first: i, second: j, wins, draws, losses } = pairing;
            let half = (at[i] - at[j]) / 2.0;
            let tie = delta.map_or(f64::NEG_INFINITY, |delta| at[delta]);
            // Win, draw and loss are as likely as e^half, e^δ and e^-half.
            let top = half.abs().max(tie);
            let [win, draw, loss] = [half, tie, -half].map(|exponent| libm::exp(exponent - top));
            let sum = win + draw + loss;
            let [win, draw, loss] = [win, draw, loss].map(|part| part / sum);
            let games = pairing.games();
            // Observed minus expected, written without differences of nearly equal numbers: 1 - win
            // is draw + loss.
            let surplus = wins * (draw + 2.0 * loss) - losses * (draw + 2.0 * win);
            let surplus = (surplus - draws * (win - loss)) / 2.0;
            gradient[i] += surplus;
            gradient[j] -= surplus;
            let variance = games * (draw * (win + loss) + 4.0 * win * loss) / 4.0;
            information[i][i] += variance;
            information[j][j] += variance;
            information[i][j] -= variance;
            information[j][i] -= variance;
            if let Some(delta) = delta {
                gradient[delta] += draws * (win + loss) - (wins + losses) * draw;
                information[delta][delta] += games * draw * (win + loss);
                let covariance = -games * (win - loss) * draw / 2.0;
                for (player, sign) in [(i, 1.0), (j, -1.0)] {
                    information[player][delta] += sign * covariance;
                    information[delta][player] += sign * covariance;
                }
            }
        }
        // Only differences of θ matter. A term for the mean of each group makes the matrix regular;
        // it moves nothing, as the gradient sums to 0 in every group.
        for (i, row) in information.iter_mut().enumerate().take(self.groups.len()) {
            for (j, value) in row.iter_mut().enumerate().take(self.groups.len()) {
                if self.groups[i] == self.groups[j] {
                    *value += 1.0;
                }
            }
        }
        Point { gradient, information }
    }
}

/// The lower triangle L of a positive definite matrix L Lᵀ.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn of(matrix: &[Vec<f64>]) -> Cholesky {
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, row) in matrix.iter().enumerate() {
            let mut new = vec![0.0; i + 1];
            for j in 0..=i {
                let other = if j == i { &new } else { &lower[j] };
                let dot: f64 = (0..j).map(|k| new[k] * other[k]).sum();
                let rest = row[j] - dot;
                // A pivot that rounding took away must not become a NaN.
                new[j] = if j == i { rest.max(1e-12).sqrt() } else { rest / lower[j][j] };
            }
            lower.push(new);
        }
        Cholesky(lower)
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Cholesky(lower) = self;
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let dot: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i][i];
        }
        for i in (0..x.len()).rev() {
            let dot: f64 = (i + 1..x.len()).map(|k| lower[k][i] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i][i];
        }
        x
    }
}
