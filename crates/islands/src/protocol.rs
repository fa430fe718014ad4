//! The protocol of the islands' server functions: JSON in both directions. The server uses
//! serde_json. In the browser, the page's client reads and writes the JSON, and serde converts
//! between its objects and the types, so that the wasm module needs no JSON library.

use std::ops::Deref;

use leptos::server_fn::{Http, Protocol, client::Client, codec::Json, server::Server};
use send_wrapper::SendWrapper;
use serde::{Serialize, de::DeserializeOwned};
use vincula_domain::{action::Action, wire::Failure};
use wasm_bindgen::JsValue;

use crate::{js, page, server::ActionError};

/// The arguments of a server function that the page's client posts. They dereference to its only
/// argument.
pub trait Call: Deref {
    const ACTION: Action;
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
    I: Call<Target: Serialize>,
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

    fn run_client(_: &str, input: I) -> impl Future<Output = Result<O, ActionError>> + Send {
        let timeout_ms = input.timeout_ms();
        let input = js::write(&*input);
        // The browser has one thread.
        SendWrapper::new(async move {
            let data = post(I::ACTION, &input, I::OUTLIVES_PAGE, timeout_ms).await?;
            js::read(data).ok_or_else(unreadable)
        })
    }
}

/// Posts an action; returns the data of its answer.
async fn post(
    action: Action,
    input: &JsValue,
    keepalive: bool,
    timeout_ms: Option<u32>,
) -> Result<JsValue, ActionError> {
    let answer = page::post(
        action.name(),
        input,
        keepalive,
        timeout_ms.unwrap_or_default(),
    )
    .await;
    if answer.ok() {
        return Ok(answer.data());
    }
    let failure = js::read(answer.failure());
    Err(failure.map_or_else(unreadable, |failure| ActionError {
        failure,
        retry_after_ms: answer.retry_after_ms(),
    }))
}

/// The failure for an unreadable response of the server.
fn unreadable() -> ActionError {
    Failure::outage().into()
}
