//! One action of a page: from "may this page act?" to the sealed cookie that goes back.

use std::{future::Future, sync::Arc};

use http::{StatusCode, header, request::Parts};
use leptos::prelude::{use_context, with_context};
use leptos_axum::ResponseOptions;

use super::{Keeper, Session, Visitor};
use crate::{
    error::{Problem, Told, tell},
    http::{Place, RequestId},
    routes,
    server::AppState,
    upstream::{Answer, CallError, Caller, Upstream},
    wire::{Failure, Reaction},
};

/// The answer that an action is building: its status, its cookie, its request id.
pub struct Reply {
    keeper: Keeper,
    options: ResponseOptions,
    request_id: Option<RequestId>,
    /// Kept by what outlives the request.
    place: Option<Place>,
}

/// A page acting in its own session.
pub struct Acting {
    pub session: Session,
    pub reply: Reply,
    upstream: Upstream,
    /// The upstream has set another XSRF token (design D10).
    xsrf_changed: bool,
}

impl Reply {
    /// The reply to the request that is being served.
    pub fn begin() -> (Self, Visitor) {
        let (request_id, place, visitor) = of_request(|parts| {
            let extensions = &parts.extensions;
            (extensions.get::<RequestId>().cloned(), extensions.get::<Place>().cloned(), extensions.get().cloned())
        });
        let reply = Self { keeper: served::<AppState>().keeper.clone(), options: served(), request_id, place };
        (reply, visitor.unwrap_or_default())
    }

    /// A failure with its status and its support code.
    pub fn fail(&self, status: StatusCode, failure: Failure) -> Failure {
        self.options.set_status(status);
        Failure { request_id: self.request_id.as_ref().map(|id| id.as_str().to_owned()), ..failure }
    }

    /// What the person is told about a failed upstream call; the one place where it is logged.
    pub fn told(&self, error: &CallError) -> Failure {
        tracing::warn!(%error, request_id = self.request_id.as_ref().map(RequestId::as_str), "upstream call failed");
        let Told { failure, status } = tell(error);
        self.fail(status, failure)
    }

    /// Seals the session into the reply.
    ///
    /// # Errors
    /// Token-invalid, where the cookie would be larger than a browser keeps (design D3).
    pub fn keep(&self, session: &Session) -> Result<(), Failure> {
        match self.keeper.seal(session) {
            Ok(cookie) => self.options.append_header(header::SET_COOKIE, cookie),
            Err(error) => {
                tracing::error!(%error, "session not kept");
                return Err(self.fail(StatusCode::BAD_GATEWAY, Failure::problem(Problem::TokenInvalid)));
            }
        }
        Ok(())
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        self.keeper.now()
    }
}

impl Acting {
    /// Lets a page act: it must be of the session that the cookie holds (design D11).
    ///
    /// # Errors
    /// To the entry without a session; `OtherTab` where another link has been opened since.
    pub fn begin(page_session: &str) -> Result<Self, Failure> {
        let (reply, Visitor(session)) = Reply::begin();
        let Some(session) = session else {
            return Err(reply.fail(StatusCode::UNAUTHORIZED, Failure::go(routes::ENTRY)));
        };
        if session.id.as_str() != page_session {
            return Err(reply.fail(StatusCode::CONFLICT, Reaction::OtherTab.into()));
        }
        let session = Arc::unwrap_or_clone(session);
        Ok(Self { session, reply, upstream: served::<AppState>().upstream.clone(), xsrf_changed: false })
    }

    /// A call that may be dropped when the person leaves.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn ask<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Failure>
    where
        F: Future<Output = Result<Answer<T>, CallError>>,
    {
        let answer = call(self.upstream.clone(), self.session.caller()).await;
        self.take(answer)
    }

    /// A call that runs to its end even if the person leaves: it changes something.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn order<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Failure>
    where
        F: Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
        T: Send + 'static,
    {
        let (place, call) = (self.reply.place.clone(), call(self.upstream.clone(), self.session.caller()));
        let answer = self.upstream.see_through(async move { (call.await, place).0 }).await;
        self.take(answer.expect("upstream calls neither panic nor get aborted"))
    }

    /// Where a page goes whose stage does not allow this action.
    pub fn not_yet(&self, to: &str) -> Failure {
        self.reply.fail(StatusCode::CONFLICT, Failure::go(to))
    }

    /// The client of the upstream and who calls it, for calls beside the action.
    pub fn line(&self) -> (Upstream, Caller) {
        (self.upstream.clone(), self.session.caller())
    }

    /// Seals the session as it is now into the reply.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep(&self) -> Result<(), Failure> {
        self.reply.keep(&self.session)
    }

    /// Seals it only where the upstream has set another XSRF token: for actions that change nothing else.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep_xsrf(&self) -> Result<(), Failure> {
        if self.xsrf_changed { self.keep() } else { Ok(()) }
    }

    fn take<T>(&mut self, answer: Result<Answer<T>, CallError>) -> Result<T, Failure> {
        let answer = answer.map_err(|error| self.reply.told(&error))?;
        if answer.xsrf.is_some() {
            self.session.xsrf = answer.xsrf;
            self.xsrf_changed = true;
        }
        Ok(answer.data)
    }
}

/// What the server gives to every page and action: [`AppState`], and what belongs to the answer.
pub fn served<T: Clone + Send + Sync + 'static>() -> T {
    use_context().expect(GIVEN)
}

/// Reads the request that is being served, without a copy of it.
pub fn of_request<T>(read: impl FnOnce(&Parts) -> T) -> T {
    with_context(read).expect(GIVEN)
}

const GIVEN: &str = "the server gives every page and action its context";
