//! The client against servers that follow the contract, and against servers that do not.

mod concurrency;
mod contract;
mod debug_log;
mod faults;

use std::time::Duration;

use reqwest::Url;
use serde_json::json;
use vincula_domain::{
    bank::TaxId,
    token::{LinkToken, XsrfToken},
};

use super::{
    Call, CallError, Caller, ConnectTokenRequest, ConsentEvidence, Id, ItemId, LogEntry, LogStatus,
    LogType, MAX_CALLS, Upstream, UpstreamConfig, Validation,
};

const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.sample.link-token";
const XSRF: &str = "x%3D%3D";
const ITEM: &str = "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a";

pub(crate) fn upstream(base: &str, timeout: Duration) -> Upstream {
    let base = Url::parse(base).unwrap();
    Upstream::new(&UpstreamConfig {
        base,
        timeout,
        max_calls: MAX_CALLS,
    })
    .unwrap()
}

fn link_token() -> LinkToken {
    LinkToken::parse(TOKEN).unwrap()
}

fn caller() -> Caller {
    Caller {
        token: Some(link_token()),
        xsrf: XsrfToken::parse(XSRF),
        ..Caller::default()
    }
}

/// Makes any of the nine calls with the values of its example.
async fn make_call(call: Call, upstream: &Upstream, caller: &Caller) -> Result<(), CallError> {
    let uuid = Id::parse("0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11");
    let data = json!({"item": {"id": ITEM}});
    let entry = LogEntry::new(LogType::WidgetSuccess, LogStatus::Success, data);
    match call {
        Call::ValidateToken => upstream
            .validate_token(caller, &link_token(), Validation::Full)
            .await
            .map(drop),
        Call::AuthorizeCustomer => {
            let evidence = ConsentEvidence::default();
            upstream
                .authorize_customer(caller, &Id::Number(4711.into()), &evidence)
                .await
                .map(drop)
        }
        Call::ListAccounts => upstream.list_accounts(caller).await.map(drop),
        Call::CancelIntegrations => upstream
            .cancel_integrations(caller, &TaxId::new("12.ABC.345/01DE-35"))
            .await
            .map(drop),
        Call::ListBanks => upstream.list_banks(caller).await.map(drop),
        Call::Success => upstream.success(caller, &link_token()).await.map(drop),
        Call::ConnectToken => {
            let request = ConnectTokenRequest {
                link_id: Id::parse(ITEM),
                client_uuid: uuid,
            };
            upstream.connect_token(caller, &request).await.map(drop)
        }
        Call::Log => upstream.log(caller, &entry).await.map(drop),
        Call::UpdateLinkAccount => upstream
            .update_link_account(caller, &ItemId::parse(ITEM).unwrap())
            .await
            .map(drop),
    }
}
