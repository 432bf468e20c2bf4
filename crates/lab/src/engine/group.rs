//! Programs with all that they start: one group of processes, ended together.

use std::process::{Child, Command, ExitStatus, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// A program at the head of a group of processes.
///
/// The number of a group is free for others once its head has been waited for and its members are
/// gone. The group is therefore always ended before its head is waited for.
pub(super) struct Group {
    head: Child,
    /// What ends the group if this process is killed.
    guard: Option<Child>,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a program as the head of a new group. It does not get the terminal's Ctrl-C, which
    /// would end it in the middle of a game.
    pub(super) fn start(command: &mut Command) -> std::io::Result<Group> {
        let head = std::os::unix::process::CommandExt::process_group(command, 0).spawn()?;
        let guard = guard(head.id());
        Ok(Group { head, guard, status: None })
    }

    pub(super) fn head(&mut self) -> &mut Child {
        &mut self.head
    }

    /// How the head ended, if it has; whatever it has left behind is ended then.
    pub(super) fn try_wait(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && has_ended(&mut self.head) {
            self.end();
        }
        self.status
    }

    /// Ends the head with all that it has started, and waits for it.
    pub(super) fn end(&mut self) {
        if self.status.is_some() {
            return;
        }
        // An error means that all have ended already.
        let _ = killpg(Pid::from_raw(self.head.id() as i32), Signal::SIGKILL);
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        self.status = self.head.wait().ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// A shell that waits for the end of its input, which comes when this process ends in whatever way,
/// and then ends the group. Without a shell, programs that outlive their input are left behind.
fn guard(group: u32) -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r _; kill -s KILL -- \"-$1\"", "guard", &group.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a group of its own it survives what ends this process.
    std::os::unix::process::CommandExt::process_group(&mut shell, 0).spawn().ok()
}

/// Whether a program has ended; it stays to be waited for, where the system can tell.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn has_ended(child: &mut Child) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(Pid::from_raw(child.id() as i32));
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(id, look), Ok(WaitStatus::StillAlive))
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
