use treegraft::linear::{Linear, SharedFeatures};
use treegraft::{Game, Rng, Speed};

use super::*;

fn positions() -> Vec<Breakthrough<u64>> {
    let (mut positions, mut rng) = (Vec::new(), Rng::new(7));
    for _ in 0..20 {
        let mut position = Breakthrough::<u64>::new(8, 8).expect("it fits");
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
    assert!(weights.fit::<Breakthrough<u64>>(&PieceClasses));
    assert!(TABLES.is_some());
}

#[test]
fn fast_is_slow() {
    let mut rng = Rng::new(1);
    let units = (0..COUNT).map(|_| rng.below(2001) as i32 - 1000).collect();
    let random = Weights::new("breakthrough", NAME, units);
    for weights in [random, Weights::from_bytes(WEIGHTS).expect("intact")] {
        let features: SharedFeatures<Breakthrough<u64>> = Arc::new(PieceClasses);
        let fast = features.fast(&weights).expect("small weights");
        let slow = Linear { features, weights };
        for position in positions() {
            assert_eq!(fast.evaluate(&position), slow.evaluate(&position), "{position:?}");
        }
    }
}

#[test]
fn colours_and_columns_can_be_swapped() {
    for position in positions() {
        let (white, black) = (position.black.swap_bytes(), position.white.swap_bytes());
        let turned = Breakthrough { white, black, mover: position.mover.other(), ..position };
        assert_eq!(shipped(&turned), -shipped(&position));
        let mirror = |set: u64| set.reverse_bits().swap_bytes();
        let (white, black) = (mirror(position.white), mirror(position.black));
        assert_eq!(shipped(&Breakthrough { white, black, ..position }), shipped(&position));
    }
}

#[test]
fn runners_are_those_that_nobody_meets() {
    let at = |column: u32, row: u32| 1u64 << (8 * row + column);
    let runners = |own, opp| View { own, opp, mover: Side::First }.runners();
    // No piece is in the way, and then one that is a column too far away.
    assert_eq!(runners(at(0, 4), 0), [3, 8]);
    assert_eq!(runners(at(0, 4), at(4, 7)), [3, 7]);
    assert_eq!(runners(at(0, 4), at(3, 7)), [8, 8]);
    // Beside and behind each other.
    assert_eq!(runners(at(3, 4), at(4, 4)), [3, 4]);
    assert_eq!(runners(at(3, 4), at(3, 3)), [3, 3]);
    assert_eq!(runners(at(3, 4), at(3, 5)), [8, 8]);
}

#[test]
fn classes_are_those_of_the_rules() {
    let at = |column: u32, row: u32| 1u64 << (8 * row + column);
    let named = |own, opp, name: &str| {
        let class = CLASS_NAMES.iter().position(|it| *it == name).expect("a class");
        classes(own, opp)[class]
    };
    // A piece in the middle, one behind its left shoulder, and one or two that attack it.
    let (piece, guard, other) = (at(3, 3), at(2, 2), at(4, 2));
    let (attacker, second) = (at(4, 4), at(2, 4));
    assert_eq!(named(piece, attacker, "hanging"), piece);
    assert_eq!(named(piece | guard, attacker, "hanging"), 0);
    assert_eq!(named(piece | guard, attacker, "attacked"), piece);
    assert_eq!(named(piece | guard, attacker | second, "hanging"), piece);
    assert_eq!(named(piece | guard | other, attacker | second, "attacked"), piece);
    assert_eq!(named(piece | guard, 0, "defended"), piece);
    assert_eq!(named(piece | guard | other, 0, "defended twice"), piece);
    // Nothing goes round the edge.
    assert_eq!(named(at(7, 3), at(0, 5), "hanging"), 0);
    assert_eq!(named(at(0, 3), at(7, 3), "hanging"), 0);
    assert_eq!(named(at(0, 3) | at(7, 2), 0, "beside another"), 0);
    assert_eq!(named(at(0, 3) | at(1, 3), 0, "beside another"), at(0, 3) | at(1, 3));
    assert_eq!(named(at(0, 3) | at(0, 2), 0, "before another"), at(0, 3));
    assert_eq!(named(at(0, 3) | at(0, 2), 0, "blocked"), at(0, 2));
    assert_eq!(named(at(0, 3), at(0, 4), "blocked"), at(0, 3));
    assert_eq!(named(at(0, 3), at(0, 4), "free"), 0);
    assert_eq!(named(at(0, 3), at(1, 3), "free"), at(0, 3));
}
