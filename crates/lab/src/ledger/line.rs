//! The line of a pair: `SEED OPENING GAME GAME CHECK`, separated by tabs.
//!
//! - `SEED`: the seed of the pair; with a random start of its own, `SEED*SEED-OF-THE-START`.
//! - `OPENING`: empty; `PLIES:SEED` for random moves; `PLIES"MOVES"` for moves.
//! - `GAME`: the game and the one with the sides swapped, fields separated by commas: `+`, `=` or
//!   `-` for the first side, with what ended it unless that was the rules; the digest; the number
//!   of moves, and how many of them the first side chose; for each side iterations, nodes,
//!   evaluations and moves in playouts, where an empty field is the same as the one before; the
//!   margin, where the game keeps count.
//!
//! A game that cannot be played again has more: the margin's field in any case; the number of moves
//! that the second side chose; for each side capped playouts, transitions, memory, seconds
//! and the slowest move's; when it began, and how long it took. The moves and faults of both games
//! follow as JSON, before `CHECK`.

use std::str::Split;

use serde::{Deserialize, Serialize};
use treegraft::derive_seed;
use treegraft_engine::FaultKind;

use super::{Pairing, number};
use crate::opening::Opening;
use crate::pair::Pair;
use crate::row::GameRow;
use crate::store::StoredGame;

/// Minimum number of digits of a seed; shorter numbers at the end of a game's text are board sizes.
const SEED_DIGITS: usize = 10;

/// What a line has as text of a game that cannot be played again.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    moves: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    fault: String,
}

/// A game's text and the seed at its end, if it has one there.
pub(super) fn split_seed(game: &str) -> (String, Option<u64>) {
    let split = game.rsplit_once('=').and_then(|(before, digits)| {
        let seed: u64 = digits.parse().ok()?;
        let is_seed = digits.len() >= SEED_DIGITS && seed.to_string() == digits;
        is_seed.then(|| (format!("{before}=*"), Some(seed)))
    });
    split.unwrap_or((game.to_owned(), None))
}

/// The line of a pair, without its check.
pub(super) fn write(pair: &Pair, rows: [&GameRow; 2]) -> String {
    let mut line = number::write(pair.seed);
    if let (_, Some(start)) = split_seed(&pair.game) {
        line.push_str(&format!("*{}", number::write(start)));
    }
    line.push('\t');
    let plies = rows[0].opening_plies;
    match &pair.opening {
        Opening::None => {}
        Opening::Random { seed, .. } => line.push_str(&format!("{plies}:{}", number::write(*seed))),
        Opening::Moves(moves) => line.push_str(&format!("{plies}{}", json(moves))),
    }
    for row in rows {
        line.push('\t');
        line.push_str(&write_game(row));
    }
    for row in rows.into_iter().filter(|row| !row.is_digest_only()) {
        let told = Told { moves: row.moves.clone(), fault: row.fault.clone() };
        line.push_str(&format!("\t{}", json(&told)));
    }
    line
}

/// Texts as JSON, in which there is neither a tab nor the end of a line.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers always become JSON")
}

fn write_game(row: &GameRow) -> String {
    let sign = match row.outcome {
        0 => '=',
        outcome if outcome > 0 => '+',
        _ => '-',
    };
    let end = if row.end == "rules" { "" } else { &row.end };
    let [first, second] = &row.sides;
    let number = number::write;
    let mut fields = vec![
        format!("{sign}{end}"),
        number(row.digest),
        number(row.plies.into()),
        number(first.moves),
    ];
    for side in [first, second] {
        let counts = [side.iterations, side.nodes, side.evaluations, side.playout_plies];
        fields.push(number(counts[0]));
        for two in counts.windows(2) {
            fields.push(if two[0] == two[1] { String::new() } else { number(two[1]) });
        }
    }
    fields.extend(row.margin.map(|margin| margin.to_string()));
    if !row.is_digest_only() {
        if row.margin.is_none() {
            fields.push(String::new());
        }
        fields.push(number(second.moves));
        for side in [first, second] {
            let counts = [side.capped_playouts, side.transitions, side.memory];
            fields.extend(counts.map(number));
            fields.extend([side.seconds, side.slowest].map(|seconds| seconds.to_string()));
        }
        fields.extend([number(row.started_ms), row.seconds.to_string()]);
    }
    fields.join(",")
}

