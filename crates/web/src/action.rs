//! One action of a page, from "may this page act?" to the answer, for server functions and for forms that the browser
//! itself posts. Each action is one function of [`SessionAction`]; the two answers are made here.

use std::{convert::Infallible, future::Future, sync::Arc};

use axum::{
    Form,
    extract::{FromRef, FromRequestParts, rejection::FormRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use leptos::prelude::{use_context, with_context};
use leptos_axum::ResponseOptions;
use vincula_domain::{
    problem::Problem,
    routes,
    wire::{Failure, Next, Reaction},
};
use vincula_telemetry::Cause;
use vincula_upstream::{Answer, CallError, Caller, Upstream};

use crate::{
    actions::ActionError,
    http::{Permit, RequestId, reports::Reports},
    session::{CurrentSession, Session, SessionCodec, middleware::redirect},
    user_error::{UserError, to_user_error},
};

/// What Connect is started with, whoever the client is.
#[derive(Debug, Clone)]
pub struct ConnectSettings {
    pub url: String,
    pub include_sandbox: bool,
}

/// What actions draw on; clones share it.
#[derive(Clone)]
pub struct ActionState {
    pub codec: SessionCodec,
    pub upstream: Upstream,
    pub connect: Arc<ConnectSettings>,
    pub reports: Reports,
}

/// Why an action was not carried out, and the status that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub status: StatusCode,
    pub failure: Failure,
}

/// The answer that an action is building, whether or not there is a session.
pub struct Reply {
    pub state: ActionState,
    request_id: Option<RequestId>,
    /// Concurrency permit; detached upstream calls hold it until they finish.
    permit: Option<Permit>,
    headers: HeaderMap,
}

/// An action in the session of the page that asks for it.
pub struct SessionAction {
    pub session: Session,
    pub reply: Reply,
    /// The upstream has set another XSRF token (design D10).
    xsrf_changed: bool,
}

impl Reply {
    pub fn begin(parts: &Parts, state: &ActionState) -> Self {
        let extensions = &parts.extensions;
        Self {
            state: state.clone(),
            request_id: extensions.get().cloned(),
            permit: extensions.get().cloned(),
            headers: HeaderMap::new(),
        }
    }

    /// A failure with its status and its support code.
    pub fn reject(&self, status: StatusCode, failure: Failure) -> Rejection {
        Rejection { status, failure: failure.of_request(self.request_id.as_ref().map(RequestId::as_str)) }
    }

    /// What the person is told about a failed upstream call; the one place where it is logged. An upstream that wants to
    /// be left alone for a while says so to the page, too.
    pub fn refused(&mut self, error: &CallError) -> Rejection {
        tracing::warn!(%error, request_id = self.request_id.as_ref().map(RequestId::as_str), "upstream call failed");
        error.cause().note();
        if let Some(seconds) = error.reply().and_then(|reply| reply.retry_after) {
            self.headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let UserError { failure, status } = to_user_error(error);
        self.reject(status, failure)
    }

    /// Seals the session into the reply.
    ///
    /// # Errors
    /// Token-invalid, where the cookie would be larger than a browser keeps (design D3).
    pub fn keep(&mut self, session: &Session) -> Result<(), Rejection> {
        match self.state.codec.seal(session) {
            Ok(cookie) => self.headers.insert(header::SET_COOKIE, cookie),
            Err(error) => {
                tracing::error!(%error, "session not kept");
                Cause::Failed.note();
                return Err(self.reject(StatusCode::BAD_GATEWAY, Failure::problem(Problem::TokenInvalid)));
            }
        };
        Ok(())
    }

    /// The answer of a server function, whose headers and status go into the response that the framework makes.
    ///
    /// # Errors
    /// The failure of the outcome.
    pub fn into_json<T>(self, outcome: Result<T, Rejection>) -> Result<T, ActionError> {
        let options: ResponseOptions = use_context().expect(GIVEN);
        for (name, value) in &self.headers {
            options.append_header(name.clone(), value.clone());
        }
        outcome.map_err(|Rejection { status, failure }| {
            options.set_status(status);
            ActionError(failure)
        })
    }

    /// The answer to a form: a redirect to the next page, to an error screen, or back to the page with the form (`from`),
    /// which then says that nobody answered. No header of the JSON answer but the cookie means anything to a browser here.
    pub fn into_redirect(mut self, outcome: Result<Next, Rejection>, from: &str) -> Response {
        let to = match outcome {
            Ok(Next { to }) => to,
            Err(Rejection { failure, .. }) => match failure.reaction {
                Reaction::Navigate { to } => to,
                Reaction::NoReply => routes::without_reply(from),
                // The page as it is in the session that the browser has now.
                Reaction::OtherTab | Reaction::Invalid { .. } => from.to_owned(),
            },
        };
        let mut response = redirect(&to);
        response
            .headers_mut()
            .extend(self.headers.remove(header::SET_COOKIE).map(|cookie| (header::SET_COOKIE, cookie)));
        response
    }
}

impl SessionAction {
    /// Lets a page act: it must be of the session that the cookie holds (design D11).
    ///
    /// # Errors
    /// To the entry without a session; `OtherTab` where another link has been opened since.
    #[expect(clippy::result_large_err, reason = "the reply is given back to say so with")]
    pub fn begin(
        reply: Reply,
        CurrentSession(session): CurrentSession,
        page_session: &str,
    ) -> Result<Self, (Reply, Rejection)> {
        let rejection = match session {
            None => reply.reject(StatusCode::UNAUTHORIZED, Failure::go(routes::ENTRY)),
            Some(session) if session.id.as_str() == page_session => {
                return Ok(Self { session: Arc::unwrap_or_clone(session), reply, xsrf_changed: false });
            }
            Some(_) => reply.reject(StatusCode::CONFLICT, Reaction::OtherTab.into()),
        };
        Err((reply, rejection))
    }

    /// The same for the server function that is being called.
    ///
    /// # Errors
    /// As [`SessionAction::begin`].
    pub fn of_page(page_session: &str) -> Result<Self, ActionError> {
        let (reply, visitor) = current();
        Self::begin(reply, visitor, page_session).or_else(|(reply, rejection)| reply.into_json(Err(rejection)))
    }

    /// A call that may be dropped when the person leaves.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn call<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Rejection>
    where
        F: Future<Output = Result<Answer<T>, CallError>>,
    {
        let (upstream, caller) = self.upstream();
        let answer = call(upstream, caller).await;
        self.take(answer)
    }

    /// A call that runs to its end even if the person leaves: it changes something.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn call_detached<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Rejection>
    where
        F: Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
        T: Send + 'static,
    {
        let (upstream, caller) = self.upstream();
        let (permit, call) = (self.reply.permit.clone(), call(upstream.clone(), caller));
        let answer = upstream.spawn_detached(async move { (call.await, permit).0 }).await;
        self.take(answer.expect("upstream calls neither panic nor get aborted"))
    }

    /// A detached call that is made once, however often it is asked for ([`Upstream::once`]): `key` tells it from the
    /// session's other ones.
    ///
    /// # Errors
    /// What the catalogue says (spec §8).
    pub async fn call_once<F>(&mut self, key: u128, call: impl FnOnce(Upstream, Caller) -> F) -> Result<(), Rejection>
    where
        F: Future<Output = Result<Answer<()>, CallError>> + Send + 'static,
    {
        let (upstream, caller) = self.upstream();
        let (permit, call) = (self.reply.permit.clone(), call(upstream.clone(), caller));
        let answer = upstream.once(key, async move { (call.await, permit).0 }).await;
        self.take(answer)
    }

    /// 128 bits that stand for these texts in this attempt to link an account, for this purpose.
    pub fn digest(&self, purpose: &str, text: &str) -> u128 {
        let (id, attempt) = (self.session.id.as_str(), self.session.attempt.id.to_string());
        self.reply.state.codec.digest(purpose, &[id, &attempt, text])
    }

    /// Where a page goes whose stage does not allow this action.
    pub fn not_yet(&self, to: &str) -> Rejection {
        self.reply.reject(StatusCode::CONFLICT, Failure::go(to))
    }

    /// The upstream's client and the session's credentials, for calls beside the action.
    pub fn upstream(&self) -> (Upstream, Caller) {
        (self.reply.state.upstream.clone(), self.session.caller())
    }

    /// Seals the session as it is now into the reply: an action is a use of it.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep(&mut self) -> Result<(), Rejection> {
        self.session.seen_at = self.reply.state.codec.now();
        self.reply.keep(&self.session)
    }

    /// Seals it only where the upstream has set another XSRF token or the idle time is due to be renewed: for actions that
    /// change nothing else.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep_if_due(&mut self) -> Result<(), Rejection> {
        if self.xsrf_changed || self.reply.state.codec.is_stale(&self.session) { self.keep() } else { Ok(()) }
    }

    /// The same for a poll: only where its idle time is about to run out. Polls are many, and an answer that sets the
    /// cookie undoes what another request has changed meanwhile.
    ///
    /// # Errors
    /// As [`Reply::keep`].
    pub fn keep_if_old(&mut self) -> Result<(), Rejection> {
        if self.reply.state.codec.is_stale_for_polls(&self.session) { self.keep() } else { Ok(()) }
    }

    /// The answer of a server function.
    ///
    /// # Errors
    /// The failure of the outcome.
    pub fn into_json<T>(self, outcome: Result<T, Rejection>) -> Result<T, ActionError> {
        self.reply.into_json(outcome)
    }

    /// The answer to a form of the page `from`.
    pub fn into_redirect(self, outcome: Result<Next, Rejection>, from: &str) -> Response {
        self.reply.into_redirect(outcome, from)
    }

    fn take<T>(&mut self, answer: Result<Answer<T>, CallError>) -> Result<T, Rejection> {
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
                let rejection = self.reply.refused(&error);
                if self.xsrf_changed {
                    self.reply.keep(&self.session)?;
                }
                Err(rejection)
            }
        }
    }
}

