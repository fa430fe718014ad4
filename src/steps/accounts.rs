//! `/integration/accounts`: the live list of linked accounts.
//!
//! Without JavaScript the server lists them while it renders the page; with it an island does, so that a slow upstream
//! never delays a page.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use html_escape::encode_text;
use leptos_axum::ResponseOptions;
use vincula_domain::{
    routes::{self, Page},
    wire::{self, AccountList, Accounts, Failure},
};
use vincula_upstream::Trace;

use super::ActionError;
use crate::{
    http::compression::MAX_ANSWER_BYTES,
    session::Session,
    state::AppState,
    steps::action::{Reply, SessionAction},
};

/// The authorised accounts: upstream `GET /list-accounts`. Never changes the session, so that a poll cannot undo what
/// another request has changed; after a quarter of the idle time it renews that. If the page has the same list already, the
/// response is a few bytes: most polls find nothing new.
pub async fn list_accounts(input: wire::ListAccounts) -> Result<Accounts, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    let (upstream, caller) = action.upstream();
    // Not by `take`, which would keep a new XSRF token in the cookie.
    let answer = upstream.list_accounts(&caller).await;
    let list = answer
        .map_err(|error| action.reply.upstream_failure(&error))?
        .data;
    if action
        .reply
        .state
        .codec
        .life
        .is_stale_for_polls(&action.session, action.now())
    {
        action.renew();
    }
    let digest = digest_of(&list);
    Ok(if input.known.as_ref() == Some(&digest) {
        Accounts::Unchanged
    } else {
        Accounts::Listed { digest, list }
    })
}

/// 64-bit digest of a list. It is the same in every process of one build, so that replicas agree; another build may
/// compute another one, which costs one full response.
fn digest_of(list: &AccountList) -> String {
    let mut hasher = DefaultHasher::new();
    list.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Maximum size of the rows of a page, in bytes of HTML. With the rest of the page they fit an uncompressed response.
const MAX_BYTES_OF_HTML_ROWS: usize = MAX_ANSWER_BYTES - 32 * 1024;

/// Size of a row without the texts of the widget API, in bytes of HTML: its markup, and the words of one that waits.
const BYTES_OF_ROW: usize = 320;

/// The first rows of a list, up to [`MAX_BYTES_OF_HTML_ROWS`]. `firm`: its name, which rows that wait repeat.
fn cut_to_page(mut list: AccountList, firm: &str) -> AccountList {
    let rows = |list: &AccountList| list.waiting.len() + list.accounts.len();
    let size = |texts: &[&str]| {
        BYTES_OF_ROW
            + texts
                .iter()
                .map(|text| encode_text(text).len())
                .sum::<usize>()
    };
    let all = rows(&list);
    let mut bytes = 0;
    list.waiting.retain(|row| {
        bytes += size(&[&row.bank, firm]);
        bytes <= MAX_BYTES_OF_HTML_ROWS
    });
    list.accounts.retain(|account| {
        bytes += size(&[
            &account.brand,
            &account.bank,
            &account.agency,
            &account.number,
            &account.name,
        ]);
        bytes <= MAX_BYTES_OF_HTML_ROWS
    });
    let shown = rows(&list);
    if shown < all {
        let request_id = Trace::current_request_id();
        tracing::warn!(
            rows = all,
            shown,
            request_id,
            "a list of the upstream is too long to be shown in full"
        );
    }
    list
}

/// The accounts that the server has fetched for a page: an extension of the request.
#[derive(Debug, Clone)]
pub struct ServerListedAccounts(pub AccountList);

/// Fetches the accounts if the page's query has [`routes::LISTED`]. If that fails, the accounts lead to the error as any
/// call does; the cancellation, which needs no list, is shown without it and with a notice.
pub async fn list_on_server(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let page = Page::at(request.uri().path());
    let reads = matches!(page, Some(Page::Accounts | Page::CancelConfirm))
        && request.method() == Method::GET;
    let asked = request
        .uri()
        .query()
        .is_some_and(|query| routes::has_flag(query, routes::LISTED));
    let session = request
        .extensions()
        .get::<Arc<Session>>()
        .filter(|_| reads && asked)
        .cloned();
    let Some(session) = session else {
        return next.run(request).await;
    };
    let (mut parts, body) = request.into_parts();
    match state.upstream.list_accounts(&session.caller()).await {
        Ok(answer) => {
            let list = cut_to_page(answer.data, &session.client.customer_name);
            parts.extensions.insert(ServerListedAccounts(list));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error) => {
            let reply = Reply::begin(&parts, state, ResponseOptions::default());
            let mut failure = reply.upstream_failure(&error);
            if page == Some(Page::CancelConfirm) {
                failure = Failure::no_reply().into();
            }
            reply.into_redirect(Err(failure), parts.uri.path())
        }
    }
}

#[cfg(test)]
mod tests {
    use vincula_domain::wire::{Account, LinkingState, WaitingAccount};

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
        let listed = |accounts| AccountList {
            accounts,
            waiting: Vec::new(),
        };
        let waits = WaitingAccount {
            brand: String::new(),
            bank: "B".into(),
            state: LinkingState::Awaits,
            approve_by: String::new(),
        };
        let waiting = AccountList {
            accounts: Vec::new(),
            waiting: vec![waits],
        };
        let lists: Vec<_> = lists.into_iter().map(listed).chain([waiting]).collect();
        let digests: std::collections::HashSet<_> = lists.iter().map(digest_of).collect();
        assert_eq!(digests.len(), lists.len());
        assert!(digests.iter().all(|digest| digest.len() == 16));
    }
}
