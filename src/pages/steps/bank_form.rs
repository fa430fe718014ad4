//! `/integration/select-bank`: the bank and its account's administrator.

use leptos::prelude::*;

use crate::{
    islands::context::page_context, pages::parts::react_island, screen::React, wire::PageContext,
};

/// React's form. Until React has hydrated it, it is empty and disabled.
#[component]
pub fn BankFormPage() -> impl IntoView {
    let PageContext { customer_name, .. } = page_context();
    react_island(React::BankForm, &[("customerName", &customer_name)])
}
