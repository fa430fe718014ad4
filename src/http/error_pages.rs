//! Responses without a session or rendering: to requests that the server rejects (it is full, the client is over its
//! rate, the request is bad) or that no page of ours sends, and to those whose handler panics.
//!
//! A panic's message may hold anything (slicing a text at a wrong index repeats the text), so it is never logged.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, PanicHookInfo, set_hook},
    sync::Arc,
    time::Duration,
};

use axum::{
    Json,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use futures_util::FutureExt;
use vincula_domain::{problem::Problem, routes::is_action, wire::Failure, words};
use vincula_upstream::Trace;

/// Shortest `Retry-After` of a full server, in seconds.
const WAIT_SECS: u64 = 2;

/// Longest random addition to it, in seconds, so that clients rejected together do not retry together.
const JITTER_SECS: u64 = 4;

/// The response of a full server.
pub fn overloaded(path: &str, stylesheet: &str) -> Response {
    answer(StatusCode::SERVICE_UNAVAILABLE, path, stylesheet, Duration::from_secs(wait_secs()))
}

/// `Retry-After` of a full server, in seconds.
pub fn wait_secs() -> u64 {
    WAIT_SECS + rand::random_range(0..=JITTER_SECS)
}

/// The response to a client over its rate.
pub fn rate_limited(path: &str, stylesheet: &str, wait: Duration) -> Response {
    answer(StatusCode::TOO_MANY_REQUESTS, path, stylesheet, wait)
}

/// The response to a request that no page of ours sends, or that arrived over a bad connection. Actions get a failure
/// of the catalogue, documents a page with a link to the same address by GET: a bank may have posted to it.
pub fn refused(status: StatusCode, path: &str, stylesheet: &str) -> Response {
    match (is_action(path), status) {
        // The page stays as it is.
        (true, StatusCode::REQUEST_TIMEOUT) => (status, Json(Failure::no_reply())).into_response(),
        (true, _) => refuse(status),
        (false, _) => {
            let code = Trace::current_request_id();
            (status, Html(page(words::REFUSED_TITLE, words::REFUSED, code.as_deref(), stylesheet))).into_response()
        }
    }
}

/// Actions get `no_reply`, for which every page shows its toast and stays as it is. Documents get a page without
/// session or rendering.
fn answer(status: StatusCode, path: &str, stylesheet: &str, wait: Duration) -> Response {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let after = [(header::RETRY_AFTER, seconds.max(1).to_string())];
    if is_action(path) {
        (status, after, Json(Failure::no_reply())).into_response()
    } else {
        (status, after, Html(page(words::BUSY_TITLE, words::BUSY, None, stylesheet))).into_response()
    }
}

/// The product's mark, inline: a server that refuses pages should not be asked for a picture.
const MARK: &str = include_str!("../../public/favicon.svg");

/// A page without session or rendering: a title, what it means, and a link to try again. It has the frame of all pages.
pub(super) fn page(title: &str, meaning: &str, support_code: Option<&str>, stylesheet: &str) -> String {
    let code = support_code
        .map(|code| format!("<p>{} <code class=\"problem__code\">{code}</code></p>\n", words::SUPPORT_CODE));
    format!(
        r#"<!DOCTYPE html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title} · {product}</title>
<link rel="stylesheet" href="{stylesheet}">
</head>
<body class="page" data-page="busy" data-chrome="full">
<header class="page__header"><span class="brand"><span class="brand__mark" aria-hidden="true">{mark}</span>{product}</span></header>
<main class="page__main" id="conteudo">
<section class="step problem">
<h1 class="step__title">{title}</h1>
<p class="step__lead">{meaning}</p>
{code}<div class="actions"><a class="button button--primary" href="">{again}</a></div>
</section>
</main>
<aside class="page__aside" aria-hidden="true"></aside>
<footer class="page__footer"><p>{product} · {tagline}</p></footer>
</body>
</html>
"#,
        mark = MARK.trim_end(),
        product = words::PRODUCT,
        tagline = words::TAGLINE,
        code = code.unwrap_or_default(),
        again = words::TRY_AGAIN,
    )
}

/// Removes the framework's header of failed server functions, which repeats the status.
pub async fn without_framework_mark(mut response: Response) -> Response {
    response.headers_mut().remove("serverfnerror");
    response
}

/// The handler of unknown actions.
pub async fn unknown() -> Response {
    refuse(StatusCode::NOT_FOUND)
}

/// The response to an action that no page of ours sends.
pub fn refuse(status: StatusCode) -> Response {
    let failure = Failure::problem(Problem::TokenInvalid).with_request_id(Trace::current_request_id().as_deref());
    (status, Json(failure)).into_response()
}

thread_local! {
    /// The location of this thread's last panic, until [`catch`] takes it.
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets a panic hook that logs the location in the code, without the message.
pub fn install_hook() {
    set_hook(Box::new(log_location));
}

/// The panic hook: runs on the thread that panics.
pub fn log_location(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    tracing::error!(place = location, "panicked");
    LOCATION.set(Some(location));
}

/// The layer that catches panics: actions get "anything else" of the catalogue, documents a page without
/// session or rendering. Nothing of a handler that panicked is used again.
pub async fn catch(State(stylesheet): State<Arc<str>>, request: Request, next: Next) -> Response {
    let is_action = is_action(request.uri().path());
    let id = Trace::current_request_id();
    // The future returns on the thread that panicked.
    if let Ok(response) = AssertUnwindSafe(next.run(request)).catch_unwind().await {
        return response;
    }
    let place = LOCATION.take().unwrap_or_else(|| "unknown".to_owned());
    tracing::error!(place, request_id = id, "request not answered: its handler panicked");
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    if is_action {
        (status, Json(Failure::problem(Problem::TokenInvalid).with_request_id(id.as_deref()))).into_response()
    } else {
        (status, Html(page(words::BROKEN_TITLE, words::BROKEN, id.as_deref(), &stylesheet))).into_response()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    async fn text(response: Response) -> String {
        String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().into()).unwrap()
    }

    fn wait_of(response: &Response) -> u64 {
        response.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn actions_get_a_failure_without_reply() {
        let response = rate_limited("/api/list_accounts", "/pkg/a.css", Duration::from_millis(1_200));
        assert_eq!((response.status().as_u16(), wait_of(&response)), (429, 2));
        assert_eq!(text(response).await, r#"{"kind":"no_reply"}"#);
    }

    #[tokio::test]
    async fn documents_ask_in_portuguese_to_try_again() {
        let response = overloaded("/integration/accounts", "/pkg/a.css");
        assert_eq!(response.status(), 503);
        assert!((WAIT_SECS..=WAIT_SECS + JITTER_SECS).contains(&wait_of(&response)));
        let page = text(response).await;
        for part in ["lang=\"pt-BR\"", words::BUSY_TITLE, words::TRY_AGAIN, "href=\"/pkg/a.css\""] {
            assert!(page.contains(part), "{part}");
        }
    }

    /// It must look like the pages around it, without another request than for the style sheet.
    #[test]
    fn the_page_has_the_products_frame() {
        let page = page(words::BUSY_TITLE, words::BUSY, None, "/pkg/a.css");
        for part in ["data-chrome=\"full\"", "page__header", "<svg ", words::PRODUCT, words::TAGLINE] {
            assert!(page.contains(part), "{part}: {page}");
        }
        for request in ["<img", "<script", "src=", "style="] {
            assert!(!page.contains(request), "{request}: {page}");
        }
    }

    #[test]
    fn the_wait_is_at_least_a_second() {
        assert_eq!(wait_of(&rate_limited("/", "", Duration::ZERO)), 1);
    }
}
