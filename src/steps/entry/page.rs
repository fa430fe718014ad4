//! The page of the entry.

use axum::http::{Method, request::Parts};
use leptos::prelude::*;

use crate::{
    app::{Document, Facts},
    state::AppState,
    telemetry::FunnelStep,
    words,
};

const FACTS: Facts = Facts {
    is_entry: true,
    ..Facts::new("entry", words::title::ENTRY)
};

/// The spinner. The entry's script posts at once; without scripts there is a button that posts.
#[component]
pub fn EntryPage() -> impl IntoView {
    let is_opened = with_context(|parts: &Parts| parts.method == Method::GET);
    if is_opened == Some(true) {
        expect_context::<AppState>()
            .metrics
            .count_step(FunnelStep::Entry);
    }
    view! {
        <Document facts=FACTS context=None>
            <section class="step">
                // After a failure, it is visible and gets the focus, so that screen readers read what
                // failed and why.
                <h1
                    id="entry-title"
                    class="visually-hidden"
                    tabindex="-1"
                    data-validating=words::VALIDATING
                    data-failed=words::VALIDATING_FAILED_TITLE
                    data-failed-title=words::title::document(words::VALIDATING_FAILED_TITLE, words::PRODUCT)
                >
                    {words::VALIDATING}
                </h1>
                <div id="entry-waiting" class="loading entry__waiting">
                    <span class="spinner" aria-hidden="true"></span>
                    // The title says it.
                    <p aria-hidden="true">{words::VALIDATING}</p>
                    <p id="entry-slow" aria-live="polite" data-words=words::SLOW></p>
                </div>
                // Posts to the page's own address: the token is in no markup.
                <form id="entry-form" method="post">
                    // For browsers that do not run scripts. The style sheet hides it once the
                    // validation has begun.
                    <div id="entry-by-hand" class="loading entry__by-hand">
                        <p>{words::ENTRY_BY_HAND}</p>
                        <button class="button button--primary" type="submit">{words::CONTINUE}</button>
                    </div>
                    <div id="entry-failed" class="card" hidden>
                        <p
                            id="entry-reason"
                            data-busy=words::VALIDATING_BUSY
                            data-offline=words::VALIDATING_OFFLINE
                            data-no-response=words::VALIDATING_SILENT
                        >
                            {words::VALIDATING_SILENT}
                        </p>
                        <div class="actions">
                            <button class="button button--primary" type="submit">{words::TRY_AGAIN}</button>
                        </div>
                    </div>
                </form>
            </section>
        </Document>
    }
}
