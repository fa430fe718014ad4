//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use leptos::prelude::*;
use vincula_domain::{
    wire::{PageContext, WidgetType},
    words,
};

use crate::pages::{
    page_request::{React, context},
    parts::{NeedsScript, react_island},
};

/// React opens Connect here. The screen of an update first names the firm and the reason, because
/// it is not a step of a new integration.
#[component]
pub fn ConnectPage() -> impl IntoView {
    let PageContext {
        widget_type,
        customer_name: firm,
        bank,
        ..
    } = context();
    let screen = if widget_type == WidgetType::Update {
        "updating"
    } else {
        "opening"
    };
    let bank = if bank.is_empty() {
        words::YOUR_BANK
    } else {
        &bank
    };
    view! {
        {react_island(React::Connect, screen, &[("customerName", &firm), ("bank", bank)])}
        <NeedsScript/>
    }
}
