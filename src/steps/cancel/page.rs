//! The pages of the cancellation.

use leptos::prelude::*;

use super::island::CancelPanel;
use crate::{
    app::{Document, Facts, Islands, parts::ConnectAgain, request},
    words,
};

const CONFIRM: Facts = Facts {
    layout: Some("list"),
    islands: Islands::Optional,
    side_image: "cancel",
    ..Facts::new("cancel-confirm", words::title::CANCEL)
};

const SUCCESS: Facts = Facts {
    side_image: "cancel",
    names_contact: false,
    ..Facts::new("cancel-success", words::title::CANCELLED)
};

#[component]
pub fn CancelConfirmPage() -> impl IntoView {
    view! {
        <Document facts=CONFIRM context=Some(request().context())>
            <section class="step">
                <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
                <CancelPanel/>
            </section>
        </Document>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    view! {
        <Document facts=SUCCESS context=Some(request().context())>
            <section class="step">
                <div class="step__head outcome" data-outcome="told">
                    <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
                </div>
                <p class="step__lead">{words::CANCELLED_MEANING}</p>
                <p>{words::CANCELLED_AT_BANK}</p>
                <ConnectAgain/>
                // The page's module hides it while the browser keeps an item.
                <p id="may-close">{words::CANCELLED_CLOSE}</p>
            </section>
        </Document>
    }
}
