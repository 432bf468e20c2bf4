//! Hints, the static evaluation, and what can be seen at a glance.

use treegraft::{EVAL_ONE, Evaluator, Game, Knowledge, Part, Side};

use super::planes::{BOARD, PLANES, last_row, lions, occupied, steps};
use super::{Lion, LionMove, Piece, tuned};

impl Knowledge for Lion {
    /// Wins, then captures by what they take, promotions, steps and drops.
    fn order_hint(&self, mv: LionMove) -> i32 {
        let Some(origin) = mv.origin() else { return 0 };
        let on_last_row = 1 << mv.target() & last_row(self.mover == Side::First) != 0;
        let moved = self.on(origin).map(|(_, piece)| piece);
        match (self.captured(mv), moved) {
            (Some(Piece::Lion), _) => 100,
            (_, Some(Piece::Lion)) if on_last_row => 100,
            (Some(Piece::Chicken), _) => 50,
            (Some(Piece::Giraffe), _) => 40,
            (Some(Piece::Elephant), _) => 30,
            (Some(Piece::Chick), _) => 20,
            (None, Some(Piece::Chick)) if on_last_row => 10,
            (None, _) => 1,
        }
    }

    /// The usual one first: another order would change the searches that use it.
    fn evaluators(&self) -> Vec<Evaluator<Lion>> {
        let about = "value of the pieces on the board and in hand, Lions aside";
        let material = Evaluator::plain("material", about, material).with_parts(material_parts);
        vec![material, tuned::evaluator()]
    }

    fn null_move(&self) -> Option<Lion> {
        let passed = Lion { mover: self.mover.other(), ..*self };
        // Only a pass can lead to a side that is stuck: see `moves`.
        (self.outcome().is_none() && passed.targets() != [0; 3]).then_some(passed)
    }

    /// Captures, and Lions that reach the far row.
    fn loud_moves(&self, moves: &mut Vec<LionMove>) {
        let captures = occupied(self.planes(self.mover.other())) * PLANES;
        let home = self.squares_home();
        let [straight, diagonal, _] = self.targets();
        for (word, mut targets) in [straight, diagonal].into_iter().enumerate() {
            while targets != 0 {
                let mv = LionMove((64 * word as u32 + targets.trailing_zeros()) as u8);
                let is_capture = captures >> (mv.0 % 64) & 1 == 1;
                if is_capture || home >> mv.target() & 1 == 1 && self.is_lion(mv) {
                    moves.push(mv);
                }
                targets &= targets - 1;
            }
        }
    }

    /// A Lion that can be captured, or can step onto the far row.
    fn exchange(&self, mv: LionMove) -> Option<i32> {
        self.exchange_of(mv)
    }
}

/// Chick, Giraffe, Elephant and Chicken. A Chicken moves almost like a Lion but is a mere Chick
/// when captured; of the others the Giraffe can reach every square, the Elephant half of them.
const ON_BOARD: [i32; 4] = [10, 35, 30, 40];
/// Chick, Giraffe and Elephant: a piece in hand can be dropped where it is needed most.
const IN_HAND: [i32; 3] = [13, 38, 33];
/// More than all pieces together: two Chickens, Giraffes and Elephants.
const ALL: i32 = 2 * (40 + 38 + 33) + 1;

treegraft::dispatch! {
    fn material(position: &Lion) -> i32
        = |_| EVAL_ONE / ALL * (worth(position, Side::First) - worth(position, Side::Second));
}

fn material_parts(position: &Lion) -> Vec<Part> {
    let [first, second] = [Side::First, Side::Second].map(|side| counts(position, side));
    let names = ["Chicks", "Giraffes", "Elephants", "Chickens"];
    let on_board = (0..4).map(|i| (names[i].to_owned(), [first.0[i], second.0[i]], ON_BOARD[i]));
    let in_hand =
        (0..3).map(|i| (format!("{} in hand", names[i]), [first.1[i], second.1[i]], IN_HAND[i]));
    let part =
        |(name, counts, worth): (String, [i32; 2], i32)| Part::new(name, counts, worth.into());
    on_board.chain(in_hand).map(part).collect()
}

#[inline(always)]
fn worth(position: &Lion, side: Side) -> i32 {
    let (on_board, in_hand) = counts(position, side);
    let on_board: i32 = on_board.into_iter().zip(ON_BOARD).map(|(n, worth)| n * worth).sum();
    let in_hand: i32 = in_hand.into_iter().zip(IN_HAND).map(|(n, worth)| n * worth).sum();
    on_board + in_hand
}

/// How many of each kind a side has on the board and in hand, in the order of their values.
#[inline(always)]
fn counts(position: &Lion, side: Side) -> ([i32; 4], [i32; 3]) {
    let hand = position.hands >> (8 * side.index());
    (
        kinds(position.planes(side)).map(|kind| kind.count_ones() as i32),
        [0, 16, 32].map(|place| (hand >> place & 0xff) as i32),
    )
}

/// The squares of Chicks, Giraffes, Elephants and Chickens.
#[inline(always)]
pub(super) fn kinds(planes: u64) -> [u64; 4] {
    let (orthogonal, forward, backward) = (planes >> 16, planes >> 32, planes >> 48);
    [planes, orthogonal & !forward, forward & !orthogonal, orthogonal & forward & !backward]
        .map(|kind| kind & BOARD)
}

impl Lion {
    /// The squares of the far row that the mover's Lion can step onto.
    #[inline(always)]
    fn squares_home(&self) -> u64 {
        let up = self.mover == Side::First;
        let own = self.planes(self.mover);
        let lion = lions(own) & BOARD;
        let ahead =
            if up { lion << 3 | lion << 4 | lion << 5 } else { lion >> 3 | lion >> 4 | lion >> 5 };
        ahead & last_row(up) & !occupied(own)
    }

    /// Whether the side to move has a move that wins.
    #[inline(always)]
    pub(super) fn can_win_now(&self) -> bool {
        let [straight, diagonal, _] = self.targets();
        let planes = straight | diagonal;
        let reached = planes | planes >> 16 | planes >> 32 | planes >> 48;
        reached & lions(self.planes(self.mover.other())) & BOARD != 0 || self.squares_home() != 0
    }

    /// Those of the targets that win: the other Lion, and the far row for the own one.
    #[inline(always)]
    pub(super) fn winning_targets(&self, [straight, diagonal, _]: [u64; 3]) -> [u64; 3] {
        let up = self.mover == Side::First;
        let capture = (lions(self.planes(self.mover.other())) & BOARD) * PLANES;
        // On planes 1, 2 and 3.
        let lion = (lions(self.planes(self.mover)) & BOARD) * (PLANES - 1);
        let [lion_straight, lion_diagonal] =
            if up { steps::<true>(lion) } else { steps::<false>(lion) };
        let home = last_row(up) * PLANES;
        let wins = |targets: u64, of_lion: u64| targets & (capture | of_lion & home);
        [wins(straight, lion_straight), wins(diagonal, lion_diagonal), 0]
    }

    /// Whether it is the Lion that steps.
    fn is_lion(&self, mv: LionMove) -> bool {
        let lions = lions(self.planes(self.mover));
        mv.origin().is_some_and(|origin| lions >> origin & 1 == 1)
    }
}
