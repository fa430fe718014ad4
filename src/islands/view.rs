//! The dynamic parts of a view, as boxed closures.
//!
//! Leptos monomorphizes its rendering code for each closure type. Boxed, all closures with the same
//! result share one type, which halves the islands' part of the wasm module.
//!
//! An element that only the browser creates must not consist of literals only: Leptos would create it
//! through `innerHTML`, which Trusted Types forbid.

use leptos::{ev::MouseEvent, prelude::*};

/// The class of the spinner in a button, which the style sheet shows while the button is busy.
pub const SPINNER: &str = "button__spinner";

/// A part of a view that follows the signals it reads.
pub type Dynamic<T> = Box<dyn FnMut() -> T + Send>;

/// A text that follows its signals.
pub fn text(draw: impl FnMut() -> String + Send + 'static) -> Dynamic<String> {
    Box::new(draw)
}

/// An attribute without a value, present while the condition holds.
pub fn flag(mut holds: impl FnMut() -> bool + Send + 'static) -> Dynamic<Option<&'static str>> {
    Box::new(move || holds().then_some(""))
}

/// An attribute with the value `"true"` or `"false"`.
pub fn bool_attr(
    mut holds: impl FnMut() -> bool + Send + 'static,
) -> Dynamic<Option<&'static str>> {
    Box::new(move || Some(if holds() { "true" } else { "false" }))
}

/// A click handler.
pub fn click(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(move |_| act())
}

/// Whether the browser has hydrated the island: not on the server, and not during hydration.
pub fn hydrated() -> RwSignal<bool> {
    let is_hydrated = RwSignal::new(false);
    Effect::new(move || is_hydrated.set(true));
    is_hydrated
}

/// Calls `act` when the browser hydrates an island, but not when the server renders it.
pub fn on_hydrate(act: impl FnOnce()) {
    if cfg!(target_arch = "wasm32") {
        act();
    }
}
