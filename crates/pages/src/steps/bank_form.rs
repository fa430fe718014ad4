//! `/integration/select-bank`: the bank and its account's administrator (spec §2, §5).

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::wire::BankFormContext;

use crate::{bundle::IslandBundle, no_script::NeedsScript, react::ReactHost};

/// React's form, prerendered, so that it is complete before any script runs.
#[component]
pub fn BankFormPage(context: BankFormContext, bundle: Arc<IslandBundle>) -> impl IntoView {
    // Destructured, so that the compiler asks for each new field whether the prerendered form shows it. The list of banks
    // is not there yet, so the bank is not shown.
    let BankFormContext { bank: _, name, name_is_fixed, cpf, cpf_is_fixed } = context;
    let screen = match (name_is_fixed, cpf_is_fixed) {
        (false, false) => "open",
        (true, false) => "name-fixed",
        (false, true) => "cpf-fixed",
        (true, true) => "both-fixed",
    };
    let screen = bundle.screen(screen, &[("name", &name), ("cpf", &cpf)]);
    view! {
        <NeedsScript/>
        <ReactHost name="bank-form" bundle=bundle screen=screen/>
    }
}
