//! Something that happens later, unless it is dropped before.

use wasm_bindgen::prelude::*;

/// A timer that runs: dropping it stops it.
pub struct Timer {
    id: i32,
    /// Kept until the timer is dropped.
    _act: Closure<dyn FnMut()>,
}

impl Timer {
    /// Does something once, after some milliseconds.
    pub fn start(after_ms: i32, act: impl FnMut() + 'static) -> Self {
        let act = Closure::new(act);
        let window = web_sys::window();
        let id = window.and_then(|window| {
            let callback = JsCast::unchecked_ref(AsRef::<JsValue>::as_ref(&act));
            window.set_timeout_with_callback_and_timeout_and_arguments_0(callback, after_ms).ok()
        });
        // Only outside of a page there is no window, and no timer 0 anywhere.
        Self { id: id.unwrap_or(0), _act: act }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.clear_timeout_with_handle(self.id);
        }
    }
}
