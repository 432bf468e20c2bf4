//! The campaign of options: random players over the whole grammar, with values at and past their edges
//! and all kinds of limits, at random positions of all games. A player is refused with a sentence, or it
//! keeps every promise: it ends within its limits, its text reads back as itself, the same seed gives the
//! same report, and its memory is within what it was given.
//!
//! Whether every option changes something is another test: `signature.rs` walks them all.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::blocks::Found;
use treegraft::{Budget, DEFAULT_MEMORY, Game, Limit, Report, Request, Rng, Stop, legal_moves};
use treegraft_players::{Analyst, Board, LabelInfo, MoveIndex, Player, Registry, Start};

/// Sizes that are quick and types that differ.
const GAMES: [&str; 18] = [
    "connect4",
    "connect4:4x4",
    "breakthrough",
    "breakthrough:5x5",
    "breakthrough:12x6",
    "othello",
    "othello:6",
    "lion",
    "hex:4",
    "hex:9",
    "hex:13,swap=true",
    "kalah",
    "kalah:3,2,capture-empty=false",
    "loa",
    "tree:((3 5) (2 -9 4))",
    "tree:branching=3,height=6,seed=4",
    "nim",
    "shuttle",
];

/// Limits that players get, alone or together. Some are at the edges of what can be written.
const LIMITS: [&str; 22] = [
    "1it", "2it", "7it", "40it", "150it", "1nodes", "2nodes", "33nodes", "400nodes", "1evals",
    "9evals", "120evals", "1plies", "2plies", "3plies", "1us", "500us", "2ms", "5ms", "1KiB",
    "64KiB", "3MiB",
];

/// How much longer than its limit on time a search may take here. Other programs may run beside it.
const LATE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 250 });

/// After this a search is taken for one that never ends.
const NEVER: Duration = Duration::from_secs(60);

/// What became of the players.
#[derive(Default)]
struct Tally {
    players: u64,
    refused: u64,
    searched: u64,
    /// The latest of searches that a limit on time ended, beyond it.
    latest: Duration,
    broken: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.players += other.players;
        self.refused += other.refused;
        self.searched += other.searched;
        self.latest = self.latest.max(other.latest);
        self.broken.extend(other.broken);
    }
}

/// A label with up to four options and up to three limits, right or wrong.
fn random_text(labels: &[LabelInfo], rng: &mut Rng) -> String {
    let info = rng.draw_from(labels).expect("there are labels");
    let mut options: Vec<String> = Vec::new();
    for _ in 0..rng.below(5) {
        let Some(option) = rng.draw_from_ref(&info.options) else { break };
        // Values past the edge are refused by themselves: most of the time, try those that are not.
        let value = rng.draw_from_ref(&option.samples).expect("samples");
        options.push(match rng.below(12) {
            0 => option.name.to_owned(),
            _ => format!("{}={value}", option.name),
        });
    }
    let mut text = info.label.to_owned();
    if !options.is_empty() {
        let _ = write!(text, "({})", options.join(","));
    }
    let limits: Vec<&str> =
        (0..rng.below(4)).filter_map(|_| rng.draw_from(&LIMITS).copied()).collect();
    if !limits.is_empty() {
        let _ = write!(text, "@{}", limits.join(","));
    }
    text
}

/// Draws from things that are not copied.
trait DrawRef {
    fn draw_from_ref<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T>;
}

impl DrawRef for Rng {
    fn draw_from_ref<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len() as u32) as usize) }
    }
}

/// An unfinished position after some random moves.
fn random_position(start: &Start, rng: &mut Rng) -> Board {
    let mut board = start.board().clone();
    for _ in 0..rng.below(40) {
        let moves = legal_moves(&board);
        let Some(&mv) = rng.draw_from(&moves) else { break };
        let mut next = board.clone();
        next.play(mv);
        if next.outcome().is_some() {
            break;
        }
        board = next;
    }
    board
}

