//! Counts the steps inside Connect, so that a bank whose login fails shows in the funnel.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_domain::{
    routes,
    wire::{self, ConnectStep, Done},
};

use super::{ActionError, connect::may_finish};
use crate::{
    steps::action::{Rejection, SessionAction},
    telemetry::Step,
};

/// Counts a step inside Connect: `POST /api/report_connect_step`. Calls no upstream, and never sets the cookie: it comes
/// beside other actions of the page, of which the last response would win.
///
/// # Errors
/// `Navigate` without a session that may connect, or `OtherTab`; the page ignores both.
#[server(prefix = "/api", endpoint = "report_connect_step", input = Json)]
pub async fn report_connect_step(input: wire::ReportConnectStep) -> Result<Done, ActionError> {
    let action = SessionAction::of_page(&input.session)?;
    let outcome = report(&action, &input);
    action.into_json(outcome)
}

fn report(action: &SessionAction, input: &wire::ReportConnectStep) -> Result<Done, Rejection> {
    if !may_finish(&action.session) {
        return Err(action.not_yet(routes::WIDGET));
    }
    let step = step_of(input.step);
    action.count(step);
    // A connector's id is no label: there are hundreds. It is a bank's, and public.
    tracing::debug!(step = <&str>::from(step), connector = input.connector, "step of Connect");
    Ok(Done {})
}

fn step_of(step: ConnectStep) -> Step {
    match step {
        ConnectStep::Institution => Step::ConnectInstitution,
        ConnectStep::Consent => Step::ConnectConsent,
        ConnectStep::Login => Step::ConnectLogin,
        ConnectStep::LoginAccepted => Step::ConnectLoginAccepted,
        ConnectStep::Mfa => Step::ConnectMfa,
        ConnectStep::MfaAccepted => Step::ConnectMfaAccepted,
    }
}
