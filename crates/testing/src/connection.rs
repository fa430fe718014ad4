//! One request on one connection.

use std::{
    error::Error,
    fmt,
    future::{Future, poll_fn, ready},
};

use axum::{
    body::{Body, Bytes, to_bytes},
    http::{Request, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
};

/// Ends hyper's part of a connection.
#[derive(Debug, PartialEq)]
enum Unanswered {
    /// The client gave up before it had sent everything.
    Unread,
    /// There is no response.
    Read,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Error for Unanswered {}

/// Reads one request to its end and sends the response that `respond` makes. Without one, returns
/// the connection. As there is nothing left to read, closing the connection does not reset it.
pub(crate) async fn serve<F>(
    socket: TcpStream,
    respond: impl Fn(Request<Bytes>) -> F,
) -> Option<TcpStream>
where
    F: Future<Output = Option<Response<Body>>>,
{
    let respond = &respond;
    let service = service_fn(|request: Request<Incoming>| {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = to_bytes(Body::new(body), usize::MAX)
                .await
                .map_err(|_| Unanswered::Unread)?;
            let response = respond(Request::from_parts(parts, body)).await;
            response.ok_or(Unanswered::Read)
        })
    });
    let mut connection = http1::Builder::new()
        .keep_alive(false)
        .serve_connection(TokioIo::new(socket), service);
    // The client may give up at any time.
    let error = poll_fn(|context| connection.poll_without_shutdown(context))
        .await
        .err()?;
    let reason = error.source()?.downcast_ref();
    (reason == Some(&Unanswered::Read)).then(|| connection.into_parts().io.into_inner())
}

/// Starts a server that leaves every response to its test. Returns its URL, and the connection of
/// each request that it has read.
pub async fn unanswered() -> (String, UnboundedReceiver<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move {
                if let Some(socket) = serve(socket, |_| ready(None)).await {
                    // The test may have ended.
                    let _ = sender.send(socket);
                }
            });
        }
    });
    (base, asked)
}
