//! `/integration/receipt`: the authorization, to be printed or kept.

use leptos::prelude::*;
use vincula_domain::{routes, words};

use crate::pages::{
    page_request::{PageRequest, Receipt, firm, request},
    parts::{ContactFact, Fact},
};

#[component]
pub fn ReceiptPage() -> impl IntoView {
    let request = request();
    let PageRequest {
        receipt,
        client_document,
        support_code,
        ..
    } = &*request;
    let Receipt {
        client_name,
        authorized_at,
        text_version,
        bank,
    } = receipt
        .clone()
        .expect("the guard admits the receipt only after a consent");
    let firm = firm();
    let bank = bank
        .map(|(bank, when)| {
            let bank = if bank.is_empty() {
                words::LINKED_ACCOUNT.to_owned()
            } else {
                bank
            };
            words::receipt::bank(&bank, &when)
        })
        .unwrap_or_default();
    view! {
        <section class="step step--receipt">
            <h1 class="step__title" tabindex="-1">{words::title::RECEIPT}</h1>
            <p class="step__lead">{words::receipt::lead(&client_name, &firm)}</p>
            <dl class="facts">
                <Fact name=words::receipt::CLIENT value=client_name/>
                <Fact name=words::receipt::DOCUMENT value=client_document.clone()/>
                <Fact name=words::receipt::FIRM value=firm.clone()/>
                <ContactFact/>
                <Fact name=words::receipt::WHAT value=words::receipt::data()/>
                <Fact name=words::receipt::HOW value=words::receipt::READ_ONLY.to_owned()/>
                <Fact name=words::SUCCESS_WHEN value=authorized_at/>
                <Fact name=words::SUCCESS_UNTIL value=words::UNTIL_CANCELLED.to_owned()/>
                <Fact name=words::receipt::BANK value=bank/>
                <Fact name=words::SUCCESS_CANCEL value=words::receipt::cancel(&firm)/>
                <Fact name=words::receipt::TEXT_VERSION value=text_version.to_string()/>
                <Fact name=words::receipt::CODE value=support_code.clone().unwrap_or_default()/>
            </dl>
            // The page's module shows these buttons where they work.
            <div class="actions">
                <button class="button button--secondary" type="button" id="print" hidden>{words::receipt::PRINT}</button>
                <button class="button button--secondary" type="button" id="share" hidden>{words::receipt::SHARE}</button>
            </div>
            <noscript><p class="notice receipt__print">{words::receipt::PRINT_BY_MENU}</p></noscript>
            <p class="step__way-out"><a class="link-quiet" href=routes::ACCOUNTS>{words::receipt::BACK}</a></p>
        </section>
    }
}
