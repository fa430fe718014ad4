//! Derives from a request the data that its page is rendered from, and the headers that depend on the page.

use std::sync::Arc;

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts,
};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::*,
};
use leptos_axum::ResponseOptions;
use vincula_domain::{
    problem::Problem,
    routes::{self, Page, has_flag},
    wire::{Context, WidgetType},
    words,
};
use vincula_pages::{
    Face, HeadScript, InPlace, PageRequest, Recourse, Shared, View, page_request::Receipt,
};
use vincula_upstream::Trace;

use crate::{
    http::policy,
    session::{
        Consent, LeftConnect, Session, Stage, brasilia,
        guard::{is_return, resumes_at},
    },
    state::AppState,
    steps::{HANDLERS, accounts::ServerListedAccounts, connect_settings::BankCodes},
    telemetry::Step,
};

/// A name has at most 253 bytes; the rest is for a port.
const MAX_HOST_BYTES: usize = 259;

/// Provides the context of every page and every server function; it reads the request for pages only. While the
/// framework lists the routes, there is no request.
pub fn context(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        provide_context(state.clone());
        provide_context(HANDLERS);
        let page = with_context(|parts: &Parts| {
            let nonce =
                use_nonce().filter(|_| matches!(parts.method, Method::GET | Method::HEAD))?;
            let page = of(parts, &nonce, &state);
            if page.page == Some(Page::Entry) && parts.method == Method::GET {
                state.metrics.count_step(Step::Entry);
            }
            Some(page)
        });
        if let Some(page) = page.flatten() {
            set_headers(&page, &state);
            provide_context(Arc::clone(&state.site));
            provide_context(Arc::new(page));
        }
    }
}

