//! Damage: small changes to good input find more than noise does.

use treegraft::Rng;

/// What numbers, names and quotes get wrong.
const PIECES: [&str; 34] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "1e308",
    "1e-400",
    "nan",
    "inf",
    "-0",
    "0.5",
    "@",
    ":",
    "=",
    ",",
    "(",
    ")",
    "()",
    "[",
    "]",
    "\"",
    "'",
    "\\",
    "\u{202e}",
    "\u{fffe}",
    "\0",
    "\x1b[2J",
    "é",
    "🦀",
];

/// `input` with one to six changes.
pub(crate) fn mutated(rng: &mut Rng, input: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + rng.below(6) {
        change(rng, &mut bytes, others);
    }
    bytes
}

/// The same for text: what is not UTF-8 any more is replaced.
pub(crate) fn mutated_text(rng: &mut Rng, input: &str, others: &[Vec<u8>]) -> String {
    String::from_utf8_lossy(&mutated(rng, input.as_bytes(), others)).into_owned()
}

fn change(rng: &mut Rng, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    let at = rng.below(bytes.len() as u32 + 1) as usize;
    let end = (at + rng.below(12) as usize).min(bytes.len());
    match rng.below(10) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            let times = if rng.below(20) == 0 { 2000 } else { 1 + rng.below(4) as usize };
            bytes.splice(at..at, copy.repeat(times));
        }
        4 => bytes.truncate(at),
        5 | 6 => {
            let piece = PIECES[rng.below(PIECES.len() as u32) as usize];
            bytes.splice(at..at, piece.bytes());
        }
        7 => replace_number(rng, bytes, at),
        8 => {
            if let Some(other) = rng.draw_from(others) {
                let from = rng.below(other.len() as u32 + 1) as usize;
                let to = (from + rng.below(40) as usize).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
        }
        _ => bytes.insert(at, 32 + rng.below(95) as u8),
    }
}

/// Puts another number in the place of the next one.
fn replace_number(rng: &mut Rng, bytes: &mut Vec<u8>, from: usize) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
    let end = bytes[start..].iter().position(|b| !is_digit(b)).map_or(bytes.len(), |at| start + at);
    let number = match rng.below(3) {
        0 => PIECES[rng.below(16) as usize].to_owned(),
        1 => rng.below(40).to_string(),
        _ => (rng.next_u64() >> rng.below(64)).to_string(),
    };
    bytes.splice(start..end, number.into_bytes());
}
