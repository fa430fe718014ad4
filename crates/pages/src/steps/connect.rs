//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update` (spec §2, §4, §7).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::words;

use crate::{bundle::IslandBundle, progress::Progress, react::ReactHost};

/// React opens Connect here. An update is no step of a new integration.
#[component]
pub fn ConnectPage(bundle: Arc<IslandBundle>, is_update: bool) -> impl IntoView {
    let screen = bundle.screen("opening", &[]);
    view! {
        {(!is_update).then(|| view! { <Progress words=words::progress::CONNECT/> })}
        <ReactHost name="connect" bundle=bundle screen=screen/>
        <noscript><p class="notice notice--warning">{words::NO_SCRIPT}</p></noscript>
    }
}
