//! The gallery: every screen in every state on one page, for developers and testers (sandbox only).
//!
//! A frame shows the real document with the real islands. The session is invented, and a script
//! that runs first (`scenario.js`) replaces the responses of the server.

mod index;
mod samples;
mod scenario;
mod states;
#[cfg(test)]
mod tests;

use axum::{
    Json, Router,
    extract::{Path, Request},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use index::Choice;
use leptos_axum::render_app_async_with_context;
use vincula_domain::routes::SANDBOX;
use vincula_pages::{HeadScript, document};

use crate::session::Visitor;

/// Index, screens and style. `context` is the context of pages, with a policy that allows the
/// product's own pages to frame them; `stylesheet` is the address of the product's style sheet.
pub fn router(stylesheet: String, context: impl Fn() + Clone + Send + Sync + 'static) -> Router {
    let render = render_app_async_with_context(context, document);
    let screen = async move |Path(slug): Path<String>, request: Request| {
        let Some(request) = as_scenario_request(&slug, request) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let mut response = render(request).await;
        // Without this, the layer of the security headers would send DENY.
        response.headers_mut().insert(
            header::X_FRAME_OPTIONS,
            HeaderValue::from_static("SAMEORIGIN"),
        );
        response
    };
    let index = async move |request: Request| -> Response {
        let choice = Choice::of(request.uri().query());
        (index::HEADERS, Html(index::document(&stylesheet, choice))).into_response()
    };
    let css: (HeaderName, &str) = (header::CONTENT_TYPE, "text/css; charset=utf-8");
    Router::new()
        .route(&format!("{SANDBOX}/gallery"), get(index))
        .route(
            &format!("{SANDBOX}/gallery.css"),
            get(async move || ([css], include_str!("gallery.css"))),
        )
        .route(
            &format!("{SANDBOX}/screens.json"),
            get(async || Json(index::list())),
        )
        .route(&format!("{SANDBOX}/screens/{{state}}"), get(screen))
}

/// Rewrites the request into one for the state's page in the state's session.
fn as_scenario_request(slug: &str, mut request: Request) -> Option<Request> {
    let state = states::all()
        .into_iter()
        .flat_map(|step| step.states)
        .find(|state| state.slug == slug)?;
    let mut scenario = state.scenario;
    scenario.theme = Choice::of(request.uri().query()).theme;
    let data = serde_json::to_string(&scenario).expect("texts and lists always have a JSON form");
    *request.uri_mut() = state.path.parse().expect("states have paths of ours");
    request.extensions_mut().insert(Visitor::default());
    request.extensions_mut().extend(state.extensions);
    request.extensions_mut().insert(HeadScript {
        source: include_str!("scenario.js"),
        data,
    });
    Some(request)
}
