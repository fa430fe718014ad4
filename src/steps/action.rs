//! One action of a page, from the session check to the response, for server functions and native form posts. Each
//! action is one function on [`SessionAction`]; [`Reply`] turns its outcome into JSON or a redirect.

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
use vincula_upstream::{Answer, CallError, Caller, Trace, Upstream};

use crate::{
    http::{
        Deliveries, Permit, error_pages,
        log::{LogBudget, RecordedCause},
    },
    session::{CurrentSession, Session, SessionCodec, middleware::redirect},
    steps::{ActionError, connect_settings::ConnectSettings, evidence::Evidence},
    telemetry::{Cause, Limit, Metrics, Step},
};

/// Dependencies of the actions; clones share them.
#[derive(Clone)]
pub struct ActionState {
    pub codec: SessionCodec,
    pub upstream: Upstream,
    pub connect: Arc<ConnectSettings>,
    pub evidence: Arc<Evidence>,
    pub deliveries: Deliveries,
    /// Lines of failed islands.
    pub reports: LogBudget,
    pub metrics: Metrics,
}

/// A failed action: the failure for the page, and the response's status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub status: StatusCode,
    pub failure: Failure,
}

/// The response that an action builds up, with or without a session.
pub struct Reply {
    pub state: ActionState,
    cause: RecordedCause,
    /// Concurrency permit; detached upstream calls hold it until they finish.
    permit: Option<Permit>,
    headers: HeaderMap,
}

/// An action in the session of the page that sent it.
pub struct SessionAction {
    pub session: Session,
    pub reply: Reply,
    /// The upstream has set another XSRF token.
    xsrf_changed: bool,
}

impl Reply {
    pub fn begin(parts: &Parts, state: &ActionState) -> Self {
        let extensions = &parts.extensions;
        Self {
            state: state.clone(),
            cause: extensions.get().cloned().unwrap_or_default(),
            permit: extensions.get().cloned(),
            headers: HeaderMap::new(),
        }
    }

    /// A failure with its status and its support code.
    pub fn reject(&self, status: StatusCode, failure: Failure) -> Rejection {
        Rejection { status, failure: failure.with_request_id(Trace::current_request_id().as_deref()) }
    }

    /// Makes an upstream call that runs to completion even if the client disconnects.
    ///
    /// # Errors
    /// Those of the call.
    pub async fn call_detached<T, F>(&self, call: impl FnOnce(Upstream) -> F) -> Result<Answer<T>, CallError>
    where
        F: Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
        T: Send + 'static,
    {
        let upstream = &self.state.upstream;
        let (permit, call) = (self.permit.clone(), call(upstream.clone()));
        let answer = upstream.spawn_detached(async move { (call.await, permit).0 }).await;
        answer.expect("upstream calls neither panic nor get aborted")
    }

    /// Rejects an action because there is no room for it: its page shows that there was no response.
    pub fn full(&mut self) -> Rejection {
        self.state.metrics.count_rejection(Limit::Concurrency);
        self.headers.insert(header::RETRY_AFTER, HeaderValue::from(error_pages::wait_secs()));
        self.reject(StatusCode::SERVICE_UNAVAILABLE, Failure::no_reply())
    }

