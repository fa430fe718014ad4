//! `/integration/receipt`: who authorized whom to see what, to be printed or kept.

use leptos::prelude::*;
use vincula_domain::{routes, words};

use super::success::{ContactFact, Fact};
use crate::{face::Face, page_request::Receipt};

#[component]
pub fn ReceiptPage(
    receipt: Receipt,
    firm: String,
    face: Face,
    document: String,
    support_code: Option<String>,
) -> impl IntoView {
    let Receipt { client_name, authorized_at, text_version, cancelled_at, before, banks } = receipt;
    let (state, until, cancel) = match cancelled_at {
        Some(when) => (words::receipt::cancelled(&when), String::new(), String::new()),
        None => (String::new(), words::UNTIL_CANCELLED.to_owned(), words::receipt::cancel(&firm)),
    };
    let before = before.map(|(given, cancelled)| words::receipt::before(&given, &cancelled)).unwrap_or_default();
    let bank = |(bank, when): (String, String)| {
        let bank = if bank.is_empty() { words::LINKED_ACCOUNT.to_owned() } else { bank };
        view! { <li>{words::receipt::bank(&bank, &when)}</li> }
    };
    let known: Vec<String> = [face.cnpj.clone(), face.crc.clone()].into_iter().flatten().collect();
    let credentials = (!known.is_empty()).then(|| {
        let each = known.into_iter().map(|one| view! { <li>{one}</li> });
        view! {
            <div class="facts__one">
                <dt>{words::receipt::CREDENTIALS}</dt>
                <dd><ul class="facts__list">{each.collect_view()}</ul></dd>
            </div>
        }
    });
    let banks = (!banks.is_empty()).then(|| {
        view! {
            <div class="facts__one">
                <dt>{words::receipt::BANKS}</dt>
                <dd><ul class="facts__list">{banks.into_iter().map(bank).collect_view()}</ul></dd>
            </div>
        }
    });
    view! {
        <section class="step step--receipt">
            <h1 class="step__title" tabindex="-1">{words::title::RECEIPT}</h1>
            <p class="step__lead">{words::receipt::lead(&client_name, &firm)}</p>
            <dl class="facts">
                <Fact name=words::receipt::CLIENT value=client_name/>
                <Fact name=words::receipt::DOCUMENT value=document/>
                <Fact name=words::receipt::FIRM value=firm.clone()/>
                {credentials}
                <ContactFact face/>
                <Fact name=words::receipt::WHAT value=words::receipt::DATA.to_owned()/>
                <Fact name=words::receipt::HOW value=words::receipt::READ_ONLY.to_owned()/>
                <Fact name=words::SUCCESS_WHEN value=authorized_at/>
                <Fact name=words::receipt::STATE value=state/>
                <Fact name=words::SUCCESS_UNTIL value=until/>
                <Fact name=words::receipt::BEFORE value=before/>
                {banks}
                <Fact name=words::SUCCESS_CANCEL value=cancel/>
                <Fact name=words::receipt::TEXT value=text_version/>
                <Fact name=words::receipt::CODE value=support_code.unwrap_or_default()/>
            </dl>
            <p class="notice receipt__print">{words::receipt::PRINT}</p>
            <p class="step__way-out"><a class="link-quiet" href=routes::ACCOUNTS>{words::receipt::BACK}</a></p>
        </section>
    }
}
