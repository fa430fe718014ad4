//! The report of an island that failed, which any page can send.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_upstream::{legible, redact};

use super::{ActionContext, ActionError, BrowserSession, respond};
use crate::{
    failure::Failure,
    wire::{Done, ReportIslandInput},
};

/// Longest name or reason that is logged, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(report, input).await
}

async fn report(
    _: &ActionContext,
    _: &mut BrowserSession,
    input: ReportIslandInput,
) -> Result<Done, ActionError> {
    // Anybody can send a report, and a library's message may repeat typed text.
    // Invisible characters could hide a document from the redaction.
    let plain = |text: &str| redact::shortened(&legible(text), &[], MAX_REASON_CHARS);
    tracing::warn!(
        island = plain(&input.island),
        reason = plain(&input.reason),
        "island failed"
    );
    Ok(Done {})
}
