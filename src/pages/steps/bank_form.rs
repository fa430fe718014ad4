//! `/integration/select-bank`: the bank and its account's administrator.

use leptos::prelude::*;

use crate::pages::{
    page_request::{React, firm},
    parts::react_island,
};

/// React's form. Until React has hydrated it, it is empty and disabled.
#[component]
pub fn BankFormPage() -> impl IntoView {
    react_island(React::BankForm, &[("customerName", &firm())])
}
