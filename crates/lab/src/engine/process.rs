//! A program that is talked to in lines, and that leaves nothing behind.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::protocol::{Line, read_line};

/// The longest line that is read, in bytes.
pub(super) const LINE_BYTES: usize = 64 << 10;

/// How long a program may take to end after it was told to.
const QUIT: Duration = Duration::from_millis(200);

/// How long to wait for what comes by itself once a program has ended.
const AFTERMATH: Duration = Duration::from_millis(500);

/// Something that a program wrote, and when that was read.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) line: Line,
    pub(super) at: Instant,
}

/// A running program. Threads do the reading and writing, so that callers never wait for a program
/// that does neither; they end with the program.
pub(super) struct Process {
    child: Child,
    /// `None` once there is nothing more to say to it.
    input: Option<Sender<String>>,
    output: Option<Receiver<Heard>>,
    threads: Vec<JoinHandle<()>>,
    /// The last of what it wrote to standard error.
    complaints: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &[String]) -> io::Result<Process> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // In a group of its own it does not get the terminal's Ctrl-C, which would end it in the
        // middle of a game, and can be ended together with the programs that it has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn()?;
        let mut process = Process {
            child,
            input: None,
            output: None,
            threads: Vec::new(),
            complaints: Arc::default(),
        };
        if let Some(stdin) = process.child.stdin.take() {
            let (input, lines) = mpsc::channel();
            process.input = Some(input);
            process.run("engine input", move || write_lines(stdin, &lines))?;
        }
        if let Some(stdout) = process.child.stdout.take() {
            // A few lines only: a program that writes more has to wait until they are wanted.
            let (lines, output) = mpsc::sync_channel(16);
            process.output = Some(output);
            process.run("engine output", move || read_lines(stdout, &lines))?;
        }
        if let Some(stderr) = process.child.stderr.take() {
            let complaints = Arc::clone(&process.complaints);
            process.run("engine errors", move || keep_last(stderr, &complaints))?;
        }
        Ok(process)
    }

    fn run(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.threads.push(thread::Builder::new().name(name.to_owned()).spawn(work)?);
        Ok(())
    }

    /// Writes a line without waiting until it is read.
    pub(super) fn send(&self, line: &str) {
        // A program that is gone is noticed by its silence.
        if let Some(input) = &self.input {
            let _ = input.send(format!("{}\n", line.replace(['\n', '\r'], " ")));
        }
    }

    /// What it writes next; `None` if that takes longer than `most`.
    pub(super) fn hear(&self, most: Duration) -> Option<Heard> {
        let end = Heard { line: Line::End, at: Instant::now() };
        match self.output.as_ref().map(|output| output.recv_timeout(most)) {
            Some(Ok(heard)) => Some(heard),
            Some(Err(RecvTimeoutError::Timeout)) => None,
            Some(Err(RecvTimeoutError::Disconnected)) | None => Some(end),
        }
    }

    /// How it ended, in words, once it has nothing more to say.
    pub(super) fn obituary(&mut self) -> String {
        self.input = None;
        let ended = match self.wait(AFTERMATH) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        };
        wait_until(AFTERMATH, || self.threads.iter().all(JoinHandle::is_finished));
        match self.last_complaint() {
            Some(complaint) => format!("{ended} and said {complaint:?}"),
            None => ended,
        }
    }

    /// The last line on standard error that says something.
    fn last_complaint(&self) -> Option<String> {
        let bytes = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        Some(line.chars().take(200).collect())
    }

    /// Waits for its end.
    fn wait(&mut self, most: Duration) -> Option<ExitStatus> {
        let mut status = None;
        wait_until(most, || {
            status = self.child.try_wait().ok().flatten();
            status.is_some()
        });
        status
    }

    /// Ends it together with what it has started.
    fn kill(&mut self) {
        // Without unsafe code a group can only be reached through a shell's own command.
        #[cfg(unix)]
        {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &format!("kill -s KILL -- -{}", self.child.id())]);
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let _ = shell.status();
        }
        // An error means that it has ended already.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    /// Tells the program to end, ends it if it does not, and waits for it: no zombie is left.
    fn drop(&mut self) {
        self.send("quit");
        // Without a sender its input ends; without a receiver its output is not read any more.
        self.input = None;
        self.output = None;
        if self.wait(QUIT).is_none() {
            self.kill();
            let _ = self.child.wait();
        }
        let threads = std::mem::take(&mut self.threads);
        let all_ended = || threads.iter().all(JoinHandle::is_finished);
        // A pipe that is still open is held by a program that this one has left behind.
        if !wait_until(AFTERMATH, all_ended) {
            self.kill();
            wait_until(AFTERMATH, all_ended);
        }
        // Threads that still read from a program that escaped are not waited for.
        for thread in threads.into_iter().filter(JoinHandle::is_finished) {
            let _ = thread.join();
        }
    }
}

/// Looks again and again, in growing intervals; whether it came true in time.
fn wait_until(most: Duration, mut is_true: impl FnMut() -> bool) -> bool {
    const LONGEST: Duration = Duration::from_millis(10);
    let end = Instant::now() + most;
    let mut pause = Duration::from_micros(100);
    loop {
        if is_true() {
            return true;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST);
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the output ends, a line is too long, or nobody listens any more.
fn read_lines(stdout: impl Read, lines: &SyncSender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let line = read_line(&mut stdout, LINE_BYTES).unwrap_or(Line::End);
        let is_last = line == Line::End || line == Line::TooLong;
        if lines.send(Heard { line, at: Instant::now() }).is_err() || is_last {
            return;
        }
    }
}

/// Reads everything and keeps the end of it.
fn keep_last(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    const BYTES: usize = 2 << 10;
    let mut buffer = [0; BYTES];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let extra = kept.len().saturating_sub(BYTES);
        kept.drain(..extra);
    }
}
