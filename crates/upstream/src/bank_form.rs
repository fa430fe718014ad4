//! The bank form step: lists the banks.

use serde::{Deserialize, Serialize};
use vincula_domain::wire::BankOption;

use super::{Answer, Call, CallError, Caller, Unexpected, Upstream, envelope, lenient::text, send::NO_PAYLOAD};

impl Upstream {
    /// `GET /list-banks`: the banks to choose from, in the upstream's order. Idempotent.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not a list of objects.
    pub async fn list_banks(&self, caller: &Caller) -> Result<Answer<Vec<BankOption>>, CallError> {
        self.send(Call::ListBanks, caller, NO_PAYLOAD, banks).await
    }
}

/// Leaves out banks without a code, which nobody could choose.
fn banks(body: &[u8]) -> Result<Vec<BankOption>, Unexpected> {
    let mut rows: Vec<BankRow> = envelope::rows(body)?;
    rows.retain(|bank| !bank.code.trim().is_empty());
    Ok(rows.into_iter().map(|BankRow { code, name }| BankOption { code, name }).collect())
}

/// A row of the list. Serializes as the page gets it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BankRow {
    #[serde(default, deserialize_with = "text")]
    code: String,
    #[serde(default, deserialize_with = "text")]
    name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_without_a_code_are_left_out() {
        let body =
            br#"{"data":[{"code":"001","name":"BB"},{"code":260,"name":"Nu"},{"code":"","name":"x"},{"name":"y"}]}"#;
        let codes: Vec<String> = banks(body).unwrap().into_iter().map(|bank| bank.code).collect();
        assert_eq!(codes, ["001", "260"]);
        assert_eq!(banks(br#"{"data":[{"code":"001"},null]}"#), Err(Unexpected::OtherShape));
        assert_eq!(banks(br#"{"data":[["001","BB"]]}"#), Err(Unexpected::OtherShape));
    }
}
