//! Values that a layer adds to each request for the handlers inside it.
//!
//! A request without the value has not passed that layer, so its check or limit is missing. Such a
//! request is rejected.

use std::any::type_name;

use axum::{
    extract::FromRequestParts,
    http::{Extensions, StatusCode, request::Parts},
    response::{IntoResponse, Response},
};

use super::error_pages;

/// Extracts a value that a layer adds to each request. Without the value, the response is a 500.
#[derive(Debug, Clone, Copy)]
pub struct FromLayer<T>(pub T);

/// A layer is missing around the handler, or is inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a request without {0}, which a layer adds")]
pub struct MissingLayer(&'static str);

impl<T: Clone + Send + Sync + 'static> FromLayer<T> {
    /// Returns the value of a request. If it is missing, logs an error with the name of its type.
    pub fn of(extensions: &Extensions) -> Result<T, MissingLayer> {
        extensions.get().cloned().ok_or_else(|| {
            let missing = type_name::<T>();
            tracing::error!(missing, "request rejected: it has not passed a layer");
            MissingLayer(missing)
        })
    }
}

impl<T: Clone + Send + Sync + 'static, S: Sync> FromRequestParts<S> for FromLayer<T> {
    type Rejection = MissingLayer;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, MissingLayer> {
        Self::of(&parts.extensions).map(Self)
    }
}

impl IntoResponse for MissingLayer {
    fn into_response(self) -> Response {
        error_pages::rejected(StatusCode::INTERNAL_SERVER_ERROR)
    }
}
