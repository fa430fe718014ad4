//! The button that retries a failed call.

use leptos::prelude::*;

use crate::{islands::page, words};

/// Id of the button. A page has at most one.
const BUTTON: &str = "retry";

/// The state of a call that can be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Attempt {
    /// It has not failed, or has succeeded since.
    #[default]
    Well,
    Failed,
    /// A retry is pending.
    Repeated,
}

/// A call that the client can retry after a failure.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retry(RwSignal<Attempt>);

impl Retry {
    /// If a retry navigates and the page is still there later, the button works again.
    pub fn watch_stays(self) {
        page::on_resumed(move || {
            if self.0.get_untracked() == Attempt::Repeated {
                self.0.set(Attempt::Failed);
            }
        });
    }

    /// Records a failure. Returns whether it is the first since the last success.
    pub fn failed(self) -> bool {
        let before = self.0.get_untracked();
        self.0.set(Attempt::Failed);
        before == Attempt::Well
    }

    /// Records a success. After a retry, the button disappears, and the focus moves from it to the
    /// first element that matches `selector`. A focus elsewhere stays there.
    pub fn succeeded(self, selector: &'static str) {
        if self.0.get_untracked() == Attempt::Well {
            return;
        }
        self.0.set(Attempt::Well);
        if page::has_focus_or_none(BUTTON) {
            page::focus(selector);
        }
    }

    /// Whether a retry is pending.
    fn is_pending(self) -> bool {
        self.0.get_untracked() == Attempt::Repeated
    }
}

/// "Tentar de novo", from a failure until a success. During a retry the button stays, busy, and
/// keeps the focus.
#[component]
pub fn RetryButton(retry: Retry, mut repeat: impl FnMut() + 'static) -> impl IntoView {
    let Retry(attempt) = retry;
    Effect::new(move || retry.watch_stays());
    let press = move |_| {
        if !retry.is_pending() {
            attempt.set(Attempt::Repeated);
            repeat();
        }
    };
    view! {
        <div class="actions" hidden=move || attempt.get() == Attempt::Well>
            <button
                class="button button--secondary"
                type="button"
                id=BUTTON
                aria-busy=move || (attempt.get() == Attempt::Repeated).to_string()
                on:click=press
            >
                <span class="button__spinner" aria-hidden="true"></span>
                {words::TRY_AGAIN}
            </button>
        </div>
    }
}
