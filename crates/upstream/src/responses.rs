//! What the four calls with data return, read leniently from their 2xx responses.

use secrecy::SecretString;
use serde::{Deserialize, Deserializer};
use vincula_domain::{Private, bank::TaxId};

use super::{
    Id, Unexpected,
    envelope::data,
    lenient::{Scalar, name, optional_id, tax_id, text},
};

/// Session data, as the upstream sent it. Every field may be missing or null and is empty then.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SessionData {
    #[serde(default, deserialize_with = "name")]
    pub client_name: Private<String>,
    #[serde(default, deserialize_with = "tax_id")]
    pub client_cpfcnpj: TaxId,
    /// The accounting firm. A consent needs its id and name.
    #[serde(default, deserialize_with = "optional_id")]
    pub customer_id: Option<Id>,
    #[serde(default, deserialize_with = "name")]
    pub customer_name: String,
    #[serde(default, deserialize_with = "name")]
    pub widget_account_admin_name: Private<String>,
    #[serde(default, deserialize_with = "tax_id")]
    pub widget_account_admin_cpfcnpj: TaxId,
    /// `New` if it is missing or unknown; case-insensitive.
    #[serde(default, deserialize_with = "widget_type")]
    pub widget_type: WidgetType,
    /// A bank code.
    #[serde(default, deserialize_with = "text")]
    pub widget_account_bank: String,
    /// The link to update.
    #[serde(default, deserialize_with = "optional_id")]
    pub link_id: Option<Id>,
    #[serde(default, deserialize_with = "optional_id")]
    pub client_uuid: Option<Id>,
}

/// The purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WidgetType {
    /// Links new accounts. Also stands for an unknown or missing type.
    #[default]
    New,
    /// Renews one existing link.
    Update,
    /// Cancels every link.
    Cancel,
}

fn widget_type<'de, D: Deserializer<'de>>(from: D) -> Result<WidgetType, D::Error> {
    Ok(
        match text::<D, String>(from)?.to_ascii_lowercase().as_str() {
            "update" => WidgetType::Update,
            "cancel" => WidgetType::Cancel,
            _ => WidgetType::New,
        },
    )
}

/// A row of the list of accounts. Every field may be missing or null and is empty then.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Account {
    #[serde(default, deserialize_with = "text")]
    pub bank: String,
    /// The branch; leading zeros matter.
    #[serde(default, deserialize_with = "text")]
    pub agency: Private<String>,
    /// The account number with its check digit.
    #[serde(default, deserialize_with = "text")]
    pub number: Private<String>,
    #[serde(default, deserialize_with = "name")]
    pub name: Private<String>,
}

/// A row of the list of banks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Bank {
    /// May be empty.
    #[serde(default, deserialize_with = "text")]
    pub code: String,
    #[serde(default, deserialize_with = "text")]
    pub name: String,
}

