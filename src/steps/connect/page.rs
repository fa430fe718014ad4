//! The pages of Connect.

use leptos::prelude::*;

use crate::{
    app::{
        Chrome, Document, Facts, Islands, OpensConnect,
        parts::{Brand, react_island},
        request,
    },
    site::React,
    words,
};

const CONNECT: Facts = Facts {
    chrome: Chrome::Bare,
    islands: Islands::Needed,
    react: Some(React::Connect),
    connect: OpensConnect::Here,
    ..Facts::new("connect", words::title::CONNECT)
};

const UPDATE: Facts = Facts {
    react: Some(React::Update),
    name: "update",
    title: words::title::UPDATE,
    ..CONNECT
};

/// React opens Connect here. The header is hidden, so the card starts with the firm.
#[component]
pub fn ConnectPage() -> impl IntoView {
    connect(React::Connect, CONNECT)
}

/// React opens Connect here for a renewal. The screen first names the firm and the reason, because
/// it is not a step of a new integration.
#[component]
pub fn UpdatePage() -> impl IntoView {
    connect(React::Update, UPDATE)
}

fn connect(island: React, facts: Facts) -> impl IntoView {
    let context = request().context();
    let firm = context.customer_name.clone();
    let bank = if context.bank.is_empty() {
        words::YOUR_BANK.to_owned()
    } else {
        context.bank.clone()
    };
    view! {
        <Document facts context=Some(context)>
            <section class="band connect">
                <Brand/>
                {react_island(island, &[("customerName", &firm), ("bank", &bank)])}
            </section>
        </Document>
    }
}
