//! What is seen of every request: its support code, its numbers, and one log line,
//! without query, cookie and body: they hold tokens and names.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderValue, Method},
    middleware::Next,
    response::Response,
};
use governor::Quota;
use tracing::{Instrument, error_span};
use vincula_domain::{
    action::Action,
    routes::{API, FILE_FOLDERS, ISLANDS, PKG, Page},
};
use vincula_upstream::{RequestId, request_id::REQUEST_ID};

use super::{
    client_address::ClientAddress,
    limiter::{RateLimit, quota},
};
use crate::telemetry::{Cause, Metrics};

/// The cause of a failure that the status does not show: forms without JavaScript always get a
/// redirect. An extension of every request.
#[derive(Debug, Clone, Default)]
pub struct RecordedCause(Arc<OnceLock<Cause>>);

/// A response whose line is at debug level: a limit rejected the request, and its sender has used
/// up the budget of lines. The metrics count each rejection.
#[derive(Clone, Copy)]
pub struct Unlogged;

impl RecordedCause {
    /// Records the cause of the request, once.
    pub fn record(&self, cause: Cause) {
        let _ = self.0.set(cause);
    }
}

/// The layer around all others. It counts the request and writes its line when the response's head
/// is ready.
pub async fn observe(State(metrics): State<Metrics>, mut request: Request, next: Next) -> Response {
    let request_id = RequestId::random();
    let route = logged_route(request.uri().path());
    // Each line of the request has the span's field. At the level of errors, so that no filter of
    // the log hides it.
    let span = error_span!("request", %request_id);
    let recorded = RecordedCause::default();
    request.extensions_mut().insert(recorded.clone());
    request.extensions_mut().insert(request_id.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let timed = metrics.request(name_of(&method), counted_route(&request));
    let mut response = next.run(request).instrument(span.clone()).await;
    let _entered = span.enter();
    let cause = recorded
        .0
        .get()
        .copied()
        .unwrap_or(Cause::from_status(response.status()));
    let ms = u64::try_from(timed.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    timed.finish([
        &format!("{}xx", response.status().as_u16() / 100),
        cause.into(),
    ]);
    let status = response.status().as_u16();
    let cause = (cause != Cause::None).then(|| <&str>::from(cause));
    let is_static = matches!(file_folder(&path), Some(PKG | ISLANDS));
    if is_static || response.extensions().get::<Unlogged>().is_some() {
        tracing::debug!(%method, route, status, cause, ms, "request")
    } else {
        tracing::info!(%method, route, status, cause, ms, "request")
    }
    if let Ok(value) = HeaderValue::from_str(request_id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The route of a file or an unknown path.
const OTHER: &str = "other";

/// The route of a request in the metrics: the path of a page, the pattern that the server's router
/// matched, or the folder of a file. Any other path is `other`, whatever was typed.
fn counted_route(request: &Request) -> String {
    let path = request.uri().path();
    if let Some(page) = Page::at(path) {
        return page.path().to_owned();
    }
    if let Some(matched) = request.extensions().get::<MatchedPath>() {
        return matched.as_str().to_owned();
    }
    file_folder(path).unwrap_or(OTHER).to_owned()
}

/// The folder of a static file. The router matches files without a pattern.
fn file_folder(path: &str) -> Option<&'static str> {
    FILE_FOLDERS.into_iter().find(|folder| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    })
}

fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

/// The route in the log, without any text of the visitor's: nothing that is typed reaches it.
fn logged_route(path: &str) -> String {
    match (Page::at(path), Action::at(path)) {
        (Some(page), _) => page.path().to_owned(),
        (None, Some(action)) => format!("{API}/{}", action.name()),
        (None, None) => OTHER.to_owned(),
    }
}

/// Lines of one address. Fewer per second than in total, so that one address cannot use up all
/// lines.
const LINES_PER_ADDRESS: Quota = quota(20, 1);

/// Lines of all addresses together: one broken page on ten thousand phones is one fact.
const LINES: Quota = quota(100, 5);

/// A budget of log lines that anybody can cause: some for each address, and some in total. Clones
/// share it.
#[derive(Clone)]
pub struct LogBudget {
    per_address: Arc<RateLimit<ClientAddress>>,
    total: Arc<RateLimit<()>>,
}

impl Default for LogBudget {
    fn default() -> Self {
        Self {
            per_address: Arc::new(RateLimit::new(LINES_PER_ADDRESS)),
            total: Arc::new(RateLimit::new(LINES)),
        }
    }
}

impl LogBudget {
    /// Whether one more line of this address may be logged.
    pub fn may_write(&self, client: ClientAddress) -> bool {
        // An address that has used up its own lines uses up no others.
        self.per_address.check(&client).is_ok() && self.total.check(&()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn routes_are_named_without_what_was_typed() {
        assert_eq!(logged_route("/error/529.982.247-25"), "/error");
        assert_eq!(logged_route("/api/list_accounts"), "/api/list_accounts");
        assert_eq!(logged_route("/api/52998224725"), "other");
        assert_eq!(logged_route("/a\r\nb"), "other");
    }

    fn address(last: u8) -> ClientAddress {
        ClientAddress::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    fn lines(budget: &LogBudget, client: ClientAddress) -> u32 {
        (0..1_000)
            .filter(|_| budget.may_write(client))
            .count()
            .try_into()
            .unwrap()
    }

    #[test]
    fn one_address_cannot_use_up_the_log_limit() {
        let budget = LogBudget::default();
        let of_one = LINES_PER_ADDRESS.burst_size().get();
        // A second may pass meanwhile.
        assert!((of_one..of_one + 3).contains(&lines(&budget, address(1))));
        assert!(
            (of_one..of_one + 3).contains(&lines(&budget, address(2))),
            "another's lines are there"
        );
        let of_many: u32 = (3..100).map(|last| lines(&budget, address(last))).sum();
        assert!(
            of_many < LINES.burst_size().get(),
            "{of_many} lines of 97 more addresses"
        );
    }
}
