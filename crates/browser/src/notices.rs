//! Toasts, on any page.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, FocusEvent, HtmlElement, HtmlTemplateElement, Node};

use crate::{
    page::{self, TOAST_EVENT, Toast},
    timer::Timer,
};

/// How long a toast is shown, in milliseconds (spec §2, Layout).
const TOAST_TIME_MS: i32 = 5000;

/// Shows the queued toasts, and every later one.
pub fn start() {
    let Some((window, _)) = page::here() else { return };
    page::listen(&window, TOAST_EVENT, |_| show_waiting());
    show_waiting();
}

fn show_waiting() {
    for toast in page::take_toasts() {
        let _ = show(&toast);
    }
}

/// Renders a toast from the document's template; `None` if the document has none.
fn show(toast: &Toast) -> Option<()> {
    let template = page::element("toast")?.dyn_into::<HtmlTemplateElement>().ok()?;
    let shown = template.content().first_element_child()?.clone_node_with_deep(true).ok()?.unchecked_into::<Element>();
    shown.set_class_name(&["toast toast--", &toast.kind].concat());
    shown.first_element_child()?.set_text_content(Some(&toast.message));
    page::element("toasts")?.append_child(&shown).ok()?;
    keep_time(Rc::new(Shown {
        toast: shown,
        pointed_at: Cell::default(),
        focused: Cell::default(),
        timer: Cell::default(),
        before: RefCell::default(),
    }));
    Some(())
}

/// A visible toast.
struct Shown {
    toast: Element,
    /// The pointer is over the toast.
    pointed_at: Cell<bool>,
    /// The focus is inside the toast.
    focused: Cell<bool>,
    timer: Cell<Option<Timer>>,
    /// The element that had the focus before the toast.
    before: RefCell<Option<HtmlElement>>,
}

/// Removes the toast after a while, but not while the pointer is over it or the focus is inside.
fn keep_time(shown: Rc<Shown>) {
    let on = |event: &str, act: fn(&Rc<Shown>, Option<EventTarget>)| {
        let this = Rc::clone(&shown);
        page::listen(&shown.toast, event, move |event| {
            act(&this, event.dyn_ref::<FocusEvent>().and_then(FocusEvent::related_target));
        });
    };
    on("mouseenter", |shown, _| shown.hold(&shown.pointed_at, true));
    on("mouseleave", |shown, _| shown.hold(&shown.pointed_at, false));
    on("focusin", |shown, from| {
        if !shown.holds(from.as_ref()) {
            *shown.before.borrow_mut() = from.and_then(|from| from.dyn_into().ok());
        }
        shown.hold(&shown.focused, true);
    });
    on("focusout", |shown, to| shown.hold(&shown.focused, shown.holds(to.as_ref())));
    if let Some(close) = shown.toast.last_element_child() {
        let shown = Rc::clone(&shown);
        page::listen(&close, "click", move |_| shown.leave());
    }
    shown.wait();
}

impl Shown {
    /// Sets or clears a reason to stay. The timer restarts when none is left.
    fn hold(self: &Rc<Self>, reason: &Cell<bool>, holds: bool) {
        reason.set(holds);
        self.wait();
    }

    fn wait(self: &Rc<Self>) {
        let stays = self.pointed_at.get() || self.focused.get();
        let shown = Rc::clone(self);
        self.timer.set((!stays).then(|| Timer::start(TOAST_TIME_MS, move || shown.leave())));
    }

    fn holds(&self, target: Option<&EventTarget>) -> bool {
        self.toast.contains(target.and_then(|target| target.dyn_ref::<Node>()))
    }

    /// Removes the toast; a focus inside returns to the element that had it before.
    fn leave(&self) {
        let before = self.before.take().filter(|_| self.focused.get());
        self.timer.take();
        self.toast.remove();
        if let Some(before) = before {
            let _ = before.focus();
        }
    }
}
