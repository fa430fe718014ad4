//! Retries a list once if its connection fails before a response begins. This layer retries nothing else.
//!
//! So a restarting upstream, or a pooled connection that closes just as it is used, costs nobody a list. Calls that
//! change something are not retried: the upstream may have carried them out before the connection failed.

use reqwest::{
    Error, Method, Url,
    retry::{self, Builder},
};

/// Retry budget: maximum extra load on an upstream that is down, beside a reserve of 10 retries a second.
const MAX_EXTRA_LOAD: f32 = 0.1;

/// The retry policy for the upstream's host.
pub(super) fn lists_once(base: &Url) -> Builder {
    retry::for_host(base.host_str().unwrap_or_default().to_owned())
        .max_retries_per_request(1)
        .max_extra_load(MAX_EXTRA_LOAD)
        .classify_fn(|attempt| {
            // A timeout is not retried: the client has waited long enough.
            let has_failed = attempt.error().is_some_and(|error| {
                error.downcast_ref::<Error>().is_none_or(|error| !error.is_timeout() && !error.is_builder())
            });
            if has_failed && attempt.method() == Method::GET { attempt.retryable() } else { attempt.success() }
        })
}
