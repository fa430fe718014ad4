//! Boxed closures for the dynamic parts of a view.
//!
//! Leptos monomorphizes its rendering code for each closure type. Boxed, all closures with the same result share one
//! type, which halves the islands' part of the wasm module.

use leptos::ev::MouseEvent;

/// A text or an attribute that follows the signals it reads.
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
pub fn bool_attr(mut holds: impl FnMut() -> bool + Send + 'static) -> Dynamic<Option<&'static str>> {
    Box::new(move || Some(if holds() { "true" } else { "false" }))
}

/// A click handler.
pub fn click(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(move |_| act())
}
