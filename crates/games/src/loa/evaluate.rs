//! Static evaluations: how close together the pieces stand (Winands' concentration), and all
//! features of his program MIA.

use treegraft::bits::Cpu;
use treegraft::{EVAL_ONE, Evaluator, Part, Side};

use super::{Loa, ef_wb};

/// The usual one first: to exchange them would change what searches do that ask for it.
pub(super) const EVALUATORS: [Evaluator<Loa>; 2] = [
    Evaluator::plain(
        "concentration",
        "how close the pieces stand to their centre of mass (after Winands)",
        concentration,
    )
    .with_parts(concentration_parts),
    Evaluator::plain(
        "efWB",
        "the nine features of MIA, with weights of our own (Winands', in Lanctot et al. 2014)",
        ef_wb::ef_wb,
    )
    .with_parts(ef_wb::parts),
];

/// The squares within a number of king's steps, by square and distance.
static NEAR: [[u64; 7]; 64] = {
    let mut near = [[0; 7]; 64];
    let mut i = 0usize;
    while i < 64 * 64 {
        let (from, to) = (i / 64, i % 64);
        let columns = (from % 8).abs_diff(to % 8);
        let rows = (from / 8).abs_diff(to / 8);
        let mut distance = if columns > rows { columns } else { rows };
        while distance < 7 {
            near[from][distance] |= 1 << to;
            distance += 1;
        }
        i += 1;
    }
    near
};

treegraft::dispatch! {
    fn concentration(position: &Loa) -> i32 = concentration_on;
}

#[inline(always)]
fn concentration_on<C: Cpu>(_: C, position: &Loa) -> i32 {
    position.mover.sign() as i32 * (togetherness(position.own) - togetherness(position.theirs))
}

fn concentration_parts(position: &Loa) -> Vec<Part> {
    let amounts = [Side::First, Side::Second]
        .map(|side| f64::from(togetherness(position.pieces(side))) / f64::from(EVAL_ONE));
    vec![Part::new("concentration", amounts, 1.0)]
}

/// `EVAL_ONE` for pieces as close together as can be, less the further away they are.
#[inline(always)]
fn togetherness(pieces: u64) -> i32 {
    let Mass { pieces, excess, .. } = Mass::of(pieces);
    EVAL_ONE * pieces / (pieces + excess)
}

/// Where pieces have their centre, and how far from it they are.
pub(super) struct Mass {
    /// How many pieces there are.
    pub(super) pieces: i32,
    /// The square of their centre of mass, rounded, halves up.
    pub(super) centre: usize,
    /// The sum of their distances from it, in king's steps, less what it is at least.
    pub(super) excess: i32,
}

impl Mass {
    #[inline(always)]
    pub(super) fn of(pieces: u64) -> Mass {
        /// Squares whose column has bit 0, 1 or 2 set; the same for rows.
        const COLUMNS: [u64; 3] =
            [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
        const ROWS: [u64; 3] =
            [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
        let n = pieces.count_ones();
        let mean = |bits: [u64; 3]| {
            let sum: u32 = (0..3).map(|i| (pieces & bits[i]).count_ones() << i).sum();
            // Rounded, halves up.
            (2 * sum + n) / (2 * n)
        };
        let centre = (8 * mean(ROWS) + mean(COLUMNS)) as usize & 63;
        let mut distances = 0;
        for near in NEAR[centre] {
            distances += (pieces & !near).count_ones();
        }
        // One piece on the centre, eight around it, the others two steps away.
        let least = n - 1 + n.saturating_sub(9);
        Mass { pieces: n as i32, centre, excess: (distances - least) as i32 }
    }
}
