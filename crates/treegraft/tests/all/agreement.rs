//! Every exact search, depth-first or by rollouts that prune, against brute-force minimax, on
//! thousands of small random games in which turns do not alternate.

use treegraft::bits::mix;
use treegraft::depth_first::{Config, DepthFirst, Driver, Scores};
use treegraft::rollout::prove::{self, Method, Prover};
use treegraft::{
    Budget, EVAL_ONE, Evaluator, Exactness, Game, Knowledge, Outcome, Report, Request, Searcher,
    Side, Speed,
};

/// A random game that is computed as it is played: a position is a number, and everything about it
/// follows from that number and the ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RandomGame {
    state: u64,
    ply: u32,
    rules: Rules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    /// Which game of its kind.
    pub(crate) seed: u64,
    pub(crate) branching: u64,
    pub(crate) plies: u32,
    /// The most positions of one ply: fewer mean more transpositions.
    pub(crate) states: u64,
    /// Margins are multiples of this number.
    pub(crate) unit: i64,
    pub(crate) has_margins: bool,
}

impl RandomGame {
    pub(crate) fn new(seed: u64, rules: Rules) -> RandomGame {
        RandomGame { state: mix(seed) % rules.states, ply: 0, rules }
    }

    /// Random bits for a purpose.
    fn bits(&self, purpose: u64) -> u64 {
        mix(self.state ^ mix(u64::from(self.ply) ^ mix(purpose ^ self.rules.seed << 10)))
    }

    fn result(&self) -> i64 {
        (self.bits(1) % 7) as i64 - 3
    }
}

impl Game for RandomGame {
    type Move = u8;

    fn to_move(&self) -> Side {
        if self.bits(0).is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..=(self.bits(2) % self.rules.branching) as u8).rev());
    }

    fn play(&mut self, mv: u8) {
        self.state = self.bits(3 + u64::from(mv)) % self.rules.states;
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over =
            self.ply == self.rules.plies || self.ply > 0 && self.bits(100).is_multiple_of(8);
        is_over.then(|| Outcome::from_margin(self.result()))
    }

    treegraft::brings!(Speed, Knowledge, Exactness);
}

impl Speed for RandomGame {
    fn replies(&self, mv: u8) -> u32 {
        (self.bits(400 + u64::from(mv)) % 5) as u32
    }

    fn move_slots(&self) -> usize {
        4
    }

    fn move_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

impl Knowledge for RandomGame {
    /// Some other position instead of a real pass: what follows from it must not become a proof.
    fn null_move(&self) -> Option<RandomGame> {
        let mut passed = *self;
        passed.play(99);
        passed.outcome().is_none().then_some(passed)
    }

    fn exchange(&self, mv: u8) -> Option<i32> {
        let gain = (self.bits(300 + u64::from(mv)) % 5) as i32 - 2;
        (gain != 2).then_some(gain)
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.rules.plies - self.ply)
    }

    fn loud_moves(&self, moves: &mut Vec<u8>) {
        self.moves(moves);
        moves.truncate(2);
    }

    fn order_hint(&self, mv: u8) -> i32 {
        (self.bits(200 + u64::from(mv)) % 5) as i32 - 2
    }
}

impl Exactness for RandomGame {
    fn margin(&self) -> Option<i64> {
        let counts = self.rules.has_margins && self.outcome().is_some();
        counts.then(|| self.result() * self.rules.unit)
    }

    /// The last two moves, and the last three of a search that would see two of them.
    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        if self.rules.plies - self.ply > if plies >= 2 { 3 } else { 2 } {
            return None;
        }
        *nodes = nodes.checked_sub(1)?;
        let value = self.to_move().sign() * minimax(self, 99, Scores::Outcome, false);
        Some(value >= least * WIN)
    }
}

/// Positions hashed into fake evaluations, with many ties.
fn hashed(position: &RandomGame) -> i32 {
    ((position.bits(300) % 9) as i32 - 4) * (EVAL_ONE / 5)
}

pub(crate) const HASHED: Evaluator<RandomGame> =
    Evaluator::plain("hashed", "random numbers", hashed);

pub(crate) const WIN: i64 = EVAL_ONE as i64 * 11 / 10;

