//! From a player to the search it stands for, in a given game.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use treegraft::depth_first::DepthFirst;
use treegraft::observe::Event;
use treegraft::rollout::prove::Prover;
use treegraft::rollout::{self, Playouts, Rollout};
use treegraft::{
    Constants, Evaluator, Game, Ipp, Knowledge, Report, Request, Searcher, Spends, legal_moves,
    presets,
};

use crate::error::{Complaint, meant, one_of};
use crate::no_search::{Greedy, Random};
use crate::player::{Best, BestOptions, Eval, RolloutOptions, Search, parse};
use crate::start::Start;
use crate::strategies;
use crate::weakened::Weakened;

/// What a search depends on besides the player and the position.
pub(crate) struct Context<'a> {
    /// Where the game begins, with what was registered of it.
    pub(crate) start: &'a Start,
    /// Evaluations that were registered beside the games' own.
    pub(crate) evaluations: &'a Evaluations,
}

impl Context<'_> {
    /// The name of the game, for errors.
    pub(crate) fn game(&self) -> &str {
        self.start.info().name
    }

    /// Nothing to go by, where something is needed.
    fn lacks_evaluation(&self, to: &str) -> Complaint {
        let problem = format!("{} has no evaluation to {to}", self.game());
        Complaint::new(problem, "another player")
    }

    /// Knowledge that a player needs, and the game does not have.
    pub(crate) fn knows_no(&self, what: &str) -> Complaint {
        let problem = format!("{} has no {what}", self.game());
        Complaint::new(problem, "another game, or a player without them")
    }

    /// None of this name; `names` are those that there are.
    fn has_no_evaluation(&self, name: &str, names: &[&str]) -> Complaint {
        let game = self.game();
        let meant = meant(name, names);
        let problem = format!("eval is {name:?}, which {game} does not have{meant}");
        let expected = match names {
            [] => format!("no eval: {game} has no evaluations"),
            names => one_of(names),
        };
        Complaint::new(problem, expected)
    }

    /// No such strategy for playouts; `names` are those that there are.
    pub(crate) fn has_no_strategy(&self, name: &str, names: &[&str]) -> Complaint {
        let meant = meant(name, names);
        let problem = format!("switch has {name:?}, which {} does not have{meant}", self.game());
        Complaint::new(problem, one_of(names))
    }
}

/// Evaluations that were registered beside the games' own, by the type of positions.
#[derive(Clone, Default)]
pub(crate) struct Evaluations(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Evaluations {
    pub(crate) fn of<G: Game + 'static>(&self) -> &[Evaluator<G>] {
        let all = self.0.get(&TypeId::of::<G>());
        all.and_then(|all| all.downcast_ref::<Vec<Evaluator<G>>>()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn add<G: Game + 'static>(&mut self, evaluator: Evaluator<G>) {
        let all = [self.of::<G>(), &[evaluator]].concat();
        self.0.insert(TypeId::of::<G>(), Arc::new(all));
    }
}

/// A fresh search for a game that begins at `start`.
pub(crate) fn searcher<G: Game<Move: Send + Sync> + Send + Sync + 'static>(
    search: &Search,
    context: &Context<'_>,
    start: &G,
) -> Result<Box<dyn Searcher<G> + Send>, Complaint> {
    let Search::Best(options) = search else { return choose(search, context, start, Boxed) };
    if *options != BestOptions::default() {
        let level = options.weakened(&context.start.best().levels);
        let strong = searcher(&Search::Best(BestOptions::default()), context, start)?;
        return Ok(Box::new(Weakened::new(strong, level)));
    }
    let Best { player, otherwise, .. } = *context.start.best();
    let chosen = searcher(&parse(player, &[])?.search, context, start);
    chosen.or_else(|_| searcher(&parse(otherwise, &[])?.search, context, start))
}

/// What is done with the search that a player stands for.
pub(crate) trait Chosen<G: Game> {
    /// What comes of it.
    type Output;

    /// `observed` searches and tells what happens. It is compiled only where it is called: on boards.
    fn take<S: Searcher<G> + Send + 'static>(
        self,
        search: S,
        observed: impl FnOnce(&mut S, &G, Request<'_, G::Move>, Tell<'_, G>) -> Report<G::Move>,
    ) -> Self::Output;
}

