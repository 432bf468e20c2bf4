//! Selection: the next child, and the window in which it is searched. This is all in which the
//! kinds of rollouts differ (Huang 2015; Weinstein, Littman & Goschin 2012).

use crate::{Bounds, Rng, Side};

/// Which child a rollout selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rollout) enum Policy {
    /// The leftmost feasible child: alpha-beta.
    Leftmost,
    /// The feasible child that promises most to this side, the leftmost of several: MT-SSS*.
    Promising(Side),
    /// Any feasible child.
    Random,
    /// FSSS-Minimax.
    Fsss,
}

/// The smallest step of FSSS: less than any two values differ, for these are doubled.
const EPSILON: i64 = 1;

/// The selected child, as its place among `children`, and the window in which to search it. `None`
/// if nothing below can matter to a search with this window. That cannot happen at a node whose
/// bounds follow from its children's and overlap the window.
///
/// A window is the range, α = `lo` to β = `hi`, in which a search still has to distinguish values. A
/// child is feasible if its bounds overlap the window.
#[inline(always)]
pub(in crate::rollout) fn select(
    policy: Policy,
    mover: Side,
    window: Bounds,
    children: impl Iterator<Item = Bounds>,
    rng: &mut Rng,
) -> Option<(usize, Bounds)> {
    let windows = |children| feasible(window, children);
    match policy {
        Policy::Leftmost => windows(children).next(),
        Policy::Promising(side) => promising(side, windows(children)),
        Policy::Random => any(windows(children), rng),
        Policy::Fsss => fsss(mover, window, children),
    }
}

/// The feasible children, and their windows.
#[inline(always)]
pub(in crate::rollout) fn feasible<I: Iterator<Item = Bounds>>(
    window: Bounds,
    children: I,
) -> impl Iterator<Item = (usize, Bounds)> + use<I> {
    let windows = children.map(move |child| window.and(child)).enumerate();
    windows.filter(|(_, window)| window.lo < window.hi)
}

/// The leftmost of those with the largest min(β, up), or for the second player the smallest
/// max(α, lo).
#[inline(always)]
fn promising(
    side: Side,
    windows: impl Iterator<Item = (usize, Bounds)>,
) -> Option<(usize, Bounds)> {
    let promise = |window: Bounds| seen(window, side).hi;
    windows.reduce(|best, next| if promise(next.1) > promise(best.1) { next } else { best })
}

/// Any of them, all equally likely.
#[inline(always)]
fn any(windows: impl Iterator<Item = (usize, Bounds)>, rng: &mut Rng) -> Option<(usize, Bounds)> {
    let numbered = (1..).zip(windows);
    let drawn = numbered.reduce(|so_far, next| if rng.below(next.0) == 0 { next } else { so_far });
    drawn.map(|(_, child)| child)
}

/// Algorithm 2 of Weinstein, Littman & Goschin (2012), `Traverse`: the leftmost child with the
/// largest clipped upper bound, and a window that tests only whether it is better than its siblings
/// may be.
#[inline(always)]
fn fsss(
    mover: Side,
    window: Bounds,
    children: impl Iterator<Item = Bounds>,
) -> Option<(usize, Bounds)> {
    let Bounds { lo: alpha, hi: beta } = seen(window, mover);
    let mut best: Option<(usize, i64)> = None;
    let mut best_of_others = i64::MIN;
    for (i, child) in children.enumerate() {
        let upper = beta.min(seen(child, mover).hi);
        match best {
            Some((_, so_far)) if upper <= so_far => best_of_others = best_of_others.max(upper),
            _ => {
                best_of_others = best.map_or(i64::MIN, |(_, upper)| upper);
                best = Some((i, upper));
            }
        }
    }
    let (child, upper) = best?;
    let mut lo = alpha.max(best_of_others);
    if lo == upper {
        lo = lo.saturating_sub(EPSILON);
    }
    Some((child, seen(Bounds { lo, hi: beta }, mover)))
}

