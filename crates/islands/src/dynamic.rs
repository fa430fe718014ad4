//! What changes in a view, all of one type.
//!
//! Leptos compiles its machinery anew for every closure that a view is given. In a box, all that give the same are one
//! type, which halves what the islands weigh in the wasm module.

use leptos::ev::MouseEvent;

/// A text or an attribute that follows the signals which it reads.
pub type Dynamic<T> = Box<dyn FnMut() -> T + Send>;

/// A text that follows its signals.
pub fn text(draw: impl FnMut() -> String + Send + 'static) -> Dynamic<String> {
    Box::new(draw)
}

/// An attribute that is there as long as the condition holds, without a value.
pub fn flag(mut holds: impl FnMut() -> bool + Send + 'static) -> Dynamic<Option<&'static str>> {
    Box::new(move || holds().then_some(""))
}

/// An attribute that says whether the condition holds: `"true"` or `"false"`.
pub fn bool_attr(mut holds: impl FnMut() -> bool + Send + 'static) -> Dynamic<Option<&'static str>> {
    Box::new(move || Some(if holds() { "true" } else { "false" }))
}

/// What a click does.
pub fn click(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(move |_| act())
}
