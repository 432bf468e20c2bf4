//! What nearly all tests need: games and players from texts, and two games of our own.

use treegraft::{EVAL_ONE, Evaluator, Game, GameInfo, Knowledge, Limits, Outcome, Side};
use treegraft_players::{Analyst, Board, GameEntry, Player, Registry, Start};

/// Two players take one, two or three of a heap in turn; who takes the last one wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nim {
    pub(crate) heap: u8,
    pub(crate) mover: Side,
}

impl Game for Nim {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.heap.min(3));
    }

    fn play(&mut self, take: u8) {
        self.heap -= take;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
    }

    treegraft::brings!(Knowledge);
}

impl Knowledge for Nim {
    fn evaluators(&self) -> Vec<Evaluator<Nim>> {
        let fours = |nim: &Nim| {
            let good_for = if nim.heap.is_multiple_of(4) { nim.mover.other() } else { nim.mover };
            good_for.sign() as i32 * EVAL_ONE / 2
        };
        vec![
            Evaluator::plain("fours", "multiples of four are lost", fours),
            Evaluator::plain("flat", "nothing", |_| 0),
        ]
    }
}

/// A piece that goes to and fro for ever, in a game without an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shuttle {
    pub(crate) at: i8,
}

impl Game for Shuttle {
    type Move = i8;

    fn to_move(&self) -> Side {
        if self.at == 0 { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<i8>) {
        moves.push(if self.at == 0 { 1 } else { -1 });
    }

    fn play(&mut self, step: i8) {
        self.at += step;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn limits(&self) -> Limits {
        Limits { plies: Some(20), ..Limits::default() }
    }
}

/// All games, and `nim` with this heap and `shuttle` beside them.
pub(crate) fn with_own_games(heap: u8, mover: Side) -> Registry {
    let mut registry = Registry::standard();
    let nim = GameInfo::new("nim", "Take one, two or three; who takes the last one wins.");
    registry.add_game(GameEntry::new(nim, Nim { heap, mover })).expect("a new name");
    let shuttle = GameInfo::new("shuttle", "A piece goes to and fro for ever.");
    registry.add_game(GameEntry::new(shuttle, Shuttle { at: 0 })).expect("a new name");
    registry
}

pub(crate) fn player(registry: &Registry, text: &str) -> Player {
    registry.player(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn start(registry: &Registry, text: &str) -> Start {
    registry.start(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A position of a game of the standard registry: tests that are generic over games are compiled once for
/// it, not once for each game.
pub(crate) fn board(text: &str) -> Board {
    start(&Registry::standard(), text).board().clone()
}

/// A fresh search of a game.
pub(crate) fn analyst(registry: &Registry, game: &str, text: &str) -> Analyst {
    let made = registry.searcher(&start(registry, game), &player(registry, text));
    made.unwrap_or_else(|error| panic!("{error}"))
}
