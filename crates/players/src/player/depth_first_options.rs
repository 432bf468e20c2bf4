//! The options of every depth-first search.

use treegraft::depth_first::Driver;

use super::DepthFirstOptions;
use super::options::{Opt, Typed, option, words};
use super::shared_options::shared;
use super::values::{Value, Values};

words!(Driver {
    MtdF => "f",
    MtdPlus => "inf",
    MtdMinus => "-inf",
    ; AlphaBeta | SssStar | DualStar => "f"
});

/// The option that only MTD has.
pub(super) static MTD: &[Opt<DepthFirstOptions>] = &[option!(
    "from",
    Driver::VALUES.also(&[("+inf", "inf")]).always_written(),
    config.driver,
    "the first guess: the last iteration's value, or an end of the scale",
    "Plaat, Schaeffer, Pijls & de Bruin 1996"
)];

pub(super) static DEPTH_FIRST: &[Opt<DepthFirstOptions>] = &[
    option!(
        "depth",
        Values::whole(1, 1000).or_off(),
        config.depth,
        "the deepest iteration in plies; off: until the game is decided",
        "Shannon 1950"
    ),
    shared!(k),
    shared!(eval),
    shared!(scores),
    option!(
        "deepening",
        config.deepening,
        "search depth 1, 2, 3, …; otherwise the full depth at once",
        "Slate & Atkin 1977"
    ),
    option!(
        "leap",
        Values::whole(1, 1000).or_off(),
        config.leap,
        "after the iteration of this depth, go straight to the last depth"
    ),
    shared!(hints),
    option!(
        "weights",
        config.weights,
        "order moves by the weights of the game's improved playouts instead of its hints",
        "Lanctot et al. 2014"
    ),
    option!(
        "killers",
        config.killers,
        "first try moves that caused cutoffs at the same ply elsewhere",
        "Akl & Newborn 1977"
    ),
    option!(
        "history",
        config.history,
        "order moves by how often they caused cutoffs anywhere",
        "Schaeffer 1983"
    ),
    shared!(shuffle),
    option!(
        "table",
        config.table,
        "keep a transposition table",
        "Greenblatt, Eastlake & Crocker 1967"
    ),
    option!(
        "etc",
        config.etc,
        "look up all children in the table before searching any",
        "Plaat, Schaeffer, Pijls & de Bruin 1996"
    ),
    option!(
        "pvs",
        config.pvs,
        "search all moves but the first with a null window",
        "Marsland & Campbell 1982"
    ),
    option!(
        "null",
        Values::whole(1, 10).or_off().alone(Value::Whole(2)),
        config.null_move,
        "pass the turn, search this many plies shallower, and trust a cutoff",
        "Donninger 1993"
    ),
    option!(
        "multi-cut",
        config.multi_cut,
        "trust a cutoff if several moves cause one in a shallower search",
        "Björnsson & Marsland 1999"
    ),
    option!(
        "quiescence",
        config.quiescence,
        "search captures beyond the horizon until the position is quiet",
        "Beal 1990"
    ),
    option!(
        "glance",
        config.glance,
        "use what the game knows at a glance, such as a win in one",
        "Allis 1988"
    ),
    option!(
        "lmr",
        Values::whole(1, 300).or_off().alone(Value::Whole(45)),
        config.selective.lmr,
        "search late moves less deeply: the reduction in per cent of ln(depth) ln(move number)",
        "Romstad 2005, An Introduction to Late Move Reductions"
    ),
    option!(
        "late-pruning",
        config.selective.late_pruning,
        "near the horizon, leave out very late quiet moves and moves that lose material",
        "Hoki & Muramatsu 2012"
    ),
    option!(
        "futility",
        Values::whole(1, 1000).or_off().alone(Value::Whole(100)),
        config.selective.futility,
        "near the horizon, leave out quiet moves of a hopeless position: a margin per ply in thousandths",
        "Heinz 1998"
    ),
    option!(
        "reverse-futility",
        Values::whole(1, 1000).or_off().alone(Value::Whole(80)),
        config.selective.reverse_futility,
        "near the horizon, trust an evaluation that is far above the window: a margin per ply in \
         thousandths",
        "Heinz 1998"
    ),
    option!(
        "razoring",
        Values::whole(1, 1000).or_off().alone(Value::Whole(150)),
        config.selective.razoring,
        "near the horizon, look only at captures in a hopeless position: a margin per ply in thousandths",
        "Birmingham & Kent 1977"
    ),
    option!(
        "aspiration",
        Values::whole(1, 1000).or_off().alone(Value::Whole(30)),
        config.selective.aspiration,
        "begin with a window around the last value: its half-width in thousandths",
        "Slate & Atkin 1977"
    ),
    option!(
        "exchange",
        config.selective.exchange,
        "order moves by what they win or lose in an exchange, and search no losing captures beyond the \
         horizon",
        "Slate & Atkin 1977"
    ),
    option!(
        "countermoves",
        config.selective.countermoves,
        "first try the move that refuted the opponent's last move elsewhere",
        "Uiterwijk 1992"
    ),
    option!(
        "malus",
        config.selective.malus,
        "moves that were tried in vain before a cutoff lose history",
        "Schaeffer 1983"
    ),
    option!(
        "iir",
        config.selective.unknown_reduction,
        "search a position a ply less deeply if the table knows no move for it",
        "Schröder 2021"
    ),
    option!(
        "replies",
        config.selective.replies,
        "first try moves that leave the opponent few replies"
    ),
    option!(
        "ending",
        Values::whole(1, 1000).or_off().alone(Value::Whole(8)),
        config.selective.ending,
        "search to the end of the game once an iteration comes within this many plies of it; leave the \
         last moves to the game's own solver"
    ),
    option!(
        "threats",
        config.selective.threats,
        "answer threats beyond the horizon, and prune nothing where there is one",
        "Slate & Atkin 1977"
    ),
    option!(
        "partial",
        config.selective.partial,
        "when the budget is spent, use what the unfinished iteration has found (not in mtd)"
    ),
    option!("reuse", config.selective.reuse, "keep the table and history from move to move"),
];
