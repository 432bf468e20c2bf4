//! Observers of searches. Nothing of this is compiled into a search without one.

use std::collections::HashSet;

use super::{Event, What};

/// Is passed what a search does. By default nothing is recorded, so that a search without an observer
/// has no code for it: [`IS_ON`](Observer::IS_ON) is checked before anything is computed for one.
pub(crate) trait Observer<M> {
    /// Whether there is an observer.
    const IS_ON: bool = false;

    /// Something happens at the node where the recursion is.
    #[inline(always)]
    fn see(&mut self, _: impl FnOnce() -> What<M>) {}

    /// Something happens at this node.
    #[inline(always)]
    fn see_at(&mut self, _: Vec<M>, _: What<M>) {}

    /// The recursion goes to a child.
    #[inline(always)]
    fn down(&mut self, _: M) {}

    /// It comes back.
    #[inline(always)]
    fn up(&mut self) {}

    /// It begins at this node.
    #[inline(always)]
    fn go_to(&mut self, _: Vec<M>) {}

    /// The moves to the node where it is.
    #[inline(always)]
    fn path(&self) -> Vec<M> {
        Vec::new()
    }

    /// Takes a note of something that belongs to a later event.
    #[inline(always)]
    fn note(&mut self, _: String) {}

    /// The notes, which are forgotten.
    #[inline(always)]
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// From now on, events are hidden.
    #[inline(always)]
    fn hide(&mut self) {}

    /// Events are shown again.
    #[inline(always)]
    fn show(&mut self) {}

    /// Whether a node, given by its number, is marked for the first time since the marks were
    /// forgotten.
    #[inline(always)]
    fn mark(&mut self, _: usize) -> bool {
        false
    }

    /// Forgets all marks.
    #[inline(always)]
    fn forget_marks(&mut self) {}
}

/// No observer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unobserved;

impl<M> Observer<M> for Unobserved {}

/// Hands out every event.
pub(crate) struct Watcher<'o, M> {
    tell: &'o mut dyn FnMut(Event<M>),
    path: Vec<M>,
    notes: Vec<String>,
    hidden: u32,
    marked: HashSet<usize>,
}

impl<'o, M> Watcher<'o, M> {
    pub(crate) fn new(tell: &'o mut dyn FnMut(Event<M>)) -> Watcher<'o, M> {
        Watcher { tell, path: Vec::new(), notes: Vec::new(), hidden: 0, marked: HashSet::new() }
    }
}

impl<M: Copy> Observer<M> for Watcher<'_, M> {
    const IS_ON: bool = true;

    fn see(&mut self, what: impl FnOnce() -> What<M>) {
        self.see_at(self.path.clone(), what());
    }

    fn see_at(&mut self, path: Vec<M>, what: What<M>) {
        if self.hidden == 0 {
            (self.tell)(Event { path, what });
        }
    }

    fn down(&mut self, mv: M) {
        self.path.push(mv);
    }

    fn up(&mut self) {
        self.path.pop();
    }

    fn go_to(&mut self, path: Vec<M>) {
        self.path = path;
    }

    fn path(&self) -> Vec<M> {
        self.path.clone()
    }

    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn hide(&mut self) {
        self.hidden += 1;
    }

    fn show(&mut self) {
        self.hidden -= 1;
    }

    fn mark(&mut self, node: usize) -> bool {
        self.marked.insert(node)
    }

    fn forget_marks(&mut self) {
        self.marked.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_no_room() {
        assert_eq!(size_of::<Unobserved>(), 0);
        const { assert!(!<Unobserved as Observer<u8>>::IS_ON) };
    }

    #[test]
    fn events_are_told_where_the_recursion_is_unless_they_are_hidden() {
        let mut told = Vec::new();
        let mut tell = |event: Event<u8>| told.push(event.path);
        let mut watcher = Watcher::new(&mut tell);
        watcher.down(1);
        watcher.down(2);
        watcher.see(|| What::Line);
        watcher.up();
        watcher.hide();
        watcher.see(|| What::Line);
        watcher.hide();
        watcher.show();
        watcher.see_at(vec![9], What::Line);
        watcher.show();
        watcher.see(|| What::Line);
        watcher.go_to(vec![7, 8]);
        watcher.see(|| What::Line);
        assert!(watcher.mark(3) && !watcher.mark(3));
        watcher.forget_marks();
        assert!(watcher.mark(3));
        assert_eq!(told, [vec![1, 2], vec![1], vec![7, 8]]);
    }
}
