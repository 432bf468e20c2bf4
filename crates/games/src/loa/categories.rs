//! Categories of moves, and how likely good players choose a move of each: the playouts and the
//! progressive bias of Winands, Björnsson & Saito (2010).
//!
//! A category is whether the move captures, the regions of the board in which it begins and ends, and
//! how many squares it comes closer to the centre of mass of the own pieces or goes away from it. The
//! distance is counted in king's steps from the centre before the move, rounded to a square; more than
//! three squares count as three. A pass has a category of its own.

use arrayvec::ArrayVec;
use treegraft::Rng;
use treegraft::bits::Cpu;

use super::board::DISTANCE;
use super::evaluate::Spread;
use super::{Loa, LoaMove, destination};

/// From the corners to the middle.
const REGIONS: [&str; 5] = ["corner", "edge", "6x6 ring", "4x4 ring", "centre"];
/// Differences of distances, at most three squares closer or further.
const CHANGES: [&str; 7] =
    ["3+ further", "2 further", "1 further", "as far", "1 closer", "2 closer", "3+ closer"];
/// The category of a pass, which comes last.
const PASS: usize = 2 * REGIONS.len() * REGIONS.len() * CHANGES.len();
const CATEGORIES: usize = PASS + 1;

/// The region of every square, as a number in [`REGIONS`].
static REGION: [u8; 64] = {
    let mut region = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (from_edge(square % 8), from_edge(square / 8));
        let ring = if column < row { column } else { row };
        region[square] = if column + row == 0 { 0 } else { ring + 1 };
        square += 1;
    }
    region
};

const fn from_edge(coordinate: usize) -> u8 {
    (if coordinate < 4 { coordinate } else { 7 - coordinate }) as u8
}

/// How likely a move of each category is chosen where there is one, in millionths, at least one.
/// `categories.csv` was written by the command in its first line.
const PROBABILITIES: [u32; CATEGORIES] = read(include_str!("categories.csv"));
static WEIGHTS: [u32; CATEGORIES] = PROBABILITIES;

/// The largest weight of a move that is not a pass.
const LARGEST: u32 = {
    let (mut largest, mut category) = (0, 0);
    while category < PASS {
        if PROBABILITIES[category] > largest {
            largest = PROBABILITIES[category];
        }
        category += 1;
    }
    largest
};

/// The names of the categories, by their numbers.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::with_capacity(CATEGORIES);
    for kind in ["move", "capture"] {
        for origin in REGIONS {
            for target in REGIONS {
                let name = |change| format!("{kind} from {origin} to {target}: {change}");
                names.extend(CHANGES.map(name));
            }
        }
    }
    names.push("pass".to_owned());
    names
}

/// The category of a legal move.
#[inline]
pub(super) fn category(position: &Loa, mv: LoaMove) -> u32 {
    if mv == LoaMove::PASS {
        return PASS as u32;
    }
    Sight::of(position).category(mv.from.into(), mv.to.into()) as u32
}

/// How likely a legal move is chosen, in millionths.
#[inline]
pub(super) fn weight(position: &Loa, mv: LoaMove) -> u32 {
    WEIGHTS[category(position, mv) as usize]
}

/// What the categories of all moves in a position depend on.
#[derive(Clone, Copy)]
struct Sight {
    theirs: u64,
    /// How far every square is from the centre of mass.
    distance: &'static [i8; 64],
}

impl Sight {
    #[inline(always)]
    fn of(position: &Loa) -> Sight {
        let distance = &DISTANCE[Spread::of(position.own).centre()];
        Sight { theirs: position.theirs, distance }
    }

    #[inline(always)]
    fn category(self, from: u32, to: u32) -> usize {
        let [from, to] = [from as usize & 63, to as usize & 63];
        let captures = (self.theirs >> to & 1) as usize;
        let [origin, target] = [from, to].map(|square| usize::from(REGION[square]));
        let closer = (self.distance[from] - self.distance[to]).clamp(-3, 3);
        let regions = (captures * REGIONS.len() + origin) * REGIONS.len() + target;
        regions * CHANGES.len() + (closer + 3) as usize
    }

    #[inline(always)]
    fn weight(self, from: u32, to: u32) -> u32 {
        WEIGHTS[self.category(from, to)]
    }
}

treegraft::dispatch! {
    /// A move drawn by the weights.
    pub(super) fn weighted_move(position: &Loa, rng: &mut Rng) -> LoaMove = weighted_move_on;
}

