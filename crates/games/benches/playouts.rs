//! Raw uniformly random playouts per CPU second, one core, from the starting position: the fast
//! rules beside the slow and plain ones, and those by the game's hints.
//!
//! `cargo bench -p treegraft-games --bench playouts [-- GAME …]`; with
//! `RUSTFLAGS="-C target-cpu=native"` for a build that knows the machine.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use treegraft::{Game, Rng, Speed};
use treegraft_games::{AnyGame, Visitor};
use treegraft_plain::loa::{NoMove, Simultaneous};
use treegraft_plain::{self as plain};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |game: &str| asked.is_empty() || asked.iter().any(|a| a == game);
    let titles = ["game", "plies", "playouts/s", "naive", "ratio", "plies", "by hints/s"];
    let [game, titles @ ..] = titles.map(|title| format!("{title:>12}"));
    println!("{:<20} {}", game.trim(), titles.join(" "));
    let row = |game: &str, naive: fn() -> Rates| {
        if wanted(game) {
            let (fast, hinted) = AnyGame::parse(game).expect("a game of the list").visit(Rate);
            let naive = naive().playouts;
            let ratio = fast.playouts / naive;
            let Rates { playouts, plies } = fast;
            print!("{game:<20} {plies:>12.1} {playouts:>12.0} {naive:>12.0} {ratio:>12.0}");
            println!(" {:>12.1} {:>12.0}", hinted.plies, hinted.playouts);
        }
    };
    row("connect4", || rates(&plain::Connect4::new(7, 6)));
    row("breakthrough:6x6", || rates(&plain::Breakthrough::new(6, 6)));
    row("breakthrough", || rates(&plain::Breakthrough::new(8, 8)));
    row("breakthrough:18x6", || rates(&plain::Breakthrough::new(18, 6)));
    row("othello", || rates(&plain::Othello::new(8)));
    row("lion", || rates(&plain::Lion::new(400)));
    row("hex:7", || rates(&plain::Hex::new(7, false)));
    row("hex:11", || rates(&plain::Hex::new(11, false)));
    row("hex:19", || rates(&plain::Hex::new(19, false)));
    row("kalah", || rates(&plain::Kalah::new(6, 4, true)));
    row("kalah:capture-empty=false", || rates(&plain::Kalah::new(6, 4, false)));
    row("loa", || rates(&plain::Loa::new(Simultaneous::Draw, NoMove::Pass, Some(3))));
}

/// Playouts a second, and the mean number of plies.
struct Rates {
    playouts: f64,
    plies: f64,
}

struct Rate;

impl Visitor for Rate {
    type Output = (Rates, Rates);

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> (Rates, Rates) {
        (rates(&start), rates_of(&start, hinted_playout))
    }
}

/// A playout of moves by the game's hints.
fn hinted_playout<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    limit: u32,
) -> u32 {
    let mut plies = 0;
    while plies < limit && position.outcome().is_none() {
        let mv = position.speed().guided_move(None, rng, buffer);
        position.play(mv);
        plies += 1;
    }
    plies
}

fn rates<G: Game>(start: &G) -> Rates {
    rates_of(start, |position, rng, buffer, limit| {
        let playout = treegraft::playout(position, rng, buffer, limit, None);
        // Or the compiler leaves out finding the winner, which is not used.
        black_box(playout).plies
    })
}

/// The median of three runs of a kind of playout, which returns its plies.
fn rates_of<G: Game>(
    start: &G,
    playout: impl Fn(&mut G, &mut Rng, &mut Vec<G::Move>, u32) -> u32,
) -> Rates {
    let mut runs: Vec<Rates> = (0..3).map(|seed| run(start, seed, &playout)).collect();
    runs.sort_by(|a, b| a.playouts.total_cmp(&b.playouts));
    runs.swap_remove(1)
}

fn run<G: Game>(
    start: &G,
    seed: u64,
    playout: &impl Fn(&mut G, &mut Rng, &mut Vec<G::Move>, u32) -> u32,
) -> Rates {
    const BATCH: u64 = 50;
    let mut rng = Rng::new(seed);
    let mut buffer = Vec::new();
    let clock = ThreadTime::now();
    let (mut playouts, mut plies) = (0u64, 0u64);
    while clock.elapsed() < Duration::from_millis(500) {
        for _ in 0..BATCH {
            let mut position = start.clone();
            let limit = position.limits().playout_plies;
            plies += u64::from(playout(&mut position, &mut rng, &mut buffer, limit));
            black_box(&position);
        }
        playouts += BATCH;
    }
    let n = playouts as f64;
    Rates { playouts: n / clock.elapsed().as_secs_f64(), plies: plies as f64 / n }
}
