//! `POST /csp-report`: browsers report what the content policy has blocked.
//!
//! Anybody can send a report, and its page addresses may hold a link's token. Only the directive and the blocked origin
//! are logged, once per directive and request.

use std::{collections::HashSet, time::Duration};

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    http::StatusCode,
    routing::post,
};
use reqwest::Url;
use serde::Deserialize;
use vincula_domain::routes::CSP_REPORT;
use vincula_upstream::redact;

use super::{client_address::TrustedProxies, reports::Reports, request_limits};

/// Largest body, in bytes: browsers put up to some tens of reports into one.
const MAX_BODY_BYTES: usize = 16 * 1024;

const MAX_BODY_TIME: Duration = Duration::from_secs(5);

/// Longest name of an origin or directive that is logged, in bytes.
const MAX_NAME_BYTES: usize = 80;

/// Keywords that browsers send in place of a blocked address.
const KEYWORDS: [&str; 6] = ["inline", "eval", "wasm-eval", "self", "trusted-types-policy", "trusted-types-sink"];

/// The limits of reports, and the proxies trusted for the client's address.
#[derive(Clone)]
struct ReportState {
    trusted: TrustedProxies,
    reports: Reports,
}

/// Both shapes: of `report-uri` (one object) and of `report-to` (a list of reports).
#[derive(Deserialize)]
#[serde(untagged)]
enum Body {
    Old {
        #[serde(rename = "csp-report")]
        report: Report,
    },
    New(Vec<Wrapped>),
}

#[derive(Deserialize)]
struct Wrapped {
    body: Report,
}

#[derive(Deserialize)]
struct Report {
    #[serde(alias = "effective-directive", alias = "effectiveDirective", alias = "violated-directive")]
    directive: Option<String>,
    #[serde(alias = "blocked-uri", alias = "blockedURL")]
    blocked: Option<String>,
}

/// The parts of a report that may be logged.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    directive: String,
    blocked: String,
}

/// The route. It needs no session and stands apart from the pages' layers: a report has no `Origin`.
pub fn router<S: Clone + Send + Sync + 'static>(trusted: TrustedProxies, reports: Reports) -> Router<S> {
    Router::new().route(CSP_REPORT, post(take).with_state(ReportState { trusted, reports }))
}

async fn take(State(ReportState { trusted, reports }): State<ReportState>, request: Request) -> StatusCode {
    let client = trusted.client_of(&request);
    if !reports.may_ask(client) {
        return StatusCode::TOO_MANY_REQUESTS;
    }
    let request = match request_limits::whole(request, MAX_BODY_BYTES, MAX_BODY_TIME).await {
        Ok(request) => request,
        Err(status) => return status,
    };
    let body = to_bytes(request.into_body(), MAX_BODY_BYTES).await.unwrap_or_default();
    let Some(violations) = read(&body) else { return StatusCode::BAD_REQUEST };
    let mut told = HashSet::new();
    for Violation { directive, blocked } in violations {
        if told.insert(directive.clone()) && reports.may_write(client) {
            tracing::warn!(directive, blocked, "content policy violated");
        }
    }
    StatusCode::NO_CONTENT
}

fn read(body: &[u8]) -> Option<Vec<Violation>> {
    let reports = match serde_json::from_slice(body).ok()? {
        Body::Old { report } => vec![report],
        Body::New(list) => list.into_iter().map(|wrapped| wrapped.body).collect(),
    };
    let violation = |report: Report| Violation {
        directive: directive(&report.directive.unwrap_or_default()),
        blocked: origin(&report.blocked.unwrap_or_default()),
    };
    Some(reports.into_iter().map(violation).collect())
}

/// Reads any body as a report. For fuzzing: it must not panic.
#[doc(hidden)]
pub fn read_any(body: &[u8]) {
    for Violation { directive, blocked } in read(body).unwrap_or_default() {
        assert!(directive.len().max(blocked.len()) <= MAX_NAME_BYTES);
        assert!(!directive.contains(char::is_control) && !blocked.contains(char::is_control));
    }
}

/// A directive's name; older browsers send its whole text.
fn directive(text: &str) -> String {
    let name = text.split(' ').next().unwrap_or_default();
    let plain = name.len() <= MAX_NAME_BYTES && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if plain && !name.is_empty() { name.to_owned() } else { "other".to_owned() }
}

