//! One log line per request, without query, cookie and body: they hold tokens and names.

use std::{sync::Arc, time::Instant};

use axum::{extract::Request, middleware::Next, response::Response};
use governor::Quota;
use vincula_domain::routes::{API, ISLANDS, Page};
use vincula_telemetry::{Cause, Trace};

use super::{
    RequestId,
    client_address::ClientAddress,
    limiter::{RateLimit, quota},
};

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

/// Lines of one address. Fewer per second than in total, so that one address cannot use up all lines.
const LINES_PER_ADDRESS: Quota = quota(20, 1);

/// Lines of all addresses together: one broken page on ten thousand phones is one fact.
const LINES: Quota = quota(100, 5);

/// A budget of log lines that anybody can cause: some for each address, and some in total. Clones share it.
#[derive(Clone)]
pub struct LogBudget(Arc<Shared>);

struct Shared {
    lines_per_address: RateLimit<ClientAddress>,
    lines: RateLimit<()>,
}

impl Default for LogBudget {
    fn default() -> Self {
        Self(Arc::new(Shared { lines_per_address: RateLimit::new(LINES_PER_ADDRESS), lines: RateLimit::new(LINES) }))
    }
}

impl LogBudget {
    /// Whether one more line of this address may be logged.
    pub fn may_write(&self, client: ClientAddress) -> bool {
        // An address that has used up its own lines uses up no others.
        self.0.lines_per_address.check(&client).is_ok() && self.0.lines.check(&()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn routes_are_named_without_what_was_typed() {
        assert_eq!(route_of("/error/529.982.247-25").name, "/error");
        assert_eq!(route_of("/api/list_accounts").name, "/api/list_accounts");
        assert_eq!(route_of("/api/52998224725").name, "other");
        assert_eq!(route_of("/a\r\nb").name, "other");
        assert!(route_of("/pkg/vincula.js").is_static);
    }

    fn address(last: u8) -> ClientAddress {
        ClientAddress::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    fn lines(budget: &LogBudget, client: ClientAddress) -> u32 {
        (0..1_000).filter(|_| budget.may_write(client)).count().try_into().unwrap()
    }

    #[test]
    fn no_address_uses_up_the_lines_of_all() {
        let budget = LogBudget::default();
        let of_one = LINES_PER_ADDRESS.burst_size().get();
        // A second may pass meanwhile.
        assert!((of_one..of_one + 3).contains(&lines(&budget, address(1))));
        assert!((of_one..of_one + 3).contains(&lines(&budget, address(2))), "another's lines are there");
        let of_many: u32 = (3..100).map(|last| lines(&budget, address(last))).sum();
        assert!(of_many < LINES.burst_size().get(), "{of_many} lines of 97 more addresses");
    }
}
