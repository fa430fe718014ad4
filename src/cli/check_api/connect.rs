//! The checks of Connect's calls: its token, the log, and the update of a link.

use serde_json::json;
use vincula_domain::problem::Problem;
use vincula_upstream::{Call, CallError, ConnectTokenRequest, ItemId, LogEntry, LogStatus, LogType, SessionData};

use super::{
    answers::{meaning, summary},
    changing::unknown_id,
    refusals::Refusal,
    report::{Check, Level, Row},
    visit::Visit,
};

/// Opens Connect and reports its end, as the product does.
pub async fn check(visit: &mut Visit, session: &SessionData) {
    connect_token(visit, session).await;
    update(visit, session).await;
    log(visit).await;
}

async fn connect_token(visit: &mut Visit, session: &SessionData) {
    let upstream = visit.upstream.clone();
    let request = ConnectTokenRequest { link_id: session.link_id.clone(), client_uuid: session.client_uuid.clone() };
    visit.check_bearer(Call::ConnectToken, async |caller| upstream.connect_token(caller, &request).await).await;
    let (caller, other) =
        (visit.caller.clone(), ConnectTokenRequest { client_uuid: Some(unknown_id()), ..request.clone() });
    let tried = visit.make(Call::ConnectToken, upstream.connect_token(&caller, &other)).await;
    visit.expect_refusal(&tried, "wrong-id", "a client that is not the link's", Refusal::OtherId);
    let both = visit
        .check_twice(Call::ConnectToken, "a token", async |caller| upstream.connect_token(caller, &request).await)
        .await;
    if let Some([first, again]) = both {
        let (level, seen) = match first.data == again.data {
            false => (Level::Ok, "another one"),
            true => (Level::Warning, "the same one, which is valid for one connection"),
        };
        let tried = "whether the token is new";
        let expected = "a new token each time";
        let check = Check { call: "connect-token", name: "fresh", tried, expected, contract: Row::REPETITION };
        visit.add(check, level, seen);
    }
}

async fn update(visit: &mut Visit, session: &SessionData) {
    let Some(item) = session.link_id.as_ref().and_then(|id| ItemId::parse(&id.to_string())) else {
        return visit.skip("update-link-account", "the call", "the session data has no link_id");
    };
    let upstream = visit.upstream.clone();
    visit.check_bearer(Call::UpdateLinkAccount, async |caller| upstream.update_link_account(caller, &item).await).await;
    let caller = visit.caller.clone();
    let tried = visit.make(Call::UpdateLinkAccount, upstream.update_link_account(&caller, &item)).await;
    match &tried.outcome {
        Err(CallError::Reply(reply)) if matches!(reply.problem, Problem::LinkNotUpdated | Problem::LinkNotExists) => {
            let expected = "success, item not found, or no changes";
            let contract = Row("6. PUT /update-link-account");
            let check = Check { call: tried.path(), name: "answer", tried: "the link's own item", expected, contract };
            visit.add(check, Level::Ok, format!("{}, {}", summary(&tried), meaning(reply)));
        }
        _ => drop(visit.expect_success(&tried, "the link's own item")),
    }
}

async fn log(visit: &mut Visit) {
    let upstream = visit.upstream.clone();
    let request = LogEntry {
        kind: LogType::ConnectTokenRequest,
        status: LogStatus::Success,
        data: json!({ "link_id": null, "client_uuid": null }),
    };
    visit.check_bearer(Call::Log, async |caller| upstream.log(caller, &request).await).await;
    let response = json!({ "provider": "pluggy", "status": 400, "message": "check-api" });
    let error = json!({ "message": "check-api", "item": null });
    for (what, entry) in [
        ("a request for a connect token", request.clone()),
        ("its failure", LogEntry { kind: LogType::ConnectTokenResponse, status: LogStatus::Error, data: response }),
        ("an error of Connect", LogEntry { kind: LogType::WidgetError, status: LogStatus::Error, data: error }),
    ] {
        let caller = visit.caller.clone();
        let tried = visit.make(Call::Log, upstream.log(&caller, &entry)).await;
        visit.expect_success(&tried, what);
    }
    let (item, key) = (unknown_item(), rand::random::<u128>());
    visit
        .check_twice(Call::Log, "a success of Connect", async |caller| {
            upstream.report_success(caller, &item, key).await
        })
        .await;
}

/// A UUID of zeros and twelve random digits: Pluggy knows no such item.
fn unknown_item() -> ItemId {
    let id = format!("00000000-0000-4000-8000-{:012x}", rand::random::<u64>() >> 16);
    ItemId::parse(&id).expect("a UUID is an item's id")
}
