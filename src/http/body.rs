//! Reads the bodies of requests.

use std::time::Duration;

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{DefaultBodyLimit, FromRequest, Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::error_pages::{rejected, too_late};

/// Largest body, in bytes. Our pages send forms of three fields.
const MAX_BODY_BYTES: usize = 16 * 1024;

/// How long a body may take.
const BODY_TIME: Duration = Duration::from_secs(10);

/// How long a body may take once the process stops.
const STOPPING_BODY_TIME: Duration = Duration::from_secs(2);

/// The layer that reads the whole body before the request goes on. A client that does not finish
/// its request therefore occupies nothing that other clients need. `draining` is cancelled when the
/// process stops.
pub async fn read_whole(
    State(draining): State<CancellationToken>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    if body.size_hint().lower() > MAX_BODY_BYTES as u64 {
        return rejected(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let mut unread = Request::new(body);
    DefaultBodyLimit::max(MAX_BODY_BYTES).apply(&mut unread);
    let read = tokio::select! {
        read = Bytes::from_request(unread, &()) => read,
        () = time_is_up(&draining) => return too_late(),
    };
    match read {
        Ok(bytes) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Err(rejection) => rejected(rejection.status()),
    }
}

/// Waits until a body that begins now has had its time.
async fn time_is_up(draining: &CancellationToken) {
    let stopping = async {
        draining.cancelled().await;
        sleep(STOPPING_BODY_TIME).await;
    };
    tokio::select! {
        () = sleep(BODY_TIME) => {}
        () = stopping => {}
    }
}
