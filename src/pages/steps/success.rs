//! `/integration/success`: the account is linked.

use leptos::prelude::*;

use crate::{
    islands::success::Success,
    pages::parts::{ContactFact, Fact},
    routes,
    screen::SuccessScreen,
    words,
};

#[component]
pub fn SuccessPage() -> impl IntoView {
    let SuccessScreen { context, consented } = expect_context();
    let bank = context
        .linking
        .filter(|linking| !linking.waits_for_approval);
    view! {
        <section class="step">
            <div class="step__head">
                <img class="success__mark" src="/illustrations/success-mark.svg" alt="" width="44" height="44"/>
                <h1 class="step__title" tabindex="-1">{words::SUCCESS_TITLE}</h1>
            </div>
            <Success/>
            <dl class="facts">
                <Fact name=words::SUCCESS_BANK value=bank.map(|linking| linking.bank).unwrap_or_default() translate="no"/>
                <Fact name=words::SUCCESS_WHEN value=consented/>
                <div class="facts__one">
                    <dt>{words::SUCCESS_CANCEL}</dt>
                    <dd>
                        {words::UNTIL_CANCELLED} " "
                        <a class="facts__link" href=routes::CANCEL_CONFIRM>{words::CANCEL_HERE}</a>
                        {words::CANCEL_ELSEWHERE}
                    </dd>
                </div>
                <ContactFact/>
            </dl>
        </section>
    }
}
