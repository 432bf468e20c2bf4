//! From a player to the search it stands for, in a given game.

use std::any::Any;

use treegraft::depth_first::DepthFirst;
use treegraft::rollout::prove::Prover;
use treegraft::rollout::{self, Rollout};
use treegraft::{Evaluator, Game, Searcher};
use treegraft_games::{AnyGame, Visitor};

use super::error::{Complaint, nearest, one_of};
use super::{Eval, Player, PlayerError, RolloutPlayer, Search, best_presets, exploration_constant};
use crate::engine::EngineSeat;
use crate::{Greedy, Random, Searching, Seat};

impl Player {
    /// A fresh searcher for a game that begins at `start`.
    ///
    /// `game` is the text of the game, on which the usual exploration constant depends
    /// ([`exploration_constant`]).
    ///
    /// # Errors
    ///
    /// If the game cannot serve an option: it lacks the evaluation. And if the player is another
    /// program, which gives moves and no reports: [`Player::seat`] asks it for them.
    pub fn searcher<G>(
        &self,
        game: &str,
        start: &G,
    ) -> Result<Box<dyn Searcher<G> + Send>, PlayerError>
    where
        G: Game + Send + 'static,
        G::Move: Send,
    {
        let evaluator = |eval: &Eval| {
            find_evaluator(eval, game, start)
                .map_err(|complaint| PlayerError::new(&self.to_string(), complaint))
        };
        let lacks_evaluation = |to: &str| {
            let problem = format!("{} has no evaluation to {to}", name_of(game));
            PlayerError::new(&self.to_string(), Complaint::new(problem, "another player"))
        };
        Ok(match &self.search {
            Search::Random => Box::new(Random),
            Search::Greedy(player) => match evaluator(&player.eval)? {
                Some(evaluator) => Box::new(Greedy::new(evaluator)),
                None => return Err(lacks_evaluation("be greedy by")),
            },
            Search::Rollout(player) => {
                let evaluator = evaluator(&player.eval)?;
                let mut config = player.config_for(game);
                if config.asks_evaluation() && evaluator.is_none() {
                    return Err(lacks_evaluation("value positions by"));
                }
                let usual = || evaluator.as_ref().map_or(0.0, |it| it.slope);
                config.informed.slope = player.slope.unwrap_or_else(usual);
                Box::new(Rollout::with_evaluator(config, evaluator))
            }
            Search::DepthFirst(player) => {
                Box::new(DepthFirst::new(player.config, evaluator(&player.eval)?))
            }
            Search::Prove(player) => Box::new(Prover::new(player.config, evaluator(&player.eval)?)),
            Search::Engine(_) => {
                let problem = "an engine plays, but does not say what it thinks";
                let complaint = Complaint::new(problem, "a player of this program, such as mcts");
                return Err(PlayerError::new(&self.to_string(), complaint));
            }
        })
    }

    /// Someone fresh to ask for moves in a game that begins at `start`: a [`Player::searcher`], or
    /// another program, which is not started before [`Seat::new_game`].
    ///
    /// # Errors
    ///
    /// If the game cannot serve an option, as in [`Player::searcher`].
    pub fn seat<G>(&self, game: &str, start: &G) -> Result<Box<dyn Seat<G> + Send>, PlayerError>
    where
        G: Game + Send + 'static,
        G::Move: Send,
    {
        if let Search::Engine(player) = &self.search {
            return Ok(Box::new(EngineSeat::new(player.clone(), game, start)));
        }
        Ok(Box::new(Searching(self.searcher(game, start)?)))
    }
}

impl Player {
    /// A fresh searcher for a game of the registry, of which `G` is the type of positions.
    ///
    /// The same as [`Player::searcher`], but compiled with this crate: whoever calls it does not
    /// compile every search for every game once more.
    ///
    /// # Errors
    ///
    /// As [`Player::searcher`].
    ///
    /// # Panics
    ///
    /// If `G` is the type of another game.
    pub fn registered_searcher<G: Game + 'static>(
        &self,
        game: &AnyGame,
    ) -> Result<Box<dyn Searcher<G> + Send>, PlayerError> {
        let searcher = any_searcher(self, game)?;
        let searcher = searcher.downcast::<Box<dyn Searcher<G> + Send>>();
        Ok(*searcher.expect("positions of the game that was named"))
    }
}

/// A `Box<dyn Searcher<G> + Send>`, whatever `G` is.
#[inline(never)]
fn any_searcher(player: &Player, game: &AnyGame) -> Result<Box<dyn Any>, PlayerError> {
    game.clone().visit(MakeSearcher { player, game: game.canonical() })
}

struct MakeSearcher<'a> {
    player: &'a Player,
    game: String,
}

impl Visitor for MakeSearcher<'_> {
    type Output = Result<Box<dyn Any>, PlayerError>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        Ok(Box::new(self.player.searcher(&self.game, &start)?))
    }
}

impl RolloutPlayer {
    /// All choices for a game, the exploration constant and the depths of hybrids included. Only the
    /// slope depends on more, the evaluation.
    #[must_use]
    pub fn config_for(&self, game: &str) -> rollout::Config {
        let usual = || exploration_constant(game, self.config.select);
        let best = best_presets(game);
        let embed = rollout::Embed {
            mr: self.mr.resolve(best.mr),
            ms: self.ms.resolve(best.ms),
            mb: self.mb.resolve(best.mb),
            ..self.config.embed
        };
        let alpha_beta = self.p.map(|p| rollout::AlphaBeta { p, ..self.alpha_beta });
        rollout::Config { c: self.c.unwrap_or_else(usual), embed, alpha_beta, ..self.config }
    }
}

fn find_evaluator<G: Game>(
    eval: &Eval,
    game: &str,
    start: &G,
) -> Result<Option<Evaluator<G>>, Complaint> {
    let name = match eval {
        Eval::Nothing => return Ok(None),
        Eval::Usual => return Ok(start.evaluators().into_iter().next()),
        Eval::Named(name) => name,
    };
    let evaluators = start.evaluators();
    let names: Vec<&str> = evaluators.iter().map(|evaluator| &*evaluator.name).collect();
    if let Some(known) = evaluators.iter().find(|evaluator| evaluator.name == *name) {
        return Ok(Some(known.clone()));
    }
    let game = name_of(game);
    let meant = match nearest(name, names.iter().copied()) {
        Some(meant) => format!(" (did you mean {meant}?)"),
        None => String::new(),
    };
    let problem = format!("eval is {name:?}, which {game} does not have{meant}");
    let expected = match names.as_slice() {
        [] => format!("no eval: {game} has no evaluations"),
        names => one_of(names),
    };
    Err(Complaint::new(problem, expected))
}

/// The name of a game without its parameters.
fn name_of(game: &str) -> &str {
    game.split(':').next().unwrap_or_default()
}
