//! A search that reports its events.

use treegraft::observe::Event;
use treegraft::{Game, Knowledge, Report, Request};

use crate::board::{Board, MoveIndex};
use crate::error::{Complaint, PlayerError};
use crate::player::{Player, Search};
use crate::registry::Registry;
use crate::searcher::{Chosen, Context, Evaluations, choose};
use crate::start::Start;

impl Registry {
    /// Searches `position`, of a game that begins at `start`, and passes `observer` everything that
    /// happens. It is the search that a fresh [`searcher`](Registry::searcher) makes, but much
    /// slower: it runs on boards, so that observed searches need not be compiled for every game.
    ///
    /// # Errors
    ///
    /// If the player does not search, is an engine or a search that was registered, or if the game
    /// lacks what it needs.
    pub fn trace(
        &self,
        start: &Start,
        player: &Player,
        position: &Board,
        request: Request<'_, MoveIndex>,
        observer: &mut dyn FnMut(Event<MoveIndex>),
    ) -> Result<Report<MoveIndex>, PlayerError> {
        match self.chosen(start, player)? {
            Chosen::Rollout(mut it) => Ok(it.search_observed(position, request, observer)),
            Chosen::DepthFirst(mut it) => Ok(it.search_observed(position, request, observer)),
            Chosen::Prover(mut it) => Ok(it.search_observed(position, request, observer)),
            // Refused above.
            Chosen::Random | Chosen::Greedy(_) => Ok(Report::of_move(position, None)),
        }
    }

    /// Whether [`trace`](Registry::trace) can show what a player does.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn check_trace(&self, start: &Start, player: &Player) -> Result<(), PlayerError> {
        self.chosen(start, player).map(drop)
    }

    /// The player's search, of boards.
    fn chosen(&self, start: &Start, player: &Player) -> Result<Chosen<Board>, PlayerError> {
        let board = start.board();
        // Evaluations are registered for a type of positions: here they are those of boards.
        let own = board.knowledge().evaluators().len();
        let mut evaluations = Evaluations::default();
        for evaluator in board.position().all_evaluators(&self.evaluations).into_iter().skip(own) {
            evaluations.add::<Board>(evaluator);
        }
        let context = Context { start, evaluations: &evaluations };
        check(&player.search)
            .and_then(|()| choose(&player.search, &context, board))
            .map_err(|complaint| PlayerError::of(player, complaint))
    }
}

/// Refuses players that have nothing to show.
fn check(search: &Search) -> Result<(), Complaint> {
    let problem = match search {
        Search::Rollout(_) | Search::DepthFirst(_) | Search::Prove(_) => return Ok(()),
        Search::Random | Search::Greedy(_) => "this player does not search",
        Search::Best(_) => "best stands for another player in every game: write that one",
        Search::Engine(_) => "an engine does not say what it does",
        Search::Own(_) => "a search of your own does not say what it does",
    };
    Err(Complaint::new(problem, "a search of this program, such as ab, fsss or mcts-solver"))
}
