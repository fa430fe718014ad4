//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;
use vincula_domain::{
    routes,
    wire::{AcceptConsent, Context},
    words::consent::{self as words, steps},
};

use crate::{
    brands::Face,
    built::{ConsentHashes, island},
    page_request::{PageRequest, View, request},
    parts::{Brand, react_host},
};

/// React's form, prerendered, so that it is complete and operable before React runs; below it what needs no script.
/// The header is hidden here, so the firm is the first line of the card.
#[component]
pub fn ConsentPage() -> impl IntoView {
    let PageRequest { context, face, client_document, .. } = request();
    let Context { session, client_name, customer_name: firm, .. } = context?;
    let Face { privacy_url, purpose, .. } = face;
    let ConsentHashes { usual, own, .. } = &island(View::Consent).texts;
    let (name, hash) = match purpose {
        Some(_) => ("own", own),
        None => ("usual", usual),
    };
    let hash = hash.get(..AcceptConsent::TEXT_DIGITS).unwrap_or_default();
    let text = match &purpose {
        Some(purpose) => format!("{hash}-{}", purpose.sha256),
        None => hash.to_owned(),
    };
    let texts: [(&str, &str); 6] = [
        ("session", &session),
        ("text", &text),
        ("customerName", &firm),
        ("clientName", &client_name),
        ("clientDocument", &client_document),
        ("purpose", purpose.as_ref().map_or("", |purpose| &purpose.sentence)),
    ];
    Some(view! {
        <section class="step consent">
            <Brand registered=true/>
            <div class="consent__request">
                {react_host(View::Consent, name, &texts)}
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
    })
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
    ];
    // Open, because a browser without JavaScript may be a wide one; the page's script closes them on phones.
    let answer =
        |(title, text)| view! { <details class="disclosure" open><summary>{title}</summary> <p>{text}</p></details> };
    view! {
        <div class="consent__about">
            {answers.into_iter().map(answer).collect_view()}
            {privacy_url.map(|url| view! { <p><a class="link-quiet" href=url rel="noreferrer">{words::PRIVACY}</a></p> })}
        </div>
    }
}
