//! What Pluggy Connect shows, and what the codes of the bank list mean to it.

use clap::{Args, ValueEnum};
use reqwest::Url;

use super::values::{Unshown, http_url};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Pluggy Connect")]
pub struct ConnectConfig {
    /// Address of Pluggy Connect.
    #[arg(
        long,
        env = "PLUGGY_CONNECT_URL",
        default_value = "https://connect.pluggy.ai",
        value_parser = Unshown(http_url)
    )]
    pub pluggy_connect_url: Url,

    /// Whether Connect offers its test banks. Set it to false in production.
    #[arg(
        long,
        env = "PLUGGY_INCLUDE_SANDBOX",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    pub pluggy_include_sandbox: bool,

    /// What the bank list's codes are. compe: COMPE codes, and Connect asks for the bank once more.
    /// connector: ids of Pluggy's connectors, and Connect opens at the chosen bank. Absent: compe;
    /// on the sandbox connector.
    #[arg(long, env = "BANK_CODES", value_enum)]
    pub bank_codes: Option<BankCodes>,
}

/// What the codes of the bank list are.
// Doc comments of the variants would be part of --help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BankCodes {
    // The COMPE codes of the banks: Connect asks for the bank once more.
    Compe,
    // The ids of Pluggy's connectors: Connect opens at the chosen bank.
    Connector,
}

#[cfg(test)]
mod tests {
    use crate::config::tests::settings;

    #[test]
    fn connect_shows_test_banks_by_default() {
        let connect = settings(&[]).product.connect;
        assert_eq!(
            connect.pluggy_connect_url.as_str(),
            "https://connect.pluggy.ai/"
        );
        assert!(connect.pluggy_include_sandbox);
        assert_eq!(connect.bank_codes, None);
    }
}