/// Hears what a search does.
pub(crate) type Tell<'a, G> = &'a mut (dyn FnMut(Event<<G as Game>::Move>) + 'a);

/// The search itself, which nobody observes.
pub(crate) struct Boxed;

impl<G: Game> Chosen<G> for Boxed {
    type Output = Box<dyn Searcher<G> + Send>;

    fn take<S: Searcher<G> + Send + 'static>(
        self,
        search: S,
        _: impl FnOnce(&mut S, &G, Request<'_, G::Move>, Tell<'_, G>) -> Report<G::Move>,
    ) -> Self::Output {
        Box::new(search)
    }
}

/// What a search spends, and nothing else: it is not compiled to be run.
pub(crate) struct Checked;

impl<G: Game> Chosen<G> for Checked {
    type Output = Spends;

    fn take<S: Searcher<G> + Send + 'static>(
        self,
        search: S,
        _: impl FnOnce(&mut S, &G, Request<'_, G::Move>, Tell<'_, G>) -> Report<G::Move>,
    ) -> Spends {
        search.spends()
    }
}

/// Moves without a search: there is nothing to tell.
fn silent<G: Game, S: Searcher<G>>(
    search: &mut S,
    position: &G,
    request: Request<'_, G::Move>,
    _: Tell<'_, G>,
) -> Report<G::Move> {
    search.search(position, request)
}

/// Makes the search that a player stands for in a game that begins at `start`.
pub(crate) fn choose<G, C: Chosen<G>>(
    search: &Search,
    context: &Context<'_>,
    start: &G,
    chosen: C,
) -> Result<C::Output, Complaint>
where
    G: Game<Move: Send + Sync> + Send + Sync + 'static,
{
    let evaluator = |eval| find_evaluator(eval, context, start);
    Ok(match search {
        Search::Random => chosen.take(Random, silent),
        Search::Greedy(options) => match evaluator(&options.eval)? {
            Some(evaluator) => chosen.take(Greedy::new(evaluator), silent),
            None => return Err(context.lacks_evaluation("be greedy by")),
        },
        Search::Rollout(options) => {
            let evaluator = evaluator(&options.eval)?;
            let slope = evaluator.as_ref().map(|evaluator| evaluator.slope);
            let config = rollout_config(options, context, slope)?;
            check_knowledge(&config, context, start)?;
            let strategies = match &options.switch {
                Some(strategies) => strategies::find(strategies, context, start)?,
                None => Vec::new(),
            };
            let rollout = Rollout::with_strategies(config, evaluator, strategies)?;
            chosen.take(rollout, Rollout::search_observed)
        }
        Search::DepthFirst(options) => {
            let evaluator = evaluator(&options.eval)?;
            if options.config.weights && !has_weights(start) {
                return Err(context.knows_no("weights of moves"));
            }
            let depth_first = DepthFirst::new(options.config, evaluator)?;
            chosen.take(depth_first, DepthFirst::search_observed)
        }
        Search::Prove(options) => {
            let prover = Prover::new(options.config, evaluator(&options.eval)?)?;
            chosen.take(prover, Prover::search_observed)
        }
        Search::Best(_) => {
            let problem = "best stands for itself";
            return Err(Complaint::new(problem, "another player as the best of a game"));
        }
        Search::Engine(_) => {
            let problem = "an engine plays, but does not say what it thinks";
            return Err(Complaint::new(problem, "a player of this program, such as mcts"));
        }
        Search::Own(_) => {
            let problem = "an own search is made by its own function";
            return Err(Complaint::new(problem, "Registry::searcher"));
        }
    })
}

/// The configuration of a rollout search in a game; `slope` is that of its evaluation, if it has
/// one.
fn rollout_config(
    options: &RolloutOptions,
    context: &Context<'_>,
    slope: Option<f64>,
) -> Result<rollout::Config, Complaint> {
    let mut config = options.config_for(&context.start.info().constants);
    if config.asks_evaluation() && slope.is_none() {
        return Err(context.lacks_evaluation("value positions by"));
    }
    if options.slope.is_none() && config.has_rewards() {
        config.informed.slope = slope.unwrap_or(0.0);
    }
    Ok(config)
}

/// Refuses what the game knows nothing for.
fn check_knowledge<G: Game>(
    config: &rollout::Config,
    context: &Context<'_>,
    start: &G,
) -> Result<(), Complaint> {
    let Some(&mv) = legal_moves(start).first() else { return Ok(()) };
    let is_improved = matches!(config.playouts, Playouts::Improved(_));
    let needed = [
        (is_improved, has_weights(start), "improved playouts (ipp)"),
        (
            config.informed.np.is_some(),
            start.knowledge().node_prior(mv).is_some(),
            "node priors (np)",
        ),
        (
            config.progressive_bias.is_some(),
            start.knowledge().transition_probability(mv).is_some(),
            "probabilities of moves for progressive bias (pb)",
        ),
    ];
    for (is_asked, is_there, what) in needed {
        if is_asked && !is_there {
            return Err(context.knows_no(what));
        }
    }
    Ok(())
}

