//! What any step may have to say beside its own content: toasts, and the notice of a session in another tab.

use std::{cell::Cell, rc::Rc};

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTemplateElement};

use crate::{
    page::{self, OTHER_TAB_EVENT, TOAST_EVENT, Toast},
    timer::Timer,
};

/// How long a toast stays, in milliseconds (spec §2, Layout).
const TOAST_TIME_MS: i32 = 5000;

/// Shows what waits already, and from now on what comes.
pub fn start() {
    let Some((window, _)) = page::here() else { return };
    page::listen(&window, TOAST_EVENT, |_| show_waiting());
    page::listen(&window, OTHER_TAB_EVENT, |_| page::reveal("other-tab"));
    show_waiting();
}

fn show_waiting() {
    for toast in page::take_toasts() {
        let _ = show(&toast);
    }
}

/// Puts a copy of the document's template on the screen. `None` where the document has none.
fn show(toast: &Toast) -> Option<()> {
    let template = page::element("toast")?.dyn_into::<HtmlTemplateElement>().ok()?;
    let shown = template.content().first_element_child()?.clone_node_with_deep(true).ok()?.unchecked_into::<Element>();
    shown.set_class_name(&["toast toast--", &toast.kind].concat());
    shown.first_element_child()?.set_text_content(Some(&toast.message));
    page::element("toasts")?.append_child(&shown).ok()?;
    keep_time(&shown);
    Some(())
}

/// A toast goes by itself, but not while somebody points at it or is in it.
fn keep_time(toast: &Element) {
    let timer = Rc::new(Cell::new(None));
    let start = {
        let (toast, timer) = (toast.clone(), Rc::clone(&timer));
        move || {
            let toast = toast.clone();
            timer.set(Some(Timer::start(TOAST_TIME_MS, move || toast.remove())));
        }
    };
    start();
    if let Some(close) = toast.last_element_child() {
        let (toast, timer) = (toast.clone(), Rc::clone(&timer));
        page::listen(&close, "click", move |_| {
            timer.take();
            toast.remove();
        });
    }
    for event in ["mouseenter", "focusin"] {
        let timer = Rc::clone(&timer);
        page::listen(toast, event, move |_| drop(timer.take()));
    }
    for event in ["mouseleave", "focusout"] {
        let start = start.clone();
        page::listen(toast, event, move |_| start());
    }
}
