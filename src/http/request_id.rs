//! The support code of a request: in our log, in the response's header, on the error screen, and in each upstream call.

use axum::{extract::Request, http::HeaderValue, middleware::Next, response::Response};
use vincula_telemetry::{Trace, trace::REQUEST_ID};

/// 48 random bits as 12 hexadecimal digits: short enough to read out on the phone.
#[derive(Debug, Clone)]
pub struct RequestId(String);

impl RequestId {
    pub fn random() -> Self {
        Self(format!("{:012x}", rand::random::<u64>() >> 16))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Gives each request its id and its trace. The id that a request brings along is ignored: people would read it out to
/// our support as if it were ours.
pub async fn assign(mut request: Request, next: Next) -> Response {
    let id = RequestId::random();
    request.extensions_mut().insert(id.clone());
    let trace = Trace::begin(request.headers(), id.as_str());
    let mut response = trace.scope(next.run(request)).await;
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}
