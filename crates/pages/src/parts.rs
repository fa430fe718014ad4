//! Parts that several steps have: the way back, the progress, the notice without JavaScript, the host of a React island.

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::{routes, words};

use crate::built::IslandBundle;

/// A link to the page before this one, which works without JavaScript.
#[component]
pub fn BackLink(to: String) -> impl IntoView {
    view! { <p class="back"><a class="link-quiet back__link" href=to>{words::BACK}</a></p> }
}

/// The id of the line. A title with the focus names it as its description (`aria-describedby`), because screen readers
/// begin at the title and would not read what is above it.
pub const PROGRESS_ID: &str = "passo";

/// The line; its words are in [`vincula_domain::words::progress`]. React's twin is `islands-react/src/ui/Progress.tsx`.
#[component]
pub fn Progress(words: &'static str) -> impl IntoView {
    view! { <p class="step__eyebrow" id=PROGRESS_ID>{words}</p> }
}

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

/// The content of the host if the island was not prerendered.
const LOADING: &str = r#"<div class="loading"><span class="spinner" aria-hidden="true"></span></div>"#;

/// The host element, with the island's prerendered `screen` if it has one. The bridge mounts the island there.
#[component]
pub fn ReactHost(name: &'static str, bundle: Arc<IslandBundle>, screen: Option<String>) -> impl IntoView {
    let html = screen.unwrap_or_else(|| LOADING.to_owned());
    view! { <div class="island" data-react=name data-src=bundle.js.clone() inner_html=html></div> }
}
