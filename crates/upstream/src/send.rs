//! Sends requests: every call goes through [`Upstream::send`].
//!
//! A list is retried once if its connection fails before a response begins. This hides a restart of
//! the upstream, and a pooled connection that closes just as it is used. Other calls are not
//! retried here, because the upstream may have carried them out before the connection failed. (The
//! log call of a success is repeated in `deliver.rs`, with an idempotency key.)

use std::{error::Error, io, iter::successors, ops::Deref, sync::Arc, time::Duration};

use reqwest::{
    Method, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, COOKIE, HeaderMap, HeaderValue, RETRY_AFTER},
    retry,
};
use serde::Serialize;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

use super::{
    Call, CallError, CallOutput, Caller, FailedResponse, NoResponseCause, Reason, Unexpected,
    Upstream,
    envelope::ErrorEnvelope,
    redact,
    request_id::REQUEST_ID,
    xsrf::{self, XSRF_HEADER},
};

/// Maximum length of the error message that is kept, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Maximum body size of a list, in bytes. The widget API sends no larger one.
const MAX_LIST_BYTES: usize = 512 * 1024;

/// Maximum body size of any other response, in bytes: an error has a message and no rows.
const MAX_OTHER_BYTES: usize = 64 * 1024;

/// Longest pause within the body of a list, which its page requests again. Calls that change
/// something have no such limit, because they may already have been carried out.
const MAX_PAUSE_IN_LIST: Duration = Duration::from_secs(10);

/// Bytes that every body may have: enough for every call that changes something, and for some sixty
/// accounts.
const SMALL: usize = 8 * 1024;

/// Maximum memory of all larger bodies, in bytes: 32 lists of the largest size, or 400 of 40 kB.
/// Further bodies wait unread until there is memory.
pub const MAX_BYTES_OF_BODIES: usize = 16 * 1024 * 1024;

/// Upper limit of `Retry-After`, in seconds. A longer one is read as this.
const MAX_RETRY_AFTER: u64 = 300;

/// Retry budget: maximum extra load on an upstream that is down, in addition to 10 retries a
/// second.
const MAX_EXTRA_LOAD: f32 = 0.1;

pub(super) const TIMED_OUT: CallError = CallError::NoResponse(NoResponseCause::TimedOut);

const TOO_LARGE: CallError = CallError::Unexpected(Unexpected::TooLarge);

/// A response whose body was read in full.
struct RawResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

/// A body, as far as it was read.
#[derive(Default)]
struct Body {
    bytes: Vec<u8>,
    /// Its share of [`MAX_BYTES_OF_BODIES`], if it is large.
    share: Option<OwnedSemaphorePermit>,
}

/// What the log of a call has of its response.
struct Received {
    status: u16,
    /// Size of the body.
    bytes: usize,
}

/// The limits of a body.
struct BodyLimits {
    bytes: usize,
    /// The longest pause within the body.
    pause: Duration,
}

impl Upstream {
    /// Sends a call and parses the body of a 2xx response with `read`. `payload` becomes the JSON
    /// body; a list has none.
    pub(super) async fn send<T>(
        &self,
        call: Call,
        caller: &Caller,
        headers: HeaderMap,
        payload: &impl Serialize,
        read: fn(&[u8]) -> Result<T, Unexpected>,
    ) -> Result<CallOutput<T>, CallError> {
        let timed = self.metrics.call(call.path());
        let request = self.request(call, caller, payload).headers(headers);
        let response = self.exchange(call, request).await;
        let received = response.as_ref().ok().map(Received::of);
        let result = response.and_then(|response| response.read(call, caller, read));
        let error = result.as_ref().err();
        log(call, received.as_ref(), error, timed.begun.elapsed());
        timed.finish([outcome(error)]);
        result
    }

    fn request(&self, call: Call, caller: &Caller, payload: &impl Serialize) -> RequestBuilder {
        let mut request = self
            .http
            .request(call.method(), call.url(&self.base))
            .header(ACCEPT, "application/json");
        if let Some(token) = &caller.token {
            request = request.header(AUTHORIZATION, secret(&format!("Bearer {}", token.expose())));
        }
        if let Some(token) = &caller.xsrf {
            request = request
                .header(COOKIE, secret(&xsrf::cookie(token)))
                .header(XSRF_HEADER, secret(&xsrf::header(token)));
        }
        request = request.header(REQUEST_ID, caller.request_id.as_str());
        if call.is_list() {
            request
        } else {
            request.json(payload)
        }
    }

    async fn exchange(
        &self,
        call: Call,
        request: RequestBuilder,
    ) -> Result<RawResponse, CallError> {
        let mut response = request.send().await.map_err(no_response)?;
        let status = response.status();
        let headers = response.headers().clone();
        let body = self.body(call, &mut response).await;
        Ok(RawResponse {
            status,
            headers,
            body: body?,
        })
    }

