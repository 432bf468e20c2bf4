//! The rules against facts from independent programs (`testdata/`).

use treegraft::{Exactness, Game, Outcome, Playthrough, perft};
use treegraft_games::{AnyGame, Visitor};

/// The lines of a file of `testdata/`, split at their bars.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('|').map(str::trim).collect())
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|n| n.parse().expect("a number")).collect()
}

/// Counts the sequences after some moves, to every depth with at most `most` of them.
struct Perft<'a> {
    moves: &'a str,
    counts: &'a [u64],
    most: u64,
}

impl Visitor for Perft<'_> {
    type Output = Vec<(u32, u64, u64)>;

    /// Depth, expected and counted.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output {
        let mut game = Playthrough::new(start);
        game.play_text(self.moves).expect("legal moves");
        let depths = (1..).zip(self.counts.iter().copied()).filter(|&(_, n)| n <= self.most);
        depths.map(|(depth, n)| (depth, n, perft(game.position(), depth))).collect()
    }
}

fn check_perft(most: u64) -> usize {
    let mut checked = 0;
    for row in rows(include_str!("../../testdata/perft.txt")) {
        let (game, moves, counts) = (row[0], row[1], numbers(row[2]));
        let start = AnyGame::parse(game).expect("a game");
        for (depth, expected, counted) in start.visit(Perft { moves, counts: &counts, most }) {
            assert_eq!(counted, expected, "{game} after {moves:?}, depth {depth}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn perft_equals_the_reference_counts() {
    assert_eq!(check_perft(3_000_000), 320);
}

#[test]
#[ignore = "minutes: cargo xtask test-long"]
fn perft_equals_every_reference_count() {
    let entries: usize = rows(include_str!("../../testdata/perft.txt"))
        .map(|row| row[2].split_whitespace().count())
        .sum();
    assert_eq!(check_perft(u64::MAX), entries);
}

/// Replays a game: number of legal moves before each, then outcome and margin.
struct Replay<'a>(&'a str);

impl Visitor for Replay<'_> {
    type Output = (Vec<usize>, Option<Outcome>, Option<i64>);

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output {
        let mut game = Playthrough::new(start);
        let mut legal = Vec::new();
        for mv in self.0.split_whitespace() {
            legal.push(game.legal_moves().len());
            game.play_text(mv).expect("a legal move");
        }
        (legal, game.position().outcome(), game.position().exactness().margin())
    }
}

#[test]
fn random_games_replay_as_other_programs_played_them() {
    let mut games = 0;
    for row in rows(include_str!("../../testdata/random-games.txt")) {
        let (game, moves) = (row[0], row[1]);
        let start = AnyGame::parse(game).expect("a game");
        let (legal, outcome, margin) = start.visit(Replay(moves));
        assert_eq!(legal, numbers::<usize>(row[2]), "{game}: {moves}");
        assert_eq!(outcome.map(Outcome::value), row[3].parse().ok(), "{game}: {moves}");
        if let [first, second] = numbers::<i64>(row[4])[..] {
            assert_eq!(margin, Some(first - second), "{game}: {moves}");
        }
        games += 1;
    }
    assert_eq!(games, 106);
}
