//! `/integration/widget` before the consent: the client authorizes the firm (spec §2, "Authorization screen").

use std::sync::Arc;

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::{Chunk, ReactHost},
    wire::{Context, Failure, FromPage, Next},
};

#[cfg(feature = "ssr")]
pub use server::post;

/// Authorizes the firm: `POST /api/accept_consent`, upstream `POST /authorize-customer`.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "accept_consent", input = Json)]
pub async fn accept_consent(input: FromPage) -> Result<Next, Failure> {
    use crate::{routes, session::Acting};

    let mut acting = Acting::begin(&input.session)?;
    let customer_id = acting.session.client.customer_id.clone();
    acting.order(async move |upstream, caller| upstream.authorize_customer(&caller, &customer_id).await).await?;
    acting.session.stage = acting.session.stage.clone().authorize();
    acting.keep()?;
    Ok(Next { to: routes::ACCOUNTS.into() })
}

/// The consent, drawn by React: prerendered, so that it is complete and operable before any script runs.
/// `document` is the client's, masked.
#[component]
pub fn ConsentPage(context: Context, document: String, chunk: Arc<Chunk>) -> impl IntoView {
    let texts: [(&str, &str); 4] = [
        ("session", &context.session),
        ("customerName", &context.customer_name),
        ("clientName", &context.client_name),
        ("clientDocument", &document),
    ];
    let screen = chunk.screen("consent", &texts);
    view! { <ReactHost name="consent" chunk=chunk screen=screen/> }
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

    /// The consent form as the browser itself posts it.
    #[derive(Deserialize)]
    pub struct ConsentForm {
        session: String,
        /// Present when the box is ticked.
        consent: Option<String>,
    }

    /// `POST /integration/widget`: the consent before React has taken over, or without JavaScript.
    ///
    /// # Errors
    /// The redirect that takes the place of the consent.
    pub async fn post(
        State(state): State<(Keeper, Upstream)>,
        Extension(visitor): Extension<Visitor>,
        Extension(place): Extension<Place>,
        form: Result<Form<ConsentForm>, FormRejection>,
    ) -> Result<Response, Elsewhere> {
        let form = readable(form, routes::WIDGET)?;
        let mut posted = Posted::begin(state, (visitor, place), &form.session, routes::WIDGET)?;
        if form.consent.is_none() {
            return Ok(posted.go_on(routes::WIDGET));
        }
        let customer_id = posted.session.client.customer_id.clone();
        posted.order(async move |upstream, caller| upstream.authorize_customer(&caller, &customer_id).await).await?;
        posted.session.stage = posted.session.stage.clone().authorize();
        Ok(posted.go_on(routes::ACCOUNTS))
    }
}
