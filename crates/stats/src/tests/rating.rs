//! Reference values: the log-likelihood maximised by SciPy 1.17.1 `minimize` (BFGS, then
//! Nelder-Mead to 1e-11), its second derivatives by differences and inverted with `np.linalg.pinv`
//! to `C`; with draws the covariance is `J @ C @ J.T`, `J = np.hstack([np.eye(m), -(theta * nu / (2
//! + nu))[:, None]])`. Scaled by 400 / ln(10) * 2 / (2 + nu), errors times `norm.ppf(0.975)`.

use proptest::prelude::*;

use super::assert_near;
use crate::*;

fn games(wins: u32, draws: u32, losses: u32) -> [f64; 3] {
    [wins, draws, losses].map(f64::from)
}

/// Within what the differences of SciPy's function values allow.
fn assert_about(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 1e-5 * theirs.abs().max(1.0), "{what}: {ours}, not {theirs}");
}

/// The Eastern Division of the American League in 1987, Agresti, Categorical Data Analysis (2002),
/// table 10.10: games won by the team of the row against that of the column.
const BASEBALL: [[u32; 7]; 7] = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
];

fn baseball() -> Vec<(usize, usize, [f64; 3])> {
    let pairings = (0..7).flat_map(|i| (i + 1..7).map(move |j| (i, j)));
    pairings.map(|(i, j)| (i, j, games(BASEBALL[i][j], 0, BASEBALL[j][i]))).collect()
}

/// Agresti, table 10.11: Milwaukee 1.58, Detroit 1.44, Toronto 1.29, New York 1.25, Boston 1.11,
/// Cleveland 0.68 above Baltimore; with four digits in R's BradleyTerry2.
#[test]
fn agrestis_baseball() {
    let ratings = bradley_terry(&baseball(), 7).unwrap();
    assert_eq!((ratings.ties, ratings.virtual_games), (0.0, 0));
    let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
    let log = std::f64::consts::LN_10 / 400.0;
    for (rating, strength) in ratings.players.iter().zip(published) {
        let above = rating.elo - ratings.players[6].elo;
        assert!((above * log - strength).abs() < 5.1e-5, "{rating:?}");
    }
    // SciPy, around the mean.
    let elo = [92.270788, 67.09084, 42.436228, 34.294548, 9.987935, -63.641474, -182.438865];
    let error = [70.62231, 69.51135, 68.79803, 68.64216, 68.40905, 69.81361, 79.1489];
    for (i, rating) in ratings.players.iter().enumerate() {
        assert_about(rating.elo, elo[i], "elo");
        assert_about(rating.error.unwrap(), error[i], "error");
    }
}

#[test]
fn with_draws_as_scipy_finds_it() {
    let results = [
        (0, 1, games(30, 25, 20)),
        (0, 2, games(41, 18, 12)),
        (0, 3, games(52, 9, 4)),
        (1, 2, games(33, 22, 19)),
        (1, 3, games(40, 15, 11)),
        (2, 3, games(28, 20, 24)),
    ];
    let ratings = bradley_terry(&results, 4).unwrap();
    assert_about(ratings.ties, 0.8128732, "ties");
    let expected = [
        (122.404787, 33.66113),
        (46.571416, 31.24337),
        (-51.011754, 31.16985),
        (-117.96445, 34.11318),
    ];
    for (rating, (elo, error)) in ratings.players.iter().zip(expected) {
        assert_about(rating.elo, elo, "elo");
        assert_about(rating.error.unwrap(), error, "error");
    }
    assert_about(ratings.players[0].elo - ratings.players[1].elo, 75.83337143469774, "elo");
}

