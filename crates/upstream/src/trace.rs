//! W3C trace context: the trace of a request, continued from the incoming `traceparent` or started
//! here, and propagated to the upstream together with the request id.
//!
//! `tracestate` may contain anything, so it is neither stored nor propagated.

use std::sync::LazyLock;

use http::{HeaderMap, HeaderName};
use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState},
};
use regex::Regex;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

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

/// The trace and the support code of a request. A support code that a request brings along is
/// ignored: people would read it out to our support as if it were ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// 128 bits as hexadecimal digits, never all zero.
    id: String,
    /// The span of the request's sender, 64 bits as hexadecimal digits; `None` if the trace starts
    /// here.
    parent: Option<String>,
    flags: u8,
    request_id: String,
}

impl Default for Trace {
    /// A new trace, not sampled.
    fn default() -> Self {
        Self::begin(&HeaderMap::new())
    }
}

impl Trace {
    /// Continues the trace of the request's `traceparent` if that is well-formed, else starts a new
    /// one, not sampled.
    pub fn begin(headers: &HeaderMap) -> Self {
        let mut brought = headers.get_all(TRACEPARENT).iter();
        let (first, more) = (brought.next(), brought.next());
        let read = first
            .filter(|_| more.is_none())
            .and_then(|value| read(value.to_str().ok()?));
        let (id, parent, flags) = match read {
            Some((id, parent, flags)) => (id, Some(parent), flags),
            None => (format!("{:032x}", rand::random::<u128>() | 1), None, 0),
        };
        // 48 bits as 12 digits: short enough to read out on the phone.
        Self {
            id,
            parent,
            flags,
            request_id: format!("{:012x}", rand::random::<u64>() >> 16),
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Makes the span of a request a part of this trace, if spans are exported: a child of its
    /// sender's span. The exporter chooses the id of a trace that starts here, and the sampler the
    /// flags.
    pub fn continue_in(&mut self, span: &Span) {
        if let Some(parent) = self.parent() {
            // Fails if spans are not exported.
            let _ = span.set_parent(Context::new().with_remote_span_context(parent));
        }
        if let Some(own) = exported(span) {
            self.id = own.trace_id().to_string();
            self.flags = own.trace_flags().to_u8() & SAMPLED;
        }
    }

    fn parent(&self) -> Option<SpanContext> {
        Some(SpanContext::new(
            TraceId::from_hex(&self.id).ok()?,
            SpanId::from_hex(self.parent.as_ref()?).ok()?,
            TraceFlags::new(self.flags),
            true,
            TraceState::NONE,
        ))
    }

    /// The `traceparent` for a call to the upstream: the same trace, with a parent id of its own
    /// for each call. That is the id of the call's span, if spans are exported.
    pub fn traceparent(&self, call: &Span) -> String {
        let parent = match exported(call) {
            Some(own) => own.span_id().to_string(),
            None => format!("{:016x}", rand::random::<u64>() | 1),
        };
        format!("00-{}-{parent}-{:02x}", self.id, self.flags)
    }
}

/// The ids under which a span is exported; `None` if spans are not exported.
fn exported(span: &Span) -> Option<SpanContext> {
    let context = span.context();
    let own = context.span().span_context().clone();
    own.is_valid().then_some(own)
}

/// Parses `traceparent`. A later version is parsed like version 00, as the standard requires.
fn read(text: &str) -> Option<(String, String, u8)> {
    let (_, [version, id, parent, flags, more]) = FORM.captures(text)?.extract();
    let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
    if is_zero(id) || is_zero(parent) || version == "ff" || (version == "00" && !more.is_empty()) {
        return None;
    }
    let flags = u8::from_str_radix(flags, 16).ok()? & SAMPLED;
    Some((id.to_owned(), parent.to_owned(), flags))
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
            let passed_on = trace.traceparent(&Span::none());
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
                trace.traceparent(&Span::none()),
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
            assert!(
                trace.traceparent(&Span::none()).ends_with("-00"),
                "{values:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_passed_on_is_sound_whatever_came(value in "[!-~]{0,80}|00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}") {
            let passed_on = begun(&[&value]).traceparent(&Span::none());
            prop_assert!(read(&passed_on).is_some() && passed_on.len() == 55);
        }
    }
}