/// The games of a line, without its check.
pub(super) fn read(pairing: &Pairing, line: &str) -> Result<[StoredGame; 2], String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let (seed, opening, games, told) = match fields[..] {
        [seed, opening, first, second] => (seed, opening, [first, second], [None; 2]),
        [seed, opening, first, second, a, b] => {
            (seed, opening, [first, second], [Some(a), Some(b)])
        }
        _ => return Err(format!("it has {} fields; expected 5 or 7", fields.len() + 1)),
    };
    let (seed, start) = match seed.split_once('*') {
        None => (seed, None),
        Some((seed, start)) => (seed, Some(number::read(start)?)),
    };
    let game = match (pairing.game.strip_suffix('*'), start) {
        (Some(game), Some(start)) => format!("{game}{start}"),
        (None, None) => pairing.game.clone(),
        _ => return Err("it has a random start, or its pairing has, but not both".to_owned()),
    };
    let (opening, opening_plies) = read_opening(opening)?;
    let pair = Pair {
        game,
        players: pairing.players.clone(),
        opening,
        seed: number::read(seed)?,
        max_plies: pairing.max_plies,
    };
    let (id, setup) = (pair.id(), json(&pair));
    let read = |index: usize| -> Result<StoredGame, String> {
        let told = told[index].map(|text| {
            serde_json::from_str::<Told>(text).map_err(|error| format!("{text:?}: {error}"))
        });
        let mut row = GameRow {
            pair: id,
            number: index as u8,
            game: pair.game.clone(),
            opening_plies,
            seed: derive_seed(pair.seed, index as u64),
            ..GameRow::default()
        };
        for (side, player) in row.sides.iter_mut().zip([index, 1 - index]) {
            side.player = pair.players[player].clone();
        }
        read_game(&mut row, games[index], told.transpose()?)?;
        Ok(StoredGame { session: pairing.session, setup: setup.clone(), row })
    };
    Ok([read(0)?, read(1)?])
}

fn read_opening(text: &str) -> Result<(Opening, u32), String> {
    if text.is_empty() {
        return Ok((Opening::None, 0));
    }
    let wrong = || format!("{text:?} is not an opening");
    let end = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let plies: u32 = decimal(&text[..end])?;
    let opening = match text[end..].strip_prefix(':') {
        Some(seed) => Opening::Random { plies, seed: number::read(seed)? },
        None => Opening::Moves(serde_json::from_str(&text[end..]).map_err(|_| wrong())?),
    };
    Ok((opening, plies))
}

/// Fills in what the field of a game says of it.
fn read_game(row: &mut GameRow, text: &str, told: Option<Told>) -> Result<(), String> {
    let mut fields = Fields(text.split(','));
    (row.outcome, row.end) = read_end(fields.next()?)?;
    row.digest = fields.number()?;
    row.plies = u32::try_from(fields.count()?).map_err(|_| "it has too many moves")?;
    row.sides[0].moves = fields.count()?;
    for side in &mut row.sides {
        side.iterations = fields.count()?;
        side.nodes = fields.count_or(side.iterations)?;
        side.evaluations = fields.count_or(side.nodes)?;
        side.playout_plies = fields.count_or(side.evaluations)?;
    }
    row.margin = match fields.0.next() {
        None | Some("") => None,
        Some(margin) => Some(decimal(margin)?),
    };
    if let Some(Told { moves, fault }) = told {
        (row.moves, row.fault) = (moves, fault);
        row.sides[1].moves = fields.count()?;
        for side in &mut row.sides {
            side.capped_playouts = fields.count()?;
            side.transitions = fields.count()?;
            side.memory = fields.count()?;
            side.seconds = fields.seconds()?;
            side.slowest = fields.seconds()?;
        }
        row.started_ms = fields.count()?;
        row.seconds = fields.seconds()?;
    } else {
        let played = row.plies.checked_sub(row.opening_plies);
        let second = played.and_then(|played| u64::from(played).checked_sub(row.sides[0].moves));
        row.sides[1].moves = second.ok_or("it has fewer moves than its players chose")?;
        row.sides.iter_mut().for_each(|side| (side.seconds, side.slowest) = (f64::NAN, f64::NAN));
        row.seconds = f64::NAN;
    }
    match fields.0.next() {
        Some(more) => Err(format!("a game has {more:?} as an extra field")),
        None => Ok(()),
    }
}

fn read_end(text: &str) -> Result<(i8, String), String> {
    let wrong = || format!("{text:?} is not the end of a game");
    let mut chars = text.chars();
    let outcome = match chars.next() {
        Some('+') => 1,
        Some('=') => 0,
        Some('-') => -1,
        _ => return Err(wrong()),
    };
    let end = match chars.as_str() {
        "" => "rules",
        end @ ("repetition" | "too-long") => end,
        end if FaultKind::is_name(end) => end,
        _ => return Err(wrong()),
    };
    Ok((outcome, end.to_owned()))
}

/// A decimal number that is written as this program writes it.
fn decimal<T: std::str::FromStr + ToString>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number: &T| number.to_string() == text);
    number.ok_or_else(|| format!("{text:?} is not a whole number"))
}

/// A count in base 64 that is no larger than the whole numbers of SQLite.
fn count(text: &str) -> Result<u64, String> {
    let count = number::read(text)?;
    match i64::try_from(count) {
        Ok(_) => Ok(count),
        Err(_) => Err(format!("{text:?} is a larger number than anything that is counted")),
    }
}

/// The fields of a game, taken one after the other.
struct Fields<'a>(Split<'a, char>);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| "a game has too few fields".to_owned())
    }

    fn number(&mut self) -> Result<u64, String> {
        number::read(self.next()?)
    }

    /// A number that a store can hold, too.
    fn count(&mut self) -> Result<u64, String> {
        count(self.next()?)
    }

    /// The same; empty: the one before it.
    fn count_or(&mut self, before: u64) -> Result<u64, String> {
        match self.next()? {
            "" => Ok(before),
            text => count(text),
        }
    }

    fn seconds(&mut self) -> Result<f64, String> {
        let text = self.next()?;
        let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
        seconds.ok_or_else(|| format!("{text:?} is not a number of seconds"))
    }
}
