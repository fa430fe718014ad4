//! Writes where a response leads into headers.

use axum::{
    http::HeaderValue,
    response::{IntoResponse, Redirect, Response},
};

use crate::page_path::PagePath;

/// The value of `Content-Location` for a page.
pub fn header_value(to: &PagePath) -> HeaderValue {
    HeaderValue::try_from(to.as_str()).expect("a page's path is visible ASCII")
}

/// A redirect that the browser follows with GET.
pub fn redirect(to: &PagePath) -> Response {
    Redirect::to(to.as_str()).into_response()
}
