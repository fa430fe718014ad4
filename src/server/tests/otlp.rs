//! What a collector of OpenTelemetry receives.

use axum::body::Bytes;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value as Any},
    trace::v1::{Span, span::SpanKind, status::StatusCode},
};
use prost::Message;
use serde_json::json;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::layer::SubscriberExt;
use vincula_testing::{Act, Received, ScriptedApi, subscribe};

use super::privacy::{PERSONAL, every_journey};
use crate::{
    telemetry::otlp::Exporter,
    tests::{JSON, OWN, TestApp, update},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SENDER: &str = "00f067aa0ba902b7";

/// A collector, and the exporter of this thread's spans to it.
struct Collector {
    server: ScriptedApi,
    exporter: Exporter,
    _guard: DefaultGuard,
}

impl Collector {
    async fn start() -> Self {
        let server = ScriptedApi::answering(Act::status(200)).await;
        let url = format!("{}/v1/traces", server.origin()).parse().unwrap();
        let exporter = Exporter::start(&url).unwrap();
        let layers = vec![exporter.layer()];
        let guard = subscribe(tracing_subscriber::registry().with(layers));
        Self {
            server,
            exporter,
            _guard: guard,
        }
    }

    /// The bodies that the collector has received.
    async fn bodies(&self) -> Vec<Bytes> {
        self.exporter.flush().await;
        let requests = self.server.calls().into_iter();
        let body = |request: Received| {
            assert_eq!(request.line, "POST /v1/traces");
            assert_eq!(
                request.header("content-type"),
                Some("application/x-protobuf")
            );
            request.bytes
        };
        requests.map(body).collect()
    }
}

fn decoded(body: &[u8]) -> Vec<Span> {
    let request = ExportTraceServiceRequest::decode(body).unwrap();
    let mut spans = Vec::new();
    for resource in request.resource_spans {
        let attributes = resource.resource.unwrap().attributes;
        assert_eq!(text(&attributes, "service.name"), "vincula");
        assert_eq!(
            text(&attributes, "service.version"),
            env!("CARGO_PKG_VERSION")
        );
        spans.extend(
            resource
                .scope_spans
                .into_iter()
                .flat_map(|scope| scope.spans),
        );
    }
    spans
}

/// The value of an attribute, as text, with a mark before a number; empty if it is missing.
fn text(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.clone()?.value) {
        Some(Any::StringValue(text)) => text,
        Some(Any::IntValue(number)) => format!("#{number}"),
        _ => String::new(),
    }
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn exports_request_and_calls_as_spans_of_the_senders_trace() {
    let collector = Collector::start().await;
    let mut app = TestApp::entered(update()).await;
    app.upstream.on("list-accounts", Act::status(503));
    app.get("/no-page-of-ours").await;
    let input = json!({ "input": { "session": app.snapshot().id } });
    let traceparent = format!("00-{TRACE}-{SENDER}-01");
    let headers = [OWN, JSON, ("traceparent", &*traceparent)];
    let answer = app
        .ask("POST", "/api/list_accounts", &headers, input.to_string())
        .await;
    let calls = app.upstream.calls();
    let sent = calls.last().unwrap().header("traceparent").unwrap();

    let bodies = collector.bodies().await;
    let spans: Vec<_> = bodies.iter().flat_map(|body| decoded(body)).collect();
    let find = |name: &str| {
        let found = spans
            .iter()
            .find(|span| span.name == name && hex(&span.trace_id) == TRACE);
        found.unwrap_or_else(|| panic!("no {name} in {spans:#?}"))
    };
    let request = find("POST /api/list_accounts");
    assert_eq!(request.kind, SpanKind::Server as i32);
    assert_eq!(hex(&request.parent_span_id), SENDER);
    let status = request.status.clone().unwrap_or_default();
    assert_eq!(status.code, StatusCode::Error as i32);
    let id = answer.header_of("x-request-id").unwrap();
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/api/list_accounts"),
        ("http.response.status_code", &format!("#{}", answer.status)),
        ("error.type", "failed"),
        ("request_id", id),
        ("trace_id", TRACE),
    ] {
        assert_eq!(text(&request.attributes, key), value, "{key}");
    }
    assert!(request.events.is_empty(), "lines of the log are not sent");

    let call = find("GET /list-accounts");
    assert_eq!(call.kind, SpanKind::Client as i32);
    assert_eq!(call.parent_span_id, request.span_id);
    for (key, value) in [
        ("http.request.method", "GET"),
        ("http.response.status_code", "#503"),
        ("url.template", "/list-accounts"),
        ("server.address", "127.0.0.1"),
    ] {
        assert_eq!(text(&call.attributes, key), value, "{key}");
    }
    assert_eq!(sent, format!("00-{TRACE}-{}-01", hex(&call.span_id)));

    // A trace that starts here has one id in spans, lines and calls.
    let entered = spans
        .iter()
        .find(|span| span.name == "POST /api/validate_token")
        .unwrap();
    let own = hex(&entered.trace_id);
    assert!(entered.parent_span_id.is_empty());
    assert_eq!(text(&entered.attributes, "trace_id"), own);
    let sent = calls[0].header("traceparent").unwrap();
    assert!(sent.contains(&own) && sent.ends_with("-01"), "{sent}");
    assert!(
        spans.iter().all(|span| !span.name.contains("other")),
        "unknown paths and files are not sent"
    );
}

#[tokio::test]
async fn request_span_ends_with_its_response_during_a_delivery() {
    let collector = Collector::start().await;
    let mut app = TestApp::entered(update()).await;
    app.upstream.on("log", Act::Hang);
    app.finish().await;
    let bodies = collector.bodies().await;
    let spans: Vec<_> = bodies.iter().flat_map(|body| decoded(body)).collect();
    let has = |name: &str| spans.iter().any(|span| span.name == name);
    assert!(has("POST /api/finish_connect") && has("PUT /update-link-account"));
    assert!(!has("delivery") && !has("POST /log"), "they go on");
}

/// The spans of every journey hold no name, no document, no token and no cookie.
#[tokio::test]
async fn exports_no_personal_data() {
    let collector = Collector::start().await;
    let app = TestApp::on_sandbox().await;
    let secrets = every_journey(&app).await;
    let bodies = collector.bodies().await;
    let spans: Vec<_> = bodies.iter().flat_map(|body| decoded(body)).collect();
    for name in [
        "GET /integration/accounts",
        "POST /api/save_bank_form",
        "POST /authorize-customer",
        "delivery",
    ] {
        assert!(spans.iter().any(|span| span.name == name), "{name}");
    }
    let values = secrets
        .iter()
        .map(String::as_str)
        .chain(PERSONAL.iter().copied());
    let is_in = |value: &str| {
        bodies.iter().any(|body| {
            body.windows(value.len())
                .any(|window| window == value.as_bytes())
        })
    };
    let leaks: Vec<_> = values.filter(|value| is_in(value)).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}
