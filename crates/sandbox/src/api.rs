//! The router of the widget API, and the order of its checks.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodFilter, on, post},
};

use super::{
    BASE_PATH,
    call::Call,
    cast::{self, Member},
    checks,
    envelope::Answer,
    faults::FaultProfile,
    requests::{Request, Validation},
    state::SandboxState,
};

/// Longest request body, in bytes.
const MAX_BODY_BYTES: usize = 32 * 1024;

type Body = Result<Bytes, BytesRejection>;

/// The nine calls under the base path.
pub fn router(state: Arc<SandboxState>) -> Router {
    let calls = Call::ALL.into_iter().fold(Router::new().route("/validate-token", post(validate)), |router, call| {
        let verb = MethodFilter::try_from(call.method()).expect("axum routes GET, POST and PUT");
        let handler = move |State(state): State<Arc<SandboxState>>, headers: HeaderMap, body: Body| async move {
            serve(&state, call, &headers, body).await
        };
        router.route(call.path(), on(verb, handler))
    });
    Router::new()
        .nest(BASE_PATH, calls)
        .fallback(async || Answer::error(StatusCode::NOT_FOUND, "No such call"))
        .method_not_allowed_fallback(async || Answer::error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(state)
}

async fn validate(State(state): State<Arc<SandboxState>>, headers: HeaderMap, body: Body) -> Result<Response, Answer> {
    let validation = Validation::read(&headers, &within_limit(body)?)?;
    let member = find(&validation.token)?;
    take_time(&state, member).await;
    member.fault.admit_entry(validation.is_return())?;
    if let Some(fault) = member.fault.entry_response() {
        return Ok(fault);
    }
    let cookie = [(header::SET_COOKIE, checks::xsrf_cookie(&validation.token))];
    Ok((cookie, Answer::with(member.profile)).into_response())
}

async fn serve(state: &SandboxState, call: Call, headers: &HeaderMap, body: Body) -> Result<Response, Answer> {
    let token = checks::bearer(headers)?;
    let member = find(token)?;
    member.fault.admit()?;
    if call.is_write() {
        checks::xsrf(headers, token)?;
    }
    let request = Request::read(call, headers, &within_limit(body)?)?;
    request.check(token, &member.profile)?;
    take_time(state, member).await;
    let listings = if call == Call::ListAccounts { state.count_listing(token, member) } else { 0 };
    let fault = member.fault.response_to(call, listings);
    Ok(fault.unwrap_or_else(|| state.handle(token, member, request).into_response()))
}

fn within_limit(body: Body) -> Result<Bytes, Answer> {
    body.map_err(|rejection| Answer::unprocessable(rejection.body_text()))
}

fn find(token: &str) -> Result<&'static Member, Answer> {
    cast::find(token).ok_or_else(|| Answer::error(StatusCode::NOT_FOUND, "Token not found"))
}

async fn take_time(state: &SandboxState, member: &Member) {
    if member.fault == FaultProfile::Slow {
        tokio::time::sleep(state.options.slow).await;
    }
}
