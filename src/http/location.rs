//! Writes where a response leads into headers.

use axum::{
    http::HeaderValue,
    response::{IntoResponse, Redirect, Response},
};

use crate::destination::Destination;

/// The value of `Content-Location` for a page.
pub fn header_value(to: &Destination) -> HeaderValue {
    HeaderValue::try_from(to.to_string()).expect("a page's path is visible ASCII")
}

/// A redirect that the browser follows with GET.
pub fn redirect(to: &Destination) -> Response {
    Redirect::to(&to.to_string()).into_response()
}
