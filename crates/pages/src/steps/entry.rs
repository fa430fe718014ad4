//! `/`: validates the link while a spinner shows, then goes to the step that the link was made for.

use leptos::prelude::*;
use vincula_domain::words;

/// The spinner. The entry's script posts at once; without scripts there is a button that posts.
#[component]
pub fn EntryPage() -> impl IntoView {
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
            <form id="entry-form" method="post">
                // Without scripts, or if they do not run. The style sheet hides it once the validation has begun.
                <div id="entry-by-hand" class="entry__by-hand">
                    <p>{words::ENTRY_BY_HAND}</p>
                    <button class="button button--primary" type="submit">{words::CONTINUE}</button>
                </div>
                // Takes the focus when it is shown, so that screen readers read it.
                <div
                    id="entry-failed"
                    class="card"
                    role="group"
                    tabindex="-1"
                    aria-labelledby="entry-failed-title"
                    aria-describedby="entry-reason"
                    hidden
                >
                    <p id="entry-failed-title" class="card__title">{words::VALIDATING_FAILED_TITLE}</p>
                    <p
                        id="entry-reason"
                        data-busy=words::VALIDATING_BUSY
                        data-offline=words::VALIDATING_OFFLINE
                        data-silent=words::VALIDATING_SILENT
                    >
                        {words::VALIDATING_SILENT}
                    </p>
                    <div class="actions">
                        <button class="button button--primary" type="submit">{words::TRY_AGAIN}</button>
                    </div>
                </div>
            </form>
        </section>
    }
}
