//! The success screen: the success call, once, and what the client can do next.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{PageContext, WidgetType},
    words,
};

use crate::{
    failure::Failure,
    islands::{
        context::page_context,
        page,
        retry::{Retry, RetryButton},
        text::text,
    },
};

/// The selector of the text that replaces the buttons.
const CLOSING: &str = ".success__closing";

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
        customer_name: firm,
        ..
    } = page_context();
    let concluded = RwSignal::new(widget_type != WidgetType::New);
    let is_hydrated = page::is_hydrated();
    let told = RwSignal::new(Told::Pending);
    let retry = Retry::default();
    let tell = Teller {
        session,
        is_success,
        item_refused,
        told,
        retry,
    };
    let again = tell.clone();
    Effect::new(move || tell.start());
    // The pressed button is gone, so the text in its place takes the focus. Orca does not read it in
    // Chromium, because the element with the focus disappears; the live region does. In Firefox
    // only the focus does.
    let conclude = move |_| {
        concluded.set(true);
        page::focus(CLOSING);
    };
    page::report_hydrated();
    let announced = move || concluded.get().then_some("polite");
    let telling = words::telling(&firm);
    let says = move |done: &'static str| {
        let telling = telling.clone();
        Memo::new(move |_| match told.get() {
            Told::Pending => telling.clone(),
            Told::All => done.to_owned(),
            Told::Failed | Told::Refused => String::new(),
        })
    };
    let hint = says(words::SUCCESS_DONE);
    let closing = says(words::SUCCESS_CLOSE);
    view! {
        <div class="actions" hidden=move || concluded.get()>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::ANOTHER_ACCOUNT}</a>
            <button
                class="button button--primary"
                type="button"
                disabled=move || !is_hydrated.get()
                on:click=conclude
            >
                {words::FINISH}
            </button>
            <p class="button__hint" use:text=hint>{hint.get_untracked()}</p>
        </div>
        <p
            class="success__closing"
            aria-live=announced
            tabindex="-1"
            hidden=move || !concluded.get()
            use:text=closing
        >
            {closing.get_untracked()}
        </p>
        // The style sheet places it last, because it appears with the response and must not move
        // anything. The live region exists from the start, so that its content is announced.
        <div class="success__unconfirmed" aria-live="polite" aria-atomic="true">
            <div class="card" hidden=move || told.get() != Told::Failed>
                <p>{words::success_unconfirmed(&firm)}</p>
                <RetryButton retry repeat=move || again.start()/>
            </div>
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
        self.retry.succeeded(page::TITLE);
    }

    /// The card announces the first failure. It stays, so a toast announces later ones.
    fn failed(self) {
        self.told.set(Told::Failed);
        if self.retry.failed() {
            page::toast_quietly("error", words::REQUEST_FAILED);
        } else {
            Failure::stay().handle();
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
