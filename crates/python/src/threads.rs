//! Threads that call Python again and again, and threads that do not come back from it.
//!
//! A thread that was not started by Python gets a new thread state every time it takes the GIL, and
//! loses it when it gives the GIL back. Games that are played in several threads take it several
//! times per move, so that this would be most of what they do. Here a thread keeps its state until it
//! ends: it takes the GIL once, and gives it back without giving up the state.
#![allow(unsafe_code)]

use std::ffi::{c_long, c_ulong};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::prelude::*;

/// The state of this thread, if it was made here.
struct Kept {
    ensured: ffi::PyGILState_STATE,
    state: *mut ffi::PyThreadState,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: `state` is this thread's, and detached, because nothing of this crate runs any more
        // when a thread's values are dropped. It is attached again, and given up as it was made.
        unsafe {
            ffi::PyEval_RestoreThread(self.state);
            ffi::PyGILState_Release(self.ensured);
        }
    }
}

thread_local! {
    static KEPT: Option<Kept> = keep();
}

fn keep() -> Option<Kept> {
    // SAFETY: `PyGILState_Ensure` may be called from any thread while the interpreter lives, which it
    // does: what waits for this thread is a Python function. A thread that has a state already is
    // left alone; for all others, `PyEval_SaveThread` detaches the state that was just made.
    unsafe {
        if !ffi::PyGILState_GetThisThreadState().is_null() {
            return None;
        }
        let ensured = ffi::PyGILState_Ensure();
        Some(Kept { ensured, state: ffi::PyEval_SaveThread() })
    }
}

/// Makes taking the GIL cheap on this thread from now on.
pub(crate) fn keep_state() {
    KEPT.with(|_| ());
}

/// Python's number of this thread.
pub(crate) fn number() -> c_ulong {
    // SAFETY: it only calls the system, from any thread.
    unsafe { ffi::PyThread_get_thread_ident() }
}

/// Raises KeyboardInterrupt in the Python code that a thread is running, as soon as it can be: nothing
/// else ends a loop without end there.
pub(crate) fn interrupt(py: Python<'_>, number: c_ulong) {
    let error = py.get_type::<PyKeyboardInterrupt>();
    // SAFETY: the GIL is held, and the exception is a class that lives as long as Python. A thread that
    // does not exist any more is not found.
    unsafe {
        ffi::PyThreadState_SetAsyncExc(number as c_long, error.as_ptr());
    }
}