/// The value of the game in the first player's view, by brute force.
pub(crate) fn minimax(position: &RandomGame, depth: u32, scores: Scores, evaluation: bool) -> i64 {
    if let Some(outcome) = position.outcome() {
        return match scores {
            Scores::Outcome => outcome.value() * WIN,
            Scores::Margin => position.margin().unwrap_or(outcome.value()),
        };
    }
    if depth == 0 {
        return if evaluation { i64::from(hashed(position)) } else { 0 };
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let values = moves.iter().map(|&mv| {
        let mut child = *position;
        child.play(mv);
        minimax(&child, depth - 1, scores, evaluation)
    });
    match position.to_move() {
        Side::First => values.max().unwrap(),
        Side::Second => values.min().unwrap(),
    }
}

pub(crate) const DRIVERS: [Driver; 6] = [
    Driver::AlphaBeta,
    Driver::MtdF,
    Driver::MtdPlus,
    Driver::MtdMinus,
    Driver::SssStar,
    Driver::DualStar,
];

/// The options that must not change a value, switched on by the bits of a number.
pub(crate) fn options(bits: u64) -> Config {
    let bit = |i: u32| bits >> i & 1 == 1;
    Config {
        hints: bit(0),
        killers: bit(1),
        history: bit(2),
        shuffle: bit(3),
        table: bit(4),
        etc: bit(5),
        pvs: bit(6),
        deepening: bit(7),
        ..Config::default()
    }
}

/// The same with what it needs, and without what has nothing to do in it.
pub(crate) fn sensible(mut config: Config) -> Config {
    let (is_ab, is_on) = (config.driver == Driver::AlphaBeta, config.deepening);
    config.table |= config.etc || !is_ab;
    let selective = &mut config.selective;
    selective.aspiration = selective.aspiration.filter(|_| is_ab && is_on);
    selective.partial &= is_ab;
    selective.malus &= config.history;
    selective.reuse &= config.table || config.history;
    config
}

/// Tables of one bucket lose nearly everything.
pub(crate) fn memory(bits: u64) -> Budget {
    let memory = [64, 1 << 10, 1 << 20][(bits >> 8) as usize % 3];
    Budget { memory: Some(memory), ..Budget::default() }
}

pub(crate) fn rules(seed: u64) -> Rules {
    Rules {
        seed,
        branching: 1 + seed % 4,
        plies: 1 + (seed / 4 % 7) as u32,
        states: [3, 20, u64::MAX][(seed / 28 % 3) as usize],
        unit: [1, 1 << 34, 1 << 50][(seed / 84 % 3) as usize],
        has_margins: !seed.is_multiple_of(5),
    }
}

#[track_caller]
fn check_line(start: &RandomGame, report: &Report<u8>, value: i64, scores: Scores, label: &str) {
    assert_eq!(report.pv.first(), report.best_move.as_ref(), "{label}");
    let mut position = *start;
    for &mv in &report.pv {
        let mut moves = Vec::new();
        assert!(position.outcome().is_none(), "{label}: the line goes on after the end");
        position.moves(&mut moves);
        assert!(moves.contains(&mv), "{label}: {mv} is illegal");
        position.play(mv);
        assert_eq!(minimax(&position, 99, scores, false), value, "{label}: a mistake in the line");
    }
    assert!(position.outcome().is_some(), "{label}: the line does not end the game");
}

#[test]
fn exact_searches_agree_with_minimax_and_their_lines_lead_there() {
    for seed in 0..4_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        if start.rules.plies > 5 && start.rules.branching == 4 && seed % 3 != 0 {
            continue;
        }
        for scores in [Scores::Outcome, Scores::Margin] {
            let value = minimax(&start, 99, scores, false);
            for driver in DRIVERS {
                let bits = mix(seed ^ mix(driver as u64));
                let config = sensible(Config { driver, scores, ..options(bits) });
                let label = format!("{start:?} {config:?} {bits}");
                let mut search = DepthFirst::new(config, None).unwrap();
                let report = search.search(&start, Request::new(memory(bits), seed));
                assert_eq!(report.proof, Some(Outcome::from_margin(value)), "{label}");
                assert_eq!(report.value, value.signum() as f64, "{label}");
                let has_margin = scores == Scores::Margin && start.rules.has_margins;
                assert_eq!(report.margin, has_margin.then_some(value), "{label}");
                check_line(&start, &report, value, scores, &label);
                check_moves(&start, &report, scores, &label);
            }
        }
    }
}

