//! Checks along random games, shared by the tests of several games.

use treegraft::{Game, Notation, Outcome, Playthrough, Rng, Side, Speed};

/// A game without its own ways to be fast: what the defaults of the contract make of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Slow<G: Game>(G);

impl<G: Game> Game for Slow<G> {
    type Move = G::Move;

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.0.moves(moves);
    }

    fn play(&mut self, mv: G::Move) {
        self.0.play(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}

/// Random games from `start`, every position of which is handed to `check`.
pub(crate) fn positions<G: Game>(start: &G, games: u64, mut check: impl FnMut(&G)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        check(&position);
        while position.outcome().is_none() {
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
            check(&position);
        }
    }
}

/// Moves and positions are read back as they were written, also run together.
pub(crate) fn check_notation<G: Game>(start: &G, games: u64) {
    positions(start, games, |position| {
        let text = position.notation().position_text().expect("a text");
        assert_eq!(start.notation().parse_position(&text).as_ref(), Ok(position), "{text}");
        let mut moves = Vec::new();
        if position.outcome().is_none() {
            position.moves(&mut moves);
        }
        for mv in moves {
            let text = position.notation().move_text(mv);
            assert_eq!(position.notation().parse_move(&text), Ok(mv), "{text}");
            for wrong in [format!("{text} "), format!(" {text}"), format!("{text}{text}")] {
                assert!(position.notation().parse_move(&wrong).is_err(), "{wrong:?}");
            }
        }
    });
    let mut game = Playthrough::new(start.clone());
    let mut rng = Rng::new(1);
    while game.ending().is_none() {
        let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
        game.play(mv);
    }
    let mut again = Playthrough::new(start.clone());
    again.play_text(&game.move_texts().concat()).expect("moves run together");
    assert_eq!(again.position(), game.position());
}

/// The fast playout numbers the moves like the slow one, so that the same random numbers lead
/// through the same game: an exact form of "the same distribution".
pub(crate) fn check_playouts<G: Game>(start: &G, playouts: u64) {
    for seed in 0..playouts {
        for max_plies in [start.limits().playout_plies, seed as u32 % 40] {
            let (mut fast, mut slow) = (start.clone(), Slow(start.clone()));
            let fast_end = treegraft::playout(
                &mut fast,
                &mut Rng::new(seed),
                &mut Vec::new(),
                max_plies,
                None,
            );
            let slow_end = treegraft::playout(
                &mut slow,
                &mut Rng::new(seed),
                &mut Vec::new(),
                max_plies,
                None,
            );
            assert_eq!((fast_end, &fast), (slow_end, &slow.0), "seed {seed}");
            // From a finished or half-played game on, too.
            assert_eq!(
                treegraft::playout(&mut fast, &mut Rng::new(seed), &mut Vec::new(), 3, None),
                treegraft::playout(&mut slow, &mut Rng::new(seed), &mut Vec::new(), 3, None)
            );
        }
    }
}

/// Every legal move is drawn equally often: Pearson's chi-square within five of its standard
/// deviations.
pub(crate) fn check_random_moves<G: Game>(position: &G) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut counts = vec![0u32; moves.len()];
    let expected = 2_000.0;
    let mut rng = Rng::new(5);
    for _ in 0..2_000 * moves.len() {
        let mv = position.speed().random_move(&mut rng, &mut Vec::new());
        counts[moves.iter().position(|&m| m == mv).expect("a legal move")] += 1;
    }
    let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    let freedom = moves.len() as f64 - 1.0;
    assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt() + 1.0, "{chi}: {counts:?}");
}

/// Moves have slots of their own, within bounds.
pub(crate) fn check_slots<G: Game>(start: &G, games: u64) {
    positions(start, games, |position| {
        let mut moves = Vec::new();
        if position.outcome().is_none() {
            position.moves(&mut moves);
        }
        let mut slots: Vec<usize> =
            moves.iter().map(|&mv| position.speed().move_slot(mv)).collect();
        assert!(slots.iter().all(|&slot| slot < position.speed().move_slots()));
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), moves.len());
    });
}
