//! The debug log of the calls: a line for each, without the bodies.

use tracing::{Level, enabled};
use vincula_telemetry::trace::Trace;

use super::{Call, CallError, Upstream};

/// How a call ended.
pub(super) struct Ended<'a> {
    pub status: Option<u16>,
    pub bytes: Option<usize>,
    /// As in the metrics.
    pub outcome: &'static str,
    /// Why the call failed, without anything of the bodies.
    pub error: Option<&'a CallError>,
    pub ms: u128,
}

impl Upstream {
    pub(super) fn log_end(call: Call, ended: &Ended<'_>) {
        if !enabled!(Level::DEBUG) {
            return;
        }
        let trace = Trace::current();
        tracing::debug!(
            method = %call.method(),
            path = call.path(),
            status = ended.status,
            outcome = ended.outcome,
            error = ended.error.map(display),
            ms = ended.ms,
            bytes = ended.bytes,
            request_id = trace.as_ref().map(Trace::request_id),
            "call to the upstream"
        );
    }
}