    /// Logs a failed upstream call, as the only place that does, and turns it into the failure shown to the person.
    /// Passes the upstream's `Retry-After` on to the page. `cancelled`: everything was cancelled in the session before.
    pub fn upstream_failure(&mut self, error: &CallError, cancelled: bool) -> Rejection {
        tracing::warn!(%error, request_id = Trace::current_request_id(), "upstream call failed");
        self.record(if error.is_rejection() { Cause::Refused } else { Cause::Failed });
        if let Some(seconds) = error.reply().and_then(|reply| reply.retry_after) {
            self.headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let status = match error {
            CallError::NoReply(_) => StatusCode::GATEWAY_TIMEOUT,
            CallError::Reply(_) | CallError::Unexpected(_) => StatusCode::BAD_GATEWAY,
        };
        self.reject(status, error.failure(cancelled))
    }

    /// Records the cause of a failure, for the log and the metrics.
    pub fn record(&self, cause: Cause) {
        self.cause.record(cause);
    }

    /// Seals the session into the reply.
    ///
    /// # Errors
    /// Token-invalid, if the cookie would be larger than browsers store.
    pub fn seal(&mut self, session: &Session) -> Result<(), Rejection> {
        match self.state.codec.seal(session) {
            Ok(cookie) => self.headers.insert(header::SET_COOKIE, cookie),
            Err(error) => {
                tracing::error!(%error, "session not kept");
                self.record(Cause::Failed);
                return Err(self.reject(StatusCode::BAD_GATEWAY, Failure::problem(Problem::TokenInvalid)));
            }
        };
        Ok(())
    }

    /// Names the page where an outcome leads in `Content-Location`, for the entry's script.
    pub fn leads_to(&mut self, outcome: &Result<Next, Rejection>) {
        let to = match outcome {
            Ok(Next { to }) => to,
            Err(Rejection { failure: Failure { reaction: Reaction::Navigate { to }, .. }, .. }) => to,
            Err(_) => return,
        };
        let to = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
        self.headers.insert(header::CONTENT_LOCATION, to);
    }

    /// The result of a server function; headers and status go into the framework's response.
    ///
    /// # Errors
    /// The failure in `outcome`.
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

    /// The response to a form: a redirect to the next page, to an error screen, or back to the form's page (`from`),
    /// which then shows that there was no response. Of the headers only the cookie is sent: the others mean nothing to
    /// a browser here.
    pub fn into_redirect(mut self, outcome: Result<Next, Rejection>, from: &str) -> Response {
        let to = match outcome {
            Ok(Next { to }) => to,
            Err(Rejection { failure, .. }) => match failure.reaction {
                Reaction::Navigate { to } => to,
                Reaction::NoReply => routes::with_flag(from, routes::NO_REPLY),
                // The page as rendered for the browser's current session.
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
    /// Starts an action if its page belongs to the session in the cookie.
    ///
    /// # Errors
    /// `Navigate` to the entry without a session; `OtherTab` if another link has been opened since.
    #[expect(clippy::result_large_err, reason = "callers build the error response from the reply")]
    pub fn begin(
        reply: Reply,
        CurrentSession(session): CurrentSession,
        page_session: &str,
    ) -> Result<Self, (Reply, Rejection)> {
        let rejection = match session {
            None => reply.reject(StatusCode::UNAUTHORIZED, Failure::navigate(routes::ENTRY)),
            Some(session) if session.id.as_str() == page_session => {
                return Ok(Self { session: Arc::unwrap_or_clone(session), reply, xsrf_changed: false });
            }
            Some(_) => reply.reject(StatusCode::CONFLICT, Reaction::OtherTab.into()),
        };
        Err((reply, rejection))
    }

    /// Starts the action of the current server function.
    ///
    /// # Errors
    /// As [`SessionAction::begin`].
    pub fn of_page(page_session: &str) -> Result<Self, ActionError> {
        let (reply, visitor) = current();
        Self::begin(reply, visitor, page_session).or_else(|(reply, rejection)| reply.into_json(Err(rejection)))
    }

    /// Makes an upstream call that is dropped if the client disconnects.
    ///
    /// # Errors
    /// Those of the error catalogue.
    pub async fn call<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Rejection>
    where
        F: Future<Output = Result<Answer<T>, CallError>>,
    {
        let (upstream, caller) = self.upstream();
        let answer = call(upstream, caller).await;
        self.take(answer)
    }

    /// Makes an upstream call that changes data: it runs to completion even if the client disconnects.
    ///
    /// # Errors
    /// Those of the error catalogue.
    pub async fn call_detached<T, F>(&mut self, call: impl FnOnce(Upstream, Caller) -> F) -> Result<T, Rejection>
    where
        F: Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
        T: Send + 'static,
    {
        let caller = self.session.caller();
        let answer = self.reply.call_detached(|upstream| call(upstream, caller)).await;
        self.take(answer)
    }

    /// Makes a detached call once, however often it is requested with the same `key` ([`Upstream::call_once`]).
    ///
    /// # Errors
    /// Those of the error catalogue.
    pub async fn call_once<F>(&mut self, key: u128, call: impl FnOnce(Upstream, Caller) -> F) -> Result<(), Rejection>
    where
        F: Future<Output = Result<Answer<()>, CallError>> + Send + 'static,
    {
        let (upstream, caller) = self.upstream();
        let (permit, call) = (self.reply.permit.clone(), call(upstream.clone(), caller));
        let answer = upstream.call_once(key, async move { (call.await, permit).0 }).await;
        self.take(answer)
    }

    /// Counts the step of the funnel that the action has reached.
    pub fn count(&self, step: Step) {
        self.reply.state.metrics.count_step(step);
    }

    /// 128-bit digest of `text` for `purpose`, bound to this session and its current attempt.
    pub fn digest(&self, purpose: &str, text: &str) -> u128 {
        let (id, attempt) = (self.session.id.as_str(), self.session.attempt.id.to_string());
        self.reply.state.codec.digest(purpose, &[id, &attempt, text])
    }

    /// Rejects an action that the session's stage does not allow: the page navigates to `to`.
    pub fn not_yet(&self, to: &str) -> Rejection {
        self.reply.reject(StatusCode::CONFLICT, Failure::navigate(to))
    }

    /// Upstream client and credentials, for calls that the methods above do not fit.
    pub fn upstream(&self) -> (Upstream, Caller) {
        (self.reply.state.upstream.clone(), self.session.caller())
    }

    /// Seals the session into the reply with its idle time renewed, because an action is a use of it.
    ///
    /// # Errors
    /// As [`Reply::seal`].
    pub fn seal(&mut self) -> Result<(), Rejection> {
        self.session.seen_at = self.reply.state.codec.now();
        self.reply.seal(&self.session)
    }

    /// Like [`Self::seal`], but only if the upstream has set another XSRF token or the idle time is due to be renewed:
    /// for actions that change nothing else.
    ///
    /// # Errors
    /// As [`Reply::seal`].
    pub fn seal_if_due(&mut self) -> Result<(), Rejection> {
        if self.xsrf_changed || self.reply.state.codec.is_stale(&self.session) { self.seal() } else { Ok(()) }
    }

    /// Like [`Self::seal`], but for polls: only after a quarter of the idle time. Polls are many, and a response that
    /// sets the cookie undoes what another request has changed meanwhile.
    ///
    /// # Errors
    /// As [`Reply::seal`].
    pub fn seal_if_due_for_polls(&mut self) -> Result<(), Rejection> {
        if self.reply.state.codec.is_stale_for_polls(&self.session) { self.seal() } else { Ok(()) }
    }

    /// As [`Reply::into_json`].
    ///
    /// # Errors
    /// The failure of the outcome.
    pub fn into_json<T>(self, outcome: Result<T, Rejection>) -> Result<T, ActionError> {
        self.reply.into_json(outcome)
    }

    /// As [`Reply::into_redirect`], for a form of the page `from`.
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
                let rejection = self.reply.upstream_failure(&error, self.session.cancelled.is_some());
                if self.xsrf_changed {
                    self.reply.seal(&self.session)?;
                }
                Err(rejection)
            }
        }
    }
}

/// A native form post, before the session check.
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
    /// The browser's session, which may not be the posting page's.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.visitor.0.clone()
    }

    /// The fields of a form of the page `from`.
    ///
    /// # Errors
    /// A redirect back to the page, which shows a notice, if the form is unreadable: no page of ours sends one.
    #[expect(clippy::result_large_err, reason = "the error is the response")]
    pub fn form<T>(form: Result<Form<T>, FormRejection>, from: &str) -> Result<T, Response> {
        form.map(|Form(form)| form).map_err(|_| redirect(&routes::with_flag(from, routes::NO_REPLY)))
    }

    /// Starts the action of a form of the page `from`.
    ///
    /// # Errors
    /// [`SessionAction::begin`]'s rejection as a redirect.
    #[expect(clippy::result_large_err, reason = "the error is the response")]
    pub fn act(self, page_session: &str, from: &str) -> Result<SessionAction, Response> {
        SessionAction::begin(self.reply, self.visitor, page_session)
            .map_err(|(reply, rejection)| reply.into_redirect(Err(rejection), from))
    }
}

/// The reply and the session of the current server function.
pub fn current() -> (Reply, CurrentSession) {
    let state: ActionState = use_context().expect(GIVEN);
    with_context(|parts: &Parts| (Reply::begin(parts, &state), visitor(parts))).expect(GIVEN)
}

fn visitor(parts: &Parts) -> CurrentSession {
    parts.extensions.get().cloned().unwrap_or_default()
}

const GIVEN: &str = "the server provides every server function with its context";
