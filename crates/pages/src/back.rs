//! The quiet way back, above the title.

use leptos::prelude::*;
use vincula_domain::words;

/// A link to the page before this one, which works without JavaScript.
#[component]
pub fn BackLink(to: String) -> impl IntoView {
    view! { <p class="back"><a class="link-quiet back__link" href=to>{words::BACK}</a></p> }
}
