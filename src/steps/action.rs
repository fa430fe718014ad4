//! One action of a page, from the session check to the response. Actions are server functions; a native form calls the
//! function of its page and redirects to where that leads.

use std::{future::Future, sync::Arc};

use axum::{
    Form,
    extract::{FromRequest, Request},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use leptos::{
    prelude::{provide_context, use_context, with_context},
    reactive::{computed::ScopedFuture, owner::Owner},
};
use leptos_axum::ResponseOptions;
use serde::de::DeserializeOwned;
use vincula_domain::{
    problem::Problem,
    routes,
    wire::{Failure, Next, Reaction},
};
use vincula_upstream::{Answer, CallError, Caller, Trace, Upstream, XsrfChange};

use crate::{
    http::{Permit, error_pages, log::RecordedCause},
    session::{Session, middleware::redirect},
    state::AppState,
    steps::ActionError,
    telemetry::{Cause, Limit},
};

/// The response that an action builds up, with or without a session.
pub struct Reply {
    pub state: AppState,
    /// The browser's session, which may not be the page's.
    pub visitor: Option<Arc<Session>>,
    /// The cause of a failure, for the log and the metrics.
    pub cause: RecordedCause,
    /// Concurrency permit; detached upstream calls hold it until they finish.
    permit: Option<Permit>,
    /// Status and headers.
    response: ResponseOptions,
}

/// An action in the session of the page that sent it.
pub struct SessionAction {
    pub session: Session,
    pub reply: Reply,
}

impl Reply {
    /// `response` gets the status and the headers.
    pub fn begin(parts: &Parts, state: AppState, response: ResponseOptions) -> Self {
        let extensions = &parts.extensions;
        Self {
            state,
            visitor: extensions.get().cloned(),
            cause: extensions.get().cloned().unwrap_or_default(),
            permit: extensions.get().cloned(),
            response,
        }
    }

    /// The reply of the current server function.
    pub fn current() -> Self {
        let (state, response) = use_context().zip(use_context()).expect(GIVEN);
        with_context(|parts| Self::begin(parts, state, response)).expect(GIVEN)
    }

    /// A failure with its status and its support code.
    pub fn reject(&self, status: StatusCode, failure: Failure) -> ActionError {
        self.response.set_status(status);
        failure
            .with_request_id(Trace::current_request_id().as_deref())
            .into()
    }

    /// Runs calls of the upstream to completion, even if the client disconnects.
    pub async fn detached<T: Send + 'static>(
        &self,
        calls: impl Future<Output = T> + Send + 'static,
    ) -> T {
        let permit = self.permit.clone();
        let task = self
            .state
            .upstream
            .spawn_detached(async move { (calls.await, permit).0 });
        task.await
            .expect("upstream calls neither panic nor get aborted")
    }

    /// Rejects an item of Connect because the limit of pending deliveries is reached: its page shows that there was no
    /// response, and keeps the item.
    pub fn deliveries_full(&self) -> ActionError {
        self.state.metrics.count_rejection(Limit::Deliveries);
        self.response
            .insert_header(header::RETRY_AFTER, error_pages::wait_secs().into());
        self.reject(StatusCode::SERVICE_UNAVAILABLE, Failure::no_reply())
    }

    /// Logs a failed upstream call, as the only place that does, and turns it into the failure shown to the person.
    pub fn upstream_failure(&self, error: &CallError) -> ActionError {
        tracing::warn!(%error, request_id = Trace::current_request_id(), "upstream call failed");
        self.cause.record(if error.is_rejection() {
            Cause::Refused
        } else {
            Cause::Failed
        });
        let status = match error {
            CallError::NoReply(_) => StatusCode::GATEWAY_TIMEOUT,
            CallError::Reply(_) | CallError::Unexpected(_) => StatusCode::BAD_GATEWAY,
        };
        self.reject(status, error.failure())
    }

    /// Seals the session into the reply. Fails with token-invalid if the cookie would be larger than browsers store.
    pub fn seal(&self, session: &Session) -> Result<(), ActionError> {
        let cookie = self.state.codec.seal(session).map_err(|error| {
            tracing::error!(%error, request_id = Trace::current_request_id(), "session not kept");
            self.cause.record(Cause::Failed);
            self.reject(
                StatusCode::BAD_GATEWAY,
                Failure::problem(Problem::TokenInvalid),
            )
        })?;
        self.response.insert_header(header::SET_COOKIE, cookie);
        Ok(())
    }

    /// Names the page where an outcome leads in `Content-Location`, for the entry's script.
    pub fn leads_to(&self, outcome: &Result<Next, ActionError>) {
        if let Ok(Next { to })
        | Err(ActionError {
            failure:
                Failure {
                    reaction: Reaction::Navigate { to },
                    ..
                },
            ..
        }) = outcome
        {
            let to = HeaderValue::try_from(to).expect("paths of ours are plain ASCII");
            self.response.insert_header(header::CONTENT_LOCATION, to);
        }
    }

    /// The response to a browser without JavaScript: a redirect to the next page, to an error screen, or back to the
    /// page `from`, which then shows that there was no response. Of the headers only the cookie is sent: the others mean
    /// nothing to a browser here.
    pub fn into_redirect(self, outcome: Result<Next, ActionError>, from: &str) -> Response {
        let to = match outcome {
            Ok(Next { to }) => to,
            Err(ActionError { failure, .. }) => match failure.reaction {
                Reaction::Navigate { to } => to,
                Reaction::NoReply => routes::with_flag(from, routes::NO_REPLY),
                // The page as rendered for the browser's current session.
                Reaction::OtherTab | Reaction::Invalid { .. } => from.to_owned(),
            },
        };
        let mut redirect = redirect(&to);
        let cookie = self
            .response
            .0
            .write()
            .ok()
            .and_then(|mut parts| parts.headers.remove(header::SET_COOKIE));
        redirect
            .headers_mut()
            .extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        redirect
    }
}

