//! For the operator: whether the widget API is reachable, and a response as it came over the wire, for `vincula
//! check-api`. The product itself uses neither.

use std::{cell::RefCell, error::Error, future::Future, iter::successors, time::Duration};

use reqwest::{StatusCode, header::HeaderMap};

use super::Upstream;

tokio::task_local! {
    static LAST: RefCell<Observed>;
}

/// A response as it came.
#[derive(Default)]
pub struct Observed {
    /// 0 without a response.
    pub status: u16,
    pub headers: HeaderMap,
    /// `None` if it was not read to its end: too large, or cut off.
    pub body: Option<Vec<u8>>,
}

/// Makes a call, and returns the response beside its outcome.
pub async fn observed<T>(call: impl Future<Output = T>) -> (T, Observed) {
    let call = async { (call.await, LAST.with(RefCell::take)) };
    LAST.scope(RefCell::default(), call).await
}

/// Keeps the response of a call that is observed.
pub(super) fn keep(status: StatusCode, headers: &HeaderMap, body: Option<&Vec<u8>>) {
    let _ = LAST.try_with(|last| {
        last.replace(Observed {
            status: status.as_u16(),
            headers: headers.clone(),
            body: body.cloned(),
        });
    });
}

impl Upstream {
    /// Sends `HEAD` to the base URL without credentials. Returns the HTTP status, whatever it is, or why there was no
    /// response, as the HTTP libraries word it. They may name the address; the request holds no secret.
    pub async fn probe(&self, timeout: Duration) -> Result<u16, String> {
        let answer = self
            .http
            .head(self.base.as_ref().clone())
            .timeout(timeout)
            .send()
            .await;
        answer
            .map(|answer| answer.status().as_u16())
            .map_err(|error| {
                let causes = successors(error.source(), |&cause| cause.source());
                causes
                    .last()
                    .map_or_else(|| error.to_string(), ToString::to_string)
            })
    }
}
