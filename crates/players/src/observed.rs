//! A search that reports its events.

use treegraft::observe::Event;
use treegraft::{Game, Knowledge, Report, Request, Searcher};

use crate::board::{Board, MoveIndex};
use crate::error::{Complaint, PlayerError};
use crate::player::Player;
use crate::registry::Registry;
use crate::searcher::{Checked, Chosen, Context, Evaluations, Tell, choose};
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
        self.chosen(start, player, Traced { position, request, observer })
    }

    /// Whether [`trace`](Registry::trace) can show what a player does.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn check_trace(&self, start: &Start, player: &Player) -> Result<(), PlayerError> {
        let spends = self.chosen(start, player, Checked)?;
        spends.check(&player.budget).map_err(|error| PlayerError::of(player, error.into()))
    }

    /// What is done with the player's search, of boards.
    fn chosen<C: Chosen<Board>>(
        &self,
        start: &Start,
        player: &Player,
        chosen: C,
    ) -> Result<C::Output, PlayerError> {
        let board = start.board();
        // Evaluations are registered for a type of positions: here they are those of boards.
        let own = board.knowledge().evaluators().len();
        let mut evaluations = Evaluations::default();
        for evaluator in board.position().all_evaluators(&self.evaluations).into_iter().skip(own) {
            evaluations.add::<Board>(evaluator);
        }
        let context = Context { start, evaluations: &evaluations };
        let made = match player.search.lacks_trace() {
            Some(problem) => {
                let expected = "a search of this program, such as ab, fsss or mcts-solver";
                Err(Complaint::new(problem, expected))
            }
            None => choose(&player.search, &context, board, chosen),
        };
        made.map_err(|complaint| PlayerError::of(player, complaint))
    }
}

/// Searches, and tells what happens.
struct Traced<'a, 'r> {
    position: &'a Board,
    request: Request<'r, MoveIndex>,
    observer: Tell<'a, Board>,
}

impl Chosen<Board> for Traced<'_, '_> {
    type Output = Report<MoveIndex>;

    fn take<S: Searcher<Board> + Send + 'static>(
        self,
        mut search: S,
        observed: impl FnOnce(
            &mut S,
            &Board,
            Request<'_, MoveIndex>,
            Tell<'_, Board>,
        ) -> Report<MoveIndex>,
    ) -> Report<MoveIndex> {
        observed(&mut search, self.position, self.request, self.observer)
    }
}
