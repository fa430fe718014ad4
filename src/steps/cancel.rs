//! `/cancel/confirm` and `/cancel/success`: every integration of the client ends (spec §2, §4).

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::CancelPanel,
    wire::{Context, Failure, FromPage, Next},
    words,
};

/// Cancels every integration of the client: `POST /api/cancel_integrations`, upstream `POST /cancel-integrations`.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Next, Failure> {
    use crate::{
        routes,
        session::{Acting, Marks},
    };

    let mut acting = Acting::begin(&input.session)?;
    let cpfcnpj = acting.session.client.cpfcnpj.clone();
    acting.order(async move |upstream, caller| upstream.cancel_integrations(&caller, &cpfcnpj).await).await?;
    acting.session.marks = Marks { linked: false, is_success: true, cancelled: true };
    acting.session.stage = acting.session.stage.clone().forget_bank();
    acting.keep()?;
    Ok(Next { to: routes::CANCEL_SUCCESS.into() })
}

#[component]
pub fn CancelConfirmPage(context: Context) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
            <CancelPanel session=context.session/>
        </section>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    view! {
        <section class="step step--success">
            <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="96" height="96"/>
            <h1 class="step__title" tabindex="-1">{words::CANCELLED_TITLE}</h1>
            <p class="step__lead">{words::CANCELLED_LEAD}</p>
            <p>{words::CANCELLED_MEANING}</p>
        </section>
    }
}
