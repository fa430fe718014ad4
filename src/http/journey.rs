//! The step of the funnel that a request has reached, derived from the request and its response alone. Only the steps inside
//! Connect are not here: `report_connect_step` counts what its input says.

use axum::http::{HeaderMap, Method, StatusCode, header};
use vincula_domain::{action::Action, routes};
use vincula_telemetry::Step;

/// The step that a request has reached, if any. Actions that change the session set its cookie, which distinguishes the
/// one success call of a session from its repetitions, and an accepted form from a rejected one.
pub fn reached(method: &Method, route: &str, status: StatusCode, headers: &HeaderMap) -> Option<Step> {
    let done = status == StatusCode::OK;
    let kept = headers.contains_key(header::SET_COOKIE);
    let to = headers.get(header::LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
    let action = Action::at(route);
    match (method, route, action) {
        (&Method::GET, routes::ENTRY, _) if done => Some(Step::Entry),
        (&Method::POST, routes::ENTRY, _) if kept => Some(Step::Validated),
        (&Method::POST, routes::WIDGET, _) if kept && to == routes::ACCOUNTS => Some(Step::Consent),
        (&Method::POST, routes::CANCEL_CONFIRM, _) if kept && to == routes::CANCEL_SUCCESS => Some(Step::Cancelled),
        (&Method::POST, _, Some(Action::ValidateToken)) if done => Some(Step::Validated),
        (&Method::POST, _, Some(Action::AcceptConsent)) if done => Some(Step::Consent),
        (&Method::POST, _, Some(Action::SaveBankForm)) if done => Some(Step::BankForm),
        (&Method::POST, _, Some(Action::OpenConnect)) if done => Some(Step::ConnectOpened),
        (&Method::POST, _, Some(Action::FinishConnect)) if done => Some(Step::Linked),
        (&Method::POST, _, Some(Action::ConfirmSuccess)) if done && kept => Some(Step::Success),
        (&Method::POST, _, Some(Action::CancelIntegrations)) if done => Some(Step::Cancelled),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_went_well_reaches_a_step() {
        for (method, route, status, kept, to, step) in [
            ("GET", "/", 200, false, "", Some(Step::Entry)),
            ("GET", "/", 303, false, "/error/token-not-found", None),
            ("HEAD", "/", 200, false, "", None),
            ("POST", "/", 303, true, "/integration/widget", Some(Step::Validated)),
            ("POST", "/", 303, false, "/error/token-expired", None),
            ("POST", "/api/validate_token", 200, true, "", Some(Step::Validated)),
            ("POST", "/api/validate_token", 502, false, "", None),
            ("POST", "/integration/widget", 303, true, "/integration/accounts", Some(Step::Consent)),
            ("POST", "/integration/widget", 303, true, "/integration/widget", None),
            ("POST", "/integration/widget", 303, false, "/error/token-invalid", None),
            ("POST", "/api/accept_consent", 200, true, "", Some(Step::Consent)),
            ("POST", "/api/save_bank_form", 200, true, "", Some(Step::BankForm)),
            ("POST", "/api/save_bank_form", 422, false, "", None),
            ("POST", "/api/open_connect", 200, false, "", Some(Step::ConnectOpened)),
            ("POST", "/api/finish_connect", 200, true, "", Some(Step::Linked)),
            ("POST", "/api/confirm_success", 200, true, "", Some(Step::Success)),
            ("POST", "/api/confirm_success", 200, false, "", None),
            ("POST", "/cancel/confirm", 303, true, "/cancel/success", Some(Step::Cancelled)),
            ("POST", "/cancel/confirm", 303, false, "/cancel/confirm?aviso=sem-resposta", None),
            ("POST", "/api/cancel_integrations", 200, true, "", Some(Step::Cancelled)),
            ("POST", "/api/list_accounts", 200, false, "", None),
            ("GET", "/integration/accounts", 200, true, "", None),
        ] {
            let mut headers = HeaderMap::new();
            if kept {
                headers.insert(header::SET_COOKIE, "a=b".parse().unwrap());
            }
            if !to.is_empty() {
                headers.insert(header::LOCATION, to.parse().unwrap());
            }
            let (method, status) = (method.parse().unwrap(), StatusCode::from_u16(status).unwrap());
            assert_eq!(reached(&method, route, status, &headers), step, "{method} {route} {status} {to}");
        }
    }
}
