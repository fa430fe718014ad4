//! `/integration/widget` before the consent: the client authorizes the firm.

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{AcceptConsent, Context},
    words::consent::{self as words, steps},
};

use crate::{
    brand::{Brand, Credentials},
    built::IslandBundle,
    face::Face,
    parts::ReactHost,
};

/// React's form, prerendered, so that it is complete and operable before React runs; below it what needs no script.
/// The header is hidden here, so the firm is the first line of the card.
#[component]
pub fn ConsentPage(
    context: Context,
    face: Face,
    document: String,
    is_company: bool,
    bundle: Arc<IslandBundle>,
) -> impl IntoView {
    let Context { session, client_name, customer_name: firm, .. } = context;
    let Face { logo, cnpj, crc, privacy_url, purpose, .. } = face;
    let (name, hash) = match purpose {
        Some(_) => ("own", &bundle.texts.own),
        None if is_company => ("company", &bundle.texts.company),
        None => ("individual", &bundle.texts.individual),
    };
    let hash = hash.get(..AcceptConsent::TEXT_DIGITS).unwrap_or_default();
    let text = match &purpose {
        Some(purpose) => format!("{hash}-{}", purpose.digits),
        None => hash.to_owned(),
    };
    let texts: [(&str, &str); 6] = [
        ("session", &session),
        ("text", &text),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", &document),
        ("purpose", purpose.as_ref().map_or("", |purpose| &purpose.sentence)),
    ];
    let screen = bundle.screen(name, &texts);
    view! {
        <section class="step consent">
            <Brand logo firm=Some(firm.clone())/>
            <Credentials cnpj crc/>
            <div class="consent__request">
                <ReactHost name="consent" bundle=bundle screen=screen/>
                <p class="step__way-out">
                    <a class="link-quiet" href=routes::ACCOUNTS>{words::ONLY_ACCOUNTS}</a>
                </p>
            </div>
            <div class="consent__more">
                <section class="step__section">
                    <h2 class="step__subtitle">{words::STEPS_TITLE}</h2>
                    <ol class="steps">{steps(&firm).into_iter().enumerate().map(step).collect_view()}</ol>
                </section>
                <Explanations firm privacy_url/>
            </div>
        </section>
    }
}

fn step((index, text): (usize, String)) -> impl IntoView {
    view! {
        <li class="steps__item" aria-current=(index == 0).then_some("step")>
            <span class="steps__number" aria-hidden="true">{index + 1}</span>
            <span class="steps__text">{text}</span>
        </li>
    }
}

/// What a client asks before trusting somebody with a bank account.
#[component]
fn Explanations(firm: String, privacy_url: Option<String>) -> impl IntoView {
    let answers = [
        (words::OPEN_FINANCE_TITLE, words::OPEN_FINANCE.to_owned()),
        (words::COMPANIES_TITLE, words::companies(&firm)),
        (words::CANCEL_TITLE, words::cancel(&firm)),
        (words::UNKNOWN_TITLE, words::UNKNOWN.to_owned()),
    ];
    let answer = |(title, text)| view! { <section><h2 class="consent__question">{title}</h2> <p>{text}</p></section> };
    view! {
        <div class="consent__about">
            {answers.into_iter().map(answer).collect_view()}
            {privacy_url.map(|url| view! { <p><a class="link-quiet" href=url rel="noreferrer">{words::PRIVACY}</a></p> })}
        </div>
    }
}
