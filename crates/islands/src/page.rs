//! What an island needs of the page around it.

use leptos::prelude::document;
use vincula_browser::page::listen;
pub use vincula_browser::page::on_stays;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

pub use vincula_browser::{
    client::{Delivery, deliver, replace, toast, undelivered},
    tab::{remember, remembered},
    timer::Timer,
};

/// Whether the person can see the page.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// The time of day as the person writes it: "10h32".
pub fn time_of_day() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}h{:02}", now.get_hours(), now.get_minutes())
}

/// Milliseconds since 1970.
pub fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// Calls `act` each time that the page is hidden or shown again.
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

/// Calls `act` when the browser hydrates an island, but not when the server renders it.
pub fn on_hydrate(act: impl FnOnce()) {
    if cfg!(target_arch = "wasm32") {
        act();
    }
}
