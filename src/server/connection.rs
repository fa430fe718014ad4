//! Serves one connection: its requests, one after another, and its end.

use std::{convert::Infallible, net::SocketAddr, pin::pin};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpStream, sync::watch};
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::{connection_limits::ConnectionLimits, socket::Socket};
use crate::http::framing;

/// Serves a connection until it ends or, after a stop, until the responses in flight are sent. If there are none (an
/// idle connection, an incomplete head), the stop ends it.
pub async fn serve(
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    limits: ConnectionLimits,
    mut stopped: watch::Receiver<()>,
) {
    // Responses are small and written at once, so waiting for more gains nothing. If this fails, they are only later.
    let _ = stream.set_nodelay(true);
    let in_flight = TaskTracker::new();
    let socket = Socket {
        stream,
        write_time: limits.write_time,
        last_write_time: limits.last_write_time,
        stopped: stopped.clone(),
        in_flight: in_flight.clone(),
        stalled: None,
    };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_header_size(limits.head_bytes)
        .max_buf_size(limits.head_bytes)
        .max_headers(limits.max_headers);
    let service = {
        let in_flight = in_flight.clone();
        service_fn(move |mut request: Request<Incoming>| {
            // Until there is a response. hyper then writes all of it at once: bodies are in memory. What the peer does
            // not read is in flight by the socket.
            let answering = in_flight.token();
            let (is_sound, is_chunked) = (framing::is_sound(&request), framing::is_chunked(&request));
            request.extensions_mut().insert(ConnectInfo(peer));
            let (router, leaving) = (router.clone(), limits.leaving.clone());
            async move {
                let mut response = match is_sound {
                    true => router.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {}),
                    false => StatusCode::BAD_REQUEST.into_response(),
                };
                if !is_sound || is_chunked || leaving.is_draining() {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                drop(answering);
                Ok::<_, Infallible>(response)
            }
        })
    };
    let mut connection = pin!(http.serve_connection(TokioIo::new(socket), service));
    let ended = tokio::select! {
        // Handles bytes that have arrived before the stop.
        biased;
        ended = connection.as_mut() => ended,
        // Fails when the sender is dropped, which is the signal to stop.
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            in_flight.close();
            tokio::select! {
                biased;
                ended = connection.as_mut() => ended,
                () = in_flight.wait() => Ok(()),
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended");
    }
}
