//! `/`: validates the link while a spinner shows, then goes to the step that the link was made for (spec §2).

use leptos::prelude::*;
use vincula_domain::words;

/// The spinner. Its script posts at once; where no script does, there is a button that posts.
#[component]
pub fn EntryPage(nonce: String) -> impl IntoView {
    view! {
        <section class="step step--entry">
            <h1
                id="entry-title"
                class="visually-hidden"
                data-validating=words::VALIDATING
                data-failed=words::VALIDATING_FAILED_TITLE
            >
                {words::VALIDATING}
            </h1>
            <div id="entry-waiting" class="loading" role="status">
                <span class="spinner" aria-hidden="true"></span>
                <p>{words::VALIDATING}</p>
                <p id="entry-slow" hidden>{words::SLOW}</p>
            </div>
            // Posts to the page's own address: the token is in no markup.
            <form id="entry-form" method="post" data-no-reply=words::NO_REPLY>
                // For whoever has no scripts, or none that run: entry_start.js hides it before it is seen.
                <div id="entry-by-hand" class="entry__by-hand">
                    <p>{words::ENTRY_BY_HAND}</p>
                    <button class="button button--primary" type="submit">{words::CONTINUE}</button>
                </div>
                <div id="entry-failed" class="card" hidden>
                    <p class="card__title">{words::VALIDATING_FAILED_TITLE}</p>
                    <p>{words::VALIDATING_FAILED}</p>
                    <div class="actions">
                        <button class="button button--primary" type="submit">{words::TRY_AGAIN}</button>
                    </div>
                </div>
            </form>
            <script nonce=nonce inner_html=include_str!("entry.js")></script>
        </section>
    }
}
