//! `/integration/widget` before the consent: the client authorizes the firm (spec §2, "Authorization screen").

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
pub fn ConsentPage(context: Context, document: String, chunk: Chunk) -> impl IntoView {
    let chunk = chunk.filled(&[
        ("session", &context.session),
        ("customerName", &context.customer_name),
        ("clientName", &context.client_name),
        ("clientDocument", &document),
    ]);
    view! { <ReactHost name="consent" chunk=chunk/> }
}

#[cfg(feature = "ssr")]
mod server {
    use axum::{
        Extension, Form,
        extract::State,
        response::{IntoResponse, Response},
    };
    use http::{HeaderMap, header};
    use serde::Deserialize;

    use crate::{
        error::{Problem, tell},
        routes,
        session::{Keeper, Visitor, door::redirect},
        upstream::Upstream,
        wire::Reaction,
    };

    /// The consent form as the browser itself posts it.
    #[derive(Deserialize)]
    pub struct ConsentForm {
        session: String,
        /// Present when the box is ticked.
        consent: Option<String>,
    }

    /// `POST /integration/widget`: the consent before React has taken over, or without JavaScript.
    pub async fn post(
        State((keeper, upstream)): State<(Keeper, Upstream)>,
        Extension(Visitor(session)): Extension<Visitor>,
        Form(form): Form<ConsentForm>,
    ) -> Response {
        let Some(mut session) = session else { return redirect(routes::ENTRY) };
        if form.consent.is_none() || form.session != session.id.as_str() {
            return redirect(routes::WIDGET);
        }
        let (caller, customer_id) = (session.caller(), session.client.customer_id.clone());
        let call = tokio::spawn(async move { upstream.authorize_customer(&caller, &customer_id).await });
        let answer = match call.await.expect("upstream calls neither panic nor get aborted") {
            Ok(answer) => answer,
            Err(error) => {
                tracing::warn!(%error, "upstream call failed");
                return match tell(&error).failure.reaction {
                    Reaction::Navigate { to } => redirect(&to),
                    _ => redirect(&format!("{}?{}", routes::WIDGET, routes::NO_REPLY)),
                };
            }
        };
        session.xsrf = answer.xsrf.or(session.xsrf);
        session.stage = session.stage.authorize();
        match keeper.seal(&session) {
            Ok(cookie) => {
                (HeaderMap::from_iter([(header::SET_COOKIE, cookie)]), redirect(routes::ACCOUNTS)).into_response()
            }
            Err(_) => redirect(&routes::error(Problem::TokenInvalid)),
        }
    }
}
