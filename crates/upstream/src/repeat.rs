//! What is sent once more: a list whose connection fails before an answer begins. Nothing else is ever sent twice.
//!
//! An upstream that restarts, or closes a connection just when we use it, then costs nobody a list. Orders may have been
//! carried out before the connection failed, and are not repeated.

use reqwest::{
    Error, Method, Url,
    retry::{self, Builder},
};

/// How much more an upstream that is down may get from us because of it, beside a reserve of 10 a second.
const MOST_MORE_LOAD: f32 = 0.1;

/// The rule for the upstream's host.
pub(super) fn of_lists(base: &Url) -> Builder {
    retry::for_host(base.host_str().unwrap_or_default().to_owned())
        .max_retries_per_request(1)
        .max_extra_load(MOST_MORE_LOAD)
        .classify_fn(|attempt| {
            // Who has waited for long does not wait as long again.
            let has_failed = attempt.error().is_some_and(|error| {
                error.downcast_ref::<Error>().is_none_or(|error| !error.is_timeout() && !error.is_builder())
            });
            if has_failed && attempt.method() == Method::GET { attempt.retryable() } else { attempt.success() }
        })
}
