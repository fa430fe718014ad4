//! What every action has in common. An action is a plain async function of its [`ActionContext`]
//! and its input. It has up to two callers: a server function ([`respond`]) and a native form
//! ([`respond_to_form`]).

mod error;

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Extension, Form, RequestPartsExt,
    extract::{
        FromRequestParts,
        rejection::{ExtensionRejection, FormRejection},
    },
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};
use leptos::prelude::expect_context;
use leptos_axum::{ResponseOptions, extract_with_state};
use vincula_upstream::{CallError, CallOutput, Caller, RequestId, Upstream, XsrfChange};

pub use self::error::ActionError;

use crate::{
    failure::Failure,
    http::location::redirect,
    page_path::PagePath,
    routes::{NOTICE, Page},
    session::{Session, Visitor},
    state::AppState,
    wire::Onward,
};

/// The result of a call of the upstream.
pub type CallResult<T> = Result<CallOutput<T>, CallError>;

/// What an action knows of its request, and the headers of its response.
#[derive(Clone)]
pub struct ActionContext {
    pub state: AppState,
    /// The session of the browser, which may not be the page's.
    pub visitor: Option<Arc<Session>>,
    /// The support code of the request.
    pub request_id: RequestId,
    pub parts: Parts,
    cookie: SealedCookie,
}

/// The cookie that an action has sealed the session into.
#[derive(Clone, Default)]
struct SealedCookie(Arc<Mutex<Option<HeaderValue>>>);

/// An action in the session of the page that sent it.
pub struct SessionAction {
    pub session: Session,
    pub context: ActionContext,
}

impl FromRequestParts<AppState> for ActionContext {
    /// A layer adds the extensions to each request.
    type Rejection = ExtensionRejection;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let Extension(Visitor(visitor)) = parts.extract().await?;
        let Extension(request_id) = parts.extract().await?;
        Ok(Self {
            state: state.clone(),
            visitor,
            request_id,
            parts: parts.clone(),
            cookie: SealedCookie::default(),
        })
    }
}

impl ActionContext {
    /// Starts the action of a page that belongs to the session in the cookie.
    pub fn in_session(mut self, page_session: &str) -> Result<SessionAction, ActionError> {
        let visitor = self.visitor.take().ok_or(ActionError::NoSession)?;
        if visitor.id != page_session {
            return Err(ActionError::OtherTab);
        }
        Ok(SessionAction {
            session: Arc::unwrap_or_clone(visitor),
            context: self,
        })
    }

    /// Counts a step of the funnel.
    pub fn count_step(&self, step: impl Into<&'static str>) {
        self.state.metrics.count_step(step);
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

    /// Seals the session into the response.
    pub fn seal(&self, session: &Session) -> Result<(), ActionError> {
        let cookie = self.state.codec.seal(session).map_err(|error| {
            tracing::error!(%error, "session not kept");
            ActionError::SessionTooLarge
        })?;
        self.cookie.set(cookie);
        Ok(())
    }
}

impl SealedCookie {
    fn set(&self, cookie: HeaderValue) {
        *self.lock() = Some(cookie);
    }

    fn take(&self) -> Option<HeaderValue> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<HeaderValue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionAction {
    /// Makes upstream calls that change data: they run to completion even if the client
    /// disconnects. What they do to the XSRF token is kept for the next call.
    pub async fn call_detached<T: Send + 'static>(
        &mut self,
        calls: impl Future<Output = CallResult<T>> + Send + 'static,
    ) -> Result<T, ActionError> {
        let called = self.context.detached(calls).await;
        self.keep_xsrf(&called)?;
        Ok(called?.data)
    }

    /// Seals the session with the XSRF token of a response, if that changes it.
    pub fn keep_xsrf<T>(&mut self, called: &CallResult<T>) -> Result<(), ActionError> {
        let change = xsrf_change(called);
        if change == XsrfChange::None {
            return Ok(());
        }
        self.session.apply_xsrf(change);
        self.seal()
    }

    /// Upstream client and credentials.
    pub fn upstream(&self) -> (Upstream, Caller) {
        (
            self.context.state.upstream.clone(),
            self.session.caller(&self.context.request_id),
        )
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        self.context.state.codec.now()
    }

    /// Seals the session into the response.
    pub fn seal(&self) -> Result<(), ActionError> {
        self.context.seal(&self.session)
    }
}

/// What a response does to the XSRF token.
pub fn xsrf_change<T>(called: &CallResult<T>) -> XsrfChange {
    match called {
        Ok(output) => output.xsrf.clone(),
        Err(CallError::Failed(response)) => response.xsrf.clone(),
        Err(_) => XsrfChange::None,
    }
}

/// Runs an action as the body of a server function.
pub async fn respond<I, T, F>(
    action: impl FnOnce(ActionContext, I) -> F,
    input: I,
) -> Result<T, Failure>
where
    F: Future<Output = Result<T, ActionError>>,
{
    let state: AppState = expect_context();
    let context: ActionContext = extract_with_state(&state)
        .await
        .expect("a layer adds session and id to each request");
    let request_id = context.request_id.clone();
    let cookie = context.cookie.clone();
    let outcome = action(context, input).await;
    let response: ResponseOptions = expect_context();
    if let Some(cookie) = cookie.take() {
        response.insert_header(header::SET_COOKIE, cookie);
    }
    outcome.map_err(|error| {
        response.set_status(error.status());
        error.into_failure(&request_id)
    })
}

/// Runs an action for a native form of the page `from`. The response redirects to the next page, to
/// an error screen, or back to `from`, with a notice if the action can be repeated. A malformed form
/// redirects back with a notice, too. Our pages never send one.
pub async fn respond_to_form<I, F>(
    action: impl FnOnce(ActionContext, I) -> F,
    context: ActionContext,
    form: Result<Form<I>, FormRejection>,
    from: PagePath,
) -> Response
where
    F: Future<Output = Result<Onward, ActionError>>,
{
    let Ok(Form(input)) = form else {
        return redirect(&from.with_pair(NOTICE));
    };
    let request_id = context.request_id.clone();
    let cookie = context.cookie.clone();
    let outcome = action(context, input).await;
    let to = match outcome.map_err(|error| error.into_failure(&request_id)) {
        Ok(Onward { to }) | Err(Failure::Navigate { to, .. }) => to,
        Err(Failure::NoReply { .. }) => from.with_pair(NOTICE),
        Err(Failure::NoSession) => Page::Entry.into(),
        // The page as rendered for the browser's current session.
        Err(Failure::OtherTab | Failure::Invalid { .. }) => from,
    };
    let cookie = cookie.take().map(|cookie| [(header::SET_COOKIE, cookie)]);
    (cookie, redirect(&to)).into_response()
}
