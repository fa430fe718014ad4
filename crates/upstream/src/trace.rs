//! W3C trace context: the trace of a request, continued from the incoming `traceparent` or started here, and propagated
//! to the upstream together with the request id.
//!
//! `tracestate` may contain anything, so it is neither stored nor propagated.

use std::{future::Future, sync::LazyLock};

use http::{HeaderMap, HeaderName};
use regex::Regex;

/// The support code of a request, in the server's responses and in calls to the upstream.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// A version, the trace's id, the parent's, the flags, and what later versions may add.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = "^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})((?:-.*)?)$";
    Regex::new(pattern).expect("the pattern is constant")
});

/// The only flag of version 00; other bits are not propagated.
const SAMPLED: u8 = 1;

/// The trace and the support code of a request. A support code that a request brings along is ignored: people would
/// read it out to our support as if it were ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// 128 bits as hexadecimal digits, never all zero.
    id: String,
    flags: u8,
    request_id: String,
}

tokio::task_local! {
    static CURRENT: Trace;
}

impl Trace {
    /// Continues the trace of the request's `traceparent` if that is well-formed, else starts a new one, not sampled.
    pub fn begin(headers: &HeaderMap) -> Self {
        let mut brought = headers.get_all(TRACEPARENT).iter();
        let (first, more) = (brought.next(), brought.next());
        let read = first
            .filter(|_| more.is_none())
            .and_then(|value| read(value.to_str().ok()?));
        let (id, flags) =
            read.unwrap_or_else(|| (format!("{:032x}", rand::random::<u128>() | 1), 0));
        // 48 bits as 12 digits: short enough to read out on the phone.
        Self {
            id,
            flags,
            request_id: format!("{:012x}", rand::random::<u64>() >> 16),
        }
    }

    /// The trace of the request that this task serves.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// The support code of the request that this task serves.
    pub fn current_request_id() -> Option<String> {
        CURRENT.try_with(|trace| trace.request_id.clone()).ok()
    }

    pub fn scope<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        CURRENT.scope(self, work)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The `traceparent` for a call to the upstream: the same trace, with a new parent id for each call.
    pub fn traceparent(&self) -> String {
        format!(
            "00-{}-{:016x}-{:02x}",
            self.id,
            rand::random::<u64>() | 1,
            self.flags
        )
    }
}

/// Wraps a future for another task, so that it stays in the current trace.
pub fn in_current<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let trace = Trace::current();
    async move {
        match trace {
            Some(trace) => trace.scope(work).await,
            None => work.await,
        }
    }
}

/// Parses `traceparent`. A later version is parsed like version 00, as the standard requires.
fn read(text: &str) -> Option<(String, u8)> {
    let (_, [version, id, parent, flags, more]) = FORM.captures(text)?.extract();
    let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
    if is_zero(id) || is_zero(parent) || version == "ff" || (version == "00" && !more.is_empty()) {
        return None;
    }
    Some((id.to_owned(), u8::from_str_radix(flags, 16).ok()? & SAMPLED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn begun(values: &[&str]) -> Trace {
        Trace::begin(
            &values
                .iter()
                .map(|value| (TRACEPARENT, value.parse().unwrap()))
                .collect(),
        )
    }

    #[test]
    fn a_well_formed_trace_is_continued() {
        for (value, flags) in [
            (format!("00-{TRACE}-00f067aa0ba902b7-01"), "01"),
            (format!("00-{TRACE}-00f067aa0ba902b7-00"), "00"),
            (format!("00-{TRACE}-00f067aa0ba902b7-ff"), "01"),
            (
                format!("cc-{TRACE}-00f067aa0ba902b7-01-what-comes-later"),
                "01",
            ),
        ] {
            let trace = begun(&[&value]);
            let passed_on = trace.traceparent();
            assert_eq!(trace.id(), TRACE, "{value}");
            assert!(
                passed_on.starts_with(&format!("00-{TRACE}-"))
                    && passed_on.ends_with(&format!("-{flags}"))
            );
            assert!(
                !passed_on.contains("00f067aa0ba902b7"),
                "our calls are not the caller's"
            );
            assert_ne!(
                passed_on,
                trace.traceparent(),
                "each call has an id of its own"
            );
        }
    }

    #[test]
    fn anything_else_starts_a_new_trace() {
        let sound = format!("00-{TRACE}-00f067aa0ba902b7-01");
        for values in [
            &[][..],
            &[""],
            &[&sound, &sound],
            &[&format!("{sound}-more")],
            &[&sound[..54]],
            &[&sound.to_uppercase()],
            &[&format!("ff-{TRACE}-00f067aa0ba902b7-01")],
            &["00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
            &[&format!("00-{TRACE}-0000000000000000-01")],
            &[&format!("00-{TRACE}-00f067aa0ba902b7-0g")],
        ] {
            let trace = begun(values);
            assert_ne!(trace.id(), TRACE, "{values:?}");
            assert!(trace.traceparent().ends_with("-00"), "{values:?}");
        }
    }

    #[tokio::test]
    async fn another_task_goes_on_in_the_same_trace() {
        let trace = begun(&[]);
        let there = trace.clone().scope(async {
            tokio::spawn(in_current(async { Trace::current() }))
                .await
                .unwrap()
        });
        assert_eq!(there.await, Some(trace));
        assert_eq!(in_current(async { Trace::current() }).await, None);
    }

    proptest! {
        #[test]
        fn what_is_passed_on_is_sound_whatever_came(value in "[!-~]{0,80}|00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}") {
            let passed_on = begun(&[&value]).traceparent();
            prop_assert!(read(&passed_on).is_some() && passed_on.len() == 55);
        }
    }
}
