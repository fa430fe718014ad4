//! The server functions: every action that a page can post. In the browser, they post to the server.
//! There, each runs the action of its name in `steps/`.
//!
//! Their TypeScript types are generated from this file (`tests/actions.rs`).

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use crate::{actions::respond, steps::any_page};
use crate::{
    failure::Failure,
    wire::{Done, ReportIslandInput},
};

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(any_page::report_island, input).await
}
