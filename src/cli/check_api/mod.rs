//! `vincula check-api`: tries a widget API as the product uses it, and reports call by call what it saw.
//!
//! The calls are made by the product's own client, so that what passes here works there; a stricter reading of the
//! contract (docs/widget-api.openapi.yaml) adds warnings.

mod fields;
mod probe;
mod report;
mod shape;
#[cfg(test)]
mod tests;
mod verdict;

use std::{net::Ipv4Addr, time::Duration};

use clap::Args;
use reqwest::Url;
use serde_json::json;
use vincula_domain::{bank::TaxId, token::LinkToken};
use vincula_upstream::{
    Call::{
        self, AuthorizeCustomer, CancelIntegrations, ConnectToken, ListAccounts, ListBanks, Log,
        ValidateToken,
    },
    Caller, ConnectTokenRequest, ConsentEvidence, Id, ItemId, LogEntry, LogStatus, LogType,
    SessionData, Upstream, UpstreamConfig,
};

use self::{
    probe::{Probe, TimedOut, unknown_token},
    verdict::Check,
};
pub use report::{Level, Report};

use crate::config::{Unshown, http_url, is_unencrypted};

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

/// Parses a token, and refuses a whole link.
pub fn token(text: &str) -> Result<LinkToken, String> {
    match LinkToken::parse(text) {
        Some(link) if link.expose().contains("://") => {
            Err("a link: expected what follows token= in it".into())
        }
        Some(token) => Ok(token),
        None => Err("no token: expected visible ASCII without spaces".into()),
    }
}

/// Tries the API. Fails only if TLS cannot be set up on this machine.
pub async fn check(options: &Options) -> anyhow::Result<Report> {
    let timeout = Duration::from_secs(options.timeout);
    let api = Upstream::new(&UpstreamConfig {
        base: options.url.clone(),
        timeout,
        connect_timeout: CONNECT_TIMEOUT.min(timeout),
    })?;
    let mut probe = Probe::default();
    if !reach(&mut probe.report, &api, options).await {
        probe.report.skip(
            "other calls",
            "everything else",
            "the API cannot be reached",
        );
    } else if let Err(TimedOut) = try_calls(&mut probe, &api, options).await {
        probe.report.skip(
            "other calls",
            "further calls",
            "a call was not answered in time",
        );
    }
    Ok(probe.report)
}

async fn reach(report: &mut Report, api: &Upstream, options: &Options) -> bool {
    let (level, seen) = match api.probe(Duration::from_secs(options.timeout)).await {
        Ok(status) => (Level::Ok, format!("HTTP {status}")),
        // Of rustls, for an answer in plain HTTP.
        Err(cause) if cause.contains("InvalidContentType") => {
            (Level::Failure, "no TLS: is it http://?".to_owned())
        }
        Err(cause) => (Level::Failure, cause),
    };
    report.add(level, "reach", "connection", "HEAD of the address", &seen);
    if is_unencrypted(&options.url) {
        let seen = "http: tokens cross the network unencrypted; expected https";
        report.add(Level::Warning, "http", "connection", "the address", seen);
    }
    level == Level::Ok
}

/// Makes the calls in the order of the product.
async fn try_calls(probe: &mut Probe, api: &Upstream, options: &Options) -> Result<(), TimedOut> {
    let session = try_reading(probe, api, options).await?;
    let changes = "calls that change something";
    match session {
        _ if !options.write => probe
            .report
            .skip("other calls", changes, "--write is not given"),
        None => probe.report.skip(
            "other calls",
            changes,
            "validate-token gives no session data",
        ),
        Some(session) => try_writing(probe, api, &options.token, &session).await?,
    }
    match &options.cancel_token {
        Some(token) if options.write => try_cancelling(probe, api, token).await,
        _ => {
            probe.report.skip(
                "cancel-integrations",
                "the cancellation",
                "needs --write and --cancel-token",
            );
            Ok(())
        }
    }
}

async fn try_reading(
    probe: &mut Probe,
    api: &Upstream,
    options: &Options,
) -> Result<Option<SessionData>, TimedOut> {
    let (nobody, token) = (Caller::default(), &options.token);
    let validated = api.validate_token(&nobody, token, false);
    let session = probe
        .attempt(ValidateToken, Check::Answer, "the link's token", validated)
        .await?;
    let (unknown, tried) = (unknown_token(), "a token that does not exist");
    let validated = api.validate_token(&nobody, &unknown, false);
    probe
        .attempt(ValidateToken, Check::UnknownToken, tried, validated)
        .await?;
    match &options.expired_token {
        Some(expired) => {
            let validated = api.validate_token(&nobody, expired, false);
            probe
                .attempt(
                    ValidateToken,
                    Check::ExpiredToken,
                    "the expired token",
                    validated,
                )
                .await?;
        }
        None => probe.report.skip(
            ValidateToken.path(),
            "the expired token",
            "--expired-token is not given",
        ),
    }
    for (check, tried, is_return) in [
        (Check::Repeat, "the same token again", false),
        (Check::OfSuccess, "a return from the bank", true),
    ] {
        probe
            .attempt(
                ValidateToken,
                check,
                tried,
                api.validate_token(&probe.caller(token), token, is_return),
            )
            .await?;
    }

    probe
        .exercise(ListBanks, "the list", token, async |caller| {
            api.list_banks(caller).await
        })
        .await?;
    probe
        .exercise(ListAccounts, "the list", token, async |caller| {
            api.list_accounts(caller).await
        })
        .await?;
    if let Some(expired) = &options.expired_token {
        let tried = "the expired token as bearer";
        probe
            .attempt(
                ListAccounts,
                Check::ExpiredToken,
                tried,
                api.list_accounts(&probe.caller(expired)),
            )
            .await?;
    }
    Ok(session)
}

