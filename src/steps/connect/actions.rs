//! Connect's token, its items and its errors.

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
    actions::{ActionContext, ActionError, BrowserSession, CallResult, xsrf_change},
    config::ConnectSettings,
    routes::Page,
    session::{Approval, Session, bank_name},
    telemetry::FunnelStep,
    wire::{
        ConnectStart, Done, FinishedConnect, FromPage, ItemInput, ItemKind, ItemOutcome,
        ReportConnectErrorInput, SubmittedItem,
    },
};

/// How long an action waits for the upstream to have an item.
const ITEM_TIMEOUT: Duration = Duration::from_secs(10);

/// Longest message of Connect that is sent to the upstream's log, in characters.
const MAX_MESSAGE_CHARS: usize = 500;

/// Pluggy's code for an account that waits for another person's approval.
const USER_AUTHORIZATION_PENDING: &str = "USER_AUTHORIZATION_PENDING";

/// Gets a connect token and Connect's other parameters.
pub async fn open_connect(
    context: &ActionContext,
    session: &mut BrowserSession,
    page: FromPage,
) -> Result<ConnectStart, ActionError> {
    let mut session = session.of_page(&page.session)?;
    let visit = session.with_connect_open()?;
    let request = ConnectTokenRequest {
        link_id: session.client.link_id.clone(),
        client_uuid: session.client.client_uuid.clone(),
    };
    let token = session
        .call_detached(context, async move |upstream, caller| {
            connect_token(&upstream, &caller, &request).await
        })
        .await?;
    session.change().visit = visit;
    context.count_step(FunnelStep::ConnectOpened);
    Ok(connect_start(&context.state.connect, &session, &token))
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
    let bank = session.visit.bank().map(|bank| &bank.code);
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
pub async fn close_connect(
    _: &ActionContext,
    session: &mut BrowserSession,
    page: FromPage,
) -> Result<Done, ActionError> {
    session.of_page(&page.session)?.change().close_connect();
    Ok(Done {})
}

/// Takes an item that Connect has just reported, while the client waits, and records the linking.
/// The upstream has [`ITEM_TIMEOUT`] at most. No process keeps the item: the browser does, until the
/// upstream has it.
///
/// A failed update fails the action. A failed log does not: the client goes on, and the browser
/// submits the item again. An approval that is pending is only recorded, because nobody waits for it:
/// the browser submits the item.
///
/// Without a consent, the item is of an earlier session, or everything was cancelled. It is logged,
/// so that the upstream can end the connection, and nothing else happens.
pub async fn finish_connect(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: ItemInput,
) -> Result<FinishedConnect, ActionError> {
    let mut session = session.of_page(&input.session)?;
    let item = Item::of(input, context.now())?;
    if !session.may_link() {
        let SubmittedItem { item } = submit(context, &session, item).await;
        return Ok(FinishedConnect { to: None, item });
    }
    if item.kind == ItemKind::Pending {
        session.change().await_approval(item.bank, item.reported_at);
        return Ok(FinishedConnect {
            to: None,
            item: ItemOutcome::Kept,
        });
    }
    let delivery = deliver(context, &session, item.clone()).await;
    session.keep_xsrf(delivery.xsrf);
    let outcome = outcome_of(&item, delivery.logged?);
    session
        .change()
        .link(item.bank, item.approval, item.reported_at);
    context.count_step(FunnelStep::Linked);
    Ok(FinishedConnect {
        to: Some(Page::Success.into()),
        item: outcome,
    })
}

/// Submits an item that the browser has kept. Never changes the session: the browser does this in
/// the background, while the client does something else.
pub async fn submit_item(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: ItemInput,
) -> Result<SubmittedItem, ActionError> {
    let session = session.of_page(&input.session)?;
    let item = Item::of(input, context.now())?;
    Ok(submit(context, &session, item).await)
}

async fn submit(context: &ActionContext, session: &Session, item: Item) -> SubmittedItem {
    let delivery = deliver(context, session, item.clone()).await;
    let logged = delivery.logged.unwrap_or_else(Err);
    SubmittedItem {
        item: outcome_of(&item, logged),
    }
}

/// An item that Connect has reported.
#[derive(Clone)]
struct Item {
    id: ItemId,
    kind: ItemKind,
    /// The bank's name, or empty.
    bank: String,
    approval: Approval,
    /// The link that it renews; `None` if the page does not say.
    renews: Option<String>,
    /// Unix seconds.
    reported_at: u64,
    was_sent: bool,
}

impl Item {
    /// `now`: Unix seconds.
    fn of(input: ItemInput, now: u64) -> Result<Self, ActionError> {
        let approval = if input.waits {
            Approval::Awaited
        } else {
            Approval::NotNeeded
        };
        Ok(Self {
            id: ItemId::parse(&input.item_id).ok_or(ActionError::InvalidItem)?,
            kind: input.kind,
            bank: bank_name(&input.bank),
            approval,
            renews: input.renews,
            reported_at: now.saturating_sub(input.age_secs.into()),
            was_sent: input.again,
        })
    }

    /// Whether its link is to be updated: it is the session's. An item of another link is only
    /// logged.
    fn updates_link_of(&self, session: &Session) -> bool {
        let Some(link) = &session.client.link_id else {
            return false;
        };
        let is_its_own = self
            .renews
            .as_ref()
            .is_none_or(|renewed| *renewed == link.to_string());
        self.kind == ItemKind::Success && session.may_link() && is_its_own
    }

    fn log_entry(&self) -> LogEntry {
        match self.kind {
            ItemKind::Success => LogEntry::success(&self.id),
            ItemKind::Pending => connect_error(USER_AUTHORIZATION_PENDING, Some(&self.id)),
        }
    }
}

/// What became of the calls of an item.
struct Delivery {
    /// The result of the log; `Err` if the update of the link failed, so that nothing was logged.
    logged: Result<CallResult<()>, CallError>,
    /// What both calls do to the XSRF token.
    xsrf: XsrfChange,
}

/// Makes the calls of an item: the update of its link, if it is one, and the log. They run to the
/// end even if the client disconnects.
async fn deliver(context: &ActionContext, session: &Session, item: Item) -> Delivery {
    let updates_link = item.updates_link_of(session);
    let (upstream, caller) = context.upstream(session);
    context
        .detached(async move { delivered(upstream, caller, item, updates_link).await })
        .await
}

async fn delivered(
    upstream: Upstream,
    mut caller: Caller,
    item: Item,
    updates_link: bool,
) -> Delivery {
    let deadline = Instant::now() + ITEM_TIMEOUT;
    let mut xsrf = XsrfChange::None;
    if updates_link {
        let upstream = upstream.with_timeout(ITEM_TIMEOUT);
        let updated = upstream.update_link_account(&caller, &item.id).await;
        xsrf = xsrf_change(&updated);
        caller.xsrf = xsrf.clone().apply(caller.xsrf.take());
        let is_there_already = |error: &CallError| item.was_sent && error.is_unchanged();
        if let Err(error) = updated
            && !is_there_already(&error)
        {
            return Delivery {
                logged: Err(error),
                xsrf,
            };
        }
    }
    let upstream = upstream.with_timeout(deadline - Instant::now());
    let logged = upstream.log(&caller, &item.log_entry()).await;
    xsrf = match xsrf_change(&logged) {
        XsrfChange::None => xsrf,
        newer => newer,
    };
    Delivery {
        logged: Ok(logged),
        xsrf,
    }
}

/// What the browser does with an item after its last call. A refusal is final.
fn outcome_of(item: &Item, called: CallResult<()>) -> ItemOutcome {
    match called {
        Ok(_) => ItemOutcome::Accepted,
        Err(error) if error.is_refusal() => {
            tracing::warn!(
                item = item.id.as_str(),
                %error,
                "an item was refused: tell the firm"
            );
            ItemOutcome::Refused
        }
        Err(_) => ItemOutcome::Kept,
    }
}

/// Logs that Connect reported an error or did not open. No page waits for it.
pub async fn report_connect_error(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: ReportConnectErrorInput,
) -> Result<Done, ActionError> {
    let session = session.of_page(&input.session)?;
    let (upstream, caller) = context.upstream(&session);
    let message = redact::shortened(&input.message, &caller.secrets(), MAX_MESSAGE_CHARS);
    let item = input.item_id.as_deref().and_then(ItemId::parse);
    upstream.spawn_log(caller, connect_error(&message, item.as_ref()));
    Ok(Done {})
}

/// The log of an error of Connect. `message` holds no secret.
fn connect_error(message: &str, item: Option<&ItemId>) -> LogEntry {
    let item = item.map(|id| json!({ "id": id }));
    let data = json!({ "message": message, "item": item });
    LogEntry::new(LogType::WidgetError, LogStatus::Error, data)
}

/// Gets a connect token, between two log calls.
async fn connect_token(
    upstream: &Upstream,
    caller: &Caller,
    request: &ConnectTokenRequest,
) -> Result<CallOutput<SecretString>, CallError> {
    let data = json!({ "link_id": request.link_id, "client_uuid": request.client_uuid });
    let asked = LogEntry::new(LogType::ConnectTokenRequest, LogStatus::Success, data);
    let asked = upstream.spawn_log(caller.clone(), asked);
    let result = upstream.connect_token(caller, request).await;
    let (status, data) = match &result {
        Ok(_) => (LogStatus::Success, json!({ "connect_token": "received" })),
        Err(error) => (LogStatus::Error, log_data(error)),
    };
    let answered = LogEntry::new(LogType::ConnectTokenResponse, status, data);
    let (upstream, caller) = (upstream.clone(), caller.clone());
    upstream.clone().spawn_detached(async move {
        // In this order, but the client waits for neither.
        let _ = asked.await;
        let _ = upstream.spawn_log(caller, answered).await;
    });
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
