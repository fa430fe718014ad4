//! The widget API as a typed client: nine calls, all sent by one private `send`.
//!
//! `docs/widget-api.openapi.yaml` is the contract. Its examples are tests of this client.

mod call_error;
mod calls;
mod envelope;
mod id;
mod legible;
mod lenient;
pub mod metrics;
mod reason;
pub mod redact;
pub mod request_id;
mod responses;
mod send;
mod tasks;
mod xsrf;

#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

pub use call_error::{CallError, FailedResponse, NoResponseCause};
pub use calls::{
    Call, ConnectTokenRequest, ConsentEvidence, LogEntry, LogStatus, LogType, Validation,
};
pub use id::{Id, ItemId};
pub use legible::legible;
pub use lenient::Unexpected;
pub use metrics::Metrics;
pub use reason::Reason;
pub use request_id::RequestId;
use reqwest::{Client, Url, redirect};
pub use responses::{Account, Bank, SessionData, WidgetType};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use vincula_domain::token::{LinkToken, XsrfToken};
pub use xsrf::XsrfChange;

const USER_AGENT: &str = concat!("vincula/", env!("CARGO_PKG_VERSION"));

/// How long the pool keeps an idle connection: less than the 5 s after which common servers close
/// theirs, so that a call rarely uses a connection that the server is closing.
const POOL_IDLE: Duration = Duration::from_secs(4);

/// Longest time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How many calls a server makes at once. One may take half an hour.
pub const MAX_CALLS: usize = 512;

/// Address and limits of the widget API.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// An http or https URL; a path prefix and a trailing slash are optional.
    pub base: Url,
    /// For one whole call, the response body included.
    pub timeout: Duration,
    /// How many calls may be in progress. Further calls fail.
    pub max_calls: usize,
}

/// The client of the widget API. Clones share one connection pool.
#[derive(Debug, Clone)]
pub struct Upstream {
    http: Client,
    base: Arc<Url>,
    /// For one whole call, the response body included.
    timeout: Duration,
    /// Each call takes one. `None`: the calls need none.
    permits: Option<Arc<Semaphore>>,
    /// The calls that outlive their request.
    tasks: TaskTracker,
    metrics: Metrics,
}

/// For whom a call is made: the credentials, each of which is sent only if present, and the
/// support code of the request that the call belongs to.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    pub token: Option<LinkToken>,
    pub xsrf: Option<XsrfToken>,
    pub request_id: RequestId,
}

/// What a successful call returns.
#[derive(Debug, Clone, Default)]
pub struct CallOutput<T> {
    pub data: T,
    /// What the response does to the XSRF token.
    pub xsrf: XsrfChange,
}

impl Upstream {
    /// A client that follows no redirects, uses no proxy and decodes no compressed bodies.
    ///
    /// # Errors
    ///
    /// If TLS cannot be set up on this machine.
    pub fn new(config: &UpstreamConfig) -> Result<Self, reqwest::Error> {
        // Fails if the process has a provider already, which is just as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(POOL_IDLE)
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_proxy();
        if config.base.scheme() == "http" {
            // Otherwise a machine without CA certificates could not even start the sandbox.
            http = http.tls_certs_only([]);
        }
        Ok(Self {
            http: http.build()?,
            base: Arc::new(config.base.clone()),
            timeout: config.timeout,
            permits: Some(Arc::new(Semaphore::new(config.max_calls))),
            tasks: TaskTracker::new(),
            metrics: Metrics::default(),
        })
    }

    /// The same client, whose calls time out after `limit` at the latest.
    #[must_use]
    pub fn with_timeout(&self, limit: Duration) -> Self {
        Self {
            timeout: self.timeout.min(limit),
            ..self.clone()
        }
    }

    /// Sends `HEAD` to the base URL without credentials. Returns the HTTP status, whatever it is.
    ///
    /// # Errors
    ///
    /// Why there was no response.
    pub async fn probe(&self, timeout: Duration) -> Result<u16, String> {
        let request = self.http.head(self.base.as_ref().clone());
        match request.timeout(timeout).send().await {
            Ok(response) => Ok(response.status().as_u16()),
            Err(error) => Err(send::root_cause(&error)),
        }
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }
}

impl Caller {
    /// The values to redact from everything that is logged.
    pub fn secrets(&self) -> Vec<&str> {
        self.token
            .iter()
            .map(LinkToken::expose)
            .chain(self.xsrf.iter().map(XsrfToken::expose))
            .collect()
    }
}
