//! The button that makes a failed call again.

use leptos::prelude::*;
use vincula_domain::words;

use crate::{
    page,
    view::{SPINNER, bool_attr, click, flag, on_hydrate},
};

/// Id of the button. A page has at most one.
const BUTTON: &str = "retry";

/// How far a call has come that can be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Attempt {
    /// It has not failed, or has succeeded since.
    #[default]
    Well,
    Failed,
    /// It is made again, and has no answer yet.
    Repeated,
}

/// A call that the person can make again once it has failed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retry(RwSignal<Attempt>);

impl Retry {
    /// A repetition leads to another page: if this one is still there, the button works again.
    pub fn watch_stays(self) {
        page::on_stays(move || {
            if self.0.get_untracked() == Attempt::Repeated {
                self.0.set(Attempt::Failed);
            }
        });
    }

    /// The call has failed. Returns whether it is the first time since it last succeeded.
    pub fn failed(self) -> bool {
        let before = self.0.get_untracked();
        self.0.set(Attempt::Failed);
        before == Attempt::Well
    }

    /// The call has succeeded. A repeated one moves the focus from the button, which goes, to what has come: the first
    /// element of the `selector`. A focus that is elsewhere stays there.
    pub fn succeeded(self, selector: &'static str) {
        if self.0.get_untracked() == Attempt::Well {
            return;
        }
        self.0.set(Attempt::Well);
        if page::has_focus_or_none(BUTTON) {
            page::focus(selector);
        }
    }

    /// Whether there is an answer.
    fn is_pending(self) -> bool {
        self.0.get_untracked() == Attempt::Repeated
    }
}

/// "Tentar de novo", from a failure until a success. While the call is repeated the button stays, busy, with the focus.
#[component]
pub fn RetryButton(retry: Retry, mut repeat: impl FnMut() + 'static) -> impl IntoView {
    let Retry(attempt) = retry;
    on_hydrate(|| retry.watch_stays());
    let press = move || {
        if !retry.is_pending() {
            attempt.set(Attempt::Repeated);
            repeat();
        }
    };
    view! {
        <div class="actions" hidden=flag(move || attempt.get() == Attempt::Well)>
            <button
                class="button button--secondary"
                type="button"
                id=BUTTON
                aria-busy=bool_attr(move || attempt.get() == Attempt::Repeated)
                on:click=click(press)
            >
                <span class=SPINNER aria-hidden="true"></span>
                {words::TRY_AGAIN}
            </button>
        </div>
    }
}
