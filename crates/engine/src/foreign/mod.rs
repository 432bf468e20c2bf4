//! The games of other people's protocols: what they are called there, and how moves are written.
//!
//! UCI has Fairy-Stockfish's variants. Those that it does not know are taught by a file of variants.
//! GTP has the games and the notation of OpenSpiel's `GTPBot`, which in Othello and Hex are those of
//! other GTP programs.

use treegraft::{Game, Notation, Side};
use treegraft_players::{Board, MoveIndex, Start};

/// Why a game cannot be played over a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What is wrong.
    pub(crate) problem: String,
    /// What would be right.
    pub(crate) expected: String,
}

/// A game as UCI has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UciGame {
    /// The value of `UCI_Variant`.
    pub(super) variant: String,
    /// The file that teaches the variant, unless it is one that programs know.
    pub(super) file: Option<String>,
    /// Rules of a variant that programs know, and how they differ from ours.
    pub(super) differs: Option<&'static str>,
    pub(super) notation: Writing,
}

/// A game as GTP has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GtpGame {
    /// What follows `boardsize`.
    pub(super) size: String,
    /// Whether a program may ignore the size, as it is the only one that most know.
    pub(super) is_usual: bool,
    pub(super) notation: Writing,
}

/// How a protocol writes the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// As we do.
    Own,
    /// Catch the Lion in UCI: a promotion has a plus sign.
    Promotions,
    /// Breakthrough in OpenSpiel: the first player begins at the top of the board and is called
    /// Black; captures have an asterisk.
    FromTheTop {
        /// The number of rows.
        rows: u32,
    },
    /// Connect-4 in OpenSpiel: x or o, and the number of the column from 0.
    Columns,
}

/// The largest board of Fairy-Stockfish, in columns and rows.
const LARGEST: (u32, u32) = (12, 10);

/// What the games are called, and what they are called in the protocol.
pub(super) fn uci_game(start: &Start) -> Result<UciGame, Refusal> {
    match (start.info().name, size(start)) {
        ("breakthrough", None | Some((8, 8))) => Ok(UciGame {
            variant: "breakthrough".to_owned(),
            file: None,
            differs: None,
            notation: Writing::Own,
        }),
        ("breakthrough", Some((columns, rows))) if columns <= LARGEST.0 && rows <= LARGEST.1 => {
            let variant = format!("treegraft-breakthrough-{columns}x{rows}");
            let position = start.board().notation().position_text().unwrap_or_default();
            let file = format!(
                "[{variant}:breakthrough]\nmaxFile = {columns}\nmaxRank = {rows}\n\
                 startFen = {position} 0 1\n{}",
                far_rows(rows)
            );
            Ok(UciGame { variant, file: Some(file), differs: None, notation: Writing::Own })
        }
        ("breakthrough", Some((columns, rows))) => Err(Refusal {
            problem: format!("boards of {columns}x{rows} are too large for UCI"),
            expected: format!("breakthrough of at most {}x{}", LARGEST.0, LARGEST.1),
        }),
        ("lion", _) => {
            let variant = "treegraft-lion".to_owned();
            let file = format!("[{variant}:dobutsu]\n{LION}{}", far_rows(4));
            let notation = Writing::Promotions;
            Ok(UciGame { variant, file: Some(file), differs: Some(DOBUTSU), notation })
        }
        (name, _) => Err(Refusal {
            problem: format!("{name} cannot be played over UCI"),
            expected: "breakthrough or lion".to_owned(),
        }),
    }
}

/// Rules of Catch the Lion that Fairy-Stockfish's `dobutsu` does not have: the Lion is no king, so
/// that it can be left to be captured and can go anywhere; no repetition ends a game; a Chick on the
/// far row is always promoted.
const LION: &str = "king = -\ncommoner = l\nextinctionValue = loss\nextinctionPieceTypes = l\n\
                    flagPiece = l\nflagPieceSafe = false\nmandatoryPawnPromotion = true\n\
                    mandatoryPiecePromotion = true\nnFoldRule = 0\nnMoveRule = 0\n";

const DOBUTSU: &str = "dobutsu, where a Lion on the far row has not won if it can be captured, a \
                       Lion must not be left to be captured, a Chick need not be promoted, and \
                       repetition is a draw";

/// Where a piece wins, in the words of older and newer versions.
fn far_rows(rows: u32) -> String {
    format!(
        "whiteFlag = *{rows}\nblackFlag = *1\nflagRegionWhite = *{rows}\nflagRegionBlack = *1\n"
    )
}

