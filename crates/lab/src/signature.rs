//! One number over fixed searches: it changes when any search changes what it does.

use treegraft::bits::mix;
use treegraft::{Game, Request};
use treegraft_games::{AnyGame, Visitor};

use crate::{Player, players};

/// The games of the signature: every kind of board, and every size that is a type of its own.
const GAMES: &[&str] = &[
    "connect4",
    "breakthrough:6x6",
    "breakthrough:12x6",
    "othello",
    "lion",
    "hex:5",
    "hex:9",
    "hex:13",
    "kalah",
    "loa",
    "tree:((3 5) (2 -9 4))",
    "tree:branching=3,height=6",
];

/// Players that no label alone stands for.
const VARIANTS: &[&str] = &[
    "uct(expand=all,expand-at=3,reuse)",
    "mcts-solver(expand=all,final=secure)",
    "ab(k=4,null,multi-cut,quiescence,etc,shuffle)",
    "ab(scores=margin,glance=false)",
    "mtd(inf)",
    "mtd(-inf)",
];

/// What one fixed search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSearch {
    /// The game.
    pub game: String,
    /// The player.
    pub player: String,
    /// The digest of its report.
    pub digest: u64,
}

/// Every label and some variants on every game, with a small work budget and a fixed seed.
#[must_use]
pub fn signed_searches() -> Vec<SignedSearch> {
    let mut searches = Vec::new();
    for &game in GAMES {
        // Programs of others are not searched.
        let own = players().into_iter().filter(|info| info.label != "engine");
        let labels = own.map(|info| info.label.to_owned());
        for search in labels.chain(VARIANTS.iter().map(|&text| text.to_owned())) {
            let text = format!("{search}@60it,400nodes");
            let player: Player = text.parse().expect("a player");
            let start = AnyGame::parse(game).expect("a game of the list");
            // A label that the game cannot serve (no evaluation) is not searched.
            if let Some(digest) = start.visit(Digest { game, player: &player }) {
                searches.push(SignedSearch { game: game.to_owned(), player: text, digest });
            }
        }
    }
    searches
}

/// One number over all of [`signed_searches`].
#[must_use]
pub fn signature(searches: &[SignedSearch]) -> u64 {
    searches.iter().fold(0, |sum, search| mix(sum ^ search.digest))
}

struct Digest<'a> {
    game: &'a str,
    player: &'a Player,
}

impl Visitor for Digest<'_> {
    type Output = Option<u64>;

    /// Folds the report's digest with the best move and the work, a few plies into the game.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Option<u64>
    where
        G::Move: Send + Sync,
    {
        let mut searcher = self.player.searcher(self.game, &start).ok()?;
        let mut position = start;
        let mut digest = 0;
        for seed in 0..3 {
            let report = searcher.search(&position, Request::new(self.player.budget, seed));
            let Some(best) = report.best_move else { break };
            digest = mix(digest ^ report.digest);
            for number in [
                position.move_slot(best) as u64,
                report.work.iterations,
                report.work.nodes,
                report.work.evaluations,
                report.value.to_bits(),
            ] {
                digest = mix(digest ^ number);
            }
            position.play(best);
        }
        Some(digest)
    }
}
