//! Responses without a session or rendering: to requests that the server rejects (the client
//! exceeds its rate, the request is bad or incomplete), and to those whose handler panics.

use std::{any::Any, sync::Arc, time::Duration};

use axum::{
    Extension, Json,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use vincula_upstream::RequestId;

use super::Target;
use crate::{failure::Failure, problem::Problem, words};

/// What a response without a body shows. [`render`] adds the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorPage {
    /// The client exceeds its rate.
    Busy,
    /// Our pages never send such a request, or it arrived over a bad connection.
    Rejected,
    /// The body of the request did not arrive in time.
    TooLate,
    /// The handler panicked.
    Broken,
}

/// The response to a client that exceeds its rate.
pub fn rate_limited(wait: Duration) -> Response {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    (
        StatusCode::TOO_MANY_REQUESTS,
        [(header::RETRY_AFTER, seconds.max(1).to_string())],
        Extension(ErrorPage::Busy),
    )
        .into_response()
}

/// The response to a request that our pages never send, or that arrived over a bad connection.
pub fn rejected(status: StatusCode) -> Response {
    (status, Extension(ErrorPage::Rejected)).into_response()
}

/// The response to a request whose body did not arrive in time. It closes the connection, on which
/// the rest of the body may still arrive.
pub fn too_late() -> Response {
    (
        StatusCode::REQUEST_TIMEOUT,
        [(header::CONNECTION, "close")],
        Extension(ErrorPage::TooLate),
    )
        .into_response()
}

/// The response to a request whose handler panicked. The hook has logged it.
pub fn broken(_: Box<dyn Any + Send>) -> Response {
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        Extension(ErrorPage::Broken),
    )
        .into_response()
}

/// The layer around all routes. It adds the bodies of this module's responses. An action gets a
/// failure; a document gets a page with a link to the same address by GET, because a bank may have
/// posted to it.
pub async fn render(
    State(stylesheet): State<Arc<str>>,
    Extension(request_id): Extension<RequestId>,
    target: Target,
    request: Request,
    next: Next,
) -> Response {
    let code = request_id.as_str();
    let response = next.run(request).await;
    let Some(shown) = response.extensions().get::<ErrorPage>().copied() else {
        return response;
    };
    let (mut parts, _) = response.into_parts();
    // It was the length of the missing body.
    parts.headers.remove(header::CONTENT_LENGTH);
    if target.is_action() {
        let failure = match shown {
            // The page stays as it is and shows its toast.
            ErrorPage::Busy | ErrorPage::TooLate => Failure::NoReply,
            // The page navigates to an error screen.
            ErrorPage::Rejected => Failure::navigate(Problem::TokenInvalid).with_support_code(code),
            ErrorPage::Broken => Failure::navigate(Problem::Outage).with_support_code(code),
        };
        return (parts, Json(failure)).into_response();
    }
    let (title, meaning, code) = match shown {
        ErrorPage::Busy => (words::BUSY_TITLE, words::BUSY, None),
        ErrorPage::Rejected | ErrorPage::TooLate => {
            (words::REJECTED_TITLE, words::REJECTED, Some(code))
        }
        ErrorPage::Broken => (words::BROKEN_TITLE, words::BROKEN, Some(code)),
    };
    (parts, Html(page(title, meaning, code, &stylesheet))).into_response()
}

/// The product's mark, inline, so that a client that exceeds its rate requests no picture.
const MARK: &str = include_str!("../../public/favicon.svg");

/// A page without session or rendering: a title, what it means, and a link to try again. It looks
/// like the other pages.
fn page(title: &str, meaning: &str, support_code: Option<&str>, stylesheet: &str) -> String {
    let code = support_code.map(|code| {
        format!(
            "<p>{} <code class=\"problem__code\">{code}</code></p>\n",
            words::SUPPORT_CODE
        )
    });
    format!(
        include_str!("error_page.html"),
        title = title,
        meaning = meaning,
        stylesheet = stylesheet,
        mark = MARK.trim_end(),
        product = words::PRODUCT,
        tagline = words::TAGLINE,
        code = code.unwrap_or_default(),
        again = words::TRY_AGAIN,
    )
}

#[cfg(test)]
mod tests {
    use axum::{
        Router,
        body::{Body, to_bytes},
        middleware::from_fn_with_state,
    };
    use tower::ServiceExt;

    use super::*;

    async fn text(response: Response) -> String {
        String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().into()).unwrap()
    }

    fn wait_of(response: &Response) -> u64 {
        response.headers()[header::RETRY_AFTER]
            .to_str()
            .unwrap()
            .parse()
            .unwrap()
    }

    /// The response as the layer sends it.
    async fn rendered(path: &str, response: fn() -> Response) -> Response {
        let router = Router::new().fallback(move || async move { response() });
        let router = router.layer(from_fn_with_state(Arc::<str>::from("/pkg/a.css"), render));
        router
            .oneshot(
                Request::get(path)
                    .extension(RequestId::default())
                    .extension(Target::from_path(path))
                    .body(Body::empty())
                    .unwrap(),
            )
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn rejected_actions_get_a_failure() {
        let response = rendered("/api/list_accounts", || {
            rate_limited(Duration::from_millis(1_200))
        })
        .await;
        assert_eq!((response.status().as_u16(), wait_of(&response)), (429, 2));
        assert_eq!(text(response).await, "\"no_reply\"");
        assert_eq!(wait_of(&rate_limited(Duration::ZERO)), 1);
    }

    #[tokio::test]
    async fn rejected_documents_ask_in_portuguese_to_try_again() {
        let response = rendered("/integration/accounts", || {
            rate_limited(Duration::from_secs(5))
        })
        .await;
        assert_eq!((response.status().as_u16(), wait_of(&response)), (429, 5));
        let length = response.headers()[header::CONTENT_LENGTH]
            .to_str()
            .unwrap()
            .to_owned();
        let page = text(response).await;
        assert_eq!(length, page.len().to_string());
        let frame = [
            "lang=\"pt-BR\"",
            "data-chrome=\"full\"",
            "page__header",
            "<svg ",
            words::PRODUCT,
            words::TAGLINE,
        ];
        for part in [
            &frame[..],
            &[words::BUSY_TITLE, words::TRY_AGAIN, "href=\"/pkg/a.css\""],
        ]
        .concat()
        {
            assert!(page.contains(part), "{part}");
        }
        // Without another request than for the style sheet.
        for request in ["<img", "<script", "src=", "style="] {
            assert!(!page.contains(request), "{request}: {page}");
        }
    }
}
