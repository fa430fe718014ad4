//! Settings that have to be of a certain form.

use axum::http::HeaderValue;
use reqwest::Url;

/// Parses the address of another program.
///
/// # Errors
/// If it is not http or https, or has more than host and path.
pub fn http_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("expected an http:// or https:// address ({error})"))?;
    let plain =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    match url.scheme() {
        "http" | "https" if url.has_host() && plain => Ok(url),
        _ => Err("expected an http:// or https:// address without user, query or fragment".into()),
    }
}

pub fn https_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("expected an https:// address ({error})"))?;
    let fits = url.scheme() == "https" && url.has_host() && url.username().is_empty() && url.password().is_none();
    if fits { Ok(url) } else { Err("expected an https:// address without user".into()) }
}

/// Parses the name of one of Pluggy's products.
///
/// # Errors
/// If it does not look like one.
pub fn product(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if is_name { Ok(name.to_owned()) } else { Err("expected names in capitals, for example ACCOUNTS".into()) }
}

pub fn source_list(text: &str) -> Result<String, String> {
    let safe = !text.trim().is_empty() && !text.contains([';', ',']) && HeaderValue::from_str(text).is_ok();
    if safe {
        Ok(text.trim().to_owned())
    } else {
        Err("expected a CSP source list, for example 'none' or 'self'".into())
    }
}
