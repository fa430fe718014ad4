//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use std::time::Duration;

use axum::http::StatusCode;
use leptos::{prelude::*, server_fn::codec::Json};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use vincula_domain::{
    bank::cpf_digits,
    problem::Problem,
    routes::Page,
    wire::{self, ConnectStart, Done, Failure, FromPage, Onward},
};
use vincula_upstream::{
    CallError, CallOutput, Caller, ConnectTokenRequest, ItemId, LogEntry, LogStatus, LogType,
    Upstream, redact,
};

use super::ActionError;
use crate::{
    session::{Linked, MayFinish, Session},
    steps::{action::SessionAction, bank_form, connect_settings::ConnectSettings},
    telemetry::FunnelStep,
};

/// Gets a connect token and Connect's other parameters: `POST /api/open_connect`, upstream `POST
/// /connect-token` between two log calls. Fails with `Navigate` to the step that is due if Connect
/// may not open yet.
#[server(prefix = "/api", endpoint = "open_connect", input = Json)]
pub async fn open_connect(input: FromPage) -> Result<ConnectStart, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let may_open = action
        .session
        .may_open_connect()
        .ok_or_else(|| action.not_yet(Page::Widget))?;
    let request = ConnectTokenRequest {
        link_id: action.session.client.link_id.clone(),
        client_uuid: action.session.client.client_uuid.clone(),
    };
    let (upstream, caller) = action.upstream();
    let token = action
        .call_detached(async move { connect_token(&upstream, &caller, &request).await })
        .await?;
    action.session.open_connect(may_open);
    action.seal()?;
    action.responder.count_step(FunnelStep::ConnectOpened);
    let settings = &action.responder.state.connect;
    Ok(connect_start(settings, &action.session, &token))
}

/// The parameters of Connect for a session.
fn connect_start(
    settings: &ConnectSettings,
    session: &Session,
    token: &SecretString,
) -> ConnectStart {
    let client = &session.client;
    // An update has its bank.
    let is_update = client.link_id.is_some();
    let bank = session.stage.bank().map(|bank| &bank.code);
    ConnectStart {
        connect_token: token.expose_secret().to_owned(),
        update_item: client.link_id.as_ref().map(ToString::to_string),
        selected_connector_id: if is_update {
            None
        } else {
            settings.connector_id(bank)
        },
        include_sandbox: settings.include_sandbox,
        url: settings.url.clone(),
        cpf: cpf_digits(&session.administrator().cpf),
        cnpj: client.cpfcnpj.is_company().then(|| client.cpfcnpj.bare()),
    }
}

/// Takes an item that Connect created or updated: `POST /api/finish_connect`. Upstream, calls `PUT
/// /update-link-account` if the session has a `link_id`, and starts the delivery of `POST /log`,
/// which continues in the background. Within one opening of Connect, each item is reported once.
///
/// A failure states whether the item is refused permanently. If not, the tab keeps the item,
/// because the bank account is linked, and the client must not have to log in at the bank again.
#[server(prefix = "/api", endpoint = "finish_connect", input = Json)]
pub async fn finish_connect(input: wire::FinishConnect) -> Result<Onward, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let item = ItemId::parse(&input.item_id).ok_or_else(|| invalid_item(&action))?;
    let key = action.digest("item", item.as_str());
    let Some(may_finish) = action.session.may_finish_connect() else {
        if action.session.is_cancelled() {
            log_late_item(&action, &item, key)?;
        }
        return Err(not_due(&action));
    };
    let digest = key as u64;
    if !action.session.attempt.has_reported(digest) {
        report_item(&mut action, item, key, may_finish).await?;
        action.responder.count_step(FunnelStep::Linked);
    }
    let bank = bank_form::displayed(&input.bank_name);
    action
        .session
        .linked(Linked::Item(digest), bank, action.now());
    action.seal()?;
    Ok(Page::Success.into())
}

fn invalid_item(action: &SessionAction) -> ActionError {
    let failure = Failure::problem(Problem::TokenInvalid).refusing_item();
    action
        .responder
        .fail(StatusCode::UNPROCESSABLE_ENTITY, failure)
}

/// The failure if the session does not expect an item. After a cancellation the item is refused
/// permanently. Without a consent, the tab keeps the item until the client has given one.
fn not_due(action: &SessionAction) -> ActionError {
    let mut error = action.not_yet(Page::Widget);
    error.failure.item_refused = action.session.is_cancelled();
    error
}

