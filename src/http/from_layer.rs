//! What a layer puts into each request for the handlers inside it.
//!
//! A request without it has not passed that layer, whose check or limit would be missing. Such a
//! request is refused.

use std::any::type_name;

use axum::{
    extract::FromRequestParts,
    http::{Extensions, StatusCode, request::Parts},
    response::{IntoResponse, Response},
};

use super::error_pages;

/// Extracts a value that a layer puts into each request. The rejection is a 500.
#[derive(Debug, Clone, Copy)]
pub struct FromLayer<T>(pub T);

/// A layer is missing around the handler, or is inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a request without {0}, which a layer adds")]
pub struct MissingLayer(&'static str);

impl<T: Clone + Send + Sync + 'static> FromLayer<T> {
    /// Takes the value of a request. Without it, writes an error line that names its type.
    pub fn of(extensions: &Extensions) -> Result<T, MissingLayer> {
        extensions.get().cloned().ok_or_else(|| {
            let missing = type_name::<T>();
            tracing::error!(missing, "request refused: it has not passed a layer");
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
        error_pages::refused(StatusCode::INTERNAL_SERVER_ERROR)
    }
}
