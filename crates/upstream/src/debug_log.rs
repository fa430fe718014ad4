//! The debug log of the calls: a line for each, and on the embedded sandbox both bodies, redacted.

use serde::Serialize;
use serde_json::Value;
use tracing::{Level, enabled};
use vincula_telemetry::trace::Trace;

use super::{Call, CallError, Caller, Upstream, redact};

/// The fields of the contract that name a person, hold a document, or open something.
const PERSONAL: [&str; 8] = [
    "token",
    "cpfcnpj",
    "client_name",
    "client_cpfcnpj",
    "customer_name",
    "widget_account_admin_name",
    "widget_account_admin_cpfcnpj",
    "name",
];

/// Longest body in the log, in characters: the beginning of a list says enough.
const MAX_CHARS: usize = 1_000;

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
    /// The same client, which also logs what it sends and receives. For the embedded sandbox only, whose clients are
    /// invented.
    pub fn with_bodies_in_log(self) -> Self {
        Self { logs_bodies: true, ..self }
    }

    pub(super) fn log_payload<P: Serialize + ?Sized>(&self, call: Call, caller: &Caller, payload: Option<&P>) {
        if self.logs_bodies && enabled!(Level::DEBUG) {
            let sent = payload.and_then(|payload| serde_json::to_value(payload).ok());
            let sent = sent.map_or_else(|| "-".into(), |sent| shown(&clean(call, caller, &sent)));
            tracing::debug!(call = call.path(), %sent, "body to the upstream");
        }
    }

    pub(super) fn log_answer(&self, call: Call, caller: &Caller, body: &[u8]) {
        if self.logs_bodies && enabled!(Level::DEBUG) {
            let answered = match serde_json::from_slice(body) {
                Ok(body) => shown(&clean(call, caller, &body)),
                Err(_) => "(no JSON)".to_owned(),
            };
            tracing::debug!(call = call.path(), %answered, "body from the upstream");
        }
    }

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

/// A clean body as text: of a long one the beginning.
fn shown(clean: &Value) -> String {
    let mut text = clean.to_string();
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A body without tokens, documents and names.
fn clean(call: Call, caller: &Caller, body: &Value) -> Value {
    let mut clean = redact::json(body, &caller.secrets());
    if call == Call::ConnectToken
        && let Some(token @ Value::String(_)) = clean.get_mut("data")
    {
        *token = redact::MARK.into();
    }
    hide(call, &mut clean);
    clean
}

fn clean_text(call: Call, json: &str) -> String {
    let mut value = serde_json::from_str(json).unwrap_or(Value::Null);
    if let Some(message @ Value::String(_)) = value.get_mut("message") {
        *message = redact::MARK.into();
    }
    hide(call, &mut value);
    value.to_string()
}

fn hide(call: Call, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                let is_bank = call == Call::ListBanks && key == "name";
                match field {
                    // JSON text, in which an error of Connect may say anything.
                    Value::String(text) if key == "data_log" => *text = clean_text(call, text),
                    Value::String(_) | Value::Number(_) if PERSONAL.contains(&key.as_str()) && !is_bank => {
                        *field = redact::MARK.into();
                    }
                    _ => hide(call, field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(call, item)),
        _ => {}
    }
}
