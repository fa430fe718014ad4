//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use std::time::Duration;

use axum::http::StatusCode;
use leptos::{prelude::*, server_fn::codec::Json};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use vincula_domain::{
    bank::cpf_digits,
    problem::Problem,
    routes,
    wire::{self, ConnectStart, Done, Failure, FromPage, Next},
};
use vincula_upstream::{
    Answer, CallError, Caller, ConnectTokenRequest, ItemId, LogEntry, LogStatus, LogType, Upstream,
    XsrfChange, redact,
};

use super::ActionError;
use crate::{
    session::{Attempt, Linked, Session},
    steps::action::SessionAction,
    telemetry::Step,
};

/// Gets a connect token and Connect's other parameters: `POST /api/open_connect`, upstream `POST /connect-token`
/// between two log calls. Fails with `Navigate` to the step that is due if Connect is not.
#[server(prefix = "/api", endpoint = "open_connect", input = Json)]
pub async fn open_connect(input: FromPage) -> Result<ConnectStart, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    if !may_connect(&action.session) {
        return Err(action.not_yet(routes::WIDGET));
    }
    let client = &action.session.client;
    let link_id = client.link_id.clone();
    let request = ConnectTokenRequest {
        link_id: link_id.clone(),
        client_uuid: client.client_uuid.clone(),
    };
    let (upstream, caller) = action.upstream();
    let token = action
        .call_detached(async move { connect_token(&upstream, &caller, &request).await })
        .await?;
    // Accounts that were linked before belong to another attempt.
    action.session.attempt = Attempt::open();
    action.seal()?;
    action.reply.state.metrics.count_step(Step::ConnectOpened);
    let (connect, client) = (&action.reply.state.connect, &action.session.client);
    // An update has its bank.
    let (selected_connector_id, connector_type) = match &link_id {
        Some(_) => (None, None),
        None => (
            connect.connector_id(action.session.stage.bank().map(|bank| &bank.code)),
            connect.connector_type(client),
        ),
    };
    Ok(ConnectStart {
        connect_token: token.expose_secret().to_owned(),
        update_item: link_id.map(|id| id.to_string()),
        selected_connector_id,
        connector_type,
        include_sandbox: connect.include_sandbox,
        products: connect.products.clone(),
        url: connect.url.clone(),
        cpf: cpf_digits(&action.session.administrator().cpf),
        cnpj: client.cpfcnpj.is_company().then(|| client.cpfcnpj.bare()),
    })
}

/// Reports an item that Connect created or updated: `POST /api/finish_connect`, upstream `PUT /update-link-account` if
/// the session has a link, then `POST /log`, which is delivered in the background. Each item is reported once.
///
/// A failure says whether the item is refused for good. If it does not, the tab keeps the item: the bank account is linked,
/// and the bank must not be opened again for it.
#[server(prefix = "/api", endpoint = "finish_connect", input = Json)]
pub async fn finish_connect(input: wire::FinishConnect) -> Result<Next, ActionError> {
    let mut action = SessionAction::of_page(&input.session)?;
    let invalid = || {
        let failure = Failure::problem(Problem::TokenInvalid).refusing_item();
        action
            .reply
            .reject(StatusCode::UNPROCESSABLE_ENTITY, failure)
    };
    let item = ItemId::parse(&input.item_id).ok_or_else(invalid)?;
    if !may_finish(&action.session) {
        let ActionError { failure, .. } = action.not_yet(routes::WIDGET);
        // A session that has begun anew takes the item after its consent.
        let is_ended = action.session.is_cancelled();
        let failure = if is_ended {
            failure.refusing_item()
        } else {
            failure
        };
        return Err(failure.into());
    }
    let key = action.digest("item", item.as_str());
    let digest = key as u64;
    if !action.session.attempt.has_reported(digest) {
        let place = action
            .reply
            .state
            .deliveries
            .try_acquire(action.session.id.clone());
        let place = place.ok_or_else(|| action.reply.deliveries_full())?;
        let updates = action.session.client.link_id.is_some();
        let (upstream, caller) = action.upstream();
        let update_and_report = async move {
            let answer = match updates {
                true => upstream.update_link_account(&caller, &item).await?,
                false => Answer {
                    data: (),
                    xsrf: XsrfChange::None,
                },
            };
            let xsrf = answer.xsrf.clone().apply(caller.xsrf);
            upstream.deliver_success(Caller { xsrf, ..caller }, &item, key, place);
            Ok(answer)
        };
        let once = action.reply.state.upstream.clone();
        let answer = action
            .reply
            .detached(async move { once.call_once(key, update_and_report).await })
            .await;
        let is_final = answer.as_ref().is_err_and(CallError::is_final);
        action.take(answer).map_err(|ActionError { failure, .. }| {
            let failure = if is_final {
                failure.refusing_item()
            } else {
                failure
            };
            ActionError::from(failure)
        })?;
    }
    action.session.linked(Linked::Item(digest), action.now());
    action.seal()?;
    action.reply.state.metrics.count_step(Step::Linked);
    Ok(Next {
        to: routes::SUCCESS.into(),
    })
}

