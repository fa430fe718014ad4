//! Tests a widget API as the product uses it, and reports the findings by call.
//!
//! The product's own client makes the calls, so that an API that passes also works with the
//! product. A stricter check of the contract (docs/widget-api.openapi.yaml) adds warnings.

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
    SessionData, Upstream, UpstreamConfig, Validation,
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

    /// Token of a link whose client may lose all integrations: checks the cancellation. Needs
    /// --write.
    #[arg(long, env = "CHECK_API_CANCEL_TOKEN", hide_env_values = true, value_parser = Unshown(token))]
    pub cancel_token: Option<LinkToken>,

    /// Also tries the calls that change something.
    #[arg(long)]
    pub write: bool,

    /// Longest time for one call, in seconds. The product waits for UPSTREAM_TIMEOUT_MS, half an
    /// hour by default.
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

/// Tests the API. Fails only if TLS cannot be set up on this machine.
pub async fn check(options: &Options) -> anyhow::Result<Report> {
    let timeout = Duration::from_secs(options.timeout);
    let api = Upstream::new(&UpstreamConfig {
        base: options.url.clone(),
        timeout,
        connect_timeout: CONNECT_TIMEOUT.min(timeout),
    })?;
    let mut probe = Probe::default();
    let api = api.observed_by(probe.observer.clone());
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
            "a call got no response in time",
        );
    }
    Ok(probe.report)
}

async fn reach(report: &mut Report, api: &Upstream, options: &Options) -> bool {
    let (level, seen) = match api.probe(Duration::from_secs(options.timeout)).await {
        Ok(status) => (Level::Good, format!("HTTP {status}")),
        // The error of rustls for a response in plain HTTP.
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
    level == Level::Good
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
            "validate-token returns no session data",
        ),
        Some(session) => try_writing(probe, api, &options.token, &session).await?,
    }
    match &options.cancel_token {
        Some(token) if options.write => try_cancelling(probe, api, token).await,
        _ => {
            probe.report.skip(
                "cancel-integrations",
                "the cancellation",
                "needs --write, and CHECK_API_CANCEL_TOKEN or --cancel-token",
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
    let token = &options.token;
    let nobody = Caller::default;
    let validate = async |caller: &Caller, token: &LinkToken| {
        api.validate_token(caller, token, Validation::Full).await
    };
    let (check, tried) = (Check::Answer, "the link's token");
    let session = probe
        .attempt(ValidateToken, check, tried, nobody(), async |caller| {
            validate(caller, token).await
        })
        .await?;
    let (check, tried) = (Check::UnknownToken, "a token that does not exist");
    probe
        .attempt(ValidateToken, check, tried, nobody(), async |caller| {
            validate(caller, &unknown_token()).await
        })
        .await?;
    match &options.expired_token {
        Some(expired) => {
            let (check, tried) = (Check::ExpiredToken, "the expired token");
            probe
                .attempt(ValidateToken, check, tried, nobody(), async |caller| {
                    validate(caller, expired).await
                })
                .await?;
        }
        None => probe.report.skip(
            ValidateToken.path(),
            "the expired token",
            "needs CHECK_API_EXPIRED_TOKEN or --expired-token",
        ),
    }
    for (check, tried, validation) in [
        (Check::Repeat, "the same token again", Validation::Full),
        (
            Check::OfSuccess,
            "a return from the bank",
            Validation::AfterReturn,
        ),
    ] {
        let caller = probe.caller(token);
        probe
            .attempt(ValidateToken, check, tried, caller, async |caller| {
                api.validate_token(caller, token, validation).await
            })
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
        let (check, tried) = (Check::ExpiredToken, "the expired token as bearer");
        let caller = probe.caller(expired);
        probe
            .attempt(ListAccounts, check, tried, caller, async |caller| {
                api.list_accounts(caller).await
            })
            .await?;
    }
    Ok(session)
}

/// The calls that change something. Calls that the API must reject come first.
async fn try_writing(
    probe: &mut Probe,
    api: &Upstream,
    token: &LinkToken,
    session: &SessionData,
) -> Result<(), TimedOut> {
    let unknown_id =
        Id::parse(&format!("check-api-unknown-{:016x}", rand::random::<u64>())).expect("not blank");

    // An API must tolerate the evidence headers of a consent. The address is reserved for
    // documentation (RFC 5737).
    let client_address = Some(Ipv4Addr::new(192, 0, 2, 1).into());
    let evidence = ConsentEvidence {
        client_address,
        ..ConsentEvidence::default()
    };
    let consent =
        async |caller: &Caller, firm: &Id| api.authorize_customer(caller, firm, &evidence).await;
    let (check, tried) = (Check::WrongId, "a firm that is not the link's");
    let caller = probe.caller(token);
    probe
        .attempt(AuthorizeCustomer, check, tried, caller, async |caller| {
            consent(caller, &unknown_id).await
        })
        .await?;
    let send = async |caller: &Caller| consent(caller, &session.customer_id).await;
    probe
        .exercise(AuthorizeCustomer, "the consent", token, &send)
        .await?;
    let caller = probe.caller(token);
    if caller.xsrf.is_some() {
        let without = Caller {
            xsrf: None,
            ..caller
        };
        let (check, tried) = (Check::Xsrf, "without the XSRF token");
        probe
            .attempt(AuthorizeCustomer, check, tried, without, send)
            .await?;
    }

    let mut request = ConnectTokenRequest {
        client_uuid: Some(unknown_id),
        ..ConnectTokenRequest::default()
    };
    request.link_id.clone_from(&session.link_id);
    let (check, tried) = (Check::WrongId, "a client that is not the link's");
    let caller = probe.caller(token);
    probe
        .attempt(ConnectToken, check, tried, caller, async |caller| {
            api.connect_token(caller, &request).await
        })
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
        let caller = probe.caller(token);
        probe
            .attempt(Log, Check::Answer, tried, caller, async |caller| {
                api.log(caller, &entry).await
            })
            .await?;
    }
    // A UUID of zeros and twelve random digits, which is not an item of Pluggy. The key is the same
    // in each delivery.
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
    let (check, tried) = (Check::After, "the link afterwards");
    let caller = probe.caller(token);
    probe
        .attempt(Call::Success, check, tried, caller, async |caller| {
            api.validate_token(caller, token, Validation::Full).await
        })
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
    let call = CancelIntegrations;
    let (check, tried) = (Check::Token, "validate-token with the cancel token");
    let session = probe
        .attempt(call, check, tried, Caller::default(), async |caller| {
            api.validate_token(caller, token, Validation::Full).await
        })
        .await?;
    let Some(session) = session else {
        return Ok(());
    };
    // A CNPJ of zeros belongs to no company.
    let unknown = TaxId::new("00000000000000");
    let (check, tried) = (Check::WrongId, "a document that is not the client's");
    let caller = probe.caller(token);
    probe
        .attempt(call, check, tried, caller, async |caller| {
            api.cancel_integrations(caller, &unknown).await
        })
        .await?;
    let cancel = async |caller: &Caller| {
        api.cancel_integrations(caller, &session.client_cpfcnpj)
            .await
    };
    probe
        .exercise(call, "the cancellation", token, cancel)
        .await?;
    let caller = probe.caller(token);
    probe
        .attempt(
            call,
            Check::After,
            "list-accounts afterwards",
            caller,
            async |caller| api.list_accounts(caller).await,
        )
        .await?;
    Ok(())
}
