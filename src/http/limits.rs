//! Limits on the requests of one address and in total. Only requests that wait for the upstream
//! need a permit, because the upstream may take half an hour to respond. Static files are not
//! counted.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use governor::Quota;
use vincula_domain::{action::Action, routes};
use vincula_pages::InPlace;

use super::{
    client_address::{ClientAddress, TrustedProxies},
    error_pages,
    limiter::{self, ConcurrencyLimit, RateLimit, quota},
    log::{LogBudget, Unlogged},
};
/// Validations of one address. An office or a carrier's NAT can open two links a second for hours;
/// guessing a 128-bit token at this rate is infeasible.
const VALIDATIONS: Quota = quota(120, 2);

/// Actions of one address. Behind one carrier's NAT, 180 pages can list accounts every 3 s.
const ACTIONS: Quota = quota(600, 60);

/// Pages of one address: the ten pages of each link that [`VALIDATIONS`] allows, six times over.
const PAGES: Quota = quota(1_200, 120);

/// Concurrent requests that wait for the upstream, in total. Each holds two sockets, which makes
/// 1,024 file descriptors.
pub const PERMITS: usize = 512;

/// The permits for one address: a quarter of [`PERMITS`], so that one address cannot exhaust them.
const PERMITS_PER_ADDRESS: usize = 128;

/// Pending deliveries of Connect's items, in total: two a second for a quarter of an hour, which is
/// how long a delivery is retried.
pub const DELIVERIES: usize = 2_048;

/// Pending deliveries of one link. No client connects more accounts in a quarter of an hour.
pub const DELIVERIES_PER_LINK: usize = 16;

/// The places for pending deliveries, by session id.
pub type Deliveries = ConcurrencyLimit<String>;

/// The permit of a request that may wait for the upstream. Detached calls, which outlive their
/// request, hold a clone.
pub type Permit = limiter::Permit<ClientAddress>;

/// What the limits know of an accepted request. Every request for a page or an action has it as an
/// extension.
#[derive(Clone)]
pub struct Admitted {
    pub client: ClientAddress,
    /// `None` if the request does not wait for the upstream.
    pub permit: Option<Permit>,
}

/// The limits, and their current use.
pub struct Limits {
    trusted: TrustedProxies,
    validations: RateLimit<ClientAddress>,
    actions: RateLimit<ClientAddress>,
    pages: RateLimit<ClientAddress>,
    permits: ConcurrencyLimit<ClientAddress>,
    /// Lines of rejected requests.
    lines: LogBudget,
}

impl Limits {
    pub fn new(trusted: TrustedProxies) -> Self {
        Self {
            trusted,
            validations: RateLimit::new(VALIDATIONS),
            actions: RateLimit::new(ACTIONS),
            pages: RateLimit::new(PAGES),
            permits: ConcurrencyLimit::new(PERMITS, PERMITS_PER_ADDRESS),
            lines: LogBudget::default(),
        }
    }

    /// Returns the permit of a request, if it needs one. If a limit is reached, returns the
    /// response.
    #[expect(clippy::result_large_err, reason = "the error is the response")]
    fn admit(&self, request: &Request, client: ClientAddress) -> Result<Option<Permit>, Response> {
        let Some(kind) = Kind::of(request) else {
            return Ok(None);
        };
        let rate = match kind {
            Kind::Validation => &self.validations,
            Kind::Call | Kind::Action => &self.actions,
            Kind::Page => &self.pages,
        };
        rate.check(&client).map_err(error_pages::rate_limited)?;
        if matches!(kind, Kind::Action | Kind::Page) {
            return Ok(None);
        }
        self.permits
            .try_acquire(client)
            .map(Some)
            .ok_or_else(error_pages::overloaded)
    }
}

/// The layer: limits the validations, actions and pages of each address, and takes the permits.
pub async fn enforce(
    State(limits): State<Arc<Limits>>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = limits.trusted.client_of(&request);
    let mut response = match limits.admit(&request, client) {
        Ok(permit) => {
            // A handler may drop its request, but the permit is held until there is a response.
            let _held = permit.clone();
            request.extensions_mut().insert(Admitted { client, permit });
            next.run(request).await
        }
        Err(response) => response,
    };
    let is_rejected = matches!(
        response.status(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    );
    if is_rejected && !limits.lines.may_write(client) {
        response.extensions_mut().insert(Unlogged);
    }
    response
}

/// The kinds of requests that have limits of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Waits for the upstream to validate a token.
    Validation,
    /// Waits for another call of the upstream.
    Call,
    /// An action that does not wait for the upstream.
    Action,
    /// A page that does not wait for the upstream.
    Page,
}