/// How GTP has a game.
pub(super) fn gtp_game(start: &Start) -> Result<GtpGame, Refusal> {
    let sized = |columns: u32, rows: u32| match columns == rows {
        true => columns.to_string(),
        false => format!("{columns} {rows}"),
    };
    let text = start.text();
    let number = |usual: u32| {
        let number = text.split([':', ',']).nth(1).and_then(|number| number.parse().ok());
        number.unwrap_or(usual).to_string()
    };
    let (size, is_usual, notation) = match start.info().name {
        "othello" => (number(8), false, Writing::Own),
        "hex" if text.contains("swap") => {
            return Err(Refusal {
                problem: "hex cannot be played over GTP with the swap".to_owned(),
                expected: "hex without swap=true".to_owned(),
            });
        }
        "hex" => (number(11), false, Writing::Own),
        "connect4" => {
            let (columns, rows) = size(start).unwrap_or((7, 6));
            (sized(columns, rows), (columns, rows) == (7, 6), Writing::Columns)
        }
        "breakthrough" => {
            let (columns, rows) = size(start).unwrap_or((8, 8));
            (sized(columns, rows), (columns, rows) == (8, 8), Writing::FromTheTop { rows })
        }
        name => {
            return Err(Refusal {
                problem: format!("{name} cannot be played over GTP"),
                expected: "othello, hex, connect4 or breakthrough".to_owned(),
            });
        }
    };
    Ok(GtpGame { size, is_usual, notation })
}

/// Columns and rows, if the text of the game has them.
fn size(start: &Start) -> Option<(u32, u32)> {
    let (_, params) = start.text().split_once(':')?;
    let (columns, rows) = params.split(',').next()?.split_once('x')?;
    Some((columns.parse().ok()?, rows.parse().ok()?))
}

/// The name of a side's colour in GTP.
pub(super) fn colour(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

impl Writing {
    /// The text of a legal move.
    pub(super) fn write(self, position: &Board, mv: MoveIndex) -> String {
        let own = position.notation().move_text(mv);
        match self {
            Writing::Own => own,
            Writing::Promotions => {
                let chickens = match position.to_move() {
                    Side::First => "+C",
                    Side::Second => "+c",
                };
                let count = |position: &Board| {
                    position
                        .notation()
                        .position_text()
                        .map_or(0, |text| text.matches(chickens).count())
                };
                let mut after = position.clone();
                after.play(mv);
                if count(&after) > count(position) { own + "+" } else { own }
            }
            Writing::FromTheTop { rows } => {
                let captures = squares(&own).is_some_and(|(from, to)| {
                    position.notation().parse_move(&format!("{from}x{to}")).is_ok()
                });
                let text = mirrored(&own, rows).unwrap_or(own);
                if captures { text + "*" } else { text }
            }
            Writing::Columns => match own.parse::<u32>() {
                Ok(column) => format!("{}{}", disc(position.to_move()), column.saturating_sub(1)),
                Err(_) => own,
            },
        }
    }

    /// The move that a text stands for. It is legal.
    pub(super) fn read(self, position: &Board, text: &str) -> Result<MoveIndex, String> {
        let lower = text.to_ascii_lowercase();
        let own = match self {
            Writing::Own | Writing::Promotions => None,
            Writing::FromTheTop { rows } => {
                let steps = lower.strip_suffix('*').unwrap_or(&lower);
                let own = mirrored(steps, rows);
                Some(own.ok_or_else(|| {
                    format!("move {text:?}: not two squares; expected a step such as a7b6 or a7b6*")
                })?)
            }
            Writing::Columns => match lower.strip_prefix(disc(position.to_move())) {
                Some(number) => {
                    let column = number.parse::<u32>().ok().and_then(|n| n.checked_add(1));
                    Some(column.ok_or_else(|| {
                        let disc = disc(position.to_move());
                        format!("move {text:?}: no number of a column; expected {disc}0, {disc}1, …")
                    })?.to_string())
                }
                None => None,
            },
        };
        let read = position.notation().parse_move(own.as_deref().unwrap_or(text));
        let mv = read.map_err(|error| match own {
            Some(_) => format!("{text:?} here is {error}"),
            None => error.to_string(),
        })?;
        let mut legal = Vec::new();
        position.moves(&mut legal);
        match legal.contains(&mv) {
            true => Ok(mv),
            false => Err(format!("move {text:?}: not legal here")),
        }
    }
}

/// The letter of a side in OpenSpiel's Connect-4.
fn disc(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}

/// The two squares of a step.
fn squares(step: &str) -> Option<(&str, &str)> {
    let second = step.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
    Some(step.split_at(second))
}

/// A step with the rows counted from the other end.
fn mirrored(step: &str, rows: u32) -> Option<String> {
    let square = |square: &str| {
        let column = square.chars().next().filter(char::is_ascii_lowercase)?;
        let row: u32 = square[1..].parse().ok()?;
        (1..=rows).contains(&row).then(|| format!("{column}{}", rows + 1 - row))
    };
    let (from, to) = squares(step)?;
    Some(square(from)? + &square(to)?)
}

#[cfg(test)]
mod tests;
