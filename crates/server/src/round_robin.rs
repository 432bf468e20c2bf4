//! Queues that are served in turn: one for each visitor, each with a bounded length.

use std::collections::VecDeque;

use crate::visitor::Visitor;

/// What waits, by visitor. No queue in it is empty.
#[derive(Debug)]
pub(crate) struct RoundRobin<T> {
    turns: VecDeque<(Visitor, VecDeque<T>)>,
}

impl<T> Default for RoundRobin<T> {
    fn default() -> RoundRobin<T> {
        RoundRobin { turns: VecDeque::new() }
    }
}

impl<T> RoundRobin<T> {
    /// Adds something to the queue of a visitor; returns it if `most` wait there already.
    pub(crate) fn push(&mut self, visitor: Visitor, item: T, most: usize) -> Result<(), T> {
        match self.turns.iter_mut().find(|(whose, _)| *whose == visitor) {
            Some((_, queue)) if queue.len() >= most => return Err(item),
            Some((_, queue)) => queue.push_back(item),
            None => self.turns.push_back((visitor, VecDeque::from([item]))),
        }
        Ok(())
    }

    /// What has waited longest for the first visitor in turn who may have something; the next turn of
    /// this visitor is the last one.
    pub(crate) fn next(&mut self, may: impl Fn(Visitor) -> bool) -> Option<(Visitor, T)> {
        let turn = self.turns.iter().position(|(visitor, _)| may(*visitor))?;
        let (visitor, mut queue) = self.turns.remove(turn)?;
        let item = queue.pop_front()?;
        if !queue.is_empty() {
            self.turns.push_back((visitor, queue));
        }
        Some((visitor, item))
    }

    /// How much waits.
    pub(crate) fn len(&self) -> usize {
        self.turns.iter().map(|(_, queue)| queue.len()).sum()
    }

    /// Forgets what is not wanted any more.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.turns.iter_mut().for_each(|(_, queue)| queue.retain(&is_wanted));
        self.turns.retain(|(_, queue)| !queue.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_take_turns_and_a_full_queue_is_full_for_one() {
        let [a, b, c] = [1, 2, 3].map(Visitor::number);
        let mut waiting = RoundRobin::default();
        for item in ["a1", "a2", "a3"] {
            waiting.push(a, item, 3).expect("room");
        }
        assert_eq!(waiting.push(a, "a4", 3), Err("a4"));
        waiting.push(b, "b1", 3).expect("room");
        waiting.push(c, "c1", 3).expect("room");
        waiting.retain(|item| *item != "a2");
        let order: Vec<_> = std::iter::from_fn(|| waiting.next(|_| true)).collect();
        assert_eq!(order, [(a, "a1"), (b, "b1"), (c, "c1"), (a, "a3")]);
    }

    #[test]
    fn who_may_not_is_passed_over() {
        let [a, b] = [1, 2].map(Visitor::number);
        let mut waiting = RoundRobin::default();
        waiting.push(a, 1, 3).expect("room");
        waiting.push(b, 2, 3).expect("room");
        assert_eq!(waiting.next(|visitor| visitor == b), Some((b, 2)));
        assert_eq!(waiting.next(|visitor| visitor == b), None);
        assert_eq!(waiting.next(|_| true), Some((a, 1)));
        assert_eq!(waiting.next(|_| true), None);
    }
}
