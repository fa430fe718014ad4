//! The page of the bank form.

use leptos::prelude::*;

use crate::{
    app::{Document, Facts, Islands, OpensConnect, parts::react_island, request},
    config::BankCodes,
    session::Session,
    site::React,
    state::AppState,
    wire::{BankFormContext, PageContext},
    words,
};

const FACTS: Facts = Facts {
    layout: Some("form"),
    side_image: "select-bank",
    islands: Islands::Needed,
    react: Some(React::BankForm),
    next: Some(React::Connect),
    connect: OpensConnect::Next,
    ..Facts::new("bank-form", words::title::SELECT_BANK)
};

/// React's form. Until React has hydrated it, it is empty and disabled.
#[component]
pub fn BankFormPage() -> impl IntoView {
    let request = request();
    let bank_codes = expect_context::<AppState>().connect.bank_codes;
    let context = PageContext {
        bank_form: Some(bank_form(request.session(), bank_codes)),
        ..request.context()
    };
    let firm = context.customer_name.clone();
    view! {
        <Document facts=FACTS context=Some(context)>
            {react_island(React::BankForm, &[("customerName", &firm)])}
        </Document>
    }
}

fn bank_form(session: &Session, bank_codes: BankCodes) -> BankFormContext {
    let chosen = session.visit.bank().or(session.visit.closed_bank());
    let code = chosen
        .map(|bank| &bank.code)
        .or(session.client.bank.as_ref());
    BankFormContext {
        bank: code.map_or_else(String::new, |code| code.as_str().to_owned()),
        bank_name: chosen.map_or_else(String::new, |bank| bank.name.clone()),
        administrator: session.administrator().shown(),
        fixed: session.client.fixed(),
        bank_is_asked_again: bank_codes == BankCodes::Compe,
    }
}
