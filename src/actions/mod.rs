//! What every action has in common. An action is a plain async function of its [`ActionContext`],
//! the [`BrowserSession`] and its input. It has up to two callers: a server function ([`respond`])
//! and a native form ([`respond_to_form`]). They seal the session once, if the action has changed it.

mod error;
pub mod report;

use std::{future::Future, ops::Deref, sync::Arc};

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
    destination::Destination,
    failure::Failure,
    http::location::redirect,
    routes::Page,
    session::{Session, SessionCodec, Visitor},
    state::AppState,
    telemetry::FunnelStep,
    wire::Onward,
};

/// The result of a call of the upstream.
pub type CallResult<T> = Result<CallOutput<T>, CallError>;

/// What an action needs besides its session and its input.
pub struct ActionContext {
    pub state: AppState,
    /// The support code of the request.
    pub request_id: RequestId,
}

/// The session of the browser that sent a request, which may not be the page's.
#[derive(Default)]
pub struct BrowserSession {
    session: Option<Session>,
    is_changed: bool,
}

/// The session of the page that sent an action. The browser still has it.
pub struct PageSession<'a> {
    session: &'a mut Session,
    is_changed: &'a mut bool,
}

impl FromRequestParts<AppState> for ActionContext {
    /// A layer adds the id to each request.
    type Rejection = ExtensionRejection;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let Extension(request_id) = parts.extract().await?;
        Ok(Self {
            state: state.clone(),
            request_id,
        })
    }
}

impl FromRequestParts<AppState> for BrowserSession {
    /// A layer adds the visitor to each request.
    type Rejection = ExtensionRejection;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Self::Rejection> {
        let Extension(Visitor(visitor)) = parts.extract().await?;
        Ok(Self {
            session: visitor.map(Arc::unwrap_or_clone),
            is_changed: false,
        })
    }
}

impl ActionContext {
    /// Counts a step of the funnel.
    pub fn count_step(&self, step: FunnelStep) {
        self.state.metrics.count_step(step);
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        self.state.codec.now()
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

    /// The upstream client, and the credentials of a session.
    pub fn upstream(&self, session: &Session) -> (Upstream, Caller) {
        (
            self.state.upstream.clone(),
            session.caller(&self.request_id),
        )
    }
}

impl BrowserSession {
    /// The session in the browser's cookie.
    pub fn get(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The session of the page that sent the action.
    ///
    /// # Errors
    ///
    /// If the browser has no session, or another one than the page.
    pub fn of_page(&mut self, page_session: &str) -> Result<PageSession<'_>, ActionError> {
        let session = self.session.as_mut().ok_or(ActionError::NoSession)?;
        if session.id != page_session {
            return Err(ActionError::OtherTab);
        }
        Ok(PageSession {
            session,
            is_changed: &mut self.is_changed,
        })
    }

    /// Gives the browser this session.
    pub fn replace(&mut self, session: Session) {
        self.session = Some(session);
        self.is_changed = true;
    }

    /// The outcome of an action, and the cookie with the session if the action has changed it. The
    /// outcome is an error if the session does not fit the cookie.
    fn seal<T>(
        &self,
        codec: &SessionCodec,
        outcome: Result<T, ActionError>,
    ) -> (Option<HeaderValue>, Result<T, ActionError>) {
        let Some(changed) = self.session.as_ref().filter(|_| self.is_changed) else {
            return (None, outcome);
        };
        match codec.seal(changed) {
            Ok(cookie) => (Some(cookie), outcome),
            Err(error) => {
                tracing::error!(%error, "session not kept");
                (None, Err(ActionError::SessionTooLarge))
            }
        }
    }
}

impl Deref for PageSession<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl PageSession<'_> {
    /// The session, to change it.
    pub fn change(&mut self) -> &mut Session {
        *self.is_changed = true;
        self.session
    }

    /// Makes an upstream call that changes data: it runs to completion even if the client
    /// disconnects. What it does to the XSRF token is kept for the next call.
    pub async fn call_detached<T, F>(
        &mut self,
        context: &ActionContext,
        call: impl FnOnce(Upstream, Caller) -> F,
    ) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: Future<Output = CallResult<T>> + Send + 'static,
    {
        let (upstream, caller) = context.upstream(self);
        let called = context.detached(call(upstream, caller)).await;
        self.keep_xsrf(xsrf_change(&called));
        called.map(|output| output.data)
    }

    /// Keeps what responses do to the XSRF token, if that changes it.
    pub fn keep_xsrf(&mut self, change: XsrfChange) {
        if change != XsrfChange::None {
            self.change().apply_xsrf(change);
        }
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

/// What a server function takes from its request.
pub async fn extract<T: FromRequestParts<AppState, Rejection: std::fmt::Debug>>() -> T {
    extract_with_state(&expect_context::<AppState>())
        .await
        .expect("layers add session and id to each request")
}

/// Runs an action as the body of a server function.
pub async fn respond<I, T>(
    action: impl AsyncFnOnce(&ActionContext, &mut BrowserSession, I) -> Result<T, ActionError>,
    input: I,
) -> Result<T, Failure> {
    let context: ActionContext = extract().await;
    let mut session: BrowserSession = extract().await;
    let outcome = action(&context, &mut session, input).await;
    let (cookie, outcome) = session.seal(&context.state.codec, outcome);
    let response: ResponseOptions = expect_context();
    if let Some(cookie) = cookie {
        response.insert_header(header::SET_COOKIE, cookie);
    }
    outcome.map_err(|error| {
        response.set_status(error.status());
        error.into_failure(&context.request_id)
    })
}

/// Runs an action for a native form of the page `from`. The response redirects to the next page, to
/// an error screen, or back to `from`, with a notice if the action can be repeated. A malformed form
/// redirects back with a notice, too. Our pages never send one.
pub async fn respond_to_form<I>(
    action: impl AsyncFnOnce(&ActionContext, &mut BrowserSession, I) -> Result<Onward, ActionError>,
    (context, mut session): (ActionContext, BrowserSession),
    form: Result<Form<I>, FormRejection>,
    from: Destination,
) -> Response {
    let Ok(Form(input)) = form else {
        return redirect(&from.with_notice());
    };
    let outcome = action(&context, &mut session, input).await;
    let (cookie, outcome) = session.seal(&context.state.codec, outcome);
    let to = match outcome.map_err(|error| error.into_failure(&context.request_id)) {
        Ok(Onward { to }) | Err(Failure::Navigate { to }) => to,
        Err(Failure::NoReply) => from.with_notice(),
        Err(Failure::NoSession) => Page::Entry.into(),
        // The page as rendered for the browser's current session.
        Err(Failure::OtherTab | Failure::Invalid { .. }) => from,
    };
    let cookie = cookie.map(|cookie| [(header::SET_COOKIE, cookie)]);
    (cookie, redirect(&to)).into_response()
}
