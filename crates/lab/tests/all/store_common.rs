//! What several tests of the store need.

#![allow(dead_code, reason = "not every program of tests needs all of it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use treegraft::Rng;
use treegraft_lab::export::write_csv;
use treegraft_lab::store::StoredGame;
use treegraft_lab::{FinishedPair, GameRow, Opening, Pair, PairId, PlannedPair, SideRow};

/// A directory of its own, which is gone at the end of the test.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Directory {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("store-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Directory(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A made-up pair: every column has something in it, and some rows are larger than a page.
pub(crate) fn made_up_pair(number: u64) -> FinishedPair {
    let mut rng = Rng::new(number);
    let side = |rng: &mut Rng| SideRow {
        player: format!("mcts-solver(c=0.{})@100it", rng.below(100)),
        moves: u64::from(rng.below(50)),
        iterations: u64::from(rng.below(1 << 30)),
        nodes: u64::from(rng.below(1 << 20)),
        evaluations: u64::from(rng.below(1 << 10)),
        playout_plies: u64::from(rng.below(300)),
        capped_playouts: u64::from(rng.below(2)),
        transitions: rng.next_u64() >> 2,
        memory: rng.next_u64() >> 20,
        seconds: f64::from(rng.below(1000)) / 7.0,
        // Without a fraction: SQLite keeps it as an integer.
        slowest: f64::from(rng.below(10)),
    };
    let game = |number: u8, rng: &mut Rng| {
        let plies = if rng.below(20) == 0 { 3000 } else { 20 + rng.below(100) };
        GameRow {
            pair: PairId(u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())),
            number,
            game: "breakthrough:6x6".to_owned(),
            sides: [side(rng), side(rng)],
            moves: (0..plies).map(|_| "a1b2").collect::<Vec<_>>().join(" "),
            plies,
            opening_plies: rng.below(5),
            outcome: rng.below(3) as i8 - 1,
            end: "rules".to_owned(),
            fault: ["", "it said \"ä,b\"\nand was gone"][rng.below(2) as usize].to_owned(),
            margin: (rng.below(2) == 0).then(|| -i64::from(rng.below(40))),
            seed: rng.next_u64(),
            digest: rng.next_u64(),
            started_ms: 1_700_000_000_000 + u64::from(rng.below(1 << 30)),
            seconds: f64::from(rng.below(1000)) / 3.0,
        }
    };
    let first = game(0, &mut rng);
    let second = GameRow { pair: first.pair, ..game(1, &mut rng) };
    FinishedPair {
        setup: format!("{{\"made up\":{number}}}"),
        rows: [first, second],
        thoughts: None,
    }
}

/// A plan of quick games: two pairings in turn.
pub(crate) fn quick_plan(pairs: usize) -> Vec<PlannedPair> {
    (0..pairs)
        .map(|number| {
            let pairing = number % 2;
            let other = ["greedy", "random"][pairing];
            let seed = number as u64;
            PlannedPair {
                pairing,
                pair: Pair {
                    game: "breakthrough:5x5".to_owned(),
                    players: ["mcts-solver@60it", other].map(str::to_owned),
                    opening: Opening::Random { plies: 2, seed },
                    seed,
                    max_plies: None,
                },
            }
        })
        .collect()
}

/// All games in an order of their own as comma-separated values, without what clocks and runs say:
/// equal for equal games, byte for byte.
pub(crate) fn dump(games: &[StoredGame]) -> String {
    let mut games = games.to_vec();
    games.sort_by_key(|game| (game.row.pair, game.row.number));
    for game in &mut games {
        game.session = 0;
        (game.row.started_ms, game.row.seconds) = (0, 0.0);
        for side in &mut game.row.sides {
            (side.seconds, side.slowest) = (0.0, 0.0);
        }
    }
    let mut text = Vec::new();
    write_csv(&games, &mut text).expect("memory can be written");
    String::from_utf8(text).expect("text")
}
