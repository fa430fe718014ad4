//! The success screen: the success call, once, and what the client can do next.

use leptos::{html::P, prelude::*, task::spawn_local};

use crate::{
    failure::Failure,
    islands::{
        context::page_context,
        page,
        retry::{Retry, RetryButton},
        text::text,
    },
    routes,
    wire::{PageContext, WidgetType},
    words,
};

/// How long after a failure the firm is told again, in milliseconds.
const AGAIN_AFTER_MS: u32 = 30_000;

/// Whether the widget API has the item and the success call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Pending,
    /// Not yet; it is tried again.
    Failed,
    /// The item was refused, which the firm must be told.
    Refused,
    All,
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
    let told = RwSignal::new(Told::Pending);
    let retry = Retry::default();
    let state = NodeRef::<P>::new();
    let tell = Teller {
        session,
        is_success,
        item_refused,
        told,
        retry,
    };
    let again = tell.clone();
    Effect::new(move || tell.start());
    // The pressed button is gone, so the text about the end takes the focus. Orca does not read it
    // in Chromium, because the element with the focus disappears; the live region does. In Firefox
    // only the focus does.
    let conclude = move |_| {
        concluded.set(true);
        page::focus(state);
    };
    page::report_hydrated();
    let line = Memo::new(move |_| {
        let text = match told.get() {
            Told::Pending => words::TELLING,
            Told::Failed => words::UNCONFIRMED,
            Told::Refused => "",
            Told::All if !is_new => words::RENEWED_LEAD,
            Told::All if concluded.get() => words::SUCCESS_CLOSE,
            Told::All => words::SUCCESS_LEAD,
        };
        text.to_owned()
    });
    view! {
        <p
            class="step__lead success__state"
            tabindex="-1"
            aria-live="polite"
            aria-atomic="true"
            data-concluded=move || concluded.get() && told.get() == Told::All
            use:text=line
            node_ref=state
        >
            {line.get_untracked()}
        </p>
        <RetryButton retry repeat=move || again.start()/>
        <div class="actions" hidden=move || concluded.get()>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <button
                class="button button--primary"
                type="button"
                disabled=move || !is_hydrated.get()
                // Nothing is concluded while the firm has not been told. The retry is in its place.
                hidden=move || told.get() == Told::Failed
                on:click=conclude
            >
                {words::FINISH}
            </button>
        </div>
    }
}

/// Tells the widget API of the linking.
#[derive(Clone)]
struct Teller {
    session: String,
    is_success: bool,
    item_refused: bool,
    told: RwSignal<Told>,
    retry: Retry,
}

impl Teller {
    fn start(&self) {
        let teller = self.clone();
        spawn_local(async move { teller.tell().await });
    }

    async fn tell(self) {
        let result = page::report_success(&self.session, self.is_success).await;
        let told = match result.as_string().as_deref() {
            Some("done") if self.item_refused => Told::Refused,
            Some("done") => Told::All,
            Some("refused") => Told::Refused,
            Some("failed") => return self.failed(),
            _ => return,
        };
        self.told.set(told);
        self.retry.succeeded(page::focus_title);
    }

    /// The text announces the first failure. It stays, so a toast announces later ones.
    fn failed(self) {
        self.told.set(Told::Failed);
        if self.retry.failed() {
            page::toast_quietly("error", words::REQUEST_FAILED);
        } else {
            Failure::no_reply().handle();
        }
        let again = move || {
            // Unless the client has retried.
            if self.told.get_untracked() == Told::Failed {
                self.start();
            }
        };
        page::Timer::start(AGAIN_AFTER_MS, again).keep();
    }
}
