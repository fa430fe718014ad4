//! `/integration/success`: the account is linked (spec §2, §4, design D12).

use leptos::prelude::*;
use vincula_domain::{wire::Context, words};
use vincula_islands::Success;

#[component]
pub fn SuccessPage(context: Context) -> impl IntoView {
    view! {
        <section class="step step--success">
            <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="96" height="96"/>
            <h1 class="step__title" tabindex="-1">{words::SUCCESS_TITLE}</h1>
            <p class="step__lead">{words::success_lead(&context.customer_name)}</p>
            <p class="notice">{words::SUCCESS_CANCEL}</p>
            <Success/>
        </section>
    }
}