/// Scheme and host of a blocked address, with document numbers redacted, or the keyword in its place.
fn origin(text: &str) -> String {
    if KEYWORDS.contains(&text) {
        return text.to_owned();
    }
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https" | "ws" | "wss") => {
            let origin = url.origin().ascii_serialization();
            if origin.len() <= MAX_NAME_BYTES { redact::text(&origin, &[]) } else { "other".to_owned() }
        }
        Ok(url) if matches!(url.scheme(), "data" | "blob" | "chrome-extension" | "moz-extension") => {
            url.scheme().to_owned()
        }
        _ => "other".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body as HttpBody;
    use serde_json::{Value, json};
    use tower::ServiceExt;
    use vincula_faulty::lines::log_of_this_thread;
    use vincula_telemetry::Metrics;

    use super::*;

    fn read_one(body: Value) -> Violation {
        read(body.to_string().as_bytes()).unwrap().remove(0)
    }

    fn violation(directive: &str, blocked: &str) -> Violation {
        Violation { directive: directive.into(), blocked: blocked.into() }
    }

    #[test]
    fn both_shapes_of_report_are_read() {
        let old = json!({ "csp-report": {
            "document-uri": "https://vincula.example/?token=secret", "effective-directive": "script-src-elem",
            "blocked-uri": "https://evil.example/a.js?cpf=52998224725", "script-sample": "secret" } });
        assert_eq!(read_one(old), violation("script-src-elem", "https://evil.example"));
        let new = json!([{ "type": "csp-violation", "url": "https://vincula.example/?token=secret", "body": {
            "documentURL": "https://vincula.example/?token=secret", "effectiveDirective": "style-src-attr",
            "blockedURL": "inline", "sample": "secret" } }]);
        assert_eq!(read_one(new), violation("style-src-attr", "inline"));
    }

    #[test]
    fn nothing_else_of_a_report_gets_through() {
        for (directive_text, blocked, expected) in [
            ("img-src 'self' data:", "data:image/png;base64,AAAA", violation("img-src", "data")),
            (
                "52998224725",
                "https://user:pass@a.example:8443/?q=52998224725",
                violation("other", "https://a.example:8443"),
            ),
            ("a\nb", "Maria da Silva", violation("other", "other")),
            ("", "", violation("other", "other")),
            ("x", "ftp://a.example", violation("x", "other")),
            ("x", "https://52998224725.example/", violation("x", "https://[redacted].example")),
            ("x", "https://cpf-529-982-247-25.example:8443/", violation("x", "https://cpf-[redacted].example:8443")),
            ("x", "wss://529.982.247-25", violation("x", "wss://[redacted]")),
            ("x", "https://５２９９８２２４７２５.example", violation("x", "https://[redacted].example")),
            (&"a".repeat(81), &format!("https://{}.example", "a".repeat(90)), violation("other", "other")),
        ] {
            let report = json!({ "csp-report": { "violated-directive": directive_text, "blocked-uri": blocked } });
            assert_eq!(read_one(report), expected);
        }
        assert_eq!(read(b"[1]"), None);
        assert_eq!(read(b"not json"), None);
    }

    /// Otherwise one page with a hundred images would use up the lines of all clients.
    #[tokio::test]
    async fn one_request_makes_one_line_of_a_directive_and_few_in_all() {
        let (lines, _guard) = log_of_this_thread();
        let router: Router = router(TrustedProxies::default(), Reports::new(Metrics::default()));
        let reports = |directive: fn(usize) -> String| {
            let report = |i| json!({ "body": { "effectiveDirective": directive(i), "blockedURL": "inline" } });
            Value::from((0..100).map(report).collect::<Vec<_>>()).to_string()
        };
        assert_eq!(send(&router, reports(|i| ["img-src", "font-src"][i % 2].into())).await, 204);
        assert_eq!(lines.take().matches("content policy violated").count(), 2);
        // Invented directives use up the lines of their own address only.
        assert_eq!(send(&router, reports(|i| "a".repeat(i % 80 + 1))).await, 204);
        let of_one = lines.take().matches("content policy violated").count();
        assert!((18..25).contains(&of_one), "{of_one}");
    }

    async fn send(router: &Router, body: impl Into<HttpBody>) -> u16 {
        router.clone().oneshot(Request::post(CSP_REPORT).body(body.into()).unwrap()).await.unwrap().status().as_u16()
    }

    #[tokio::test]
    async fn reports_are_limited_in_size_and_number() {
        let router: Router = router(TrustedProxies::default(), Reports::new(Metrics::default()));
        assert_eq!(send(&router, r#"{"csp-report":{}}"#).await, 204);
        assert_eq!(send(&router, "x").await, 400);
        assert_eq!(send(&router, vec![b'['; MAX_BODY_BYTES + 1]).await, 413);
        let mut last = 0;
        for _ in 0..200 {
            last = send(&router, "[]").await;
        }
        assert_eq!(last, 429);
    }
}
