//! What Pluggy Connect shows, and what the codes of the bank list mean to it.

use clap::Args;
use reqwest::Url;

use super::values::{Unshown, http_url, product};
use crate::steps::connect_settings::{BankCodes, ConnectorTypes};

#[derive(Debug, Clone, Args)]
pub struct ConnectConfig {
    /// Address of Pluggy Connect.
    #[arg(
        long,
        env = "PLUGGY_CONNECT_URL",
        default_value = "https://connect.pluggy.ai",
        value_parser = Unshown(http_url)
    )]
    pub pluggy_connect_url: Url,

    /// Whether Connect offers its test banks: true or false. Set it to false in production.
    #[arg(
        long,
        env = "PLUGGY_INCLUDE_SANDBOX",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    pub pluggy_include_sandbox: bool,

    /// The only data that Connect asks the bank for: Pluggy's names, separated by commas. They must
    /// be those of the consent.
    #[arg(
        long,
        env = "PLUGGY_PRODUCTS",
        value_delimiter = ',',
        default_value = "ACCOUNTS,TRANSACTIONS",
        value_parser = product
    )]
    pub pluggy_products: Vec<String>,

    /// What the bank list's codes are. compe: COMPE codes, and Connect asks for the bank once more.
    /// connector: ids of Pluggy's connectors, and Connect opens at the chosen bank. Absent: compe;
    /// on the embedded sandbox connector.
    #[arg(long, env = "BANK_CODES", value_enum)]
    pub bank_codes: Option<BankCodes>,

    /// Which connectors Connect lists. by-client: those for companies or those for individuals, by
    /// the client's document.
    #[arg(
        long,
        env = "CONNECTOR_TYPES",
        value_enum,
        default_value_t = ConnectorTypes::All
    )]
    pub connector_types: ConnectorTypes,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::settings;

    #[test]
    fn connect_asks_for_accounts_and_transactions_and_shows_test_banks_by_default() {
        let connect = settings(&[]).product.connect;
        assert_eq!(
            connect.pluggy_connect_url.as_str(),
            "https://connect.pluggy.ai/"
        );
        assert!(connect.pluggy_include_sandbox);
        assert_eq!(connect.pluggy_products, ["ACCOUNTS", "TRANSACTIONS"]);
        assert_eq!(connect.bank_codes, None);
        assert_eq!(connect.connector_types, ConnectorTypes::All);
    }
}
