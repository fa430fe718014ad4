//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::{
    wire::{Context, WidgetType},
    words,
};

use crate::{
    built::IslandBundle,
    parts::{NeedsScript, Progress, ReactHost},
};

/// React opens Connect here. An update says first who asks for it, and why: it is no step of a new integration.
#[component]
pub fn ConnectPage(context: Context, bundle: Arc<IslandBundle>) -> impl IntoView {
    let is_update = context.widget_type == WidgetType::Update;
    let screen = if is_update { "updating" } else { "opening" };
    let screen = bundle.screen(screen, &[("customerName", &context.customer_name)]);
    view! {
        {(!is_update).then(|| view! { <Progress words=words::progress::CONNECT/> })}
        <ReactHost name="connect" bundle=bundle screen=screen/>
        <NeedsScript/>
    }
}
