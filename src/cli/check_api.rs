//! `vincula check-api`: makes the calls that change nothing, with the product's own client, and
//! shows what each returned, or the client's own error.

use std::{fmt::Display, time::Duration};

use anyhow::Context;
use clap::Args;
use reqwest::Url;
use vincula_domain::token::LinkToken;
use vincula_upstream::{
    Account, Bank, Call, CallError, Caller, MAX_CALLS, SessionData, Upstream, UpstreamConfig,
    Validation, WidgetType,
};

use crate::{
    config::{InvalidSettings, Unshown, WidgetApi, http_url},
    session::Client,
    state::NO_CERTIFICATES,
};

/// Longest time for one call.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The options of `vincula check-api`.
#[derive(Debug, Args)]
#[command(after_help = "\
It calls validate-token, list-banks and list-accounts. An API may count validations, so use a link \
that was made for this. The output holds no token, name or document of a client.\n\
\n\
Exit codes: 0 success, 1 a call failed, 2 an option is missing or invalid.")]
pub struct Options {
    /// Base address of the widget API. Absent: that of WIDGET_API_URL.
    #[arg(value_name = "URL", value_parser = Unshown(http_url))]
    url: Option<Url>,

    /// Token of a link that works: what follows token= in it. Others can read a command line, so
    /// set the variable instead.
    #[arg(
        long,
        value_name = "CHECK_API_TOKEN",
        env = "CHECK_API_TOKEN",
        hide_env_values = true,
        value_parser = Unshown(token)
    )]
    token: LinkToken,
}

/// A line for each call, and whether all succeeded.
#[derive(Debug)]
pub struct Report {
    pub lines: Vec<String>,
    pub is_good: bool,
}

impl Report {
    /// Adds the line of a call. Returns whether it succeeded.
    fn add(&mut self, call: Call, result: Result<impl Display, CallError>) -> bool {
        let (method, path) = (call.method(), call.path());
        let is_good = result.is_ok();
        self.is_good &= is_good;
        self.lines.push(match result {
            Ok(seen) => format!("✓ {method} /{path}: {seen}"),
            Err(error) => format!("✗ {method} /{path}: {error}"),
        });
        is_good
    }
}

fn token(text: &str) -> Result<LinkToken, String> {
    match LinkToken::parse(text) {
        Some(link) if link.expose().contains("://") => {
            Err("expected what follows token= in the link, not the link itself".into())
        }
        Some(token) => Ok(token),
        None => Err("expected visible ASCII without spaces".into()),
    }
}

/// Makes the calls. `configured` is the widget API of the settings.
pub async fn check(options: Options, configured: Option<WidgetApi>) -> anyhow::Result<Report> {
    let configured = match configured {
        Some(WidgetApi::Real(url)) => Some(url),
        Some(WidgetApi::Sandbox) | None => None,
    };
    let Some(base) = options.url.or(configured) else {
        let error = "check-api needs the address of a widget API: expected it as an argument, \
                     or as WIDGET_API_URL";
        return Err(InvalidSettings::from(error.to_owned()).into());
    };
    let timeout = TIMEOUT;
    let upstream = Upstream::new(&UpstreamConfig {
        base,
        timeout,
        max_calls: MAX_CALLS,
    })
    .context(NO_CERTIFICATES)?;
    let mut report = Report {
        lines: Vec::new(),
        is_good: true,
    };
    let nobody = Caller::default();
    let session = upstream
        .validate_token(&nobody, &options.token, Validation::Full)
        .await;
    let xsrf = match &session {
        Ok(output) => output.xsrf.clone().apply(None),
        Err(_) => None,
    };
    let names_firm = session
        .as_ref()
        .is_ok_and(|output| can_be_authorized(&output.data));
    let seen = session.map(|output| session_data(&output.data));
    if !report.add(Call::ValidateToken, seen) {
        return Ok(report);
    }
    if !names_firm {
        report.is_good = false;
        let line = "✗ validate-token: a link for new accounts needs customer_id and customer_name";
        report.lines.push(line.to_owned());
    }
    let caller = Caller {
        token: Some(options.token),
        xsrf,
        ..nobody
    };
    let banks = upstream.list_banks(&caller).await;
    report.add(Call::ListBanks, banks.map(|output| bank_list(&output.data)));
    let accounts = upstream.list_accounts(&caller).await;
    let seen = accounts.map(|output| account_list(&output.data));
    report.add(Call::ListAccounts, seen);
    Ok(report)
}

/// Whether the consent is possible, which only a link for new accounts leads to.
fn can_be_authorized(session: &SessionData) -> bool {
    let client = Client::from(session.clone());
    session.widget_type != WidgetType::New || client.firm_to_authorize().is_some()
}