/// Logs that Connect reported an error or did not open: `POST /api/report_connect_error`, upstream `POST /log` only. An
/// account that waits for another person's approval is remembered.
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
        LogEntry {
            kind: LogType::WidgetError,
            status: LogStatus::Error,
            data,
            idempotency_key: None,
        },
    );
    let now = action.now();
    if input.pending && may_finish(&action.session) && action.session.awaits_approval(now) {
        action.seal()?;
    } else {
        action.renew_if_due();
    }
    Ok(Done {})
}

/// Counts a step inside Connect: `POST /api/report_connect_step`. Calls no upstream, and sets no cookie.
/// The page ignores its errors.
#[server(prefix = "/api", endpoint = "report_connect_step", input = Json)]
pub async fn report_connect_step(input: wire::ReportConnectStep) -> Result<Done, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    if !may_finish(&action.session) {
        return Err(action.not_yet(routes::WIDGET));
    }
    action.reply.state.metrics.count_step(input.step);
    // A connector's id is no label: there are hundreds. It is a bank's, and public.
    tracing::debug!(
        step = <&str>::from(input.step),
        connector = input.connector,
        "step of Connect"
    );
    Ok(Done {})
}

/// How long the connect token call waits for the log call before it, so that the upstream gets them in order.
const LOG_HEAD_START: Duration = Duration::from_millis(50);

/// Longest message of Connect that is sent to the upstream's log, in characters.
const MAX_MESSAGE_CHARS: usize = 500;

/// Gets a connect token, between two log calls.
async fn connect_token(
    upstream: &Upstream,
    caller: &Caller,
    request: &ConnectTokenRequest,
) -> Result<Answer<SecretString>, CallError> {
    let log = |kind, status, data| {
        upstream.spawn_log(
            caller.clone(),
            LogEntry {
                kind,
                status,
                data,
                idempotency_key: None,
            },
        )
    };
    let asked = json!({ "link_id": request.link_id, "client_uuid": request.client_uuid });
    let logged = log(LogType::ConnectTokenRequest, LogStatus::Success, asked);
    let _ = tokio::time::timeout(LOG_HEAD_START, logged).await;
    let answer = upstream.connect_token(caller, request).await;
    let (status, data) = match &answer {
        Ok(_) => (LogStatus::Success, json!({ "connect_token": "received" })),
        Err(error) => (LogStatus::Error, about(error)),
    };
    log(LogType::ConnectTokenResponse, status, data);
    answer
}

/// Connect opens after the bank form, or for an update, which needs none.
fn may_connect(session: &Session) -> bool {
    session.stage.bank().is_some() || session.may_renew()
}

/// An open Connect may finish even if the client has viewed the accounts meanwhile in another tab.
fn may_finish(session: &Session) -> bool {
    session.stage.consent().is_some() || session.may_renew()
}

/// The data of a failed call for the upstream's log.
fn about(error: &CallError) -> serde_json::Value {
    match error {
        CallError::Reply(reply) => json!({
            "provider": "pluggy", "status": reply.meta_status, "message": reply.message,
        }),
        other => json!({ "provider": "pluggy", "message": other.to_string() }),
    }
}
