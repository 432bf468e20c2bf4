//! Connections: a limited number at once, shared among visitors, and none that is idle for long.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use futures_util::future::{Either, select};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

use crate::permits::Shares;
use crate::pool::lock;
use crate::round_robin::RoundRobin;
use crate::visitor::Visitor;

/// Maximum number of connections at once; others wait. A process may usually have 1,024 open files.
const CONNECTIONS: usize = 800;
/// Maximum number of connections of a visitor that wait: a newer one takes the place of the oldest.
const WAITING: usize = 4;
/// Maximum number of all that wait.
const ALL_WAITING: usize = 64;

/// Idle time after which a connection is closed. Streams of events send a sign of life more often.
const IDLE: Duration = Duration::from_secs(30);

/// Time from the first byte of the head of a request to its last one, after which the connection is
/// closed. What is posted has a limit of its own (`guard.rs`).
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum length of the head of a request, and of its body (`routes.rs`).
const MAX_BYTES: usize = 64 << 10;

/// The end of the head of a request.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// Accepts at most [`CONNECTIONS`] connections at once, and of each visitor no more than the others
/// leave free.
pub(crate) struct CappedListener {
    inner: TcpListener,
    open: Arc<Open>,
    waiting: RoundRobin<(TcpStream, SocketAddr)>,
}

/// The connections that there are.
struct Open {
    shares: Mutex<Shares>,
    closed: Notify,
}

/// The place of a connection among all, until it is dropped.
struct Place {
    open: Arc<Open>,
    visitor: Visitor,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.open.shares).remove(self.visitor);
        self.open.closed.notify_one();
    }
}

impl CappedListener {
    pub(crate) fn new(inner: TcpListener) -> CappedListener {
        let open = Open { shares: Mutex::new(Shares::new(CONNECTIONS)), closed: Notify::new() };
        CappedListener { inner, open: Arc::new(open), waiting: RoundRobin::default() }
    }

    /// The next connection of those that wait whose visitor may have another one.
    fn next(&mut self) -> Option<(Connection, SocketAddr)> {
        let mut shares = lock(&self.open.shares);
        let (visitor, (stream, address)) = self.waiting.next(|visitor| shares.may(visitor))?;
        shares.add(visitor);
        drop(shares);
        let place = Place { open: Arc::clone(&self.open), visitor };
        // What is sent is small and wanted at once.
        let _ = stream.set_nodelay(true);
        let end = Box::pin(sleep(PATIENCE));
        Some((Connection { stream, end, phase: Phase::BEGIN, _place: place }, address))
    }

    /// Lets a connection wait. Whoever has too many that wait loses the oldest one.
    fn wait(&mut self, stream: TcpStream, address: SocketAddr) {
        let visitor = Visitor::at(address);
        if let Err(newest) = self.waiting.push(visitor, (stream, address), WAITING) {
            drop(self.waiting.next(|other| other == visitor));
            let _ = self.waiting.push(visitor, newest, WAITING);
        }
        if self.waiting.len() > ALL_WAITING {
            drop(self.waiting.next(|_| true));
        }
    }
}

impl Listener for CappedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            if let Some(next) = self.next() {
                return next;
            }
            let open = Arc::clone(&self.open);
            let closed = pin!(open.closed.notified());
            let accepted = match select(pin!(self.inner.accept()), closed).await {
                Either::Left((accepted, _)) => Some(accepted),
                Either::Right(_) => None,
            };
            match accepted {
                Some(Ok((stream, address))) => self.wait(stream, address),
                // Too many open files, or a client that has left: the next one may do better.
                Some(Err(_)) => sleep(Duration::from_millis(50)).await,
                None => {}
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// What a connection is at.
#[derive(Clone, Copy)]
enum Phase {
    /// The head of a request comes: its bytes up to now, and how many of them match its end. Bytes
    /// do not reset the clock here, so a client that sends them drop by drop is cut off.
    Head { length: usize, of_end: usize },
    /// The head is too long: the connection is closed.
    TooLong,
    /// The request is there, but for what is posted.
    Asked,
    /// The answer is on its way, or done: what comes next is another request.
    Answered,
}

impl Phase {
    const BEGIN: Phase = Phase::Head { length: 0, of_end: 0 };
}

/// A connection that ends when nothing moves on it.
pub(crate) struct Connection {
    stream: TcpStream,
    end: Pin<Box<Sleep>>,
    phase: Phase,
    _place: Place,
}

impl Connection {
    /// Notes what has come.
    fn hear(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if matches!(self.phase, Phase::Answered) {
            self.phase = Phase::BEGIN;
            self.wait(PATIENCE);
        }
        for &byte in bytes {
            let Phase::Head { length, of_end } = self.phase else { break };
            // What does not go on may begin anew.
            let goes_on = HEAD_END[of_end] == byte;
            let of_end = if goes_on { of_end + 1 } else { usize::from(byte == HEAD_END[0]) };
            let is_whole = of_end == HEAD_END.len();
            self.phase = match length < MAX_BYTES {
                true if is_whole => Phase::Asked,
                true => Phase::Head { length: length + 1, of_end },
                false => Phase::TooLong,
            };
        }
        if matches!(self.phase, Phase::Asked) {
            self.wait(IDLE);
        }
    }

    /// Notes that something that begins like this has been sent, if it has moved.
    fn tell<T>(&mut self, begin: &[u8], moved: &Poll<io::Result<T>>) {
        if moved.is_ready() {
            // "100 Continue" requests the body; it is no answer.
            if !begin.starts_with(b"HTTP/1.1 100") {
                self.phase = Phase::Answered;
            }
            self.wait(IDLE);
        }
    }

    /// Begins to wait again.
    fn wait(&mut self, time: Duration) {
        self.end.as_mut().reset(Instant::now() + time);
    }

    /// Ends the connection if nothing has moved and it is time.
    fn or_end<T>(
        &mut self,
        context: &mut Context<'_>,
        moved: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            return moved;
        }
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let moved = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.hear(buffer.filled().get(before..).unwrap_or_default());
        match self.phase {
            Phase::TooLong => Poll::Ready(Err(io::ErrorKind::InvalidData.into())),
            // A head that comes drop by drop moves all the time.
            Phase::Head { .. } if self.end.is_elapsed() => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            _ => self.or_end(context, moved),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.tell(bytes, &moved);
        self.or_end(context, moved)
    }

    // A long answer is written from where it is, without a copy on the thread of the server.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.tell(parts.first().map_or(&[], |part| &**part), &moved);
        self.or_end(context, moved)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket has nothing to flush: this says nothing about the client.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
