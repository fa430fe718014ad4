//! Parsers of values that must have a certain form, and the error of a setting.

use std::{ffi::OsStr, fmt::Display, net::SocketAddr, time::Duration};

use clap::{
    Arg, Command,
    builder::TypedValueParser,
    error::{Error as ClapError, ErrorKind},
};
use reqwest::Url;

/// Settings that are invalid by themselves or together with others. The message has a line for each,
/// which names it, and what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n  "))]
pub struct InvalidSettings(pub Vec<String>);

impl From<String> for InvalidSettings {
    fn from(error: String) -> Self {
        Self(vec![error])
    }
}

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

/// Parses an address to listen on.
pub fn socket_addr(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "expected an IP address and a port, for example 127.0.0.1:3000".to_owned())
}

/// Parses a time in milliseconds, which is not zero.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        _ => Err("expected milliseconds, for example 30000".to_owned()),
    }
}

/// Parses the time that a session lives, in seconds.
pub fn session_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 120..=604_800) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected seconds from 120 to 604800, for example 14400".to_owned()),
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
                let is_quoted = value.as_encoded_bytes().starts_with(b"\"")
                    || value.as_encoded_bytes().starts_with(b"'");
                let why = if is_quoted {
                    format!("{why}; the quotes around it are part of the value: leave them out")
                } else {
                    why
                };
                let name = argument.map(Arg::to_string).unwrap_or_default();
                command.clone().error(
                    ErrorKind::ValueValidation,
                    format!("invalid value for '{name}': {why}"),
                )
            })
    }
}
