//! The success screen: the success call, once, and what the client can do next.

use std::{cell::Cell, rc::Rc};

use leptos::{html::P, prelude::*, task::spawn_local};

use super::confirm_success;
use crate::{
    islands::{
        call::{call, from_page},
        context::page_context,
        page_module::{self, ItemsState},
        retry::{Retry, RetryButton, RetryState},
        text::text,
    },
    routes,
    wire::{PageContext, WidgetType},
    words,
};

/// How long after a failure the success call is made again, in milliseconds.
const AGAIN_AFTER_MS: u32 = 30_000;

/// Whether the widget API has the success call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    Pending,
    /// Not yet; it is made again.
    Failed,
    Accepted,
}

/// What the screen states: its mark, its text and its first button are of the same outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Not known yet.
    Pending,
    /// The widget API has the success call and every item.
    Told,
    /// It lacks something, which is repeated.
    Untold,
    /// It has refused an item: only the firm can help.
    Refused,
}

impl Outcome {
    fn of(called: CallState, items: ItemsState) -> Self {
        match (called, items) {
            (_, ItemsState::Refused) => Self::Refused,
            (CallState::Pending, _) | (_, ItemsState::Finishing) => Self::Pending,
            (CallState::Accepted, ItemsState::None) => Self::Told,
            (CallState::Failed, _) | (_, ItemsState::Kept) => Self::Untold,
        }
    }

    /// Its name in the style sheet.
    fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Told => "told",
            Self::Untold => "untold",
            Self::Refused => "refused",
        }
    }
}

/// Makes the success call on entry, unless it was made before. The client may close the page only
/// once the widget API has accepted the call and the item, which the page's module submits. A link
/// for new accounts offers another account or the end.
#[island]
pub fn Success() -> impl IntoView {
    let PageContext {
        session,
        widget_type,
        is_confirmed,
        ..
    } = page_context();
    let is_new = widget_type == WidgetType::New;
    let concluded = RwSignal::new(!is_new);
    let is_hydrated = page_module::is_hydrated();
    let called = RwSignal::new(if is_confirmed {
        CallState::Accepted
    } else {
        CallState::Pending
    });
    let items = page_module::items_state();
    let retry = Retry::default();
    let state = NodeRef::<P>::new();
    let report = Rc::new(Report {
        session,
        called,
        items,
        retry,
        busy: Cell::default(),
        next: Cell::default(),
    });
    Effect::new({
        let report = Rc::clone(&report);
        move || {
            if called.get_untracked() == CallState::Pending {
                report.send();
            }
        }
    });
    Effect::new({
        let report = Rc::clone(&report);
        move || {
            items.track();
            report.show();
        }
    });
    // The pressed button is gone, so the text about the end takes the focus. Orca does not read it
    // in Chromium, because the element with the focus disappears; the live region does. In Firefox
    // only the focus does.
    let conclude = move |_| {
        concluded.set(true);
        page_module::focus(state);
    };
    // The server does not know of items.
    let outcome = Memo::new(move |_| {
        if is_hydrated.get() {
            Outcome::of(called.get(), items.get())
        } else {
            Outcome::Pending
        }
    });
    let line = Memo::new(move |_| {
        let text = match outcome.get() {
            Outcome::Pending if called.get() == CallState::Pending => words::TELLING,
            Outcome::Pending => "",
            Outcome::Refused => words::ITEM_REFUSED,
            Outcome::Untold if items.get() == ItemsState::Kept => words::ITEM_KEPT,
            Outcome::Untold => words::UNCONFIRMED,
            Outcome::Told if !is_new => words::RENEWED_LEAD,
            Outcome::Told if concluded.get() => words::SUCCESS_CLOSE,
            Outcome::Told => words::SUCCESS_LEAD,
        };
        text.to_owned()
    });
    let title = Memo::new(move |_| {
        let title = match outcome.get() {
            Outcome::Pending | Outcome::Told => words::SUCCESS_TITLE,
            Outcome::Untold => words::UNTOLD_TITLE,
            Outcome::Refused => words::REFUSED_TITLE,
        };
        title.to_owned()
    });
    view! {
        <div class="step__head outcome" data-outcome=move || outcome.get().name()>
            <h1 class="step__title" tabindex="-1" use:text=title>{title.get_untracked()}</h1>
        </div>
        <p
            class="step__lead success__state"
            tabindex="-1"
            aria-live="polite"
            aria-atomic="true"
            use:text=line
            node_ref=state
        >
            {line.get_untracked()}
        </p>
        <RetryButton retry repeat=move || report.send() class="button button--primary"/>
        // After a refusal only the firm can help.
        <div class="actions" hidden=move || concluded.get() || outcome.get() == Outcome::Refused>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <button
                class="button button--primary"
                type="button"
                disabled=move || !is_hydrated.get()
                // Nothing is concluded if the firm does not know of the account.
                hidden=move || outcome.get() == Outcome::Untold
                on:click=conclude
            >
                {words::FINISH}
            </button>
        </div>
    }
}

