//! The requested levels.

use std::fmt;
use std::str::FromStr;

use treegraft_lab::as_text;

/// Levels of traps from the lowest to the highest: `3..7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    low: u32,
    high: u32,
}

impl Levels {
    /// The highest level: a search for a higher one would take too long.
    pub const MAX: u32 = 30;

    /// Levels from `low` to `high`; `None` if there are none, or `high` is above
    /// [`MAX`](Levels::MAX).
    #[must_use]
    pub fn new(low: u32, high: u32) -> Option<Levels> {
        (low <= high && high <= Levels::MAX).then_some(Levels { low, high })
    }

    /// The lowest level.
    #[must_use]
    pub fn low(self) -> u32 {
        self.low
    }

    /// The highest level.
    #[must_use]
    pub fn high(self) -> u32 {
        self.high
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.low..=self.high
    }
}

/// Those of the paper.
impl Default for Levels {
    fn default() -> Levels {
        Levels { low: 3, high: 7 }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.low == self.high {
            true => write!(f, "{}", self.low),
            false => write!(f, "{}..{}", self.low, self.high),
        }
    }
}

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Levels, String> {
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let ends = match text.split_once("..") {
            Some((low, high)) => number(low).zip(number(high)),
            None => number(text).map(|level| (level, level)),
        };
        ends.and_then(|(low, high)| Levels::new(low, high)).ok_or_else(|| {
            let max = Levels::MAX;
            format!(
                "{text:?} is not a range of levels; expected LOW..HIGH from 0 to {max}, such \
                 as 3..7"
            )
        })
    }
}

as_text!(Levels);

#[cfg(test)]
mod tests {
    use super::Levels;

    #[test]
    fn levels_read_and_write_the_same_text() {
        for text in ["3..7", "0", "5", "0..30"] {
            assert_eq!(text.parse::<Levels>().unwrap().to_string(), text);
        }
        assert_eq!("4..4".parse::<Levels>().unwrap().to_string(), "4");
        for text in ["", "7..3", "3..31", "-1", "3..", "..3", "3...7", "three"] {
            assert!(text.parse::<Levels>().unwrap_err().contains(&format!("{text:?}")));
        }
    }
}
