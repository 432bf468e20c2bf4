//! By how much searches overrun their time.
//!
//! `cargo bench -p treegraft-players --bench overrun`, on an idle machine: fails if, at 99.9 % of
//! the moves, it is more than 5 ms. `-- every` measures every label in every game instead, and prints
//! the ten worst; `-- every GAME LABEL` measures only those whose texts begin so.
//!
//! A thread that waits for a processor is not searching. The kernel counts how long a thread was
//! ready but did not run (`/proc/thread-self/schedstat`); this is taken off, as far as it goes. On
//! other systems nothing is taken off. What the wall clock shows is printed beside it.

use std::time::{Duration, Instant};

use treegraft::{Budget, Game, Request, Rng, Speed};
use treegraft_players::{Player, Registry};

/// What the project promises, at 99.9 % of the moves.
const MOST: Duration = Duration::from_millis(5);

/// Small and large boards, short and long games, and trees at their limits.
const GAMES: &[&str] = &[
    "connect4",
    "breakthrough:6x6",
    "breakthrough",
    "breakthrough:16x8",
    "othello",
    "lion",
    "lion:max-plies=100000",
    "hex:11",
    "hex:13",
    "hex:19",
    "hex:19,swap=true",
    "kalah",
    "kalah:8,15",
    "loa",
    "tree:branching=2,height=120",
    "tree:branching=1000,height=12",
    "tree:branching=1,height=1000",
];

/// Searches inside searches, deeper than any default.
const DEEP: &[&str] = &[
    "mcts-mr-4",
    "mcts-ms-8-visit-1",
    "mcts-ms-4-visit-0",
    "mcts-mb-8",
    "mcts-mr(mr=4,embed-k=20)",
    "mcts-ir-m(ir-depth=4)",
    "mcts-ic-m(ic-depth=4)",
    "mcts-ip-m(ip-depth=4)",
    "mcts-mr-3(reuse)",
    "mcts-ir-m(mr=2,ms=4:1,mb=4,ic=20,ic-depth=3,ip=0:10,ip-depth=2)",
    "mcts-ab(p=0.2,l=8)",
    "mcts-solver(expand=all,expand-at=3)",
    "uct(playouts=hints,reuse)",
    "ab(k=4,null,multi-cut,quiescence,etc,shuffle)",
    "ab(scores=margin)",
];

/// The players and games of the promise.
const PROMISED: (&[&str], &[&str]) = (
    &[
        "mcts-solver",
        "mcts-mr-4",
        "mcts-ms-8-visit-1",
        "mcts-mb-8",
        "mcts-ab",
        "mcts-ir-m",
        "mcts-ic-m",
        "mcts-ip-m",
        "ab",
        "fsss",
    ],
    &["connect4", "breakthrough", "othello", "lion", "hex:13", "hex:19", "kalah", "loa"],
);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match arguments.first().map(String::as_str) {
        None => promised(),
        Some("every") => every(&arguments[1..]),
        Some(other) => panic!("{other:?} is neither nothing nor \"every\""),
    }
}

/// Moves of 5 and of 50 ms by the players of the promise.
fn promised() {
    let mut all = Vec::new();
    for (time, moves) in [(5, 40), (50, 10)] {
        for game in PROMISED.1 {
            for player in PROMISED.0 {
                let found = overruns(game, player, Duration::from_millis(time), moves);
                all.extend(found.expect("a player of the list"));
            }
        }
    }
    print_shares(&all);
    let own = sorted(&all, |overrun| overrun.own);
    let late = share(&own, 0.999);
    assert!(late <= MOST, "99.9 % of the moves: late by {late:?}, at most {MOST:?} are promised");
}

/// Every label, and deeper ones, in every game.
fn every(wanted: &[String]) {
    let is_wanted = |at: usize, text: &str| wanted.get(at).is_none_or(|it| text.starts_with(it));
    let registry = Registry::standard();
    let labels = registry.players().into_iter().map(|info| info.label).filter(|&l| l != "engine");
    let players: Vec<&str> = labels.chain(DEEP.iter().copied()).collect();
    for (time, moves) in [(5, 6), (50, 2)] {
        let (mut all, mut worst) = (Vec::new(), Vec::new());
        for game in GAMES.iter().filter(|game| is_wanted(0, game)) {
            for player in players.iter().filter(|player| is_wanted(1, player)) {
                // A game without an evaluation cannot serve every label.
                let Some(found) = overruns(game, player, Duration::from_millis(time), moves) else {
                    continue;
                };
                worst.extend(found.iter().map(|overrun| (*overrun, *game, *player)));
                all.extend(found);
            }
        }
        println!("{time} ms a move");
        print_shares(&all);
        worst.sort_by_key(|&(overrun, ..)| std::cmp::Reverse(overrun.own));
        for (overrun, game, player) in worst.iter().take(10) {
            println!("  {:>9.3?}  {:>9.3?}  {game}  {player}", overrun.own, overrun.wall);
        }
    }
}

/// How long after its time a search has ended.
#[derive(Clone, Copy, Debug)]
struct Overrun {
    /// By the clock.
    wall: Duration,
    /// Without the time for which the thread waited for a processor.
    own: Duration,
}

/// The overruns of a player along a random game; `None` if the game cannot serve it.
fn overruns(game: &str, player: &str, time: Duration, moves: usize) -> Option<Vec<Overrun>> {
    let registry = Registry::standard();
    let start = registry.start(game).expect("a game of the list");
    let player: Player = registry.player(player).expect("a player of the list");
    let mut analyst = registry.searcher(&start, &player).ok()?;
    let mut rng = Rng::new(moves as u64);
    let mut board = start.board().clone();
    let mut found = Vec::new();
    while found.len() < moves {
        if board.outcome().is_some() {
            board = start.board().clone();
        }
        let request = Request::new(Budget::time(time), rng.next_u64());
        let (waited, clock) = (waited(), Instant::now());
        analyst.search(&board, request);
        let wall = clock.elapsed().saturating_sub(time);
        found.push(Overrun { wall, own: wall.saturating_sub(self::waited() - waited) });
        let mv = board.speed().random_move(&mut rng, &mut Vec::new());
        board.play(mv);
    }
    Some(found)
}

/// How long this thread has been ready to run without running.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn print_shares(all: &[Overrun]) {
    println!("{} moves: overrun by", all.len());
    for (name, values) in
        [("own", sorted(all, |overrun| overrun.own)), ("wall", sorted(all, |overrun| overrun.wall))]
    {
        let [median, most, nearly_all, all] = [0.5, 0.99, 0.999, 1.0].map(|at| share(&values, at));
        println!(
            "  {name:<4}  median {median:.3?}, 99 % {most:.3?}, 99.9 % {nearly_all:.3?}, most {all:.3?}"
        );
    }
}

fn sorted(all: &[Overrun], which: impl Fn(&Overrun) -> Duration) -> Vec<Duration> {
    let mut values: Vec<Duration> = all.iter().map(which).collect();
    values.sort_unstable();
    values
}

/// The value that this share of all are not above.
fn share(sorted: &[Duration], share: f64) -> Duration {
    sorted[((sorted.len() - 1) as f64 * share).ceil() as usize]
}
