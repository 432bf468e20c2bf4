//! Long work while Python stays responsive: signals are noticed, callbacks are made, and exceptions
//! of the user's code end the work and come out as themselves.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_ulong;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::threads::{interrupt, keep_state, number};

/// How long a signal may go unnoticed.
const GLANCE: Duration = Duration::from_millis(20);

/// How many glances the user's code may ignore that the work is over, before it is interrupted.
const PATIENCE: u32 = 2;

/// Depth-first searches recurse, and so may the user's code that they call.
const STACK_BYTES: usize = 64 << 20;

/// What ends a piece of work early, and why.
#[derive(Clone)]
pub(crate) struct Trouble(Arc<Inner>);

struct Inner {
    cancel: AtomicBool,
    error: Mutex<Option<PyErr>>,
    /// Whether ordinary exceptions are reported as what a check found, and not raised.
    reports: bool,
    /// The threads that run the user's code for this work, by Python's numbers.
    threads: Mutex<Vec<c_ulong>>,
}

thread_local! {
    /// The work for which this thread is known to run the user's code.
    static KNOWN_TO: Cell<*const Inner> = const { Cell::new(ptr::null()) };
}

/// What unwinds the stack when the user's code has raised an exception.
struct Raised;

impl Trouble {
    /// None so far.
    pub(crate) fn new() -> Trouble {
        Trouble::with(false)
    }

    /// None so far; ordinary exceptions of the user's code are failures of a check.
    pub(crate) fn of_check() -> Trouble {
        Trouble::with(true)
    }

    fn with(reports: bool) -> Trouble {
        let (cancel, error) = (AtomicBool::new(false), Mutex::new(None));
        Trouble(Arc::new(Inner { cancel, error, reports, threads: Mutex::default() }))
    }

    /// Says that this thread is about to run the user's code.
    pub(crate) fn enter(&self) {
        keep_state();
        let here = Arc::as_ptr(&self.0);
        if KNOWN_TO.replace(here) != here {
            let mut threads = self.threads();
            if !threads.contains(&number()) {
                threads.push(number());
            }
        }
    }

    fn threads(&self) -> MutexGuard<'_, Vec<c_ulong>> {
        self.0.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the user's code wherever it is running for this work.
    fn interrupt(&self) {
        let threads = self.threads().clone();
        Python::attach(|py| threads.into_iter().for_each(|thread| interrupt(py, thread)));
    }

    /// Set to end the work soon.
    pub(crate) fn cancel(&self) -> &AtomicBool {
        &self.0.cancel
    }

    /// Whether the user's code should not be called any more.
    pub(crate) fn is_over(&self) -> bool {
        self.0.reports && self.0.cancel.load(Ordering::Relaxed)
    }

    /// Whether this is a check of a game, which must not be helped by remembering its answers.
    pub(crate) fn is_check(&self) -> bool {
        self.0.reports
    }

    /// Ends the work from outside. The first reason counts.
    fn end(&self, error: PyErr) {
        self.0.cancel.store(true, Ordering::Relaxed);
        self.error().get_or_insert(error);
    }

    /// Ends the work from inside, because the user's code raised `error`. A search cannot go on
    /// without an answer, so the stack is unwound, up to [`attended`] or [`safely`].
    pub(crate) fn raise(&self, py: Python<'_>, error: PyErr) -> ! {
        if self.0.reports && error.is_instance_of::<PyException>(py) {
            resume_unwind(Box::new(error.to_string()));
        }
        self.end(error);
        resume_unwind(Box::new(Raised))
    }

    /// Unwinds the stack once the work is over.
    pub(crate) fn leave(&self) -> ! {
        resume_unwind(Box::new(Raised))
    }

    fn error(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.error.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has been raised, if anything; forgotten from now on.
    fn take(&self) -> Option<PyErr> {
        let error = self.error().take();
        if error.is_some() {
            self.0.cancel.store(false, Ordering::Relaxed);
        }
        error
    }

    fn answer<T>(&self, result: thread::Result<T>) -> PyResult<T> {
        match (self.take(), result) {
            (Some(error), _) => Err(error),
            (None, Ok(answer)) => Ok(answer),
            (None, Err(panic)) => Err(internal(&*panic)),
        }
    }
}

/// A mistake of ours, or of a game that breaks the contract.
fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let place = last_panic().take().unwrap_or_else(|| text.to_owned());
    PyRuntimeError::new_err(format!(
        "the search failed: {place}. A game that breaks the contract can do that (treegraft.check \
         shows it); if yours does not, please report it"
    ))
}

/// Where the last panic happened.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

fn last_panic() -> MutexGuard<'static, Option<String>> {
    LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panics become exceptions, and say nothing on standard error.
