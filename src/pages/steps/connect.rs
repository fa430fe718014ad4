//! Pluggy Connect, on `/integration/widget` after the bank form and on `/integration/update`.

use leptos::prelude::*;

use crate::{
    islands::context::page_context,
    pages::parts::{Brand, react_island},
    screen::React,
    wire::PageContext,
    words,
};

/// React opens Connect here. The header is hidden, so the card starts with the firm.
#[component]
pub fn ConnectPage() -> impl IntoView {
    connect(React::Connect)
}

/// React opens Connect here for a renewal. The screen first names the firm and the reason, because
/// it is not a step of a new integration.
#[component]
pub fn UpdatePage() -> impl IntoView {
    connect(React::Update)
}

fn connect(island: React) -> impl IntoView {
    let PageContext {
        customer_name: firm,
        bank,
        ..
    } = page_context();
    let bank = if bank.is_empty() {
        words::YOUR_BANK
    } else {
        &bank
    };
    view! {
        <section class="connect">
            <div class="step step--card connect__card">
                <Brand/>
                {react_island(island, &[("customerName", &firm), ("bank", bank)])}
            </div>
        </section>
    }
}
