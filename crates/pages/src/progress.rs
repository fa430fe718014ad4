//! The line above a title that counts the steps of a new integration, as the consent announces them.

use leptos::prelude::*;

/// The id of the line. A title with the focus names it as its description (`aria-describedby`), because screen readers
/// begin at the title and would not read what is above it.
pub const PROGRESS_ID: &str = "passo";

/// The line; its words are in [`vincula_domain::words::progress`]. React's twin is `islands-react/src/ui/Progress.tsx`.
#[component]
pub fn Progress(words: &'static str) -> impl IntoView {
    view! { <p class="step__eyebrow" id=PROGRESS_ID>{words}</p> }
}
