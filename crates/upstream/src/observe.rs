//! The last response as it came over the wire, for `vincula check-api`. The product itself observes nothing.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use reqwest::{Response, StatusCode, header::HeaderMap};

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
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer(…)")
    }
}
