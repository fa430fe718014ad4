//! Parsers of values that must have a certain form.

use std::{ffi::OsStr, fmt::Display};

use axum::http::HeaderValue;
use clap::{
    Arg, Command,
    builder::TypedValueParser,
    error::{Error as ClapError, ErrorKind},
};
use reqwest::Url;
use vincula_pages::brands::https_url;

/// A parser whose errors do not repeat the value, which may contain a password or a key. Those of
/// clap do.
#[derive(Clone)]
pub struct Unshown<T, E>(pub fn(&str) -> Result<T, E>);

/// Parses the address of another program: http or https, with no more than host and path.
pub fn http_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("expected an http:// or https:// address ({error})"))?;
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    match url.scheme() {
        "http" | "https" if url.has_host() && plain => Ok(url),
        _ => Err("expected an http:// or https:// address without user, query or fragment".into()),
    }
}

/// Whether requests to this address cross a network unencrypted.
pub fn is_unencrypted(url: &Url) -> bool {
    url.scheme() == "http" && !matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// Parses a text that has the form of the names of Pluggy's products.
pub fn product(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if is_name {
        Ok(name.to_owned())
    } else {
        Err("expected names in capitals, for example ACCOUNTS".into())
    }
}

/// Parses the address of a collector of reports, as a content policy contains it: `https://`, or a
/// path that the proxy in front serves.
pub fn report_uri(text: &str) -> Result<String, String> {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let uri = if is_path {
        text.to_owned()
    } else {
        https_url(text)?.to_string()
    };
    let fits = uri
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"\"\\,;".contains(&byte));
    if fits {
        Ok(uri)
    } else {
        Err("expected an address without spaces, quotes, commas and semicolons".into())
    }
}

/// Parses a list of sources, as a content policy contains it. What could end its directive is
/// rejected.
pub fn source_list(text: &str) -> Result<String, String> {
    let safe = !text.trim().is_empty()
        && !text.contains([';', ','])
        && HeaderValue::from_str(text).is_ok();
    if safe {
        Ok(text.trim().to_owned())
    } else {
        Err("expected a CSP source list, for example 'none' or 'self'".into())
    }
}

impl<T: Clone + Send + Sync + 'static, E: Clone + Display + 'static> TypedValueParser
    for Unshown<T, E>
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, ClapError> {
        let text = value.to_str().ok_or_else(|| "expected text".to_owned());
        text.and_then(|text| self.0(text).map_err(|error| error.to_string()))
            .map_err(|why| {
                let name = argument.map(Arg::to_string).unwrap_or_default();
                command.clone().error(
                    ErrorKind::ValueValidation,
                    format!("invalid value for '{name}': {why}"),
                )
            })
    }
}
