//! The result of a match.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use treegraft::bits::mix;
use treegraft_engine::{FaultKind, counts_depths};
use treegraft_players::Player;
use treegraft_stats::{Elo, Evidence, Interval, Pentanomial, Sample, Tally, against_half};

use super::Match;
use crate::experiment::PlannedPairing;
use crate::report::PairingResult;
use crate::row::{GameRow, SideRow};

/// The result of a match, in the view of player A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// The canonical text of the game.
    pub game: String,
    /// Player A, with the budget it actually had.
    pub a: String,
    /// Player B, with the budget it actually had.
    pub b: String,
    /// The seed.
    pub seed: u64,
    /// Random moves at the beginning of each pair.
    pub opening_plies: u32,
    /// Games played to their end.
    pub games: u32,
    /// Whether these are all: the match was not cancelled.
    pub complete: bool,
    /// Whether the same seed gives the same games: no player is limited by time.
    pub repeatable: bool,
    /// Whether a player is limited by time.
    pub timed: bool,
    /// Games A won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games A lost.
    pub losses: u32,
    /// A's points per game: a win 1, a draw ½.
    pub score: f64,
    /// Pairs of games with the sides swapped by A's points in them: 0, ½, 1, 1½, 2.
    pub pairs: Pentanomial,
    /// The 95 % interval of the score, which treats the pair as the unit and counts pairs that
    /// repeat each other by their effective number; see [`Evidence::wilson95`].
    pub ci95: Interval,
    /// The difference in Elo points; `None` if it is infinite.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval; `None` if it is infinite.
    pub elo_error: Option<f64>,
    /// The ends of its 95 % interval; `None` where infinite.
    pub elo_ci95: [Option<f64>; 2],
    /// The likelihood that A is the stronger player; see [`Evidence::los`].
    pub los: f64,
    /// The two-sided p-value of the score against 50 %.
    pub p: f64,
    /// A's results on the first side of the game.
    pub as_first: Tally,
    /// A's results on the second side of the game.
    pub as_second: Tally,
    /// Number of different games: players without randomness repeat themselves.
    pub distinct_games: u32,
    /// The effective number of different games, which is what the interval, the Elo difference, the
    /// likelihood and the p-value count; see [`Repeats`](treegraft_stats::Repeats).
    pub worth: f64,
    /// Mean number of moves in a game, those of the opening included.
    pub plies: f64,
    /// Games drawn by repetition.
    pub repetitions: u32,
    /// Games drawn because they were too long.
    pub too_long: u32,
    /// Games that A, an external engine, lost without being beaten, by the name of its fault; see
    /// [`FaultKind`](treegraft_engine::FaultKind).
    pub a_faults: BTreeMap<String, u32>,
    /// The same for B.
    pub b_faults: BTreeMap<String, u32>,
    /// What happened in the first of these games, in words.
    pub first_fault: Option<String>,
    /// What A spent.
    pub a_spent: PerMove,
    /// What B spent.
    pub b_spent: PerMove,
    /// A number that is equal for equal matches: over all positions of all games.
    #[serde(serialize_with = "hexadecimal")]
    pub digest: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// What a player spent on a move, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PerMove {
    /// The number of moves.
    pub moves: u64,
    /// Simulations, or depths completed.
    pub iterations: f64,
    /// The depth completed in plies, for searches that deepen one ply at a time; else `None`.
    pub depth: Option<f64>,
    /// Positions visited or added to the tree.
    pub nodes: f64,
    /// Evaluations and playouts.
    pub evaluations: f64,
    /// Moves in playouts.
    pub playout_plies: f64,
    /// Playouts that were cut off by their limit, in all.
    pub capped_playouts: u64,
    /// Time in seconds.
    pub seconds: f64,
}

impl PerMove {
    /// The means of what this player spent.
    fn of(player: &Player, spent: &SideRow) -> PerMove {
        let mean = |sum: u64| sum as f64 / spent.moves.max(1) as f64;
        PerMove {
            moves: spent.moves,
            iterations: mean(spent.iterations),
            depth: counts_depths(player).then(|| mean(spent.iterations)),
            nodes: mean(spent.nodes),
            evaluations: mean(spent.evaluations),
            playout_plies: mean(spent.playout_plies),
            capped_playouts: spent.capped_playouts,
            seconds: spent.seconds / spent.moves.max(1) as f64,
        }
    }
}

impl MatchResult {
    /// Sums up the games that are over, in their order; `None` if there are none.
    pub(super) fn new(
        pairing: &PlannedPairing,
        setup: &Match,
        rows: &[GameRow],
    ) -> Option<MatchResult> {
        let result = PairingResult::of_games(rows);
        let (tally, pairs) = (result.tally, result.pairs);
        if tally.games() == 0 {
            return None;
        }
        // Single games, at the end of an odd number or of a cancelled match, have the weight of
        // paired ones.
        let worth = result.worth();
        let share = worth / f64::from(tally.games());
        let paired = Evidence { pairs, worth: share * f64::from(pairs.pairs()) };
        let single = Sample { units: worth, ..Sample::from(tally) };
        let (ci95, test) = match pairs.pairs() {
            0 => (tally.wilson95_worth(worth), against_half(single)),
            _ => (paired.wilson95_of(tally), paired.test()),
        };
        let elo = Elo::of_interval(tally.score(), ci95);
        let [a, b] = pairing.names.clone();
        let ended = |how: &str| result.ends.get(how).copied().unwrap_or(0);
        let first_fault = rows.iter().find(|row| !row.fault.is_empty());
        let [a_faults, b_faults] = result.faults.clone();
        Some(MatchResult {
            game: pairing.game.clone(),
            a,
            b,
            seed: setup.seed,
            opening_plies: setup.opening_plies,
            games: tally.games(),
            complete: tally.games() == setup.games,
            repeatable: pairing.is_repeatable(),
            timed: pairing.players.iter().any(Player::is_timed),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            pairs,
            ci95,
            elo: elo.difference,
            elo_error: elo.error,
            elo_ci95: elo.ci95,
            los: test.los(),
            p: test.p,
            as_first: result.as_first,
            as_second: result.as_second,
            distinct_games: result.distinct(),
            worth,
            plies: result.plies as f64 / f64::from(tally.games()),
            repetitions: ended("repetition"),
            too_long: ended("too-long"),
            a_faults,
            b_faults,
            first_fault: first_fault.map(|row| row.fault.clone()),
            a_spent: PerMove::of(&pairing.players[0], &result.spent[0]),
            b_spent: PerMove::of(&pairing.players[1], &result.spent[1]),
            digest: rows.iter().fold(0, |digest, row| mix(digest ^ row.digest)),
            seconds: 0.0,
        })
    }

    /// Whether no game was played because an engine could never be started: the score says nothing
    /// then.
    #[must_use]
    pub fn never_started(&self) -> bool {
        let no_start = FaultKind::NoStart.name();
        let faults = [&self.a_faults, &self.b_faults];
        faults.into_iter().filter_map(|faults| faults.get(no_start)).sum::<u32>() == self.games
    }
}

/// As text: JSON numbers do not reliably hold 64 bits.
fn hexadecimal<S: Serializer>(digest: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{digest:016x}"))
}
