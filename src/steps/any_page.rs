//! Actions of every page: whether its session is still the browser's, and a report of an island
//! that failed.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{self, Done, FromPage};
use vincula_upstream::redact;

use super::ActionError;
use crate::{steps::action::SessionAction, telemetry::log::is_visible};

/// Succeeds if the page's session is the browser's: `POST /api/check_session`. Calls no upstream.
#[server(prefix = "/api", endpoint = "check_session", input = Json)]
pub async fn check_session(input: FromPage) -> Result<Done, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    action.renew_if_due();
    Ok(Done {})
}

/// Longest name or reason that is logged, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Logs an island that failed: `POST /api/report_island`. Needs no session, because it changes
/// nothing.
#[server(prefix = "/api", endpoint = "report_island", input = Json)]
pub async fn report_island(input: wire::ReportIsland) -> Result<Done, ActionError> {
    // Anybody can send a report, and a library's message may repeat typed text.
    let plain = |text: &str| {
        let visible: String = text.chars().filter(|&c| is_visible(c)).collect();
        redact::shortened(&visible, &[], MAX_REASON_CHARS)
    };
    tracing::warn!(
        island = plain(&input.island),
        reason = plain(&input.reason),
        "island failed"
    );
    Ok(Done {})
}
