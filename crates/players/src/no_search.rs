//! Players that do not search: random and greedy.

use treegraft::{
    EVAL_ONE, Evaluator, Game, Meter, MoveReport, Outcome, Report, Request, Rng, Searcher, Side,
    Spends, Work, legal_moves, played,
};

/// Plays a legal move, drawn uniformly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Searcher<G> for Random {
    fn spends(&self) -> Spends {
        Spends::NOTHING
    }

    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        let mut rng = Rng::new(request.seed);
        let meter = Meter::start(request);
        let moves = legal_moves(position);
        let best = rng.draw_from(&moves).copied();
        Report {
            moves: moves.iter().copied().map(MoveReport::new).collect(),
            work: Work { time: meter.elapsed(), ..Work::default() },
            ..Report::of_move(position, best)
        }
    }
}

/// Plays a move that wins at once, or else the move whose position evaluates best; ties are broken
/// at random (Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics).
#[derive(Clone, Debug)]
pub struct Greedy<G: Game> {
    evaluator: Evaluator<G>,
}

impl<G: Game> Greedy<G> {
    /// A player that maximises `evaluator`.
    #[must_use]
    pub fn new(evaluator: Evaluator<G>) -> Greedy<G> {
        Greedy { evaluator }
    }
}

impl<G: Game> Searcher<G> for Greedy<G> {
    fn spends(&self) -> Spends {
        Spends::NOTHING
    }

    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        let mut rng = Rng::new(request.seed);
        let meter = Meter::start(request);
        let moves = legal_moves(position);
        let mut work = Work::default();
        if self.evaluator.foresees() {
            self.evaluator.foresee_children(position, &moves);
        }
        let mut look = |&mv: &G::Move| -> Look {
            let next = played(position, mv);
            work.transitions += 1;
            work.nodes += 1;
            let proof = next.outcome();
            let value = match proof {
                Some(outcome) => outcome.value() * i64::from(EVAL_ONE),
                None => {
                    work.evaluations += 1;
                    i64::from(self.evaluator.evaluate(&next))
                }
            };
            Look { value, proof }
        };
        let looks: Vec<Look> = moves.iter().map(&mut look).collect();
        work.time = meter.elapsed();
        let best = best_index(&looks, position.to_move(), &mut rng);
        let finished = position.outcome().map_or(0.0, |outcome| outcome.value() as f64);
        let move_report = |(&mv, look): (&G::Move, &Look)| MoveReport {
            visits: 1,
            value: Some(look.scaled()),
            proof: look.proof,
            ..MoveReport::new(mv)
        };
        Report {
            value: best.map_or(finished, |at| looks[at].scaled()),
            moves: moves.iter().zip(&looks).map(move_report).collect(),
            depth: u32::from(best.is_some()),
            work,
            ..Report::of_move(position, best.map(|at| moves[at]))
        }
    }
}

/// What a move leads to, in the first player's view.
struct Look {
    value: i64,
    proof: Option<Outcome>,
}

impl Look {
    /// The value as reports have it, from -1 to 1.
    fn scaled(&self) -> f64 {
        self.value as f64 / f64::from(EVAL_ONE)
    }
}

/// The index of the best move for `mover`; ties are broken at random.
fn best_index(looks: &[Look], mover: Side, rng: &mut Rng) -> Option<usize> {
    let value = |look: &Look| mover.sign() * look.value;
    let highest = looks.iter().map(value).max()?;
    let best: Vec<usize> = (0..looks.len()).filter(|&at| value(&looks[at]) == highest).collect();
    rng.draw_from(&best).copied()
}
