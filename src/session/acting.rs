//! One action of a page: from "may this page act?" to the sealed cookie that goes back.

use std::{future::Future, sync::Arc};

use http::{HeaderValue, StatusCode, header, request::Parts};
use leptos::prelude::{use_context, with_context};
use leptos_axum::ResponseOptions;

use super::{Keeper, Session, Visitor};
use crate::{
    error::{Problem, Told, tell},
    http::{Place, RequestId},
    routes,
    server::AppState,
    telemetry::Cause,
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
        failure.of_request(self.request_id.as_ref().map(RequestId::as_str))
    }

    /// What the person is told about a failed upstream call; the one place where it is logged. An upstream that wants to
    /// be left alone for a while says so to the page, too.
    pub fn told(&self, error: &CallError) -> Failure {
        tracing::warn!(%error, request_id = self.request_id.as_ref().map(RequestId::as_str), "upstream call failed");
        error.cause().note();
        if let Some(seconds) = error.reply().and_then(|reply| reply.retry_after) {
            self.options.insert_header(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
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
                Cause::Failed.note();
                return Err(self.fail(StatusCode::BAD_GATEWAY, Failure::problem(Problem::TokenInvalid)));
            }
        }
        Ok(())
    }

    /// How sessions are kept.
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
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

    /// An order that is carried out once, however often it is asked for ([`Upstream::once`]): `key` tells it from the
    /// session's other ones.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn once<F>(&mut self, key: u128, order: impl FnOnce(Upstream, Caller) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<Answer<()>, CallError>> + Send + 'static,
    {
        let (place, order) = (self.reply.place.clone(), order(self.upstream.clone(), self.session.caller()));
        let answer = self.upstream.once(key, async move { (order.await, place).0 }).await;
        self.take(answer)
    }

    /// 128 bits that stand for these texts in this attempt to link an account, for this purpose.
    pub fn digest(&self, purpose: &str, text: &str) -> u128 {
        let (id, attempt) = (self.session.id.as_str(), self.session.attempt.id.to_string());
        self.reply.keeper.digest(purpose, &[id, &attempt, text])
    }

    /// Where a page goes whose stage does not allow this action.
    pub fn not_yet(&self, to: &str) -> Failure {
        self.reply.fail(StatusCode::CONFLICT, Failure::go(to))
    }

    /// The client of the upstream and who calls it, for calls beside the action.
    pub fn line(&self) -> (Upstream, Caller) {
        (self.upstream.clone(), self.session.caller())
    }

    /// Seals the session as it is now into the reply: an action is a use of it.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep(&mut self) -> Result<(), Failure> {
        self.session.seen_at = self.reply.keeper.now();
        self.reply.keep(&self.session)
    }

    /// Seals it only where the upstream has set another XSRF token or the idle time is due to be renewed: for actions that
    /// change nothing else.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep_if_due(&mut self) -> Result<(), Failure> {
        if self.xsrf_changed || self.reply.keeper.is_stale(&self.session) { self.keep() } else { Ok(()) }
    }

    /// The same for a poll: only where its idle time is about to run out. Polls are many, and an answer that sets the
    /// cookie undoes what another request has changed meanwhile.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep_if_old(&mut self) -> Result<(), Failure> {
        if self.reply.keeper.is_stale_for_polls(&self.session) { self.keep() } else { Ok(()) }
    }

    fn take<T>(&mut self, answer: Result<Answer<T>, CallError>) -> Result<T, Failure> {
        let xsrf = match &answer {
            Ok(answer) => answer.xsrf.clone(),
            Err(error) => error.reply().and_then(|reply| reply.xsrf.clone()),
        };
        if xsrf.is_some() {
            self.session.xsrf = xsrf;
            self.xsrf_changed = true;
        }
        match answer {
            Ok(answer) => Ok(answer.data),
            Err(error) => {
                let failure = self.reply.told(&error);
                if self.xsrf_changed {
                    self.reply.keep(&self.session)?;
                }
                Err(failure)
            }
        }
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
