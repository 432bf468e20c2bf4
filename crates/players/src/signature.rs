//! What searches do, as numbers: a fixed search changes its number when it changes what it does.
//!
//! A number belongs to one player in one game, so that a new label, or a change of one search, says
//! nothing about the others. [`digest`] finds the number of any player in any game, own ones
//! included; the project's file `signatures.txt` keeps those of [`signed_searches`].

use treegraft::bits::mix;
use treegraft::{Budget, Game, Request, Speed};

use crate::error::PlayerError;
use crate::player::{Player, Search};
use crate::registry::Registry;
use crate::start::Start;

/// Games of [`signed_searches`] with parameters: every size that is a type of its own, and small
/// boards of large games. A game that is not here is signed under its name alone.
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
    "mcts-mr-2(mr-tree=off)",
    "mcts-mr-2(mr-tree=expand)",
    "mcts-bl(im=0.4,np)",
    "uct(expand=all,im=0.4)",
    "mcts-solver(hb=0.4,maxbp=20,playout-from=node)",
    "mcts-solver(cb=0.3,det=0.4)",
    "uct(rave,rave-untried)",
    "mcts-solver(grave=20)",
    "uct(mast)",
    "uct(ir=0,ties=first)",
    "uct(switch=all,switch-sides)",
    "ab(k=4,null,multi-cut,quiescence,etc,shuffle)",
    "ab(glance,quiescence,exchange,malus,threats,partial,reuse,aspiration,iir,countermoves,lmr,late-pruning,\
     futility,reverse-futility,razoring)",
    "ab(scores=margin,glance=false)",
    "mtd(inf)",
    "mtd(-inf)",
];

/// What one fixed search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSearch {
    /// The game.
    pub game: String,
    /// The player, without its budget.
    pub player: String,
    /// Its number.
    pub digest: u64,
}

/// Every label and some variants in every game.
#[must_use]
pub fn signed_searches() -> Vec<SignedSearch> {
    let registry = Registry::standard();
    // Programs of others are not searched.
    let labels = registry.players().into_iter().map(|info| info.label).filter(|&l| l != "engine");
    let texts: Vec<&str> = labels.chain(VARIANTS.iter().copied()).collect();
    let has_line = |name: &str| GAMES.iter().any(|text| text.split(':').next() == Some(name));
    let others = registry.games().map(|info| info.name).filter(|name| !has_line(name));
    let mut searches = Vec::new();
    for game in GAMES.iter().copied().chain(others) {
        let start = registry.start(game).expect("a game of the list");
        for &text in &texts {
            let player = registry.player(text).expect("a player of the list");
            // A label that the game cannot serve (no evaluation) is not searched.
            if let Ok(Some(digest)) = digest(&registry, &start, &player) {
                let (game, player) = (game.to_owned(), text.to_owned());
                searches.push(SignedSearch { game, player, digest });
            }
        }
    }
    searches
}

/// The number of a player in a game, whatever its budget is: over three moves of a small, fixed
/// budget of work. `None` for programs of others.
///
/// # Errors
///
/// If the game cannot serve the player.
pub fn digest(
    registry: &Registry,
    start: &Start,
    player: &Player,
) -> Result<Option<u64>, PlayerError> {
    if matches!(player.search, Search::Engine(_)) {
        return Ok(None);
    }
    let mut analyst = registry.searcher(start, player)?;
    let mut board = start.board().clone();
    // Where there are many moves, 60 simulations would only try each of them once, and the formula
    // that chooses among them would not be seen.
    let moves = treegraft::legal_moves(&board).len() as u64;
    let iterations = if moves > 45 { 3 * moves } else { 60 };
    let budget = Budget {
        nodes: Some(iterations.max(400)),
        // Playouts that value every move of a large board would take long.
        evaluations: (moves > 45).then_some(20_000),
        ..Budget::iterations(iterations)
    };
    let mut digest = 0;
    for seed in 0..3 {
        let report = analyst.search(&board, Request::new(budget, seed));
        let Some(best) = report.best_move else { break };
        digest = mix(digest ^ report.digest);
        for number in [
            board.speed().move_slot(best) as u64,
            report.work.iterations,
            report.work.nodes,
            report.work.evaluations,
            report.value.to_bits(),
        ] {
            digest = mix(digest ^ number);
        }
        board.play(best);
    }
    Ok(Some(digest))
}