pub(crate) fn silence_panics() {
    std::panic::set_hook(Box::new(|panic| {
        // A thread pool reports the panics of its threads with one of its own, which says less.
        let text = panic.to_string();
        let mut last = last_panic();
        if last.is_none() || !text.contains("scoped thread panicked") {
            *last = Some(text);
        }
    }));
}

/// Where work is done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the calling thread, where Python code handles signals itself.
    Here,
    /// On a thread of its own, without the GIL.
    Thread,
}

/// Receives news of the work; `None` is a mere sign of life.
pub(crate) type Tell<'a, N> = &'a dyn Fn(Option<N>);

/// Does `work`, and meanwhile looks for signals and calls `hear` with what the work reports. An
/// exception in either ends the work.
pub(crate) fn attended<T: Send, N: Send>(
    py: Python<'_>,
    place: Place,
    trouble: &Trouble,
    hear: impl FnMut(Python<'_>, N) -> PyResult<()> + Send,
    work: impl FnOnce(Tell<'_, N>) -> T + Send,
) -> PyResult<T> {
    let result = match place {
        Place::Here => here(trouble, hear, work),
        Place::Thread => py.detach(|| on_a_thread(trouble, hear, work)),
    };
    trouble.answer(result)
}

fn here<T, N>(
    trouble: &Trouble,
    hear: impl FnMut(Python<'_>, N) -> PyResult<()>,
    work: impl FnOnce(Tell<'_, N>) -> T,
) -> thread::Result<T> {
    let hear = RefCell::new(hear);
    let tell = |news: Option<N>| {
        Python::attach(|py| {
            let heard = match (news, hear.try_borrow_mut()) {
                (Some(news), Ok(mut hear)) => hear(py, news),
                _ => Ok(()),
            };
            if let Err(error) = heard.and_then(|()| py.check_signals()) {
                trouble.end(error);
            }
        });
    };
    catch_unwind(AssertUnwindSafe(|| work(&tell)))
}

/// The same for work that reports nothing but signs of life.
pub(crate) fn attended_quietly<T: Send>(
    py: Python<'_>,
    place: Place,
    trouble: &Trouble,
    work: impl FnOnce(Tell<'_, ()>) -> T + Send,
) -> PyResult<T> {
    attended(py, place, trouble, |_, ()| Ok(()), work)
}

/// Calls a listener; one that returns False ends the work.
pub(crate) fn listen<'py>(
    py: Python<'py>,
    listener: Option<&Py<PyAny>>,
    trouble: &Trouble,
    news: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<()> {
    let Some(listener) = listener else { return Ok(()) };
    let answer = listener.bind(py).call1((news()?,))?;
    if answer.is(PyBool::new(py, false)) {
        trouble.cancel().store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// What a thread says.
enum Message<T, N> {
    News(N),
    Done(thread::Result<T>),
}

fn on_a_thread<T: Send, N: Send>(
    trouble: &Trouble,
    mut hear: impl FnMut(Python<'_>, N) -> PyResult<()>,
    work: impl FnOnce(Tell<'_, N>) -> T + Send,
) -> thread::Result<T> {
    // This thread has run the user's code before, to see where the game begins; it only waits now.
    trouble.threads().clear();
    thread::scope(|scope| {
        let (sender, messages) = mpsc::channel();
        let run = move || {
            // The receiver lives until the work is done.
            let tell = |news: Option<N>| {
                let _ = news.map(|news| sender.send(Message::News(news)));
            };
            let result = catch_unwind(AssertUnwindSafe(|| work(&tell)));
            let _ = sender.send(Message::Done(result));
        };
        let thread = thread::Builder::new().name("treegraft".to_owned()).stack_size(STACK_BYTES);
        if let Err(error) = thread.spawn_scoped(scope, run) {
            let error = format!("cannot start a thread: {error}");
            trouble.end(PyRuntimeError::new_err(error));
            return Err(Box::new(Raised) as Box<dyn Any + Send>);
        }
        let mut patience = PATIENCE;
        loop {
            if trouble.error().is_some() {
                patience = patience.saturating_sub(1);
                if patience == 0 {
                    trouble.interrupt();
                    patience = PATIENCE;
                }
            }
            let heard = match messages.recv_timeout(GLANCE) {
                Ok(Message::Done(result)) => return result,
                Ok(Message::News(news)) => Python::attach(|py| {
                    // What was said before the end came is no longer wanted.
                    if trouble.cancel().load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    hear(py, news).and_then(|()| py.check_signals())
                }),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Box::new(Raised) as Box<dyn Any + Send>);
                }
            };
            if let Err(error) = heard {
                trouble.end(error);
            }
        }
    })
}

/// Calls code on a position: an exception of the user's code in it comes out as itself.
pub(crate) fn safely<T>(trouble: &Trouble, ask: impl FnOnce() -> T) -> PyResult<T> {
    trouble.answer(catch_unwind(AssertUnwindSafe(ask)))
}
