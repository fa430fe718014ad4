//! `vincula check-api`: tries a widget API as the product uses it, and reports call by call what it saw.
//!
//! The calls are made by the product's own client, so that what passes here works there; a stricter reading of the
//! contract (docs/widget-api.openapi.yaml) adds warnings.

mod fields;
mod probe;
mod report;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

use std::time::Duration;

use clap::Args;
use reqwest::Url;
use vincula_domain::token::LinkToken;
use vincula_upstream::{Upstream, UpstreamConfig};

use probe::Probe;
use report::Level;
pub use report::Report;
use table::{CANCELLATION, READING, WRITING};

use crate::config::{Unshown, http_url};

/// Longest time to connect: as the product's default.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The options of `vincula check-api`.
#[derive(Debug, Args)]
#[command(after_help = "\
Other users of this machine can read a command line: rather set CHECK_API_TOKEN and its like. The\n\
report holds no token and no value of an answer, only kinds and lengths.\n\
\n\
Without --write it makes these calls only: HEAD of the address, validate-token, list-accounts and\n\
list-banks. An API may count validations, so use a link that was made for this. With --write it also\n\
makes all the others, most of them twice, and without or with a wrong token or id: it gives the link's\n\
consent, asks for connect tokens, reports an update and events of Connect, among them the success of\n\
an item that does not exist, and ends with the success call.\n\
\n\
Exit codes: 0 no failure, 1 failures, 2 an option is missing or not valid.")]
pub struct Options {
    /// Base address of the widget API, as in WIDGET_API_URL.
    #[arg(value_name = "URL", value_parser = Unshown(http_url))]
    pub url: Url,

    /// Token of a link that works.
    #[arg(long, env = "CHECK_API_TOKEN", hide_env_values = true, value_parser = Unshown(token))]
    pub token: LinkToken,

    /// Token of a link that has expired: checks that the answer says so.
    #[arg(long, env = "CHECK_API_EXPIRED_TOKEN", hide_env_values = true, value_parser = Unshown(token))]
    pub expired_token: Option<LinkToken>,

    /// Token of a link whose client may lose all integrations: checks the cancellation. Needs --write.
    #[arg(long, env = "CHECK_API_CANCEL_TOKEN", hide_env_values = true, value_parser = Unshown(token))]
    pub cancel_token: Option<LinkToken>,

    /// Also tries the calls that change something.
    #[arg(long)]
    pub write: bool,

    /// Longest time for one call, in seconds. The product waits for UPSTREAM_TIMEOUT_MS, half an hour by default.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=1800))]
    pub timeout: u64,
}

/// Parses a token.
///
/// # Errors
/// If it is none, or is the whole link.
pub fn token(text: &str) -> Result<LinkToken, String> {
    match LinkToken::parse(text) {
        Some(link) if link.expose().contains("://") => Err("a link: expected what follows token= in it".into()),
        Some(token) => Ok(token),
        None => Err("no token: expected visible ASCII without spaces".into()),
    }
}

/// Tries the API.
///
/// # Errors
/// If TLS cannot be set up on this machine.
pub async fn check(options: &Options) -> anyhow::Result<Report> {
    let upstream = Upstream::new(&UpstreamConfig {
        base: options.url.clone(),
        timeout: Duration::from_secs(options.timeout),
        connect_timeout: CONNECT_TIMEOUT.min(Duration::from_secs(options.timeout)),
        bank_list_ttl: Duration::ZERO,
    })?;
    let mut probe =
        Probe::new(upstream, options.token.clone(), options.expired_token.clone(), options.cancel_token.clone());
    if !is_reachable(&mut probe, &options.url, Duration::from_secs(options.timeout)).await {
        probe.skip("other calls", "everything else", "the API cannot be reached");
        return Ok(probe.report);
    }
    probe.run(READING).await;
    let changes = "calls that change something";
    match probe.session {
        _ if probe.has_timed_out => {}
        _ if !options.write => probe.skip("other calls", changes, "--write is not given"),
        None => probe.skip("other calls", changes, "validate-token gives no session data"),
        Some(_) => probe.run(WRITING).await,
    }
    if probe.has_timed_out {
        probe.skip("other calls", "further calls", "a call was not answered in time");
    } else if options.write && options.cancel_token.is_some() {
        probe.run(CANCELLATION).await;
    } else {
        probe.skip("cancel-integrations", "the cancellation", "needs --write and --cancel-token");
    }
    Ok(probe.report)
}

async fn is_reachable(probe: &mut Probe, url: &Url, timeout: Duration) -> bool {
    let (level, seen) = match probe.upstream.probe(timeout).await {
        Ok(status) => (Level::Ok, format!("HTTP {status}")),
        // Of rustls, for an answer in plain HTTP.
        Err(cause) if cause.contains("InvalidContentType") => (Level::Failure, "no TLS: is it http://?".to_owned()),
        Err(cause) => (Level::Failure, cause),
    };
    probe.connection(level, "reach", "HEAD of the address", &seen);
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if url.scheme() == "http" && !is_local {
        probe.connection(Level::Warning, "http", "the address", "http: tokens cross the network unencrypted");
    }
    level == Level::Ok
}
