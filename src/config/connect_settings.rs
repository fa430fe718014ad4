//! Connect's settings, the same for every client.

use std::sync::Once;

use vincula_domain::bank::BankCode;

use crate::config::BankCodes;

#[derive(Debug)]
pub struct ConnectSettings {
    /// Address of the Connect page.
    pub url: String,
    /// Whether Connect offers its test banks.
    pub include_sandbox: bool,
    pub bank_codes: BankCodes,
    /// A bank code that is no connector id is warned of once: the list has more of them.
    pub warned: Once,
}

impl ConnectSettings {
    /// The connector of the chosen bank, if the bank list has connector ids. Also `None` for a code
    /// that is not one: Connect then asks for the bank itself.
    pub fn connector_id(&self, bank: Option<&BankCode>) -> Option<u32> {
        if self.bank_codes != BankCodes::Connector {
            return None;
        }
        let code = bank?.as_str();
        let id = code.parse().ok().filter(|id| *id > 0);
        if id.is_none() {
            self.warned.call_once(|| {
                tracing::warn!(
                    code,
                    "BANK_CODES is connector, but a code of the bank list is no connector id"
                );
            });
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(bank_codes: BankCodes) -> ConnectSettings {
        ConnectSettings {
            url: String::new(),
            include_sandbox: false,
            bank_codes,
            warned: Once::new(),
        }
    }

    #[test]
    fn a_code_that_is_no_connector_id_is_left_out_and_warned_of() {
        let code = |text| BankCode::parse(text).unwrap();
        for (text, id) in [
            ("612", Some(612)),
            ("077", Some(77)),
            ("0", None),
            ("A1", None),
            ("99999999999", None),
        ] {
            let settings = with(BankCodes::Connector);
            assert_eq!(settings.connector_id(Some(&code(text))), id, "{text}");
            assert_eq!(settings.warned.is_completed(), id.is_none(), "{text}");
        }
        assert_eq!(
            with(BankCodes::Compe).connector_id(Some(&code("612"))),
            None
        );
        assert_eq!(with(BankCodes::Connector).connector_id(None), None);
    }
}
