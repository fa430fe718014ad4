//! The success screen: the success call, once, and what the client can do next.

use std::{cell::Cell, rc::Rc};

use leptos::{html::P, prelude::*, task::spawn_local};

use crate::{
    failure::Failure,
    islands::{
        context::page_context,
        page,
        retry::{Retry, RetryButton, RetryState},
        text::text,
    },
    routes,
    wire::{PageContext, WidgetType},
    words,
};

/// How long after a failure the report is sent again, in milliseconds.
const AGAIN_AFTER_MS: u32 = 30_000;

/// Whether the widget API has the item and the success call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportState {
    Pending,
    /// Not yet; the report is sent again.
    Failed,
    /// The item was refused, which the client has to tell the firm.
    Refused,
    Accepted,
}

/// Submits the items that the browser keeps, and makes the success call unless it was made before.
/// Only then the client may close the page. A link for new accounts offers another account or the
/// end.
#[island]
pub fn Success() -> impl IntoView {
    page::restore_served();
    let PageContext {
        session,
        widget_type,
        is_success,
        item_refused,
        ..
    } = page_context();
    let is_new = widget_type == WidgetType::New;
    let concluded = RwSignal::new(!is_new);
    let is_hydrated = page::is_hydrated();
    let reported = RwSignal::new(ReportState::Pending);
    let retry = Retry::default();
    let state = NodeRef::<P>::new();
    let report = Rc::new(Report {
        session,
        is_success,
        item_refused,
        state: reported,
        retry,
        busy: Cell::default(),
        next: Cell::default(),
    });
    Effect::new({
        let report = Rc::clone(&report);
        move || report.send()
    });
    // The pressed button is gone, so the text about the end takes the focus. Orca does not read it
    // in Chromium, because the element with the focus disappears; the live region does. In Firefox
    // only the focus does.
    let conclude = move |_| {
        concluded.set(true);
        page::focus(state);
    };
    page::report_hydrated();
    let line = Memo::new(move |_| {
        let text = match reported.get() {
            ReportState::Pending => words::TELLING,
            ReportState::Failed => words::UNCONFIRMED,
            ReportState::Refused => "",
            ReportState::Accepted if !is_new => words::RENEWED_LEAD,
            ReportState::Accepted if concluded.get() => words::SUCCESS_CLOSE,
            ReportState::Accepted => words::SUCCESS_LEAD,
        };
        text.to_owned()
    });
    view! {
        <p
            class="step__lead success__state"
            tabindex="-1"
            aria-live="polite"
            aria-atomic="true"
            data-concluded=move || concluded.get() && reported.get() == ReportState::Accepted
            use:text=line
            node_ref=state
        >
            {line.get_untracked()}
        </p>
        <RetryButton retry repeat=move || report.send()/>
        <div class="actions" hidden=move || concluded.get()>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <button
                class="button button--primary"
                type="button"
                disabled=move || !is_hydrated.get()
                // Nothing is concluded while the firm has not been told. The retry is in its place.
                hidden=move || reported.get() == ReportState::Failed
                on:click=conclude
            >
                {words::FINISH}
            </button>
        </div>
    }
}

/// The report of the success to the widget API.
struct Report {
    session: String,
    is_success: bool,
    item_refused: bool,
    state: RwSignal<ReportState>,
    retry: Retry,
    /// Whether a report is pending. There is never more than one.
    busy: Cell<bool>,
    /// Sends the report again after a failure.
    next: Cell<Option<page::Timer>>,
}

impl Report {
    /// Sends the report, unless one is pending.
    fn send(self: &Rc<Self>) {
        if self.busy.replace(true) {
            return;
        }
        self.next.take();
        let report = Rc::clone(self);
        spawn_local(async move {
            let result = page::report_success(&report.session, report.is_success).await;
            report.busy.set(false);
            match result.as_string().as_deref() {
                Some("done") if report.item_refused => report.ended(ReportState::Refused),
                Some("done") => report.ended(ReportState::Accepted),
                Some("refused") => report.ended(ReportState::Refused),
                Some("failed") => report.failed(),
                _ => {}
            }
        });
    }

    fn ended(&self, state: ReportState) {
        self.state.set(state);
        self.retry.succeeded(page::focus_title);
    }

    fn failed(self: &Rc<Self>) {
        self.state.set(ReportState::Failed);
        match self.retry.failed() {
            // The text announces it.
            RetryState::Idle => page::show_toast_quietly(),
            // The text stays, so a toast announces it.
            RetryState::Pending => {
                Failure::no_reply().handle();
            }
            // The client has not asked for this report.
            RetryState::Failed => {}
        }
        let report = Rc::clone(self);
        let again = move || report.send();
        self.next
            .set(Some(page::Timer::start(AGAIN_AFTER_MS, again)));
    }
}
