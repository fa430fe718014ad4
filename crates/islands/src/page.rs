//! What an island does to the page around it: toasts, going elsewhere, the notice of another tab.

use leptos::prelude::{document, window};
use vincula_browser::page::{OTHER_TAB_EVENT, dispatch, listen};
use vincula_domain::{
    problem::Problem,
    routes,
    wire::{Failure, Reaction},
    words,
};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

pub use vincula_browser::{page::toast, timer::Timer};

/// Does what a failed action asks for. Returns whether the page stays.
pub fn handle_failure(failure: Failure) -> bool {
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

/// Whether the person can see the page.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// The time of day as the person writes it.
pub fn time_of_day() -> String {
    js_sys::Date::new_0().to_locale_time_string("pt-BR").into()
}

/// Milliseconds since 1970.
pub fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// Does something each time that the page is hidden or seen again.
pub fn on_visibility(mut act: impl FnMut() + 'static) {
    listen(&document(), "visibilitychange", move |_| act());
}

/// Moves the focus to the element of an id.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Does something when an island wakes in the browser; nothing where the server draws it.
pub fn once_awake(act: impl FnOnce()) {
    if cfg!(target_arch = "wasm32") {
        act();
    }
}
