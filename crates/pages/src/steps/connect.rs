//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update` (spec §2, §4, §7).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::words;

use crate::{bundle::IslandBundle, react::ReactHost};

/// Connect, opened by React.
#[component]
pub fn ConnectPage(chunk: Arc<IslandBundle>) -> impl IntoView {
    let screen = chunk.screen("opening", &[]);
    view! {
        <ReactHost name="connect" chunk=chunk screen=screen/>
        <noscript><p class="notice notice--warning">{words::NO_SCRIPT}</p></noscript>
    }
}
