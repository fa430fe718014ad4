//! The page around the islands: its elements and its events.

use wasm_bindgen::{JsCast, prelude::*};
use web_sys::{Document, Element, Event, EventTarget, Window};

/// Window and document. `None` outside of a page only.
pub fn here() -> Option<(Window, Document)> {
    let window = web_sys::window()?;
    let document = window.document()?;
    Some((window, document))
}

/// The element of an id.
pub fn element(id: &str) -> Option<Element> {
    here()?.1.get_element_by_id(id)
}

/// Listens for as long as the target lives.
pub fn listen(target: &EventTarget, event: &str, act: impl FnMut(Event) + 'static) {
    let act = Closure::<dyn FnMut(Event)>::new(act).into_js_value();
    let _ = target.add_event_listener_with_callback(event, act.unchecked_ref());
}

/// Calls `act` when the page was left and is still there, or has come back from the back/forward cache: what is busy
/// becomes free. A freed button that is pressed again leads on by itself.
pub fn on_stays(mut act: impl FnMut() + 'static) {
    if let Some((window, _)) = here() {
        listen(&window, "vincula-stays", move |_| act());
    }
}
