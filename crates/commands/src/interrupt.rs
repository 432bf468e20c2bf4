//! Ctrl-C: the first ends a search or match with the results so far, the second ends the program.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::INTERRUPTED;

static FLAG: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C sets from now on.
pub(crate) fn flag() -> &'static AtomicBool {
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        // If no handler can be installed, Ctrl-C ends the program at once.
        let _ = ctrlc::set_handler(|| {
            if FLAG.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        });
    });
    &FLAG
}
