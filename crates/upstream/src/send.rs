//! Sends requests: every call goes through [`Upstream::send`].
//!
//! Nothing is retried here, because the upstream may have carried out a call before its connection
//! failed. A page requests a list again, and submits an item of Connect again.

use std::{
    error::Error,
    io,
    iter::successors,
    time::{Duration, SystemTime},
};

use reqwest::{
    RequestBuilder, Response, StatusCode,
    header::{ACCEPT, CONTENT_ENCODING, COOKIE, HeaderMap, HeaderValue},
};
use serde::Serialize;
use tokio::sync::{Semaphore, SemaphorePermit};

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

/// Maximum body size of a response, in bytes.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The byte order mark in UTF-8, which some frameworks write before JSON.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A response whose body was read in full.
struct RawResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// What the log of a call has of its response.
struct Received {
    status: u16,
    /// Size of the body.
    bytes: usize,
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
        let mut timed = self.metrics.call(call.path());
        let request = self.request(call, caller, payload).headers(headers);
        let response = self.exchange(request).await;
        let received = response.as_ref().ok().map(Received::new);
        let result = response.and_then(|response| response.read(call, caller, read));
        let error = result.as_ref().err();
        log(call, received.as_ref(), error, timed.begun.elapsed());
        timed.end_as(outcome(error).to_owned());
        result
    }

    fn request(&self, call: Call, caller: &Caller, payload: &impl Serialize) -> RequestBuilder {
        let mut request = self
            .http
            .request(call.method(), call.url(&self.base))
            .timeout(self.timeout)
            .header(ACCEPT, "application/json");
        if let Some(token) = &caller.token {
            request = request.bearer_auth(token.expose());
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

    /// Makes a call, for which it holds a permit.
    async fn exchange(&self, request: RequestBuilder) -> Result<RawResponse, CallError> {
        let _permit = self.permit()?;
        let response = request.send().await.map_err(|error| no_response(&error))?;
        let status = response.status();
        let headers = response.headers().clone();
        let body = body_of(response).await?;
        Ok(RawResponse {
            status,
            headers,
            body,
        })
    }

    /// A permit for a call, without waiting for one; `None` if it needs none.
    fn permit(&self) -> Result<Option<SemaphorePermit<'_>>, CallError> {
        let permits = self.permits.as_deref();
        permits
            .map(Semaphore::try_acquire)
            .transpose()
            .map_err(|_| CallError::NoResponse(NoResponseCause::AtCapacity))
    }
}

/// Reads a body in chunks. As soon as it is too large it is rejected, and the connection closes.
async fn body_of(mut response: Response) -> Result<Vec<u8>, CallError> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| no_response(&error))?
    {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(CallError::Unexpected(Unexpected::TooLarge));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl Received {
    fn new(response: &RawResponse) -> Self {
        Self {
            status: response.status.as_u16(),
            bytes: response.body.len(),
        }
    }
}

/// The outcome of a call in logs and metrics.
fn outcome(error: Option<&CallError>) -> &'static str {
    error.map_or("ok", CallError::name)
}

/// Logs a call that has ended. The line of a refusal or a failure is the only one about it. A
/// refusal is a valid response, and no warning.
fn log(call: Call, received: Option<&Received>, error: Option<&CallError>, took: Duration) {
    let call = call.path();
    let status = received.map(|received| received.status);
    let bytes = received.map(|received| received.bytes);
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    match error {
        None => tracing::debug!(call, status, ms, bytes, "upstream call"),
        Some(error) if error.is_refusal() => {
            let outcome = error.name();
            tracing::info!(call, outcome, %error, status, ms, bytes, "upstream refused the call");
        }
        Some(error) => {
            let outcome = error.name();
            tracing::warn!(call, outcome, %error, status, ms, bytes, "upstream call failed");
        }
    }
}

impl RawResponse {
    fn read<T>(
        self,
        call: Call,
        caller: &Caller,
        read: fn(&[u8]) -> Result<T, Unexpected>,
    ) -> Result<CallOutput<T>, CallError> {
        let encoding = self.headers.get(CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding != "identity") {
            return Err(Unexpected::Compressed.into());
        }
        let xsrf = xsrf::change_of(&self.headers, SystemTime::now());
        let body = self
            .body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body);
        let body = if self.status == StatusCode::NO_CONTENT {
            b"null"
        } else {
            body
        };
        let data = self.status.is_success().then(|| read(body));
        if let Some(Ok(data)) = data {
            return Ok(CallOutput { data, xsrf });
        }
        let envelope = ErrorEnvelope::read(body);
        // `meta` decides, not the HTTP status: a 2xx response can also report a failure.
        if let Some(Err(unexpected)) = data
            && !envelope.reports_failure()
        {
            return Err(unexpected.into());
        }
        let http_status = self.status.as_u16();
        let Some(reason) = Reason::from_response(call, http_status, &envelope) else {
            return Err(Unexpected::NoEnvelope(http_status).into());
        };
        Err(CallError::Failed(FailedResponse {
            http_status,
            meta_status: envelope.status(),
            reason,
            message: envelope
                .message()
                .map(|text| redact::shortened(text, &caller.secrets(), MAX_MESSAGE_CHARS)),
            xsrf,
        }))
    }
}

fn no_response(error: &reqwest::Error) -> CallError {
    CallError::NoResponse(if error.is_timeout() {
        NoResponseCause::TimedOut
    } else if is_refused(error) {
        NoResponseCause::Refused
    } else if error.is_connect() || error.is_builder() {
        NoResponseCause::Unreachable(root_cause(error))
    } else {
        NoResponseCause::Reset(root_cause(error))
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
