//! The cause of a failed request. The status alone is ambiguous: an expired link and a broken widget API are both a 502
//! for the browser (spec §8), but only the second needs an operator.

use std::{cell::Cell, future::Future};

use http::{Response, StatusCode};

tokio::task_local! {
    static RECORDED: Cell<Option<Cause>>;
}

/// Who is responsible for a failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The request did not fail.
    None,
    /// The client: no session, an invalid form, too many requests, an unknown path.
    Client,
    /// The widget API rejected the call: an unknown or expired link, an unknown item, nothing to update.
    Refused,
    /// The client may retry: the server is at capacity or shutting down, or it rejected a prefetch.
    Later,
    /// This service or the widget API is broken. Only this cause triggers alerts.
    Failed,
}

impl Cause {
    pub const ALL: [Self; 5] = [Self::None, Self::Client, Self::Refused, Self::Later, Self::Failed];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Client => "client",
            Self::Refused => "refused",
            Self::Later => "later",
            Self::Failed => "failed",
        }
    }

    /// Records the cause for the current request. The status may not show it: forms without JavaScript always get a
    /// redirect.
    pub fn record(self) {
        // Background tasks have no request.
        let _ = RECORDED.try_with(|recorded| recorded.set(Some(self)));
    }

    /// The cause of the current request so far: the recorded one, else the one that the status implies.
    pub fn of(status: StatusCode) -> Self {
        let recorded = RECORDED.try_with(Cell::get).ok().flatten();
        recorded.unwrap_or(match status.as_u16() {
            100..=399 => Self::None,
            400..=499 => Self::Client,
            503 => Self::Later,
            _ => Self::Failed,
        })
    }

    /// Runs the handling of one request; returns its response and cause.
    pub async fn scope<B>(answer: impl Future<Output = Response<B>>) -> (Response<B>, Self) {
        let handling = async {
            let response = answer.await;
            let cause = Self::of(response.status());
            (response, cause)
        };
        RECORDED.scope(Cell::new(None), handling).await
    }
}

#[cfg(test)]
mod tests {
    use http::Response;

    use super::*;

    #[tokio::test]
    async fn a_recorded_cause_takes_precedence_over_the_status() {
        for (recorded, status, cause) in [
            (None, 200, Cause::None),
            (None, 304, Cause::None),
            (None, 404, Cause::Client),
            (None, 429, Cause::Client),
            (None, 500, Cause::Failed),
            (None, 502, Cause::Failed),
            (None, 503, Cause::Later),
            (Some(Cause::Refused), 502, Cause::Refused),
            (Some(Cause::Failed), 303, Cause::Failed),
            (Some(Cause::Refused), 303, Cause::Refused),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let answer = async {
                if let Some(cause) = recorded {
                    cause.record();
                }
                tokio::task::yield_now().await;
                Response::builder().status(status).body(()).unwrap()
            };
            assert_eq!(Cause::scope(answer).await.1, cause, "{recorded:?} {status}");
        }
        Cause::Failed.record();
        assert_eq!(Cause::of(StatusCode::OK), Cause::None, "nothing is recorded without a request");
    }
}
