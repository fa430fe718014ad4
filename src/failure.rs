//! Why an action failed: the error of every server function.

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::{administrator::FieldError, page_path::PagePath};

/// Why an action failed and how the page reacts. The body of every response that is not 2xx.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "failure.ts"))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    #[serde(rename = "kind")]
    pub reaction: Reaction,
    /// Where [`Reaction::Navigate`] leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "string"))]
    pub to: Option<PagePath>,
    /// The rejected fields of [`Reaction::Invalid`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(type = "Array<import('./types').FieldError>"))]
    pub fields: Vec<FieldError>,
    /// Only for `finish_connect`: whether the item is refused permanently, so that the tab removes
    /// it. After any other failure, the tab keeps the item and submits it again later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub item_refused: bool,
    /// Only for [`Reaction::Stay`]: how long the widget API asks to wait before the same call, in
    /// seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "number"))]
    pub retry_after_secs: Option<u32>,
}

/// How the page reacts to a failed action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "failure.ts"))]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// Stay, and show the toast 'Houve falha na requisição.', because the action can be repeated:
    /// there was no response, or a limit was reached.
    #[serde(rename = "no_reply")]
    Stay,
    /// Navigate to [`Failure::to`], replacing the history entry.
    Navigate,
    /// Another tab has replaced this page's session: show the notice of a newer link, and do
    /// nothing else.
    OtherTab,
    /// The session has ended: show the notice of that, and do nothing else.
    NoSession,
    /// The input is not valid: show the message under each of [`Failure::fields`].
    Invalid,
}

impl Failure {
    /// Stays on the page with a toast.
    pub fn stay() -> Self {
        Reaction::Stay.into()
    }
}

#[cfg(feature = "ssr")]
impl Failure {
    /// Navigates within the product.
    pub fn navigate(to: impl Into<PagePath>) -> Self {
        Self {
            to: Some(to.into()),
            ..Reaction::Navigate.into()
        }
    }

    /// Adds the support code of the failed request to the error screen, if the failure leads to
    /// one.
    pub fn with_support_code(self, code: &str) -> Self {
        Self {
            to: self.to.map(|to| to.with_support_code(code)),
            ..self
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

impl From<Reaction> for Failure {
    fn from(reaction: Reaction) -> Self {
        Self {
            reaction,
            to: None,
            fields: Vec::new(),
            item_refused: false,
            retry_after_secs: None,
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
        Self::stay()
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
    fn failures_serialize_flat_with_their_kind() {
        let same = |failure: Failure, json: Value| {
            assert_eq!(to_value(&failure).unwrap(), json);
            assert_eq!(from_value::<Failure>(json).unwrap(), failure);
        };
        same(
            Failure::navigate(Page::Widget),
            json!({ "kind": "navigate", "to": "/integration/widget" }),
        );
        same(
            Failure {
                item_refused: true,
                ..Failure::stay()
            },
            json!({ "kind": "no_reply", "itemRefused": true }),
        );
        let busy = Failure {
            retry_after_secs: Some(20),
            ..Failure::stay()
        };
        same(busy, json!({ "kind": "no_reply", "retryAfterSecs": 20 }));
        same(Reaction::OtherTab.into(), json!({ "kind": "other_tab" }));
        same(Reaction::NoSession.into(), json!({ "kind": "no_session" }));
        let cpf = FieldError {
            field: BankFormField::Cpf,
            code: FieldErrorCode::Invalid,
        };
        same(
            Failure {
                fields: vec![cpf],
                ..Reaction::Invalid.into()
            },
            json!({ "kind": "invalid", "fields": [{ "field": "cpf", "code": "invalid" }] }),
        );
    }

    #[test]
    fn adds_support_code_to_error_screen_only() {
        let to = |failure: Failure| failure.with_support_code("0123456789ab").to.unwrap();
        let screen = to(Failure::navigate(Problem::TokenExpired));
        assert_eq!(screen.as_str(), "/error/token-expired?codigo=0123456789ab");
        let page = to(Failure::navigate(Page::Widget));
        assert_eq!(page.as_str(), "/integration/widget");
    }
}
