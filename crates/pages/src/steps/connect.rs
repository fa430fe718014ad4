//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update` (spec §2, §4, §7).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::words;

use crate::{bundle::IslandBundle, react::ReactHost};

/// React opens Connect here.
#[component]
pub fn ConnectPage(bundle: Arc<IslandBundle>) -> impl IntoView {
    let screen = bundle.screen("opening", &[]);
    view! {
        <ReactHost name="connect" bundle=bundle screen=screen/>
        <noscript><p class="notice notice--warning">{words::NO_SCRIPT}</p></noscript>
    }
}