/// The report to the firm: the success call and the items.
struct Report {
    session: String,
    called: RwSignal<CallState>,
    items: RwSignal<ItemsState>,
    retry: Retry,
    /// Whether a report is pending. There is never more than one.
    busy: Cell<bool>,
    /// Makes the success call again after a failure.
    next: Cell<Option<page_module::Timer>>,
}

impl Report {
    /// Makes the success call, unless it was accepted, and submits the items, unless a report is
    /// pending. If the page is left meanwhile, the browser drops the answer, which could undo what the
    /// client does there.
    fn send(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.next.take();
        let report = Rc::clone(self);
        spawn_local(async move {
            if report.called.get_untracked() != CallState::Accepted {
                match call(confirm_success(from_page(&report.session))).await {
                    Ok(_) => report.called.set(CallState::Accepted),
                    Err(failed) if failed.can_retry() => report.called.set(CallState::Failed),
                    Err(failed) => {
                        failed.handle().await;
                        report.busy.set(false);
                        report.retry.stalled();
                        return;
                    }
                }
            }
            if report.items.get_untracked() == ItemsState::Kept {
                page_module::submit_items().await;
            }
            report.busy.set(false);
            report.show();
        });
    }

    /// Shows the button that repeats the report while something of it is missing. Makes a failed
    /// success call again later; the page's module submits the items.
    fn show(self: &Rc<Self>) {
        let called = self.called.get_untracked();
        if called == CallState::Pending || self.busy.get() {
            return;
        }
        let is_kept = self.items.get_untracked() == ItemsState::Kept;
        if called == CallState::Accepted && !is_kept {
            self.retry.succeeded(page_module::focus_title);
            return;
        }
        let before = self.retry.failed();
        // Once, and after each report that the client has asked for. The text above says what
        // became of an item.
        if before == RetryState::Pending || (before == RetryState::Idle && !is_kept) {
            page_module::show_toast();
        }
        if called == CallState::Failed {
            let report = Rc::clone(self);
            let again = move || report.send();
            self.next
                .set(Some(page_module::Timer::start(AGAIN_AFTER_MS, again)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_accepted_call_without_items_is_a_success() {
        use CallState::{Accepted, Failed, Pending};
        for (items, outcomes) in [
            (
                ItemsState::None,
                [Outcome::Pending, Outcome::Untold, Outcome::Told],
            ),
            (ItemsState::Finishing, [Outcome::Pending; 3]),
            (
                ItemsState::Kept,
                [Outcome::Pending, Outcome::Untold, Outcome::Untold],
            ),
            (ItemsState::Refused, [Outcome::Refused; 3]),
        ] {
            let all = [Pending, Failed, Accepted].map(|called| Outcome::of(called, items));
            assert_eq!(all, outcomes, "{items:?}");
        }
    }
}
