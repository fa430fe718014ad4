//! One action of a page, from the session check to the response. Actions are server functions; a
//! native form calls the function of its page and redirects to where that leads.

use std::{future::Future, sync::Arc};

use axum::{
    Form,
    extract::{FromRequest, Request},
    http::{StatusCode, header, request::Parts},
    response::Response,
};
use leptos::{
    prelude::{provide_context, use_context, with_context},
    reactive::{computed::ScopedFuture, owner::Owner},
};
use leptos_axum::ResponseOptions;
use serde::de::DeserializeOwned;
use vincula_domain::{
    page_path::PagePath,
    problem::Problem,
    routes::{NOTICE, Page},
    wire::Onward,
};
use vincula_upstream::{CallError, CallOutput, Caller, RequestId, Upstream, XsrfChange};

use crate::{
    failure::{Failure, Reaction},
    http::{
        given,
        location::{self, redirect},
    },
    session::{Session, Visitor},
    state::AppState,
    steps::from_upstream,
};

/// The result of calls of the upstream.
type CallResult<T> = Result<CallOutput<T>, CallError>;

/// The response that an action builds up, with or without a session.
pub struct Responder {
    pub state: AppState,
    /// The browser's session, which may not be the page's.
    pub visitor: Option<Arc<Session>>,
    /// The support code of the request.
    pub request_id: RequestId,
    /// Status and headers.
    response: ResponseOptions,
}

/// An action in the session of the page that sent it.
pub struct SessionAction {
    pub session: Session,
    pub responder: Responder,
}

impl Responder {
    /// `response` gets the status and the headers.
    pub fn begin(parts: &Parts, state: AppState, response: ResponseOptions) -> Self {
        let Visitor(visitor) = given(parts);
        Self {
            state,
            visitor,
            request_id: given(parts),
            response,
        }
    }

    /// Counts a step of the funnel.
    pub fn count_step(&self, step: impl Into<&'static str>) {
        self.state.metrics.count_step(step);
    }

    /// The responder of the current server function.
    pub fn current() -> Self {
        let state = use_context().expect(GIVEN);
        let response = use_context().expect(GIVEN);
        with_context(|parts| Self::begin(parts, state, response)).expect(GIVEN)
    }

    /// Ends the action with a failure: sets the status, and adds the support code.
    pub fn fail(&self, status: StatusCode, failure: Failure) -> Failure {
        self.response.set_status(status);
        failure.with_request_id(self.request_id.as_str())
    }

    /// Runs calls of the upstream to completion, even if the client disconnects.
    pub async fn detached<T: Send + 'static>(
        &self,
        calls: impl Future<Output = T> + Send + 'static,
    ) -> T {
        let task = self.state.upstream.spawn_detached(calls);
        task.await
            .expect("upstream calls neither panic nor get aborted")
    }

    /// Converts a failed upstream call to the failure that the page gets.
    pub fn upstream_failure(&self, error: &CallError) -> Failure {
        self.fail(from_upstream::status(error), from_upstream::failure(error))
    }

    /// Converts a list that failed: an upstream that is busy may be asked again.
    pub fn list_failure(&self, error: &CallError) -> Failure {
        self.fail(
            from_upstream::status(error),
            from_upstream::list_failure(error),
        )
    }

    /// Seals the session into the response. Fails with token-invalid if the cookie would be larger
    /// than browsers store.
    pub fn seal(&self, session: &Session) -> Result<(), Failure> {
        let cookie = self.state.codec.seal(session).map_err(|error| {
            tracing::error!(%error, "session not kept");
            self.fail(
                StatusCode::INTERNAL_SERVER_ERROR,
                Failure::problem(Problem::TokenInvalid),
            )
        })?;
        self.response.insert_header(header::SET_COOKIE, cookie);
        Ok(())
    }

    /// Names the page where an outcome leads in `Content-Location`, for the entry's script.
    pub fn leads_to(&self, outcome: &Result<Onward, Failure>) {
        if let Ok(Onward { to }) | Err(Failure { to: Some(to), .. }) = outcome {
            let location = location::header_value(to);
            self.response
                .insert_header(header::CONTENT_LOCATION, location);
        }
    }

    /// The response to a browser without JavaScript: a redirect to the next page, to an error
    /// screen, or back to the page `from`, with a notice if the action can be repeated. Of the
    /// headers only the cookie is sent, because a browser uses no other here.
    pub fn into_redirect(self, outcome: Result<Onward, Failure>, from: PagePath) -> Response {
        let to = match outcome {
            Ok(Onward { to }) => to,
            Err(Failure { to: Some(to), .. }) => to,
            Err(failure) => match failure.reaction {
                Reaction::Stay => from.with(NOTICE),
                Reaction::NoSession => Page::Entry.into(),
                // The page as rendered for the browser's current session.
                Reaction::Navigate | Reaction::OtherTab | Reaction::Invalid => from,
            },
        };
        let mut redirect = redirect(&to);
        let cookie = self
            .response
            .0
            .write()
            .ok()
            .and_then(|mut parts| parts.headers.remove(header::SET_COOKIE));
        if let Some(cookie) = cookie {
            redirect.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        redirect
    }
}

