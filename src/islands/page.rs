//! What an island does to the page around it: toasts, going elsewhere, the notice of another tab.

use js_sys::{Array, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event};

use crate::{
    error::Problem,
    routes,
    wire::{Failure, Reaction},
    words,
};

/// Toasts that wait to be shown; the same list serves the entry's script, React and the islands.
const TOASTS: &str = "vinculaToasts";
/// Says that a toast waits.
pub const TOAST_EVENT: &str = "vincula:toast";
/// Says that the page's session was replaced (design D11).
pub const OTHER_TAB_EVENT: &str = "vincula:other-tab";
/// Says that a React island is mounted.
const MOUNTED_EVENT: &str = "vincula:mounted";

/// A toast as it waits in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// `error`, `success` or `info`.
    pub kind: String,
    pub message: String,
}

/// Does what a failed action asks for. Returns whether the page stays.
pub fn react(failure: Failure) -> bool {
    match failure.reaction {
        Reaction::NoReply => toast("error", words::NO_REPLY),
        Reaction::OtherTab => dispatch(OTHER_TAB_EVENT),
        Reaction::Navigate { to } => {
            replace(&to);
            return false;
        }
        // Only the bank form has fields, and React draws it.
        Reaction::Invalid { .. } => replace(&routes::error(Problem::TokenInvalid)),
    }
    true
}

/// Goes to a path of ours in place of this history entry.
pub fn replace(to: &str) {
    if to.starts_with('/') && !to.starts_with("//") && !to.contains('\\') {
        // Fails only where the browser forbids navigation altogether.
        let _ = window().location().replace(to);
    }
}

pub fn reload() {
    let _ = window().location().reload();
}

/// Shows a toast.
pub fn toast(kind: &str, message: &str) {
    let toast = Object::new();
    // Setting a property of a plain object does not fail.
    let _ = Reflect::set(&toast, &"kind".into(), &kind.into());
    let _ = Reflect::set(&toast, &"message".into(), &message.into());
    waiting().push(&toast);
    dispatch(TOAST_EVENT);
}

/// Takes the toasts that wait.
pub fn take_toasts() -> Vec<Toast> {
    let list = waiting();
    let toasts = list.iter().filter_map(|toast| {
        let text = |name: &str| Reflect::get(&toast, &name.into()).ok()?.as_string();
        Some(Toast { kind: text("kind")?, message: text("message")? })
    });
    let toasts = toasts.collect();
    list.set_length(0);
    toasts
}

/// Marks a React host as mounted and tells the page's loader.
pub fn announce_mounted(host: &Element) {
    let _ = host.set_attribute("data-mounted", "");
    dispatch(MOUNTED_EVENT);
}

/// Whether the person can see the page.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// The time of day as the person writes it.
pub fn time_of_day() -> String {
    js_sys::Date::new_0().to_locale_time_string("pt-BR").into()
}

fn waiting() -> Array {
    let window: JsValue = window().into();
    let existing = Reflect::get(&window, &TOASTS.into()).ok().and_then(|list| list.dyn_into::<Array>().ok());
    existing.unwrap_or_else(|| {
        let list = Array::new();
        let _ = Reflect::set(&window, &TOASTS.into(), &list);
        list
    })
}

fn dispatch(name: &str) {
    if let Ok(event) = Event::new(name) {
        let _ = window().dispatch_event(&event);
    }
}