/// Two players: π / ρ = wins / losses and ν = draws / sqrt(wins losses), by hand.
#[test]
fn two_players_by_hand() {
    let ratings = bradley_terry(&[(0, 1, games(75, 100, 25))], 2).unwrap();
    assert_near(ratings.ties, 100.0 / libm::sqrt(75.0 * 25.0), "ties");
    let scale = 2.0 / (2.0 + ratings.ties);
    let difference = ratings.players[0].elo - ratings.players[1].elo;
    assert_near(difference, scale * 400.0 * libm::log10(3.0), "elo");
    // On this scale it is the Elo that the score of 62.5 % stands for, but for a little.
    assert!((difference - elo_of_score(0.625).unwrap()).abs() < 0.3);
    // At ν = 2 the two are the same.
    let same = bradley_terry(&[(0, 1, games(64, 32, 4))], 2).unwrap();
    assert_near(same.ties, 2.0, "ties");
    let difference = same.players[0].elo - same.players[1].elo;
    assert_near(difference, elo_of_score(0.8).unwrap(), "elo");
}

/// A player who lost everything gets a virtual game, half won, against each opponent; the others
/// keep the results they have.
#[test]
fn who_lost_everything_is_rated() {
    let results = [(0, 1, games(12, 3, 9)), (0, 2, games(10, 0, 0)), (1, 2, games(8, 0, 0))];
    let ratings = bradley_terry(&results, 3).unwrap();
    assert_eq!(ratings.virtual_games, 2);
    let expected = [(198.340737, 134.46414), (154.763075, 134.25083), (-353.103812, 234.64889)];
    for (rating, (elo, error)) in ratings.players.iter().zip(expected) {
        assert_about(rating.elo, elo, "elo");
        assert_about(rating.error.unwrap(), error, "error");
    }
    // By hand: 10½ to ½.
    let sweep = bradley_terry(&[(0, 1, games(0, 0, 10))], 2).unwrap();
    let difference = sweep.players[1].elo - sweep.players[0].elo;
    assert_near(difference, 400.0 * libm::log10(21.0), "sweep");
    // Wins and draws, but no losses; draws alone; a huge score.
    for games in [games(3, 5, 0), games(0, 9, 0), games(4_000_000_000, 1, 0)] {
        let ratings = bradley_terry(&[(0, 1, games)], 2).unwrap();
        let Rating { elo, error, .. } = ratings.players[0];
        assert!(elo.is_finite() && elo >= 0.0, "{games:?}: {elo}");
        assert!(error.is_some_and(|error| error.is_finite() && error > 0.0), "{games:?}");
    }
}

/// At the maximum every player has the points, and all together the draws, that the model expects.
/// `results` include the virtual games, as wins and losses.
fn assert_as_expected(ratings: &Ratings, results: &[(usize, usize, [f64; 3])]) {
    let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + ratings.ties);
    let mut surplus = vec![0.0; ratings.players.len() + 1];
    for &(i, j, [wins, draws, losses]) in results {
        let root = libm::exp((ratings.players[i].elo - ratings.players[j].elo) / scale / 2.0);
        let games = (wins + draws + losses) / (root + 1.0 / root + ratings.ties);
        let points = (wins - games * root - losses + games / root) / 2.0;
        surplus[i] += points;
        surplus[j] -= points;
        *surplus.last_mut().unwrap() += draws - games * ratings.ties;
    }
    let games: f64 = results.iter().flat_map(|(_, _, counts)| counts).sum();
    assert!(surplus.iter().all(|it| it.abs() < 1e-9 * (1.0 + games)), "{surplus:?} {results:?}");
}

/// Results on which Newton's method, if let loose, runs away.
#[test]
fn very_uneven_results_are_rated() {
    let results =
        [(0, 1, games(0, 1, 937_602)), (0, 2, games(0, 3818, 81)), (1, 2, games(0, 359, 0))];
    let ratings = bradley_terry(&results, 3).unwrap();
    assert_eq!(ratings.virtual_games, 3);
    let with_virtual = results.map(|(i, j, games)| {
        let [wins, draws, losses] = games;
        (i, j, [wins + 0.5, draws, losses + 0.5])
    });
    assert_as_expected(&ratings, &with_virtual);
}

/// Players who all beat each other, by numbers from 1 to a million.
#[test]
fn the_maximum_is_found() {
    let mut rng = treegraft::Rng::new(1);
    for _ in 0..1000 {
        let mut count = || 1 + rng.below(10) * 10u32.pow(rng.below(6));
        let pairings = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let results = pairings.map(|(i, j)| (i, j, games(count(), count() - 1, count())));
        let ratings = bradley_terry(&results, 4).unwrap();
        assert_as_expected(&ratings, &results);
    }
}

