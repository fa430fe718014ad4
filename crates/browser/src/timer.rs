//! One-shot timers that are cancelled on drop.

use wasm_bindgen::prelude::*;

/// A running timer; dropping it cancels it.
pub struct Timer {
    id: i32,
    /// Kept until the timer is dropped.
    _act: Closure<dyn FnMut()>,
}

impl Timer {
    /// Runs `act` once, after `after_ms` milliseconds.
    pub fn start(after_ms: i32, act: impl FnMut() + 'static) -> Self {
        let act = Closure::new(act);
        let window = web_sys::window();
        let id = window.and_then(|window| {
            let callback = JsCast::unchecked_ref(AsRef::<JsValue>::as_ref(&act));
            window.set_timeout_with_callback_and_timeout_and_arguments_0(callback, after_ms).ok()
        });
        // Without a window there is no timer; 0 is never the id of one.
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
