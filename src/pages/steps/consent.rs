//! `/integration/widget` before the consent: the client authorizes the firm.

use leptos::prelude::*;

use crate::{
    pages::parts::{Brand, react_island},
    routes,
    screen::{ConsentScreen, React},
    words,
};

/// React's prerendered screen. Until React has hydrated it, it is a form that the browser posts.
/// The header is hidden here, so the card starts with the firm. Next to it is the way to the accounts
/// for a client who has authorized before, perhaps on another device.
#[component]
pub fn ConsentPage(screen: ConsentScreen) -> impl IntoView {
    let ConsentScreen {
        context,
        client_document,
    } = screen;
    let texts: [(&str, &str); 4] = [
        ("session", &context.session),
        ("customerName", &context.customer_name),
        ("clientName", &context.client_name),
        ("clientDocument", &client_document),
    ];
    view! {
        <section class="step step--card consent">
            <div class="consent__head">
                <Brand/>
                <p class="step__way-out">
                    {words::ALREADY_AUTHORIZED} " "
                    <a class="link-quiet" href=routes::ACCOUNTS>{words::SEE_ACCOUNTS}</a>
                </p>
            </div>
            {react_island(React::Consent, &texts)}
        </section>
    }
}
