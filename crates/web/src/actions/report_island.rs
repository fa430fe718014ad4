//! The log of an island that failed.

use axum::http::request::Parts;
use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::wire::{self, Done};
use vincula_telemetry::plain::is_plain;
use vincula_upstream::redact;

use super::ActionError;
use crate::{action::ActionState, http::client_address::ClientAddress};

/// Longest reason that is logged, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Puts an island that failed into our log: `POST /api/report_island`. Needs no session: it changes nothing.
///
/// # Errors
/// None of its own.
#[server(prefix = "/api", endpoint = "report_island", input = Json)]
pub async fn report_island(input: wire::ReportIsland) -> Result<Done, ActionError> {
    // Anybody can send one, and a library's message may repeat what was typed. What is not seen goes first: it could
    // stand within a document.
    let plain = |text: &str| {
        let text: String = text.chars().filter(|&c| is_plain(c)).take(MAX_REASON_CHARS).collect();
        redact::text(&text, &[])
    };
    if may_write() {
        tracing::warn!(island = plain(&input.island), reason = plain(&input.reason), "island failed");
    }
    Ok(Done {})
}

/// Whether the address that this action serves may have one more line.
fn may_write() -> bool {
    let client = with_context(|parts: &Parts| parts.extensions.get::<ClientAddress>().copied()).flatten();
    client.zip(use_context::<ActionState>()).is_some_and(|(client, state)| state.reports.may_write(client))
}
