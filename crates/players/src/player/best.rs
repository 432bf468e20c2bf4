//! The strongest player that is known for each game: what `best` stands for, and its levels.

/// The strongest player that is known for a game, without its budget, and its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The player as text.
    pub player: &'static str,
    /// The player for variants of the game, such as other sizes, that lack what the first one needs.
    pub otherwise: &'static str,
    /// How to make it weaker, from the weakest level to the strongest.
    pub levels: [Level; 10],
}

/// A level of a player that is made weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Maximum number of nodes visited for a move.
    pub nodes: u64,
    /// Moves drawn at random, in thousandths.
    pub random: u32,
}

impl Level {
    /// A level with at most `nodes` nodes a move, and `random` thousandths of random moves.
    #[must_use]
    pub const fn new(nodes: u64, random: u32) -> Level {
        Level { nodes, random }
    }
}

impl Best {
    /// For games that nothing was measured for: MCTS-Solver.
    pub const USUAL: Best = Best::new("mcts-solver", "mcts-solver");

    /// A player with levels that were not calibrated: fewer random moves at each, then four times the
    /// nodes.
    #[must_use]
    pub const fn new(player: &'static str, otherwise: &'static str) -> Best {
        let nodes = [30, 60, 120, 250, 500, 1_000, 4_000, 16_000, 64_000, 256_000];
        let random = [500, 300, 150, 70, 30, 0, 0, 0, 0, 0];
        let mut levels = [Level::new(0, 0); 10];
        let mut at = 0;
        while at < levels.len() {
            levels[at] = Level::new(nodes[at], random[at]);
            at += 1;
        }
        Best { player, otherwise, levels }
    }

    /// The player with levels that were calibrated: nodes and thousandths of random moves of each.
    #[must_use]
    pub fn with_levels(self, levels: [(u64, u32); 10]) -> Best {
        Best { levels: levels.map(|(nodes, random)| Level::new(nodes, random)), ..self }
    }

    /// The best player of one of `treegraft-games`.
    pub(crate) fn of_game(name: &str) -> Best {
        let known = KNOWN.iter().find(|(game, ..)| *game == name);
        known.map_or(Best::USUAL, |&(_, player, otherwise, levels)| {
            Best::new(player, otherwise).with_levels(levels)
        })
    }
}

/// The game, its best player, the one for its other variants, and the levels.
type Row = (&'static str, &'static str, &'static str, [(u64, u32); 10]);

#[rustfmt::skip]
const KNOWN: [Row; 7] = [
    (
        "connect4",
        "ab(eval=tuned,glance,lmr=100,reverse-futility=60,aspiration,malus,ending=12,partial,reuse)",
        "mcts-solver",
        [(16, 800), (16, 600), (16, 390), (16, 180), (16, 45), (33, 0), (150, 0), (760, 0), (3200, 0), (131_000, 0)],
    ),
    (
        "breakthrough",
        "ab(eval=tuned,quiescence,glance,lmr=120,reverse-futility=30,threats,aspiration,malus,iir,partial,reuse)",
        "ab(quiescence,glance,lmr=60,reverse-futility=30,threats,aspiration,malus,iir,partial,reuse)",
        [(16, 500), (16, 379), (16, 209), (16, 67), (19, 0), (55, 0), (630, 0), (1300, 0), (2600, 0), (5800, 0)],
    ),
    (
        "othello",
        "ab(eval=tuned,lmr=60,reverse-futility=100,futility=100,aspiration,malus,iir,replies,ending,partial,reuse)",
        "mcts-solver",
        [(16, 500), (16, 280), (16, 145), (16, 20), (48, 0), (140, 0), (235, 0), (420, 0), (800, 0), (1750, 0)],
    ),
    (
        "lion",
        "ab(eval=tuned,quiescence,glance,exchange,reverse-futility=60,aspiration,reuse)",
        "mcts-solver",
        [(16, 900), (16, 666), (16, 458), (16, 253), (16, 80), (16, 0), (130, 0), (300, 0), (1600, 0), (66_000, 0)],
    ),
    (
        "hex",
        "ab(eval=tuned,lmr=60,reverse-futility=60,partial,reuse)",
        "mcts-solver",
        [(130, 500), (130, 425), (130, 351), (130, 254), (130, 165), (130, 91), (130, 36), (300, 0), (1100, 0), (2900, 0)],
    ),
    (
        "kalah",
        "ab(eval=tuned,reverse-futility=60,reuse)",
        "mcts-solver",
        [(16, 900), (16, 724), (16, 507), (16, 294), (16, 148), (16, 2), (40, 0), (170, 0), (810, 0), (33_000, 0)],
    ),
    (
        "loa",
        "ab(eval=tuned,quiescence,glance,lmr=60,late-pruning,reverse-futility=60,aspiration,partial,reuse)",
        "mcts-solver",
        [(16, 500), (16, 339), (16, 181), (16, 15), (27, 0), (65, 0), (160, 0), (320, 0), (550, 0), (1100, 0)],
    ),
];
