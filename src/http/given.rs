//! Values that a layer adds to each request.

use std::any::type_name;

use axum::http::request::Parts;

/// The value that a layer adds to each request. A server function and a page read it here, a layer
/// and a handler with [`Extension`](axum::Extension). Panics, and the response is a 500, if the
/// layer is missing around the handler.
pub fn given<T: Clone + Send + Sync + 'static>(parts: &Parts) -> T {
    let value = parts.extensions.get().cloned();
    value.unwrap_or_else(|| panic!("a layer adds {} to each request", type_name::<T>()))
}
