//! The place of a React island in the document, and the log of one that failed.

use std::sync::Arc;

use leptos::prelude::*;

use super::Chunk;
use crate::wire::{self, Done, Failure};

/// What stands in the place of an island that was not prerendered.
const LOADING: &str = r#"<div class="loading"><span class="spinner" aria-hidden="true"></span></div>"#;

/// Puts an island that failed into our log: `POST /api/report_island`. Needs no session: it changes nothing.
///
/// # Errors
/// None of its own.
#[server(prefix = "/api", endpoint = "report_island", input = leptos::server_fn::codec::Json)]
pub async fn report_island(input: wire::ReportIsland) -> Result<Done, Failure> {
    /// Longest reason that is logged, in characters.
    const MAX_REASON_CHARS: usize = 200;

    // Anybody can send one, and a library's message may repeat what was typed. What is not seen goes first: it could
    // stand within a document.
    let plain = |text: &str| {
        let text: String =
            text.chars().filter(|&c| crate::telemetry::plain::is_plain(c)).take(MAX_REASON_CHARS).collect();
        crate::upstream::redact::text(&text, &[])
    };
    if crate::http::reports::Reports::may_write_here() {
        tracing::warn!(island = plain(&input.island), reason = plain(&input.reason), "island failed");
    }
    Ok(Done {})
}

/// The place of a React island, with its prerendered `screen` if it has one. The bridge mounts the chunk there.
#[component]
pub fn ReactHost(name: &'static str, chunk: Arc<Chunk>, screen: Option<String>) -> impl IntoView {
    let html = screen.unwrap_or_else(|| LOADING.to_owned());
    view! { <div class="island" data-react=name data-src=chunk.js.clone() inner_html=html></div> }
}