impl SessionAction {
    /// Starts the action of the current server function, if its page belongs to the session in the
    /// cookie. Fails with `NoSession` without a session, with `OtherTab` if another link has been
    /// opened since.
    pub fn of_page(page_session: &str) -> Result<Self, Failure> {
        let mut responder = Responder::current();
        match responder.visitor.take().map(Arc::unwrap_or_clone) {
            None => Err(responder.fail(StatusCode::UNAUTHORIZED, Reaction::NoSession.into())),
            Some(session) if session.id == page_session => Ok(Self { session, responder }),
            Some(_) => Err(responder.fail(StatusCode::CONFLICT, Reaction::OtherTab.into())),
        }
    }

    /// Makes upstream calls that change data: they run to completion even if the client
    /// disconnects.
    pub async fn call_detached<T: Send + 'static>(
        &mut self,
        calls: impl Future<Output = CallResult<T>> + Send + 'static,
    ) -> Result<T, Failure> {
        let called = self.responder.detached(calls).await;
        self.take(called)
    }

    /// The data of a call, or the failure for the page. What the call does to the XSRF token is
    /// kept for the next one.
    pub fn take<T>(&mut self, called: Result<CallOutput<T>, CallError>) -> Result<T, Failure> {
        match called {
            Ok(output) => {
                self.keep_xsrf(output.xsrf)?;
                Ok(output.data)
            }
            Err(error) => {
                let failure = self.responder.upstream_failure(&error);
                if let CallError::Failed(response) = error {
                    self.keep_xsrf(response.xsrf)?;
                }
                Err(failure)
            }
        }
    }

    /// Seals the session with its new XSRF token, if there is a change.
    fn keep_xsrf(&mut self, change: XsrfChange) -> Result<(), Failure> {
        if change == XsrfChange::None {
            return Ok(());
        }
        self.session.xsrf = change.apply(self.session.xsrf.take());
        self.seal()
    }

    /// Rejects an action that the session's stage does not allow: the page navigates to `to`.
    pub fn not_yet(&self, to: Page) -> Failure {
        self.responder
            .fail(StatusCode::UNPROCESSABLE_ENTITY, Failure::navigate(to))
    }

    /// Upstream client and credentials.
    pub fn upstream(&self) -> (Upstream, Caller) {
        (
            self.responder.state.upstream.clone(),
            self.session.caller(&self.responder.request_id),
        )
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        self.responder.state.codec.now()
    }

    /// Seals the session into the response.
    pub fn seal(&self) -> Result<(), Failure> {
        self.responder.seal(&self.session)
    }
}

/// The response to a native post of the page `from`, whose server function is `action`.
pub async fn native_post(
    state: AppState,
    parts: Parts,
    from: PagePath,
    action: impl Future<Output = Result<Onward, Failure>>,
) -> Response {
    let response = ResponseOptions::default();
    let responder = Responder::begin(&parts, state.clone(), response.clone());
    let in_context = Owner::new().with(|| {
        provide_context(state);
        provide_context(parts);
        provide_context(response);
        ScopedFuture::new(action)
    });
    responder.into_redirect(in_context.await, from)
}

/// The response to a native form of `page`. A malformed form redirects to its page with a notice.
/// Our pages never send one.
pub async fn native_form<T, F>(
    state: AppState,
    request: Request,
    page: Page,
    action: impl FnOnce(T) -> F,
) -> Response
where
    T: DeserializeOwned,
    F: Future<Output = Result<Onward, Failure>>,
{
    let (parts, body) = request.into_parts();
    let from = PagePath::from(page);
    match Form::from_request(Request::from_parts(parts.clone(), body), &()).await {
        Ok(Form(form)) => native_post(state, parts, from, action(form)).await,
        Err(_) => redirect(&from.with(NOTICE)),
    }
}

/// The failure for a request that the framework rejects, such as one with unreadable arguments.
pub fn rejected() -> Failure {
    let failure = Failure::problem(Problem::TokenInvalid);
    Responder::current().fail(StatusCode::BAD_REQUEST, failure)
}

const GIVEN: &str = "the server provides every server function with its context";
