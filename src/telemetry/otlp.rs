//! Sends spans to the OpenTelemetry collector of the settings, by OTLP over HTTP with protobuf.
//!
//! Spans contain no more than the log lines of requests: routes, statuses and ids. Events are not
//! sent.

use std::{
    error::Error,
    future::Future,
    iter::successors,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{body::Bytes, http};
use opentelemetry::{
    Key,
    trace::{TraceContextExt, TracerProvider},
};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use reqwest::{Client, Url, redirect};
use tokio::{runtime::Handle, task::spawn_blocking};
use tracing::{Metadata, Span, metadata::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, filter::FilterFn};

use super::log::BoxedLayer;

/// The target of spans that are not sent, such as the spans of requests for files.
pub const NOT_SENT: &str = "vincula::not_sent";

/// The name of the service, unless OpenTelemetry's environment variables set another.
const SERVICE: &str = "vincula";

/// Timeout of one request to the collector.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long the shutdown waits for the last spans.
const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Longest response of the collector that is read, in bytes.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// The running exporter: a thread that collects finished spans and sends them in batches.
#[derive(Debug)]
pub struct Exporter(SdkTracerProvider);

impl Exporter {
    /// Starts sending spans to `traces`. The sampler, the name of the service, the attributes of
    /// the resource, the headers and the limits of the queue are read from OpenTelemetry's
    /// environment variables. Must be called within the runtime.
    pub fn start(traces: &Url) -> anyhow::Result<Self> {
        let http = client()?;
        let collector = Collector {
            http,
            runtime: Handle::current(),
            is_failing: Arc::default(),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(collector)
            .with_endpoint(traces.as_str())
            .build()?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(exporter);
        Ok(Self(provider.build()))
    }

    /// The layer that turns our spans into those of OpenTelemetry.
    pub fn layer(&self) -> BoxedLayer {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer(SERVICE))
            .with_level(false)
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(
                FilterFn::new(is_sent as fn(&Metadata<'_>) -> bool)
                    .with_max_level_hint(LevelFilter::INFO),
            )
            .boxed()
    }

    /// Sends the remaining finished spans, for at most 5 s, and stops the thread.
    pub async fn shut_down(self) {
        // The thread sends on this runtime, which must not be blocked meanwhile.
        let closing = spawn_blocking(move || self.0.shutdown_with_timeout(CLOSING_TIME));
        if !matches!(closing.await, Ok(Ok(()))) {
            tracing::warn!("the last spans were not sent to the collector");
        }
    }

    /// Sends the spans that are finished so far.
    #[cfg(test)]
    pub async fn flush(&self) {
        let provider = self.0.clone();
        let flushing = spawn_blocking(move || provider.force_flush());
        flushing.await.unwrap().unwrap();
    }
}

fn is_sent(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    metadata.is_span() && target.starts_with("vincula") && target != NOT_SENT
}

/// Sends an empty request, without the headers of OpenTelemetry's environment variables. Returns
/// the HTTP status, whatever it is, or why there was no response.
pub async fn probe(traces: &Url) -> Result<u16, String> {
    let request = client().map_err(|error| error.to_string())?;
    let request = request
        .post(traces.clone())
        .header("content-type", "application/x-protobuf");
    match request.send().await {
        Ok(response) => Ok(response.status().as_u16()),
        Err(error) => {
            let causes = successors(error.source(), |&cause| cause.source());
            let cause = causes.last().map(ToString::to_string);
            Err(cause.unwrap_or_else(|| error.to_string()))
        }
    }
}

fn client() -> reqwest::Result<Client> {
    // Fails if the process already has a provider, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .timeout(TIMEOUT)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .build()
}

/// The attributes that identify this process in its spans.
fn resource() -> Resource {
    let detected = Resource::builder().build();
    let lacks = |key| detected.get(&Key::from_static_str(key)).is_none();
    let is_unnamed = detected
        .get(&Key::from_static_str("service.name"))
        .is_none_or(|name| name.as_str().starts_with("unknown_service"));
    let mut resource = Resource::builder();
    if is_unnamed {
        resource = resource.with_service_name(SERVICE);
    }
    if lacks("service.version") {
        let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        resource = resource.with_attribute(version);
    }
    resource.build()
}

/// Ends the span of a request whose response is complete. Without this, tasks that outlive the
/// request would keep its span open, because their log lines belong to it.
pub fn end(span: &Span) {
    span.context().span().end();
}

/// Sends requests to the collector. The exporter's thread is outside of our runtime, but the
/// requests run on it.
#[derive(Debug)]
struct Collector {
    http: Client,
    runtime: Handle,
    /// Whether the last request failed. Only changes are logged.
    is_failing: Arc<AtomicBool>,
}

type Sending<'a> =
    Pin<Box<dyn Future<Output = Result<http::Response<Bytes>, HttpError>> + Send + 'a>>;

impl HttpClient for Collector {
    fn send_bytes<'a, 'b>(&'a self, request: http::Request<Bytes>) -> Sending<'b>
    where
        'a: 'b,
        Self: 'b,
    {
        let http = self.http.clone();
        let is_failing = Arc::clone(&self.is_failing);
        let sending = self.runtime.spawn(async move {
            let response = exchange(&http, request).await;
            note(&is_failing, &response);
            response
        });
        Box::pin(async move { sending.await? })
    }
}

async fn exchange(
    http: &Client,
    request: http::Request<Bytes>,
) -> Result<http::Response<Bytes>, HttpError> {
    let sent = http.execute(request.try_into()?).await;
    let mut response = sent.map_err(reqwest::Error::without_url)?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err("the collector's response is too large".into());
        }
        body.extend_from_slice(&chunk);
    }
    let mut read = http::Response::new(body.into());
    *read.status_mut() = response.status();
    *read.headers_mut() = response.headers().clone();
    Ok(read)
}

/// Logs when the collector starts rejecting spans, and when it accepts them again. The error
/// contains no address, because the address may contain a key.
fn note(is_failing: &AtomicBool, response: &Result<http::Response<Bytes>, HttpError>) {
    let cause = match response {
        Ok(response) if response.status().is_success() => None,
        Ok(response) => Some(format!("HTTP {}", response.status().as_u16())),
        Err(error) => Some(error.to_string()),
    };
    let was_failing = is_failing.swap(cause.is_some(), Relaxed);
    match cause {
        Some(cause) if !was_failing => tracing::warn!(cause, "the collector takes no spans"),
        None if was_failing => tracing::info!("the collector takes spans again"),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vincula_testing::log_of_this_thread;

    #[test]
    fn logs_when_spans_are_lost_and_when_they_arrive_again() {
        let (lines, _guard) = log_of_this_thread();
        let is_failing = AtomicBool::default();
        let answered = |status: u16| {
            let mut response = http::Response::new(Bytes::new());
            *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
            Ok(response)
        };
        note(&is_failing, &answered(200));
        assert_eq!(lines.take(), "");
        note(&is_failing, &answered(503));
        note(&is_failing, &Err("refused".into()));
        let log = lines.take();
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(log.contains("HTTP 503"), "{log}");
        note(&is_failing, &answered(200));
        assert!(lines.take().contains("takes spans again"));
    }
}
