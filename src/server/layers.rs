//! The layers of the router, each inside the one below it. They are chained into one service
//! (docs/decisions/0040-one-layer.md).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use vincula_telemetry::Metrics;
use vincula_web::{
    ActionState,
    actions::listed,
    http::{
        Limits, Then, actions, framework, limits, log, measure, origin, panics,
        policy::{self, Policy},
        request_id, request_limits,
    },
    session::middleware,
};

/// State of the layers of pages and actions.
pub struct OfPages {
    pub actions: ActionState,
    pub limits: Limits,
    pub stylesheet: Arc<str>,
}

/// The layers of pages and actions.
pub async fn of_pages(State(state): State<Arc<OfPages>>, request: Request, next: Next) -> Response {
    let OfPages { actions: state, limits, stylesheet } = &*state;
    let [of_token, of_address] = [(); 2].map(|()| State(limits.clone()));
    let [framework, bounds] = [(); 2].map(|()| State(Arc::clone(stylesheet)));
    let next = Then(|request| listed::list_on_server(state, request, next));
    let next = Then(|request| actions::in_our_words(request, next));
    let next = Then(|request| framework::in_our_words(framework, request, next));
    // Limits a link's actions, and takes the permits.
    let next = Then(|request| limits::per_token(of_token, request, next));
    // Opens the session and redirects to the page that the guard chooses.
    let next = Then(|request| middleware::open(&state.codec, request, next));
    // Limits an address's actions. Inside the origin check, so that a foreign page uses up nobody's allowance.
    let next = Then(|request| limits::per_address(of_address, request, next));
    // Only our own pages may act.
    let next = Then(|request| origin::same_origin(stylesheet, request, next));
    // Rejects bad methods, oversized requests and slow bodies.
    request_limits::enforce(bounds, request, next).await
}

/// State of the layers of all responses.
pub struct OfAll {
    pub policy: Policy,
    pub metrics: Metrics,
    pub stylesheet: Arc<str>,
}

/// The layers of all responses.
pub async fn of_all(State(state): State<Arc<OfAll>>, request: Request, next: Next) -> Response {
    let OfAll { policy, metrics, stylesheet } = &*state;
    // A panic becomes a 500 with a text, headers and a log line, not a dropped connection.
    let next = Then(|request| panics::catch(request, next));
    let next = Then(|request| panics::in_our_words(stylesheet, request, next));
    let next = Then(|request| policy::headers(policy, request, next));
    let next = Then(|request| log::access(request, next));
    let next = Then(|request| measure::count(metrics, request, next));
    request_id::assign(request, next).await
}
