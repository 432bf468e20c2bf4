//! Players that do not search: random and greedy.

use treegraft::{
    Evaluator, Game, Meter, MoveReport, Outcome, Report, Request, Rng, Searcher, Work, legal_moves,
};

/// Plays any legal move, uniformly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Searcher<G> for Random {
    fn search(&mut self, position: &G, request: Request<'_>) -> Report<G::Move> {
        let mut rng = Rng::new(request.seed);
        let meter = Meter::start(request);
        let moves = legal_moves(position);
        let best = rng.choose(&moves).copied();
        let unknown = |&mv: &G::Move| MoveReport { mv, visits: 0, value: None, proof: None };
        Report {
            moves: moves.iter().map(unknown).collect(),
            work: Work { time: meter.elapsed(), ..Work::default() },
            ..Report::of_move(position, best)
        }
    }
}

/// Plays the move to the position that an evaluation likes best, one that wins at once before all
/// others; a tie is decided at random (Mańdziuk & Walczak, Monte Carlo Tree Search with
/// Metaheuristics).
#[derive(Clone, Debug)]
pub struct Greedy<G: Game> {
    evaluator: Evaluator<G>,
}

impl<G: Game> Greedy<G> {
    /// A player who goes by `evaluator`.
    #[must_use]
    pub fn new(evaluator: Evaluator<G>) -> Greedy<G> {
        Greedy { evaluator }
    }
}

impl<G: Game> Searcher<G> for Greedy<G> {
    fn search(&mut self, position: &G, request: Request<'_>) -> Report<G::Move> {
        let mut rng = Rng::new(request.seed);
        let meter = Meter::start(request);
        let moves = legal_moves(position);
        let mut work = Work::default();
        let mut look = |&mv: &G::Move| {
            let mut next = position.clone();
            next.play(mv);
            work.transitions += 1;
            work.nodes += 1;
            let proof = next.outcome();
            let value = match proof {
                Some(outcome) => outcome.value() * i64::from(treegraft::EVAL_ONE),
                None => {
                    work.evaluations += 1;
                    i64::from(self.evaluator.evaluate(&next))
                }
            };
            (mv, value, proof)
        };
        let looks: Vec<(G::Move, i64, Option<Outcome>)> = moves.iter().map(&mut look).collect();
        let sign = position.to_move().sign();
        let highest = looks.iter().map(|&(_, value, _)| sign * value).max();
        let best: Vec<(G::Move, i64)> = looks
            .iter()
            .filter(|&&(_, value, _)| Some(sign * value) == highest)
            .map(|&(mv, value, _)| (mv, value))
            .collect();
        let chosen = rng.choose(&best).copied();
        let scaled = |value: i64| value as f64 / f64::from(treegraft::EVAL_ONE);
        let finished = position.outcome().map_or(0.0, |outcome| outcome.value() as f64);
        work.time = meter.elapsed();
        let move_report =
            |(mv, value, proof)| MoveReport { mv, visits: 1, value: Some(scaled(value)), proof };
        Report {
            value: chosen.map_or(finished, |(_, value)| scaled(value)),
            moves: looks.into_iter().map(move_report).collect(),
            depth: u32::from(chosen.is_some()),
            work,
            ..Report::of_move(position, chosen.map(|(mv, _)| mv))
        }
    }
}
