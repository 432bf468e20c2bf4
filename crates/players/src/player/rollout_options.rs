//! The options of every rollout search.

use treegraft::Ipp;
use treegraft::presets::{CUTOFF_PLIES, PLAYOUT_EPSILON, PRIOR};
use treegraft::rollout::{Expand, FinalMove, FirstPlay, MrTree, Playouts, Select, Solver, Ties};

use super::RolloutOptions;
use super::options::{Opt, Typed, option, words};
use super::values::{Value, Values};

words!(Select { Ucb1 => "ucb1", Ucb1Tuned => "ucb1-tuned", });
words!(Ties { Random => "random", First => "first", });
words!(Expand { One => "one", All => "all", });
words!(FirstPlay { Random => "random", Hint => "hint", Value => "value", });
words!(Solver { Off => "off", Wins => "wins", Draws => "draws", Margins => "margins", });
words!(Playouts {
    Random => "random",
    Hints => "hints",
    Improved(Ipp::Program) => "ipp",
    Improved(Ipp::Printed) => "ipp-printed",
});
words!(MrTree { Off => "off", Expand => "expand", Prove => "prove", });
words!(FinalMove { Visits => "visits", Value => "value", Secure => "secure", });

pub(super) static ROLLOUT: &[Opt<RolloutOptions>] = &[
    option!(
        "c",
        Values::number(0.0, 100.0).or_auto(),
        c,
        "exploration constant for rewards from 0 to 1; auto: one for the game and the formula, \
         smaller with rave and grave",
        "Kocsis & Szepesvári 2006"
    ),
    option!(
        "select",
        Select::VALUES.also(&[("tuned", "ucb1-tuned")]).without_name(),
        config.select,
        "the formula that picks a child",
        "Auer, Cesa-Bianchi & Fischer 2002"
    ),
    option!(
        "expand",
        config.expand,
        "add one child per simulation, or all children at once",
        "Coulom 2006; all: Lanctot et al. 2014"
    ),
    option!(
        "first-play",
        config.first_play,
        "which untried child comes first: any, the best by the game's hints, or by its evaluation",
        "Treegraft"
    ),
    option!(
        "expand-at",
        Values::whole(1, 1_000_000),
        config.expand_at,
        "visits after which a leaf gets children",
        "Coulom 2006"
    ),
    option!(
        "solver",
        config.solver,
        "what is proven along the way: nothing, wins and losses, draws too, or the margin",
        "Winands, Björnsson & Saito 2008; the rest: Cazenave & Saffidine 2010"
    ),
    option!(
        "final",
        config.final_move,
        "the move played: most visits (then the best mean), best mean, or best lower bound on the \
         mean",
        "Chaslot et al. 2008"
    ),
    option!(
        "reuse",
        config.reuse,
        "keep the part of the tree below the moves played",
        "Pepels, Winands & Lanctot 2014"
    ),
    option!(
        "playouts",
        Playouts::VALUES.also(&[("informed", "hints")]),
        config.playouts,
        "playout moves: random, the best by the game's hints, or by its weights (ipp; ipp-printed: \
         those of the paper's text); also for the random moves of ir and mr; ipp alone is playouts=ipp",
        "Baier 2018; ipp: Lanctot et al. 2014"
    ),
    option!(
        "mr",
        Values::DEPTH,
        mr,
        "depth in plies of the win/loss search before every playout move",
        "Baier & Winands 2015"
    ),
    option!(
        "mr-tree",
        config.embed.mr_tree,
        "what else mr decides at the edge of the tree: nothing, which untried child comes next (wins \
         first, losses last), or that a win proves a new leaf, which needs a solver",
        "Baier & Winands 2015"
    ),
    option!(
        "ms",
        Values::DEPTH_AT_VISITS,
        ms,
        "search a node for lost moves, DEPTH plies deep, when it has VISITS visits; implies \
         solver=wins",
        "Baier & Winands 2015"
    ),
    option!(
        "mb",
        Values::DEPTH,
        mb,
        "where a loss is backed up, search the node's other moves to this depth in plies; implies \
         solver=wins",
        "Baier & Winands 2015"
    ),
    option!(
        "embed-k",
        Values::whole(1, 10_000).or_off(),
        config.embed.k,
        "search only the first k moves in embedded searches; proves less, but never wrongly",
        "Baier & Winands 2014"
    ),
    option!(
        "embed-order",
        config.embed.order,
        "order moves by the game's hints in embedded searches",
        "Baier & Winands 2014"
    ),
    option!(
        "ir",
        Values::number(0.0, 1.0).or_off().alone(Value::Number(PLAYOUT_EPSILON)),
        config.informed.ir,
        "play the best move by value in playouts, but a random one with this probability; also \
         written ege",
        "Baier & Winands 2014; ege: Lanctot et al. 2014"
    ),
    option!(
        "ir-depth",
        Values::depth_from(1),
        config.informed.ir_depth,
        "depth of the search for a playout move; 1: evaluate the position after each move; abp is \
         ir=0,ir-depth=2,embed-k=7",
        "Baier & Winands 2014; abp: Winands & Björnsson 2011"
    ),
    option!(
        "ties",
        config.informed.ties,
        "which of several equally good moves of guided playouts (ir, switch) is played: any, or the \
         first in order"
    ),
    option!(
        "ic",
        Values::whole(0, 10_000).or_off().alone(Value::Whole(CUTOFF_PLIES)),
        config.informed.ic,
        "cut playouts off after this many plies and take the position's value; also written fet (fet \
         alone: 20)",
        "Baier & Winands 2014; Baier 2018; fet: Lanctot et al. 2014"
    ),
    option!(
        "ic-depth",
        Values::depth_from(0),
        config.informed.ic_depth,
        "depth of the search at the cutoff; 0: the evaluation",
        "Baier & Winands 2014"
    ),
    option!(
        "ip",
        Values::PRIOR.alone(Value::Pair(PRIOR.visits, PRIOR.weight as u32)),
        config.informed.ip,
        "once a node has VISITS visits, give each child WEIGHT virtual visits by its value",
        "Baier & Winands 2014"
    ),
    option!(
        "ip-depth",
        Values::depth_from(0),
        config.informed.ip_depth,
        "depth of the search at these children; 0: the evaluation",
        "Baier & Winands 2014"
    ),
    option!(
        "eval",
        eval,
        "evaluation for ir, ic, ip, im, det and p; auto: the game's first",
        "Baier & Winands 2014"
    ),
    option!(
        "slope",
        Values::number(0.0, 1000.0).or_auto(),
        slope,
        "steepness of the curve from values to rewards; 0: a straight line, auto: the evaluation's \
         own",
        "Baier 2018"
    ),
];
