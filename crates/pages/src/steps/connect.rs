//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use leptos::prelude::*;
use vincula_domain::{
    wire::{Context, WidgetType},
    words,
};

use crate::{
    page_request::{View, request},
    parts::{NeedsScript, Progress, react_host},
};

/// React opens Connect here. The screen of an update names the firm and its reason first: it is no step of a new integration.
#[component]
pub fn ConnectPage() -> impl IntoView {
    let Context { widget_type, customer_name: firm, .. } = request().context?;
    let is_update = widget_type == WidgetType::Update;
    let screen = if is_update { "updating" } else { "opening" };
    Some(view! {
        {(!is_update).then(|| view! { <Progress words=words::progress::CONNECT/> })}
        {react_host(View::Connect, screen, &[("customerName", &firm)])}
        <NeedsScript/>
    })
}
