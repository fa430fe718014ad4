//! The gallery: every screen in every state on one page, for those who build and check the product (sandbox only).
//!
//! A frame shows the real document with the real islands. Only the session is made up, and the answers of our server
//! are canned: a script before all others gives them in its stead (`rehearsal.js`).

mod index;
mod play;
mod states;
#[cfg(test)]
mod tests;

use std::sync::Arc;

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
use vincula_web::session::CurrentSession;

/// Index, screens and style. `context` is what pages draw on, with a policy by which we may frame them; `stylesheet`
/// is the address of the product's.
pub fn router(stylesheet: String, context: impl Fn() + Clone + Send + Sync + 'static) -> Router {
    let draw = render_app_async_with_context(context, document);
    let screen = async move |Path(slug): Path<String>, request: Request| {
        let Some(request) = rehearsed(&slug, request) else { return StatusCode::NOT_FOUND.into_response() };
        let mut response = draw(request).await;
        // Or the layer of all answers would say DENY.
        response.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        response
    };
    let index = async move |request: Request| -> Response {
        let choice = Choice::of(request.uri().query());
        (index::HEADERS, Html(index::document(&stylesheet, choice))).into_response()
    };
    let css: (HeaderName, &str) = (header::CONTENT_TYPE, "text/css; charset=utf-8");
    Router::new()
        .route(&format!("{SANDBOX}/gallery"), get(index))
        .route(&format!("{SANDBOX}/gallery.css"), get(async move || ([css], include_str!("gallery.css"))))
        .route(&format!("{SANDBOX}/screens.json"), get(async || Json(index::list())))
        .route(&format!("{SANDBOX}/screens/{{state}}"), get(screen))
}

/// The request as if it were for the state's own page, from somebody in the state's session.
fn rehearsed(slug: &str, mut request: Request) -> Option<Request> {
    let state = states::all().into_iter().flat_map(|step| step.states).find(|state| state.slug == slug)?;
    let mut play = state.play;
    play.scheme = Choice::of(request.uri().query()).scheme;
    let data = serde_json::to_string(&play).expect("texts and lists always have a JSON form");
    *request.uri_mut() = state.path.parse().expect("states have paths of ours");
    request.extensions_mut().insert(CurrentSession(state.session.map(Arc::new)));
    if let Some(listed) = state.listed {
        request.extensions_mut().insert(listed);
    }
    request.extensions_mut().insert(HeadScript { source: include_str!("rehearsal.js"), data });
    Some(request)
}
