//! Writes where a response leads into headers.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::page_path::PagePath;

/// The value of `Location` or `Content-Location` for a page.
pub fn header_value(to: &PagePath) -> HeaderValue {
    HeaderValue::try_from(to.as_str()).expect("a page's path is visible ASCII")
}

/// A redirect that the browser follows with GET.
pub fn redirect(to: &PagePath) -> Response {
    (
        StatusCode::SEE_OTHER,
        [(header::LOCATION, header_value(to))],
    )
        .into_response()
}
