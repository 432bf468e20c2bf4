//! Connections: so many at once, and none that stands still.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at once; others wait. A process may usually have 1,024 open files.
const CONNECTIONS: usize = 900;

/// A connection on which nothing moves for so long is closed. Streams of events send a sign of life
/// more often.
const IDLE: Duration = Duration::from_secs(30);

/// A client has so long to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);

/// The end of the head of a request.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// Accepts so many connections at once.
pub(crate) struct CappedListener {
    inner: TcpListener,
    free: Arc<Semaphore>,
}

impl CappedListener {
    pub(crate) fn new(inner: TcpListener) -> CappedListener {
        CappedListener { inner, free: Arc::new(Semaphore::new(CONNECTIONS)) }
    }
}

impl Listener for CappedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.free).acquire_owned().await else { continue };
            match self.inner.accept().await {
                Ok((stream, address)) => {
                    // What is sent is small and wanted at once.
                    let _ = stream.set_nodelay(true);
                    let idle = Box::pin(sleep(PATIENCE));
                    return (Connection { stream, idle, head: 0, _permit: permit }, address);
                }
                // Too many open files, or a client that has left: the next one may do better.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// A connection that ends when nothing moves on it.
pub(crate) struct Connection {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    /// How much of the end of the first head has come. Before all of it has, nothing counts as moving:
    /// whoever sends a request drop by drop does not hold the connection.
    head: usize,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Begins to wait again if something has moved; otherwise ends the connection if it is time.
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        moved: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            if self.head == HEAD_END.len() {
                self.idle.as_mut().reset(Instant::now() + IDLE);
            }
            return moved;
        }
        match self.idle.as_mut().poll(context) {
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
        for &byte in buffer.filled().get(before..).unwrap_or_default() {
            if self.head < HEAD_END.len() {
                // What does not go on may begin anew.
                let goes_on = HEAD_END[self.head] == byte;
                self.head = if goes_on { self.head + 1 } else { usize::from(byte == HEAD_END[0]) };
            }
        }
        self.watched(context, moved)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, moved)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket has nothing to flush: this says nothing about the client.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
