//! Tests of the router: real pages and actions with a scripted widget API.

mod actions;
mod alerts;
pub mod answer;
mod app;
mod assets;
mod brands;
mod catalogue;
mod guards;
mod malformed;
mod other_sites;
mod page_heads;
mod pages;
mod passed_on;
pub mod requests;
mod screens;
mod sibling_sites;
pub mod site;

pub use answer::Answer;
pub use app::{FORM, HOST_NAME, JSON, OWN, TestApp, json_request};
use clap::Parser;
use serde_json::{Value, json};
pub use vincula_testing::{Act, profile};

use crate::{
    cli::Cli,
    config::{ProductConfig, Settings, WidgetApi},
    state::Backend,
    words::CONSENT_VERSION,
};

/// A strong key, in the format of the setting.
pub const SESSION_KEY: &str = concat!(
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
);

/// The settings of a server with this widget API. Without other `options`, clients connect
/// directly.
pub fn production(base: &str, options: &[&str]) -> (ProductConfig, Backend) {
    let needed = [
        "vincula",
        "--widget-api-url",
        base,
        "--session-keys",
        SESSION_KEY,
    ];
    let proxies: &[&str] = if options.contains(&"--trusted-proxies") {
        &[]
    } else {
        &["--trusted-proxies", "none"]
    };
    let Settings { api, product, .. } = Cli::try_parse_from([&needed, proxies, options].concat())
        .unwrap()
        .config
        .check()
        .unwrap();
    match api {
        WidgetApi::Real(url) => (product, Backend::Real(url)),
        WidgetApi::Sandbox => unreachable!("the options name a widget API"),
    }
}

/// The token of the link. It is percent-encoded in the address and must not appear in any output.
pub const TOKEN: &str = "eyJ.Segredo-da-Padaria_42==";

/// The part of the token that is the same in every encoding.
pub const TOKEN_MARK: &str = "Segredo-da-Padaria_42";

pub const LINK: &str = "/?token=eyJ.Segredo-da-Padaria_42%3D%3D";

/// The id of an item that Connect has made.
pub const ITEM: &str = "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a";

pub const LINK_ID: &str = "1d0c8a5e-77f5-4d5c-9a55-0f3c3d5f2b11";

/// A CPF that no profile has, so that its origin is unambiguous.
pub const OTHER_CPF: &str = "111.444.777-35";

/// The native consent form, from a page of this session.
pub fn consent_form(session: &str) -> String {
    format!("session={session}&consent={CONSENT_VERSION}")
}

/// The error screen for an outage of the widget API.
pub const OUTAGE: &str = "/error/token-invalid?falha=servico";

/// A link for the renewal of one integration.
pub fn update() -> Value {
    json!({ "widget_type": "update", "link_id": LINK_ID })
}

/// A valid bank form.
pub fn bank_form() -> Value {
    json!({ "bank": "260", "bankName": "Nubank", "name": "Bia Lima", "cpf": OTHER_CPF })
}

/// An item that Connect has just reported, of the bank in [`bank_form`].
pub fn item(id: &str) -> Value {
    json!({ "itemId": id, "kind": "success", "bank": "Nubank" })
}

/// An item that the browser submits again.
pub fn sent_item() -> Value {
    json!({ "itemId": ITEM, "kind": "success", "bank": "Nubank", "again": true })
}

/// An item that waits for another person's approval.
pub fn pending() -> Value {
    json!({ "itemId": ITEM, "kind": "pending", "bank": "Nubank", "waits": true })
}

pub fn navigate(to: &str) -> Value {
    json!({ "navigate": { "to": to } })
}

pub fn no_session() -> Value {
    json!("no_session")
}

pub fn no_response() -> Value {
    json!("no_reply")
}
