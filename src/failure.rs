//! Why an action failed: the error of every server function.

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::{administrator::FieldError, destination::Destination};

/// Why an action failed, by what the page does about it. The body of every response that is not
/// 2xx.
// Without serde's `tag`, whose reader of any JSON is 4.6 kB of the wasm module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "failure.ts"))]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// There was no response, or a limit was reached, so the action can be repeated: the page stays,
    /// and shows the toast 'Houve falha na requisição.'.
    NoReply,
    /// The page navigates, replacing the history entry.
    Navigate {
        #[cfg_attr(test, ts(type = "string"))]
        to: Destination,
    },
    /// Another tab has replaced this page's session: the page shows the notice of a newer link, and
    /// does nothing else.
    OtherTab,
    /// The session has ended: the page shows the notice of that, and does nothing else.
    NoSession,
    /// The input is not valid: the page shows the message under each field. All forms are React's, so
    /// the wasm module does not read it.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    Invalid {
        #[cfg_attr(test, ts(type = "Array<import('./types').FieldError>"))]
        fields: Vec<FieldError>,
    },
}

#[cfg(feature = "ssr")]
impl Failure {
    /// Navigates within the product.
    pub fn navigate(to: impl Into<Destination>) -> Self {
        Self::Navigate { to: to.into() }
    }

    /// Adds the support code of the failed request to the error screen, if the failure leads to
    /// one.
    pub fn with_support_code(self, code: &str) -> Self {
        match self {
            Self::Navigate { to } => Self::Navigate {
                to: to.with_support_code(code),
            },
            other => other,
        }
    }

    /// The failure of a request that the framework rejects, such as one with unreadable arguments.
    fn rejected() -> Self {
        use crate::problem::Problem;
        use axum::http::{StatusCode, request::Parts};
        use leptos::prelude::{expect_context, with_context};
        use leptos_axum::ResponseOptions;
        use vincula_upstream::RequestId;

        expect_context::<ResponseOptions>().set_status(StatusCode::BAD_REQUEST);
        let failure = Self::navigate(Problem::TokenInvalid);
        let request_id = with_context(|parts: &Parts| parts.extensions.get::<RequestId>().cloned());
        match request_id.flatten() {
            Some(id) => failure.with_support_code(id.as_str()),
            None => failure,
        }
    }
}

impl FromServerFnError for Failure {
    type Encoder = JsonEncoding;

    /// What the framework itself fails with. On the server this is a request that our pages never
    /// send, such as one with unreadable arguments. In the browser there was no response, or it
    /// was not the server's, so that the same call may succeed later.
    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        #[cfg(feature = "ssr")]
        return Self::rejected();
        #[cfg(not(feature = "ssr"))]
        Self::NoReply
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::*;
    use crate::{
        administrator::{BankFormField, FieldErrorCode},
        problem::Problem,
        routes::Page,
    };

    #[test]
    fn failures_serialize_with_their_kind() {
        let same = |failure: Failure, json: Value| {
            assert_eq!(to_value(&failure).unwrap(), json);
            assert_eq!(from_value::<Failure>(json).unwrap(), failure);
        };
        same(
            Failure::navigate(Page::Widget),
            json!({ "navigate": { "to": "/integration/widget" } }),
        );
        same(Failure::NoReply, json!("no_reply"));
        same(Failure::OtherTab, json!("other_tab"));
        same(Failure::NoSession, json!("no_session"));
        let cpf = FieldError {
            field: BankFormField::Cpf,
            code: FieldErrorCode::Invalid,
        };
        same(
            Failure::Invalid { fields: vec![cpf] },
            json!({ "invalid": { "fields": [{ "field": "cpf", "code": "invalid" }] } }),
        );
    }

    #[test]
    fn adds_support_code_to_error_screen_only() {
        let leads_to = |page: Destination, path: &str| {
            let failure = Failure::navigate(page).with_support_code("0123456789ab");
            let expected = json!({ "navigate": { "to": path } });
            assert_eq!(to_value(failure).unwrap(), expected);
        };
        leads_to(
            Problem::TokenExpired.into(),
            "/error/token-expired?codigo=0123456789ab",
        );
        leads_to(Page::Widget.into(), "/integration/widget");
    }
}
