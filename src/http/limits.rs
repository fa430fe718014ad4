//! Limits on the requests of one client and in total. Static files are not counted.
//!
//! The upstream may take half an hour to respond (spec §7). Requests that wait for it therefore have permits of their
//! own, and pages, which never wait for it, have others: a silent upstream blocks no page.

use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use vincula_domain::{action::Action, routes};
use vincula_telemetry::{Limit, Metrics};

use super::{
    busy,
    client_address::{ClientAddress, TrustedProxies},
    concurrency::{self, ConcurrencyLimit},
    log::Unlogged,
    log_budget::LogBudget,
    rate::{Allowance, Rate},
};
use crate::session::{CurrentSession, SessionId};

/// Validations of one address: an office or a carrier's NAT opens two links a second for hours. At this rate, guessing
/// a 128-bit token is infeasible.
const VALIDATIONS: Allowance = Allowance::new(120, 2);

/// Actions of one address: 180 pages that list accounts every 3 s, behind one carrier's NAT.
const ACTIONS: Allowance = Allowance::new(600, 60);

/// Actions of one link: six tabs that list accounts every 3 s; one tab and all its clicks need half of one a second.
const ACTIONS_OF_TOKEN: Allowance = Allowance::new(60, 2);

/// Concurrent actions in total. Each holds two sockets: 1,024 of the process's file descriptors.
pub const PERMITS: usize = 512;

/// Of these, for one address: a quarter, so that one address cannot exhaust them.
const PERMITS_OF_ADDRESS: usize = 128;

/// Concurrent pages. A page is milliseconds of work, so this is a queue of less than a second.
pub const PAGES: usize = 128;

/// Items of Connect that wait for the upstream's log, in all: two a second for a quarter of an hour, which is how long a
/// delivery is retried.
pub const DELIVERIES: usize = 2_048;

/// Of these, for one link: nobody connects more accounts in a quarter of an hour.
pub const DELIVERIES_OF_LINK: usize = 16;

/// The places of [`DELIVERIES`], by session.
pub type Deliveries = ConcurrencyLimit<SessionId>;

/// The permit of a request: an extension of every request that may call the upstream. Detached calls, which outlive
/// their request, hold a clone.
pub type Permit = concurrency::Permit<ClientAddress>;

/// The limits, and their current use.
#[derive(Clone)]
pub struct Limits(Arc<Shared>);

struct Shared {
    trusted: TrustedProxies,
    /// Address of the style sheet, for the busy page.
    stylesheet: String,
    validations: Rate<ClientAddress>,
    actions: Rate<ClientAddress>,
    actions_of_token: Rate<u64>,
    token_hash: RandomState,
    permits: ConcurrencyLimit<ClientAddress>,
    pages: ConcurrencyLimit<()>,
    /// Lines of refused requests.
    lines: LogBudget,
    metrics: Metrics,
}

impl Limits {
    pub fn new(trusted: TrustedProxies, stylesheet: String, metrics: Metrics) -> Self {
        Self(Arc::new(Shared {
            trusted,
            stylesheet,
            validations: Rate::new(VALIDATIONS),
            actions: Rate::new(ACTIONS),
            actions_of_token: Rate::new(ACTIONS_OF_TOKEN),
            token_hash: RandomState::new(),
            permits: ConcurrencyLimit::new(PERMITS),
            pages: ConcurrencyLimit::new(PAGES),
            lines: LogBudget::default(),
            metrics,
        }))
    }
}

impl Shared {
    /// Rejects a request because no permit is left.
    fn full(&self, limit: Limit, path: &str) -> Response {
        self.metrics.count_rejection(limit);
        busy::full(path, &self.stylesheet)
    }

    /// Rejects a request over its rate.
    fn too_often(&self, limit: Limit, request: &Request, wait: Duration) -> Response {
        self.metrics.count_rejection(limit);
        busy::too_often(request.uri().path(), &self.stylesheet, wait)
    }
}

/// The layer outside the session's: limits the actions of an address, and separately its token validations.
pub async fn per_address(State(Limits(limits)): State<Limits>, mut request: Request, next: Next) -> Response {
    let client = limits.trusted.client_of(&request);
    let rate = match Purpose::of(&request) {
        Purpose::Look => None,
        Purpose::Validate => Some((Limit::Validations, &limits.validations)),
        Purpose::Act => Some((Limit::Actions, &limits.actions)),
    };
    let mut response = match rate.map(|(limit, rate)| (limit, rate.take(&client))) {
        Some((limit, Err(wait))) => limits.too_often(limit, &request, wait),
        _ => {
            request.extensions_mut().insert(client);
            next.run(request).await
        }
    };
    let is_refused = matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    if is_refused && !limits.lines.may_write(client) {
        response.extensions_mut().insert(Unlogged);
    }
    response
}

