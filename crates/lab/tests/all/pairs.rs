//! Pairs from outside: what names them, and that they are the same games wherever they are played.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use treegraft_lab::{
    GameRow, Match, Opening, Pair, PairError, SideRow, Watch, play_pair, run_match,
};

use crate::common::{player, registry, start};

fn pair(game: &str, a: &str, b: &str) -> Pair {
    let players = [a, b].map(|text| player(text).to_string());
    let opening = Opening::Random { plies: 2, seed: 5 };
    Pair { game: game.to_owned(), players, opening, seed: 11, max_plies: None }
}

fn is_repeatable(pair: &Pair) -> bool {
    pair.players.iter().all(|text| player(text).is_repeatable())
}

fn play(pair: &Pair) -> [GameRow; 2] {
    play_pair(registry(), pair, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The row without what a clock says.
fn timeless(row: GameRow) -> GameRow {
    let sides = row.sides.map(|side| SideRow { seconds: 0.0, slowest: 0.0, ..side });
    GameRow { sides, started_ms: 0, seconds: 0.0, ..row }
}

fn some_pairs() -> Vec<Pair> {
    vec![
        pair("connect4", "mcts-solver@60it,1MiB", "ab@200nodes,1MiB"),
        pair("connect4:5x4", "uct(reuse)@60it,1MiB", "random"),
        pair("kalah:random-start=3", "mcts-sb@40it,1MiB", "greedy"),
        pair("breakthrough:5x5", "mcts@50it,1MiB", "ab(depth=2)"),
        Pair { max_plies: Some(9), ..pair("loa", "random", "random") },
        Pair {
            opening: Opening::Moves("4 4 5".to_owned()),
            ..pair("connect4", "random", "greedy")
        },
    ]
}

#[test]
fn a_pair_is_the_same_in_any_order_and_after_any_other() {
    let pairs = some_pairs();
    let once: Vec<[GameRow; 2]> = pairs.iter().map(|pair| play(pair).map(timeless)).collect();
    for (number, pair) in pairs.iter().enumerate().rev() {
        assert!(is_repeatable(pair));
        assert_eq!(play(pair).map(timeless), once[number], "{pair:?}");
        // From its text it is the same pair.
        let json = serde_json::to_string(pair).unwrap();
        let read: Pair = serde_json::from_str(&json).unwrap();
        assert_eq!((read.id(), &read), (pair.id(), pair));
    }
}

#[test]
fn a_row_tells_what_happened() {
    for pair in some_pairs() {
        let rows = play(&pair);
        for (number, row) in rows.iter().enumerate() {
            assert_eq!((row.pair, usize::from(row.number)), (pair.id(), number));
            assert_eq!(row.game, pair.game);
            let moves: Vec<&str> = row.moves.split(' ').collect();
            assert_eq!(moves.len(), row.plies as usize);
            assert_eq!(row.sides[number].player, pair.players[0]);
            assert_eq!(row.sides[1 - number].player, pair.players[1]);
            let asked = row.sides[0].moves + row.sides[1].moves;
            assert_eq!(asked, u64::from(row.plies - row.opening_plies));
            for side in &row.sides {
                assert!(side.slowest <= side.seconds && side.seconds <= row.seconds, "{row:?}");
            }
            assert!(row.started_ms > 1_700_000_000_000, "{row:?}");
            assert_eq!(row.fault, "");
            let kinds = if row.outcome == 0 { &["rules", "too-long"][..] } else { &["rules"] };
            assert!(kinds.contains(&row.end.as_str()), "{row:?}");
        }
        let [first, second] = &rows;
        assert_ne!(first.seed, second.seed);
        assert_eq!(first.opening_plies, second.opening_plies);
        let opening = |row: &GameRow| -> Vec<String> {
            row.moves.split(' ').take(row.opening_plies as usize).map(str::to_owned).collect()
        };
        assert_eq!(opening(first), opening(second));
    }
}

#[test]
fn too_long_games_are_drawn() {
    let long = pair("loa", "random", "random");
    let rows = play(&Pair { max_plies: Some(9), ..long.clone() });
    for row in rows {
        assert_eq!((row.outcome, row.end.as_str(), row.plies), (0, "too-long", 9));
    }
    // The limit of the game itself stays.
    let lion = Pair { max_plies: Some(100_000), ..pair("lion", "random", "random") };
    assert!(play(&lion).iter().all(|row| row.plies <= 400));
}

#[test]
fn every_field_changes_the_name() {
    let one = pair("connect4", "mcts@10it", "random");
    let other = |change: fn(&mut Pair)| {
        let mut pair = one.clone();
        change(&mut pair);
        pair
    };
    let all = [
        one.clone(),
        other(|pair| pair.game = "connect4:8x7".to_owned()),
        other(|pair| pair.players[0] = "mcts@11it".to_owned()),
        other(|pair| pair.players[1] = "greedy".to_owned()),
        other(|pair| pair.players.swap(0, 1)),
        other(|pair| pair.opening = Opening::None),
        other(|pair| pair.opening = Opening::Random { plies: 3, seed: 5 }),
        other(|pair| pair.opening = Opening::Random { plies: 2, seed: 6 }),
        other(|pair| pair.opening = Opening::Moves("4".to_owned())),
        other(|pair| pair.seed = 12),
        other(|pair| pair.max_plies = Some(1)),
        other(|pair| pair.max_plies = Some(2)),
    ];
    let ids: HashSet<_> = all.iter().map(Pair::id).collect();
    assert_eq!(ids.len(), all.len());
}

/// Stores name pairs: a change here orphans every game that was ever played. The value is that of
///
/// ```text
/// printf 'treegraft pair 1\n{"game":"connect4","players":["mcts@10it","random"],"opening":"random 2 5","seed":11,"max_plies":null}' | sha256sum
/// ```
#[test]
fn the_name_of_a_pair_never_changes() {
    let one = pair("connect4", "mcts@10it", "random");
    assert_eq!(one.id().to_string(), "9e82027ca80de985e628bbf316134bfe");
}

/// The seeds of pairs, games, moves and openings are what they have always been.
#[test]
fn the_games_of_a_seed_never_change() {
    let setup = Match::new(start("connect4"), player("random"), player("random"));
    let setup = Match { games: 20, seed: 7, opening_plies: 3, ..setup };
    let result = run_match(registry(), &setup, Watch::default()).unwrap();
    assert_eq!(format!("{:016x}", result.digest), "c83c029055edd51b");
    let rows = play(&pair("connect4", "random", "random"));
    assert_eq!(
        rows.map(|row| format!("{:016x}", row.digest)),
        ["aa8af06a250817b4", "34095901a7db37c7"]
    );
}

#[test]
fn a_pair_is_repeatable_without_a_clock() {
    assert!(is_repeatable(&pair("connect4", "mcts@10it", "ab(depth=3)")));
    assert!(!is_repeatable(&pair("connect4", "mcts@10it", "ab@10ms")));
    assert!(!is_repeatable(&pair("connect4", "mcts@10it,1s", "random")));
}

#[test]
fn what_cannot_be_played_is_an_error() {
    let error = |pair: &Pair| play_pair(registry(), pair, None).unwrap_err().to_string();
    let one = pair("connect4", "random", "random");
    let no_game = error(&Pair { game: "chess".to_owned(), ..one.clone() });
    assert!(no_game.contains("there is no such game"), "{no_game}");
    let illegal = error(&Pair { opening: Opening::Moves("4 9".to_owned()), ..one.clone() });
    assert!(illegal.contains("opening \"4 9\"") && illegal.contains("move 2"), "{illegal}");
    let over = error(&Pair { opening: Opening::Moves("1 2 1 2 1 2 1".to_owned()), ..one.clone() });
    assert!(over.contains("ends the game"), "{over}");
    let eval = error(&pair("connect4", "ab(eval=stones)@10nodes", "random"));
    assert!(eval.contains("eval is \"stones\""), "{eval}");
    let cancel = AtomicBool::new(true);
    let long = pair("connect4", "mcts@1h,1MiB", "mcts@1h,1MiB");
    assert_eq!(play_pair(registry(), &long, Some(&cancel)), Err(PairError::Cancelled));
}

#[test]
fn an_opening_reads_back() {
    let moves = Opening::Moves("f5 d6".to_owned());
    for opening in [Opening::None, Opening::Random { plies: 4, seed: u64::MAX }, moves] {
        assert_eq!(opening.to_string().parse(), Ok(opening));
    }
    for nonsense in ["", "None", "random", "random 2", "random -1 3", "random 2 3 4", "moves"] {
        assert!(nonsense.parse::<Opening>().is_err(), "{nonsense:?}");
    }
}
