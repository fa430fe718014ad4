//! The entry step: validates the token of a link.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use vincula_domain::{bank::TaxId, token::LinkToken, wire::WidgetType};

use super::{
    Answer, Call, CallError, Caller, Id, Upstream, envelope,
    lenient::{id, optional_id, tax_id, text},
};

/// Why the upstream should skip the full validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum NoValidate {
    /// A return from the bank.
    #[serde(rename = "of-success")]
    OfSuccess,
}

/// Session data (spec §3), as the upstream sent it. `customer_id` is required, since consent needs it. Every other
/// field may be missing or null and is empty then. `Debug` hides personal data.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct SessionData {
    #[serde(default, deserialize_with = "text")]
    pub client_name: String,
    #[serde(default, deserialize_with = "tax_id")]
    pub client_cpfcnpj: TaxId,
    #[serde(deserialize_with = "id")]
    pub customer_id: Id,
    /// The accounting firm.
    #[serde(default, deserialize_with = "text")]
    pub customer_name: String,
    #[serde(default, deserialize_with = "text")]
    pub widget_account_admin_name: String,
    #[serde(default, deserialize_with = "tax_id")]
    pub widget_account_admin_cpfcnpj: TaxId,
    /// `New` if it is missing or unknown; case-insensitive.
    #[serde(default, deserialize_with = "widget_type")]
    pub widget_type: WidgetType,
    /// A bank code.
    #[serde(default, deserialize_with = "bank_code")]
    pub widget_account_bank: Option<String>,
    /// The link to update.
    #[serde(default, deserialize_with = "optional_id")]
    pub link_id: Option<Id>,
    #[serde(default, deserialize_with = "optional_id")]
    pub client_uuid: Option<Id>,
}

#[derive(Serialize)]
struct Payload<'a> {
    token: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_validate: Option<NoValidate>,
}

impl Upstream {
    /// `POST /validate-token`: the session data of a link's token. Not idempotent: an upstream may count or use up
    /// validations.
    ///
    /// # Errors
    /// `Reply` with `NotFound` or `ExpiredToken` for an invalid token; `Unexpected` if a 2xx response holds no session
    /// data; `NoReply`.
    pub async fn validate_token(
        &self,
        caller: &Caller,
        token: &LinkToken,
        no_validate: Option<NoValidate>,
    ) -> Result<Answer<SessionData>, CallError> {
        let payload = Payload { token: token.expose(), no_validate };
        self.send(Call::ValidateToken, caller, Some(&payload), envelope::record).await
    }
}

impl fmt::Debug for SessionData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionData").field("widget_type", &self.widget_type).finish_non_exhaustive()
    }
}

fn widget_type<'de, D: Deserializer<'de>>(from: D) -> Result<WidgetType, D::Error> {
    Ok(match text(from)?.trim().to_ascii_lowercase().as_str() {
        "update" => WidgetType::Update,
        "cancel" => WidgetType::Cancel,
        _ => WidgetType::New,
    })
}

fn bank_code<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Some(text(from)?).filter(|code| !code.is_empty()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Unexpected;

    fn read(data: &Value) -> Result<SessionData, Unexpected> {
        envelope::record(json!({ "data": data }).to_string().as_bytes())
    }

    #[test]
    fn an_object_with_a_firm_is_a_session() {
        let data = read(&json!({"customer_id": 7, "client_name": null, "link_id": "", "x": [1]})).unwrap();
        assert_eq!((data.customer_id, data.client_name.as_str(), data.link_id), (Id::from(7), "", None));
        assert!(data.client_cpfcnpj.is_empty() && data.widget_account_bank.is_none());
        for bad in [
            json!(null),
            json!([]),
            json!(["Ana", "529", 7]),
            json!("x"),
            json!({}),
            json!({"customer_id": null}),
            json!({"customer_id": ""}),
            json!({"customer_id": {}}),
            json!({"customer_id": 7, "client_name": {"first": "Ana"}}),
            json!({"customer_id": 7, "widget_type": true}),
        ] {
            assert_eq!(read(&bad).unwrap_err(), Unexpected::OtherShape, "{bad}");
        }
    }

    #[test]
    fn an_unknown_widget_type_is_new() {
        for (value, kind) in [
            (json!("update"), WidgetType::Update),
            (json!(" UPDATE "), WidgetType::Update),
            (json!("Cancel"), WidgetType::Cancel),
            (json!("new"), WidgetType::New),
            (json!("renew"), WidgetType::New),
            (json!(""), WidgetType::New),
            (json!(3), WidgetType::New),
            (json!(null), WidgetType::New),
        ] {
            let data = read(&json!({"customer_id": 7, "widget_type": value})).unwrap();
            assert_eq!(data.widget_type, kind, "{value}");
        }
    }

    #[test]
    fn people_stay_out_of_debug_output() {
        let data = read(&json!({"customer_id": 7, "client_name": "Ana", "client_cpfcnpj": "529"})).unwrap();
        assert_eq!(format!("{data:?}"), "SessionData { widget_type: New, .. }");
    }
}