/// Sets the status of a page, and the headers that depend on it.
fn set_headers(request: &PageRequest, state: &AppState) {
    let response: ResponseOptions = expect_context();
    let hosts_connect = request.view == View::Connect;
    response.insert_header(
        header::CONTENT_SECURITY_POLICY,
        state.policy.of_page(&request.nonce, hosts_connect),
    );
    if hosts_connect {
        let (name, value) = (policy::OPENER_POLICY, policy::OPENER_OF_CONNECT);
        response.insert_header(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if request.view == View::NotFound {
        response.set_status(StatusCode::NOT_FOUND);
    }
}

/// What the server knows of a request for a page.
fn of(parts: &Parts, nonce: &Nonce, state: &AppState) -> PageRequest {
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    let page = Page::at(path);
    let own_id = Trace::current_request_id();
    let failed = routes::code_in(query).filter(|_| page == Some(Page::Error));
    let session = parts.extensions.get::<Arc<Session>>().cloned();
    let view = View::of(
        page,
        session
            .as_ref()
            .is_some_and(|session| session.stage.bank().is_some()),
    );
    let retries = has_flag(query, routes::RETRY);
    let context = session
        .as_deref()
        .and_then(|session| context_of(view, session, state, retries));
    let is_other = page == Some(Page::Error) && has_flag(query, routes::OTHER_LINK);
    let own = session
        .as_deref()
        .filter(|_| page != Some(Page::Entry) && !is_other);
    let problem = Problem::at(path);
    PageRequest {
        page,
        view,
        problem,
        recourse: match view {
            View::Problem => recourse(problem, query, own),
            _ => Recourse::default(),
        },
        back: back(view, &parts.headers, own),
        cancelled_at: own.and_then(Session::cancelled_at),
        left_connect: parts
            .extensions
            .get::<LeftConnect>()
            .map(|left| left.0.clone()),
        // Not where the path does not exist: a proxy in front may keep what looks like a file.
        firm: own
            .filter(|_| page.is_some())
            .map(|session| session.client.customer_name.clone()),
        client_document: session.as_deref().and_then(document_of).unwrap_or_default(),
        face: face_of(view, own.filter(|_| page.is_some()), parts, state),
        context,
        receipt: session
            .as_deref()
            .filter(|_| view == View::Receipt)
            .and_then(receipt_of),
        listed: parts
            .extensions
            .get::<ServerListedAccounts>()
            .map(|listed| listed.0.clone()),
        support_code: failed.map(str::to_owned).or(own_id),
        nonce: nonce.to_string(),
        host: host_of(&parts.headers),
        unanswered: has_flag(query, routes::NO_REPLY),
        head_script: parts.extensions.get::<HeadScript>().cloned(),
        in_place: parts.extensions.get::<InPlace>().is_some(),
    }
}

/// What a page shows of the firm besides its name.
fn face_of(view: View, session: Option<&Session>, parts: &Parts, state: &AppState) -> Face {
    let firm = session.map(|session| session.client.customer_id.to_string());
    // The gallery's states have faces of their own.
    view.face(
        parts
            .extensions
            .get::<Face>()
            .unwrap_or_else(|| state.brands.of(firm.as_deref()))
            .clone(),
    )
}

/// What the receipt of a session proves; `None` before the consent.
fn receipt_of(session: &Session) -> Option<Receipt> {
    let consent = session.stage.consent();
    let cancelled = session
        .cancelled
        .map(|cancelled| (cancelled.consent, brasilia::day_and_time(cancelled.at)));
    let time = |consent: Consent| brasilia::day_and_time(consent.at());
    let (consent, cancelled_at, before) = match (consent, cancelled) {
        (Some(consent), Some((Some(earlier), when))) => {
            (consent, None, Some((time(earlier), when)))
        }
        (Some(consent), _) => (consent, None, None),
        (None, Some((Some(consent), when))) => (consent, Some(when), None),
        (None, _) => return None,
    };
    let client = &session.client;
    let banks = session.linkings.iter().filter(|linking| !linking.awaits);
    Some(Receipt {
        client_name: client.name.clone(),
        authorized_at: time(consent),
        text_version: format!("{:08x}", consent.text()),
        cancelled_at,
        before,
        banks: banks
            .map(|linking| (linking.bank.clone(), brasilia::day_and_time(linking.at)))
            .collect(),
    })
}

/// The client's document, masked, with its name.
fn document_of(session: &Session) -> Option<String> {
    let document = &session.client.cpfcnpj;
    Some(document.masked())
        .filter(|masked| !masked.is_empty())
        .map(|masked| words::client_document(document.is_individual(), &masked))
}

/// The host that was asked for, if it looks like one.
fn host_of(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let fits = host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    (fits && (1..=MAX_HOST_BYTES).contains(&host.len())).then(|| host.to_owned())
}

/// The data that the islands of a document share.
fn context_of(view: View, session: &Session, state: &AppState, retries: bool) -> Option<Context> {
    let now = state.codec.now();
    match view {
        View::BankForm => Some(session.bank_form_context(
            state.connect.bank_codes == BankCodes::Compe,
            retries,
            now,
        )),
        View::Entry
        | View::Problem
        | View::NotFound
        | View::CancelSuccess
        | View::Receipt
        | View::Accessibility => None,
        _ => Some(session.context(now)),
    }
}

/// What an error screen can say and offer. `session`: the session that the error is of.
fn recourse(problem: Problem, query: &str, session: Option<&Session>) -> Recourse {
    let outage = problem == Problem::TokenInvalid && has_flag(query, routes::OUTAGE);
    Recourse {
        shared: shared(problem, query, session),
        resumes_at: session.map(resumes_at),
        outage,
    }
}

/// Without a session only the validation of a link can have failed, which shares nothing, unless the client returns from
/// the bank, or the session has ended. In a session, a link for new accounts has shared nothing before its consent.
fn shared(problem: Problem, query: &str, session: Option<&Session>) -> Shared {
    let Some(session) = session else {
        let may_have = problem == Problem::TokenNotFound || is_return(query);
        return if may_have {
            Shared::AsBefore
        } else {
            Shared::Nothing
        };
    };
    let is_first = session.stage == Stage::Arrived && session.client.widget_type == WidgetType::New;
    match session.progress {
        _ if session.is_cancelled() => Shared::Unsaid,
        progress if is_first && !progress.linked && !is_return(query) => Shared::Nothing,
        _ => Shared::AsBefore,
    }
}

/// The way back from the accessibility statement, which every page links to, and from a path that does not exist.
fn back(view: View, headers: &HeaderMap, session: Option<&Session>) -> Option<String> {
    let before = || came_from(headers, session.is_some());
    let home = || session.map(|session| resumes_at(session).to_owned());
    match view {
        View::Accessibility => before().or_else(home),
        View::NotFound => home(),
        _ => None,
    }
}

/// The page of ours that had the link. Without a session, only an error screen can be shown again.
fn came_from(headers: &HeaderMap, has_session: bool) -> Option<String> {
    let from: Uri = headers.get(header::REFERER)?.to_str().ok()?.parse().ok()?;
    let path = from.path();
    match Page::at(path)? {
        Page::Error => Some(routes::error_with(
            Problem::at(path),
            from.query().unwrap_or_default(),
        )),
        page if page.needs_session() && has_session => Some(page.path().to_owned()),
        _ => None,
    }
}