#[test]
fn groups_that_never_met() {
    let results = [
        (4, 1, games(6, 2, 4)),
        (0, 3, games(5, 1, 7)),
        (2, 0, games(0, 0, 0)),
        (3, 5, games(1, 0, 1)),
    ];
    let ratings = bradley_terry(&results, 6).unwrap();
    let groups: Vec<usize> = ratings.players.iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 1, 2, 0, 1, 0]);
    // Player 2 has no games.
    assert_eq!(ratings.players[2], Rating { elo: 0.0, error: None, group: 2 });
    assert_near(ratings.players[1].elo, -ratings.players[4].elo, "mean 0");
    assert!(bradley_terry(&[], 0).unwrap().players.is_empty());
}

#[test]
fn bad_results_are_named() {
    let unknown = bradley_terry(&[(0, 3, games(1, 0, 0))], 3).unwrap_err();
    assert_eq!(unknown, RatingError::UnknownPlayer { player: 3, players: 3 });
    let itself = bradley_terry(&[(1, 1, games(1, 0, 0))], 3).unwrap_err();
    assert!(itself.to_string().contains("player 1 has results against itself"));
}

/// With thousands of games the ratings come close to the truth, as close as the errors say.
#[test]
fn simulated_players_are_found() {
    let mut rng = treegraft::Rng::new(11);
    let truth: [f64; 4] = [120.0, 40.0, -10.0, -150.0];
    let (mut outside, mut total) = (0, 0);
    for _ in 0..1000 {
        let mut results = Vec::new();
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let mut tally = Tally::default();
            // Davidson's model with ν = 2, in which a score is that of logistic Elo.
            let p = score_of_elo(truth[i] - truth[j]);
            for _ in 0..60 {
                let wins = [rng.unit() < p, rng.unit() < p].into_iter().filter(|&win| win).count();
                tally.add(wins as i64 - 1);
            }
            results.push((i, j, games(tally.wins, tally.draws, tally.losses)));
        }
        let ratings = bradley_terry(&results, 4).unwrap();
        for (rating, truth) in ratings.players.iter().zip(truth) {
            outside += u32::from((rating.elo - truth).abs() > rating.error.unwrap());
            total += 1;
        }
    }
    let share = f64::from(outside) / f64::from(total);
    assert!((0.035..=0.065).contains(&share), "{share} of true ratings outside of the intervals");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ratings_are_finite_and_mirror(
        counts in prop::collection::vec((0usize..6, 1usize..6, [0u32..9, 0..9, 0..9]), 0..12),
    ) {
        let results: Vec<_> = counts
            .iter()
            .map(|&(i, k, [wins, draws, losses])| (i, (i + k) % 6, games(wins, draws, losses)))
            .collect();
        let ratings = bradley_terry(&results, 6).unwrap();
        // Any order, either side first: the same to the last bit.
        let turned: Vec<_> = results
            .iter()
            .rev()
            .map(|&(i, j, [wins, draws, losses])| (j, i, [losses, draws, wins]))
            .collect();
        prop_assert_eq!(&bradley_terry(&turned, 6).unwrap(), &ratings);
        // Wins and losses exchanged: the ratings are upside down.
        let mirrored: Vec<_> = results
            .iter()
            .map(|&(i, j, [wins, draws, losses])| (i, j, [losses, draws, wins]))
            .collect();
        let upside_down = bradley_terry(&mirrored, 6).unwrap();
        for (a, b) in ratings.players.iter().zip(&upside_down.players) {
            prop_assert!(a.elo.is_finite() && a.error.is_none_or(f64::is_finite));
            prop_assert!((a.elo + b.elo).abs() < 1e-6, "{} {}", a.elo, b.elo);
        }
        for group in 0..6 {
            let sum: f64 =
                ratings.players.iter().filter(|it| it.group == group).map(|it| it.elo).sum();
            prop_assert!(sum.abs() < 1e-6, "{sum}");
        }
    }
}
