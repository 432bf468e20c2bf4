//! Pipes that are given up when they are no longer wanted.
//!
//! A program can leave a pipe to one that outlives it. A reader would wait for as long as that one
//! lives, so the threads that read and write also watch a second pipe, which this process closes
//! when it has no more use for the first.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A pipe that ends when it does, or when the other end of `closer` is closed.
pub(super) struct Until<F> {
    file: F,
    closer: Arc<PipeReader>,
}

/// Neither reading nor writing blocks in the system from now on, so that it can be given up.
pub(super) fn until<F: AsFd>(file: F, closer: &Arc<PipeReader>) -> io::Result<Until<F>> {
    let flags = OFlag::from_bits_retain(fcntl(&file, FcntlArg::F_GETFL)?);
    fcntl(&file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(Until { file, closer: Arc::clone(closer) })
}

impl<F: AsFd> Until<F> {
    /// Waits until something can be done; `false` if nothing is wanted any more.
    fn wait(&self, what: PollFlags) -> io::Result<bool> {
        let mut watched = [
            PollFd::new(self.closer.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.file.as_fd(), what),
        ];
        loop {
            match poll(&mut watched, PollTimeout::NONE) {
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => return Ok(!watched[0].any().unwrap_or(true)),
            }
        }
    }
}

impl<F: AsFd + Read> Read for Until<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // Checked every time: an escaped program may write for ever.
            if !self.wait(PollFlags::POLLIN)? {
                return Ok(0);
            }
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
        }
    }
}

impl<F: AsFd + Write> Write for Until<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.file.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
            if !self.wait(PollFlags::POLLOUT)? {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