impl Kind {
    /// Returns `None` for the page within the response to a validation, which is already counted as
    /// a validation.
    fn of(request: &Request) -> Option<Self> {
        if request.extensions().get::<InPlace>().is_some() {
            return None;
        }
        let path = request.uri().path();
        let action = Action::at(path);
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            let lists = routes::has_flag(request.uri().query().unwrap_or_default(), routes::LISTED);
            return Some(if lists { Self::Call } else { Self::Page });
        }
        Some(match action {
            Some(Action::ValidateToken) => Self::Validation,
            Some(action) if !action.waits_for_upstream() => Self::Action,
            None if path == routes::ENTRY => Self::Validation,
            _ => Self::Call,
        })
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
    fn each_request_has_the_kind_of_its_route() {
        for (method, uri, kind) in [
            ("GET", "/?token=a", Kind::Page),
            ("HEAD", "/", Kind::Page),
            ("GET", "/integration/accounts", Kind::Page),
            ("GET", "/nowhere", Kind::Page),
            ("GET", "/integration/accounts?listar=1", Kind::Call),
            ("GET", "/cancel/confirm?a=1&listar=1", Kind::Call),
            ("POST", "/?token=a", Kind::Validation),
            ("POST", "/api/validate_token", Kind::Validation),
            ("POST", "/api/list_accounts", Kind::Call),
            ("POST", "/integration/widget", Kind::Call),
            ("POST", "/nowhere", Kind::Call),
            ("POST", "/api/save_bank_form", Kind::Action),
            ("POST", "/api/report_connect_error", Kind::Action),
        ] {
            let mut request = Request::builder()
                .method(method)
                .uri(uri)
                .body(Body::empty())
                .unwrap();
            assert_eq!(Kind::of(&request), Some(kind), "{method} {uri}");
            request.extensions_mut().insert(InPlace);
            assert_eq!(Kind::of(&request), None, "{method} {uri}");
        }
    }

    fn from(address: &str, method: &str, uri: &str) -> Request {
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .body(Body::empty())
            .unwrap();
        let address: IpAddr = address.parse().unwrap();
        request
            .extensions_mut()
            .insert(ConnectInfo(SocketAddr::new(address, 1)));
        request
    }

    #[tokio::test]
    async fn hanging_upstream_uses_only_its_own_permits() {
        let limits = Arc::new(Limits::new(TrustedProxies::default()));
        let router = Router::new()
            .route("/api/hangs", any(pending::<()>))
            .route("/api/save_bank_form", any(async || "saved"))
            .fallback(get(async || "page"))
            .layer(from_fn_with_state(Arc::clone(&limits), enforce));
        let ask = async |address: &str, method: &str, uri: &str| {
            router
                .clone()
                .oneshot(from(address, method, uri))
                .await
                .unwrap()
                .status()
        };
        let mut hanging = Vec::new();
        for address in 0..PERMITS / PERMITS_PER_ADDRESS {
            let address = format!("192.0.2.{address}");
            for _ in 0..PERMITS_PER_ADDRESS {
                hanging.push(tokio::spawn(router.clone().oneshot(from(
                    &address,
                    "POST",
                    "/api/hangs",
                ))));
            }
            while limits.permits.taken() < hanging.len() {
                tokio::task::yield_now().await;
            }
            assert_eq!(
                ask(&address, "POST", "/api/hangs").await,
                StatusCode::SERVICE_UNAVAILABLE
            );
        }
        assert_eq!(
            ask("192.0.2.200", "POST", "/api/hangs").await,
            StatusCode::SERVICE_UNAVAILABLE,
            "full in total"
        );
        assert_eq!(
            ask("192.0.2.0", "GET", "/integration/accounts").await,
            StatusCode::OK,
            "pages are not affected"
        );
        let saved = ask("192.0.2.0", "POST", "/api/save_bank_form").await;
        assert_eq!(
            saved,
            StatusCode::OK,
            "actions that do not wait for the upstream are not affected"
        );
        for hanging in hanging {
            hanging.abort();
            let _ = hanging.await;
        }
        assert_eq!(
            limits.permits.taken(),
            0,
            "aborted requests release their permits"
        );
    }
}
