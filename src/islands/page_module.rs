//! Access to the page around the islands: the functions of the page's module
//! (`islands-react/src/page/index.ts`), events and timers.

use std::time::Duration;

use leptos::{
    ev,
    html::ElementType,
    prelude::{
        Effect, GetUntracked, NodeRef, RwSignal, Set, TimeoutHandle, document,
        set_timeout_with_handle, window_event_listener,
    },
    task::{spawn_local, tick},
};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlElement};

// The page's module runs before the wasm module, and leaves its functions in `window.vincula`.
#[wasm_bindgen(js_namespace = vincula)]
extern "C" {
    /// Tells the page that this task hydrates the islands: they work afterwards if nothing has failed.
    #[wasm_bindgen(js_name = beginHydration)]
    pub fn begin_hydration();

    /// Restores the islands' nodes as the server sent them, without what a translator or an extension
    /// has changed. Both may change them again between two islands.
    #[wasm_bindgen(js_name = restoreServed)]
    pub fn restore_served();

    /// Carries out the reaction to a [`Failure`](crate::failure::Failure), given as JSON. Returns once
    /// the page can be used: at once if it stays, later if a navigation has stalled, and never if the
    /// page is left or has stopped.
    #[wasm_bindgen(js_name = handleFailure)]
    pub async fn handle_failure(failure: &str);

    /// Navigates to a path of this origin, replacing the history entry. Returns only if the page is
    /// still there some time later.
    pub async fn replace(to: &str);

    /// Shows the toast of a failed request.
    #[wasm_bindgen(js_name = showToast)]
    pub fn show_toast();

    /// Whether the page has stopped, because its session was replaced or has ended.
    #[wasm_bindgen(js_name = isStopped)]
    pub fn is_stopped() -> bool;

    /// Submits the items that the browser keeps. Their state afterwards is in [`items_state`].
    #[wasm_bindgen(js_name = submitItems)]
    pub async fn submit_items();
}

/// The selector of the step's title, which is outside of the islands.
const TITLE: &str = ".step__title";

/// Whether the browser has hydrated the island: not on the server, and not during hydration.
pub fn is_hydrated() -> RwSignal<bool> {
    let is_hydrated = RwSignal::new(false);
    Effect::new(move || is_hydrated.set(true));
    is_hydrated
}

/// Whether the page is visible.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// Calls `act` whenever the page is hidden or shown.
pub fn on_visibility(act: impl Fn() + 'static) {
    let _ = window_event_listener(ev::visibilitychange, move |_| act());
}

/// What became of the items that the browser keeps, as the page's module states it in
/// `body[data-items]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemsState {
    /// The widget API has everything.
    None,
    /// The page finishes what an earlier one left unanswered, and its live line says so.
    Finishing,
    /// The widget API does not have an item yet.
    Kept,
    /// The widget API has refused an item.
    Refused,
}

/// The state of the items, now and after each change.
pub fn items_state() -> RwSignal<ItemsState> {
    let state = RwSignal::new(ItemsState::None);
    Effect::new(move || {
        state.set(current_items_state());
        let changed = ev::Custom::<Event>::new("vincula-items");
        let _ = window_event_listener(changed, move |_| state.set(current_items_state()));
    });
    state
}

fn current_items_state() -> ItemsState {
    let body = document().body();
    let items = body.and_then(|body| body.get_attribute("data-items"));
    match items.as_deref() {
        None | Some("none") => ItemsState::None,
        Some("finishing") => ItemsState::Finishing,
        Some("refused") => ItemsState::Refused,
        Some(_) => ItemsState::Kept,
    }
}

/// Moves the focus to the step's title, after pending changes are in the document.
pub fn focus_title() {
    focus_when_changed(|| document().query_selector(TITLE).ok().flatten());
}

/// Moves the focus to an element of an island, after pending changes are in the document.
pub fn focus<E>(element: NodeRef<E>)
where
    E: ElementType + 'static,
    E::Output: JsCast + Into<Element> + Clone + 'static,
{
    focus_when_changed(move || element.get_untracked().map(Into::into));
}

fn focus_when_changed(find: impl FnOnce() -> Option<Element> + 'static) {
    spawn_local(async move {
        tick().await;
        if let Some(element) = find().and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            let _ = element.focus();
        }
    });
}

/// Whether the element has the focus, or no element has it, because Safari does not focus a pressed
/// button.
pub fn has_focus_or_none(element: &Element) -> bool {
    document()
        .active_element()
        .is_none_or(|focused| focused == *element || focused.tag_name() == "BODY")
}

/// A running one-shot timer; dropping it cancels it.
pub struct Timer(Option<TimeoutHandle>);

impl Timer {
    /// Runs `act` once, after `after_ms` milliseconds. If the timer cannot be set, `act` is never
    /// called.
    pub fn start(after_ms: u32, act: impl FnOnce() + 'static) -> Self {
        Self(set_timeout_with_handle(act, Duration::from_millis(after_ms.into())).ok())
    }

    /// Lets it run without being held.
    pub fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(handle) = self.0 {
            handle.clear();
        }
    }
}
