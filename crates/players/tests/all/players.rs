//! Players in games that nobody has heard of: evaluations, endless games, turns that do not alternate.

use treegraft::{Budget, EVAL_ONE, Evaluator, Game, Outcome, Playthrough, Reason, Request, Side};
use treegraft_lab::{End, Pairing, Player, Watch, play_match};

/// Two players take one, two or three of a heap in turn; who takes the last one wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nim {
    heap: u8,
    mover: Side,
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

fn nim(heap: u8, mover: Side) -> Nim {
    Nim { heap, mover }
}

fn player(text: &str) -> Player {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn greedy_goes_by_its_evaluation_for_either_side() {
    for mover in [Side::First, Side::Second] {
        for (heap, best) in [(5, 1), (6, 2), (7, 3), (3, 3), (2, 2)] {
            let start = nim(heap, mover);
            let mut greedy = player("greedy").searcher("nim", &start).unwrap();
            for seed in 0..5 {
                let report = greedy.search(&start, Request::new(Budget::default(), seed));
                assert_eq!(report.best_move, Some(best), "{start:?}");
                assert_eq!(report.pv, [best]);
                assert!(report.value * mover.sign() as f64 > 0.0, "{report:?}");
                assert_eq!(report.moves.len(), usize::from(heap.min(3)));
            }
        }
    }
}

#[test]
fn greedy_and_random_leave_nothing_out() {
    let start = nim(9, Side::First);
    for text in ["greedy(eval=flat)", "random"] {
        let mut searcher = player(text).searcher("nim", &start).unwrap();
        let mut counts = [0; 3];
        for seed in 0..3000 {
            let report = searcher.search(&start, Request::new(Budget::default(), seed));
            counts[usize::from(report.best_move.unwrap()) - 1] += 1;
        }
        // 1000 each, standard deviation 26.
        assert!(counts.iter().all(|&n| (870..1130).contains(&n)), "{text} {counts:?}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let over = nim(0, Side::Second);
    for text in ["greedy", "random", "mcts@10it,1MiB"] {
        let mut searcher = player(text).searcher("nim", &over).unwrap();
        let report = searcher.search(&over, Request::new(Budget::iterations(10), 0));
        assert_eq!(report.best_move, None, "{text}");
        assert_eq!(report.proof, Some(Outcome::Win(Side::First)), "{text}");
        assert_eq!(report.value, 1.0, "{text}");
    }
}

#[test]
fn an_evaluation_that_the_game_lacks_is_refused() {
    let start = nim(9, Side::First);
    let refused = |text: &str| match player(text).searcher("nim:9", &start) {
        Ok(_) => panic!("{text} is not refused"),
        Err(error) => error.to_string(),
    };
    let error = refused("ab(eval=fuors)@1s");
    assert_eq!(
        error,
        "player \"ab(eval=fuors)@1s\": eval is \"fuors\", which nim does not have (did you mean \
         fours?); expected fours or flat"
    );
    assert!(refused("greedy(eval=wpc)").contains("expected fours or flat"));
    assert!(refused("mcts-ic-e(eval=wpc)").contains("expected fours or flat"));
    for text in ["ab(eval=flat)", "ab", "ab(eval=none)", "mtd(f,eval=fours)", "mcts(ip,eval=flat)"]
    {
        assert!(player(text).searcher("nim", &start).is_ok(), "{text}");
    }
    let shuttle = Shuttle { at: 0, turn: 0, repetition: None, longest: None };
    for text in ["greedy", "mcts-ir-e", "mcts-ic-m", "mcts(ip)"] {
        let Err(error) = player(text).searcher("shuttle", &shuttle) else { panic!("{text}") };
        assert!(error.to_string().contains("shuttle has no evaluation to"), "{error}");
    }
    assert!(player("mcts(ir-depth=2)").searcher("shuttle", &shuttle).is_ok());
}

/// Positions are valued by the evaluation that was asked for: a good one needs no luck.
#[test]
fn informed_searches_go_by_their_evaluation() {
    let start = nim(30, Side::Second);
    for text in ["mcts-ir-e(ir=0)", "mcts-ic-e(ic=0)", "mcts-ip-e", "mcts-ip-m"] {
        let right = |eval: &str| {
            let text = text.strip_suffix(')').map_or_else(
                || format!("{text}(eval={eval},solver=off)"),
                |open| format!("{open},eval={eval},solver=off)"),
            );
            let mut searcher = player(&text).searcher("nim", &start).unwrap();
            let best = |seed| searcher.search(&start, Request::new(Budget::iterations(20), seed));
            (0..100).map(best).filter(|report| report.best_move == Some(2)).count()
        };
        let (good, flat) = (right("fours"), right("flat"));
        assert!(good >= 95 && flat < 75, "{text}: {good} {flat}");
    }
}

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

    fn repetition_limit(&self) -> Option<u32> {
        self.repetition
    }

    fn max_plies(&self) -> Option<u32> {
        self.longest
    }
}

#[test]
fn endless_games_end_and_are_counted() {
    for (repetition, longest, reason) in
        [(Some(3), None, Reason::Repetition), (None, Some(31), Reason::TooLong)]
    {
        let pairing = Pairing {
            game: "shuttle".to_owned(),
            start: Playthrough::new(Shuttle { at: 0, turn: 0, repetition, longest }),
            players: [player("random"), player("random")],
            seed: 1,
            opening_plies: 0,
        };
        let record = pairing.play(0, None).unwrap();
        assert_eq!((record.end, record.outcome), (End::Rules(reason), Outcome::Draw));
        let result = play_match(pairing, 3, 2, Watch::default()).unwrap();
        assert_eq!((result.draws, result.games, result.distinct_games), (3, 3, 1));
        assert_eq!(result.repetitions, if reason == Reason::Repetition { 3 } else { 0 });
        assert_eq!(result.too_long, if reason == Reason::TooLong { 3 } else { 0 });
        // Three moves in a row each: 12 plies are two rounds.
        let plies = if reason == Reason::TooLong { 31.0 } else { 12.0 };
        assert_eq!(result.plies, plies);
        assert_eq!(result.score, 0.5);
    }
}
