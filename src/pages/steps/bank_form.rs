//! `/integration/select-bank`: the bank and its account's administrator.

use leptos::prelude::*;
use vincula_domain::wire::{BankFormContext, PageContext};

use crate::pages::{
    page_request::{React, context},
    parts::{NeedsScript, react_island},
};

/// React's form, prerendered, so that it is complete before any script runs.
#[component]
pub fn BankFormPage() -> impl IntoView {
    let PageContext {
        bank_form,
        customer_name: firm,
        ..
    } = context();
    // The list of banks is not there yet, so the bank is not shown.
    let BankFormContext {
        administrator,
        fixed,
        bank_is_asked_again,
        ..
    } = bank_form.expect("the context of this screen has the form's data");
    let asked = if bank_is_asked_again {
        "asked-again"
    } else {
        "asked-once"
    };
    let name: Vec<_> = fixed
        .iter()
        .map(|field| field.name())
        .chain([asked])
        .collect();
    let administrator = administrator
        .fields()
        .map(|(field, text)| (field.name(), text));
    let texts: Vec<_> = administrator
        .into_iter()
        .chain([("customerName", firm.as_str())])
        .collect();
    view! {
        <NeedsScript/>
        {react_island(React::BankForm, &name.join("-"), &texts)}
    }
}
