//! Everything that can be named: games, players, evaluations. Built-in ones and those of users are
//! registered in the same way.

use std::fmt;
use std::sync::Arc;

use treegraft::linear::Weights;
use treegraft::{Evaluator, Game, GameInfo, GameTextError, with_colon};
use treegraft_conformance as conformance;

use crate::board::{Analyst, Board};
use crate::entry::GameEntry;
use crate::error::{Complaint, PlayerError};
use crate::names::{RegistryError, admit};
use crate::own::SearchEntry;
use crate::player::{LabelInfo, Player, Search, is_label, label_of, parse, players};
use crate::searcher::{Context, Evaluations};
use crate::start::Start;

/// Games, searches and evaluations by name.
///
/// ```
/// use treegraft::{Game, GameInfo, Notation, Outcome, Side};
/// use treegraft_players::{GameEntry, Registry};
///
/// /// Two players take one, two or three of a heap in turn; who takes the last one wins.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Nim { heap: u8, mover: Side }
///
/// impl Game for Nim {
///     type Move = u8;
///     fn to_move(&self) -> Side { self.mover }
///     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
///     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
///     }
/// }
///
/// let info = GameInfo::new("nim", "Take one, two or three; who takes the last one wins.");
/// let mut registry = Registry::standard();
/// registry.add_game(GameEntry::new(info, Nim { heap: 9, mover: Side::First }))?;
///
/// let start = registry.start("nim")?;
/// let player = registry.player("ab(depth=9)")?;
/// let mut analyst = registry.searcher(&start, &player)?;
/// let report = analyst.search(start.board(), Default::default());
/// assert_eq!(start.board().notation().move_text(report.best_move.unwrap()), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Registry {
    games: Vec<Arc<GameEntry>>,
    searches: Vec<Arc<SearchEntry>>,
    pub(crate) evaluations: Evaluations,
}

impl Registry {
    /// A registry with all games of `treegraft-games`. Every registry has the built-in searches.
    #[must_use]
    pub fn standard() -> Registry {
        let games = crate::games::entries().into_iter().map(Arc::new).collect();
        Registry { games, ..Registry::default() }
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If its name is taken, or cannot be read back.
    pub fn add_game(&mut self, game: GameEntry) -> Result<(), RegistryError> {
        let name = game.info.name;
        let is_taken = self.games.iter().any(|other| other.info.name == name);
        admit("game", name, is_taken)?;
        self.games.push(Arc::new(game));
        Ok(())
    }

    /// Adds a search, which becomes a player under its label.
    ///
    /// # Errors
    ///
    /// If its label or the name of an option is taken or cannot be read back, or an option cannot
    /// have its own default.
    pub fn add_search(&mut self, search: SearchEntry) -> Result<(), RegistryError> {
        let is_taken =
            is_label(search.label) || self.searches.iter().any(|other| other.label == search.label);
        admit("search", search.label, is_taken)?;
        search.check()?;
        self.searches.push(Arc::new(search));
        Ok(())
    }

    /// Adds an evaluation of positions of the type `G`, after those that the game lists itself:
    /// `eval=NAME` finds it in every search.
    ///
    /// # Errors
    ///
    /// If its name is taken or cannot be read back. The names of a game's own evaluations are not
    /// known here; they take precedence.
    pub fn add_evaluation<G: Game + 'static>(
        &mut self,
        evaluator: Evaluator<G>,
    ) -> Result<(), RegistryError> {
        let registered = self.evaluations.of::<G>();
        let is_taken = ["auto", "none"].contains(&&*evaluator.name)
            || registered.iter().any(|other| other.name == evaluator.name);
        admit("evaluation", &evaluator.name, is_taken)?;
        self.evaluations.add(evaluator);
        Ok(())
    }

