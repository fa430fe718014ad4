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

/// The spinner, and what replaces it if the validation fails. The entry's script posts at once; without
/// scripts there is a button that posts to the page's own address, so the token is in no markup.
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
            <section class="step" id="entry-opening">
                <h1 class="visually-hidden">{words::VALIDATING}</h1>
                <div class="loading entry__waiting">
                    <span class="spinner" aria-hidden="true"></span>
                    // The title says it.
                    <p aria-hidden="true">{words::VALIDATING}</p>
                </div>
                <form class="loading entry__by-hand" method="post">
                    <p>{words::ENTRY_BY_HAND}</p>
                    <button class="button button--primary" type="submit">{words::CONTINUE}</button>
                </form>
            </section>
            <section
                class="step"
                id="entry-failed"
                data-title=words::title::document(words::VALIDATING_FAILED_TITLE, words::PRODUCT)
                hidden
            >
                <h1 class="step__title" tabindex="-1" aria-describedby="entry-reason">
                    {words::VALIDATING_FAILED_TITLE}
                </h1>
                <div class="card">
                    <p id="entry-reason">{words::VALIDATING_FAILED}</p>
                    <div class="actions">
                        <button class="button button--primary" type="button" aria-busy="false">
                            <span class="button__spinner" aria-hidden="true"></span>
                            {words::TRY_AGAIN}
                        </button>
                    </div>
                </div>
            </section>
        </Document>
    }
}
