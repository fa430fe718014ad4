//! Checks of every call: the bearer token of a link, the XSRF token, a JSON payload, well-formed
//! headers.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    net::IpAddr,
    sync::Arc,
};

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, Method, StatusCode, header, request::Parts},
    response::Response,
};
use serde_json::Value;

use super::{
    response::{Refusal, refusal, unprocessable},
    state::{Caller, SandboxState},
};

/// The cookie that validate-token sets. Later writes must send it back, also as a header. Its value
/// is percent-encoded in the cookie and plain in the header, as frameworks and HTTP clients of
/// browsers do.
const XSRF_COOKIE: &str = "XSRF-TOKEN";
const XSRF_HEADER: &str = "x-xsrf-token";

/// A client that may make this call: by its bearer token, and for writes by its XSRF token.
impl FromRequestParts<Arc<SandboxState>> for Caller {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<SandboxState>,
    ) -> Result<Self, Response> {
        let token = text_of(&parts.headers, header::AUTHORIZATION.as_str())
            .and_then(|value| value.strip_prefix("Bearer "))
            .filter(|token| !token.is_empty())
            .ok_or_else(|| {
                refusal(
                    StatusCode::UNAUTHORIZED,
                    "Authorization: Bearer header required",
                )
            })?;
        let caller = Self::from_token(token)?;
        state.apply_fault(&caller, parts.uri.path()).await?;
        if parts.method != Method::GET {
            check_xsrf(&parts.headers, token)?;
        }
        state.refuse_cancelled(&caller, parts.uri.path())?;
        Ok(caller)
    }
}

/// The payload of a call; 422 if it is not declared as JSON or not valid JSON.
pub(crate) struct Payload(pub Value);

impl<S: Send + Sync> FromRequest<S> for Payload {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match Json::from_request(request, state).await {
            Ok(Json(payload)) => Ok(Self(payload)),
            Err(rejection) => Err(unprocessable(&rejection.body_text()).into()),
        }
    }
}

/// The `Set-Cookie` value of a validation.
pub(crate) fn xsrf_cookie(token: &str) -> String {
    format!("{XSRF_COOKIE}={}%3D; Path=/; SameSite=Lax", xsrf_of(token))
}

/// Checks that the cookie and the header both carry the token that the validation set.
fn check_xsrf(headers: &HeaderMap, token: &str) -> Result<(), Refusal> {
    let forbidden = |problem| Err(refusal(StatusCode::FORBIDDEN, problem));
    let expected = xsrf_of(token);
    let mut cookies = text_of(headers, header::COOKIE.as_str())
        .unwrap_or_default()
        .split(';');
    let cookie = cookies.find_map(|pair| pair.trim().strip_prefix(XSRF_COOKIE)?.strip_prefix('='));
    if cookie.and_then(|value| value.strip_suffix("%3D")) != Some(expected.as_str()) {
        return forbidden("XSRF-TOKEN cookie missing or wrong");
    }
    if text_of(headers, XSRF_HEADER).and_then(|value| value.strip_suffix('='))
        != Some(expected.as_str())
    {
        return forbidden("X-XSRF-TOKEN header missing or wrong");
    }
    Ok(())
}

/// The value without the `=` at its end. It is derived from the token instead of random, so that it
/// survives a restart of the sandbox.
fn xsrf_of(token: &str) -> String {
    let mut hasher = DefaultHasher::new();
    token.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Checks the optional evidence of a consent: an address, a browser, the version of a text.
pub(crate) fn check_evidence(headers: &HeaderMap) -> Result<(), Refusal> {
    check_header(headers, "Consent-Client-Address", |text| {
        text.parse::<IpAddr>().is_ok()
    })?;
    check_header(headers, "Consent-Browser", |text| {
        (1..=200).contains(&text.len())
    })?;
    check_header(headers, "Consent-Text-Version", |text| {
        text.parse::<u32>().is_ok()
    })
}

/// Checks the form of an optional header.
fn check_header(headers: &HeaderMap, name: &str, is_good: fn(&str) -> bool) -> Result<(), Refusal> {
    let is_malformed = headers.contains_key(name) && !text_of(headers, name).is_some_and(is_good);
    if is_malformed {
        Err(unprocessable(&format!("{name}: malformed")))
    } else {
        Ok(())
    }
}

fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
