//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio::time::Instant;
use vincula_domain::{Private, bank::cpf_digits};
use vincula_upstream::{
    CallError, CallOutput, Caller, ConnectTokenRequest, ItemId, LogEntry, LogStatus, LogType,
    Upstream, XsrfChange, redact,
};

use crate::{
    actions::{ActionContext, ActionError, SessionAction, xsrf_change},
    connect_settings::ConnectSettings,
    routes::Page,
    screen::Screen,
    session::{Approval, ItemState, Session, Submission},
    telemetry::FunnelStep,
    wire::{
        ConnectStart, Done, FinishConnectInput, FinishedConnect, FromPage, ItemOutcome,
        ReportConnectErrorInput, ReportConnectStepInput, ReportedError,
    },
};

/// How long an action waits for the upstream to have an item.
const ITEM_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the connect token call waits for the log call before it, so that the upstream gets them
/// in order.
const LOG_HEAD_START: Duration = Duration::from_millis(50);

/// Longest message of Connect that is sent to the upstream's log, in characters.
const MAX_MESSAGE_CHARS: usize = 500;

/// What the step shows after the bank form. `now`: Unix seconds.
pub fn connect_screen(session: &Session, now: u64) -> Screen {
    Screen::Connect(session.page_context(now))
}

/// What the step shows for a renewal. `now`: Unix seconds.
pub fn update_screen(session: &Session, now: u64) -> Screen {
    Screen::Update(session.page_context(now))
}

/// Gets a connect token and Connect's other parameters.
pub async fn open_connect(
    context: ActionContext,
    page: FromPage,
) -> Result<ConnectStart, ActionError> {
    let mut action = context.in_session(&page.session)?;
    let may_open = action
        .session
        .may_open_connect()
        .ok_or(ActionError::NotYet(Page::Widget))?;
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
    action.context.count_step(FunnelStep::ConnectOpened);
    let settings = &action.context.state.connect;
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
        connect_token: token.expose_secret().into(),
        update_item: client.link_id.as_ref().map(ToString::to_string),
        selected_connector_id: if is_update {
            None
        } else {
            settings.connector_id(bank)
        },
        include_sandbox: settings.include_sandbox,
        url: settings.url.clone(),
        cpf: cpf_digits(&session.administrator().cpf).map(Private::from),
        cnpj: client.cpfcnpj.cnpj().map(Private::from),
    }
}

/// Records that the client has closed Connect.
pub async fn close_connect(context: ActionContext, page: FromPage) -> Result<Done, ActionError> {
    let mut action = context.in_session(&page.session)?;
    action.session.close_connect();
    action.seal()?;
    Ok(Done {})
}

/// Takes an item that Connect created or updated. Waits for [`ITEM_TIMEOUT`] at most. No process
/// keeps the item: the browser does, until the upstream has it.
///
/// A failed update fails the action, and the failure states whether the item is refused
/// permanently. If only the log fails, the client goes on, and the browser submits the item again.
pub async fn finish_connect(
    context: ActionContext,
    input: FinishConnectInput,
) -> Result<FinishedConnect, ActionError> {
    let mut action = context.in_session(&input.session)?;
    let item = ItemId::parse(&input.item_id).ok_or(ActionError::InvalidItem)?;
    let submission = if input.again {
        Submission::Again
    } else {
        Submission::First
    };
    if action.session.is_cancelled() {
        return Ok(log_late_item(&action, &item).await);
    }
    let may_finish = action
        .session
        .may_finish_connect(submission)
        .ok_or(ActionError::NotYet(Page::Widget))?;
    let known = action.session.state_of(&item);
    if known == Some(ItemState::Done) {
        return Ok(finished(ItemOutcome::Accepted));
    }
    let deadline = Instant::now() + ITEM_TIMEOUT;
    let is_updated = update_link(&mut action, &item, submission, deadline).await?;
    let logged = log_item(&action, LogEntry::success(&item), &item, deadline).await;
    let before = action.session.item.clone();
    if known.is_none() {
        let approval = approval(input.pending);
        action
            .session
            .finish_connect(may_finish, approval, action.now());
        action.context.count_step(FunnelStep::Linked);
    }
    let state = match (logged.outcome, is_updated) {
        (ItemOutcome::Accepted | ItemOutcome::Refused, _) => ItemState::Done,
        (ItemOutcome::Kept, true) => ItemState::Update,
        (ItemOutcome::Kept, false) => ItemState::Nothing,
    };
    action.session.set_item(&item, state);
    action
        .session
        .set_item_refused(logged.outcome == ItemOutcome::Refused);
    action.session.apply_xsrf(logged.xsrf);
    // A repeated failure changes nothing, so that it cannot undo what the client does meanwhile.
    if action.session.item != before {
        action.seal()?;
    }
    Ok(finished(logged.outcome))
}

fn finished(item: ItemOutcome) -> FinishedConnect {
    FinishedConnect {
        to: Page::Success.into(),
        item,
    }
}

fn approval(pending: bool) -> Approval {
    if pending {
        Approval::Awaited
    } else {
        Approval::NotNeeded
    }
}

/// Logs an item that was linked just before everything was cancelled, so that the upstream can end
/// the connection. Changes no session.
async fn log_late_item(action: &SessionAction, item: &ItemId) -> FinishedConnect {
    let deadline = Instant::now() + ITEM_TIMEOUT;
    let logged = log_item(action, LogEntry::success(item), item, deadline).await;
    FinishedConnect {
        to: Page::CancelSuccess.into(),
        item: logged.outcome,
    }
}

