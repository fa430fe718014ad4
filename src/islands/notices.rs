//! What any step may have to say beside its own content: toasts, and the notice of a session in another tab.

use std::time::Duration;

use leptos::{ev, prelude::*};

use super::page::{self, Toast};
use crate::words;

/// How long a toast stays (spec §2, Layout).
const TOAST_TIME: Duration = Duration::from_millis(5000);

/// A toast on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shown {
    id: usize,
    toast: Toast,
}

/// Toasts, top centre, and the notice that stops a page whose session was replaced (design D11).
#[island]
pub fn Notices() -> impl IntoView {
    let shown = RwSignal::new(Vec::<Shown>::new());
    let other_tab = RwSignal::new(false);
    let show_waiting = move || {
        shown.update(|shown| {
            for toast in page::take_toasts() {
                let id = shown.last().map_or(0, |last| last.id + 1);
                shown.push(Shown { id, toast });
            }
        });
    };
    Effect::new(move |_| {
        show_waiting();
        std::mem::forget(window_event_listener_untyped(page::TOAST_EVENT, move |_| show_waiting()));
        std::mem::forget(window_event_listener_untyped(page::OTHER_TAB_EVENT, move |_| other_tab.set(true)));
    });
    view! {
        <div class="toasts" role="region" aria-live="assertive" aria-label="Avisos">
            <For each=move || shown.get() key=|shown| shown.id let(Shown { id, toast })>
                <ToastView toast close=Callback::new(move |()| shown.update(|shown| shown.retain(|other| other.id != id)))/>
            </For>
        </div>
        <Show when=move || other_tab.get()>
            <div class="other-tab" role="alertdialog" aria-modal="true" aria-labelledby="other-tab-title" aria-describedby="other-tab-text">
                <div class="card">
                    <h2 class="card__title" id="other-tab-title">{words::OTHER_TAB_TITLE}</h2>
                    <p id="other-tab-text">{words::OTHER_TAB}</p>
                </div>
            </div>
        </Show>
    }
}

/// One toast: it goes by itself, but not while somebody points at it or is in it.
#[component]
fn ToastView(toast: Toast, close: Callback<()>) -> impl IntoView {
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let hold = move || {
        timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    };
    let start = move || {
        hold();
        timer.set_value(set_timeout_with_handle(move || close.run(()), TOAST_TIME).ok());
    };
    Effect::new(move |_| start());
    on_cleanup(hold);
    view! {
        <div
            class=format!("toast toast--{}", toast.kind)
            on:mouseenter=move |_: ev::MouseEvent| hold()
            on:mouseleave=move |_: ev::MouseEvent| start()
            on:focusin=move |_: ev::FocusEvent| hold()
            on:focusout=move |_: ev::FocusEvent| start()
        >
            <p class="toast__message">{toast.message}</p>
            <button class="toast__close" type="button" aria-label=words::CLOSE on:click=move |_| close.run(())></button>
        </div>
    }
}
