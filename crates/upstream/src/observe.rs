//! For the operator: whether the widget API is reachable, and the last response as it came over the wire, for `vincula
//! check-api`. The product itself uses neither.

use std::{
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::{Response, StatusCode, Url, header::HeaderMap};

use super::Upstream;

/// A response as it came. `Debug` shows none of it: it holds personal data.
#[derive(Clone)]
pub struct Observed {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// `None` if it was not read to its end: too large, or cut off.
    pub body: Option<Vec<u8>>,
}

/// Keeps the last response; clones share it.
#[derive(Clone, Default)]
pub struct Observer(Arc<Mutex<Option<Observed>>>);

impl Observer {
    /// The response to the last call, if there was one since the last time.
    pub fn take(&self) -> Option<Observed> {
        self.last().take()
    }

    pub(super) fn see_head(&self, response: &Response) {
        *self.last() = Some(Observed { status: response.status(), headers: response.headers().clone(), body: None });
    }

    pub(super) fn see_body(&self, body: &[u8]) {
        if let Some(observed) = &mut *self.last() {
            observed.body = Some(body.to_owned());
        }
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<Observed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstream {
    /// The same client, whose responses this observer sees.
    pub fn observed_by(self, observer: Observer) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Sends `HEAD` to the base URL without credentials and returns the HTTP status, whatever it is, if it comes in time. No
    /// side effects.
    ///
    /// # Errors
    /// Why there was no response, as the HTTP libraries word it. They may name the address; the request holds no
    /// secret.
    pub async fn probe(&self, timeout: Duration) -> Result<u16, String> {
        let answer = self.http.head(Url::clone(&self.base)).timeout(timeout).send().await;
        answer.map(|answer| answer.status().as_u16()).map_err(|error| {
            let causes = std::iter::successors(error.source(), |&cause| cause.source());
            causes.last().map_or_else(|| error.to_string(), ToString::to_string)
        })
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer(…)")
    }
}
