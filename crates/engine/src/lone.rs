//! Programs and their pipes where there are no groups of processes: what a program has started
//! itself is not ended with it.

use std::io::{self, PipeReader, Read, Write};
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
pub(super) struct Until<F>(F);

impl<F> Until<F> {
    pub(super) fn new(file: F, _: &Arc<PipeReader>) -> io::Result<Until<F>> {
        Ok(Until(file))
    }
}

impl<F: Read> Read for Until<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<F: Write> Write for Until<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
