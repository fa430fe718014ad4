//! The page around the islands: its elements, its events, and the queue of toasts.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, prelude::*};
use web_sys::{Document, Element, Event, EventTarget, Window};

/// Global variable with the queue of toasts, shared by the page's scripts, React and the Leptos islands.
const TOASTS: &str = "vinculaToasts";
/// Fired when a toast is queued.
pub const TOAST_EVENT: &str = "vincula:toast";
/// Fired when the page's session was replaced (design D11).
pub const OTHER_TAB_EVENT: &str = "vincula:other-tab";

/// A queued toast.
pub struct Toast {
    /// `error`, `success` or `info`.
    pub kind: String,
    pub message: String,
}

/// Queues a toast and fires [`TOAST_EVENT`].
pub fn toast(kind: &str, message: &str) {
    let toast = Object::new();
    // Setting a property of a plain object does not fail.
    let _ = Reflect::set(&toast, &"kind".into(), &kind.into());
    let _ = Reflect::set(&toast, &"message".into(), &message.into());
    waiting().push(&toast);
    dispatch(TOAST_EVENT);
}

/// Dispatches an event on the window.
pub fn dispatch(name: &str) {
    if let (Some(window), Ok(event)) = (web_sys::window(), Event::new(name)) {
        let _ = window.dispatch_event(&event);
    }
}

/// Takes all queued toasts.
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

/// The window and the document; `None` only outside of a page.
pub fn here() -> Option<(Window, Document)> {
    let window = web_sys::window()?;
    let document = window.document()?;
    Some((window, document))
}

/// The element with an id.
pub fn element(id: &str) -> Option<Element> {
    here()?.1.get_element_by_id(id)
}

/// Adds an event listener that is never removed.
pub fn listen(target: &EventTarget, event: &str, act: impl FnMut(Event) + 'static) {
    let act = Closure::<dyn FnMut(Event)>::new(act).into_js_value();
    let _ = target.add_event_listener_with_callback(event, act.unchecked_ref());
}

fn waiting() -> Array {
    let global = js_sys::global();
    let existing = Reflect::get(&global, &TOASTS.into()).ok().and_then(|list| list.dyn_into::<Array>().ok());
    existing.unwrap_or_else(|| {
        let list = Array::new();
        let _ = Reflect::set(&global, &TOASTS.into(), &list);
        list
    })
}