/// The same range for a side that wants as much as possible: the second player's is reversed, by
/// the complement and not by the sign, so that infinite ends are no special case.
#[inline(always)]
fn seen(bounds: Bounds, side: Side) -> Bounds {
    match side {
        Side::First => bounds,
        Side::Second => Bounds { lo: !bounds.hi, hi: !bounds.lo },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Bounds = Bounds::MARGIN;

    fn b(lo: i64, hi: i64) -> Bounds {
        Bounds { lo, hi }
    }

    fn at(policy: Policy, mover: Side, window: Bounds, children: &[Bounds]) -> (usize, Bounds) {
        select(policy, mover, window, children.iter().copied(), &mut Rng::new(1)).expect("a child")
    }

    #[test]
    fn the_leftmost_feasible_child_gets_what_is_left_of_the_window() {
        let children = [b(0, 2), b(3, 9), b(-5, 8)];
        assert_eq!(at(Policy::Leftmost, Side::First, b(2, 6), &children), (1, b(3, 6)));
        assert_eq!(at(Policy::Leftmost, Side::Second, b(-9, 0), &children), (2, b(-5, 0)));
        let none =
            select(Policy::Leftmost, Side::First, b(9, 12), children.into_iter(), &mut Rng::new(1));
        assert_eq!(none, None);
    }

    #[test]
    fn the_most_promising_child_is_the_leftmost_of_equals() {
        let children = [b(0, 4), b(0, 7), b(1, 9), b(-2, 7)];
        assert_eq!(
            at(Policy::Promising(Side::First), Side::First, b(0, 7), &children),
            (1, b(0, 7))
        );
        assert_eq!(at(Policy::Promising(Side::First), Side::First, ALL, &children), (2, b(1, 9)));
        assert_eq!(at(Policy::Promising(Side::Second), Side::First, ALL, &children), (3, b(-2, 7)));
    }

    #[test]
    fn every_feasible_child_is_drawn_and_no_other() {
        let children = [b(0, 1), b(0, 9), b(5, 5), b(1, 8)];
        let mut rng = Rng::new(3);
        let mut drawn = [0; 4];
        for _ in 0..400 {
            let selected =
                select(Policy::Random, Side::First, b(1, 9), children.into_iter(), &mut rng);
            drawn[selected.expect("a child").0] += 1;
        }
        assert_eq!((drawn[0], drawn[2]), (0, 0));
        assert!(drawn[1] > 150 && drawn[3] > 150, "{drawn:?}");
    }

    /// Values are doubled: all bounds are even or infinite.
    #[test]
    fn fsss_asks_whether_a_child_is_better_than_its_siblings_may_be() {
        let first = |window, children: &[Bounds]| at(Policy::Fsss, Side::First, window, children);
        let second = |window, children: &[Bounds]| at(Policy::Fsss, Side::Second, window, children);
        assert_eq!(first(ALL, &[b(0, 4), b(0, 10), b(0, 8)]), (1, b(8, i64::MAX)));
        // Clipped, they are equal: the left one, and a little below.
        assert_eq!(first(b(2, 6), &[b(0, 4), b(0, 10), b(0, 8)]), (1, b(5, 6)));
        assert_eq!(first(ALL, &[ALL, ALL]), (0, b(i64::MAX - 1, i64::MAX)));
        // An only child: nothing to compare it with.
        assert_eq!(first(b(2, 6), &[ALL]), (0, b(2, 6)));
        assert_eq!(second(ALL, &[b(4, 20), b(-2, 10), b(0, 8)]), (1, b(i64::MIN, 0)));
        assert_eq!(second(b(2, 6), &[b(4, 20), b(-2, 10), b(0, 8)]), (1, b(2, 3)));
        assert_eq!(second(ALL, &[ALL, ALL]), (0, b(i64::MIN, i64::MIN + 1)));
    }
}