/// Reports a renewed item, if the session has a `link_id` and the upstream has not accepted the
/// update before. To a repeated submission, an update without changes is accepted. Returns whether
/// the upstream has the update.
async fn update_link(
    action: &mut SessionAction,
    item: &ItemId,
    submission: Submission,
    deadline: Instant,
) -> Result<bool, ActionError> {
    if action.session.client.link_id.is_none() {
        return Ok(false);
    }
    if action.session.state_of(item) == Some(ItemState::Update) {
        return Ok(true);
    }
    let (upstream, caller) = action.upstream();
    let upstream = upstream.with_timeout(deadline - Instant::now());
    let reported = item.clone();
    let called = action
        .context
        .detached(async move { upstream.update_link_account(&caller, &reported).await })
        .await;
    match called {
        Err(error) if submission == Submission::Again && error.is_unchanged() => Ok(true),
        called => {
            action.keep_xsrf(&called)?;
            called.map_err(ActionError::Item)?;
            Ok(true)
        }
    }
}

/// The log call that names an item.
struct LoggedItem {
    outcome: ItemOutcome,
    xsrf: XsrfChange,
}

/// Makes the log call that names an item. A refusal is final.
async fn log_item(
    action: &SessionAction,
    entry: LogEntry,
    item: &ItemId,
    deadline: Instant,
) -> LoggedItem {
    let (upstream, caller) = action.upstream();
    let upstream = upstream.with_timeout(deadline - Instant::now());
    let called = action
        .context
        .detached(async move { upstream.log(&caller, &entry).await })
        .await;
    let xsrf = xsrf_change(&called);
    match called {
        Ok(_) => LoggedItem {
            outcome: ItemOutcome::Accepted,
            xsrf,
        },
        Err(error) if error.is_refusal() => {
            tracing::warn!(
                call = "log",
                item = item.as_str(),
                %error,
                "an item was refused: tell the firm"
            );
            LoggedItem {
                outcome: ItemOutcome::Refused,
                xsrf,
            }
        }
        // A repeated failure changes nothing, so that it cannot undo what the client does meanwhile.
        Err(_) => LoggedItem {
            outcome: ItemOutcome::Kept,
            xsrf: XsrfChange::None,
        },
    }
}

/// Logs that Connect reported an error or did not open. An account that waits for another person's
/// approval is remembered. If the error names its item, the response waits for the log, as that of a
/// success does.
pub async fn report_connect_error(
    context: ActionContext,
    input: ReportConnectErrorInput,
) -> Result<ReportedError, ActionError> {
    let mut action = context.in_session(&input.session)?;
    let (upstream, caller) = action.upstream();
    let message = redact::shortened(&input.message, &caller.secrets(), MAX_MESSAGE_CHARS);
    let item = input.item_id.as_deref().and_then(ItemId::parse);
    let named = item.as_ref().map(|id| json!({ "id": id.as_str() }));
    let data = json!({ "message": message, "item": named });
    let entry = LogEntry::new(LogType::WidgetError, LogStatus::Error, data);
    let logged = match item.filter(|_| input.pending) {
        Some(item) => {
            let deadline = Instant::now() + ITEM_TIMEOUT;
            log_item(&action, entry, &item, deadline).await
        }
        None => {
            upstream.spawn_log(caller, entry);
            LoggedItem {
                outcome: ItemOutcome::Accepted,
                xsrf: XsrfChange::None,
            }
        }
    };
    let may_finish = action.session.may_finish_connect(Submission::First);
    if let Some(may_finish) = may_finish.filter(|_| input.pending) {
        let before = (action.session.linking.clone(), action.session.progress);
        let renews_xsrf = logged.xsrf != XsrfChange::None;
        action.session.await_approval(may_finish, action.now());
        if logged.outcome == ItemOutcome::Refused {
            action.session.set_item_refused(true);
        }
        action.session.apply_xsrf(logged.xsrf);
        let after = (action.session.linking.clone(), action.session.progress);
        if renews_xsrf || after != before {
            action.seal()?;
        }
    }
    Ok(ReportedError {
        item: logged.outcome,
    })
}

/// Counts a step inside Connect.
pub async fn report_connect_step(
    context: ActionContext,
    input: ReportConnectStepInput,
) -> Result<Done, ActionError> {
    let action = context.in_session(&input.session)?;
    if action
        .session
        .may_finish_connect(Submission::First)
        .is_none()
    {
        return Err(ActionError::NotYet(Page::Widget));
    }
    action.context.count_step(input.step);
    // A connector's id is no label: there are hundreds. It is a bank's, and public.
    tracing::debug!(
        step = <&str>::from(input.step),
        connector = input.connector,
        "step of Connect"
    );
    Ok(Done {})
}

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
        Err(error) => (LogStatus::Error, log_data(error)),
    };
    log(LogType::ConnectTokenResponse, status, data);
    result
}

/// The data of a failed call for the upstream's log.
fn log_data(error: &CallError) -> serde_json::Value {
    match error {
        CallError::Failed(response) => json!({
            "provider": "pluggy", "status": response.meta_status, "message": response.message,
        }),
        other => json!({ "provider": "pluggy", "message": other.to_string() }),
    }
}
