//! What the choices of players come to.

use serde::Serialize;
use treegraft::depth_first::Scores;
use treegraft_players::DEFAULT_BUDGET;
use treegraft_stats::{Interval, Tally, sign_test};

use super::solved::{SolvedPosition, SolvedSet};
use super::study::{AccuracyStudy, Choice};

/// How often players kept the value of positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccuracySummary {
    /// The canonical text of the game.
    pub game: String,
    /// The seed of all random choices of players.
    pub seed: u64,
    /// The positions in which all players have chosen.
    pub set: SolvedSet,
    /// Positions in which all players have chosen.
    pub positions: usize,
    /// Whether these are all of the set.
    pub complete: bool,
    /// The share of moves that keep the value, on average: what choosing at random would do.
    pub random: f64,
    /// The players, as they were given.
    pub players: Vec<PlayerAccuracy>,
    /// Players compared position by position: all pairs of a few players, or each with the best.
    pub comparisons: Vec<PairedComparison>,
}

/// How often a player kept the value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerAccuracy {
    /// The player.
    pub player: String,
    /// In all positions.
    pub all: Kept,
    /// In those that are won with best play.
    pub won: Kept,
    /// In those that are drawn with best play.
    pub drawn: Kept,
    /// In those that are lost even so, where margins count.
    pub lost: Kept,
    /// What a move gives away on average: points of a game (a win 1, a draw ½), or of the margin.
    pub mean_loss: f64,
    /// Iterations a move, as the search counts them.
    pub iterations: f64,
    /// Nodes a move.
    pub nodes: f64,
    /// Wall-clock seconds a move.
    pub seconds: f64,
}

/// How often the value was kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// Positions.
    pub positions: u32,
    /// Those in which the value was kept.
    pub kept: u32,
    /// Their share; not a number, in JSON null, without positions.
    pub accuracy: f64,
    /// Its 95 % interval (Wilson).
    pub ci95: Interval,
}

/// Two players, position by position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// One.
    pub a: String,
    /// The other.
    pub b: String,
    /// Positions in which `a` kept the value and `b` did not.
    pub only_a: u32,
    /// Positions in which `b` kept the value and `a` did not.
    pub only_b: u32,
    /// The two-sided p-value of the sign test on these (exact McNemar test): how likely so uneven a
    /// split is by chance alone.
    pub p: f64,
}

impl Kept {
    fn of(kept: impl Iterator<Item = bool>) -> Kept {
        let mut tally = Tally::default();
        kept.for_each(|kept| tally.add(if kept { 1 } else { -1 }));
        let positions = tally.games();
        let accuracy = if positions == 0 { f64::NAN } else { tally.score() };
        Kept { positions, kept: tally.wins, accuracy, ci95: tally.wilson95() }
    }
}

/// Up to this number of players, all are compared with each other; beyond, only with the best one.
const FEW: usize = 5;

impl AccuracySummary {
    /// Sums up choices: for each player one for each position, the first ones of the set.
    #[must_use]
    pub fn new(study: &AccuracyStudy, choices: &[Vec<Choice>]) -> AccuracySummary {
        let SolvedSet { scores, positions, .. } = &study.set;
        let count = choices.iter().map(Vec::len).min().unwrap_or(0).min(positions.len());
        let counted = &positions[..count];
        let names = || study.players.iter().map(|it| it.with_budget_or(DEFAULT_BUDGET).to_string());
        let players: Vec<PlayerAccuracy> = names()
            .zip(choices)
            .map(|(name, choices)| PlayerAccuracy::new(name, counted, choices, *scores))
            .collect();
        let kept: Vec<Vec<bool>> = choices.iter().map(|choices| kept(counted, choices)).collect();
        let names: Vec<String> = names().collect();
        let comparisons = pairs(&players)
            .into_iter()
            .map(|[a, b]| PairedComparison::new([&names[a], &names[b]], [&kept[a], &kept[b]]));
        let set = SolvedSet { positions: counted.to_vec(), ..study.set.clone() };
        AccuracySummary {
            seed: study.seed,
            complete: count == positions.len(),
            comparisons: comparisons.collect(),
            players,
            ..AccuracySummary::of_set(set)
        }
    }

    /// What there is to say about a set without players.
    #[must_use]
    pub fn of_set(set: SolvedSet) -> AccuracySummary {
        AccuracySummary {
            game: set.game.clone(),
            seed: 0,
            positions: set.positions.len(),
            complete: true,
            random: set.random_share(),
            set,
            players: Vec::new(),
            comparisons: Vec::new(),
        }
    }
}

/// Whether each choice kept the value.
fn kept(positions: &[SolvedPosition], choices: &[Choice]) -> Vec<bool> {
    positions.iter().zip(choices).map(|(position, choice)| position.keeps(choice.mv)).collect()
}

/// Which players are compared, the better one first.
fn pairs(players: &[PlayerAccuracy]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(players[at].all.kept));
    let with_later = |at: usize| order[at + 1..].iter().map(move |&other| (at, other));
    let few = if players.len() <= FEW { players.len() } else { 1 };
    let pairs = (0..few.min(order.len())).flat_map(with_later);
    pairs.map(|(at, other)| [order[at], other]).collect()
}

impl PlayerAccuracy {
    fn new(
        player: String,
        positions: &[SolvedPosition],
        choices: &[Choice],
        scores: Scores,
    ) -> PlayerAccuracy {
        let both = || positions.iter().zip(choices);
        let kept = |sign: Option<i64>| {
            let is_of = |value: i64| sign.is_none_or(|sign| value.signum() == sign);
            let here = both().filter(|(position, _)| is_of(position.value()));
            Kept::of(here.map(|(position, choice)| position.keeps(choice.mv)))
        };
        let count = positions.len().max(1) as f64;
        let loss = |(position, choice): (&SolvedPosition, &Choice)| {
            let lost = position.value() - position.values[choice.mv].value;
            match scores {
                Scores::Outcome => 0.5 * lost as f64,
                Scores::Margin => lost as f64,
            }
        };
        let mean = |what: fn(&Choice) -> f64| both().map(|(_, it)| what(it)).sum::<f64>() / count;
        PlayerAccuracy {
            player,
            all: kept(None),
            won: kept(Some(1)),
            drawn: kept(Some(0)),
            lost: kept(Some(-1)),
            mean_loss: both().map(loss).sum::<f64>() / count,
            iterations: mean(|choice| choice.iterations as f64),
            nodes: mean(|choice| choice.nodes as f64),
            seconds: mean(|choice| choice.seconds),
        }
    }
}

impl PairedComparison {
    fn new([a, b]: [&String; 2], kept: [&[bool]; 2]) -> PairedComparison {
        let mut tally = Tally::default();
        for (&a, &b) in kept[0].iter().zip(kept[1]) {
            tally.add(i64::from(a) - i64::from(b));
        }
        let Tally { wins, losses, .. } = tally;
        let p = sign_test(tally);
        PairedComparison { a: a.clone(), b: b.clone(), only_a: wins, only_b: losses, p }
    }
}
