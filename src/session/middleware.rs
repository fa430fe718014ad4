//! Opens the session of each request, and redirects to the page that the guard chooses. Only actions
//! change a session.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{FromRequestParts, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};

use super::{Admission, Session, SessionCodec, admit};
use crate::http::{Target, location::redirect};

/// The session of the browser that sent the request, if it has one: an extension of every page and
/// action.
#[derive(Clone, Default, FromRequestParts)]
#[from_request(via(Extension))]
pub struct Visitor(pub Option<Arc<Session>>);

/// The middleware of all pages and actions. It adds the [`Visitor`].
pub async fn open_session(
    State(codec): State<SessionCodec>,
    target: Target,
    mut request: Request,
    next: Next,
) -> Response {
    let session = codec.open(request.headers());
    let is_view = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_view && let Some(page) = target.page() {
        let admission = admit(page, request.uri().query(), session.as_ref());
        if let Admission::Redirected(to) = admission {
            return redirect(&to);
        }
    }
    request
        .extensions_mut()
        .insert(Visitor(session.map(Arc::new)));
    next.run(request).await
}
