//! Searches notice soon that they must stop, and claim nothing because of it.
//!
//! Time and cancelling are noticed in the same places. A clock would make these tests depend on the
//! machine, so the game cancels the search after a given number of moves, and counts those that follow.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use treegraft::bits::mix;
use treegraft::{
    Budget, EVAL_ONE, Evaluator, Exactness, Game, GameInfo, Knowledge, Outcome, Request, Side, Stop,
};
use treegraft_players::{GameEntry, Registry, Start};

use crate::common::player;

/// Work that the game has seen, and when it cancels the search.
static WORK: AtomicU64 = AtomicU64::new(0);
static CANCEL_AT: AtomicU64 = AtomicU64::new(u64::MAX);
static CANCEL: AtomicBool = AtomicBool::new(false);

/// The counters are there once, and tests run side by side.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn count_work() {
    if WORK.fetch_add(1, Relaxed) + 1 == CANCEL_AT.load(Relaxed) {
        CANCEL.store(true, Relaxed);
    }
}

/// A number of moves, a number of times; a hash of them all decides who has won.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counted {
    width: u16,
    plies_left: u16,
    hash: u64,
    /// Whether it says at once that nothing is decided within a few plies.
    is_quick: bool,
}

impl Counted {
    fn evaluate(&self) -> i32 {
        count_work();
        (mix(self.hash) % (EVAL_ONE as u64 / 2)) as i32
    }
}

impl Game for Counted {
    type Move = u16;

    fn to_move(&self) -> Side {
        if self.plies_left.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<u16>) {
        moves.extend(0..self.width);
    }

    fn play(&mut self, mv: u16) {
        count_work();
        self.hash = mix(self.hash ^ u64::from(mv));
        self.plies_left -= 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let all = [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)];
        (self.plies_left == 0).then(|| all[(self.hash % 3) as usize])
    }

    treegraft::brings!(Knowledge, Exactness);
}

impl Knowledge for Counted {
    fn evaluators(&self) -> Vec<Evaluator<Counted>> {
        vec![Evaluator::plain("hash", "nothing", Counted::evaluate)]
    }

    fn loud_moves(&self, moves: &mut Vec<u16>) {
        moves.extend(0..self.width / 4);
    }
}

impl Exactness for Counted {
    fn win_loss(&self, plies: u32) -> Option<i64> {
        count_work();
        (self.is_quick && plies < u32::from(self.plies_left)).then_some(0)
    }
}

fn registry(position: Counted) -> (Registry, Start) {
    let mut registry = Registry::standard();
    let info = GameInfo::new("counted", "Moves are counted.");
    registry.add_game(GameEntry::new(info, position)).expect("a new name");
    let start = registry.start("counted").expect("it was added");
    (registry, start)
}

/// Every label that the game can serve, and searches inside searches that are deeper.
fn players(registry: &Registry) -> Vec<String> {
    let is_served = |label: &&str| {
        let needs_another_game = label.starts_with("mcts-bl") || label.starts_with("mcts-loa");
        *label != "engine" && !needs_another_game
    };
    let labels = registry.players().into_iter().map(|info| info.label).filter(is_served);
    let deep = [
        "mcts-mr-2",
        "mcts-mr-3",
        "mcts-mr-4",
        "mcts-mr(mr=3,embed-k=4)",
        "mcts-ms-3-visit-0",
        "mcts-ms-8-visit-1",
        "mcts-mb-3",
        "mcts-ir-m(ir-depth=4)",
        "mcts-ic-m(ic-depth=4)",
        "mcts-ip-m(ip-depth=4)",
        "mcts-ir-m(mr=3,ms=3:1,mb=3,ic=20,ic-depth=3,ip=0:10,ip-depth=2)",
        "mcts-ab(p=0.2,l=6)",
        "mcts-solver(expand=all)",
        "mcts-solver(expand=all,im=0.4)",
        "mcts-solver(ir=0.1,det=0.3,im=0.4,maxbp=20,playout-from=node)",
        "mcts-solver(playouts=hints,reuse)",
        "ab(null,multi-cut,quiescence,etc)",
        "fsss(deepening=false)",
        "mt-sss(deepening=false)",
    ];
    labels.chain(deep).map(str::to_owned).collect()
}

