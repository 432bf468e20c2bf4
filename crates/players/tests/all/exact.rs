//! One corpus of positions with exact values, best moves and lengths (`testdata/exact/`), and every
//! exact search over all of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use treegraft::depth_first::{DepthFirst, solver_config};
use treegraft::{Budget, Exactness, Game, Notation, Playthrough, Request, Searcher, legal_moves};
use treegraft_players::{Board, Registry};

use crate::common::{player, start};

const CORPUS: [(&str, &str); 8] = [
    ("breakthrough", include_str!("../../testdata/exact/breakthrough.toml")),
    ("connect4", include_str!("../../testdata/exact/connect4.toml")),
    ("hex", include_str!("../../testdata/exact/hex.toml")),
    ("kalah", include_str!("../../testdata/exact/kalah.toml")),
    ("lion", include_str!("../../testdata/exact/lion.toml")),
    ("loa", include_str!("../../testdata/exact/loa.toml")),
    ("othello", include_str!("../../testdata/exact/othello.toml")),
    ("tree", include_str!("../../testdata/exact/tree.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    position: Vec<Fact>,
}

/// What is known of a position, in the view of the side to move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    game: String,
    moves: String,
    /// 1, 0 or -1.
    outcome: Option<i64>,
    /// How the game ends under best play, where games have margins.
    margin: Option<i64>,
    /// All best moves: those with the margin, those that win in as few plies, or all that win.
    best: Option<Vec<String>>,
    /// The plies to the end.
    plies: Option<u32>,
}

/// Searches for the outcome.
const OUTCOMES: &[&str] = &[
    "alpha-beta",
    "ab",
    "ab(glance)",
    "ab(table=false,pvs=false,killers=false,history=false)",
    "ab(etc,aspiration,lmr,countermoves,malus,exchange)",
    "mtd",
    "mtd(inf)",
    "mtd(-inf)",
    "sss",
    "dual",
    "fsss",
    "rollout-ab",
    "rollout-sss",
    "rollout-random",
    "alphabeta2",
    "mt-sss",
    "mt-inf",
    "mcts-solver",
    "mcts-sb",
    "mcts-mr",
    "mcts-ms",
    "mcts-mb",
    "mcts-ab",
];

/// Searches for the margin.
const MARGINS: &[&str] = &[
    "ab(scores=margin)",
    "mtd(scores=margin)",
    "sss(scores=margin)",
    "dual(scores=margin)",
    "fsss(scores=margin)",
    "rollout-ab(scores=margin)",
    "rollout-sss(scores=margin)",
    "alphabeta2(scores=margin)",
    "mcts-solver(solver=margins)",
];

/// A table that is cleared in no time: there are thousands of searches.
const MEMORY: Option<u64> = Some(4 << 20);

/// Checks what a search says of a position against the facts. Returns whether it finished.
fn check(
    text: &str,
    searcher: &mut dyn Searcher<Board>,
    budget: Budget,
    (board, fact): (&Board, &Fact),
    is_margin: bool,
) -> bool {
    let report = searcher.search(board, Request::new(budget, 0));
    let about = || format!("{text} on {} after {}", fact.game, fact.moves);
    let sign = board.to_move().sign();
    let outcome = fact.outcome.or(fact.margin.map(i64::signum)).expect("an outcome or a margin");
    if is_margin && let Some(margin) = report.margin {
        assert_eq!(Some(sign * margin), fact.margin, "{}", about());
    }
    let Some(proof) = report.proof else { return false };
    assert_eq!(sign * proof.value(), outcome, "{}", about());
    // The sign of a margin can be proven long before the margin.
    if is_margin && report.margin.is_none() {
        return false;
    }
    let best = report.best_move.unwrap_or_else(|| panic!("{}: no move", about()));
    // Wins may take longer than they must; what loses is a matter of taste.
    let is_any = !is_margin && (outcome < 0 || fact.margin.is_some() || fact.plies.is_some());
    if let Some(moves) = fact.best.as_ref().filter(|_| !is_any) {
        let best = board.notation().move_text(best);
        assert!(moves.contains(&best), "{}: {best} is none of {moves:?}", about());
    }
    // The line is legal, begins with the move, and does not end against the proof.
    assert_eq!(report.pv.first(), Some(&best), "{}", about());
    let mut end = board.clone();
    for &mv in &report.pv {
        assert!(end.outcome().is_none() && legal_moves(&end).contains(&mv), "{}", about());
        end.play(mv);
    }
    if let Some(outcome) = end.outcome() {
        assert_eq!(outcome, proof, "{}: {:?}", about(), board.line_texts(&report.pv));
        assert!(!is_margin || end.exactness().margin() == report.margin, "{}", about());
    }
    true
}

/// The shallow search agrees with the plies to the end.
fn check_forced(board: &Board, fact: &Fact) {
    let Some(plies) = fact.plies else { return };
    let value = |plies: u32| board.forced(board.to_move(), plies);
    assert_eq!(Some(value(plies)), fact.outcome, "{} after {}", fact.game, fact.moves);
    assert_eq!(value(plies - 1), 0, "{} after {}: earlier", fact.game, fact.moves);
}

#[test]
fn every_exact_search_finds_what_is_known() {
    let registry = Registry::standard();
    let mut finished: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut facts, mut with_margins) = (0, 0);
    let small = Budget { memory: MEMORY, nodes: Some(30_000), ..Budget::iterations(10_000) };
    for (name, text) in CORPUS {
        let File { position } = toml::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        facts += position.len();
        for fact in &position {
            with_margins += usize::from(fact.margin.is_some());
            let start = start(&registry, &fact.game);
            let mut game = Playthrough::new(start.board().clone());
            game.play_text(&fact.moves).unwrap_or_else(|e| panic!("{}: {e}", fact.moves));
            let board = game.position();
            check_forced(board, fact);
            let margins = if fact.margin.is_some() { MARGINS } else { &[] };
            let both = [(OUTCOMES, false), (margins, true)];
            for (&text, is_margin) in both.iter().flat_map(|(it, is)| it.iter().map(|t| (t, *is))) {
                let made = registry.searcher(&start, &player(&registry, text));
                let Ok(mut analyst) = made else { continue };
                let is_done = check(text, &mut *analyst, small, (board, fact), is_margin);
                *finished.entry(text).or_default() += usize::from(is_done);
            }
            let mut solver = DepthFirst::new(solver_config(board), None).unwrap();
            // It leaps to the end of the game, which is too far away in these two.
            let is_long = ["lion", "loa"].contains(&name);
            let budget =
                if is_long { small } else { Budget { memory: MEMORY, ..Budget::default() } };
            let is_done = check("solve", &mut solver, budget, (board, fact), false);
            assert!(is_done || is_long, "solve on {}", fact.game);
        }
    }
    assert_eq!((facts, with_margins), (140, 39));
    // What is too large for a search is left to the others: most is not.
    for (text, finished) in finished {
        let all = if MARGINS.contains(&text) { with_margins } else { facts };
        assert!(finished * 100 >= all * 60, "{text} has finished {finished} of {all}");
    }
}
