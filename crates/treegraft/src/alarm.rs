//! Noticing in time that the time is over: an alarm for whatever takes long inside a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Rings when a search's time is over or it is cancelled, and does not stop. The default never
/// rings.
///
/// Whatever takes long inside a search announces its work to the alarm in steps: one for every
/// position that it is about to look at. About every 100 microseconds of such work, the alarm looks
/// at the clock.
#[derive(Clone, Debug)]
pub struct Alarm<'a> {
    at: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
    pace: Pace,
    has_rung: bool,
}

impl Default for Alarm<'_> {
    fn default() -> Self {
        let pace = Pace { left: u32::MAX, stride: u32::MAX, most: u32::MAX, last_look: None };
        Alarm { at: None, cancel: None, pace, has_rung: false }
    }
}

impl<'a> Alarm<'a> {
    /// An alarm for a search that has begun at `start`: it rings at a time, or if the flag is set.
    pub(crate) fn new(
        start: Instant,
        at: Option<Instant>,
        cancel: Option<&'a AtomicBool>,
    ) -> Alarm<'a> {
        if at.is_none() && cancel.is_none() {
            return Alarm::default();
        }
        Alarm { at, cancel, pace: Pace::from(start), has_rung: false }
    }

    /// Announces `steps` steps of work; returns whether the alarm rings before them. Nearly always
    /// cheap, and independent of the clock if there is neither a limit on time nor a flag.
    #[inline]
    pub fn rings_before(&mut self, steps: usize) -> bool {
        !self.pace.passes(steps as u32) && self.look()
    }

    /// Notes that steps of work follow, without an answer: [`has_rung`](Alarm::has_rung) has it.
    #[inline]
    pub fn expect(&mut self, steps: usize) {
        self.rings_before(steps);
    }

    /// Whether it rang in the last call of [`rings_before`](Alarm::rings_before).
    #[inline(always)]
    #[must_use]
    pub fn has_rung(&self) -> bool {
        self.has_rung
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.at.is_none() && self.cancel.is_none() {
            self.pace.left = self.pace.stride;
            return false;
        }
        let now = self.pace.look();
        self.has_rung |= self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.at.is_some_and(|at| now >= at);
        if self.has_rung {
            self.pace.left = 0;
        }
        self.has_rung
    }
}

/// How much work is done between two looks at the clock.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    /// Steps until the next look, and how many there were until the last one.
    left: u32,
    stride: u32,
    /// However cheap the last steps were: the next ones may cost a hundred times as much, as where
    /// a search leaves what its table knows.
    pub(crate) most: u32,
    last_look: Option<Instant>,
}

impl Pace {
    const MAX_STEPS: u32 = 1024;

    pub(crate) fn from(start: Instant) -> Pace {
        Pace { left: 1, stride: 1, most: Pace::MAX_STEPS, last_look: Some(start) }
    }

    /// Counts steps; `false` if it is time to look at the clock.
    #[inline(always)]
    pub(crate) fn passes(&mut self, steps: u32) -> bool {
        let passes = steps < self.left;
        if passes {
            self.left -= steps;
        }
        passes
    }

    /// Counts steps; the next look comes no sooner than with the next step.
    #[inline(always)]
    pub(crate) fn charge(&mut self, steps: u32) {
        self.left = self.left.saturating_sub(steps).max(1);
    }

    /// Makes the next step the one before which the clock is looked at.
    pub(crate) fn hurry(&mut self) {
        self.left = 1;
    }

    /// Looks at the clock, and adapts how often this happens: about every 100 microseconds.
    pub(crate) fn look(&mut self) -> Instant {
        let now = Instant::now();
        let since = self.last_look.map_or(0, |last| (now - last).as_micros());
        self.last_look = Some(now);
        if since < 50 {
            self.stride = (self.stride * 2).min(self.most);
        } else if since > 200 {
            // In one go: halving would make several looks late that are late already.
            let times = u32::try_from(since / 100).unwrap_or(u32::MAX);
            self.stride = (self.stride / times).max(1);
        }
        self.left = self.stride;
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_and_flag_it_never_rings() {
        let mut alarm = Alarm::default();
        assert!((0..10_000).all(|_| !alarm.rings_before(1 << 20)));
        assert!(!alarm.has_rung());
    }

    /// However cheap the work was so far.
    #[test]
    fn it_rings_soon_and_does_not_stop() {
        for steps in [1, 7, 300, 5000] {
            let flag = AtomicBool::new(false);
            let mut alarm = Alarm::new(Instant::now(), None, Some(&flag));
            assert!((0..100_000).all(|_| !alarm.rings_before(steps)));
            flag.store(true, Ordering::Relaxed);
            let late = (0..).take_while(|_| !alarm.rings_before(steps)).count() * steps;
            assert!(late < Pace::MAX_STEPS as usize, "{late} of {steps}");
            flag.store(false, Ordering::Relaxed);
            assert!(alarm.has_rung() && alarm.rings_before(0));
        }
    }

    #[test]
    fn it_rings_when_the_time_is_over() {
        let now = Instant::now();
        assert!(Alarm::new(now, Some(now), None).rings_before(1));
        let later = now + std::time::Duration::from_secs(3600);
        assert!(!Alarm::new(now, Some(later), None).rings_before(1));
    }
}