/// Whether the game weighs moves; it may be over.
pub(crate) fn has_weights<G: Game>(start: &G) -> bool {
    let first = legal_moves(start).first().copied();
    first.is_none_or(|mv| start.knowledge().playout_weight(mv, Ipp::Program).is_some())
}

impl RolloutOptions {
    /// The configuration in a game with these constants, including the exploration constant and the
    /// depths of hybrids. The slope is 0 unless it is given: the usual one depends on the evaluation.
    #[must_use]
    pub fn config_for(&self, constants: &Constants) -> rollout::Config {
        let embed = rollout::Embed {
            mr: self.mr.resolve(constants.mr),
            ms: self.ms.resolve(constants.ms),
            mb: self.mb.resolve(constants.mb),
            ..self.config.embed
        };
        let alpha_beta = self.p.map(|p| rollout::AlphaBeta { p, ..self.alpha_beta });
        let c = self.c.unwrap_or_else(|| match self.rave() {
            Some(_) => constants.c_with_rave(self.config.select),
            None => constants.c(self.config.select),
        });
        let det = self.det.map(|bound| rollout::Mercy { bound, every: self.det_every });
        let slope = self.slope.unwrap_or(0.0);
        let informed = rollout::Informed { det, slope, ..self.config.informed };
        let implicit = self.implicit().first().copied();
        let rave = self.rave();
        let switch = self.switch.is_some().then(|| rollout::Switch {
            // With RAVE the search explores less, by its AMAF values; the bandit has none.
            b: self.switch_b.or(self.c).unwrap_or(constants.c(self.config.select)),
            keep: self.switch_keep,
            band: self.switch_band,
            sides: self.switch_sides,
        });
        rollout::Config { c, embed, informed, implicit, rave, switch, alpha_beta, ..self.config }
    }

    /// What im, cb and hb stand for: one at most, if the player makes sense.
    pub(crate) fn implicit(&self) -> Vec<rollout::Implicit> {
        let all = [
            (self.im, rollout::Mixture::Minimax),
            (self.cb, rollout::Mixture::Constant),
            (self.hb, rollout::Mixture::Progressive),
        ];
        let by = self.im_by;
        let rate = if by == rollout::WeightBy::Nothing { 0.0 } else { self.im_rate };
        let implicit =
            |(alpha, mixture)| Some(rollout::Implicit { alpha: alpha?, mixture, by, rate });
        all.into_iter().filter_map(implicit).collect()
    }

    /// What rave and grave stand for, with their companions.
    pub(crate) fn rave(&self) -> Option<rollout::Rave> {
        let is_on = self.rave.is_some() || self.grave.is_some();
        is_on.then(|| rollout::Rave {
            k: self.rave.unwrap_or(presets::RAVE_K),
            bias: self.rave_bias,
            reference: self.grave.unwrap_or(0),
            untried: self.rave_untried,
        })
    }
}

/// The evaluation that a player uses: one of the game's own, or of those registered beside
/// them.
pub(crate) fn find_evaluator<G: Game + 'static>(
    eval: &Eval,
    context: &Context<'_>,
    start: &G,
) -> Result<Option<Evaluator<G>>, Complaint> {
    if *eval == Eval::Nothing {
        return Ok(None);
    }
    let mut evaluators = start.knowledge().evaluators();
    evaluators.extend_from_slice(context.evaluations.of::<G>());
    let Eval::Named(name) = eval else { return Ok(evaluators.into_iter().next()) };
    if let Some(at) = evaluators.iter().position(|evaluator| evaluator.name == *name) {
        let evaluator = evaluators.swap_remove(at);
        // Fitted evaluations make their tables when they are first called, Othello's for a tenth of a
        // second: before the clock of the first move runs.
        if evaluator.features().is_some() && start.outcome().is_none() {
            let _ = evaluator.evaluate(start);
        }
        return Ok(Some(evaluator));
    }
    let names: Vec<&str> = evaluators.iter().map(|evaluator| &*evaluator.name).collect();
    Err(context.has_no_evaluation(name, &names))
}
