//! Who observes a search: somebody, or nobody, in which case nothing of it is compiled.

use std::collections::HashSet;

use super::{Event, What};

/// Is told what a search does. Searches ask [`IS_ON`](Observer::IS_ON) before they call anything, so
/// that a search that nobody observes has no code for it.
pub(crate) trait Observer<M> {
    /// Whether anybody observes.
    const IS_ON: bool;

    /// Something happens at the node where the recursion is.
    fn see(&mut self, what: What<M>);

    /// Something happens at this node.
    fn see_at(&mut self, path: Vec<M>, what: What<M>);

    /// The recursion goes to a child.
    fn down(&mut self, mv: M);

    /// It comes back.
    fn up(&mut self);

    /// It begins at this node.
    fn go_to(&mut self, path: Vec<M>);

    /// The moves to the node where it is.
    fn path(&self) -> Vec<M>;

    /// Takes a note of something that belongs to a later event.
    fn note(&mut self, note: String);

    /// The notes, which are forgotten.
    fn take_notes(&mut self) -> Vec<String>;

    /// What happens from now on is not told.
    fn hide(&mut self);

    /// It is told again.
    fn show(&mut self);

    /// Whether a node, given by its number, is marked for the first time since the marks were
    /// forgotten.
    fn mark(&mut self, node: usize) -> bool;

    /// Forgets all marks.
    fn forget_marks(&mut self);
}

/// Nobody observes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unobserved;

impl<M> Observer<M> for Unobserved {
    const IS_ON: bool = false;

    #[inline(always)]
    fn see(&mut self, _: What<M>) {}
    #[inline(always)]
    fn see_at(&mut self, _: Vec<M>, _: What<M>) {}
    #[inline(always)]
    fn down(&mut self, _: M) {}
    #[inline(always)]
    fn up(&mut self) {}
    #[inline(always)]
    fn go_to(&mut self, _: Vec<M>) {}
    #[inline(always)]
    fn path(&self) -> Vec<M> {
        Vec::new()
    }
    #[inline(always)]
    fn note(&mut self, _: String) {}
    #[inline(always)]
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }
    #[inline(always)]
    fn hide(&mut self) {}
    #[inline(always)]
    fn show(&mut self) {}
    #[inline(always)]
    fn mark(&mut self, _: usize) -> bool {
        false
    }
    #[inline(always)]
    fn forget_marks(&mut self) {}
}

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

    fn see(&mut self, what: What<M>) {
        self.see_at(self.path.clone(), what);
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
        watcher.see(What::Line);
        watcher.up();
        watcher.hide();
        watcher.see(What::Line);
        watcher.hide();
        watcher.show();
        watcher.see_at(vec![9], What::Line);
        watcher.show();
        watcher.see(What::Line);
        watcher.go_to(vec![7, 8]);
        watcher.see(What::Line);
        assert!(watcher.mark(3) && !watcher.mark(3));
        watcher.forget_marks();
        assert!(watcher.mark(3));
        assert_eq!(told, [vec![1, 2], vec![1], vec![7, 8]]);
    }
}
