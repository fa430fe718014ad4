//! Forms that the browser itself posts: before the islands are awake, and without JavaScript.
//!
//! The same calls as the server functions', but the answers are redirects.

use std::{future::Future, sync::Arc};

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, header};

use crate::{
    error::{Problem, tell},
    http::Place,
    routes,
    session::{Keeper, Session, Visitor, door::redirect},
    telemetry::{Cause, Trace},
    upstream::{Answer, CallError, Caller, Upstream},
    wire::Reaction,
};

/// A path of ours where the person goes instead.
#[derive(Debug, PartialEq, Eq)]
pub struct Elsewhere {
    to: String,
    /// The session, where the failed call has changed it.
    cookie: Option<HeaderValue>,
}

impl From<String> for Elsewhere {
    fn from(to: String) -> Self {
        Self { to, cookie: None }
    }
}

impl IntoResponse for Elsewhere {
    fn into_response(self) -> Response {
        let mut response = redirect(&self.to);
        response.headers_mut().extend(self.cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        response
    }
}

/// A form posted in its own session.
pub struct Posted {
    pub session: Session,
    keeper: Keeper,
    upstream: Upstream,
    /// Kept by what outlives the request.
    place: Place,
    /// The page with the form.
    from: &'static str,
}

impl Posted {
    /// Lets a form act: it must be of the session that the cookie holds (design D11).
    ///
    /// # Errors
    /// The redirect to the entry without a session; back to the form's page, as it is now, in another session.
    pub fn begin(
        (keeper, upstream): (Keeper, Upstream),
        (Visitor(session), place): (Visitor, Place),
        page_session: &str,
        from: &'static str,
    ) -> Result<Self, Elsewhere> {
        let session = session.ok_or_else(|| Elsewhere::from(routes::ENTRY.to_owned()))?;
        match session.id.as_str() == page_session {
            true => Ok(Self { session: Arc::unwrap_or_clone(session), keeper, upstream, place, from }),
            false => Err(from.to_owned().into()),
        }
    }

    /// A call that runs to its end even if the person leaves: it changes something.
    ///
    /// # Errors
    /// The redirect that the catalogue says (spec §8).
    pub async fn order<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Elsewhere>
    where
        F: Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
        T: Send + 'static,
    {
        let (place, call) = (self.place.clone(), call(self.upstream.clone(), self.session.caller()));
        let answer = self.upstream.see_through(async move { (call.await, place).0 }).await;
        let answer = answer.expect("upstream calls neither panic nor get aborted");
        match answer {
            Ok(answer) => {
                self.session.xsrf = answer.xsrf.or(self.session.xsrf.take());
                Ok(answer.data)
            }
            Err(error) => {
                let mut elsewhere = refused(&error, self.from);
                if let Some(xsrf) = error.reply().and_then(|reply| reply.xsrf.clone()) {
                    self.session.xsrf = Some(xsrf);
                    elsewhere.cookie = self.keeper.seal(&self.session).ok();
                }
                Err(elsewhere)
            }
        }
    }

    /// Goes on with the session as it is now.
    pub fn go_on(mut self, to: &str) -> Response {
        self.session.seen_at = self.keeper.now();
        kept(&self.keeper, &self.session, to)
    }
}

/// A redirect that keeps a session.
pub fn kept(keeper: &Keeper, session: &Session, to: &str) -> Response {
    match keeper.seal(session) {
        Ok(cookie) => (HeaderMap::from_iter([(header::SET_COOKIE, cookie)]), redirect(to)).into_response(),
        Err(error) => {
            tracing::error!(%error, "session not kept");
            Cause::Failed.note();
            redirect(&problem(Problem::TokenInvalid))
        }
    }
}

/// Where a failed call leads: an error screen, or back to the page, which says that nobody answered.
pub fn refused(error: &CallError, from: &str) -> Elsewhere {
    let id = request_id();
    tracing::warn!(%error, request_id = id, "upstream call failed");
    error.cause().note();
    match tell(error).failure.of_request(id.as_deref()).reaction {
        Reaction::Navigate { to } => to.into(),
        _ => routes::without_reply(from).into(),
    }
}

/// The error screen of a problem, with the support code of the request that is being served.
pub fn problem(problem: Problem) -> String {
    let to = routes::error(problem);
    request_id().map(|id| routes::with_code(&to, &id)).unwrap_or(to)
}

fn request_id() -> Option<String> {
    Trace::current().map(|trace| trace.request_id().to_owned())
}
