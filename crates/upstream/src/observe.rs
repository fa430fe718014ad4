//! For the operator: whether the widget API is reachable, and a response as it came over the wire,
//! for `vincula check-api`. The product itself uses neither.

use std::{
    mem::take,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::{StatusCode, header::HeaderMap};

use super::{Upstream, send::root_cause};

/// Keeps the last response of a client that makes one call at a time.
#[derive(Debug, Clone, Default)]
pub struct Observer(Arc<Mutex<Observed>>);

/// A response as it came.
#[derive(Debug, Default)]
pub struct Observed {
    /// 0 without a response.
    pub status: u16,
    pub headers: HeaderMap,
    /// `None` if it was not read to its end: too large, or cut off.
    pub body: Option<Vec<u8>>,
}

impl Observer {
    /// The last response since the last call of this function.
    pub fn take(&self) -> Observed {
        take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps a response in place of the last one.
    pub(super) fn keep(&self, status: StatusCode, headers: &HeaderMap, body: Option<&Vec<u8>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Observed {
            status: status.as_u16(),
            headers: headers.clone(),
            body: body.cloned(),
        };
    }
}

impl Upstream {
    /// The same client, whose responses `observer` keeps.
    #[must_use]
    pub fn observed_by(self, observer: Observer) -> Self {
        Self {
            observer: Some(observer),
            ..self
        }
    }

    /// Sends `HEAD` to the base URL without credentials. Returns the HTTP status, whatever it is,
    /// or why there was no response, as the HTTP libraries word it. They may name the address; the
    /// request holds no secret.
    pub async fn probe(&self, timeout: Duration) -> Result<u16, String> {
        let answer = self
            .http
            .head(self.base.as_ref().clone())
            .timeout(timeout)
            .send()
            .await;
        answer
            .map(|answer| answer.status().as_u16())
            .map_err(|error| root_cause(&error))
    }
}
