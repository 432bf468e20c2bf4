//! Games of the user's own: what is registered is played and counted like everything else.

use treegraft::{Game, GameInfo, Limits, Outcome, Side};
use treegraft_lab::{Match, Opening, Pair, Watch, play_pair, run_match};
use treegraft_players::{GameEntry, Registry};

/// A piece that goes to and fro for ever, three moves each before the turn passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shuttle {
    at: i8,
    turn: u8,
    repetition: Option<u32>,
    longest: Option<u32>,
}

impl Game for Shuttle {
    type Move = i8;

    fn to_move(&self) -> Side {
        if self.turn < 3 { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<i8>) {
        moves.push(if self.at == 0 { 1 } else { -1 });
    }

    fn play(&mut self, step: i8) {
        self.at += step;
        self.turn = (self.turn + 1) % 6;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn limits(&self) -> Limits {
        Limits { repetitions: self.repetition, plies: self.longest, ..Limits::default() }
    }
}

#[test]
fn endless_games_end_and_are_counted() {
    for (repetition, longest, end) in [(Some(3), None, "repetition"), (None, Some(31), "too-long")]
    {
        let info = GameInfo::new("shuttle", "A piece goes to and fro for ever.");
        let shuttle = Shuttle { at: 0, turn: 0, repetition, longest };
        let mut registry = Registry::standard();
        registry.add_game(GameEntry::new(info, shuttle)).unwrap();
        let pair = Pair {
            game: "shuttle".to_owned(),
            players: ["random", "random"].map(str::to_owned),
            opening: Opening::None,
            seed: 1,
            max_plies: None,
        };
        let [row, _] = play_pair(&registry, &pair, None).unwrap();
        assert_eq!((row.end.as_str(), row.outcome), (end, 0));

        let random = || registry.player("random").unwrap();
        let setup = Match::new(registry.start("shuttle").unwrap(), random(), random());
        let setup = Match { games: 3, jobs: 2, seed: 1, ..setup };
        let result = run_match(&registry, &setup, Watch::default()).unwrap();
        assert_eq!((result.draws, result.games, result.distinct_games), (3, 3, 1));
        assert_eq!(result.repetitions, if end == "repetition" { 3 } else { 0 });
        assert_eq!(result.too_long, if end == "too-long" { 3 } else { 0 });
        // Three moves in a row each: 12 plies are two rounds.
        let plies = if end == "too-long" { 31.0 } else { 12.0 };
        assert_eq!(result.plies, plies);
        assert_eq!(result.score, 0.5);
    }
}
