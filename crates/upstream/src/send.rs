//! Sends requests: every call goes through [`Upstream::send_with_headers`].
//!
//! A list is retried once if its connection fails before a response begins, and this layer retries nothing else. So a
//! restarting upstream, or a pooled connection that closes just as it is used, costs nobody a list. Calls that change
//! something are not retried: the upstream may have carried them out before the connection failed.

use std::{
    error::Error,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{
    Method, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    retry,
};
use serde::Serialize;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use vincula_domain::token::XsrfToken;

use super::{
    Answer, Call, CallError, Caller, NoReplyCause, Reply, Unexpected, Upstream,
    envelope::ErrorEnvelope,
    failure::classify,
    redact,
    trace::{REQUEST_ID, TRACEPARENT, Trace},
    xsrf::{self, XSRF_HEADER},
};

/// Maximum length of the error message that is kept, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Bytes per chunk in a body of maximum size. Each chunk costs time whatever its size, so this limits their number.
const MIN_AVG_CHUNK: usize = 32;

/// Longest pause within the body of a list. Its page asks again; an order may be carried out, and is waited for.
const MAX_PAUSE_IN_LIST: Duration = Duration::from_secs(10);

/// Bytes that every body may have: enough for every order, and for some sixty accounts.
const SMALL: usize = 8 * 1024;

/// Maximum memory of all larger bodies, in bytes: 32 lists of the largest size, or 400 of 40 kB. Further ones wait for
/// memory, unread.
pub const MAX_BYTES_OF_BODIES: usize = 16 * 1024 * 1024;

/// Upper limit of `Retry-After`, in seconds: nobody waits at their phone for longer.
const MAX_RETRY_AFTER: u64 = 300;

/// Retry budget: maximum extra load on an upstream that is down, beside a reserve of 10 retries a second.
const MAX_EXTRA_LOAD: f32 = 0.1;

/// For calls without a payload.
pub(super) const NO_PAYLOAD: Option<&()> = None;

/// A response whose body was read in full.
struct RawResponse {
    status: StatusCode,
    xsrf: Option<XsrfToken>,
    retry_after: Option<u64>,
    body: Body,
}

/// The bytes of a body, and the share of [`MAX_BYTES_OF_BODIES`] of a large one.
struct Body {
    bytes: Vec<u8>,
    share: Option<OwnedSemaphorePermit>,
}

/// The memory for bodies; clones share it.
#[derive(Debug, Clone)]
pub(super) struct BodyMemory(Arc<Semaphore>);

impl Default for BodyMemory {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_BYTES_OF_BODIES)))
    }
}

impl Upstream {
    /// Sends a call and parses the body of a 2xx response with `read`.
    ///
    /// # Errors
    /// See [`CallError`].
    pub(super) async fn send<P: Serialize + ?Sized, T>(
        &self,
        call: Call,
        caller: &Caller,
        payload: Option<&P>,
        read: fn(&[u8]) -> Result<T, Unexpected>,
    ) -> Result<Answer<T>, CallError> {
        self.send_with_headers(call, caller, payload, HeaderMap::new(), read).await
    }

    /// [`Upstream::send`] with further headers.
    ///
    /// # Errors
    /// See [`CallError`].
    pub(super) async fn send_with_headers<P: Serialize + ?Sized, T>(
        &self,
        call: Call,
        caller: &Caller,
        payload: Option<&P>,
        headers: HeaderMap,
        read: fn(&[u8]) -> Result<T, Unexpected>,
    ) -> Result<Answer<T>, CallError> {
        let (timed, begun) = (self.metrics.call(call.path()), Instant::now());
        let request = self.request(call, caller, payload).headers(headers);
        let raw = self.exchange(call, request).await;
        let (status, bytes) = raw.as_ref().ok().map(|raw| (raw.status.as_u16(), raw.body.bytes.len())).unzip();
        let answer = raw.and_then(|raw| {
            if !raw.status.is_success() {
                return Err(CallError::Reply(failed_reply(call, caller, raw)));
            }
            match read(&raw.body.bytes) {
                Ok(data) => Ok(Answer { data, xsrf: raw.xsrf }),
                // `meta` decides, not the HTTP status: a 2xx response can be a failure, too.
                Err(_) if ErrorEnvelope::read(&raw.body.bytes).reports_failure() => {
                    Err(CallError::Reply(failed_reply(call, caller, raw)))
                }
                Err(unexpected) => Err(unexpected.into()),
            }
        });
        let outcome = answer.as_ref().map_or_else(CallError::name, |_| "ok");
        let trace = Trace::current();
        tracing::debug!(
            method = %call.method(),
            path = call.path(),
            status,
            outcome,
            error = answer.as_ref().err().map(display),
            ms = begun.elapsed().as_millis(),
            bytes,
            request_id = trace.as_ref().map(Trace::request_id),
            "call to the upstream"
        );
        timed.finish(outcome);
        answer
    }

