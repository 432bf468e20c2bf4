//! A program that is talked to in lines, and that leaves nothing behind.

use std::io::{self, BufReader, PipeReader, PipeWriter, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::group::Group;
#[cfg(not(unix))]
use super::lone::{Group, until};
use super::protocol::{Line, read_line};
#[cfg(unix)]
use super::until::until;

/// Maximum length of a line, in bytes.
pub(super) const LINE_BYTES: usize = 64 << 10;

/// Maximum time for a program to end after it was asked to.
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
/// that does neither; they end when this is dropped.
pub(super) struct Process {
    group: Group,
    /// `None` once there is nothing more to say to it.
    input: Option<Sender<String>>,
    output: Option<Receiver<Heard>>,
    threads: Vec<JoinHandle<()>>,
    /// Dropped to end the threads, even if programs that have escaped hold the pipes.
    closer: Option<PipeWriter>,
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
        let (closing, closer) = io::pipe()?;
        let closing = Arc::new(closing);
        let mut process = Process {
            group: Group::start(&mut command)?,
            input: None,
            output: None,
            threads: Vec::new(),
            closer: Some(closer),
            complaints: Arc::default(),
        };
        process.begin(&closing)?;
        Ok(process)
    }

    /// Starts the threads.
    fn begin(&mut self, closing: &Arc<PipeReader>) -> io::Result<()> {
        let child = self.group.head();
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Some(stdin) = stdin {
            let (input, lines) = mpsc::channel();
            self.input = Some(input);
            let stdin = until(stdin, closing)?;
            self.run("engine input", move || write_lines(stdin, &lines))?;
        }
        if let Some(stdout) = stdout {
            // A few lines only: a program that writes more has to wait until they are wanted.
            let (lines, output) = mpsc::sync_channel(16);
            self.output = Some(output);
            let stdout = until(stdout, closing)?;
            self.run("engine output", move || read_lines(stdout, &lines))?;
        }
        if let Some(stderr) = stderr {
            let complaints = Arc::clone(&self.complaints);
            let stderr = until(stderr, closing)?;
            self.run("engine errors", move || keep_last(stderr, &complaints))?;
        }
        Ok(())
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
            status = self.group.try_wait();
            status.is_some()
        });
        status
    }
}

impl Drop for Process {
    /// Asks the program to end, ends it if it does not, and waits for it: no zombie is left, and
    /// none of the programs that it has started, unless they have left its group.
    fn drop(&mut self) {
        self.send("quit");
        // Without a sender its input ends; without a receiver its output is not read any more.
        self.input = None;
        self.output = None;
        if self.wait(QUIT).is_none() {
            self.group.end();
        }
        self.closer = None;
        for thread in std::mem::take(&mut self.threads) {
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

fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the output ends, a line is too long, or the receiver is gone.
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