/// Logs an item that was linked just before everything was cancelled, so that the upstream can end
/// the connection.
fn log_late_item(action: &SessionAction, item: &ItemId, key: u128) -> Result<(), ActionError> {
    let place = action.responder.reserve_delivery(&action.session)?;
    let (upstream, caller) = action.upstream();
    upstream.deliver_success(caller, item, key, place);
    Ok(())
}

/// Reports an item to the upstream, once in this process. `key` identifies the item within the
/// current opening of Connect.
async fn report_item(
    action: &mut SessionAction,
    item: ItemId,
    key: u128,
    _: MayFinish,
) -> Result<(), ActionError> {
    let place = action.responder.reserve_delivery(&action.session)?;
    let is_update = action.session.client.link_id.is_some();
    let (upstream, caller) = action.upstream();
    let report = async move {
        let output = if is_update {
            upstream.update_link_account(&caller, &item).await?
        } else {
            CallOutput::default()
        };
        let xsrf = output.xsrf.clone().apply(caller.xsrf);
        upstream.deliver_success(Caller { xsrf, ..caller }, &item, key, place);
        Ok(output)
    };
    let upstream = &action.responder.state.upstream;
    let reported = upstream.call_once(key, report).await;
    let is_permanent = reported
        .as_ref()
        .is_err_and(CallError::is_permanent_refusal);
    action.take(reported).map_err(|mut error| {
        error.failure.item_refused = is_permanent;
        error
    })
}

/// Logs that Connect reported an error or did not open: `POST /api/report_connect_error`, upstream
/// `POST /log` only. An account that waits for another person's approval is remembered.
#[server(prefix = "/api", endpoint = "report_connect_error", input = Json)]
pub async fn report_connect_error(input: wire::ReportConnectError) -> Result<Done, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let (upstream, caller) = action.upstream();
    let message = redact::shortened(&input.message, &caller.secrets(), MAX_MESSAGE_CHARS);
    let item = input
        .item_id
        .as_deref()
        .and_then(ItemId::parse)
        .map(|id| json!({ "id": id.as_str() }));
    let data = json!({ "message": message, "item": item });
    upstream.spawn_log(
        caller,
        LogEntry::new(LogType::WidgetError, LogStatus::Error, data),
    );
    let now = action.now();
    let may_finish = action.session.may_finish_connect();
    let is_changed = match may_finish {
        Some(may_finish) if input.pending => action.session.awaits_approval(may_finish, now),
        _ => false,
    };
    if is_changed {
        action.seal()?;
    } else {
        action.renew_if_due();
    }
    Ok(Done {})
}

/// Counts a step inside Connect: `POST /api/report_connect_step`. Does not call the upstream, and
/// sets no cookie. The page ignores its errors.
#[server(prefix = "/api", endpoint = "report_connect_step", input = Json)]
pub async fn report_connect_step(input: wire::ReportConnectStep) -> Result<Done, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    if action.session.may_finish_connect().is_none() {
        return Err(action.not_yet(Page::Widget));
    }
    action.responder.count_step(input.step);
    // A connector's id is no label: there are hundreds. It is a bank's, and public.
    tracing::debug!(
        step = <&str>::from(input.step),
        connector = input.connector,
        "step of Connect"
    );
    Ok(Done {})
}

/// How long the connect token call waits for the log call before it, so that the upstream gets them
/// in order.
const LOG_HEAD_START: Duration = Duration::from_millis(50);

/// Longest message of Connect that is sent to the upstream's log, in characters.
const MAX_MESSAGE_CHARS: usize = 500;

/// Gets a connect token, between two log calls.
async fn connect_token(
    upstream: &Upstream,
    caller: &Caller,
    request: &ConnectTokenRequest,
) -> Result<CallOutput<SecretString>, CallError> {
    let log =
        |kind, status, data| upstream.spawn_log(caller.clone(), LogEntry::new(kind, status, data));
    let asked = json!({ "link_id": request.link_id, "client_uuid": request.client_uuid });
    let logged = log(LogType::ConnectTokenRequest, LogStatus::Success, asked);
    let _ = tokio::time::timeout(LOG_HEAD_START, logged).await;
    let result = upstream.connect_token(caller, request).await;
    let (status, data) = match &result {
        Ok(_) => (LogStatus::Success, json!({ "connect_token": "received" })),
        Err(error) => (LogStatus::Error, about(error)),
    };
    log(LogType::ConnectTokenResponse, status, data);
    result
}

/// The data of a failed call for the upstream's log.
fn about(error: &CallError) -> serde_json::Value {
    match error {
        CallError::Failed(response) => json!({
            "provider": "pluggy", "status": response.meta_status, "message": response.message,
        }),
        other => json!({ "provider": "pluggy", "message": other.to_string() }),
    }
}
