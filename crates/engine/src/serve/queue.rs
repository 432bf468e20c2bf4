//! Orders that wait for their turn, and the searches among them, which can be ended out of turn.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What may wait, in bytes: about a hundred thousand lines. More than anybody types by hand, and a
/// flood does not use up the memory.
pub(super) const WAITING_BYTES: usize = 16 << 20;

/// What an order takes besides its text, in bytes.
const ORDER_BYTES: usize = 64;

/// Something to do, in its turn.
pub(super) enum Order {
    Line(String),
    /// A line that starts a search, and the flag that ends it early.
    Search(String, Arc<AtomicBool>),
    /// What was read is not a line.
    Nonsense(&'static str),
    /// The number of lines that came while the queue was full.
    Refused(u64),
}

/// When the next order has to wait for others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenFull {
    /// Who sends it waits, too: for protocols in which nothing overtakes.
    Wait,
    /// It is refused, so that those behind it can be read: one may be `stop`.
    Refuse,
}

/// The orders of one conversation.
pub(super) struct Queue {
    when_full: WhenFull,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    orders: VecDeque<Order>,
    /// What the orders take.
    bytes: usize,
    /// The search in work and those that wait, in their order.
    searches: VecDeque<Search>,
    /// Whether the first of them is in work.
    is_searching: bool,
    /// Nothing is added any more.
    is_closed: bool,
}

struct Search {
    cancel: Arc<AtomicBool>,
    /// Whether it ends only at `stop`.
    is_endless: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.bytes >= WAITING_BYTES
    }

    fn add(&mut self, order: Order) {
        self.bytes += cost(&order);
        self.orders.push_back(order);
    }
}

fn cost(order: &Order) -> usize {
    let text = match order {
        Order::Line(text) | Order::Search(text, _) => text.len(),
        Order::Nonsense(_) | Order::Refused(_) => 0,
    };
    text + ORDER_BYTES
}

impl Queue {
    pub(super) fn new(when_full: WhenFull) -> Queue {
        Queue { when_full, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an order; `false` if it will not be carried out.
    pub(super) fn push(&self, order: Order) -> bool {
        self.push_to(self.state(), order, false)
    }

    /// Adds a search.
    pub(super) fn push_search(&self, line: String, is_endless: bool) -> bool {
        self.push_to(self.state(), Order::Search(line, Arc::default()), is_endless)
    }

    /// Adds an order unless a search is in work, which it may overtake; whether it was added.
    pub(super) fn push_if_idle(&self, order: Order) -> bool {
        let state = self.state();
        let front = state.searches.front().filter(|_| state.is_searching);
        // One that was stopped is over in a moment.
        if front.is_some_and(|search| !search.cancel.load(Ordering::Relaxed)) {
            return false;
        }
        self.push_to(state, order, false);
        true
    }

    fn push_to(&self, mut state: MutexGuard<'_, State>, order: Order, is_endless: bool) -> bool {
        while self.when_full == WhenFull::Wait && state.is_full() && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed {
            return false;
        }
        if state.is_full() {
            // One order stands for all that are refused in a row.
            match state.orders.back_mut() {
                Some(Order::Refused(count)) => *count += 1,
                _ => state.add(Order::Refused(1)),
            }
        } else {
            if let Order::Search(_, cancel) = &order {
                let cancel = Arc::clone(cancel);
                state.searches.push_back(Search { cancel, is_endless });
            }
            state.add(order);
        }
        self.changed.notify_all();
        true
    }

    /// The next order, as soon as there is one; `None` at the end of all.
    pub(super) fn next(&self) -> Option<Order> {
        let mut state = self.state();
        loop {
            if let Some(order) = state.orders.pop_front() {
                state.bytes -= cost(&order);
                self.changed.notify_all();
                return Some(order);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The search that was ordered is in work from now on. Takes out the lines that need not wait
    /// for its end; returns their number.
    pub(super) fn begin_search(&self, overtakes: &str) -> usize {
        let mut state = self.state();
        state.is_searching = true;
        let (before, mut freed) = (state.orders.len(), 0);
        state.orders.retain(|order| {
            let stays = !matches!(order, Order::Line(line) if line == overtakes);
            freed += if stays { 0 } else { cost(order) };
            stays
        });
        state.bytes -= freed;
        before - state.orders.len()
    }

    /// The search that was ordered is over, or was refused.
    pub(super) fn end_search(&self) {
        let mut state = self.state();
        state.is_searching = false;
        state.searches.pop_front();
    }

    /// Ends the last search, which need not have begun.
    pub(super) fn stop(&self) {
        if let Some(last) = self.state().searches.back() {
            last.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// No order follows. Searches that would never end do so now.
    pub(super) fn close(&self) {
        self.end(|search| search.is_endless);
    }

    /// No order follows, and no search is worth waiting for.
    pub(super) fn quit(&self) {
        self.end(|_| true);
    }

    /// No order follows, and these searches end now.
    fn end(&self, which: impl Fn(&Search) -> bool) {
        let mut state = self.state();
        state.is_closed = true;
        for search in state.searches.iter().filter(|search| which(search)) {
            search.cancel.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }
}

/// Forgets all orders and ends all searches when it is dropped: the answers are no longer read, or no
/// longer given.
pub(super) struct EndsAll<'a>(pub(super) &'a Queue);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        self.0.quit();
        let mut state = self.0.state();
        state.orders.clear();
        state.bytes = 0;
    }
}
