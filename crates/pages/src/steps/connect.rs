//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update` (spec §2, §4, §7).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::{
    wire::{Context, WidgetType},
    words,
};

use crate::{bundle::IslandBundle, react::ReactHost};

/// React opens Connect here. An update says first who asks for it, and why.
#[component]
pub fn ConnectPage(context: Context, bundle: Arc<IslandBundle>) -> impl IntoView {
    let screen = if context.widget_type == WidgetType::Update { "updating" } else { "opening" };
    let screen = bundle.screen(screen, &[("customerName", &context.customer_name)]);
    view! {
        <ReactHost name="connect" bundle=bundle screen=screen/>
        <noscript><p class="notice notice--warning">{words::NO_SCRIPT}</p></noscript>
    }
}
