//! What a request is: an id, and what it is for.

use axum::{extract::Request, http::HeaderValue, middleware::Next, response::Response};
use vincula_upstream::{RequestId, request_id::REQUEST_ID};

use super::Target;

/// The layer that adds a [`RequestId`] and the [`Target`] to each request. The response has the id
/// as a header.
pub async fn identify(mut request: Request, next: Next) -> Response {
    let request_id = RequestId::random();
    let target = Target::from_path(request.uri().path());
    request.extensions_mut().insert(request_id.clone());
    request.extensions_mut().insert(target);
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(request_id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}
