//! `/acessibilidade`: the accessibility statement (Lei 13.146/2015, art. 63; ABNT NBR 17225).

use leptos::prelude::*;
use vincula_domain::words::accessibility as words;

#[component]
pub fn AccessibilityPage() -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::TITLE}</h1>
            <p class="step__lead">{words::LEAD}</p>
            <h2>{words::WHAT_TITLE}</h2>
            <ul class="data-list">{words::WHAT.into_iter().map(|text| view! { <li class="data-list__item">{text}</li> }).collect_view()}</ul>
            <h2>{words::LIMITS_TITLE}</h2>
            <ul class="data-list">{words::LIMITS.into_iter().map(|text| view! { <li class="data-list__item">{text}</li> }).collect_view()}</ul>
            <h2>{words::CONTACT_TITLE}</h2>
            <p>{words::CONTACT}</p>
        </section>
    }
}
