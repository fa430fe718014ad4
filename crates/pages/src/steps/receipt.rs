//! `/integration/receipt`: the authorization, to be printed or kept.

use leptos::prelude::*;
use vincula_domain::{routes, words};

use crate::{
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
        cancelled_at,
        before,
        banks,
    } = receipt
        .clone()
        .expect("the guard admits the receipt only after a consent");
    let firm = firm();
    let (state, until, cancel) = match cancelled_at {
        Some(when) => (
            words::receipt::cancelled(&when),
            String::new(),
            String::new(),
        ),
        None => (
            String::new(),
            words::UNTIL_CANCELLED.to_owned(),
            words::receipt::cancel(&firm),
        ),
    };
    let before = before
        .map(|(given, cancelled)| words::receipt::before(&given, &cancelled))
        .unwrap_or_default();
    let bank = |(bank, when): (String, String)| {
        let bank = if bank.is_empty() {
            words::LINKED_ACCOUNT.to_owned()
        } else {
            bank
        };
        words::receipt::bank(&bank, &when)
    };
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
                <Fact name=words::receipt::STATE value=state/>
                <Fact name=words::SUCCESS_UNTIL value=until/>
                <Fact name=words::receipt::BEFORE value=before/>
                <FactList name=words::receipt::BANKS values=banks.into_iter().map(bank).collect()/>
                <Fact name=words::SUCCESS_CANCEL value=cancel/>
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

#[component]
fn FactList(name: &'static str, values: Vec<String>) -> impl IntoView {
    (!values.is_empty()).then(|| {
        // Not a list, because screen readers in Firefox skip the text of a list in a description.
        let each = values.into_iter().map(|value| view! { <dd>{value}</dd> });
        view! { <div class="facts__one"><dt>{name}</dt>{each.collect_view()}</div> }
    })
}
