use super::*;

fn some() -> Weights {
    let mut units = vec![0; 1000];
    for (at, unit) in [(3, 1), (4, -1), (5, 63), (6, -64), (500, 70_000), (999, i32::MIN)] {
        units[at] = unit;
    }
    Weights::new("nim:3", "heaps", units)
}

#[test]
fn bytes_are_read_back() {
    let weights = some();
    let bytes = weights.to_bytes();
    assert!(bytes.len() < 80, "{} bytes", bytes.len());
    assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
    let empty = Weights::new("nim", "none", Vec::new());
    assert_eq!(Weights::from_bytes(&empty.to_bytes()), Ok(empty));
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = some().to_bytes();
    for at in 0..bytes.len() {
        assert!(Weights::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert!(Weights::from_bytes(&flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn the_curve_is_logistic() {
    assert_eq!(value_of(0), 0);
    // Odds of e to 1: 73.1 % of the games.
    assert_eq!(value_of(LOGIT), 462_117);
    assert_eq!(value_of(-LOGIT), -462_117);
    let values: Vec<i32> = (-20_000..20_000).map(value_of).collect();
    assert!(values.is_sorted());
    assert!(value_of(i32::MAX) < EVAL_ONE && value_of(i32::MIN) > -EVAL_ONE);
}
