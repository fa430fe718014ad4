//! The reading screens without JavaScript: the accounts are listed by the server when the page asks for it.
//!
//! With JavaScript an island lists them, so that a slow upstream never holds a page back.

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    routes::{self, Page},
    session::Visitor,
    steps::native::refused,
    upstream::Upstream,
    wire::Account,
};

/// The accounts that the server has listed for a page: in the extensions of its request.
#[derive(Debug, Clone)]
pub struct Listed(pub Vec<Account>);

/// Lists the accounts where a page's query asks for it.
pub async fn list_ahead(State(upstream): State<Upstream>, mut request: Request, next: Next) -> Response {
    let page = Page::at(request.uri().path());
    let reads = matches!(page, Some(Page::Accounts | Page::CancelConfirm)) && request.method() == Method::GET;
    let asked = request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair == routes::LISTED));
    if !(reads && asked) {
        return next.run(request).await;
    }
    let caller = request.extensions().get::<Visitor>().and_then(|visitor| visitor.0.as_ref().map(|s| s.caller()));
    let Some(caller) = caller else { return next.run(request).await };
    match upstream.list_accounts(&caller).await {
        Ok(answer) => {
            request.extensions_mut().insert(Listed(answer.data));
            next.run(request).await
        }
        Err(error) => refused(&error, request.uri().path()).into_response(),
    }
}
