//! The options of every rollout search.

use treegraft::Ipp;
use treegraft::presets::{CUTOFF_PLIES, PLAYOUT_EPSILON, PRIOR};
use treegraft::rollout::{
    self, Expand, FinalMove, FirstPlay, Informed, MrTree, Playouts, Select, Solver, Ties,
};

use super::family::{Options, Preset, Written};
use super::labels::{Label, without_ignored};
use super::lanctot_options::without_aliases;
use super::options::{Opt, Typed, option, words};
use super::values::{Value, Values};
use super::{RolloutOptions, Search, Setting};
use crate::error::Complaint;

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

impl Options for RolloutOptions {
    fn search(self) -> Search {
        Search::Rollout(self)
    }

    fn read(
        label: &Label,
        preset: &Preset<RolloutOptions>,
        items: &[&str],
    ) -> Result<RolloutOptions, Complaint> {
        let items = without_aliases(items);
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let mut options = preset.read_items(label, &items)?;
        let says = |name| items.iter().any(|item| item.starts_with(name));
        let asks_proof = says("mr-tree") && options.mr_proves();
        if options.config.solver == Solver::Off && (asks_proof || options.proves()) {
            match says("solver") {
                // Whether ms and mb go with it, the library knows.
                true if asks_proof => return Err(rollout::Config::lacks_solver().into()),
                true => {}
                false => options.config.solver = Solver::Wins,
            }
        }
        Ok(options)
    }

    fn write(&self, label: &Label, preset: &Preset<RolloutOptions>) -> Option<Written> {
        let (default, mut options) = (preset.default(), self.clone());
        if default.hybrids() > 0 && options.hybrids() > 1 {
            // A combination is not named after one of its parts.
            return None;
        }
        if default.p.is_some() && options.p.is_none() {
            return None;
        }
        options.config = without_ignored(options.config);
        Some(preset.write_items(label, &default, &options))
    }
}

impl RolloutOptions {
    /// Whether it embeds searches that need a solver.
    fn proves(&self) -> bool {
        self.ms != Setting::Off || self.mb != Setting::Off
    }

    /// Whether MR proves leaves if there is a solver; without one it still plays.
    fn mr_proves(&self) -> bool {
        self.mr != Setting::Off && self.config.embed.mr_tree == MrTree::Prove
    }

    /// How many of MR, MS, MB, IR, IC and IP it combines.
    fn hybrids(&self) -> usize {
        let RolloutOptions { mr, ms, mb, .. } = self;
        let embedded = [*mr != Setting::Off, *ms != Setting::Off, *mb != Setting::Off];
        let Informed { ir, ic, ip, .. } = self.config.informed;
        let informed = [ir.is_some(), ic.is_some(), ip.is_some()];
        embedded.into_iter().chain(informed).filter(|&on| on).count()
    }

    /// Refuses options that say more about another one that is off, and options that share a place.
    pub(super) fn check_parts(&self) -> Result<(), Complaint> {
        let usual = RolloutOptions::default();
        let switches = self.switch_b.is_some()
            || self.switch_keep
            || self.switch_band.is_some()
            || self.switch_sides;
        let mixtures = self.implicit().len();
        let parts = [
            (mixtures > 1, "more than one of im, cb and hb is given", "one of them"),
            (
                self.switch.is_none() && switches,
                "options of strategy switching are given, but switch is \"off\"",
                "switch=all, or switch with names of strategies",
            ),
            (
                mixtures == 0 && self.im_by != usual.im_by,
                "im-by says what the weight of im falls with, but im is \"off\"",
                "im",
            ),
            (
                self.im_by == usual.im_by && self.im_rate != usual.im_rate,
                "im-rate says how fast the weight of im falls, but im-by is \"nothing\"",
                "im-by=visits, depth or disagreement",
            ),
            (
                self.det.is_none() && self.det_every != usual.det_every,
                "det-every says when det looks, but det is \"off\"",
                "det",
            ),
            (
                self.rave().is_none() && (self.rave_bias.is_some() || self.rave_untried),
                "rave-bias and rave-untried say how AMAF values count, but rave and grave are \"off\"",
                "rave or grave",
            ),
            (
                self.p.is_none() && self.alpha_beta != usual.alpha_beta,
                "options of alpha-beta rollouts are given, but p is \"off\"",
                "p from 0 to 1, or mcts-ab",
            ),
        ];
        match parts.iter().find(|(is_broken, ..)| *is_broken) {
            Some(&(_, problem, expected)) => Err(Complaint::new(problem, expected)),
            None => Ok(()),
        }
    }
}
