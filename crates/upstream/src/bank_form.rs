//! The bank form step: lists the banks.

use vincula_domain::wire::BankOption;

use super::{
    Answer, Call, CallError, Caller, Unexpected, Upstream, envelope,
    fields::{Fields, Record},
    send::NO_PAYLOAD,
};

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
    let mut banks: Vec<BankOption> = envelope::rows(body)?;
    banks.retain(|bank| !bank.code.trim().is_empty());
    Ok(banks)
}

impl Record for BankOption {
    const NAMES: &'static [&'static str] = &["code", "name"];

    fn read(row: &Fields) -> Result<Self, Unexpected> {
        Ok(Self { code: row.text("code")?, name: row.text("name")? })
    }
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