/// The kind of the link, and which fields have a value.
fn session_data(session: &SessionData) -> String {
    let fields = [
        ("client_name", !session.client_name.is_empty()),
        ("client_cpfcnpj", !session.client_cpfcnpj.is_empty()),
        ("customer_id", session.customer_id.is_some()),
        ("customer_name", !session.customer_name.is_empty()),
        (
            "widget_account_admin_name",
            !session.widget_account_admin_name.is_empty(),
        ),
        (
            "widget_account_admin_cpfcnpj",
            !session.widget_account_admin_cpfcnpj.is_empty(),
        ),
        (
            "widget_account_bank",
            !session.widget_account_bank.is_empty(),
        ),
        ("link_id", session.link_id.is_some()),
        ("client_uuid", session.client_uuid.is_some()),
    ];
    let names = |present| {
        let names: Vec<_> = fields
            .iter()
            .filter(|(_, is_present)| *is_present == present)
            .map(|(name, _)| *name)
            .collect();
        names.join(", ")
    };
    format!(
        "widget_type {:?}; has {}; empty: {}",
        session.widget_type,
        names(true),
        names(false)
    )
}

fn bank_list(banks: &[Bank]) -> String {
    match banks.first() {
        Some(first) => format!("{} banks, first {} {}", banks.len(), first.code, first.name),
        None => "no banks".to_owned(),
    }
}

fn account_list(accounts: &[Account]) -> String {
    format!("{} accounts", accounts.len())
}

#[cfg(test)]
mod tests {
    use vincula_sandbox::{Sandbox, SandboxOptions};
    use vincula_testing::{Act, ScriptedApi, profile};

    use super::*;

    fn options(url: &str, text: &str) -> Options {
        Options {
            url: Some(url.parse().unwrap()),
            token: token(text).unwrap(),
        }
    }

    #[tokio::test]
    async fn shows_what_each_call_returned_without_personal_data() {
        let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
        let report = check(options(&sandbox.api_url(), "demo-contas.check"), None)
            .await
            .unwrap();
        let text = report.lines.join("\n");
        assert!(report.is_good, "{text}");
        for part in [
            "✓ POST /validate-token: widget_type New; has client_name, client_cpfcnpj, customer_id",
            "✓ GET /list-banks: ",
            "✓ GET /list-accounts: ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("demo-contas"), "{text}");
        assert!(!text.contains("Marina"), "{text}");
    }

    #[tokio::test]
    async fn a_link_for_new_accounts_needs_a_firm() {
        for (changes, is_good) in [
            (serde_json::json!({}), true),
            (serde_json::json!({ "customer_name": "" }), false),
            (serde_json::json!({ "customer_id": null }), false),
            (
                serde_json::json!({ "customer_id": null, "widget_type": "cancel" }),
                true,
            ),
        ] {
            let api = ScriptedApi::start().await;
            api.on("validate-token", Act::data(&profile(changes.clone())));
            let report = check(options(&api.base(), "a-token"), None).await.unwrap();
            assert_eq!(report.is_good, is_good, "{changes}: {report:?}");
        }
    }

    #[tokio::test]
    async fn shows_the_clients_own_error() {
        for (act, error) in [
            (
                Act::error(403, "no"),
                "the upstream reported a failure: HTTP 403",
            ),
            (
                Act::text(403, "text/html", "<html>"),
                "unexpected response from the upstream: HTTP 403 with a body that is not the API's",
            ),
            (
                Act::data(&profile(serde_json::json!({}))).with("content-encoding", "br"),
                "unexpected response from the upstream: compressed",
            ),
            (
                Act::Garbage,
                "no response from the upstream: cut off, or not HTTP (invalid HTTP",
            ),
        ] {
            let api = ScriptedApi::answering(act).await;
            let report = check(options(&api.origin(), "a-token"), None)
                .await
                .unwrap();
            let [line] = &report.lines[..] else {
                panic!("further calls need the session: {report:?}");
            };
            assert!(!report.is_good);
            let expected = format!("✗ POST /validate-token: {error}");
            assert!(line.starts_with(&expected), "{line}");
        }
    }

    #[tokio::test]
    async fn address_is_that_of_the_settings_by_default() {
        let api = ScriptedApi::answering(Act::status(404)).await;
        let without = || Options {
            url: None,
            ..options("http://unused.example", "a-token")
        };
        let configured = WidgetApi::Real(api.origin().parse().unwrap());
        check(without(), Some(configured)).await.unwrap();
        assert_eq!(api.lines(), ["POST /validate-token"]);
        for none in [None, Some(WidgetApi::Sandbox)] {
            let error = check(without(), none).await.unwrap_err();
            assert!(error.is::<InvalidSettings>(), "{error}");
        }
    }

    #[test]
    fn a_whole_link_is_no_token() {
        let error = token("https://vincula.example/?token=a").unwrap_err();
        assert!(error.contains("token="), "{error}");
    }
}
