//! The account list without JavaScript: the server fetches it before it renders a page whose query asks for it.
//!
//! With JavaScript an island fetches it, so that a slow upstream never delays a page.

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use vincula_domain::{
    routes::{self, Page},
    wire::AccountList,
};

use crate::{
    session::CurrentSession,
    steps::action::{ActionState, Reply},
};

/// The accounts that the server has fetched for a page: an extension of the request.
#[derive(Debug, Clone)]
pub struct ServerListedAccounts(pub AccountList);

/// Fetches the accounts if the page's query has [`routes::LISTED`].
pub async fn list_on_server(State(state): State<ActionState>, request: Request, next: Next) -> Response {
    let page = Page::at(request.uri().path());
    let reads = matches!(page, Some(Page::Accounts | Page::CancelConfirm)) && request.method() == Method::GET;
    let asked = request.uri().query().is_some_and(|query| routes::has_flag(query, routes::LISTED));
    if !(reads && asked) {
        return next.run(request).await;
    }
    let session = request.extensions().get::<CurrentSession>().and_then(|visitor| visitor.0.clone());
    let Some(session) = session else { return next.run(request).await };
    let (mut parts, body) = request.into_parts();
    match state.upstream.list_accounts(&session.caller()).await {
        Ok(answer) => {
            parts.extensions.insert(ServerListedAccounts(answer.data));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error) => {
            let mut reply = Reply::begin(&parts, &state);
            let rejection = reply.upstream_failure(&error, session.cancelled.is_some());
            reply.into_redirect(Err(rejection), parts.uri.path())
        }
    }
}
