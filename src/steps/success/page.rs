//! The page of the success.

use leptos::prelude::*;

use super::island::Success;
use crate::{
    app::{
        Document, Facts, Islands,
        parts::{ContactFact, Fact},
        request,
    },
    brasilia, routes, words,
};

const FACTS: Facts = Facts {
    side_image: "success",
    names_contact: false,
    islands: Islands::Needed,
    ..Facts::new("success", words::title::SUCCESS)
};

#[component]
pub fn SuccessPage() -> impl IntoView {
    let request = request();
    let context = request.context();
    let linking = context.linking.clone();
    let bank = linking
        .filter(|linking| !linking.waits_for_approval)
        .map(|linking| linking.bank)
        .unwrap_or_default();
    let consent = request.session().consent;
    let consented = consent
        .map(|consent| words::consented(&brasilia::day_and_time(consent.at), consent.version))
        .unwrap_or_default();
    view! {
        <Document facts=FACTS context=Some(context)>
            <section class="step">
                <div class="step__head">
                    <img class="success__mark" src="/illustrations/success-mark.svg" alt="" width="44" height="44"/>
                    <h1 class="step__title" tabindex="-1">{words::SUCCESS_TITLE}</h1>
                </div>
                <Success/>
                <dl class="facts">
                    <Fact name=words::SUCCESS_BANK value=bank translate="no"/>
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
        </Document>
    }
}
