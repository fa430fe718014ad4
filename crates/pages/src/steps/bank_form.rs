//! `/integration/select-bank`: the bank and its account's administrator.

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
    // The list of banks is not there yet, so the bank is not shown.
    let BankFormContext { administrator, fixed, bank_is_asked_again, .. } = context;
    let asked = if bank_is_asked_again { "asked-again" } else { "asked-once" };
    let name: Vec<_> = fixed.iter().map(|field| field.name()).chain([asked]).collect();
    let administrator = administrator.fields().map(|(field, text)| (field.name(), text));
    let texts: Vec<_> = administrator.into_iter().chain([("customerName", &*firm)]).collect();
    let screen = bundle.screen(&name.join("-"), &texts);
    view! {
        <NeedsScript/>
        <ReactHost name="bank-form" bundle=bundle screen=screen/>
    }
}
