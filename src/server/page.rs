//! Derives from a request what its page is rendered from, and sets the headers that depend on the
//! page.

use std::sync::Arc;

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts,
};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::*,
};
use leptos_axum::ResponseOptions;

use crate::{
    brands::Face,
    http::{Target, policy},
    pages::PageRequest,
    problem::Detail,
    routes::{self, Page, has_flag},
    screen::Screen,
    session::{Session, Visitor, guard::resumes_at},
    state::AppState,
    steps::{
        accounts::accounts_screen,
        bank_form::bank_form_screen,
        cancel::{cancel_confirm_screen, cancel_success_screen},
        connect::{connect_screen, update_screen},
        consent::consent_screen,
        problem::problem_screen,
        success::success_screen,
    },
    telemetry::FunnelStep,
};

/// Provides the context of every page and every server function of Leptos' routes, besides the
/// [`AppState`], which Leptos provides there. Only pages get data of their request. While the
/// framework lists the routes, there is no request.
pub fn context(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        let page = with_context(|parts: &Parts| {
            if !matches!(parts.method, Method::GET | Method::HEAD) {
                return None;
            }
            let nonce = use_nonce()?;
            let page = page_request(parts, &nonce, &state);
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
    if matches!(request.screen, Screen::NotFound) {
        response.set_status(StatusCode::NOT_FOUND);
    }
}

/// The data from which the page of a request is rendered.
fn page_request(parts: &Parts, nonce: &Nonce, state: &AppState) -> PageRequest {
    const LAYERS: &str = "layers add target and session to each request";
    let target = parts.extensions.get::<Target>().expect(LAYERS);
    let Visitor(visitor) = parts.extensions.get().expect(LAYERS);
    let page = target.page();
    // The link of the entry may belong to another firm.
    let session = visitor.as_deref().filter(|_| page != Some(Page::Entry));
    let screen = screen(page, session, &parts.uri, state);
    // Not for unknown paths: a proxy may cache a response that looks like a file.
    let shown = session.filter(|_| page.is_some());
    PageRequest {
        page,
        back: session.map(resumes_at),
        firm: shown.map(|session| session.client.customer_name.clone()),
        face: face(&screen, shown, state),
        is_cancelled: is_cancelled(&screen, session),
        screen,
        nonce: nonce.to_string(),
        host: requested_host(&parts.headers),
        has_notice: has_flag(parts.uri.query().unwrap_or_default(), routes::NOTICE),
    }
}

/// The screen of a page. The guard has redirected every request for a page that the session may not
/// view.
fn screen(page: Option<Page>, session: Option<&Session>, uri: &Uri, state: &AppState) -> Screen {
    let now = state.codec.now();
    let Some(page) = page else {
        return Screen::NotFound;
    };
    match (page, session) {
        (Page::Entry, _) => Screen::Entry,
        (Page::Error, _) => problem_screen(uri, session),
        (Page::Accessibility, _) => Screen::Accessibility,
        (Page::Widget, Some(session)) if session.visit.bank().is_some() => {
            connect_screen(session, now)
        }
        (Page::Widget, Some(session)) => consent_screen(session, now),
        (Page::Accounts, Some(session)) => {
            accounts_screen(session, uri.query().unwrap_or_default(), now)
        }
        (Page::SelectBank, Some(session)) => {
            bank_form_screen(session, state.connect.bank_codes, now)
        }
        (Page::Update, Some(session)) => update_screen(session, now),
        (Page::Success, Some(session)) => success_screen(session, now),
        (Page::CancelConfirm, Some(session)) => cancel_confirm_screen(session, now),
        (Page::CancelSuccess, Some(session)) => cancel_success_screen(session, now),
        (Page::New, Some(_)) | (_, None) => Screen::NotFound,
    }
}

/// What a page shows of the firm besides its name.
fn face(screen: &Screen, session: Option<&Session>, state: &AppState) -> Face {
    let firm = session.map(|session| session.client.firm_id());
    let face = state.brands.face(firm.as_deref()).clone();
    if screen.shows_telephone() {
        face
    } else {
        Face {
            telephone: None,
            whatsapp: None,
            ..face
        }
    }
}

/// Whether everything was cancelled, as far as the session or the error screen knows.
fn is_cancelled(screen: &Screen, session: Option<&Session>) -> bool {
    let is_reported = match screen {
        Screen::Problem(problem) => problem.detail == Some(Detail::Cancelled),
        _ => false,
    };
    is_reported || session.is_some_and(Session::is_cancelled)
}

/// The `Host` header, which the listener has checked.
fn requested_host(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    Some(host.to_owned())
}
