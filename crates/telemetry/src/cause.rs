//! Why an answer is not what was asked for. The status alone does not tell: a link that has expired and a widget API that
//! is broken are both 502 to the browser (spec §8), but only the second is for somebody to mend.

use std::{cell::Cell, future::Future};

use http::{Response, StatusCode};

tokio::task_local! {
    static NOTED: Cell<Option<Cause>>;
}

/// Whose matter it is that something did not go well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// All is well.
    None,
    /// The other end's: no session, a wrong form, too often, nothing there.
    Client,
    /// The widget API has answered, and refused: an unknown or expired link, an item that is gone, nothing to update.
    Refused,
    /// Asked to come again: no room, or no page ahead of time, or about to stop.
    Later,
    /// Ours or the widget API's: something is broken. Alerts page for this one only.
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

    /// Notes the cause of the answer that this task works on. The status needs not show it: forms without JavaScript are
    /// redirected whatever happens.
    pub fn note(self) {
        // Work beside a request has no answer.
        let _ = NOTED.try_with(|noted| noted.set(Some(self)));
    }

    /// The cause of the answer that this task works on, as far as it is known by now: what was noted, else what the status
    /// says.
    pub fn of(status: StatusCode) -> Self {
        let noted = NOTED.try_with(Cell::get).ok().flatten();
        noted.unwrap_or(match status.as_u16() {
            100..=399 => Self::None,
            400..=499 => Self::Client,
            503 => Self::Later,
            _ => Self::Failed,
        })
    }

    /// Works on one answer: what comes of it, and its cause.
    pub async fn scope<B>(answer: impl Future<Output = Response<B>>) -> (Response<B>, Self) {
        let told = async {
            let response = answer.await;
            let cause = Self::of(response.status());
            (response, cause)
        };
        NOTED.scope(Cell::new(None), told).await
    }
}

#[cfg(test)]
mod tests {
    use http::Response;

    use super::*;

    #[tokio::test]
    async fn what_was_noted_goes_before_the_status() {
        for (noted, status, cause) in [
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
                if let Some(cause) = noted {
                    cause.note();
                }
                tokio::task::yield_now().await;
                Response::builder().status(status).body(()).unwrap()
            };
            assert_eq!(Cause::scope(answer).await.1, cause, "{noted:?} {status}");
        }
        Cause::Failed.note();
        assert_eq!(Cause::of(StatusCode::OK), Cause::None, "beside an answer nothing is noted");
    }
}
