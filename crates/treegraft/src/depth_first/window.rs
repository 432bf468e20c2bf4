//! Integer scores: search windows, and what is known of a value.

use crate::EVAL_ONE;

/// Beyond every score, and small enough to be negated and to be moved by one.
pub(super) const INFINITY: i64 = 1 << 60;

/// A won game when outcomes count: more than any evaluation, so that 1.1 stands for a proof.
pub(crate) const WIN: i64 = EVAL_ONE as i64 * 11 / 10;

/// A range of scores. As a search window: outside of it, "at most `lo`" or "at least `hi`" is
/// answer enough. As an answer: the value lies in it, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Window {
    /// Anything.
    pub(super) const ALL: Window = Window { lo: -INFINITY, hi: INFINITY };

    #[inline(always)]
    pub(super) fn exactly(value: i64) -> Window {
        Window { lo: value, hi: value }
    }

    /// The null window that tests whether a value is at least `value`.
    #[inline(always)]
    pub(super) fn test(value: i64) -> Window {
        Window { lo: value - 1, hi: value }
    }

    /// The same range in the view of the same side (sign 1) or of the other one (sign -1).
    #[inline(always)]
    pub(super) fn seen(self, sign: i64) -> Window {
        if sign < 0 { Window { lo: -self.hi, hi: -self.lo } } else { self }
    }

    /// Whether there is a score strictly inside.
    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.hi - self.lo > 1
    }

    #[inline(always)]
    pub(super) fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// What both say; where they contradict each other, `self`.
    #[inline(always)]
    pub(super) fn and(self, other: Window) -> Window {
        let both = Window { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        if both.lo <= both.hi { both } else { self }
    }

    /// What a search in a window that `known` has narrowed has found, and `known`. Results of different
    /// depths may contradict each other: then what was known counts, and it alone, so that there is an
    /// answer to the requested window.
    #[inline(always)]
    pub(super) fn reconciled(self, known: Window) -> Window {
        if self.lo > known.hi {
            Window::exactly(known.hi)
        } else if self.hi < known.lo {
            Window::exactly(known.lo)
        } else {
            self.and(known)
        }
    }

    /// Whether this answers a search with the window `asked`: the value is known, or is outside of it.
    pub(super) fn answers(self, asked: Window) -> bool {
        self.lo >= self.hi || self.lo >= asked.hi || self.hi <= asked.lo
    }

    /// Only the bound that answers a search with the window `asked`: the classic one-bound result.
    #[inline(always)]
    pub(super) fn answer_to(self, asked: Window) -> Window {
        if self.is_exact() {
            self
        } else if self.lo >= asked.hi {
            Window { hi: INFINITY, ..self }
        } else {
            Window { lo: -INFINITY, ..self }
        }
    }
}
