//! Checks of the headers that requests need: bearer token, XSRF token, content type.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    net::IpAddr,
};

use axum::http::{HeaderMap, StatusCode, header};

use super::envelope::Answer;

/// The cookie that validate-token sets. Later writes must send it back, also as a header (spec §7). Its value is
/// percent-encoded in the cookie and plain in the header, as frameworks and browsers' HTTP clients do it.
const XSRF_COOKIE: &str = "XSRF-TOKEN";
const XSRF_HEADER: &str = "x-xsrf-token";

/// The token of the Authorization header.
///
/// # Errors
/// 401 if the header is missing or has another scheme.
pub fn bearer(headers: &HeaderMap) -> Result<&str, Answer> {
    text_of(headers, header::AUTHORIZATION.as_str())
        .and_then(|value| value.strip_prefix("Bearer "))
        .filter(|token| !token.is_empty())
        .ok_or_else(|| Answer::error(StatusCode::UNAUTHORIZED, "Authorization: Bearer header required"))
}

/// The `Set-Cookie` value of a validation.
pub fn xsrf_cookie(token: &str) -> String {
    format!("{XSRF_COOKIE}={}%3D; Path=/; SameSite=Lax", xsrf_of(token))
}

/// Checks that the cookie and the header both carry the token that the validation set.
///
/// # Errors
/// 403, naming the one that is missing or wrong.
pub fn xsrf(headers: &HeaderMap, token: &str) -> Result<(), Answer> {
    let forbidden = |problem: &'static str| Err(Answer::error(StatusCode::FORBIDDEN, problem));
    let expected = xsrf_of(token);
    if cookie(headers, XSRF_COOKIE).and_then(|value| value.strip_suffix("%3D")) != Some(expected.as_str()) {
        return forbidden("XSRF-TOKEN cookie missing or wrong");
    }
    if text_of(headers, XSRF_HEADER).and_then(|value| value.strip_suffix('=')) != Some(expected.as_str()) {
        return forbidden("X-XSRF-TOKEN header missing or wrong");
    }
    Ok(())
}

/// Checks that the body is declared as JSON.
///
/// # Errors
/// 422 if it is not.
pub fn json_type(headers: &HeaderMap) -> Result<(), Answer> {
    let kind = text_of(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(Answer::unprocessable("Content-Type: application/json required"))
    }
}

/// Checks the evidence of a consent, as far as it is there: an address, a browser, the SHA-256 of a text, a
/// percent-encoded sentence.
///
/// # Errors
/// 422, naming the header that is malformed.
pub fn evidence(headers: &HeaderMap) -> Result<(), Answer> {
    let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    well_formed(headers, "Consent-Client-Address", |text| text.parse::<IpAddr>().is_ok())?;
    well_formed(headers, "Consent-Browser", |text| (1..=200).contains(&text.len()))?;
    well_formed(headers, "Consent-Text-SHA256", is_hash)?;
    well_formed(headers, "Consent-Purpose", |text| !text.is_empty() && is_percent_encoded(text))
}

fn is_percent_encoded(text: &str) -> bool {
    let begins_with_octet =
        |rest: &str| rest.get(..2).is_some_and(|octet| octet.bytes().all(|c| c.is_ascii_hexdigit()));
    text.split('%').skip(1).all(begins_with_octet)
}

/// Checks the key by which a repetition is recognised, if there is one: a UUID.
///
/// # Errors
/// 422 if it is malformed.
pub fn idempotency_key(headers: &HeaderMap) -> Result<(), Answer> {
    well_formed(headers, "Idempotency-Key", |text| text.len() == 36 && uuid::Uuid::parse_str(text).is_ok())
}

fn well_formed(headers: &HeaderMap, name: &str, is_good: fn(&str) -> bool) -> Result<(), Answer> {
    let is_malformed = headers.contains_key(name) && !text_of(headers, name).is_some_and(is_good);
    if is_malformed { Err(Answer::unprocessable(format!("{name}: malformed"))) } else { Ok(()) }
}

/// The value without the `=` at its end. It is derived from the token instead of random, so that it survives a restart
/// of the sandbox.
fn xsrf_of(token: &str) -> String {
    let mut hasher = DefaultHasher::new();
    token.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut pairs = text_of(headers, header::COOKIE.as_str())?.split(';');
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
