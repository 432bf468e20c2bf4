//! Programs and their pipes where there are no groups of processes: what a program has started
//! itself is not ended with it.

use std::io::{self, PipeReader};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;

/// A program.
pub(super) struct Group(Child);

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        command.spawn().map(Group)
    }

    pub(super) fn head(&mut self) -> &mut Child {
        &mut self.0
    }

    pub(super) fn try_wait(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }

    pub(super) fn end(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// A pipe, which ends when all programs that have it do.
pub(super) fn until<F>(file: F, _: &Arc<PipeReader>) -> io::Result<F> {
    Ok(file)
}