/// The layer inside the session's: limits the actions of a link, and takes the permits.
pub async fn per_token(State(Limits(limits)): State<Limits>, mut request: Request, next: Next) -> Response {
    if let Purpose::Look = Purpose::of(&request) {
        let Some(_page) = limits.pages.take(None) else { return limits.full(Limit::Pages, request.uri().path()) };
        return next.run(request).await;
    }
    let session = request.extensions().get::<CurrentSession>().and_then(|visitor| visitor.0.as_ref());
    let token = session.map(|session| limits.token_hash.hash_one(session.token.expose()));
    if let Some(Err(wait)) = token.map(|token| limits.actions_of_token.take(&token)) {
        return limits.too_often(Limit::ActionsOfLink, &request, wait);
    }
    let address = request.extensions().get::<ClientAddress>().map(|client| (*client, PERMITS_OF_ADDRESS));
    let Some(permit) = limits.permits.take(address) else {
        return limits.full(Limit::Concurrency, request.uri().path());
    };
    request.extensions_mut().insert::<Permit>(permit.clone());
    next.run(request).await
}

/// The kind of a request, for the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A page, rendered without the upstream.
    Look,
    /// Validates a token.
    Validate,
    /// May call the upstream otherwise.
    Act,
}

impl Purpose {
    fn of(request: &Request) -> Self {
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        let listed = query.split('&').any(|pair| pair == routes::LISTED);
        match *request.method() {
            Method::GET | Method::HEAD if !listed => Self::Look,
            Method::POST if path == routes::ENTRY || is_validation(path) => Self::Validate,
            _ => Self::Act,
        }
    }
}

fn is_validation(path: &str) -> bool {
    Action::at(path) == Some(Action::ValidateToken)
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
    fn purposes_are_told_apart() {
        for (method, uri, purpose) in [
            ("GET", "/?token=a", Purpose::Look),
            ("HEAD", "/", Purpose::Look),
            ("GET", "/integration/accounts", Purpose::Look),
            ("GET", "/integration/accounts?listar=1", Purpose::Act),
            ("GET", "/cancel/confirm?a=1&listar=1", Purpose::Act),
            ("POST", "/?token=a", Purpose::Validate),
            ("POST", "/api/validate_token", Purpose::Validate),
            ("POST", "/api/list_accounts", Purpose::Act),
            ("POST", "/integration/widget", Purpose::Act),
            ("POST", "/nowhere", Purpose::Act),
        ] {
            let request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
            assert_eq!(Purpose::of(&request), purpose, "{method} {uri}");
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
        let limits = Limits::new(TrustedProxies::default(), String::new(), Metrics::default());
        let router = Router::new()
            .route("/api/hangs", any(pending::<()>))
            .fallback(get(async || "page"))
            .layer(from_fn_with_state(limits.clone(), per_token))
            .layer(from_fn_with_state(limits.clone(), per_address));
        let ask = async |address: &str, method: &str, uri: &str| {
            router.clone().oneshot(from(address, method, uri)).await.unwrap().status()
        };
        let mut hanging = Vec::new();
        for address in 0..PERMITS / PERMITS_OF_ADDRESS {
            let address = format!("192.0.2.{address}");
            for _ in 0..PERMITS_OF_ADDRESS {
                hanging.push(tokio::spawn(router.clone().oneshot(from(&address, "POST", "/api/hangs"))));
            }
            while limits.0.permits.taken() < hanging.len() {
                tokio::task::yield_now().await;
            }
            assert_eq!(ask(&address, "POST", "/api/hangs").await, StatusCode::SERVICE_UNAVAILABLE);
        }
        assert_eq!(ask("192.0.2.200", "POST", "/api/hangs").await, StatusCode::SERVICE_UNAVAILABLE, "full in all");
        assert_eq!(ask("192.0.2.0", "GET", "/integration/accounts").await, StatusCode::OK, "pages are not affected");
        for hanging in hanging {
            hanging.abort();
            let _ = hanging.await;
        }
        assert_eq!(limits.0.permits.taken(), 0, "aborted requests release their permits");
    }
}
