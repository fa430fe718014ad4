//! What the four calls with data return, read leniently from their 2xx responses.

use std::sync::LazyLock;

use regex::Regex;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize};
use vincula_domain::{
    bank::{TaxId, brand_of},
    wire::{Account, AccountList, BankOption, LinkingState, WaitingAccount, WidgetType},
};

use super::{
    Id, Unexpected,
    envelope::{data, rows},
    lenient::{Scalar, id, optional_id, tax_id, text},
};

/// Session data, as the upstream sent it. `customer_id` is required, since consent needs it. Every other
/// field may be missing or null and is empty then. Personal data: it has no `Debug`.
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
    #[serde(default, deserialize_with = "text")]
    pub widget_account_bank: String,
    /// The link to update.
    #[serde(default, deserialize_with = "optional_id")]
    pub link_id: Option<Id>,
    #[serde(default, deserialize_with = "optional_id")]
    pub client_uuid: Option<Id>,
}

fn widget_type<'de, D: Deserializer<'de>>(from: D) -> Result<WidgetType, D::Error> {
    Ok(match text(from)?.trim().to_ascii_lowercase().as_str() {
        "update" => WidgetType::Update,
        "cancel" => WidgetType::Cancel,
        _ => WidgetType::New,
    })
}

/// A row of the list of accounts. Without a `status` that we know it is an account. Serializes as the page gets it.
#[derive(Serialize, Deserialize)]
#[serde(untagged, try_from = "RawAccountRow")]
pub(super) enum AccountRow {
    Account(Account),
    Waiting(WaitingAccount),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawAccountRow {
    bank: Scalar,
    agency: Scalar,
    number: Scalar,
    name: Scalar,
    status: Scalar,
    approve_by: Scalar,
}

impl TryFrom<RawAccountRow> for AccountRow {
    type Error = Unexpected;

    fn try_from(row: RawAccountRow) -> Result<Self, Unexpected> {
        let bank = row.bank.into_text()?;
        let brand = brand_of(&bank).unwrap_or_default().to_owned();
        let state = match row.status.as_text() {
            Some("confirming") => LinkingState::Confirming,
            Some("awaiting_approval") => LinkingState::Awaits,
            _ => {
                let (agency, number) = (row.agency.into_text()?, row.number.into_text()?);
                return Ok(Self::Account(Account {
                    brand,
                    bank,
                    agency,
                    number,
                    name: row.name.into_text()?,
                }));
            }
        };
        let approve_by = row.approve_by.as_text().and_then(day).unwrap_or_default();
        Ok(Self::Waiting(WaitingAccount {
            brand,
            bank,
            state,
            approve_by,
        }))
    }
}

pub(super) fn account_list(body: &[u8]) -> Result<AccountList, Unexpected> {
    let mut list = AccountList::default();
    for row in rows(body)? {
        match row {
            AccountRow::Account(account) => list.accounts.push(account),
            AccountRow::Waiting(waiting) => list.waiting.push(waiting),
        }
    }
    Ok(list)
}

/// A date, or a date-time (RFC 3339).
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|$)").expect("the pattern is constant")
});

/// The day of a date as people in Brazil write it: "07/12/2026".
fn day(text: &str) -> Option<String> {
    let (_, [year, month, day]) = DATE.captures(text)?.extract();
    Some(format!("{day}/{month}/{year}"))
}

/// Leaves out banks without a code, which nobody could choose.
pub(super) fn banks(body: &[u8]) -> Result<Vec<BankOption>, Unexpected> {
    let mut rows: Vec<BankRow> = rows(body)?;
    rows.retain(|bank| !bank.code.trim().is_empty());
    Ok(rows
        .into_iter()
        .map(|BankRow { code, name }| BankOption { code, name })
        .collect())
}

/// A row of the list of banks. Serializes as the page gets it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BankRow {
    #[serde(default, deserialize_with = "text")]
    code: String,
    #[serde(default, deserialize_with = "text")]
    name: String,
}

/// The token that opens Connect: any string that is not blank.
pub(super) fn connect_token(body: &[u8]) -> Result<SecretString, Unexpected> {
    match data(body)? {
        Scalar::Text(text) if !text.trim().is_empty() => Ok(text.into()),
        _ => Err(Unexpected::OtherShape),
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;
    use serde_json::{Value, json};

    use super::*;
    use crate::envelope::record;

    fn read(data: &Value) -> Result<SessionData, Unexpected> {
        record(json!({ "data": data }).to_string().as_bytes())
    }

    #[test]
    fn an_object_with_a_firm_is_a_session() {
        let data =
            read(&json!({"customer_id": 7, "client_name": null, "link_id": "", "x": [1]})).unwrap();
        assert_eq!(
            (data.customer_id, data.client_name.as_str(), data.link_id),
            (Id::Number(7.into()), "", None)
        );
        assert!(data.client_cpfcnpj.is_empty() && data.widget_account_bank.is_empty());
        for bad in [
            json!(null),
            json!([]),
            json!(["Ana", "529", 7]),
            json!({}),
            json!({"customer_id": ""}),
            json!({"customer_id": {}}),
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
            data.client_name,
            data.customer_name,
            data.widget_account_admin_name,
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
            (Id::parse("c-7").unwrap(), Id::parse("u-1"))
        );
        assert_eq!(
            (data.widget_type, data.link_id),
            (WidgetType::Cancel, Some(Id::Number(815.into())))
        );
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

    #[test]
    fn rows_that_wait_are_no_accounts() {
        let list = account_list(
            br#"{"data":[
                {"bank":"A","agency":"1","number":"2","name":"N"},
                {"bank":"B","status":"confirming"},
                {"bank":"C","agency":"","number":null,"status":"awaiting_approval","approve_by":"2026-12-07"},
                {"bank":"D","status":"awaiting_approval","approve_by":"2026-12-07T10:00:00Z"},
                {"bank":"E","status":"awaiting_approval","approve_by":"em breve"},
                {"bank":"F","agency":"1","number":"2","name":"N","status":"authorized"},
                {"bank":"G","agency":"1","number":"2","name":"N","status":null}
            ]}"#,
        )
        .unwrap();
        let accounts: Vec<_> = list.accounts.iter().map(|account| &*account.bank).collect();
        assert_eq!(accounts, ["A", "F", "G"]);
        let waiting: Vec<_> = list
            .waiting
            .iter()
            .map(|one| (&*one.bank, one.state, &*one.approve_by))
            .collect();
        let (confirming, awaits) = (LinkingState::Confirming, LinkingState::Awaits);
        assert_eq!(
            waiting,
            [
                ("B", confirming, ""),
                ("C", awaits, "07/12/2026"),
                ("D", awaits, "07/12/2026"),
                ("E", awaits, "")
            ]
        );
    }

    #[test]
    fn banks_without_a_code_are_left_out() {
        let body =
            br#"{"data":[{"code":"001","name":"BB"},{"code":260,"name":"Nu"},{"code":" ","name":"x"},{"name":"y"}]}"#;
        let codes: Vec<String> = banks(body)
            .unwrap()
            .into_iter()
            .map(|bank| bank.code)
            .collect();
        assert_eq!(codes, ["001", "260"]);
        assert_eq!(
            banks(br#"{"data":[{"code":"001"},null]}"#),
            Err(Unexpected::OtherShape)
        );
        assert_eq!(
            banks(br#"{"data":[["001","BB"]]}"#),
            Err(Unexpected::OtherShape)
        );
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
