//! `/integration/select-bank`: the bank and its account's administrator (spec §2, §5).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::wire::BankFormContext;

use crate::{
    built::IslandBundle,
    parts::{NeedsScript, ReactHost},
};

/// React's form, prerendered, so that it is complete before any script runs. `firm` is the accounting firm.
#[component]
pub fn BankFormPage(context: BankFormContext, firm: String, bundle: Arc<IslandBundle>) -> impl IntoView {
    // Destructured, so that the compiler asks for each new field whether the prerendered form shows it. The list of banks
    // is not there yet, so the bank is not shown.
    let BankFormContext {
        bank: _,
        bank_name: _,
        name,
        name_is_fixed,
        cpf,
        cpf_is_fixed,
        bank_is_asked_again,
        client_is_company: _,
    } = context;
    let fixed = match (name_is_fixed, cpf_is_fixed) {
        (false, false) => "open",
        (true, false) => "name-fixed",
        (false, true) => "cpf-fixed",
        (true, true) => "both-fixed",
    };
    let asked = if bank_is_asked_again { "asked-again" } else { "asked-once" };
    let texts: [(&str, &str); 3] = [("name", &name), ("cpf", &cpf), ("customerName", &firm)];
    let screen = bundle.screen(&format!("{fixed}-{asked}"), &texts);
    view! {
        <NeedsScript/>
        <ReactHost name="bank-form" bundle=bundle screen=screen/>
    }
}