/// The token that opens Connect: any string that is not blank.
pub(super) fn connect_token(body: &[u8]) -> Result<SecretString, Unexpected> {
    match data(body)? {
        Scalar::Text(text) => Ok(text.trim().into()),
        _ => Err(Unexpected::OtherShape),
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;
    use serde_json::{Value, json};

    use super::*;
    use crate::envelope::{List, list, record};

    fn read(data: &Value) -> Result<SessionData, Unexpected> {
        record(json!({ "data": data }).to_string().as_bytes())
    }

    #[test]
    fn session_data_is_an_object() {
        let data =
            read(&json!({"customer_id": 7, "client_name": null, "link_id": "", "x": [1]})).unwrap();
        assert_eq!(
            (data.customer_id, data.client_name.as_str(), data.link_id),
            (Some(Id::Number(7.into())), "", None)
        );
        assert!(data.client_cpfcnpj.is_empty() && data.widget_account_bank.is_empty());
        for bad in [
            json!(null),
            json!([]),
            json!(["Ana", "529", 7]),
            json!({"customer_id": 7, "client_name": {"first": "Ana"}}),
            json!({"customer_id": 7, "widget_type": true}),
        ] {
            assert_eq!(read(&bad).err(), Some(Unexpected::OtherShape), "{bad}");
        }
    }

    #[test]
    fn every_field_of_the_session_data_is_read() {
        let data = read(&json!({
            "client_name": "Padaria", "client_cpfcnpj": "12.ABC.345/01DE-35", "customer_id": "c-7",
            "customer_name": "Contábil", "widget_account_admin_name": "Ana",
            "widget_account_admin_cpfcnpj": "529.982.247-25", "widget_type": "cancel", "widget_account_bank": "260",
            "link_id": 815, "client_uuid": "u-1",
        }))
        .unwrap();
        let texts = [
            data.client_name.into_inner(),
            data.customer_name,
            data.widget_account_admin_name.into_inner(),
            data.widget_account_bank,
        ];
        assert_eq!(texts, ["Padaria", "Contábil", "Ana", "260"]);
        let documents = [data.client_cpfcnpj, data.widget_account_admin_cpfcnpj];
        assert_eq!(
            documents,
            [
                TaxId::new("12.ABC.345/01DE-35"),
                TaxId::new("529.982.247-25")
            ]
        );
        assert_eq!(
            (data.customer_id, data.client_uuid),
            (Id::parse("c-7"), Id::parse("u-1"))
        );
        assert_eq!(
            (data.widget_type, data.link_id),
            (WidgetType::Cancel, Some(Id::Number(815.into())))
        );
    }

    #[test]
    fn names_and_rows_are_read_as_pages_show_them() {
        let written = "\u{202e}Ana\u{200b} Souza 52998224725";
        let data = read(&json!({
            "client_name": written, "customer_name": written, "widget_account_admin_name": written,
        }))
        .unwrap();
        for name in [
            data.client_name.as_str(),
            &data.customer_name,
            &data.widget_account_admin_name,
        ] {
            assert_eq!(name, "Ana Souza");
        }
        let row = json!({"bank": written, "agency": written, "number": written, "name": written});
        let accounts: Vec<Account> = rows(&row.to_string()).unwrap();
        let Account {
            bank,
            agency,
            number,
            name,
        } = &accounts[0];
        for text in [bank, &**agency, &**number] {
            assert_eq!(
                text, "Ana Souza 52998224725",
                "a number may look like a CPF"
            );
        }
        assert_eq!(name.as_str(), "Ana Souza");
        let banks: Vec<Bank> = rows(&row.to_string()).unwrap();
        assert_eq!(banks[0].name, "Ana Souza 52998224725");
    }

    #[test]
    fn an_unknown_widget_type_is_new() {
        for (value, kind) in [
            (json!("update"), WidgetType::Update),
            (json!(" UPDATE "), WidgetType::Update),
            (json!("Cancel"), WidgetType::Cancel),
            (json!("renew"), WidgetType::New),
            (json!(3), WidgetType::New),
            (json!(null), WidgetType::New),
        ] {
            let data = read(&json!({"customer_id": 7, "widget_type": value})).unwrap();
            assert_eq!(data.widget_type, kind, "{value}");
        }
    }

    fn rows<T: serde::de::DeserializeOwned>(rows: &str) -> Result<Vec<T>, Unexpected> {
        list(format!(r#"{{"data":[{rows}]}}"#).as_bytes()).map(|List { rows, .. }| rows)
    }

    #[test]
    fn the_four_fields_of_an_account_are_read() {
        let rows: Vec<Account> = rows(
            r#"
            {"bank":" A","agency":"0001","number":2,"name":"N","status":"any"},
            {"bank":"B","agency":null,"number":false,"name":[]}
            "#,
        )
        .unwrap();
        let fields: Vec<_> = rows
            .iter()
            .map(|row| [&*row.bank, &row.agency, &row.number, &row.name])
            .collect();
        assert_eq!(fields, [["A", "0001", "2", "N"], ["B", "", "", ""]]);
    }

    #[test]
    fn the_code_of_a_bank_may_be_a_number_and_may_be_missing() {
        let banks: Vec<Bank> =
            rows(r#"{"code":"001","name":"BB"},{"code":260,"name":"Nu"},{"name":"y"}"#).unwrap();
        let codes: Vec<_> = banks.iter().map(|bank| &*bank.code).collect();
        assert_eq!(codes, ["001", "260", ""]);
    }

    #[test]
    fn a_connect_token_is_a_text() {
        assert_eq!(
            connect_token(br#"{"data":"abc"}"#).unwrap().expose_secret(),
            "abc"
        );
        assert!(!format!("{:?}", connect_token(br#"{"data":"abc"}"#)).contains("abc"));
        for bad in [
            r#"{"data":""}"#,
            r#"{"data":" "}"#,
            r#"{"data":"null"}"#,
            r#"{"data":null}"#,
            r#"{"data":[]}"#,
            r#"{"data":7}"#,
            r#"{"data":{"accessToken":"a"}}"#,
        ] {
            assert_eq!(
                connect_token(bad.as_bytes()).unwrap_err(),
                Unexpected::OtherShape,
                "{bad}"
            );
        }
    }
}
