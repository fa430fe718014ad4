//! The button that retries a failed call.

use leptos::{html::Button, prelude::*};

use crate::{islands::page_module, words};

/// The state of a call that can be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RetryState {
    /// It has not failed, or has succeeded since.
    #[default]
    Idle,
    Failed,
    /// A retry is pending.
    Pending,
}

/// A call that the client can retry after a failure.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retry {
    state: RwSignal<RetryState>,
    button: NodeRef<Button>,
}

impl Retry {
    /// Records that a retry has led to another page, which has not come.
    pub fn stalled(self) {
        if self.is_pending() {
            self.state.set(RetryState::Failed);
        }
    }

    /// Records a failure. Returns the state before it.
    pub fn failed(self) -> RetryState {
        let before = self.state.get_untracked();
        self.state.set(RetryState::Failed);
        before
    }

    /// Records a success. After a retry, the button disappears, and `move_focus` moves the focus from
    /// it. A focus elsewhere stays there.
    pub fn succeeded(self, move_focus: impl FnOnce()) {
        if self.state.get_untracked() == RetryState::Idle {
            return;
        }
        self.state.set(RetryState::Idle);
        let button = self.button.get_untracked();
        if button.is_some_and(|button| page_module::has_focus_or_none(&button)) {
            move_focus();
        }
    }

    /// Whether a retry is pending.
    fn is_pending(self) -> bool {
        self.state.get_untracked() == RetryState::Pending
    }
}

/// "Tentar de novo", from a failure until a success. During a retry the button stays, busy, and
/// keeps the focus.
#[component]
pub fn RetryButton(
    retry: Retry,
    mut repeat: impl FnMut() + 'static,
    #[prop(default = "button button--secondary")] class: &'static str,
) -> impl IntoView {
    let Retry { state, button } = retry;
    let press = move |_| {
        if !retry.is_pending() {
            state.set(RetryState::Pending);
            repeat();
        }
    };
    view! {
        <div class="actions" hidden=move || state.get() == RetryState::Idle>
            <button
                class=class
                type="button"
                node_ref=button
                aria-busy=move || (state.get() == RetryState::Pending).to_string()
                on:click=press
            >
                <span class="button__spinner" aria-hidden="true"></span>
                {words::TRY_AGAIN}
            </button>
        </div>
    }
}
