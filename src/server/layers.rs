//! The layers of the router, each inside the one below it. They are chained into one service
//! (docs/decisions/0043-one-layer.md).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use vincula_telemetry::Metrics;

use crate::{
    http::{
        Limits, actions, framework,
        inner::{Inner, Then},
        limits, log, measure, origin, panics,
        policy::{self, Policy},
        request_id, request_limits,
    },
    session::middleware,
    steps::{ActionState, listed},
};

/// State of the layers of pages and actions.
pub struct OfPages {
    pub actions: ActionState,
    pub limits: Limits,
    pub stylesheet: Arc<str>,
}

/// The layers of pages and actions.
pub async fn of_pages(State(state): State<Arc<OfPages>>, request: Request, next: impl Inner) -> Response {
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
pub async fn of_all(State(state): State<Arc<OfAll>>, request: Request, next: impl Inner) -> Response {
    let OfAll { policy, metrics, stylesheet } = &*state;
    // A panic becomes a 500 with a text, headers and a log line, not a dropped connection.
    let next = Then(|request| panics::catch(request, next));
    let next = Then(|request| panics::in_our_words(stylesheet, request, next));
    let next = Then(|request| policy::headers(policy, request, next));
    let next = Then(|request| log::access(request, next));
    let next = Then(|request| measure::count(metrics, request, next));
    request_id::assign(request, next).await
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{
        config::Config,
        server::AppState,
        tests::{any_key, site::site},
    };

    /// Each function moves the future of the layers inside it.
    #[tokio::test]
    async fn the_future_of_all_layers_is_small() {
        let keys = any_key();
        let args =
            ["vincula", "--widget-api-url", "http://127.0.0.1:9", "--session-keys", &keys, "--trusted-proxies", "none"];
        let state = AppState::new(&Config::parse_from(args).check().unwrap(), &site(), None).unwrap();
        let stylesheet = Arc::<str>::from("");
        let limits = Limits::new(state.trusted_proxies.clone(), String::new(), state.metrics.clone());
        let pages = OfPages { actions: state.actions.clone(), limits, stylesheet: Arc::clone(&stylesheet) };
        let all = OfAll { policy: state.policy.clone(), metrics: state.metrics.clone(), stylesheet };
        let next = || Then(async |_| Response::default());
        let pages = size_of_val(&of_pages(State(Arc::new(pages)), Request::default(), next()));
        let all = size_of_val(&of_all(State(Arc::new(all)), Request::default(), next()));
        assert!(pages <= 6_500 && all <= 2_000, "{pages} and {all} bytes");
    }
}
