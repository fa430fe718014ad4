//! The socket of a connection. It aborts the connection if the peer reads nothing of its responses.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::watch,
    time::{Instant, Sleep, sleep_until},
};
use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};

/// The transport of a [`Socket`].
pub trait Stream: AsyncRead + AsyncWrite + Unpin {
    /// Makes the system discard unwritten bytes when this is dropped.
    fn abort(&self);
}

impl Stream for TcpStream {
    fn abort(&self) {
        // If this fails, the system retries for some minutes.
        let _ = self.set_zero_linger();
    }
}

/// A socket with a write timeout.
pub struct Socket<S> {
    pub stream: S,
    /// Longest time in which the peer reads nothing.
    pub write_time: Duration,
    /// The same after a stop.
    pub last_write_time: Duration,
    /// Its sender is dropped at a stop.
    pub stopped: watch::Receiver<()>,
    /// The responses in flight on this connection, which includes unread bytes.
    pub in_flight: TaskTracker,
    pub stalled: Option<Stalled>,
}

/// A write that the peer blocks.
pub struct Stalled {
    since: Instant,
    end: Pin<Box<Sleep>>,
    _unwritten: TaskTrackerToken,
}

impl<S: Stream> Socket<S> {
    /// Runs the timeout while nothing can be written.
    fn timed<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let has_to_stop = self.stopped.has_changed().is_err();
        let patience = if has_to_stop { self.last_write_time } else { self.write_time };
        let stalled = self.stalled.get_or_insert_with(|| {
            let since = Instant::now();
            Stalled { since, end: Box::pin(sleep_until(since + patience)), _unwritten: self.in_flight.token() }
        });
        let deadline = stalled.since + patience;
        if stalled.end.deadline() != deadline {
            stalled.end.as_mut().reset(deadline);
        }
        ready!(stalled.end.as_mut().poll(context));
        self.stream.abort();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: Stream> AsyncRead for Socket<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, into)
    }
}

impl<S: Stream> AsyncWrite for Socket<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.timed(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, pieces);
        this.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        time::sleep,
    };

    use super::*;

    impl Stream for DuplexStream {
        fn abort(&self) {}
    }

    /// A socket with a buffer of 16 bytes to its peer; dropping the sender is the signal to stop.
    fn socket() -> (Socket<DuplexStream>, DuplexStream, watch::Sender<()>) {
        let ((stream, peer), (stopping, stopped)) = (duplex(16), watch::channel(()));
        let socket = Socket {
            stream,
            write_time: Duration::from_secs(30),
            last_write_time: Duration::from_secs(5),
            stopped,
            in_flight: TaskTracker::new(),
            stalled: None,
        };
        (socket, peer, stopping)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_a_little_now_and_then_gets_everything() {
        let (mut socket, mut peer, _stopping) = socket();
        let in_flight = socket.in_flight.clone();
        let writing = tokio::spawn(async move { socket.write_all(&[b'a'; 64]).await.map(|()| socket) });
        let mut taken = [0; 8];
        for _ in 0..6 {
            sleep(Duration::from_secs(29)).await;
            assert!(!in_flight.is_empty(), "unread bytes are in flight");
            peer.read_exact(&mut taken).await.unwrap();
        }
        let _socket = writing.await.unwrap().unwrap();
        assert!(in_flight.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_nothing_is_aborted() {
        let (mut socket, _peer, _stopping) = socket();
        let before = Instant::now();
        let error = socket.write_all(&[b'a'; 64]).await.unwrap_err();
        assert_eq!((error.kind(), before.elapsed().as_secs()), (io::ErrorKind::TimedOut, 30));
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_stop_it_is_aborted_sooner() {
        let (mut socket, _peer, stopping) = socket();
        drop(stopping);
        let before = Instant::now();
        let error = socket.write_all(&[b'a'; 64]).await.unwrap_err();
        assert_eq!((error.kind(), before.elapsed().as_secs()), (io::ErrorKind::TimedOut, 5));
    }
}
