//! The page of the success.

use leptos::prelude::*;

use super::island::Success;
use crate::{
    app::{
        Document, Facts, Islands,
        parts::{ContactActions, ContactFact, Fact},
        request,
    },
    brasilia, routes,
    session::Session,
    words,
};

const FACTS: Facts = Facts {
    side_image: "success",
    names_contact: false,
    names_items: false,
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
    let Session {
        client, consent, ..
    } = request.session();
    let name = client.name.clone().into_inner();
    let document = words::client_document(&client.cpfcnpj);
    let consented = consent
        .map(|consent| brasilia::day_and_time(consent.at))
        .unwrap_or_default();
    view! {
        <Document facts=FACTS context=Some(context)>
            <section class="step">
                <Success/>
                <ContactActions/>
                <dl class="facts">
                    {(!name.is_empty()).then(|| view! {
                        <div class="facts__one">
                            <dt>{words::SUCCESS_CLIENT}</dt>
                            <dd translate="no">
                                {name} " " <span class="facts__document">{document}</span>
                            </dd>
                        </div>
                    })}
                    <Fact name=words::SUCCESS_BANK value=bank translate="no"/>
                    <Fact name=words::SUCCESS_WHEN value=consented/>
                    <Fact name=words::SUCCESS_READS value=words::READS.to_owned()/>
                    <div class="facts__one">
                        <dt>{words::SUCCESS_CANCEL}</dt>
                        <dd>
                            {words::UNTIL_CANCELLED} " "
                            <span class="facts__here">
                                <a class="facts__link" href=routes::CANCEL_CONFIRM>{words::CANCEL_HERE}</a> ", "
                            </span>
                            {words::CANCEL_ELSEWHERE}
                        </dd>
                    </div>
                    <ContactFact/>
                </dl>
            </section>
        </Document>
    }
}
