//! `/integration/select-bank`: the bank and its account's administrator.

use leptos::prelude::*;

use crate::{pages::parts::react_island, screen::React, wire::PageContext};

/// React's form. Until React has hydrated it, it is empty and disabled.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns its properties"
)]
pub fn BankFormPage(context: PageContext) -> impl IntoView {
    react_island(React::BankForm, &[("customerName", &context.customer_name)])
}