/// A search that is cancelled if it does not end. Returns its report, and whether it ended by itself.
fn search(
    registry: &Registry,
    start: &Start,
    player: &Player,
    board: &Board,
    seed: u64,
) -> (Report<MoveIndex>, bool) {
    let mut analyst = registry.searcher(start, player).expect("it was made before");
    searched(&mut analyst, player, board, seed)
}

/// The same with a searcher that may have searched before.
fn searched(
    analyst: &mut Analyst,
    player: &Player,
    board: &Board,
    seed: u64,
) -> (Report<MoveIndex>, bool) {
    let cancel = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        let watched = &cancel;
        scope.spawn(move || {
            if is_done
                .recv_timeout(NEVER)
                .is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                watched.store(true, Ordering::Relaxed);
            }
        });
        let request = Request { cancel: Some(&cancel), ..Request::new(player.budget, seed) };
        let report = analyst.search(board, request);
        drop(done);
        report
    });
    (report, !cancel.load(Ordering::Relaxed))
}

/// Whether every line that a report shows can be played.
fn lines_are_legal(board: &Board, report: &Report<MoveIndex>) -> bool {
    let is_legal = |line: &[MoveIndex]| {
        let mut at = board.clone();
        line.iter().all(|mv| {
            let is_legal = legal_moves(&at).contains(mv);
            if is_legal {
                at.play(*mv);
            }
            is_legal
        })
    };
    is_legal(&report.pv) && report.moves.iter().all(|about| is_legal(&about.pv))
}

/// One random player, refused or put to the test.
fn case(registry: &Registry, labels: &[LabelInfo], starts: &[Start], rng: &mut Rng) -> Tally {
    let mut tally = Tally { players: 1, ..Tally::default() };
    let text = random_text(labels, rng);
    let start = rng.draw_from_ref(starts).expect("games");
    let board = random_position(start, rng);
    let seed = rng.next_u64();
    let mut broken = |promise: &str| {
        tally
            .broken
            .push(format!("{text} in {} at {board:?}, seed {seed}: {promise}", start.text()));
    };
    let mut player = match registry.player(&text) {
        Ok(player) => player,
        Err(error) => {
            if !error.to_string().contains("expected") {
                broken(&format!("refused without what would be right: {error}"));
            }
            tally.refused += 1;
            return tally;
        }
    };
    let printed = player.to_string();
    if registry.player(&printed).as_ref() != Ok(&player) {
        broken(&format!("its text {printed} does not read back"));
    }
    // Without a limit of its own it gets one that everything spends.
    player.budget = player.budget_or("300nodes,20ms".parse().expect("a budget"));
    if let Err(error) = registry.searcher(start, &player) {
        if !error.to_string().contains("expected") {
            broken(&format!("refused without what would be right: {error}"));
        }
        tally.refused += 1;
        return tally;
    }
    tally.searched += 1;
    let is_free = player.budget.is_unlimited();
    // A depth that is given may be any: it is no promise about time.
    if is_free && !matches!(player.to_string().as_str(), "random" | "greedy") {
        player.budget.time = Some(Duration::from_millis(20));
        if registry.searcher(start, &player).is_err() {
            player.budget.time = None;
        }
    }
    // Limits on work alone may still cost a while in searches that look deep inside simulations.
    let is_timed = player.budget.time.is_some();
    let begun = Instant::now();
    let (report, ended) = search(registry, start, &player, &board, seed);
    let took = begun.elapsed();
    let mut broken = |promise: String| {
        tally
            .broken
            .push(format!("{player} in {} at {board:?}, seed {seed}: {promise}", start.text()));
    };
    if !ended {
        broken(format!("did not end: {:?}", report.work));
        return tally;
    }
    if let Some(limit) = player.budget.time {
        let late = took.saturating_sub(limit);
        tally.latest = late;
        if late > LATE {
            broken(format!("was {late:?} late"));
        }
    }
    let Budget { iterations, plies, memory, .. } = player.budget;
    if iterations.is_some_and(|most| report.work.iterations > most) {
        broken(format!("{} iterations", report.work.iterations));
    }
    if plies.is_some_and(|most| {
        u64::from(report.depth) > most && report.stop == Stop::Spent(Limit::Plies)
    }) {
        broken(format!("depth {}", report.depth));
    }
    let most = memory.unwrap_or(DEFAULT_MEMORY).max(LEAST_MEMORY);
    if report.work.memory > most {
        broken(format!("{} bytes of {most}", report.work.memory));
    }
    if report.best_move.is_none() {
        broken("no move".to_owned());
    }
    if !lines_are_legal(&board, &report) {
        broken(format!("an illegal line {:?}", report.pv));
    }
    if !is_timed {
        let (again, _) = search(registry, start, &player, &board, seed);
        let facts = |report: &Report<MoveIndex>| {
            let mut work = report.work;
            work.time = Duration::ZERO;
            (report.best_move, report.digest, work, report.proof, report.pv.clone(), report.stop)
        };
        if facts(&again) != facts(&report) {
            broken("the same seed gives another report".to_owned());
        }
    }
    // What a searcher keeps from one position does not show at another.
    let elsewhere = random_position(start, rng);
    let mut analyst = registry.searcher(start, &player).expect("it was made before");
    for at in [&board, &elsewhere] {
        let (report, _) = searched(&mut analyst, &player, at, seed);
        if report.best_move.is_none() || !lines_are_legal(at, &report) {
            broken(format!("then at {at:?}: {:?}, line {:?}", report.best_move, report.pv));
        }
    }
    tally
}

