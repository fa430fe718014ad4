//! `/cancel/confirm` and `/cancel/success`: every integration of the client ends (spec §2, §4).

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::{
        CancelPanel,
        table::{AccountsTable, Known},
    },
    routes,
    steps::accounts::WithoutScript,
    wire::{Account, Context, Failure, FromPage, Next},
    words,
};

#[cfg(feature = "ssr")]
pub use server::post;

/// Cancels every integration of the client: `POST /api/cancel_integrations`, upstream `POST /cancel-integrations`.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "cancel_integrations", input = Json)]
pub async fn cancel_integrations(input: FromPage) -> Result<Next, Failure> {
    use crate::session::Acting;

    let mut acting = Acting::begin(&input.session)?;
    let cpfcnpj = acting.session.client.cpfcnpj.clone();
    acting.order(async move |upstream, caller| upstream.cancel_integrations(&caller, &cpfcnpj).await).await?;
    acting.session.cancelled();
    acting.keep()?;
    Ok(Next { to: routes::CANCEL_SUCCESS.into() })
}

/// `listed`: the accounts, where the server has listed them for a browser without JavaScript.
#[component]
pub fn CancelConfirmPage(context: Context, listed: Option<Vec<Account>>) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::CANCEL_TITLE}</h1>
            {match listed {
                Some(accounts) => view! { <ListedCancel session=context.session accounts/> }.into_any(),
                None => view! {
                    <WithoutScript/>
                    <CancelPanel/>
                }.into_any(),
            }}
        </section>
    }
}

/// The accounts, and the button as a form that the browser itself posts.
#[component]
fn ListedCancel(session: String, accounts: Vec<Account>) -> impl IntoView {
    view! {
        <AccountsTable known=RwSignal::new(Known::Listed(accounts))/>
        <p class="notice notice--warning">{words::CANCEL_NOTE}</p>
        <form method="post" action=routes::CANCEL_CONFIRM>
            <input type="hidden" name="session" value=session/>
            <div class="actions">
                <button class="button button--danger" type="submit">{words::CANCEL_ALL}</button>
                <a class="link-quiet" href=format!("{}?{}", routes::ACCOUNTS, routes::LISTED)>{words::CANCEL_BACK}</a>
            </div>
        </form>
    }
}

#[component]
pub fn CancelSuccessPage() -> impl IntoView {
    view! {
        <section class="step step--success">
            <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="96" height="96"/>
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::CANCELLED_TITLE}</h1>
            <p class="step__lead">{words::CANCELLED_LEAD}</p>
            <p>{words::CANCELLED_MEANING}</p>
        </section>
    }
}

#[cfg(feature = "ssr")]
mod server {
    use axum::{
        Extension, Form,
        extract::{State, rejection::FormRejection},
        response::Response,
    };
    use serde::Deserialize;

    use crate::{
        http::Place,
        routes,
        session::{Keeper, Visitor},
        steps::native::{Elsewhere, Posted, readable},
        upstream::Upstream,
    };

    /// The cancellation as the browser itself posts it.
    #[derive(Deserialize)]
    pub struct CancelForm {
        session: String,
    }

    /// `POST /cancel/confirm`: the cancellation without JavaScript.
    ///
    /// # Errors
    /// The redirect that takes the place of the cancellation.
    pub async fn post(
        State(state): State<(Keeper, Upstream)>,
        Extension(visitor): Extension<Visitor>,
        Extension(place): Extension<Place>,
        form: Result<Form<CancelForm>, FormRejection>,
    ) -> Result<Response, Elsewhere> {
        let form = readable(form, routes::CANCEL_CONFIRM)?;
        let mut posted = Posted::begin(state, (visitor, place), &form.session, routes::CANCEL_CONFIRM)?;
        let cpfcnpj = posted.session.client.cpfcnpj.clone();
        posted.order(async move |upstream, caller| upstream.cancel_integrations(&caller, &cpfcnpj).await).await?;
        posted.session.cancelled();
        Ok(posted.go_on(routes::CANCEL_SUCCESS))
    }
}
