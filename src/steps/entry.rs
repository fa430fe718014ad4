//! `/`: validates the link's token and starts the session (spec §2, design D1, D2).

use std::sync::Arc;

use axum::{extract::OriginalUri, http::StatusCode, response::Response};
use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::{
    problem::Problem,
    routes,
    token::LinkToken,
    wire::{self, Failure, Next},
};
use vincula_upstream::{Caller, NoValidate, Upstream};

use super::ActionError;
use crate::{
    session::{
        Client, CurrentSession, Linked, Session,
        guard::{arrival, home, is_return, token_in},
    },
    steps::action::{Posted, Rejection, Reply, current},
    telemetry::{Cause, Step},
};

/// Validates the token of a link and starts a session: `POST /api/validate_token`.
///
/// # Errors
/// Those of the error catalogue (spec §8); token-not-found if the query has no token.
#[server(prefix = "/api", endpoint = "validate_token", input = Json)]
pub async fn validate_token(input: wire::ValidateToken) -> Result<Next, ActionError> {
    let (mut reply, CurrentSession(before)) = current();
    let outcome = enter(&mut reply, &input.query, before).await;
    reply.leads_to(&outcome);
    reply.into_json(outcome)
}

/// `POST /`: the same without JavaScript. Without an upstream response, it redirects back to the link for a retry.
pub async fn post(mut posted: Posted, OriginalUri(uri): OriginalUri) -> Response {
    let query = uri.query().unwrap_or_default();
    let before = posted.session();
    let outcome = enter(&mut posted.reply, query, before).await;
    posted.reply.into_redirect(outcome, &format!("{}?{query}", routes::ENTRY))
}

/// Validates the link of a query. The error screen cannot see from the session what the link was, so its address says
/// it: a return from the bank, after which something may be shared, and a link that is not the session's.
async fn enter(reply: &mut Reply, query: &str, before: Option<Arc<Session>>) -> Result<Next, Rejection> {
    let is_own = |before: &Arc<Session>| match token_in(query) {
        Some(token) => LinkToken::parse(&token).is_some_and(|token| before.token.is(&token)),
        None => true,
    };
    let is_other = before.as_ref().is_some_and(|before| !is_own(before));
    let returned = is_return(query) && (before.is_some() || token_in(query).is_some());
    validate(reply, query, before).await.map_err(|Rejection { status, mut failure }| {
        if returned {
            failure = failure.flagged(routes::OF_SUCCESS);
        }
        if is_other {
            failure = failure.flagged(routes::OTHER_LINK);
        }
        Rejection { status, failure }
    })
}

/// Validates the token of the query, or the session's on a return from the bank without one (design D1).
async fn validate(reply: &mut Reply, query: &str, before: Option<Arc<Session>>) -> Result<Next, Rejection> {
    let reject_action = |problem| {
        reply.record(Cause::Client);
        reply.reject(StatusCode::BAD_REQUEST, Failure::problem(problem))
    };
    let returned = is_return(query);
    let named = token_in(query);
    let by_link = named.is_some();
    let token = match (named, &before) {
        (Some(token), _) => LinkToken::parse(&token).ok_or_else(|| {
            tracing::warn!(bytes = token.len(), "a token that no header or cookie can carry");
            reject_action(Problem::TokenInvalid)
        })?,
        (None, Some(session)) if returned => session.token.clone(),
        (None, _) => return Err(reject_action(Problem::TokenNotFound)),
    };
    let before = before.filter(|session| session.token.is(&token));
    // Only a stored token is sent as a bearer (spec §7): on the first visit there is none yet.
    let caller = before.as_ref().map_or(Caller { token: None, xsrf: None }, |session| session.caller());
    let validated = token.clone();
    let call = async move |upstream: Upstream| {
        upstream.validate_token(&caller, &validated, returned.then_some(NoValidate::OfSuccess)).await
    };
    let answer = reply.call_detached(call).await.map_err(|error| {
        let cancelled = before.as_ref().is_some_and(|session| session.cancelled.is_some());
        reply.upstream_failure(&error, cancelled)
    })?;
    let (client, codec) = (Client::from(answer.data), &reply.state.codec);
    // A return belongs to the firm whose consent led to the bank, and not to what was cancelled since.
    let may_link =
        before.as_ref().is_none_or(|session| client.has_parties_of(&session.client) && !session.is_cancelled());
    let id = codec.id_of(&token, &client);
    let mut session = match before {
        Some(session) => Arc::unwrap_or_clone(session).renewed(id, client, by_link, codec.now()),
        None => Session::new(id, token, client, codec.now()),
    };
    session.xsrf = answer.xsrf.or(session.xsrf);
    let to = if returned && may_link && home(&session) == routes::NEW {
        session.linked(Linked::Return, codec.now());
        routes::SUCCESS.to_owned()
    } else {
        arrival(&session)
    };
    reply.seal(&session)?;
    reply.state.metrics.count_step(Step::Validated);
    Ok(Next { to: routes::validated(&to) })
}
