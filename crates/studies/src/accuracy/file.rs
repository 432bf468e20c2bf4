//! Solved positions as text: a few lines about the set, and a line for each position.
//!
//! ```text
//! treegraft solved positions 1
//! game connect4:4x4
//! values outcome
//! seed 0
//! limit 200000
//! beyond 3
//! drawn kept 1, unsolved 0, all won 3, all drawn 1, all lost 4, short 7, repeated 0
//! # MOVES | VALUE | MOVE:VALUE …
//! 1 1 2 2 | 1 | 1:-1 2:0 3:1 4:0
//! ```

use std::fmt;

use treegraft::depth_first::Scores;
use treegraft_players::{Registry, Start};

use super::solved::{Drawn, MoveValue, SolvedPosition, SolvedSet};

/// How every file begins.
const FIRST: &str = "treegraft solved positions 1";

/// What is wrong with a file of solved positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SolvedFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The text of a file, which [`SolvedSet::parse`] reads back.
impl fmt::Display for SolvedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = if self.scores == Scores::Margin { "margin" } else { "outcome" };
        writeln!(f, "{FIRST}\ngame {}\nvalues {values}", self.game)?;
        writeln!(f, "seed {}\nlimit {}\nbeyond {}", self.seed, self.limit, self.beyond)?;
        let mut drawn = self.drawn;
        let counts = drawn.counts().map(|(name, count)| format!("{name} {count}"));
        writeln!(f, "drawn {}", counts.join(", "))?;
        writeln!(f, "# MOVES | VALUE | MOVE:VALUE … for the side to move")?;
        for position in &self.positions {
            let values = position.values.iter().map(|mv| format!("{}:{}", mv.text, mv.value));
            let values = values.collect::<Vec<_>>().join(" ");
            writeln!(f, "{} | {} | {values}", position.moves, position.value())?;
        }
        Ok(())
    }
}

impl SolvedSet {
    /// Reads the text of a file. Moves must be legal, and each position must have a value for every
    /// legal move; that values are right is for [`SolvedSet::check`] to say.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn parse(text: &str, registry: &Registry) -> Result<(Start, SolvedSet), SolvedFileError> {
        let wrong = |line: usize, problem: String| SolvedFileError { line, problem };
        let mut lines = (1..).zip(text.lines());
        let mut heading = |name: &str| {
            let (line, text) =
                lines.next().ok_or_else(|| wrong(1, format!("there is no {name}")))?;
            let rest = text.strip_prefix(name).map(str::trim);
            rest.map(|rest| (line, rest))
                .ok_or_else(|| wrong(line, format!("{:?}; expected {name} …", beginning(text))))
        };
        heading(FIRST)?;
        let (line, game) = heading("game ")?;
        let start = registry.start(game).map_err(|error| wrong(line, error.to_string()))?;
        let (line, scores) = heading("values ")?;
        let scores = match scores {
            "outcome" => Scores::Outcome,
            "margin" => Scores::Margin,
            other => Err(wrong(line, format!("values {other:?}; expected outcome or margin")))?,
        };
        let number = |(line, text): (usize, &str)| {
            let problem = || wrong(line, format!("{text:?}; expected a whole number"));
            text.parse::<u64>().map_err(|_| problem())
        };
        let seed = number(heading("seed ")?)?;
        let limit = number(heading("limit ")?)?;
        let (line, text) = heading("beyond ")?;
        let beyond = number((line, text))?;
        let beyond = u32::try_from(beyond).map_err(|_| wrong(line, format!("{text} plies")))?;
        let (line, counts) = heading("drawn ")?;
        let drawn =
            drawn(counts).ok_or_else(|| wrong(line, format!("{counts:?}; expected counts")))?;
        let (game, positions) = (start.text().to_owned(), Vec::new());
        let mut set = SolvedSet { game, scores, seed, limit, beyond, drawn, positions };
        for (line, text) in lines {
            if text.starts_with('#') || text.trim().is_empty() {
                continue;
            }
            let position =
                position(text, &start, scores).map_err(|problem| wrong(line, problem))?;
            set.positions.push(position);
        }
        Ok((start, set))
    }
}

/// The largest margin that a set may have, either way: differences and sums stay far from overflow.
const MAX_MARGIN: i64 = 1 << 53;

fn beginning(text: &str) -> String {
    text.chars().take(60).collect()
}

fn drawn(text: &str) -> Option<Drawn> {
    let (mut drawn, mut items) = (Drawn::default(), text.split(", "));
    let mut all = 0u64;
    for (name, count) in drawn.counts() {
        *count = items.next()?.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()?;
        all = all.checked_add(*count)?;
    }
    Some(drawn)
}

fn position(text: &str, start: &Start, scores: Scores) -> Result<SolvedPosition, String> {
    let parts: Vec<&str> = text.split('|').map(str::trim).collect();
    let [moves, value, values] = parts[..] else {
        return Err("expected MOVES | VALUE | MOVE:VALUE …".to_owned());
    };
    let mut game = start.playthrough();
    game.play_text(moves).map_err(|error| error.to_string())?;
    let legal = match game.ending() {
        None => game.position().move_texts(),
        Some(_) => return Err("the game is over there".to_owned()),
    };
    let most = if scores == Scores::Margin { MAX_MARGIN } else { 1 };
    let is_value = |value: &i64| (-most..=most).contains(value);
    let mut read = Vec::new();
    for item in values.split_whitespace() {
        let mv = item.rsplit_once(':').and_then(|(mv, value)| {
            let value = value.parse().ok().filter(is_value)?;
            Some(MoveValue { text: mv.to_owned(), value })
        });
        let wrong =
            || format!("{item:?}; expected MOVE:VALUE, with a value from {} to {most}", -most);
        read.push(mv.ok_or_else(wrong)?);
    }
    if !read.iter().map(|mv| &mv.text).eq(&legal) {
        let legal = legal.join(" ");
        return Err(format!("the moves must be those that are legal, in this order: {legal}"));
    }
    let position = SolvedPosition { moves: game.move_texts().join(" "), values: read };
    match value.parse::<i64>() {
        Ok(value) if position.value() == value => Ok(position),
        _ => Err(format!(
            "the value is {value}; expected {}, that of the best move",
            position.value()
        )),
    }
}