    /// Reads a body in chunks, with its share of the memory. A body that is declared as too large
    /// is rejected unread, and any other body as soon as it is too large.
    async fn body(&self, call: Call, response: &mut Response) -> Result<Body, CallError> {
        let limits = BodyLimits::of(call, response.status());
        let declared = response.content_length().map_or(limits.bytes, |length| {
            usize::try_from(length).unwrap_or(usize::MAX)
        });
        if declared > limits.bytes {
            return Err(TOO_LARGE);
        }
        let mut body = Body::default();
        while let Some(chunk) = next_chunk(response, limits.pause).await? {
            let length = body.bytes.len() + chunk.len();
            if length > limits.bytes {
                return Err(TOO_LARGE);
            }
            if length > SMALL && body.share.is_none() {
                // For all of it at once: bodies that each wait for more would wait for each other.
                body.share = self.share_of_memory(declared).await;
                body.bytes.reserve_exact(declared - body.bytes.len());
            }
            body.bytes.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Waits for memory for this many bytes.
    async fn share_of_memory(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let memory = Arc::clone(&self.body_memory);
        memory.acquire_many_owned(bytes).await.ok()
    }
}

impl Received {
    fn of(response: &RawResponse) -> Self {
        Self {
            status: response.status.as_u16(),
            bytes: response.body.bytes.len(),
        }
    }
}

/// The outcome of a call in logs and metrics.
fn outcome(error: Option<&CallError>) -> &'static str {
    error.map_or("ok", CallError::name)
}

/// Logs a call that has ended: a failure as a warning, which is the only line about it.
fn log(call: Call, received: Option<&Received>, error: Option<&CallError>, took: Duration) {
    let call = call.path();
    let status = received.map(|received| received.status);
    let bytes = received.map(|received| received.bytes);
    let ms = took.as_millis();
    match error {
        None => tracing::debug!(call, status, ms, bytes, "upstream call"),
        Some(error) => {
            tracing::warn!(call, outcome = error.name(), %error, status, ms, bytes, "upstream call failed");
        }
    }
}

impl BodyLimits {
    fn of(call: Call, status: StatusCode) -> Self {
        Self {
            bytes: if call.is_list() && status.is_success() {
                MAX_LIST_BYTES
            } else {
                MAX_OTHER_BYTES
            },
            pause: if call.is_list() {
                MAX_PAUSE_IN_LIST
            } else {
                Duration::MAX
            },
        }
    }
}

/// The next chunk of a body; `None` at its end.
async fn next_chunk(
    response: &mut Response,
    longest_pause: Duration,
) -> Result<Option<impl Deref<Target = [u8]> + use<>>, CallError> {
    timeout(longest_pause, response.chunk())
        .await
        .map_err(|_| TIMED_OUT)?
        .map_err(no_response)
}

impl RawResponse {
    fn read<T>(
        self,
        call: Call,
        caller: &Caller,
        read: fn(&[u8]) -> Result<T, Unexpected>,
    ) -> Result<CallOutput<T>, CallError> {
        let xsrf = xsrf::change_of(&self.headers);
        let data = self.status.is_success().then(|| read(&self.body.bytes));
        if let Some(Ok(data)) = data {
            return Ok(CallOutput { data, xsrf });
        }
        let envelope = ErrorEnvelope::read(&self.body.bytes);
        // `meta` decides, not the HTTP status: a 2xx response can also report a failure.
        if let Some(Err(unexpected)) = data
            && !envelope.reports_failure()
        {
            return Err(unexpected.into());
        }
        let http_status = self.status.as_u16();
        Err(CallError::Failed(FailedResponse {
            http_status,
            meta_status: envelope.status(),
            reason: Reason::of(call, http_status, &envelope),
            message: envelope
                .message()
                .map(|text| redact::shortened(text, &caller.secrets(), MAX_MESSAGE_CHARS)),
            xsrf,
            retry_after: retry_after(self.status, &self.headers),
        }))
    }
}

/// The retry policy for the upstream's host.
pub(super) fn retry_lists_once(base: &Url) -> retry::Builder {
    retry::for_host(base.host_str().unwrap_or_default().to_owned())
        .max_retries_per_request(1)
        .max_extra_load(MAX_EXTRA_LOAD)
        .classify_fn(|attempt| {
            // A timeout is not retried: the client has waited long enough.
            let has_failed = attempt.error().is_some_and(|error| {
                error
                    .downcast_ref::<reqwest::Error>()
                    .is_none_or(|error| !error.is_timeout() && !error.is_builder())
            });
            if has_failed && attempt.method() == Method::GET {
                attempt.retryable()
            } else {
                attempt.success()
            }
        })
}

/// `Retry-After` of a 429 or 503 in seconds; dates are ignored.
fn retry_after(status: StatusCode, headers: &HeaderMap) -> Option<u64> {
    if !matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    ) {
        return None;
    }
    let seconds: u64 = headers
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(seconds.clamp(1, MAX_RETRY_AFTER))
}

fn no_response(error: reqwest::Error) -> CallError {
    CallError::NoResponse(if error.is_timeout() {
        NoResponseCause::TimedOut
    } else if is_refused(&error) {
        NoResponseCause::Refused
    } else if error.is_connect() || error.is_builder() {
        NoResponseCause::Unreachable(root_cause(&error))
    } else {
        NoResponseCause::Reset
    })
}

/// The innermost cause, as the libraries word it. It may name the host, but nothing of the request.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    causes(error)
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

fn is_refused(error: &reqwest::Error) -> bool {
    causes(error)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    successors(error.source(), |&cause| cause.source())
}

/// A header value that the HTTP libraries keep out of their logs.
pub(super) fn secret(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).expect("tokens and evidence are visible ASCII");
    value.set_sensitive(true);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_read_in_seconds_within_its_limits() {
        for (status, header, seconds) in [
            (503, "7", Some(7)),
            (429, "90", Some(90)),
            (503, "86400", Some(300)),
            (503, "0", Some(1)),
            (503, "Fri, 31 Dec 1999 23:59:59 GMT", None),
            (503, "-1", None),
            (500, "7", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, header.parse().unwrap())]);
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(retry_after(status, &headers), seconds, "{status} {header}");
        }
    }
}