#[test]
fn little_is_done_after_a_search_is_cancelled() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for is_quick in [true, false] {
        let (registry, start) =
            registry(Counted { width: 300, plies_left: 150, hash: 1, is_quick });
        for text in players(&registry) {
            let mut analyst = registry.searcher(&start, &player(&registry, &text)).expect("made");
            for cancel_at in [1, 50, 700, 10_000, 60_000] {
                WORK.store(0, Relaxed);
                CANCEL.store(false, Relaxed);
                CANCEL_AT.store(cancel_at, Relaxed);
                let request = Request { cancel: Some(&CANCEL), ..Request::default() };
                let report = analyst.search(start.board(), request);
                assert!(report.best_move.is_some(), "{text}");
                assert_eq!(report.proof, None, "{text}");
                if report.stop == Stop::Done {
                    // `random` and `greedy` do not search.
                    assert!(["random", "greedy"].contains(&&*text), "{text}");
                    continue;
                }
                assert_eq!(report.stop, Stop::Cancelled, "{text}");
                let after = WORK.load(Relaxed).saturating_sub(cancel_at);
                assert!(after < 5_000, "{text} after {cancel_at}, quick {is_quick}: {after} moves");
            }
        }
    }
}

/// The truth by brute force.
fn truth(position: &Counted) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let sign = position.to_move().sign();
    let after = |mv| {
        let mut next = position.clone();
        next.play(mv);
        truth(&next)
    };
    (0..position.width).map(after).max_by_key(|outcome| sign * outcome.value()).expect("a move")
}

#[test]
fn what_is_cut_short_proves_nothing_false() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for hash in 0..4 {
        let position = Counted { width: 4, plies_left: 6, hash, is_quick: hash % 2 == 0 };
        let (registry, start) = registry(position.clone());
        CANCEL_AT.store(u64::MAX, Relaxed);
        let value = truth(&position);
        let after = |mv: u16| {
            let mut next = position.clone();
            next.play(mv);
            truth(&next)
        };
        let values: Vec<Outcome> = (0..position.width).map(after).collect();
        let (mut proofs, mut cut_short) = (0, 0);
        for text in players(&registry) {
            // Where moves are left out, or cut off on suspicion, nothing is promised.
            let is_exact = !["k-best", "embed-k", "multi-cut"].iter().any(|it| text.contains(it));
            let mut analyst = registry.searcher(&start, &player(&registry, &text)).expect("made");
            for cancel_at in [1, 3, 10, 30, 100, 200, 300, 500, 800, 1_300, 2_000, 3_000] {
                WORK.store(0, Relaxed);
                CANCEL.store(false, Relaxed);
                CANCEL_AT.store(cancel_at, Relaxed);
                let budget = Budget::iterations(2_000);
                let request = Request { cancel: Some(&CANCEL), ..Request::new(budget, cancel_at) };
                // The tree of the search before may be used again.
                let report = analyst.search(start.board(), request);
                assert!(report.best_move.is_some(), "{text}");
                cut_short += u32::from(report.stop == Stop::Cancelled);
                let claims = report.moves.iter().map(|it| it.proof).zip(&values);
                let claims = claims.chain([(report.proof, &value)]);
                for (proof, truth) in claims.filter(|_| is_exact) {
                    assert!(proof.is_none_or(|proof| proof == *truth), "{text} {cancel_at}");
                    proofs += u32::from(proof.is_some());
                }
            }
        }
        assert!(proofs > 100 && cut_short > 100, "{proofs} {cut_short}");
    }
}
