//! The sandbox: a second program that lives here and pretends to be the widget API and Pluggy's Connect page.
//!
//! It serves demonstrations, development and tests. It shares no type with the rest of the crate, so that a mistake on
//! one side cannot agree with itself on the other.

mod api;
mod banks;
mod call;
mod cast;
mod checks;
mod client;
mod connect;
mod envelope;
mod faults;
mod index;
mod orders;
mod payload;
mod people;
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

pub use cast::DemoLink;
pub use client::Journal;
pub use orders::{LogRecord, LogStatus, LogType};

/// Where the nine calls live on the sandbox's server.
const BASE_PATH: &str = "/widget-api";

/// How the sandbox is started.
#[derive(Debug, Clone)]
pub struct SandboxOptions {
    /// Address of the widget API; absent, a free port on 127.0.0.1.
    pub addr: Option<SocketAddr>,
    /// From the success of Connect until the account is listed.
    pub confirm_after: Duration,
    /// How long each call of `demo-lento` takes.
    pub slow: Duration,
    /// Address of the product's style sheet, for the page of links.
    pub stylesheet: Option<String>,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self { addr: None, confirm_after: Duration::from_secs(6), slow: Duration::from_secs(12), stylesheet: None }
    }
}

/// A handle on a running sandbox; clones share its state. The server runs until the process (or the runtime) ends.
#[derive(Debug, Clone)]
pub struct Sandbox {
    world: Arc<state::World>,
    addr: SocketAddr,
}

impl Sandbox {
    /// Binds the widget API and serves it in a task of its own.
    ///
    /// # Errors
    /// When the address cannot be bound.
    pub async fn start(options: SandboxOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(options.addr.unwrap_or((Ipv4Addr::LOCALHOST, 0).into())).await?;
        let sandbox = Self::on(&listener, options)?;
        let api = sandbox.api();
        tokio::spawn(async move { axum::serve(listener, api).await });
        Ok(sandbox)
    }

    /// A sandbox for whoever serves its routers on this listener.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn on(listener: &TcpListener, options: SandboxOptions) -> io::Result<Self> {
        Ok(Self { addr: listener.local_addr()?, world: Arc::new(state::World::new(options)) })
    }

    /// Base address of the nine calls, for example `http://127.0.0.1:41231/widget-api`.
    pub fn api_url(&self) -> String {
        format!("http://{}{BASE_PATH}", self.addr)
    }

    /// The widget API as a router that needs no socket; it shares this sandbox's state.
    pub fn api(&self) -> Router {
        api::router(Arc::clone(&self.world))
    }

    /// The widget API, and the call by which Connect ends: for programs that test themselves against it.
    pub fn api_and_items(&self) -> Router {
        self.api().merge(connect::items(Arc::clone(&self.world)))
    }

    /// The public pages: `GET /sandbox`, `GET /sandbox/connect` and `POST /sandbox/connect/items`.
    ///
    /// Their script and styles (`/sandbox/connect.js`, `/sandbox/connect.css`) are files of the product.
    pub fn pages(&self) -> Router {
        index::router(Arc::clone(&self.world)).merge(connect::router(Arc::clone(&self.world)))
    }

    /// The links of the cast, for the start-up banner.
    pub fn links(&self) -> &'static [DemoLink] {
        cast::links()
    }

    /// What has been asked of the sandbox with this token so far, for tests.
    pub fn journal(&self, token: &str) -> Journal {
        self.world.journal(token)
    }
}
