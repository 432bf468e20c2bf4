//! A clock that stands still while this process is stopped (Ctrl-Z, `kill -STOP`): an engine goes on
//! meanwhile, and what it says is read too late by no fault of its own.

use std::time::{Duration, Instant};

/// How often a clock is looked at by whoever waits.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// A longer time between two looks means that this process did not run. Shorter stops are within
/// the time that a move may come late.
const STOPPED: Duration = Duration::from_millis(100);

/// The time that passes while this process runs. It has to be looked at every [`GLANCE`].
pub(super) struct AwakeClock {
    looked: Instant,
    /// The time in which this process was stopped.
    lost: Duration,
}

impl AwakeClock {
    pub(super) fn start() -> AwakeClock {
        AwakeClock { looked: Instant::now(), lost: Duration::ZERO }
    }

    /// The time on this clock.
    pub(super) fn now(&mut self) -> Instant {
        self.look(Instant::now())
    }

    /// What this clock showed at a moment that has just passed.
    pub(super) fn time_of(&mut self, moment: Instant) -> Instant {
        let (looked, lost) = (self.looked, self.lost);
        self.now();
        // Before it was stopped, or after.
        (moment - self.lost).max(moment.min(looked) - lost)
    }

    fn look(&mut self, now: Instant) -> Instant {
        let gap = now.saturating_duration_since(self.looked);
        if gap > STOPPED {
            self.lost += gap - GLANCE;
        }
        self.looked = now;
        now - self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_takes_no_time() {
        let mut clock = AwakeClock::start();
        let begun = clock.looked;
        let after = |ms| begun + Duration::from_millis(ms);
        assert_eq!(clock.look(after(20)), after(20));
        assert_eq!(clock.look(after(110)), after(110));
        // Five seconds, of which it could have waited for 20 ms.
        assert_eq!(clock.look(after(5110)), after(130));
        assert_eq!(clock.look(after(5120)), after(140));
    }

    #[test]
    fn what_came_before_a_stop_came_before_it() {
        let second = Duration::from_secs(1);
        let clock = || AwakeClock { looked: Instant::now() - second, lost: Duration::ZERO };
        let mut stopped = clock();
        let begun = stopped.looked;
        let at_the_end = stopped.time_of(Instant::now());
        assert!(at_the_end - begun < Duration::from_millis(100), "{:?}", at_the_end - begun);
        assert_eq!(clock().time_of(begun), begun);
    }
}
