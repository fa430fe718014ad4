//! One log line per request, without query, cookie and body: they hold tokens and names.

use std::time::Instant;

use axum::{extract::Request, middleware::Next, response::Response};
use vincula_domain::routes::{API, ISLANDS, Page};
use vincula_telemetry::{Cause, Trace};

use super::RequestId;

/// A response whose line is at debug level: a limit refused the request, and its sender has used up the budget of lines.
/// The metrics count each refusal.
#[derive(Clone, Copy)]
pub struct Unlogged;

/// Writes the line when the response's head is ready.
pub async fn access(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, route) = (request.method().clone(), route_of(request.uri().path()));
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (status, id) = (response.status().as_u16(), id.as_ref().map(RequestId::as_str));
    let cause = Some(Cause::of(response.status())).filter(|cause| *cause != Cause::None).map(Cause::name);
    let trace_id = Trace::current().map(|trace| tracing::field::display(trace.id()));
    if route.is_static || response.extensions().get::<Unlogged>().is_some() {
        tracing::debug!(%method, route = route.name, status, cause, ms, request_id = id, trace_id, "request")
    } else {
        tracing::info!(%method, route = route.name, status, cause, ms, request_id = id, trace_id, "request")
    }
    response
}

struct Route {
    name: String,
    is_static: bool,
}

/// The route without any text of the visitor's: nothing that is typed reaches the log.
fn route_of(path: &str) -> Route {
    let action = path.strip_prefix(API).and_then(|rest| rest.strip_prefix('/'));
    match (Page::at(path), action) {
        (Some(page), _) => Route { name: page.path().into(), is_static: false },
        (None, Some(name)) if name.len() < 32 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') => {
            Route { name: format!("{API}/{name}"), is_static: false }
        }
        _ => Route { name: "other".into(), is_static: path.starts_with("/pkg/") || path.starts_with(ISLANDS) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_named_without_what_was_typed() {
        assert_eq!(route_of("/error/529.982.247-25").name, "/error");
        assert_eq!(route_of("/api/list_accounts").name, "/api/list_accounts");
        assert_eq!(route_of("/api/52998224725").name, "other");
        assert_eq!(route_of("/a\r\nb").name, "other");
        assert!(route_of("/pkg/vincula.js").is_static);
    }
}
