//! A published value beside a measured one.

use serde::Serialize;
use treegraft_stats::Interval;

use crate::outcome::Measurement;
use crate::published::{Metric, Published};

/// A published value beside what was measured.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// What was published.
    pub published: &'a Published,
    /// What was measured; `None`: nothing yet.
    pub measured: Option<Measurement>,
    /// What both say together.
    pub verdict: Verdict,
}

/// What a published value and a measured one say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The 95 % intervals overlap.
    Agrees,
    /// Both are on the same side of 50 %, and significantly so.
    SameSignificance,
    /// Both are on the same side of 50 %.
    SameSign,
    /// They are on different sides of 50 %; other values: their intervals do not overlap.
    Differs,
    /// They are on different sides of 50 %, both significantly.
    Opposite,
    /// They depend on the machine or the program.
    NotCompared,
    /// Nothing was measured yet.
    NotMeasured,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Agrees,
        Verdict::SameSignificance,
        Verdict::SameSign,
        Verdict::Differs,
        Verdict::Opposite,
        Verdict::NotCompared,
        Verdict::NotMeasured,
    ];

    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::SameSignificance => "same sign, significant",
            Verdict::SameSign => "same sign",
            Verdict::Differs => "differs",
            Verdict::Opposite => "opposite",
            Verdict::NotCompared => "not compared",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// Whether the difference needs an explanation.
    #[must_use]
    pub fn needs_reason(self) -> bool {
        matches!(self, Verdict::Differs | Verdict::Opposite)
    }
}

impl<'a> Comparison<'a> {
    /// Compares what was published with what was measured.
    #[must_use]
    pub fn new(published: &'a Published, measured: Option<Measurement>) -> Comparison<'a> {
        let verdict = measured.as_ref().map_or(Verdict::NotMeasured, |it| verdict(published, it));
        Comparison { published, measured, verdict }
    }

    /// By how much the measured value is larger.
    #[must_use]
    pub fn difference(&self) -> Option<f64> {
        self.measured.as_ref().map(|it| it.value - self.published.number())
    }

    /// Whether both are on the same side of 50 %, for scores that lie at least 5 points from it in the
    /// paper; `None` for others.
    #[must_use]
    pub fn same_sign(&self) -> Option<bool> {
        let (published, measured) = (self.published.number() - 50.0, self.measured.as_ref()?);
        let is_clear = self.published.is_score() && published.abs() >= 5.0;
        is_clear.then_some(published * (measured.value - 50.0) > 0.0)
    }
}

fn verdict(published: &Published, measured: &Measurement) -> Verdict {
    if matches!(published.metric, Metric::SimsPerSecond | Metric::RelativeSimSpeedPercent) {
        return Verdict::NotCompared;
    }
    let ours = Interval { low: measured.low, high: measured.high };
    let value = published.number();
    // Without an interval of its own a published value is taken to be as uncertain as ours.
    let theirs = published.interval().unwrap_or_else(|| match published.is_score() {
        true => Interval { low: value, high: value },
        false => Interval {
            low: value - (measured.value - ours.low),
            high: value + (ours.high - measured.value),
        },
    });
    if ours.low <= theirs.high && theirs.low <= ours.high {
        return Verdict::Agrees;
    }
    if !published.is_score() {
        return Verdict::Differs;
    }
    let is_significant = |interval: Interval| interval.low > 50.0 || interval.high < 50.0;
    // Unknown for a value without a number of games.
    let both = is_significant(ours) && published.interval().is_some_and(is_significant);
    match ((value - 50.0) * (measured.value - 50.0) > 0.0, both) {
        (true, true) => Verdict::SameSignificance,
        (true, false) => Verdict::SameSign,
        (false, true) => Verdict::Opposite,
        (false, false) => Verdict::Differs,
    }
}
