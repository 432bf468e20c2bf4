use treegraft::linear::{Linear, SharedFeatures};
use treegraft::{Game, Rng, Speed};

use super::*;

fn positions() -> Vec<Othello> {
    let (mut positions, mut rng) = (Vec::new(), Rng::new(7));
    for _ in 0..20 {
        let mut position = Othello::new(8).expect("a size");
        while position.outcome().is_none() {
            positions.push(position);
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
    }
    positions
}

#[test]
fn the_shipped_weights_are_there() {
    let weights = Weights::from_bytes(WEIGHTS).expect("intact");
    assert!(weights.fit::<Othello>(&Patterns));
    assert!(TABLES.is_some());
}

#[test]
fn fast_is_slow() {
    let mut rng = Rng::new(1);
    let units = (0..COUNT).map(|_| rng.below(2001) as i32 - 1000).collect();
    let random = Weights::new("othello", NAME, units);
    for weights in [random, Weights::from_bytes(WEIGHTS).expect("intact")] {
        let features: SharedFeatures<Othello> = Arc::new(Patterns);
        let fast = features.fast(&weights).expect("small weights");
        let slow = Linear { features, weights };
        for position in positions() {
            assert_eq!(fast.evaluate(&position), slow.evaluate(&position), "{position:?}");
        }
    }
}

#[test]
fn colours_can_be_swapped_and_the_board_turned() {
    for position in positions() {
        let swapped = Othello { mover: position.mover.other(), ..position };
        assert_eq!(shipped(&swapped), -shipped(&position));
        let (own, opp) = (position.own.swap_bytes(), position.opp.swap_bytes());
        assert_eq!(shipped(&Othello { own, opp, ..position }), shipped(&position));
        let (own, opp) = (position.own.reverse_bits(), position.opp.reverse_bits());
        assert_eq!(shipped(&Othello { own, opp, ..position }), shipped(&position));
    }
}
