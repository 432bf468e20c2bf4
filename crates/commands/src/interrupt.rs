//! Signals that end the program: the first ends a search or a run with the results so far, the
//! second ends the program at once.
//!
//! Those are SIGINT (Ctrl-C), SIGTERM (`kill`, batch systems, shutdowns) and SIGHUP (a terminal that
//! is closed). `nohup` starts programs with SIGHUP ignored, and it stays ignored.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::output::INTERRUPTED;

/// What the handlers write to.
#[derive(Default)]
struct Interrupt {
    flag: Arc<AtomicBool>,
    /// The number of the signal that came first, or 0.
    signal: Arc<AtomicUsize>,
}

static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();

/// A flag that SIGINT, SIGTERM and SIGHUP set from now on.
pub(crate) fn flag() -> &'static AtomicBool {
    let interrupt = INTERRUPT.get_or_init(|| {
        let interrupt = Interrupt::default();
        for signal in signals() {
            // If no handler can be installed, the signal ends the program at once.
            let _ = interrupt.listen(signal);
        }
        interrupt
    });
    &interrupt.flag
}

impl Interrupt {
    /// The order matters: what ends the program looks at the flag before this signal sets it.
    fn listen(&self, signal: c_int) -> std::io::Result<()> {
        let (flag, number) = (Arc::clone(&self.flag), signal.unsigned_abs() as usize);
        flag::register_conditional_shutdown(signal, code_of(number).into(), flag)?;
        flag::register_usize(signal, Arc::clone(&self.signal), number)?;
        flag::register(signal, Arc::clone(&self.flag))?;
        Ok(())
    }
}

/// From now on a file that may not become larger (`ulimit -f`) is an error like any other, and
/// not the end of the program by SIGXFSZ.
pub(crate) fn survive_large_files() {
    // A handler, which does nothing of use, because programs that this one starts do not inherit it.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(unix)]
fn signals() -> Vec<c_int> {
    let hangup = signal_hook::consts::SIGHUP;
    let mut signals = vec![SIGINT, SIGTERM];
    signals.extend((!ignores_hangup()).then_some(hangup));
    signals
}

#[cfg(not(unix))]
fn signals() -> Vec<c_int> {
    vec![SIGINT, SIGTERM]
}

/// Whether this program was started with SIGHUP ignored.
#[cfg(target_os = "linux")]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    // A mask in hexadecimal digits, whose lowest bit stands for signal 1.
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}

/// Whether this program was started with SIGHUP ignored: a shell that inherits this survives one.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignores_hangup() -> bool {
    let shell = std::process::Command::new("/bin/sh").args(["-c", "kill -s HUP $$"]).status();
    shell.is_ok_and(|status| status.success())
}

fn signal() -> usize {
    INTERRUPT.get().map_or(0, |interrupt| interrupt.signal.load(Ordering::Relaxed))
}

/// Whether the terminal of this program is gone.
pub(crate) fn is_hangup() -> bool {
    cfg!(unix) && signal() == 1
}

/// The exit code of a command, where [`INTERRUPTED`] stands for the code of whichever signal came.
pub(crate) fn exit_code(code: u8) -> u8 {
    match signal() {
        0 => code,
        signal if code == INTERRUPTED => code_of(signal),
        _ => code,
    }
}

/// As shells have it: 130 after SIGINT.
fn code_of(signal: usize) -> u8 {
    128 + (signal as u8 & 127)
}

/// What interrupted the program, for messages.
pub(crate) fn cause() -> &'static str {
    match signal() {
        1 if is_hangup() => "SIGHUP",
        15 => "SIGTERM",
        _ => "Ctrl-C",
    }
}
