//! The bank list: well-known institutions with their public COMPE codes, and invented cooperatives
//! for the search.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The banks for accounts without a chosen bank, in rotation.
const PLAUSIBLE: [&str; 5] = ["077", "260", "341", "001", "748"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bank {
    pub code: String,
    pub name: String,
}

/// The bank list: the known banks by code, then the invented ones, which have four digits.
pub(crate) fn list() -> &'static [Bank] {
    static LIST: LazyLock<Vec<Bank>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("banks.json")).expect("a list of banks")
    });
    &LIST
}

pub(crate) fn name_of(code: &str) -> Option<&'static str> {
    list()
        .iter()
        .find(|bank| bank.code == code)
        .map(|bank| bank.name.as_str())
}

/// Code of the bank with this connector id: the id with leading zeros.
pub(crate) fn code_of(connector_id: u32) -> String {
    format!("{connector_id:03}")
}

/// Name of a plausible bank for an account without a chosen one; rotates with `number`.
pub(crate) fn plausible(number: usize) -> &'static str {
    name_of(PLAUSIBLE[number % PLAUSIBLE.len()]).expect("the plausible banks are on the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_222_banks_with_unique_codes_and_names() {
        let list = list();
        assert_eq!(list.len(), 222);
        for (at, bank) in list.iter().enumerate() {
            let is_new = list[..at]
                .iter()
                .all(|other| other.code != bank.code && other.name != bank.name);
            assert!(is_new && !bank.name.is_empty(), "{bank:?}");
            assert_eq!(
                code_of(bank.code.parse().unwrap()),
                bank.code,
                "one bank a connector"
            );
        }
    }
}
