//! Categories of moves, and how likely good players choose a move of each: the playouts and the
//! progressive bias of Winands, Björnsson & Saito (2010).
//!
//! A category is whether the move captures, the regions of the board in which it begins and ends, and
//! how many squares it comes closer to the centre of mass of the own pieces or goes away from it. The
//! distance is counted in king's steps from the centre before the move, rounded to a square; more than
//! three squares count as three. A pass has a category of its own.

use super::{Loa, LoaMove};

/// From the corners to the middle.
const REGIONS: [&str; 5] = ["corner", "edge", "6x6 ring", "4x4 ring", "centre"];
/// Differences of distances, at most three squares closer or further.
const CHANGES: [&str; 7] = [
    "3+ squares further",
    "2 squares further",
    "1 square further",
    "as far",
    "1 square closer",
    "2 squares closer",
    "3+ squares closer",
];
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

/// The king's steps between two squares.
static DISTANCE: [[i8; 64]; 64] = {
    let mut distance = [[0; 64]; 64];
    let mut i = 0usize;
    while i < 64 * 64 {
        let (from, to) = (i / 64, i % 64);
        let columns = (from % 8).abs_diff(to % 8);
        let rows = (from / 8).abs_diff(to / 8);
        distance[from][to] = (if columns > rows { columns } else { rows }) as i8;
        i += 1;
    }
    distance
};

/// How likely a move of each category is chosen where there is one, in millionths, from 1 to a
/// million. Estimated from games by the command in the first line of the file.
static PROBABILITY: [u32; CATEGORIES] = probabilities(include_str!("categories.csv"));

/// What the moves of a side have in common.
#[derive(Clone, Copy)]
pub(super) struct Categories<'a> {
    theirs: u64,
    /// The distance of every square from the centre of mass.
    distance: &'a [i8; 64],
}

impl Categories<'_> {
    #[inline(always)]
    pub(super) fn of(position: &Loa) -> Categories<'static> {
        let centre = centre_of_mass(position.own) as usize & 63;
        Categories { theirs: position.theirs, distance: &DISTANCE[centre] }
    }

    /// The category of a move that is not a pass.
    #[inline(always)]
    pub(super) fn category(&self, from: u32, to: u32) -> usize {
        let [origin, target] = [from as usize & 63, to as usize & 63];
        let captures = (self.theirs >> target & 1) as usize;
        let regions = usize::from(REGION[origin]) * 5 + usize::from(REGION[target]);
        let closer = (self.distance[origin] - self.distance[target]).clamp(-3, 3);
        (captures * 25 + regions) * 7 + (closer + 3) as usize
    }

    #[inline(always)]
    pub(super) fn probability(&self, from: u32, to: u32) -> u32 {
        PROBABILITY[self.category(from, to)]
    }
}

/// The square nearest to the mean of the pieces' columns and rows, halves rounded up.
#[inline(always)]
fn centre_of_mass(pieces: u64) -> u32 {
    /// Squares whose column has bit 0, 1 or 2 set; the same for rows.
    const COLUMNS: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const ROWS: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    let n = pieces.count_ones().max(1);
    let mean = |bits: [u64; 3]| {
        let sum: u32 = (0..3).map(|i| (pieces & bits[i]).count_ones() << i).sum();
        (2 * sum + n) / (2 * n)
    };
    8 * mean(ROWS) + mean(COLUMNS)
}

impl Loa {
    pub(super) fn category_of(&self, mv: LoaMove) -> usize {
        match mv {
            LoaMove::PASS => PASS,
            LoaMove { from, to } => Categories::of(self).category(from.into(), to.into()),
        }
    }

    /// How likely the move is chosen, in millionths.
    pub(super) fn probability_of(&self, mv: LoaMove) -> u32 {
        PROBABILITY[self.category_of(mv)]
    }
}

/// The names of the categories, by their numbers.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::with_capacity(CATEGORIES);
    for kind in ["move", "capture"] {
        for origin in REGIONS {
            for target in REGIONS {
                names.extend(
                    CHANGES.map(|change| format!("{kind} from {origin} to {target} {change}")),
                );
            }
        }
    }
    names.push("pass".to_owned());
    names
}

/// Reads the file that `treegraft categories` writes: lines that begin with `#`, a line of titles,
/// and a line for each category, which ends with its probability, six decimals after a 0 or 1.
///
/// Fails, when the program is compiled, if the file is not like that.
const fn probabilities(text: &str) -> [u32; CATEGORIES] {
    let text = text.as_bytes();
    let mut probabilities = [0; CATEGORIES];
    let (mut at, mut lines, mut has_titles) = (0, 0, false);
    while at < text.len() {
        let start = at;
        while text[at] != b'\n' {
            at += 1;
        }
        if text[start] == b'#' {
        } else if !has_titles {
            has_titles = true;
        } else {
            assert!(text[at - 9] == b',' && text[at - 7] == b'.', "a probability at the end");
            let millionths = digits(text, at - 8, 1) * 1_000_000 + digits(text, at - 6, 6);
            assert!(millionths <= 1_000_000, "a probability");
            probabilities[lines] = if millionths == 0 { 1 } else { millionths };
            lines += 1;
        }
        at += 1;
    }
    assert!(lines == CATEGORIES, "a line for each category");
    probabilities
}

const fn digits(text: &[u8], from: usize, count: usize) -> u32 {
    let (mut number, mut i) = (0, 0);
    while i < count {
        assert!(text[from + i].is_ascii_digit(), "a digit");
        number = 10 * number + (text[from + i] - b'0') as u32;
        i += 1;
    }
    number
}