/// A form that the browser itself posts, before it is known whether its page may act.
pub struct Posted {
    pub reply: Reply,
    visitor: CurrentSession,
}

impl<S> FromRequestParts<S> for Posted
where
    ActionState: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self { reply: Reply::begin(parts, &ActionState::from_ref(state)), visitor: visitor(parts) })
    }
}

impl Posted {
    /// The session of the browser, whichever page has posted.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.visitor.0.clone()
    }

    /// What a form of the page `from` says.
    ///
    /// # Errors
    /// Back to its page, which says that it did not work, where the form cannot be read: no page of ours has sent it so.
    #[expect(clippy::result_large_err, reason = "both are answers")]
    pub fn form<T>(form: Result<Form<T>, FormRejection>, from: &str) -> Result<T, Response> {
        form.map(|Form(form)| form).map_err(|_| redirect(&routes::without_reply(from)))
    }

    /// Lets the form of the page `from` act in its session.
    ///
    /// # Errors
    /// The redirect that [`SessionAction::begin`]'s rejection means.
    #[expect(clippy::result_large_err, reason = "both are answers")]
    pub fn act(self, page_session: &str, from: &str) -> Result<SessionAction, Response> {
        SessionAction::begin(self.reply, self.visitor, page_session)
            .map_err(|(reply, rejection)| reply.into_redirect(Err(rejection), from))
    }
}

/// The reply to the server function that is being called, and its session.
pub fn current() -> (Reply, CurrentSession) {
    let state: ActionState = use_context().expect(GIVEN);
    with_context(|parts: &Parts| (Reply::begin(parts, &state), visitor(parts))).expect(GIVEN)
}

fn visitor(parts: &Parts) -> CurrentSession {
    parts.extensions.get().cloned().unwrap_or_default()
}

const GIVEN: &str = "the server gives every server function its context";