/// What the report says about single moves is true.
#[track_caller]
fn check_moves(start: &RandomGame, report: &Report<u8>, scores: Scores, label: &str) {
    let mut moves = Vec::new();
    start.moves(&mut moves);
    assert_eq!(report.moves.iter().map(|m| m.mv).collect::<Vec<_>>(), moves, "{label}");
    for about in &report.moves {
        let mut child = *start;
        child.play(about.mv);
        let value = minimax(&child, 99, scores, false).signum();
        if let Some(proof) = about.proof {
            assert_eq!(proof.value(), value, "{label} {about:?}");
            assert_eq!(about.value, Some(value as f64), "{label} {about:?}");
        }
    }
    let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
    assert!(visits < report.work.nodes, "{label}: the root is no child");
}

#[test]
fn depth_limited_searches_agree_with_depth_limited_minimax() {
    let mut limited = 0;
    for seed in 0..4_000u64 {
        // With transpositions between plies a deeper entry may serve: here there are none.
        let start = RandomGame::new(seed, rules(seed));
        for depth in 1..=4 {
            let value = minimax(&start, depth, Scores::Outcome, true);
            let driver = DRIVERS[(seed % 6) as usize];
            let bits = mix(seed ^ mix(u64::from(depth)));
            let config = sensible(Config { driver, depth: Some(depth), ..options(bits) });
            let label = format!("{start:?} {config:?} {bits}");
            let mut search = DepthFirst::new(config, Some(HASHED)).unwrap();
            let report = search.search(&start, Request::new(memory(bits), seed));
            // A proof may end the deepening early; it is right at every depth from there on.
            let truth = minimax(&start, 99, Scores::Outcome, true);
            match report.proof {
                Some(outcome) => assert_eq!(outcome.value() * WIN, truth, "{label}"),
                None => {
                    limited += 1;
                    let shown = (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0);
                    assert_eq!(report.value, shown, "{label}");
                    assert_eq!(report.depth, depth, "{label}");
                    check_limited_line(&start, &report, value, depth, &label);
                }
            }
        }
    }
    assert!(limited > 4_000, "{limited}");
}

/// The best move has the value, and so has every move of the line at its depth.
#[track_caller]
fn check_limited_line(
    start: &RandomGame,
    report: &Report<u8>,
    value: i64,
    depth: u32,
    label: &str,
) {
    let mut child = *start;
    child.play(report.best_move.unwrap());
    assert_eq!(minimax(&child, depth - 1, Scores::Outcome, true), value, "{label}");
    assert!(report.pv.len() <= depth as usize, "{label}");
}

#[test]
fn what_a_shallow_search_proves_is_true() {
    let mut proofs = 0;
    for seed in 0..30_000u64 {
        let start =
            RandomGame::new(seed, Rules { branching: 3, plies: 5, states: 4, ..rules(seed) });
        let bits = mix(seed);
        // A draw is easily mistaken for the evaluation 0.
        let config = Config { depth: Some(3), etc: true, table: true, ..options(bits) };
        let report =
            DepthFirst::new(config, None).unwrap().search(&start, Request::new(memory(bits), 0));
        if let Some(outcome) = report.proof {
            let truth = minimax(&start, 99, Scores::Outcome, false);
            assert_eq!(outcome.value() * WIN, truth, "{start:?} {config:?}");
            assert!(keeps(&start, report.best_move, truth), "{start:?} {config:?}");
            proofs += 1;
        }
    }
    assert!(proofs > 1_000, "{proofs}");
}

/// Whether a move leads to a position with the same value as this one, which is known.
pub(crate) fn keeps(start: &RandomGame, mv: Option<u8>, truth: i64) -> bool {
    let mut after = *start;
    after.play(mv.expect("a move"));
    minimax(&after, 99, Scores::Outcome, false) == truth
}

#[test]
fn the_same_request_gives_the_same_search_whatever_came_before() {
    for seed in 0..200u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 7, ..rules(seed) });
        let config =
            sensible(Config { driver: DRIVERS[(seed % 6) as usize], ..options(mix(seed)) });
        let request = || Request::new(Budget { nodes: Some(60), ..memory(seed << 8) }, seed);
        let alone = DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, request());
        let mut busy = DepthFirst::new(config, Some(HASHED)).unwrap();
        for other in 0..(seed % 140) {
            busy.search(&RandomGame::new(other, start.rules), request());
        }
        let mut again = busy.search(&start, request());
        assert!(again.work.nodes <= 60);
        again.work.time = alone.work.time;
        assert_eq!(again, alone, "{config:?}");
    }
}

