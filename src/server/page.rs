//! Derives from a request what its page is rendered from, and sets the headers that depend on the
//! page.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::*,
};
use leptos_axum::ResponseOptions;

use crate::{
    http::{Target, given, policy},
    pages::{ErrorScreen, Face, PageRequest, Screen, page_request::VisitNotice},
    problem::{Detail, Problem},
    routes::{self, Page, has_flag},
    session::{Session, Visitor, brasilia, guard::resumes_at},
    state::AppState,
    steps::connect_settings::BankCodes,
    telemetry::FunnelStep,
    wire::{ConsentContext, PageContext},
    words,
};

/// Longest `Host` header: a name has at most 253 bytes, and a port six.
const MAX_HOST_BYTES: usize = 259;

/// Provides the context of every page and every server function, besides the [`AppState`], which
/// Leptos provides. Only pages get data of their request. While the framework lists the routes,
/// there is no request.
pub fn context(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        let page = with_context(|parts: &Parts| {
            if !matches!(parts.method, Method::GET | Method::HEAD) {
                return None;
            }
            let nonce = use_nonce()?;
            let page = of(parts, &nonce, &state);
            if page.page == Some(Page::Entry) && parts.method == Method::GET {
                state.metrics.count_step(FunnelStep::Entry);
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

/// Sets the status of a page, and the headers that depend on the page.
fn set_headers(request: &PageRequest, state: &AppState) {
    let response: ResponseOptions = expect_context();
    let hosts_connect = request.screen.hosts_connect();
    response.insert_header(
        header::CONTENT_SECURITY_POLICY,
        state.policy.of_page(&request.nonce, hosts_connect),
    );
    if hosts_connect {
        response.insert_header(
            HeaderName::from_static(policy::OPENER_POLICY),
            HeaderValue::from_static(policy::OPENER_OF_CONNECT),
        );
    }
    if request.screen == Screen::NotFound {
        response.set_status(StatusCode::NOT_FOUND);
    }
}

/// The data from which the page of a request is rendered.
fn of(parts: &Parts, nonce: &Nonce, state: &AppState) -> PageRequest {
    let query = parts.uri.query().unwrap_or_default();
    let page = given::<Target>(parts).page();
    let Visitor(session) = given(parts);
    let session = session.as_deref();
    let screen = screen_of(page, session);
    let own = own_session(page, session);
    // Not for unknown paths: a proxy may cache a response that looks like a file.
    let shown = if page.is_some() { own } else { None };
    let face = face_of(screen, shown, state);
    let context = session.and_then(|session| context_of(screen, session, state));
    let error = error_screen(screen, parts, own);
    let context = context.map(|context| PageContext {
        consent: session.and_then(|session| consent_of(screen, session)),
        ..context
    });
    PageRequest {
        page,
        screen,
        error,
        back: back(screen, own),
        is_cancelled: own.is_some_and(Session::is_cancelled)
            || error.is_some_and(|error| error.detail == Some(Detail::Cancelled)),
        notice: notice_of(screen, own, query),
        session: shown
            .filter(|_| context.is_some() || screen == Screen::CancelSuccess)
            .map(|session| session.id.clone()),
        firm: shown.map(|session| session.client.customer_name.clone()),
        face,
        context,
        consented: session.and_then(|session| consented_at(screen, session)),
        support_code: support_code(error, query),
        nonce: nonce.to_string(),
        host: host_of(&parts.headers),
        has_notice: has_flag(query, routes::NOTICE),
    }
}

fn screen_of(page: Option<Page>, session: Option<&Session>) -> Screen {
    let has_bank = session.is_some_and(|session| session.stage.bank().is_some());
    Screen::of(page, has_bank)
}

/// The session, if the page is about it. The link of the entry may belong to another firm.
fn own_session(page: Option<Page>, session: Option<&Session>) -> Option<&Session> {
    session.filter(|_| page != Some(Page::Entry))
}

/// The id of the failed request, if an error screen knows it and support can look it up.
fn support_code(error: Option<ErrorScreen>, query: &str) -> Option<String> {
    error.filter(|error| error.has_support_code())?;
    routes::support_code(query).map(str::to_owned)
}

/// What a page shows of the firm besides its name.
fn face_of(screen: Screen, session: Option<&Session>, state: &AppState) -> Face {
    let firm = session.map(|session| session.client.customer_id.to_string());
    screen.face(state.brands.of(firm.as_deref()).clone())
}

/// What the accounts screen says of the last visit to the bank.
fn notice_of(screen: Screen, session: Option<&Session>, query: &str) -> Option<VisitNotice> {
    let session = session.filter(|_| screen == Screen::Accounts)?;
    let unfinished = session.unfinished.as_ref();
    unfinished
        .map(|bank| VisitNotice::Unfinished(bank.name.clone()))
        .or_else(|| has_flag(query, routes::RETURNED).then_some(VisitNotice::Returned))
}

/// When the client of a session agreed to which version of the consent; `None` on other screens than
/// the success, and without a consent.
fn consented_at(screen: Screen, session: &Session) -> Option<String> {
    let consent = session
        .stage
        .consent()
        .filter(|_| screen == Screen::Success)?;
    let when = brasilia::day_and_time(consent.at());
    Some(words::consented(&when, consent.version()))
}

/// The `Host` header, if it can be a host name with a port.
fn host_of(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let fits = host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    (fits && (1..=MAX_HOST_BYTES).contains(&host.len())).then(|| host.to_owned())
}

/// The data that the islands of a page share; `None` if the screen has no islands.
fn context_of(screen: Screen, session: &Session, state: &AppState) -> Option<PageContext> {
    let now = state.codec.now();
    match screen {
        Screen::BankForm => {
            let is_asked_again = state.connect.bank_codes == BankCodes::Compe;
            Some(session.bank_form_context(is_asked_again, now))
        }
        Screen::Entry
        | Screen::Problem
        | Screen::NotFound
        | Screen::CancelSuccess
        | Screen::Accessibility => None,
        _ => Some(session.context(now)),
    }
}

/// What the consent shows; `None` on other screens.
fn consent_of(screen: Screen, session: &Session) -> Option<ConsentContext> {
    (screen == Screen::Consent).then(|| ConsentContext {
        client_document: words::client_document(&session.client.cpfcnpj),
    })
}

/// What an error screen states and offers. `session` is the session in which the request failed.
fn error_screen(screen: Screen, parts: &Parts, session: Option<&Session>) -> Option<ErrorScreen> {
    if screen != Screen::Problem {
        return None;
    }
    let problem = Problem::at(parts.uri.path());
    let detail = Detail::of(problem, parts.uri.query().unwrap_or_default());
    // The session knows why the link is refused.
    let is_of_cancellation =
        detail.is_none() && problem.is_of_link() && session.is_some_and(Session::is_cancelled);
    Some(ErrorScreen {
        problem,
        resumes_at: session.map(resumes_at),
        detail: detail.or(is_of_cancellation.then_some(Detail::Cancelled)),
    })
}

/// Where the link "Voltar" of a page outside the journey leads: to the step that is due.
fn back(screen: Screen, session: Option<&Session>) -> Option<Page> {
    match screen {
        Screen::Accessibility | Screen::NotFound => session.map(resumes_at),
        _ => None,
    }
}