    /// All games, in the order in which they were added.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &GameInfo> {
        self.entries().map(GameEntry::info)
    }

    /// The same, with what was registered with them.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &GameEntry> {
        self.games.iter().map(|game| &**game)
    }

    /// All labels with their options.
    #[must_use]
    pub fn players(&self) -> Vec<LabelInfo> {
        let own = self.searches.iter().map(|search| search.listing());
        players().into_iter().chain(own).collect()
    }

    /// The starting position that a text such as `breakthrough:6x6` names, or `breakthrough(6x6)`.
    ///
    /// # Errors
    ///
    /// If no game has that name, or the game cannot have those parameters.
    pub fn start(&self, text: &str) -> Result<Start, GameTextError> {
        let text = &*with_colon(text);
        let name = text.split(':').next().unwrap_or_default();
        let Some(game) = self.games.iter().find(|game| game.info.name == name) else {
            let names: Vec<&str> = self.games().map(|info| info.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(GameTextError::new(text, "there is no such game", expected));
        };
        let (text, board) = (game.start)(text)?;
        Ok(Start::new(game, text, board))
    }

    /// The player that a text such as `mcts-solver(c=0.8)@91000it` stands for.
    ///
    /// # Errors
    ///
    /// If the text is not a player. The error names the label, option or value that is wrong.
    pub fn player(&self, text: &str) -> Result<Player, PlayerError> {
        let own = self.searches.iter().find(|search| search.label == label_of(text));
        let read = match own {
            Some(search) => search.player(text),
            None => {
                let labels: Vec<&str> = self.searches.iter().map(|search| search.label).collect();
                parse(text, &labels)
            }
        };
        read.map_err(|complaint| PlayerError::new(text, complaint))
    }

    /// The evaluations of a game's positions: its own, then those that were added for it. Of two
    /// with the same name only the first is listed, the one that `eval=NAME` finds.
    #[must_use]
    pub fn evaluators(&self, start: &Start) -> Vec<Evaluator<Board>> {
        let mut evaluators: Vec<Evaluator<Board>> = Vec::new();
        for evaluator in start.board().position().all_evaluators(&self.evaluations) {
            if evaluators.iter().all(|other| other.name != evaluator.name) {
                evaluators.push(evaluator);
            }
        }
        evaluators
    }

    /// The same registry with one more evaluation of a game's positions: another one with these
    /// weights, which `treegraft tune` has found. The weights of an evaluation without
    /// [features](treegraft::linear::Features) are those of its parts.
    ///
    /// # Errors
    ///
    /// If the name is taken or cannot be read back, there is no evaluation `of`, or the weights are
    /// not for what it looks at.
    pub fn with_weights(
        &self,
        start: &Start,
        of: &str,
        name: &str,
        weights: Weights,
    ) -> Result<Registry, RegistryError> {
        let is_taken = self.evaluators(start).iter().any(|other| other.name == name);
        admit("evaluation", name, is_taken)?;
        let mut evaluations = self.evaluations.clone();
        let (game, features) = (start.text(), weights.features.clone());
        let is_made =
            start.board().position().add_weights(&mut evaluations, of, name.to_owned(), weights);
        if !is_made {
            let problem = format!(
                "{game} has no evaluation {of:?} that looks at {features:?}, for which the weights are"
            );
            return Err(RegistryError::new("evaluation", name, problem));
        }
        let (games, searches) = (self.games.clone(), self.searches.clone());
        Ok(Registry { games, searches, evaluations })
    }

    /// Checks that a game keeps its contract, and with it the evaluations that were added for it;
    /// see [`conformance`].
    pub fn check(
        &self,
        start: &Start,
        options: &conformance::Options,
        progress: &mut dyn FnMut(f64),
    ) -> conformance::Report {
        start.board().position().check(&self.evaluations, options, progress)
    }

    /// A new searcher for a game that begins at `start`.
    ///
    /// # Errors
    ///
    /// If the game lacks the evaluation that an option names, if the budget has a limit that the
    /// search never spends ([`Searcher::spends`](treegraft::Searcher::spends)), or if the player is an
    /// engine, which gives moves but no reports.
    pub fn searcher(&self, start: &Start, player: &Player) -> Result<Analyst, PlayerError> {
        let context = Context { start, evaluations: &self.evaluations };
        let made = match &player.search {
            Search::Own(own) => {
                match self.searches.iter().find(|search| search.label == own.label) {
                    Some(search) => search.make(own, &context),
                    None => Err(Complaint::new("its search is not registered", "its registry")),
                }
            }
            // Compiled for the type of the position: `searcher` in searcher.rs.
            search => start.board().position().searcher(search, &context),
        };
        let checked = made.and_then(|analyst| {
            analyst.spends().check(&player.budget)?;
            Ok(analyst)
        });
        checked.map_err(|complaint| PlayerError::of(player, complaint))
    }

    /// Whether a game that begins at `start` can serve every option of a player.
    ///
    /// # Errors
    ///
    /// As [`Registry::searcher`].
    pub fn can_play(&self, start: &Start, player: &Player) -> Result<(), PlayerError> {
        self.searcher(start, player).map(drop)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games: Vec<&str> = self.games().map(|info| info.name).collect();
        let own: Vec<&str> = self.searches.iter().map(|search| search.label).collect();
        f.debug_struct("Registry").field("games", &games).field("own_searches", &own).finish()
    }
}
