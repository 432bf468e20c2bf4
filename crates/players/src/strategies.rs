//! The strategies for playouts that a player names.

use treegraft::rollout::{Playouts, Strategy};
use treegraft::{Evaluator, Game, Ipp, Knowledge, presets};

use crate::error::Complaint;
use crate::player::Strategies;
use crate::searcher::{Context, has_weights};

/// The strategies of a game that these names stand for.
pub(crate) fn find<G: Game + 'static>(
    strategies: &Strategies,
    context: &Context<'_>,
    start: &G,
) -> Result<Vec<Strategy<G>>, Complaint> {
    let mut evaluators = start.knowledge().evaluators();
    evaluators.extend_from_slice(context.evaluations.of::<G>());
    let [all, top3] = context.start.info().constants.strategies;
    // Some evaluations are for one size of board only.
    let is_known = |name: &&str| *name == "random" || evaluators.iter().any(|it| it.name == **name);
    let of_board = |set: &[&'static str]| set.iter().copied().filter(is_known).collect();
    let mut found: Vec<Strategy<G>> = Vec::new();
    for name in strategies.names() {
        let names: Vec<&str> = match name {
            "all" if all.is_empty() => {
                // Fitted evaluations are made for searches; a player can still name them.
                let plain = evaluators.iter().filter(|evaluator| evaluator.features().is_none());
                plain.map(|evaluator| &*evaluator.name).chain(["random"]).collect()
            }
            "all" => of_board(all),
            "top3" if top3.is_empty() => {
                let problem =
                    format!("the best three strategies are not known for {}", context.game());
                return Err(Complaint::new(problem, "switch=all, or names of strategies"));
            }
            "top3" => of_board(top3),
            name => vec![name],
        };
        for name in names {
            if found.iter().all(|known| known.name != name) {
                found.push(strategy(name, &evaluators, context, start)?);
            }
        }
    }
    Ok(found)
}

fn strategy<G: Game>(
    name: &str,
    evaluators: &[Evaluator<G>],
    context: &Context<'_>,
    start: &G,
) -> Result<Strategy<G>, Complaint> {
    let by = |playouts| Strategy { name: name.to_owned().into(), playouts, ..Strategy::random() };
    match name {
        "random" => Ok(Strategy::random()),
        "hints" => Ok(by(Playouts::Hints)),
        "ipp" if !has_weights(start) => Err(context.knows_no("improved playouts (ipp)")),
        "ipp" => Ok(by(Playouts::Improved(Ipp::Program))),
        "mast" => Ok(Strategy { mast: Some(presets::MAST_EPSILON), ..by(Playouts::Random) }),
        _ => match evaluators.iter().find(|evaluator| evaluator.name == name) {
            Some(evaluator) => Ok(Strategy::greedy(evaluator.clone())),
            None => {
                let known = evaluators.iter().map(|evaluator| &*evaluator.name);
                let known = known.chain(["random", "hints", "ipp", "mast", "all", "top3"]);
                let is_there = |name: &&str| *name != "ipp" || has_weights(start);
                let known: Vec<&str> = known.filter(is_there).collect();
                Err(context.has_no_strategy(name, &known))
            }
        },
    }
}
