//! Work that takes time: on a thread of its own, a limited number at once, and only while a client waits.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::State;
use crate::answer::{Answer, Refusal};

/// Maximum number of searches at once.
const SEARCHES: usize = 6;
/// Maximum number of experiments that are watched at once.
const WATCHERS: usize = 8;
/// Maximum time of a search.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(600);
/// Maximum time of work that is answered at once: a connection must not be idle for longer.
const MAX_WAITING: Duration = Duration::from_secs(25);
/// Maximum memory of a search.
pub(crate) const MAX_MEMORY: u64 = 512 << 20;
/// Large enough for the deepest search.
const STACK_BYTES: usize = 64 << 20;
/// How often a stream says that it is alive, which is also how soon a client that left is noticed.
const ALIVE_EVERY: Duration = Duration::from_millis(500);

/// How many may still work.
#[derive(Debug)]
pub(crate) struct Jobs {
    searches: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
}

/// Ends the work when it is dropped: the client has left, or has its answer.
struct Leash(Arc<AtomicBool>);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What happened, by its name. The JSON is made where it is sent: a search has better things to do.
pub(crate) type Happened = (&'static str, Box<dyn FnOnce() -> Value + Send>);

/// Where a job sends its events.
pub(crate) struct Out {
    sender: mpsc::Sender<Happened>,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Out {
    /// For tests: where events go to, and where they arrive.
    #[cfg(test)]
    pub(crate) fn heard() -> (Out, mpsc::Receiver<Happened>) {
        let (sender, receiver) = mpsc::channel(2);
        (Out { sender, cancel: Arc::default() }, receiver)
    }

    /// Sends an event if the client keeps up; one that does not misses it. What `gather` returns makes
    /// the JSON later, on the thread of the server.
    pub(crate) fn offer<J>(&self, name: &'static str, gather: impl FnOnce() -> J)
    where
        J: FnOnce() -> Value + Send + 'static,
    {
        if let Ok(place) = self.sender.try_reserve() {
            place.send((name, Box::new(gather())));
        }
    }

    /// Sends an event, however long the client takes.
    pub(crate) fn send(&self, name: &'static str, value: Value) {
        let _ = self.sender.blocking_send((name, Box::new(move || value)));
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.sender.is_closed()
    }
}

impl Default for Jobs {
    fn default() -> Jobs {
        let [searches, watchers] = [SEARCHES, WATCHERS].map(|most| Arc::new(Semaphore::new(most)));
        Jobs { searches, watchers }
    }
}

impl State {
    /// Does something on a thread of its own, and answers with what comes out.
    pub(crate) async fn run<T: Send + 'static>(
        self: Arc<State>,
        work: impl FnOnce(&State, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = permit(&self.jobs.searches)?;
        let cancel = Arc::new(AtomicBool::new(false));
        let leash = Leash(Arc::clone(&cancel));
        let (sender, answer) = oneshot::channel();
        spawn(permit, move || drop(sender.send(work(&self, &cancel))))?;
        let answer = tokio::time::timeout(MAX_WAITING, answer).await;
        drop(leash);
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(failed("it failed: the terminal says why")),
            Err(_) => Err(failed("it took longer than 25 seconds, and was stopped")),
        }
    }

    /// A search on a thread of its own, whose events are streamed.
    pub(crate) fn search(
        self: Arc<State>,
        work: impl FnOnce(&State, &Out) -> Result<(), Refusal> + Send + 'static,
    ) -> Answer {
        let permit = permit(&self.jobs.searches)?;
        stream_of(permit, Some(MAX_TIME), move |out| work(&self, out))
    }

    /// Watches something for as long as the client is there.
    pub(crate) fn watch(
        self: Arc<State>,
        work: impl FnOnce(&State, &Out) -> Result<(), Refusal> + Send + 'static,
    ) -> Answer {
        let permit = permit(&self.jobs.watchers)?;
        stream_of(permit, None, move |out| work(&self, out))
    }
}

fn permit(free: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
    Arc::clone(free).try_acquire_owned().map_err(|_| {
        let message = "too many searches at once; stop one, or wait until one ends";
        Refusal::with(StatusCode::TOO_MANY_REQUESTS, message)
    })
}

fn failed(message: &str) -> Refusal {
    Refusal::with(StatusCode::INTERNAL_SERVER_ERROR, message)
}

/// Starts a thread that keeps the permit until it ends.
fn spawn(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() + Send + 'static,
) -> Result<(), Refusal> {
    let work = move || {
        work();
        drop(permit);
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.map(drop).map_err(|error| failed(&format!("cannot start a thread: {error}")))
}

fn stream_of(
    permit: OwnedSemaphorePermit,
    most: Option<Duration>,
    work: impl FnOnce(&Out) -> Result<(), Refusal> + Send + 'static,
) -> Answer {
    let cancel = Arc::new(AtomicBool::new(false));
    let leash = Leash(Arc::clone(&cancel));
    // Few, so that a slow client sees what is new and not what was.
    let (sender, receiver) = mpsc::channel(2);
    let out = Out { sender, cancel };
    spawn(permit, move || {
        if let Err(refusal) = work(&out) {
            out.send("error", refusal.json());
        }
    })?;
    let end = most.map(|most| Instant::now() + most);
    let events =
        stream::unfold((receiver, leash, end), |(mut receiver, leash, mut end)| async move {
            let in_time = match end {
                Some(at) => timeout_at(at, receiver.recv()).await.ok(),
                None => Some(receiver.recv().await),
            };
            let next = match in_time {
                Some(next) => next,
                None => {
                    // Out of time: the search ends with what it has, and that is sent.
                    leash.0.store(true, Ordering::Relaxed);
                    end = None;
                    receiver.recv().await
                }
            };
            let (name, json) = next?;
            let event = Event::default().event(name).data(json().to_string());
            Some((Ok::<Event, Infallible>(event), (receiver, leash, end)))
        });
    let alive = KeepAlive::new().interval(ALIVE_EVERY);
    Ok(Sse::new(events).keep_alive(alive).into_response())
}
