//! The requested heights.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Heights of trees in ascending order, at least one: `4..16` (both ends count), `4..16:2`,
/// `4,6,8`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heights(Vec<u16>);

impl Heights {
    /// Maximum height.
    pub const MAX: u16 = 1000;

    /// These heights; `None` if there are none, or one is not from 1 to [`MAX`](Heights::MAX).
    #[must_use]
    pub fn new(heights: impl IntoIterator<Item = u16>) -> Option<Heights> {
        let mut heights: Vec<u16> = heights.into_iter().collect();
        heights.sort_unstable();
        heights.dedup();
        let (first, last) = (*heights.first()?, *heights.last()?);
        (first >= 1 && last <= Heights::MAX).then_some(Heights(heights))
    }

    /// All of them, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.0.iter().copied()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether this is one of them.
    #[must_use]
    pub fn contains(&self, height: u16) -> bool {
        self.0.binary_search(&height).is_ok()
    }
}

/// From 4 to 16.
impl Default for Heights {
    fn default() -> Heights {
        Heights((4..=16).collect())
    }
}

impl fmt::Display for Heights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = |pair: &[u16]| pair[1] - pair[0];
        match self.0.as_slice() {
            [low, second, .., high] if self.0.windows(2).all(|p| step(p) == second - low) => {
                match second - low {
                    1 => write!(f, "{low}..{high}"),
                    step => write!(f, "{low}..{high}:{step}"),
                }
            }
            list => {
                let texts: Vec<String> = list.iter().map(u16::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

impl FromStr for Heights {
    type Err = String;

    fn from_str(text: &str) -> Result<Heights, String> {
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.and_then(|ranges| Heights::new(ranges.into_iter().flatten())).ok_or_else(|| {
            let max = Heights::MAX;
            format!(
                "{text:?} is not a list of heights; expected 4..16, 4..16:2 or 4,6,8, from 1 \
                 to {max}"
            )
        })
    }
}

/// `4..16` or `4..16:2`, both ends included, or a single number.
fn range(text: &str) -> Option<impl Iterator<Item = u16>> {
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|&n| n <= Heights::MAX);
    let (ends, step) = match text.split_once(':') {
        Some((ends, step)) => (ends, number(step).filter(|&step| step > 0)?),
        None => (text, 1),
    };
    let (low, high) = match ends.split_once("..") {
        Some((low, high)) => (number(low)?, number(high)?),
        None if step == 1 => (number(ends)?, number(ends)?),
        None => return None,
    };
    (low <= high).then(|| (low..=high).step_by(usize::from(step)))
}

#[cfg(test)]
mod tests {
    use super::Heights;

    #[test]
    fn heights_read_and_write_the_same_text() {
        let read = |text: &str| text.parse::<Heights>().unwrap();
        for text in ["4..16", "4..16:2", "4,6,9", "1", "4,5", "1000"] {
            assert_eq!(read(text).to_string(), text);
        }
        for (text, same) in
            [("6,4,5,6", "4..6"), ("2..4,8", "2,3,4,8"), ("4..9:3", "4,7"), ("3..3", "3")]
        {
            assert_eq!(read(text).to_string(), same);
        }
        assert_eq!(read("4..8:2").iter().collect::<Vec<_>>(), [4, 6, 8]);
        for text in ["", "0", "0..4", "7..3", "3..", "..3", "4..6:0", "5:2", "1001", "4,,5", "x"] {
            assert!(text.parse::<Heights>().unwrap_err().contains(&format!("{text:?}")));
        }
    }
}