/// Draws a piece, a direction and a height until there is a legal move that weighs more than the
/// height. After many failures it chooses from the list of moves: by their weights too, so that the
/// whole is.
#[inline(always)]
fn weighted_move_on<C: Cpu>(cpu: C, position: &Loa, rng: &mut Rng) -> LoaMove {
    const TRIES: u32 = 128;
    let pairs = 8 * u64::from(position.own.count_ones());
    let sight = Sight::of(position);
    for _ in 0..TRIES {
        let (bits, half) = (rng.next_u64(), u64::from(u32::MAX));
        let pair = (((bits >> 32) * pairs) >> 32) as u32;
        let height = (((bits & half) * u64::from(LARGEST)) >> 32) as u32;
        let (from, direction) = (cpu.nth_bit(position.own, pair >> 3).trailing_zeros(), pair & 7);
        let (ray, length) = position.reach(from, direction);
        let to = destination(from, direction, length);
        // One branch, which is foreseen: most tries fail.
        let is_legal = (length <= ray.count_ones()) & !position.is_blocked(ray, to, direction);
        if is_legal & (height < sight.weight(from, to)) {
            return LoaMove { from: from as u8, to: to as u8 };
        }
    }
    weighted_from_list(position, rng)
}

#[cold]
#[inline(never)]
fn weighted_from_list(position: &Loa, rng: &mut Rng) -> LoaMove {
    let sight = Sight::of(position);
    let (mut moves, mut total) = (ArrayVec::<(LoaMove, u32), 96>::new(), 0);
    position.for_each_move(|mv| {
        total += sight.weight(mv.from.into(), mv.to.into());
        moves.push((mv, total));
    });
    if moves.is_empty() {
        return LoaMove::PASS;
    }
    let height = rng.below(total);
    moves.iter().find(|&&(_, top)| height < top).map_or(LoaMove::PASS, |&(mv, _)| mv)
}

/// Reads what `treegraft categories --output` writes: lines that begin with `#`, a line of titles,
/// and a line for each category, which ends with its probability: 0 or 1 and six decimals.
///
/// Any other file does not compile.
const fn read(text: &str) -> [u32; CATEGORIES] {
    let text = text.as_bytes();
    let mut weights = [0; CATEGORIES];
    let (mut start, mut category, mut has_titles) = (0, 0, false);
    while start < text.len() {
        let mut end = start;
        while text[end] != b'\n' {
            end += 1;
        }
        if text[start] != b'#' && has_titles {
            assert!(text[end - 9] == b',' && text[end - 7] == b'.', "a probability at the end");
            let millionths = number(text, end - 8, 1) * 1_000_000 + number(text, end - 6, 6);
            assert!(millionths <= 1_000_000, "a probability");
            weights[category] = if millionths == 0 { 1 } else { millionths };
            category += 1;
        }
        has_titles |= text[start] != b'#';
        start = end + 1;
    }
    assert!(category == CATEGORIES, "a line for each category");
    weights
}

/// The number of `digits` digits that begins at `from`.
const fn number(text: &[u8], from: usize, digits: usize) -> u32 {
    let (mut number, mut i) = (0, 0);
    while i < digits {
        assert!(text[from + i].is_ascii_digit(), "a digit");
        number = 10 * number + (text[from + i] - b'0') as u32;
        i += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use treegraft::{Game, Notation};

    use super::*;

    /// Playouts seldom come here, so it has a test of its own.
    #[test]
    fn the_list_is_drawn_from_by_weight() {
        const DRAWS: u32 = 40_000;
        let start = Loa::new(super::super::LoaRules::default());
        let moves = treegraft::legal_moves(&start);
        let total: u32 = moves.iter().map(|&mv| weight(&start, mv)).sum();
        let mut rng = Rng::new(5);
        let mut counts = std::collections::HashMap::new();
        for _ in 0..DRAWS {
            *counts.entry(weighted_from_list(&start, &mut rng)).or_insert(0) += 1;
        }
        for mv in moves {
            let share = f64::from(weight(&start, mv)) / f64::from(total);
            let expected = share * f64::from(DRAWS);
            let drawn = f64::from(counts.remove(&mv).unwrap_or(0));
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!((drawn - expected).abs() <= 5.0 * deviation, "{mv:?}: {drawn}, not {expected}");
        }
        assert!(counts.is_empty(), "not legal: {counts:?}");
        let blocked =
            start.notation().parse_position("6BW/6BB/8/8/8/8/BB6/WB6 w").expect("a position");
        assert_eq!(weighted_from_list(&blocked, &mut rng), LoaMove::PASS);
    }
}