/// The calls that change something. What has to be refused comes first.
async fn try_writing(
    probe: &mut Probe,
    api: &Upstream,
    token: &LinkToken,
    session: &SessionData,
) -> Result<(), TimedOut> {
    let unknown_id =
        Id::parse(&format!("check-api-unknown-{:016x}", rand::random::<u64>())).expect("not blank");

    // An API has to bear the evidence beside a consent. The address is one for documents (RFC 5737).
    let client_address = Some(Ipv4Addr::new(192, 0, 2, 1).into());
    let evidence = ConsentEvidence {
        client_address,
        ..ConsentEvidence::default()
    };
    let consent =
        async |caller: &Caller, firm: &Id| api.authorize_customer(caller, firm, &evidence).await;
    let (caller, tried) = (probe.caller(token), "a firm that is not the link's");
    probe
        .attempt(
            AuthorizeCustomer,
            Check::WrongId,
            tried,
            consent(&caller, &unknown_id),
        )
        .await?;
    let send = async |caller: &Caller| consent(caller, &session.customer_id).await;
    probe
        .exercise(AuthorizeCustomer, "the consent", token, send)
        .await?;
    let caller = probe.caller(token);
    if caller.xsrf.is_some() {
        let without = Caller {
            xsrf: None,
            ..caller
        };
        probe
            .attempt(
                AuthorizeCustomer,
                Check::Xsrf,
                "without the XSRF token",
                send(&without),
            )
            .await?;
    }

    let mut request = ConnectTokenRequest {
        client_uuid: Some(unknown_id),
        ..ConnectTokenRequest::default()
    };
    request.link_id.clone_from(&session.link_id);
    let (caller, tried) = (probe.caller(token), "a client that is not the link's");
    probe
        .attempt(
            ConnectToken,
            Check::WrongId,
            tried,
            api.connect_token(&caller, &request),
        )
        .await?;
    request.client_uuid.clone_from(&session.client_uuid);
    probe
        .exercise(ConnectToken, "a token", token, async |caller| {
            api.connect_token(caller, &request).await
        })
        .await?;

    let (call, tried) = (Call::UpdateLinkAccount, "the link's own item");
    match session
        .link_id
        .as_ref()
        .and_then(|link| ItemId::parse(&link.to_string()))
    {
        Some(item) => {
            probe
                .exercise(call, tried, token, async |caller| {
                    api.update_link_account(caller, &item).await
                })
                .await?;
        }
        None => probe
            .report
            .skip(call.path(), tried, "the session data has no link_id"),
    }

    for (tried, kind, status) in [
        (
            "a request for a connect token",
            LogType::ConnectTokenRequest,
            LogStatus::Success,
        ),
        (
            "its failure",
            LogType::ConnectTokenResponse,
            LogStatus::Error,
        ),
        (
            "an error of Connect",
            LogType::WidgetError,
            LogStatus::Error,
        ),
    ] {
        let data = json!({ "provider": "pluggy", "message": "check-api", "item": null });
        let entry = LogEntry {
            kind,
            status,
            data,
            idempotency_key: None,
        };
        probe
            .attempt(
                Log,
                Check::Answer,
                tried,
                api.log(&probe.caller(token), &entry),
            )
            .await?;
    }
    // A UUID of zeros and twelve random digits: Pluggy knows no such item. The key is the same in each delivery.
    let id = format!(
        "00000000-0000-4000-8000-{:012x}",
        rand::random::<u64>() >> 16
    );
    let (item, key) = (
        ItemId::parse(&id).expect("a UUID is an item's id"),
        rand::random(),
    );
    let entry = LogEntry::success(&item, key);
    let deliver = async |caller: &Caller| api.log(caller, &entry).await;
    probe
        .exercise(Log, "a success of Connect", token, deliver)
        .await?;

    probe
        .exercise(Call::Success, "the success", token, async |caller| {
            api.success(caller, token).await
        })
        .await?;
    let (caller, tried) = (probe.caller(token), "the link afterwards");
    probe
        .attempt(
            Call::Success,
            Check::After,
            tried,
            api.validate_token(&caller, token, false),
        )
        .await?;
    Ok(())
}

/// The cancellation, of the client of the cancel token.
async fn try_cancelling(
    probe: &mut Probe,
    api: &Upstream,
    token: &LinkToken,
) -> Result<(), TimedOut> {
    probe.xsrf = None;
    let (nobody, call) = (Caller::default(), CancelIntegrations);
    let validated = api.validate_token(&nobody, token, false);
    let session = probe
        .attempt(
            call,
            Check::Token,
            "validate-token with the cancel token",
            validated,
        )
        .await?;
    let Some(session) = session else {
        return Ok(());
    };
    // A CNPJ of zeros belongs to nobody.
    let (unknown, caller) = (TaxId::new("00000000000000"), probe.caller(token));
    let refused = api.cancel_integrations(&caller, &unknown);
    probe
        .attempt(
            call,
            Check::WrongId,
            "a document that is not the client's",
            refused,
        )
        .await?;
    let cancel = async |caller: &Caller| {
        api.cancel_integrations(caller, &session.client_cpfcnpj)
            .await
    };
    probe
        .exercise(call, "the cancellation", token, cancel)
        .await?;
    let tried = "list-accounts afterwards";
    probe
        .attempt(
            call,
            Check::After,
            tried,
            api.list_accounts(&probe.caller(token)),
        )
        .await?;
    Ok(())
}
