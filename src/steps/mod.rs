//! The actions, one file for each step: server functions of the islands, and forms. A `POST` to a
//! page's own address is the same action for a browser without JavaScript. In the browser, the
//! functions that Leptos' islands call post to the server.

pub mod accounts;
#[cfg(feature = "ssr")]
pub mod action;
#[cfg(feature = "ssr")]
pub mod any_page;
#[cfg(feature = "ssr")]
pub mod bank_form;
pub mod cancel;
#[cfg(feature = "ssr")]
pub mod connect;
#[cfg(feature = "ssr")]
pub mod connect_settings;
#[cfg(feature = "ssr")]
pub mod consent;
#[cfg(feature = "ssr")]
pub mod entry;
#[cfg(feature = "ssr")]
pub mod from_upstream;
#[cfg(feature = "ssr")]
pub mod success;