/// A search that is given less takes this: a root with its children.
const LEAST_MEMORY: u64 = 64 << 10;

/// Some hundred players; each block is seeded by its number alone.
fn block(number: u64) -> Tally {
    let registry = crate::common::with_own_games(9, treegraft::Side::First);
    let mut labels = registry.players();
    labels.retain(|info| info.label != "engine");
    let starts = GAMES.map(|game| crate::common::start(&registry, game));
    let mut rng = Rng::new(treegraft::derive_seed(CAMPAIGN, number));
    let mut tally = Tally::default();
    for _ in 0..BLOCK {
        tally.add(case(&registry, &labels, &starts, &mut rng));
    }
    tally
}

const BLOCK: u64 = 500;

/// The seed of all blocks.
const CAMPAIGN: u64 = 36;

fn assert_kept(tally: &Tally) {
    let shown: Vec<&str> = tally.broken.iter().take(20).map(String::as_str).collect();
    assert!(
        shown.is_empty(),
        "{} promises broken, such as\n{}",
        tally.broken.len(),
        shown.join("\n")
    );
}

#[test]
fn every_player_is_refused_or_keeps_its_promises() {
    let tally = block(0);
    assert_kept(&tally);
    assert!(tally.refused > 100 && tally.searched > 100, "{} {}", tally.refused, tally.searched);
}

/// Players by the million; see [`blocks`](crate::blocks).
#[test]
#[ignore = "takes long: cargo xtask campaign"]
fn a_campaign_of_options() {
    crate::blocks::run(1..21, |number| {
        let Tally { players, refused, searched, broken, .. } = block(number);
        let counts = vec![("players", players), ("refused", refused), ("searched", searched)];
        Found { counts, wrong: broken }
    });
}

/// Where not even the root's children fit, a searcher answered with a move of the position before.
#[test]
fn a_searcher_without_room_answers_with_a_legal_move() {
    let registry = Registry::standard();
    let start = crate::common::start(&registry, "loa");
    for text in [
        "mcts-ab@40it,2KiB",
        "mcts-solver@40it,2KiB",
        "mcts-ab-ic(l=12)@99it,8KiB",
        "fsss@5it,1KiB",
    ] {
        let player = crate::common::player(&registry, text);
        let mut analyst = registry.searcher(&start, &player).expect("a search");
        let mut rng = Rng::new(5);
        for seed in 0..100 {
            let board = random_position(&start, &mut rng);
            let (report, _) = searched(&mut analyst, &player, &board, seed);
            let is_legal = report.best_move.is_some_and(|mv| legal_moves(&board).contains(&mv));
            assert!(
                is_legal && lines_are_legal(&board, &report),
                "{text} at {board:?}: {report:?}"
            );
        }
    }
}
