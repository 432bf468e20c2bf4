//! The structure of an experiment file. Every part keeps its place, for errors that are found
//! later.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use super::grid::Values;
use super::{Record, Schedule, Scoring};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) title: Option<String>,
    pub(super) game: Spanned<OneOrMany>,
    pub(super) players: Option<Spanned<Vec<Spanned<PlayerEntry>>>>,
    pub(super) budget: Option<Spanned<String>>,
    pub(super) schedule: Option<Spanned<Schedule>>,
    pub(super) baseline: Option<Spanned<String>>,
    pub(super) pairings: Option<Spanned<Vec<[Spanned<String>; 2]>>>,
    pub(super) games: Spanned<u64>,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) scoring: Scoring,
    pub(super) openings: Option<Spanned<OpeningsEntry>>,
    #[serde(default)]
    pub(super) stop: StopEntry,
    #[serde(default)]
    pub(super) adjudicate: Adjudicate,
    #[serde(default)]
    pub(super) record: Record,
    pub(super) sweep: Option<Spanned<Sweep>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OpeningsEntry {
    None,
    Random(Spanned<u32>),
    File(Spanned<String>),
    Generated(Generated),
    KalahBoards,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Generated {
    pub(super) count: u32,
    pub(super) plies: u32,
    pub(super) seed: u64,
}

impl Default for Generated {
    fn default() -> Generated {
        Generated { count: 100, plies: 3, seed: 1 }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StopEntry {
    #[default]
    Fixed,
    Sprt(Spanned<Sprt>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sprt {
    #[serde(default)]
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    #[serde(default = "usual_error_rate")]
    pub(super) alpha: f64,
    #[serde(default = "usual_error_rate")]
    pub(super) beta: f64,
}

fn usual_error_rate() -> f64 {
    0.05
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Adjudicate {
    pub(super) max_plies: Option<Spanned<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sweep {
    pub(super) player: Spanned<String>,
    pub(super) against: Spanned<OneOrMany>,
    #[serde(default)]
    pub(super) grid: Grid,
}

/// Parameters in the order in which they are written.
#[derive(Default)]
pub(super) struct Grid(pub(super) Vec<(Spanned<String>, Values)>);

/// A text, or a list of them.
#[derive(Clone)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<Spanned<String>>),
}

impl OneOrMany {
    pub(super) fn len(&self) -> usize {
        match self {
            OneOrMany::One(_) => 1,
            OneOrMany::Many(texts) => texts.len(),
        }
    }
}

/// The texts with their places.
pub(super) fn texts(texts: Spanned<OneOrMany>) -> Vec<Spanned<String>> {
    let span = texts.span();
    match texts.into_inner() {
        OneOrMany::One(text) => vec![Spanned::new(span, text)],
        OneOrMany::Many(texts) => texts,
    }
}

pub(super) enum PlayerEntry {
    Text(String),
    Named(NamedPlayer),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedPlayer {
    pub(super) name: String,
    pub(super) player: Spanned<String>,
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneOrMany, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = OneOrMany;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<OneOrMany, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrMany::Many)
            }
        }
        deserializer.deserialize_any(Read)
    }
}

impl<'de> Deserialize<'de> for PlayerEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerEntry, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = PlayerEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a player such as \"mcts@1000it\" or { name = \"…\", player = \"…\" }")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<PlayerEntry, E> {
                Ok(PlayerEntry::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PlayerEntry, A::Error> {
                NamedPlayer::deserialize(MapAccessDeserializer::new(map)).map(PlayerEntry::Named)
            }
        }
        deserializer.deserialize_any(Read)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Grid, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Grid;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("parameters with their values, such as { c = [0.2, 0.4] }")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Grid, A::Error> {
                let mut grid = Grid::default();
                while let Some(entry) = map.next_entry()? {
                    grid.0.push(entry);
                }
                Ok(grid)
            }
        }
        deserializer.deserialize_map(Read)
    }
}
