//! `/integration/accounts`: the live list of linked accounts.
//!
//! Without JavaScript the server lists them while it renders the page; with it an island does, so
//! that a slow upstream never delays a page.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::{
    Extension,
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use leptos_axum::ResponseOptions;
use vincula_domain::{
    destination::PageFlag,
    routes::Page,
    wire::{self, Account, Accounts, Failure},
};
use vincula_upstream::RequestId;

use super::ActionError;
use crate::{
    http::Target,
    session::Visitor,
    state::AppState,
    steps::{
        action::{Responder, SessionAction},
        from_upstream,
    },
};

/// The authorised accounts: upstream `GET /list-accounts`. Never changes the session, so that a
/// poll cannot undo what another request has changed: an XSRF token in the response is not kept. If
/// the page already has the same list, the response is a few bytes.
pub async fn list_accounts(input: wire::ListAccounts) -> Result<Accounts, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    let (upstream, caller) = action.upstream();
    let accounts = upstream
        .list_accounts(&caller)
        .await
        .map_err(|error| action.responder.upstream_failure(&error))?
        .data;
    let accounts = from_upstream::accounts(accounts);
    let digest = digest_of(&accounts);
    Ok(if input.known.as_ref() == Some(&digest) {
        Accounts::Unchanged
    } else {
        Accounts::Listed { digest, accounts }
    })
}

/// 64-bit digest of a list. It is the same in every process of one build, so that replicas agree;
/// another build may compute another one, which costs one full response.
fn digest_of(list: &[Account]) -> String {
    let mut hasher = DefaultHasher::new();
    list.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The accounts that the server has fetched for a page: an extension of the request.
#[derive(Debug, Clone)]
pub struct ServerListedAccounts(pub Vec<Account>);

/// Fetches the accounts if the page's query has [`PageFlag::Listed`]. If that fails, the accounts
/// lead to the error as any call does; the cancellation, which needs no list, is shown without it
/// and with a notice.
pub async fn list_on_server(
    State(state): State<AppState>,
    Extension(Visitor(visitor)): Extension<Visitor>,
    Extension(request_id): Extension<RequestId>,
    Extension(target): Extension<Target>,
    request: Request,
    next: Next,
) -> Response {
    let (Some(page), Some(session)) = (page_to_list(target, &request), visitor) else {
        return next.run(request).await;
    };
    let (mut parts, body) = request.into_parts();
    match state
        .upstream
        .list_accounts(&session.caller(&request_id))
        .await
    {
        Ok(accounts) => {
            let list = from_upstream::accounts(accounts.data);
            parts.extensions.insert(ServerListedAccounts(list));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error) => {
            let responder = Responder::begin(&parts, state, ResponseOptions::default());
            let mut failure = responder.upstream_failure(&error);
            if page == Page::CancelConfirm {
                failure = Failure::stay().into();
            }
            responder.into_redirect(Err(failure), page.into())
        }
    }
}

/// The page of a request for which the server lists the accounts.
fn page_to_list(target: Target, request: &Request) -> Option<Page> {
    let page = target.page()?;
    let has_list = matches!(page, Page::Accounts | Page::CancelConfirm);
    let is_asked = PageFlag::Listed.is_in(request.uri().query()?);
    (has_list && is_asked && request.method() == Method::GET).then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_changes_with_every_field_and_with_the_order() {
        let account = |texts: [&str; 4]| {
            let [bank, agency, number, name] = texts.map(str::to_owned);
            Account {
                brand: String::new(),
                bank,
                agency,
                number,
                name,
            }
        };
        let (a, b) = (account(["B", "1", "2", "N"]), account(["B", "12", "", "N"]));
        let lists = [
            vec![],
            vec![a.clone()],
            vec![b.clone()],
            vec![a.clone(), b.clone()],
            vec![b, a],
        ];
        let digests: std::collections::HashSet<_> =
            lists.iter().map(|list| digest_of(list)).collect();
        assert_eq!(digests.len(), lists.len());
        assert!(digests.iter().all(|digest| digest.len() == 16));
    }
}
