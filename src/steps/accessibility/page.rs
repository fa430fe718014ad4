//! The page of the statement.

use leptos::prelude::*;

use crate::{
    app::{Document, Facts, parts::BackLink, request},
    words::{accessibility as words, title},
};

const FACTS: Facts = Facts::new("accessibility", title::ACCESSIBILITY);

#[component]
pub fn AccessibilityPage() -> impl IntoView {
    let items = |texts: &'static [&'static str]| {
        texts
            .iter()
            .map(|text| view! { <li>{*text}</li> })
            .collect_view()
    };
    view! {
        <Document facts=FACTS context=None>
            <section class="step">
                {request().back().map(|to| view! { <BackLink to/> })}
                <h1 class="step__title" tabindex="-1" autofocus=true>{words::TITLE}</h1>
                <p class="step__lead">{words::LEAD}</p>
                <h2>{words::WHAT_TITLE}</h2>
                <ul class="accessibility__list">{items(&words::WHAT)}</ul>
                <h2>{words::LIMITS_TITLE}</h2>
                <ul class="accessibility__list">{items(&words::LIMITS)}</ul>
                <h2>{words::CONTACT_TITLE}</h2>
                <p>{words::CONTACT}</p>
                <p class="accessibility__date">{words::REVIEWED}</p>
            </section>
        </Document>
    }
}
