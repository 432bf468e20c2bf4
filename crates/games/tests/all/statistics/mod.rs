//! Comparing a game's fast playouts with slow ones.

use std::collections::HashMap;

use treegraft::{Exactness, Game, Notation, Outcome, Playout, Rng, Side, Speed};

/// The contract's playout, move by move from the list of legal moves.
fn slow_playout<G: Game>(position: &mut G, rng: &mut Rng, max_plies: u32) -> Playout {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return Playout { outcome, plies, capped: false };
        }
        if plies == max_plies {
            return Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        position.play(*rng.draw_from(&moves).expect("a game that goes on has moves"));
        plies += 1;
    }
}

/// Means of what can be measured of a playout; each must agree within five standard errors.
pub(crate) fn assert_playouts_agree<G: Game>(start: &G, max_plies: u32, playouts: u32) {
    let sample = |seed: u64, fast: bool| {
        let mut rng = Rng::new(seed);
        let mut buffer = Vec::new();
        let (mut sums, mut squares) = ([0.0; 6], [0.0; 6]);
        for _ in 0..playouts {
            let mut end = start.clone();
            let playout = if fast {
                treegraft::playout(&mut end, &mut rng, &mut buffer, max_plies, None)
            } else {
                slow_playout(&mut end, &mut rng, max_plies)
            };
            assert_eq!(end.outcome().unwrap_or(Outcome::Draw), playout.outcome);
            assert_eq!(end.outcome().is_none(), playout.capped);
            let margin = end.exactness().margin().unwrap_or(0) as f64;
            let facts = [
                f64::from(u8::from(playout.outcome == Outcome::Win(Side::First))),
                f64::from(u8::from(playout.outcome == Outcome::Draw)),
                f64::from(u8::from(playout.capped)),
                f64::from(playout.plies),
                margin,
                margin * margin,
            ];
            for (i, fact) in facts.into_iter().enumerate() {
                sums[i] += fact;
                squares[i] += fact * fact;
            }
        }
        let n = f64::from(playouts);
        let mean = sums.map(|sum| sum / n);
        let variance: Vec<f64> = (0..6).map(|i| squares[i] / n - mean[i] * mean[i]).collect();
        (mean, variance)
    };
    let ((fast, var_fast), (slow, var_slow)) = (sample(1, true), sample(2, false));
    for i in 0..6 {
        let error = ((var_fast[i] + var_slow[i]) / f64::from(playouts)).sqrt();
        assert!((fast[i] - slow[i]).abs() <= 5.0 * error + 1e-9, "{i}: {fast:?} {slow:?}");
    }
}

/// Every legal move is drawn equally often, within five standard deviations.
pub(crate) fn assert_uniform<G: Game>(position: &G, draws_a_move: u32) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut rng = Rng::new(3);
    let mut buffer = Vec::new();
    let mut counts: HashMap<G::Move, u32> = HashMap::new();
    for _ in 0..draws_a_move * moves.len() as u32 {
        *counts.entry(position.speed().random_move(&mut rng, &mut buffer)).or_default() += 1;
    }
    assert_eq!(counts.len(), moves.len());
    let mean = f64::from(draws_a_move);
    for mv in &moves {
        let off = f64::from(counts[mv]) - mean;
        assert!(off.abs() <= 5.0 * mean.sqrt(), "{mv:?}: {counts:?}");
    }
}

/// Random games in which every position and move is written and read back.
pub(crate) fn assert_notation_round_trips<G: Game>(start: &G, games: u64, max_plies: u32) {
    let mut buffer = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..max_plies {
            let text = position.notation().position_text().expect("a notation");
            assert_eq!(start.notation().parse_position(&text).as_ref(), Ok(&position), "{text}");
            if position.outcome().is_some() {
                assert!(
                    position.notation().parse_move("1").is_err(),
                    "moves after the end of {text}"
                );
                break;
            }
            let mut moves = Vec::new();
            position.moves(&mut moves);
            for &mv in &moves {
                let written = position.notation().move_text(mv);
                assert_eq!(position.notation().parse_move(&written), Ok(mv), "{written} in {text}");
            }
            let mv = position.speed().random_move(&mut rng, &mut buffer);
            position.play(mv);
        }
    }
}
