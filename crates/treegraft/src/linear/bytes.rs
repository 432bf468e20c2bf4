//! Weights as bytes: a line of text, then the weights, then a checksum.
//!
//! Most patterns never occur, and most weights are small. A weight of zero to 63 units either way
//! takes a byte, and so does a run of zeros.

use super::Weights;
use crate::bits::mix;

/// What a file of weights begins with, and its version.
const MAGIC: &str = "treegraft-weights 1";

/// Most features that a file may have.
const MOST: usize = 1 << 24;

/// Why bytes are not weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// They begin with something else.
    #[error("this is not a file of weights: it does not begin with {MAGIC:?}")]
    Foreign,
    /// They end too early, have more than they should, or do not have their checksum.
    #[error("the file of weights is damaged: {0}")]
    Damaged(&'static str),
}

impl Weights {
    /// The weights as bytes: the same for the same weights.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Weights { game, features, units } = self;
        let head = format!("{MAGIC} {} {} {}\n", one_word(game), one_word(features), units.len());
        let mut bytes = head.into_bytes();
        let mut rest = units.as_slice();
        while let [first, after @ ..] = rest {
            if *first == 0 {
                let zeros = rest.iter().take_while(|unit| **unit == 0).count();
                bytes.push(0);
                push_number(&mut bytes, zeros as u64 - 1);
                rest = &rest[zeros..];
            } else {
                // Zigzag: small numbers of either sign are small.
                push_number(&mut bytes, ((first << 1) ^ (first >> 31)) as u32 as u64);
                rest = after;
            }
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads weights back.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let line = bytes.iter().take(1000).position(|byte| *byte == b'\n');
        let head = line.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let head = head.and_then(|head| head.strip_prefix(MAGIC)).ok_or(WeightsError::Foreign)?;
        let words: Vec<&str> = head.split_whitespace().collect();
        let [game, features, count] = words[..] else {
            return Err(WeightsError::Damaged("its first line is malformed"));
        };
        let count = count.parse().ok().filter(|count| *count <= MOST);
        let count = count.ok_or(WeightsError::Damaged("its first line has no valid count"))?;
        let start = line.map_or(0, |end| end + 1);
        let Some((body, sum)) = bytes[start..].split_last_chunk::<8>() else {
            return Err(WeightsError::Damaged("it ends too early"));
        };
        if *sum != checksum(&bytes[..bytes.len() - 8]).to_le_bytes() {
            return Err(WeightsError::Damaged("its checksum is wrong"));
        }
        let units = read_units(body, count)?;
        Ok(Weights::new(game, features, units))
    }

    /// A number that is the same for the same weights, and hardly ever for others.
    #[must_use]
    pub fn digest(&self) -> u64 {
        checksum(&self.to_bytes())
    }
}

fn one_word(text: &str) -> String {
    let word: String = text.split_whitespace().collect();
    if word.is_empty() { "-".to_owned() } else { word }
}

fn read_units(mut body: &[u8], count: usize) -> Result<Vec<i32>, WeightsError> {
    let mut units = Vec::with_capacity(count);
    while units.len() < count {
        match read_number(&mut body)? {
            0 => {
                let more = read_number(&mut body)? as usize;
                if more >= count - units.len() {
                    return Err(WeightsError::Damaged("it has too many weights"));
                }
                units.resize(units.len() + more + 1, 0);
            }
            zigzag => {
                let zigzag = zigzag as u32;
                units.push((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32));
            }
        }
    }
    if !body.is_empty() {
        return Err(WeightsError::Damaged("it has too many bytes"));
    }
    Ok(units)
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(body: &mut &[u8]) -> Result<u64, WeightsError> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let Some((&byte, rest)) = body.split_first() else {
            return Err(WeightsError::Damaged("it ends too early"));
        };
        *body = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(WeightsError::Damaged("a number is too long"))
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |sum, byte| mix(sum ^ u64::from(*byte)))
}
