//! Programs with all that they start: one group of processes, ended together.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// A program in a group of processes of its own.
pub(super) struct Group {
    program: Child,
    guard: Option<Guard>,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a program in a new group. It does not get the terminal's Ctrl-C, which would end it
    /// in the middle of a game.
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        // The guard comes first: at no moment is there a program that it would not end.
        let guard = Guard::start();
        let group = guard.as_ref().map_or(0, Guard::group);
        let program = command.process_group(group).spawn()?;
        Ok(Group { program, guard, status: None })
    }

    pub(super) fn head(&mut self) -> &mut Child {
        &mut self.program
    }

    /// How the program ended, if it has; whatever it has left behind is ended then.
    pub(super) fn try_wait(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.program.try_wait().ok().flatten();
            if self.status.is_some() {
                self.guard = None;
            }
        }
        self.status
    }

    /// Ends the program with all that it has started, and waits for it.
    pub(super) fn end(&mut self) {
        self.guard = None;
        if self.status.is_none() {
            // An error means that it has ended already.
            let _ = self.program.kill();
            self.status = self.program.wait().ok();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// The head of a group of processes, which ends the group when it is dropped, and also when this
/// process ends in whatever way.
struct Guard(Child);

impl Guard {
    /// Starts a shell that waits for the end of its input, which comes when this process ends.
    /// `None` where there is no shell: what a program has started itself is then left behind.
    fn start() -> Option<Guard> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "read -r _; kill -s KILL 0"]);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.process_group(0).spawn().ok().map(Guard)
    }

    /// The number of the group. It is free for others only after the guard has been waited for.
    fn group(&self) -> i32 {
        self.0.id().cast_signed()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = killpg(Pid::from_raw(self.group()), Signal::SIGKILL);
        let _ = self.0.wait();
    }
}
