//! What a browser without JavaScript shows in place of a step that needs it.

use leptos::prelude::*;
use vincula_domain::{routes, words};

use crate::back::BackLink;

#[component]
pub fn NeedsScript() -> impl IntoView {
    view! {
        <noscript>
            <section class="step">
                <BackLink to=format!("{}?{}", routes::ACCOUNTS, routes::LISTED)/>
                <h1 class="step__title">{words::NO_SCRIPT_TITLE}</h1>
                <p class="notice notice--warning">{words::NO_SCRIPT}</p>
            </section>
        </noscript>
    }
}