impl SessionAction {
    /// Starts the action of the current server function, if its page belongs to the session in the cookie. Fails
    /// with `Navigate` to the entry without a session, with `OtherTab` if another link has been opened since.
    pub fn of_page(page_session: &str) -> Result<Self, ActionError> {
        let mut reply = Reply::current();
        match reply.visitor.take().map(Arc::unwrap_or_clone) {
            None => Err(reply.reject(StatusCode::UNAUTHORIZED, Failure::navigate(routes::ENTRY))),
            Some(session) if session.id == page_session => Ok(Self { session, reply }),
            Some(_) => Err(reply.reject(StatusCode::CONFLICT, Reaction::OtherTab.into())),
        }
    }

    /// Makes upstream calls that change data: they run to completion even if the client disconnects.
    pub async fn call_detached<T: Send + 'static>(
        &mut self,
        calls: impl Future<Output = Result<Answer<T>, CallError>> + Send + 'static,
    ) -> Result<T, ActionError> {
        let answer = self.reply.detached(calls).await;
        self.take(answer)
    }

    /// Makes detached calls once, however often they are requested with the same `key` ([`Upstream::call_once`]).
    pub async fn call_once(
        &mut self,
        key: u128,
        calls: impl Future<Output = Result<Answer<()>, CallError>> + Send + 'static,
    ) -> Result<(), ActionError> {
        let upstream = self.reply.state.upstream.clone();
        self.call_detached(async move { upstream.call_once(key, calls).await })
            .await
    }

    /// The data of an answer, or the failure for the page. What it does to the XSRF token is kept for the next call.
    pub fn take<T>(&mut self, answer: Result<Answer<T>, CallError>) -> Result<T, ActionError> {
        let (outcome, xsrf) = match answer {
            Ok(Answer { data, xsrf }) => (Ok(data), xsrf),
            Err(error) => {
                let failure = self.reply.upstream_failure(&error);
                let xsrf = error
                    .reply()
                    .map(|reply| reply.xsrf.clone())
                    .unwrap_or_default();
                (Err(failure), xsrf)
            }
        };
        if xsrf != XsrfChange::None {
            self.session.xsrf = xsrf.apply(self.session.xsrf.take());
            self.seal()?;
        }
        outcome
    }

    /// 128-bit digest of `text` for `purpose`, bound to this session and its current attempt.
    pub fn digest(&self, purpose: &str, text: &str) -> u128 {
        let (id, attempt) = (
            self.session.id.as_str(),
            self.session.attempt.id.to_string(),
        );
        self.reply
            .state
            .codec
            .digest(purpose, &[id, &attempt, text])
    }

    /// Rejects an action that the session's stage does not allow: the page navigates to `to`.
    pub fn not_yet(&self, to: &str) -> ActionError {
        self.reply
            .reject(StatusCode::CONFLICT, Failure::navigate(to))
    }

    /// Upstream client and credentials.
    pub fn upstream(&self) -> (Upstream, Caller) {
        (self.reply.state.upstream.clone(), self.session.caller())
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        self.reply.state.codec.now()
    }

    /// Seals the session into the reply with its idle time renewed, because an action is a use of it.
    pub fn seal(&mut self) -> Result<(), ActionError> {
        self.session.seen_at = self.now();
        self.reply.seal(&self.session)
    }

    /// Renews the idle time and nothing else: what another action has changed meanwhile stays.
    pub fn renew(&self) {
        self.reply.response.insert_header(
            header::SET_COOKIE,
            self.reply.state.codec.seal_use(&self.session),
        );
    }

    /// Renews the idle time if it is due: for actions that change nothing.
    pub fn renew_if_due(&self) {
        if self
            .reply
            .state
            .codec
            .life
            .is_stale(&self.session, self.now())
        {
            self.renew();
        }
    }
}

/// The response to a native post of the page `from`, whose server function is `action`.
pub async fn native_post(
    state: AppState,
    parts: Parts,
    from: &str,
    action: impl Future<Output = Result<Next, ActionError>>,
) -> Response {
    let response = ResponseOptions::default();
    let reply = Reply::begin(&parts, state.clone(), response.clone());
    let in_context = Owner::new().with(|| {
        provide_context(state);
        provide_context(parts);
        provide_context(response);
        ScopedFuture::new(action)
    });
    reply.into_redirect(in_context.await, from)
}

/// The response to a native form. An unreadable one, which no page of ours sends, leads back to its page with a notice.
pub async fn native_form<T, F>(
    state: AppState,
    request: Request,
    action: impl FnOnce(T) -> F,
) -> Response
where
    T: DeserializeOwned,
    F: Future<Output = Result<Next, ActionError>>,
{
    let (parts, body) = request.into_parts();
    let from = parts.uri.path().to_owned();
    match Form::from_request(Request::from_parts(parts.clone(), body), &()).await {
        Ok(Form(form)) => native_post(state, parts, &from, action(form)).await,
        Err(_) => redirect(&routes::with_flag(&from, routes::NO_REPLY)),
    }
}

const GIVEN: &str = "the server provides every server function with its context";
