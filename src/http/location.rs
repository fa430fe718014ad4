//! Writes destinations into headers.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use vincula_domain::destination::Destination;

/// The value of `Location` or `Content-Location` for a destination.
pub fn header_value(to: &Destination) -> HeaderValue {
    HeaderValue::try_from(to.to_string()).expect("a destination is visible ASCII")
}

/// A redirect that the browser follows with GET.
pub fn redirect(to: &Destination) -> Response {
    (
        StatusCode::SEE_OTHER,
        [(header::LOCATION, header_value(to))],
    )
        .into_response()
}
