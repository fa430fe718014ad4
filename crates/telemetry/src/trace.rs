//! W3C trace context: whose work a request is part of, taken over from in front of us or begun here, and passed on to
//! the upstream together with the request id.
//!
//! Only `traceparent` is read. `tracestate` may hold anything, so it is neither kept nor passed on.

use std::{fmt, future::Future};

use http::{HeaderMap, HeaderName};

/// Carries the support code of a request, in our answers and in calls to the upstream.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Length of what version 00 is: `00-<32>-<16>-<2>`.
const LENGTH: usize = 55;

/// Only "sampled" is known to version 00; other bits are not passed on.
const SAMPLED: u8 = 1;

/// The trace that a request belongs to, and the support code of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    id: TraceId,
    flags: u8,
    request_id: String,
}

/// 128 bits, never all zero; shown as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(u128);

tokio::task_local! {
    static CURRENT: Trace;
}

impl Trace {
    /// The trace of a request: the one that it brings along if that is well-formed, else a new one, not sampled.
    pub fn begin(headers: &HeaderMap, request_id: &str) -> Self {
        let mut brought = headers.get_all(TRACEPARENT).iter();
        let (first, more) = (brought.next(), brought.next());
        let read = first.filter(|_| more.is_none()).and_then(|value| read(value.to_str().ok()?));
        let (id, flags) = read.unwrap_or_else(|| (TraceId(rand::random::<u128>() | 1), 0));
        Self { id, flags, request_id: request_id.to_owned() }
    }

    /// The trace of the request that this task works for.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Works for this trace.
    pub async fn scope<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    pub fn id(&self) -> TraceId {
        self.id
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// What goes to the upstream: the same trace, and an id of its own for each call.
    pub fn traceparent(&self) -> String {
        format!("00-{}-{:016x}-{:02x}", self.id, rand::random::<u64>() | 1, self.flags)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Work that another task goes on with stays in the trace in which it was begun.
pub fn in_current<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let trace = Trace::current();
    async move {
        match trace {
            Some(trace) => trace.scope(work).await,
            None => work.await,
        }
    }
}

/// Reads `traceparent`. A later version is read as far as version 00 goes, as the standard asks.
fn read(text: &str) -> Option<(TraceId, u8)> {
    let (known, rest) = text.split_at_checked(LENGTH)?;
    let mut parts = known.split('-');
    let mut hex = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).then_some(part)
    };
    let (version, trace, parent, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    let ends = rest.is_empty() || (version != "00" && rest.starts_with('-'));
    let id = u128::from_str_radix(trace, 16).ok().filter(|id| *id != 0)?;
    let has_parent = parent.bytes().any(|b| b != b'0');
    (ends && has_parent && version != "ff").then_some(())?;
    Some((TraceId(id), u8::from_str_radix(flags, 16).ok()? & SAMPLED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn begun(values: &[&str]) -> Trace {
        Trace::begin(&values.iter().map(|value| (TRACEPARENT, value.parse().unwrap())).collect(), "c0ffee")
    }

    #[test]
    fn a_sound_trace_is_taken_over() {
        for (value, flags) in [
            (format!("00-{TRACE}-00f067aa0ba902b7-01"), "01"),
            (format!("00-{TRACE}-00f067aa0ba902b7-00"), "00"),
            (format!("00-{TRACE}-00f067aa0ba902b7-ff"), "01"),
            (format!("cc-{TRACE}-00f067aa0ba902b7-01-what-comes-later"), "01"),
        ] {
            let trace = begun(&[&value]);
            let passed_on = trace.traceparent();
            assert_eq!(trace.id().to_string(), TRACE, "{value}");
            assert!(passed_on.starts_with(&format!("00-{TRACE}-")) && passed_on.ends_with(&format!("-{flags}")));
            assert!(!passed_on.contains("00f067aa0ba902b7"), "our calls are not the caller's");
            assert_ne!(passed_on, trace.traceparent(), "each call has an id of its own");
        }
    }

    #[test]
    fn anything_else_begins_a_new_one() {
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
            &["00-52998224725-00f067aa0ba902b7-01-aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
        ] {
            let trace = begun(values);
            assert_ne!(trace.id().to_string(), TRACE, "{values:?}");
            assert!(trace.traceparent().ends_with("-00"), "{values:?}");
        }
    }

    #[tokio::test]
    async fn another_task_goes_on_in_the_same_trace() {
        let trace = begun(&[]);
        let there = trace.clone().scope(async { tokio::spawn(in_current(async { Trace::current() })).await.unwrap() });
        assert_eq!(there.await, Some(trace));
        assert_eq!(in_current(async { Trace::current() }).await, None);
    }

    proptest! {
        #[test]
        fn what_is_passed_on_is_sound_whatever_came(value in "[!-~]{0,80}|00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}") {
            let passed_on = begun(&[&value]).traceparent();
            prop_assert!(read(&passed_on).is_some() && passed_on.len() == LENGTH);
        }
    }
}
