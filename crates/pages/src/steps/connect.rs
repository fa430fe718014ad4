//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update` (spec §2, §4, §7).

use std::sync::Arc;

use leptos::prelude::*;

use crate::{bundle::IslandBundle, no_script::NeedsScript, react::ReactHost};

/// React opens Connect here.
#[component]
pub fn ConnectPage(bundle: Arc<IslandBundle>) -> impl IntoView {
    let screen = bundle.screen("opening", &[]);
    view! {
        <ReactHost name="connect" bundle=bundle screen=screen/>
        <NeedsScript/>
    }
}
