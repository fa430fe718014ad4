//! Limits on the requests of one address and in total. Pages and static files are not counted: they never wait for the
//! upstream, which may take half an hour to respond.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use governor::Quota;
use vincula_domain::{action::Action, routes};

use super::{
    client_address::{ClientAddress, TrustedProxies},
    error_pages,
    limiter::{self, ConcurrencyLimit, RateLimit, quota},
    log::{LogBudget, Unlogged},
};
use crate::telemetry::{Limit, Metrics};

/// Validations of one address: an office or a carrier's NAT opens two links a second for hours. At this rate, guessing
/// a 128-bit token is infeasible.
const VALIDATIONS: Quota = quota(120, 2);

/// Actions of one address: 180 pages that list accounts every 3 s, behind one carrier's NAT.
const ACTIONS: Quota = quota(600, 60);

/// Concurrent actions in total. Each holds two sockets: 1,024 of the process's file descriptors.
pub const PERMITS: usize = 512;

/// Of these, for one address: a quarter, so that one address cannot exhaust them.
const PERMITS_PER_ADDRESS: usize = 128;

/// Items of Connect that wait for the upstream's log, in total: two a second for a quarter of an hour, which is how long
/// a delivery is retried.
pub const DELIVERIES: usize = 2_048;

/// Of these, for one link: nobody connects more accounts in a quarter of an hour.
pub const DELIVERIES_PER_LINK: usize = 16;

/// The places of [`DELIVERIES`], by the id of a session.
pub type Deliveries = ConcurrencyLimit<String>;

/// The permit of a request: an extension of every request that may call the upstream. Detached calls, which outlive
/// their request, hold a clone.
pub type Permit = limiter::Permit<ClientAddress>;

/// The limits, and their current use.
pub struct Limits {
    trusted: TrustedProxies,
    validations: RateLimit<ClientAddress>,
    actions: RateLimit<ClientAddress>,
    permits: ConcurrencyLimit<ClientAddress>,
    /// Lines of rejected requests.
    lines: LogBudget,
    metrics: Metrics,
}

impl Limits {
    pub fn new(trusted: TrustedProxies, metrics: Metrics) -> Self {
        Self {
            trusted,
            validations: RateLimit::new(VALIDATIONS),
            actions: RateLimit::new(ACTIONS),
            permits: ConcurrencyLimit::new(PERMITS, PERMITS_PER_ADDRESS),
            lines: LogBudget::default(),
            metrics,
        }
    }

    /// The permit of a request, which a page does not need; or the response to a request over a limit.
    #[expect(clippy::result_large_err, reason = "the error is the response")]
    fn admit(&self, request: &Request, client: ClientAddress) -> Result<Option<Permit>, Response> {
        let Some(limit) = rate_of(request) else { return Ok(None) };
        let rate = if limit == Limit::Validations { &self.validations } else { &self.actions };
        rate.check(&client).map_err(|wait| {
            self.metrics.count_rejection(limit);
            error_pages::rate_limited(wait)
        })?;
        self.permits.try_acquire(client).map(Some).ok_or_else(|| {
            self.metrics.count_rejection(Limit::Concurrency);
            error_pages::overloaded()
        })
    }
}

/// The layer: limits the actions of an address, and separately its validations, and takes the permits.
pub async fn enforce(State(limits): State<Arc<Limits>>, mut request: Request, next: Next) -> Response {
    let client = limits.trusted.client_of(&request);
    let mut response = match limits.admit(&request, client) {
        Ok(permit) => {
            request.extensions_mut().insert(client);
            if let Some(permit) = permit.clone() {
                request.extensions_mut().insert(permit);
            }
            next.run(request).await
        }
        Err(response) => response,
    };
    let is_rejected = matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    if is_rejected && !limits.lines.may_write(client) {
        response.extensions_mut().insert(Unlogged);
    }
    response
}

/// The rate that limits a request: that of validations, or that of everything else which may call the upstream. `None`
/// for a page that is rendered without it.
fn rate_of(request: &Request) -> Option<Limit> {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let validates = path == routes::ENTRY || Action::at(path) == Some(Action::ValidateToken);
    match *request.method() {
        Method::GET | Method::HEAD if !routes::has_flag(query, routes::LISTED) => None,
        Method::POST if validates => Some(Limit::Validations),
        _ => Some(Limit::Actions),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        net::{IpAddr, SocketAddr},
    };

    use axum::{
        Router,
        body::Body,
        extract::ConnectInfo,
        middleware::from_fn_with_state,
        routing::{any, get},
    };
    use tower::ServiceExt;

    use super::*;

    #[test]
    fn kinds_are_distinguished() {
        for (method, uri, limit) in [
            ("GET", "/?token=a", None),
            ("HEAD", "/", None),
            ("GET", "/integration/accounts", None),
            ("GET", "/integration/accounts?listar=1", Some(Limit::Actions)),
            ("GET", "/cancel/confirm?a=1&listar=1", Some(Limit::Actions)),
            ("POST", "/?token=a", Some(Limit::Validations)),
            ("POST", "/api/validate_token", Some(Limit::Validations)),
            ("POST", "/api/list_accounts", Some(Limit::Actions)),
            ("POST", "/integration/widget", Some(Limit::Actions)),
            ("POST", "/nowhere", Some(Limit::Actions)),
        ] {
            let request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
            assert_eq!(rate_of(&request), limit, "{method} {uri}");
        }
    }

    fn from(address: &str, method: &str, uri: &str) -> Request {
        let mut request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
        let address: IpAddr = address.parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, 1)));
        request
    }

    #[tokio::test]
    async fn a_silent_upstream_takes_up_its_own_permits_only() {
        let limits = Arc::new(Limits::new(TrustedProxies::default(), Metrics::default()));
        let router = Router::new()
            .route("/api/hangs", any(pending::<()>))
            .fallback(get(async || "page"))
            .layer(from_fn_with_state(Arc::clone(&limits), enforce));
        let ask = async |address: &str, method: &str, uri: &str| {
            router.clone().oneshot(from(address, method, uri)).await.unwrap().status()
        };
        let mut hanging = Vec::new();
        for address in 0..PERMITS / PERMITS_PER_ADDRESS {
            let address = format!("192.0.2.{address}");
            for _ in 0..PERMITS_PER_ADDRESS {
                hanging.push(tokio::spawn(router.clone().oneshot(from(&address, "POST", "/api/hangs"))));
            }
            while limits.permits.taken() < hanging.len() {
                tokio::task::yield_now().await;
            }
            assert_eq!(ask(&address, "POST", "/api/hangs").await, StatusCode::SERVICE_UNAVAILABLE);
        }
        assert_eq!(ask("192.0.2.200", "POST", "/api/hangs").await, StatusCode::SERVICE_UNAVAILABLE, "full in total");
        assert_eq!(ask("192.0.2.0", "GET", "/integration/accounts").await, StatusCode::OK, "pages are not affected");
        for hanging in hanging {
            hanging.abort();
            let _ = hanging.await;
        }
        assert_eq!(limits.permits.taken(), 0, "aborted requests release their permits");
    }
}
