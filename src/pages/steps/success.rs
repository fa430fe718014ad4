//! `/integration/success`: the account is linked.

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{PageContext, WidgetType},
    words,
};

use crate::{
    islands::success::Success,
    pages::{
        page_request::context,
        parts::{ConfirmProgress, ContactFact, Fact, ItemRefused, PROGRESS_ID},
    },
};

#[component]
pub fn SuccessPage() -> impl IntoView {
    let PageContext {
        customer_name: firm,
        widget_type,
        authorized,
        linking,
        ..
    } = context();
    let is_new = widget_type == WidgetType::New;
    let renewed = widget_type == WidgetType::Update;
    let lead = if renewed {
        words::renewed_lead(&firm)
    } else {
        words::success_lead(&firm)
    };
    // An update has no receipt, because its account is already on the list.
    let (bank, when) = linking
        .filter(|linking| !linking.waits_for_approval)
        .map(|linking| {
            (
                linking.bank,
                words::day_and_time(&linking.day, &linking.time),
            )
        })
        .unwrap_or_default();
    view! {
        <section class="step step--success">
            <div class="step__head">
                <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="64" height="64"/>
                {is_new.then(|| view! { <ConfirmProgress/> })}
                <h1 class="step__title" tabindex="-1" aria-describedby=is_new.then_some(PROGRESS_ID)>
                    {words::SUCCESS_TITLE}
                </h1>
                <p class="step__lead">{lead}</p>
            </div>
            <ItemRefused/>
            <Success/>
            <dl class="facts">
                <Fact name=words::SUCCESS_WHO value=firm.clone()/>
                <Fact name=words::BANK value=bank/>
                <Fact name=words::SUCCESS_WHEN value=when/>
                <Fact name=words::SUCCESS_UNTIL value=words::UNTIL_CANCELLED.to_owned()/>
                <div class="facts__one">
                    <dt>{words::SUCCESS_CANCEL}</dt>
                    <dd>
                        <a class="facts__link" href=routes::CANCEL_CONFIRM>{words::CANCEL_HERE}</a>
                        {words::cancel_elsewhere(&firm)}
                    </dd>
                </div>
                <ContactFact/>
            </dl>
            {authorized.then(|| view! {
                <p class="step__way-out"><a class="link-quiet" href=routes::RECEIPT>{words::RECEIPT}</a></p>
            })}
        </section>
    }
}
