//! The sandbox: a fake widget API and a stand-in for Pluggy's Connect page, for demonstrations,
//! development and tests.
//!
//! It shares no code with the product, so that a mistake in one is not repeated in the other.

mod api;
mod banks;
mod connect;
mod demo_links;
mod index;
mod request;
mod response;
mod state;
#[cfg(test)]
mod tests;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use tokio::net::TcpListener;

pub use demo_links::{DEMO_LINKS, DemoLink};

/// Path prefix of the nine calls.
const BASE_PATH: &str = "/widget-api";

#[derive(Debug, Clone)]
pub struct SandboxOptions {
    /// From the success of Connect until the account is confirmed.
    pub confirm_after: Duration,
    /// How long each call of `demo-lento` takes.
    pub slow: Duration,
    /// URL of the product's style sheet, for the page of links.
    pub stylesheet: String,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            confirm_after: Duration::from_secs(6),
            slow: Duration::from_secs(12),
            stylesheet: String::new(),
        }
    }
}

/// A handle to a running sandbox; clones share its state. The server runs until the process (or the
/// runtime) ends.
#[derive(Debug, Clone)]
pub struct Sandbox {
    state: Arc<state::SandboxState>,
    addr: SocketAddr,
}

impl Sandbox {
    /// Serves the widget API on a free port of 127.0.0.1 in a background task.
    ///
    /// # Errors
    ///
    /// If no port is free.
    pub async fn start(options: SandboxOptions) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let sandbox = Self {
            addr: listener.local_addr()?,
            state: Arc::new(state::SandboxState::new(options)),
        };
        let api = sandbox.api();
        tokio::spawn(async move { axum::serve(listener, api).await });
        Ok(sandbox)
    }

    /// Base URL of the nine calls, for example `http://127.0.0.1:41231/widget-api`.
    pub fn api_url(&self) -> String {
        format!("http://{}{BASE_PATH}", self.addr)
    }

    /// The widget API and the endpoint that completes Connect, as a router that needs no socket; it
    /// shares this sandbox's state.
    pub fn api(&self) -> Router {
        api::router(Arc::clone(&self.state)).merge(connect::items(Arc::clone(&self.state)))
    }

    /// The public pages: `GET /sandbox`, `GET /sandbox/connect` with its files and endpoints.
    ///
    /// The product serves the library of Connect's protocol (`/sandbox/zoid.js`).
    pub fn pages(&self) -> Router {
        index::router(Arc::clone(&self.state)).merge(connect::router(Arc::clone(&self.state)))
    }
}