    fn request<P: Serialize + ?Sized>(&self, call: Call, caller: &Caller, payload: Option<&P>) -> RequestBuilder {
        let mut request = self
            .http
            .request(call.method(), self.urls[call as usize].clone())
            .header(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = &caller.token {
            request = request.header(AUTHORIZATION, secret(&format!("Bearer {}", token.expose())));
        }
        if let Some(token) = &caller.xsrf {
            request = request
                .header(COOKIE, secret(&xsrf::cookie(token)))
                .header(HeaderName::from_static(XSRF_HEADER), secret(&xsrf::header(token)));
        }
        if let Some(trace) = Trace::current() {
            request = request.header(TRACEPARENT, trace.traceparent()).header(REQUEST_ID, trace.request_id());
        }
        match payload {
            Some(payload) => request.json(payload),
            None => request,
        }
    }

    async fn exchange(&self, call: Call, request: RequestBuilder) -> Result<RawResponse, CallError> {
        let mut response = request.send().await.map_err(no_reply)?;
        if let Some(observer) = &self.observer {
            observer.see_head(&response);
        }
        let is_good = response.status().is_success();
        let max = if is_good { call.max_bytes() } else { Call::MAX_ERROR_BYTES };
        let longest_pause = (call.method() == Method::GET).then_some(MAX_PAUSE_IN_LIST);
        let body = self.body_memory.read(&mut response, max, longest_pause).await?;
        if let Some(observer) = &self.observer {
            observer.see_body(&body.bytes);
        }
        let (xsrf, retry_after) = (xsrf::set_by(response.headers()), retry_after(response.headers()));
        Ok(RawResponse { status: response.status(), xsrf, retry_after, body })
    }
}

impl BodyMemory {
    /// Reads a body in chunks. Rejects one that is declared as too large unread, and any other once it exceeds `max`.
    async fn read(
        &self,
        response: &mut Response,
        max: usize,
        longest_pause: Option<Duration>,
    ) -> Result<Body, CallError> {
        let too_large = CallError::Unexpected(Unexpected::TooLarge);
        let declared = response.content_length().map_or(max, |length| usize::try_from(length).unwrap_or(usize::MAX));
        if declared > max {
            return Err(too_large);
        }
        let (mut body, mut chunks) = (Body { bytes: Vec::new(), share: None }, 0);
        loop {
            let chunk = match longest_pause {
                Some(longest) => timeout(longest, response.chunk()).await.map_err(|_| TIMED_OUT)?,
                None => response.chunk().await,
            };
            let Some(chunk) = chunk.map_err(no_reply)? else { return Ok(body) };
            chunks += 1;
            let length = body.bytes.len() + chunk.len();
            if length > max || chunks > max / MIN_AVG_CHUNK {
                return Err(too_large);
            }
            if length > SMALL && body.share.is_none() {
                // For all of it at once: bodies that each wait for more would wait for each other.
                let all = u32::try_from(declared).unwrap_or(u32::MAX);
                body.share = Arc::clone(&self.0).acquire_many_owned(all).await.ok();
                body.bytes.reserve_exact(declared - body.bytes.len());
            }
            body.bytes.extend_from_slice(&chunk);
        }
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
                error.downcast_ref::<reqwest::Error>().is_none_or(|error| !error.is_timeout() && !error.is_builder())
            });
            if has_failed && attempt.method() == Method::GET { attempt.retryable() } else { attempt.success() }
        })
}

#[cfg(test)]
impl BodyMemory {
    pub(super) fn left(&self) -> usize {
        self.0.available_permits()
    }
}

const TIMED_OUT: CallError = CallError::NoReply(NoReplyCause::TimedOut);

/// Turns a failed response into a [`Reply`], with secrets and documents redacted from its message.
fn failed_reply(call: Call, caller: &Caller, raw: RawResponse) -> Reply {
    let http_status = raw.status.as_u16();
    let envelope = ErrorEnvelope::read(&raw.body.bytes);
    let secrets = caller.secrets();
    let message = envelope.message().map(|text| redact::shortened(text, &secrets, MAX_MESSAGE_CHARS));
    let (meta_status, problem) = (envelope.status(), classify(call, http_status, &envelope));
    let is_busy = matches!(raw.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
    let retry_after = raw.retry_after.filter(|_| is_busy);
    Reply { http_status, meta_status, problem, message, xsrf: raw.xsrf, retry_after }
}

/// `Retry-After` in seconds; dates are ignored.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let seconds: u64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(seconds.clamp(1, MAX_RETRY_AFTER))
}

fn no_reply(error: reqwest::Error) -> CallError {
    CallError::NoReply(if error.is_timeout() {
        NoReplyCause::TimedOut
    } else if is_refused(&error) {
        NoReplyCause::Refused
    } else if error.is_connect() || error.is_builder() {
        NoReplyCause::Unreachable
    } else {
        NoReplyCause::Reset
    })
}

fn is_refused(error: &reqwest::Error) -> bool {
    std::iter::successors(error.source(), |&cause| cause.source())
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
}

/// A header value that the HTTP libraries keep out of their logs.
pub(super) fn secret(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).expect("tokens and evidence are visible ASCII");
    value.set_sensitive(true);
    value
}