#[test]
fn a_spent_budget_gives_the_last_completed_iteration() {
    for seed in 0..300u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 7, ..rules(seed) });
        let config = Config { table: seed % 2 == 0, ..Config::default() };
        let whole =
            DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, Request::default());
        for nodes in [1, 2, 5, 20, 40] {
            let request = Request::new(Budget::nodes(nodes), 0);
            let cut = DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, request);
            assert!(cut.best_move.is_some() && cut.work.nodes <= nodes);
            if cut.depth == 0 || cut.depth == whole.depth {
                continue;
            }
            let config = Config { depth: Some(cut.depth), ..config };
            let same =
                DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, Request::default());
            assert_eq!((cut.best_move, cut.value), (same.best_move, same.value));
            let iterations = Budget::iterations(u64::from(cut.depth));
            let request = Request::new(iterations, 0);
            let same = DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, request);
            assert_eq!((cut.best_move, cut.pv), (same.best_move, same.pv));
        }
    }
}

/// The options of a proving search that must not change a value, switched on by the bits of a
/// number.
fn proving(method: Method, bits: u64) -> prove::Config {
    let bit = |i: u32| bits >> i & 1 == 1;
    prove::Config {
        method,
        hints: bit(0),
        shuffle: bit(1),
        restart: bit(2),
        bounds: bit(3),
        deepening: bit(4),
        ..prove::Config::default()
    }
}

#[test]
fn proving_searches_agree_with_minimax_and_their_lines_lead_there() {
    for seed in 0..4_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        if start.rules.plies > 5 && start.rules.branching == 4 && seed % 3 != 0 {
            continue;
        }
        for scores in [Scores::Outcome, Scores::Margin] {
            let value = minimax(&start, 99, scores, false);
            for method in Method::ALL {
                let bits = mix(seed ^ mix(method as u64));
                let config = prove::Config { scores, ..proving(method, bits) };
                let label = format!("{start:?} {config:?} {bits}");
                let mut search = Prover::new(config, None).unwrap();
                let budget = Budget { memory: Some(1 << 18), ..Budget::default() };
                let report = search.search(&start, Request::new(budget, seed));
                assert_eq!(report.proof, Some(Outcome::from_margin(value)), "{label}");
                assert_eq!(report.value, value.signum() as f64, "{label}");
                let has_margin = scores == Scores::Margin && start.rules.has_margins;
                assert_eq!(report.margin, has_margin.then_some(value), "{label}");
                // One bound does not prove a whole line; nor does what looked best earlier.
                if method != Method::Mtd && !config.deepening {
                    check_line(&start, &report, value, scores, &label);
                }
                check_moves(&start, &report, scores, &label);
            }
        }
    }
}

#[test]
fn depth_limited_proving_searches_agree_with_depth_limited_minimax() {
    let (mut limited, mut proofs) = (0, 0);
    for seed in 0..4_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        for depth in 1..=4 {
            let value = minimax(&start, depth, Scores::Outcome, true);
            let bits = mix(seed ^ mix(u64::from(depth)));
            let method = Method::ALL[(bits >> 32) as usize % 7];
            let config = prove::Config { depth: Some(depth), ..proving(method, bits) };
            let label = format!("{start:?} {config:?} {bits}");
            let mut search = Prover::new(config, Some(HASHED)).unwrap();
            let report = search.search(&start, Request::new(Budget::default(), seed));
            let truth = minimax(&start, 99, Scores::Outcome, true);
            if let Some(outcome) = report.proof {
                assert_eq!(outcome.value() * WIN, truth, "{label}");
                proofs += 1;
            } else {
                limited += 1;
                let shown = (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0);
                assert_eq!(report.value, shown, "{label}");
                check_limited_line(&start, &report, value, depth, &label);
            }
            for about in &report.moves {
                let mut child = start;
                child.play(about.mv);
                let truth = minimax(&child, 99, Scores::Outcome, true);
                assert!(about.proof.is_none_or(|proof| proof.value() * WIN == truth), "{label}");
            }
        }
    }
    assert!(limited > 4_000 && proofs > 4_000, "{limited} {proofs}");
}
