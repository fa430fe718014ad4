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
        page_request::{context, request},
        parts::{ConfirmProgress, ContactFact, Fact, ItemRefused, PROGRESS_ID},
    },
};

#[component]
pub fn SuccessPage() -> impl IntoView {
    let request = request();
    let PageContext {
        client_name,
        customer_name: firm,
        widget_type,
        linking,
        ..
    } = context();
    let client = words::client(&client_name, &request.client_document);
    let is_new = widget_type == WidgetType::New;
    let renewed = widget_type == WidgetType::Update;
    let lead = if renewed {
        words::renewed_lead(&firm)
    } else {
        words::success_lead(&firm)
    };
    let linked = linking
        .filter(|linking| !linking.waits_for_approval)
        .map(|linking| {
            let when = words::day_and_time(&linking.day, &linking.time);
            words::linked_at(&linking.bank, &when)
        });
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
                <Fact name=words::SUCCESS_CLIENT value=client translate="no"/>
                <Fact name=words::SUCCESS_WHO value=firm.clone() translate="no"/>
                <Fact name=words::SUCCESS_WHAT value=words::shared_data()/>
                <Fact name=words::SUCCESS_WHEN value=request.consented.clone().unwrap_or_default()/>
                <Fact name=words::SUCCESS_BANK value=linked.unwrap_or_default() translate="no"/>
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
            // The page's module shows it. It is also how browsers save a page.
            <div class="actions">
                <button class="button button--quiet" type="button" id="print" hidden>{words::PRINT}</button>
            </div>
        </section>
    }
}
