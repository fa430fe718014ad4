//! `/`: validates the link while a spinner shows, then goes to the step that the link was made for (spec §2).

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    wire::{self, Failure, Next},
    words,
};

#[cfg(feature = "ssr")]
pub use server::post;

/// Validates the token of a link and starts a session: `POST /api/validate_token`.
///
/// # Errors
/// What the catalogue says; token-not-found where the query has no token.
#[server(prefix = "/api", endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: wire::ValidateToken) -> Result<Next, Failure> {
    server::enter(&input.query).await
}

/// The spinner. Its script posts at once; where no script does, there is a button that posts.
#[component]
pub fn EntryPage(nonce: String) -> impl IntoView {
    view! {
        <section class="step step--entry">
            <h1
                id="entry-title"
                class="visually-hidden"
                data-validating=words::VALIDATING
                data-failed=words::VALIDATING_FAILED_TITLE
            >
                {words::VALIDATING}
            </h1>
            <div id="entry-waiting" class="loading" role="status">
                <span class="spinner" aria-hidden="true"></span>
                <p>{words::VALIDATING}</p>
                <p id="entry-slow" hidden>{words::SLOW}</p>
            </div>
            // Posts to the page's own address: the token is in no markup.
            <form id="entry-form" method="post" data-no-reply=words::NO_REPLY>
                // For whoever has no scripts, or none that run: entry_start.js hides it before it is seen.
                <div id="entry-by-hand" class="entry__by-hand">
                    <p>{words::ENTRY_BY_HAND}</p>
                    <button class="button button--primary" type="submit">{words::CONTINUE}</button>
                </div>
                <div id="entry-failed" class="card" hidden>
                    <p class="card__title">{words::VALIDATING_FAILED_TITLE}</p>
                    <p>{words::VALIDATING_FAILED}</p>
                    <div class="actions">
                        <button class="button button--primary" type="submit">{words::TRY_AGAIN}</button>
                    </div>
                </div>
            </form>
            <script nonce=nonce inner_html=include_str!("entry.js")></script>
        </section>
    }
}

#[cfg(feature = "ssr")]
mod server {
    use std::sync::Arc;

    use axum::{
        Extension,
        extract::{OriginalUri, State},
        response::{IntoResponse, Response},
    };
    use http::StatusCode;

    use crate::{
        error::Problem,
        routes,
        server::AppState,
        session::{
            Client, Keeper, LinkToken, Linked, Session, Visitor,
            acting::{Reply, served},
            door::redirect,
            guard::{arrival, home, is_return, token_in},
        },
        steps::native::{kept, problem, refused},
        telemetry::Cause,
        upstream::{CallError, Caller, NoValidate, Upstream},
        wire::{Failure, Next},
    };

    /// Why a link gave no session.
    enum Refused {
        NoToken,
        Unusable,
        Call(CallError),
    }

    pub async fn enter(query: &str) -> Result<Next, Failure> {
        let (reply, Visitor(before)) = Reply::begin();
        match validated(&served::<AppState>().upstream, query, before, reply.keeper()).await {
            Ok((session, to)) => reply.keep(&session).map(|()| Next { to }),
            Err(Refused::Call(error)) => Err(reply.told(&error)),
            Err(Refused::NoToken) => Err(reply.fail(StatusCode::BAD_REQUEST, Failure::problem(Problem::TokenNotFound))),
            Err(Refused::Unusable) => Err(reply.fail(StatusCode::BAD_REQUEST, Failure::problem(Problem::TokenInvalid))),
        }
    }

    /// `POST /`: the same without JavaScript.
    pub async fn post(
        State((keeper, upstream)): State<(Keeper, Upstream)>,
        Extension(Visitor(before)): Extension<Visitor>,
        OriginalUri(uri): OriginalUri,
    ) -> Response {
        let query = uri.query().unwrap_or_default();
        match validated(&upstream, query, before, &keeper).await {
            Ok((session, to)) => kept(&keeper, &session, &to),
            Err(Refused::NoToken) => not_a_link(Problem::TokenNotFound),
            Err(Refused::Unusable) => not_a_link(Problem::TokenInvalid),
            // Without an answer the person stays at their own link, where they can post again.
            Err(Refused::Call(error)) => refused(&error, &format!("{}?{query}", routes::ENTRY)).into_response(),
        }
    }

    /// The error screen of an address without a token that could be tried.
    fn not_a_link(is: Problem) -> Response {
        Cause::Client.note();
        redirect(&problem(is))
    }

    /// Validates the token of the query, or the session's own on a return from the bank without one (design D1).
    async fn validated(
        upstream: &Upstream,
        query: &str,
        before: Option<Arc<Session>>,
        keeper: &Keeper,
    ) -> Result<(Session, String), Refused> {
        let returned = is_return(query);
        let token = match (token_in(query), &before) {
            (Some(token), _) => LinkToken::parse(&token).ok_or_else(|| {
                tracing::warn!(bytes = token.len(), "a token that no header or cookie can carry");
                Refused::Unusable
            })?,
            (None, Some(session)) if returned => session.token.clone(),
            (None, _) => return Err(Refused::NoToken),
        };
        let before = before.filter(|session| session.token.is(&token));
        // Only a stored token travels as a bearer (spec §7): on the first visit there is none yet.
        let caller = before.as_ref().map_or(Caller { token: None, xsrf: None }, |session| session.caller());
        let answer = upstream.validate_token(&caller, &token, returned.then_some(NoValidate::OfSuccess)).await;
        let answer = answer.map_err(Refused::Call)?;
        let client = Client::from(answer.data);
        let mut session = match before {
            Some(session) => Arc::unwrap_or_clone(session).renewed(client, keeper.now()),
            None => Session::new(keeper.id_of(&token), token, client, keeper.now()),
        };
        session.xsrf = answer.xsrf.or(session.xsrf);
        if returned && home(&session) == routes::NEW {
            session.linked(Linked::Return);
            return Ok((session, routes::validated(routes::SUCCESS)));
        }
        let to = routes::validated(&arrival(&session));
        Ok((session, to))
    }
}
