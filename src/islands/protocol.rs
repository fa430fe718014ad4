//! The protocol of the islands' server functions: JSON in both directions. The server uses
//! serde_json. In the browser, the page's client reads and writes the JSON, and serde converts
//! between its objects and the types, so that the wasm module needs no JSON library.

use leptos::server_fn::{Http, Protocol, client::Client, codec::Json, server::Server};
use send_wrapper::SendWrapper;
use serde::{Serialize, de::DeserializeOwned};
use vincula_domain::wire::Failure;

use crate::islands::{js, page, server::ActionError};

/// The arguments of a server function that the page's client posts.
pub trait Call: Serialize {
    /// Whether the request continues after the page is left.
    const OUTLIVES_PAGE: bool = false;

    /// How long to wait for a response, in milliseconds. `None`: as long as the server does.
    fn timeout_ms(&self) -> Option<u32> {
        None
    }
}

/// The protocol of the islands' server functions.
pub struct PagePost;

impl<I, O, C, S> Protocol<I, O, C, S, ActionError> for PagePost
where
    I: Call,
    O: DeserializeOwned,
    C: Client<ActionError>,
    S: Server<ActionError>,
    Http<Json, Json>: Protocol<I, O, C, S, ActionError>,
{
    const METHOD: http::Method = <Http<Json, Json>>::METHOD;

    fn run_server<F, Fut>(
        request: S::Request,
        server_fn: F,
    ) -> impl Future<Output = Result<S::Response, ActionError>> + Send
    where
        F: Fn(I) -> Fut + Send,
        Fut: Future<Output = Result<O, ActionError>> + Send,
    {
        <Http<Json, Json>>::run_server(request, server_fn)
    }

    fn run_client(path: &str, input: I) -> impl Future<Output = Result<O, ActionError>> + Send {
        let timeout_ms = input.timeout_ms().unwrap_or_default();
        let body = js::write(&input);
        // The browser has one thread.
        SendWrapper::new(async move {
            let answer = page::post(path, &body, I::OUTLIVES_PAGE, timeout_ms).await;
            read(&answer)
        })
    }
}

/// Reads the output of a server function, or its failure.
fn read<O: DeserializeOwned>(answer: &page::Answer) -> Result<O, ActionError> {
    if answer.ok() {
        return js::read(answer.data()).ok_or_else(unreadable);
    }
    let failure = js::read(answer.failure()).ok_or_else(unreadable)?;
    Err(ActionError {
        failure,
        retry_after_ms: answer.retry_after_ms(),
    })
}

/// The failure for an unreadable response of the server.
fn unreadable() -> ActionError {
    Failure::outage().into()
}
